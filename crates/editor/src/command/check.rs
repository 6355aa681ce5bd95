//! Commands of the check of the navmesh.

use walkable::phrase;
use walkable_workspace::lang::tr;

use super::{
    CameraMove, Command, Effect, Pane,
    describe::{Description, says},
    requests,
};
use crate::{
    jobs::work::Work,
    session::{CheckFilter, Session},
    shortcut::{Key, Shortcut},
    task::TaskId,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckCommand {
    Run,
    /// Bakes and checks all tiles of a level, of which a part is loaded, and shows the panel.
    RunWhole,
    Cancel,
    ToggleAfterBake,
    Show(CheckFilter),
    /// Highlights the finding with this index and moves the camera to it; `None` removes the highlight.
    Choose(Option<usize>),
    MeasureTileSizes,
    CancelTileSizes,
    HideTileSizes,
    SetBestTileSize,
}

impl CheckCommand {
    pub(super) fn listed() -> Vec<Command> {
        let plain = [
            Self::Run,
            Self::RunWhole,
            Self::Cancel,
            Self::ToggleAfterBake,
            Self::MeasureTileSizes,
            Self::CancelTileSizes,
            Self::HideTileSizes,
            Self::SetBestTileSize,
        ];
        let filters = CheckFilter::ALL.map(Self::Show);
        plain.into_iter().chain(filters).map(Command::from).collect()
    }

    pub(super) fn description(self) -> Description {
        match self {
            Self::Run => says(
                "check.run",
                tr!("Check navmesh"),
                tr!("Looks for faults in tile borders, polygons, islands and limits, and compares the surface with the level"),
            )
            .needs(Session::can_check, tr!("Open a level first, and wait until its bake has ended."))
            .key(Shortcut::plain(Key::Function(8))),
            Self::RunWhole => says(
                "check.run-whole",
                tr!("Check whole level"),
                tr!("Bakes all tiles of a level that is only loaded in part, and checks them with few of them in memory"),
            )
            .needs(Session::can_check_whole_level, tr!("Open a level larger than memory first, and wait until another check or export of all tiles has ended.")),
            Self::Cancel => says("check.cancel", tr!("Stop check"), tr!("Stops the running check"))
                .needs(|session| session.runs(TaskId::Check), tr!("No check is running.")),
            Self::ToggleAfterBake => says(
                "check.toggle-after-bake",
                tr!("Check after each bake"),
                tr!("Checks the navmesh whenever a bake has ended"),
            ),
            Self::Show(CheckFilter::All) => {
                says("check.show.all", tr!("Show all findings"), tr!("Lists warnings and notes of the check"))
                    .needs(|session| session.check.filter != CheckFilter::All, tr!("All findings are shown."))
            }
            Self::Show(CheckFilter::Warnings) => says(
                "check.show.warnings",
                tr!("Show warnings only"),
                tr!("Hides the notes of the check"),
            )
            .needs(|session| session.check.filter != CheckFilter::Warnings, tr!("Only warnings are shown.")),
            Self::Choose(_) => {
                says("check.choose", tr!("Show finding"), tr!("Moves the camera to a finding and marks it"))
            }
            Self::MeasureTileSizes => says(
                "check.measure-tile-sizes",
                tr!("Compare tile sizes"),
                tr!("Bakes a sample of tiles for several tile sizes, and names the best size for this level and machine"),
            )
            .needs(|session| session.opened.level.is_some(), tr!("Open a level first.")),
            Self::CancelTileSizes => says(
                "check.cancel-tile-sizes",
                tr!("Stop comparing tile sizes"),
                tr!("Stops the bakes of sample tiles"),
            )
            .needs(|session| session.runs(TaskId::TileSizes), tr!("No tile sizes are being compared.")),
            Self::HideTileSizes => says(
                "check.hide-tile-sizes",
                tr!("Hide tile sizes"),
                tr!("Hides the comparison of tile sizes"),
            )
            .needs(|session| session.tile_sizes.result().is_some(), tr!("Compare tile sizes first.")),
            Self::SetBestTileSize => says(
                "check.set-best-tile-size",
                tr!("Use best tile size"),
                tr!("Sets the tile size of the bake settings to the best one of the comparison"),
            )
            .needs(|session| better_tile_size(session).is_some(), tr!("Compare tile sizes first; the size of the settings may be the best one already.")),
        }
    }

    pub(crate) fn carry_out(self, session: &mut Session) -> Vec<Effect> {
        match self {
            Self::Run => {
                let work = requests::check(session).map(Effect::Work);
                return work.into_iter().chain([Effect::BringToFront(Pane::Check)]).collect();
            }
            Self::RunWhole => {
                let work = requests::check_whole_level(session).map(Effect::Work);
                return work.into_iter().chain([Effect::BringToFront(Pane::Check)]).collect();
            }
            Self::Cancel => return vec![Work::Cancel(TaskId::Check.into()).into()],
            Self::ToggleAfterBake => {
                session.check.after_each_bake = !session.check.after_each_bake;
            }
            Self::Show(filter) => session.check.filter = filter,
            Self::Choose(index) => {
                let Some(bounds) = session.choose_finding(index) else { return Vec::new() };
                let frame = Effect::Camera(CameraMove::Frame(bounds));
                // A finding about all tiles may be at a tile that is not loaded.
                let at = bounds.center();
                let is_loaded = session.world().is_none_or(|world| world.is_loaded(at));
                let load = if is_loaded { None } else { requests::work_at(session, at) };
                return load.map(Effect::Work).into_iter().chain([frame]).collect();
            }
            Self::MeasureTileSizes => {
                let work = requests::measure_tile_sizes(session).map(Effect::Work);
                return work.into_iter().chain([Effect::BringToFront(Pane::Check)]).collect();
            }
            Self::CancelTileSizes => return vec![Work::Cancel(TaskId::TileSizes.into()).into()],
            Self::HideTileSizes => session.tile_sizes.forget(),
            Self::SetBestTileSize => {
                if let Some(tile_size) = better_tile_size(session) {
                    let label = phrase!("Set tile size to {tile_size} voxels", tile_size);
                    session
                        .history
                        .change(label, |document| document.settings.tile_size = tile_size);
                }
            }
        }
        Vec::new()
    }
}

/// Returns the best tile size of the comparison, unless it is set already.
fn better_tile_size(session: &Session) -> Option<u32> {
    let best = session.tile_sizes.result()?.as_ref().ok()?.best?;
    (best != session.document().settings.tile_size).then_some(best)
}
