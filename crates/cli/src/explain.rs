//! `walkable explain`: what the codes of diagnostics mean.

use clap::Args;
use walkable::diagnostic::{ArgumentPage, Code, CodePage};

use super::{Failure, output::Output};

/// Arguments of `walkable explain`.
#[derive(Args, Debug)]
pub(super) struct ExplainArgs {
    /// Code at the end of a message; without one all codes are listed.
    code: Option<String>,
}

pub(super) fn run(args: &ExplainArgs, output: &mut Output) -> Result<(), Failure> {
    let Some(name) = &args.code else {
        for code in Code::ALL {
            let CodePage { severity, title, .. } = code.page();
            // The `Display` of a severity ignores the width.
            let severity = severity.to_string();
            output.line(&format!("{severity:7}  {:30}  {title}", code.name()))?;
        }
        return Ok(());
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    let code = Code::from_name(name).ok_or_else(|| Failure::Usage(unknown(name)))?;
    for line in page(code) {
        output.line(&line)?;
    }
    Ok(())
}

fn page(code: Code) -> Vec<String> {
    let CodePage { severity, title, text, cause, remedy, arguments } = code.page();
    let mut lines = vec![
        format!("{code} ({severity}): {title}"),
        String::new(),
        format!("  {text}"),
        String::new(),
        format!("Cause:  {cause}"),
        format!("Remedy: {remedy}"),
    ];
    let shown = |argument: &ArgumentPage| format!("  {{{}}}  {}", argument.name, argument.unit);
    lines.extend(arguments.iter().map(shown));
    lines
}

fn unknown(name: &str) -> String {
    let words: Vec<&str> = name.split('-').filter(|word| word.len() > 2).collect();
    let is_like = |code: &&Code| words.iter().any(|word| code.name().contains(word));
    let like: Vec<_> = Code::ALL.iter().filter(is_like).map(|code| code.name()).collect();
    let hint = if like.is_empty() {
        "`walkable explain` lists them".to_owned()
    } else {
        format!("there are {}", like.join(", "))
    };
    format!("there is no code `{name}`; {hint}")
}
