//! `walkable man`: the manual pages of the commands, for packages.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, Command, CommandFactory as _};
use clap_mangen::Man;
use walkable_editor::files;

use super::{Failure, output::Output};

/// Arguments of `walkable man`.
#[derive(Args, Debug)]
pub(super) struct ManArgs {
    /// Folder to write the pages to; it must exist.
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
}

pub(super) fn run(args: &ManArgs, output: &mut Output) -> Result<(), Failure> {
    for Page { name, text } in pages()? {
        let file = args.output.join(name);
        files::write_atomically(&file, &text)?;
        output.line(&file.display().to_string())?;
    }
    Ok(())
}

/// A manual page in roff.
struct Page {
    /// Name of the file.
    name: String,
    text: Vec<u8>,
}

/// Returns the page of the program and of every command.
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
    let (name, mut text) = (page.get_filename(), Vec::new());
    page.render(&mut text).with_context(|| format!("cannot write {name}"))?;
    pages.push(Page { name, text });
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        add_pages(command, pages)?;
    }
    Ok(())
}
