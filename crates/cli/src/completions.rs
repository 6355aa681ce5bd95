//! `walkable completions`: the script that lets a shell complete commands and options.

use clap::{Args, Command, CommandFactory as _};
use clap_complete::{Shell, generate};

use super::{Failure, guard, output::Output};

/// Arguments of `walkable completions`.
#[derive(Args, Debug)]
pub(super) struct CompletionsArgs {
    /// Shell that runs the script.
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs, output: &mut Output) -> Result<(), Failure> {
    Ok(output.lines(script(args.shell).trim_end())?)
}

fn script(shell: Shell) -> String {
    let all = guard::with_hints(super::Args::command());
    // Scripts would offer the hidden commands, too.
    let shown = all.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    let program = Command::new("walkable").version(env!("CARGO_PKG_VERSION"));
    let mut program = program.args(all.get_arguments().cloned()).subcommands(shown);
    let mut bytes = Vec::new();
    generate(shell, &mut program, "walkable", &mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn every_shell_completes_every_command() {
        for &shell in Shell::value_variants() {
            let script = script(shell);
            for command in super::super::Args::command().get_subcommands() {
                let is_offered = script.contains(command.get_name());
                assert_eq!(is_offered, !command.is_hide_set(), "{shell}: {command}");
            }
        }
    }
}
