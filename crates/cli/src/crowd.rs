//! `walkable crowd`: simulates the agents of a scene on a navmesh.
//!
//! The output is JSON, one object per line:
//!
//! | field | meaning |
//! |---|---|
//! | `update` | number of updates so far |
//! | `agents` | for each agent of the scene `[x, y, z, vx, vy, vz, state, target_state]`, or `null` where it was removed or the crowd was full |
//!
//! `state` is 0 (not on the navmesh), 1 (walking) or 2 (on an off-mesh link); `target_state` is 0 (none), 1 (failed), 2
//! (valid), 3 (requesting), 4 (waiting for a search), 5 (waiting for its result) or 6 (velocity). Numbers have nine
//! significant digits, enough to distinguish all 32-bit floats.

use anyhow::Context as _;
use clap::Args;
use walkable::crowd::{Agent, AgentState, TargetState};
use walkable_workspace::{
    crowd_scene::{Scene, ScenePlayer},
    files::{self, Format},
    level_files::{parse_navmesh, read_navmesh},
};

use super::{Failure, guard::InputFile, output::Output};

/// Arguments of `walkable crowd`.
#[derive(Args, Debug)]
pub(super) struct CrowdArgs {
    /// Baked navmesh (MSET), or baked layers (TSET) to build one from.
    navmesh: InputFile,
    /// Scene file with the agents and their targets over time; docs/crowd.md describes the format.
    #[arg(long, value_name = "FILE")]
    scene: InputFile,
}

pub(super) fn run(args: &CrowdArgs, output: &mut Output) -> Result<(), Failure> {
    let bytes = read_navmesh(&args.navmesh)?;
    let mesh = parse_navmesh(&bytes).with_context(|| args.navmesh.display().to_string())?;
    let name = || args.scene.display().to_string();
    let scene =
        Scene::parse(&files::read_text(&args.scene, Format::Scenario)?).with_context(name)?;
    let mut player = ScenePlayer::new(&mesh, &scene).with_context(name)?;
    loop {
        let update = player.n_done();
        player.apply_due_events();
        if update % scene.every == 0 {
            output.line(&line(&player, update))?;
        }
        if update >= scene.n_updates {
            return Ok(());
        }
        player.update();
    }
}

fn line(player: &ScenePlayer<'_>, update: u32) -> String {
    let agents = player.agents().map(|agent| agent.map_or_else(|| "null".to_owned(), in_numbers));
    let agents = agents.collect::<Vec<_>>().join(",");
    format!(r#"{{"update":{update},"agents":[{agents}]}}"#)
}

fn in_numbers(agent: &Agent) -> String {
    let state = match agent.state() {
        AgentState::Invalid => 0,
        AgentState::Walking => 1,
        AgentState::OffMesh => 2,
    };
    let target = match agent.target_state() {
        TargetState::None => 0,
        TargetState::Failed => 1,
        TargetState::Valid => 2,
        TargetState::Requesting => 3,
        TargetState::WaitingForQueue => 4,
        TargetState::WaitingForPath => 5,
        TargetState::Velocity => 6,
    };
    let [x, y, z] = agent.position().to_array().map(nine_digits);
    let [vx, vy, vz] = agent.velocity().to_array().map(nine_digits);
    format!("[{x},{y},{z},{vx},{vy},{vz},{state},{target}]")
}

/// Formats a number with nine significant digits, like C's `%.9g`; `null` if it is not finite.
fn nine_digits(number: f32) -> String {
    if !number.is_finite() {
        return "null".to_owned();
    }
    let text = format!("{number:.8e}");
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| {
        let is_whole = !text.contains('.');
        let text = if is_whole { text } else { text.trim_end_matches('0').trim_end_matches('.') };
        text.to_owned()
    };
    match usize::try_from(8 - exponent) {
        Ok(n_decimals) if exponent >= -4 => trimmed(&format!("{number:.n_decimals$}")),
        _ => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_c_does() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (0.1, "0.100000001"),
            (52.322_987, "52.3229866"),
            (1234.5, "1234.5"),
            (0.000_1, "9.99999975e-05"),
            (0.001, "0.00100000005"),
            (1e9, "1e+09"),
            (f32::from_bits(0x4ceb_79a3), "123456792"),
            (1.5e-10, "1.49999999e-10"),
            (f32::MAX, "3.40282347e+38"),
            (f32::INFINITY, "null"),
        ] {
            let written = nine_digits(number);
            assert_eq!(written, text, "{number}");
        }
        for bits in (0..u32::MAX).step_by(9_999_991) {
            let number = f32::from_bits(bits);
            if number.is_finite() {
                assert_eq!(nine_digits(number).parse().map(f32::to_bits), Ok(bits));
            }
        }
    }
}
