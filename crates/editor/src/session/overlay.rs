//! Overlays over the stages, and which layers of a tile are shown.

use walkable::{
    diagnostic::{Diagnostic, Finding},
    ids::TileCoord,
    navmesh::{NavMesh, Tile, TilePlace},
    query::RouteCluster,
    tile_cache::LayerTile,
};
use walkable_workspace::{lang::tr, stage_view::StageView};

use super::Session;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Overlay {
    SteepGround,
    /// Only the voxels that an agent can stand on.
    WalkableVoxels,
    /// Connections between regions.
    RegionLinks,
    TileBounds,
    /// Edges where polygons of different tiles are linked.
    Portals,
    /// Links between clusters of polygons.
    ClusterLinks,
    BoxTree,
}

impl Overlay {
    pub const ALL: [Self; 7] = [
        Self::SteepGround,
        Self::WalkableVoxels,
        Self::RegionLinks,
        Self::TileBounds,
        Self::Portals,
        Self::ClusterLinks,
        Self::BoxTree,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::SteepGround => tr!("Steep ground"),
            Self::WalkableVoxels => tr!("Walkable voxels only"),
            Self::RegionLinks => tr!("Region adjacency"),
            Self::TileBounds => tr!("Tile bounds"),
            Self::Portals => tr!("Portals"),
            Self::ClusterLinks => tr!("Cluster links"),
            Self::BoxTree => tr!("BV tree"),
        }
    }

    pub fn what(self) -> &'static str {
        match self {
            Self::SteepGround => {
                tr!("Tints the parts of the level that are too steep for the agent")
            }
            Self::WalkableVoxels => {
                tr!("Hides voxels that an agent cannot stand on, at the stages spans and filtered")
            }
            Self::RegionLinks => tr!("Arcs between the centers of adjacent regions of a tile"),
            Self::TileBounds => tr!("The box of each tile"),
            Self::Portals => {
                tr!("Edges that can connect to the next tile; pale if nothing connects to them")
            }
            Self::ClusterLinks => {
                tr!("Arcs between clusters that lead to each other, with an arrow if one-way")
            }
            Self::BoxTree => tr!("Bounding volume tree with which queries find polygons in a tile"),
        }
    }

    /// Returns why the overlay shows nothing; `None` if it shows something.
    pub fn lack(self, session: &Session) -> Option<Diagnostic> {
        let navmesh = session.bake.navmesh.as_deref()?;
        let has_tree = || navmesh.tiles().any(|tile| !tile.bv_nodes.is_empty());
        let at_voxels = matches!(session.shown.stage, StageView::Spans | StageView::Filtered);
        let found = match self {
            Self::SteepGround => {
                session.opened.level.is_none().then_some(Finding::OverlaySteepGroundUnknown {})
            }
            Self::WalkableVoxels => (!at_voxels).then_some(Finding::OverlayVoxelsAtOtherStage {}),
            Self::RegionLinks => {
                session.opened.imported.is_some().then_some(Finding::OverlayRegionsUnknown {})
            }
            Self::TileBounds => None,
            Self::Portals => {
                navmesh.tiles().nth(1).is_none().then_some(Finding::OverlayPortalsOneTile {})
            }
            Self::ClusterLinks => is_one_cell(navmesh).then_some(Finding::ClustersOneCell {}),
            Self::BoxTree => (!has_tree()).then_some(Finding::OverlayNoBvTree {}),
        };
        found.map(Diagnostic::new)
    }
}

/// Returns whether all tiles of a navmesh are in the same cell of clusters.
pub fn is_one_cell(navmesh: &NavMesh) -> bool {
    let mut cells = navmesh.tiles().map(|tile| RouteCluster::cell_of(TilePlace::of(tile)));
    let first = cells.next();
    cells.all(|cell| Some(cell) == first)
}

/// Which layers of a tile are shown, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LayerDisplay {
    pub show: LayerShow,
    /// The only layer shown; `None` for all.
    pub number: Option<u16>,
}

impl LayerDisplay {
    pub fn holds(self, number: u16) -> bool {
        self.number.is_none_or(|one| one == number)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum LayerShow {
    #[default]
    Number,
    Areas,
    Regions,
    Outlines,
    Polygons,
}

impl LayerShow {
    /// All variants, in the order of the pipeline.
    pub const ALL: [Self; 5] =
        [Self::Number, Self::Areas, Self::Regions, Self::Outlines, Self::Polygons];

    pub fn name(self) -> &'static str {
        match self {
            Self::Number => tr!("Layer numbers"),
            Self::Areas => tr!("Layer areas"),
            Self::Regions => tr!("Layer regions"),
            Self::Outlines => tr!("Layer contours"),
            Self::Polygons => tr!("Layer polygons"),
        }
    }

    pub fn what(self) -> &'static str {
        match self {
            Self::Number => tr!("One color per layer"),
            Self::Areas => tr!("Areas of each layer, without the ground under obstacles"),
            Self::Regions => tr!("Regions of each layer"),
            Self::Outlines => tr!("Simplified outlines of these regions"),
            Self::Polygons => tr!("Polygons made from these outlines"),
        }
    }
}

impl Session {
    pub fn is_shown(&self, tile: &Tile) -> bool {
        let [x, z] = [tile.header.x, tile.header.z].map(|at| u32::try_from(at).unwrap_or(0));
        self.shown.chosen_tile.is_none_or(|chosen| chosen == TileCoord::new(x, z))
    }
}

/// Returns the maximum number of layers of the shown tiles.
pub fn most_layers(session: &Session) -> u16 {
    /// Number of layers to choose from when it is not known.
    const MOST: u16 = 4;
    let is_chosen = |tile: TileCoord| session.shown.chosen_tile.is_none_or(|chosen| chosen == tile);
    let Some(layered) = session.bake.layered() else { return MOST };
    let keys = layered.cache().tiles().map(LayerTile::key);
    let n = keys.filter(|key| is_chosen(key.coord())).map(|key| key.layer + 1).max().unwrap_or(0);
    u16::try_from(n).unwrap_or(u16::MAX)
}
