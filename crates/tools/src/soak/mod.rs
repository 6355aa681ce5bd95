//! A soak run: agents of a [`Crowd`](walkable_runtime::crowd::Crowd) walk between places of a navmesh for a long
//! simulated time, and the places where they get stuck are reported.
//!
//! [`SoakRun::advance`] simulates one second. Each agent walks to a place that it can reach, and to the next one after
//! it arrives. A stuck agent is recorded and moved to another place, so that it does not hide other places.
//!
//! The report depends only on the navmesh and the settings: the same seed returns the same report on any number of
//! threads.

mod causes;
mod finding;
mod heat;
mod replay;
mod run;
mod settings;
mod tracks;
mod trips;
mod walker;

pub use finding::{SoakFinding, SoakReport, StuckCause, StuckKind};
pub use heat::{AgentActivity, HeatCell, HeatMap, HeatMeasure};
pub use replay::{Replay, ReplayAgent, ReplayTarget};
pub use run::SoakRun;
pub use settings::{MAX_AGENTS, MAX_MINUTES, SoakError, SoakSettings};
use walkable_runtime::{monitor::Monitor, navmesh::NavMesh};

/// Runs a soak to its end.
///
/// # Errors
/// Returns a [`SoakError`] if the settings are invalid, the navmesh has no ground, or a listed place is not on it, and
/// within an update of the crowd after the monitor cancels.
pub fn soak(
    mesh: &NavMesh,
    settings: &SoakSettings,
    monitor: &dyn Monitor,
) -> Result<SoakReport, SoakError> {
    let mut run = SoakRun::new(mesh, settings, monitor)?;
    while run.advance(monitor)? {}
    Ok(run.report())
}
