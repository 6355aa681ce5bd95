//! Times and counts of the stages.

use walkable::{ids::TileCoord, navmesh::NavMesh};
use walkable_editor::session::{Session, StageFigure, n_walkable_polys};
use walkable_workspace::stage_view::StageView;

/// Times and counts of all stages, and the number of polygons. They are counted again only when the results have
/// changed.
#[derive(Debug, Default)]
pub struct StageFigures {
    counted: Option<FigureKey>,
    stages: [StageFigure; StageView::ALL.len()],
    n_polys: usize,
}

/// The serial numbers of the newest tile result and of the navmesh, the number of tiles, the chosen tile, and the
/// serial number of the level.
type FigureKey = (u64, u64, usize, Option<TileCoord>, u64);

impl StageFigures {
    pub fn update(&mut self, session: &Session) {
        let bake = &session.bake;
        let (serials, level) =
            ((bake.last_serial(), bake.navmesh_serial), session.revision().level);
        let key = (serials.0, serials.1, bake.tiles.len(), session.shown.chosen_tile, level);
        if self.counted.replace(key) == Some(key) {
            return;
        }
        self.stages = StageView::ALL.map(|stage| figure(session, stage));
        let tiles = bake.navmesh.as_deref().into_iter().flat_map(NavMesh::tiles);
        self.n_polys = tiles.map(n_walkable_polys).sum();
    }

    pub fn of(&self, stage: StageView) -> StageFigure {
        let known = StageView::ALL.into_iter().zip(self.stages);
        known.filter(|(of, _)| *of == stage).map(|(_, figure)| figure).next().unwrap_or_default()
    }

    /// Returns times and counts of all stages, in the order of [`StageView::ALL`].
    pub const fn stages(&self) -> &[StageFigure; StageView::ALL.len()] {
        &self.stages
    }

    pub const fn n_polys(&self) -> usize {
        self.n_polys
    }
}

/// Returns the time and count of a stage; the input's count is the level's triangles.
fn figure(session: &Session, stage: StageView) -> StageFigure {
    let mut figure = session.bake.figure(stage, session.shown.chosen_tile);
    if stage == StageView::Input {
        figure.count = session.opened.level.as_ref().map(|level| level.mesh.triangles().len());
    }
    if stage == StageView::Navmesh {
        // The navmesh as it is used: removed islands and tiles do not count.
        let tiles = session.bake.navmesh.as_deref().map(NavMesh::tiles);
        let chosen = tiles.map(|tiles| tiles.filter(|tile| session.is_shown(tile)));
        figure.count = chosen.map(|tiles| tiles.map(n_walkable_polys).sum());
    }
    figure
}
