//! `walkable man`: the manual pages of the commands, for packages.

use anyhow::Context as _;
use clap::{Args, Command, CommandFactory as _};
use clap_mangen::Man;

use super::{
    Failure,
    guard::{FolderFiles, OutputFolder},
    output::Output,
};

/// Arguments of `walkable man`.
#[derive(Args, Debug)]
pub(super) struct ManArgs {
    /// Folder to write the pages to; it must exist.
    #[arg(short, long, value_name = "FOLDER", value_parser = OutputFolder::of(&PAGES))]
    output: OutputFolder,
}

static PAGES: FolderFiles = FolderFiles {
    is_written: |name| name.starts_with("walkable") && name.ends_with(".1"),
    is_own: |_, start| String::from_utf8_lossy(start).contains(".TH walkable"),
};

pub(super) fn run(args: &ManArgs, output: &mut Output) -> Result<(), Failure> {
    for Page { name, text } in pages()? {
        args.output.write(&name, text.as_bytes())?;
        output.line(&args.output.join(name).display().to_string())?;
    }
    Ok(())
}

/// A manual page in roff, which contains only ASCII characters.
struct Page {
    name: String,
    text: String,
}

fn pages() -> anyhow::Result<Vec<Page>> {
    let mut program = super::Args::command().disable_help_subcommand(true);
    // Sets the full names of subcommands.
    program.build();
    let mut pages = Vec::new();
    add_pages(&program, &mut pages)?;
    Ok(pages)
}

/// Adds the pages of `command` and of the commands below it that are not hidden.
fn add_pages(command: &Command, pages: &mut Vec<Page>) -> anyhow::Result<()> {
    let source = format!("walkable {}", env!("CARGO_PKG_VERSION"));
    let page = Man::new(command.clone()).source(source).manual("Walkable");
    let (name, mut roff) = (page.get_filename(), Vec::new());
    page.render(&mut roff).with_context(|| format!("cannot write {name}"))?;
    let text = escaped(&String::from_utf8(roff).with_context(|| format!("{name} is not UTF-8"))?);
    pages.push(Page { name, text });
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        add_pages(command, pages)?;
    }
    Ok(())
}

/// Replaces all characters outside ASCII with roff escapes, because troff reads its input as Latin-1 by default.
fn escaped(roff: &str) -> String {
    let escape = |character: char| {
        if character.is_ascii() {
            character.to_string()
        } else {
            format!("\\[u{:04X}]", u32::from(character))
        }
    };
    roff.chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_outside_ascii_are_escaped() {
        assert_eq!(
            escaped("UCX_…, 3\u{b2} m, \u{1f600}"),
            "UCX_\\[u2026], 3\\[u00B2] m, \\[u1F600]"
        );
        for page in pages().unwrap() {
            assert!(page.text.is_ascii(), "{}", page.name);
        }
    }
}
