//! Batches: pictures that are kept for many frames.

use std::sync::Arc;

use walkable::{debug_draw::DrawList, tile_cache::LayerKey};
use walkable_workspace::stage_view::StageView;

use crate::session::{Overlay, Session};

/// A picture. It is kept on the graphics card as long as its `id` is among the batches.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Identifies what is shown, across frames; unique among the batches of a frame.
    pub id: PictureId,
    /// Differs if `lists` differ; the picture is uploaded again when it changes.
    pub revision: u64,
    /// The picture, in parts: pictures of many tiles are drawn as one.
    pub lists: Arc<[Arc<DrawList>]>,
    /// From 0, invisible, to 1, the opacity of the theme. A change does not upload the picture again.
    pub opacity: f32,
    pub half: ViewHalf,
    /// Whether it is drawn under all others.
    pub under: bool,
    /// Distance from the point that the user looks at, in meters: if memory is short, the farthest batches are drawn
    /// coarsely.
    pub distance: f32,
}

impl Batch {
    /// Creates a batch that is shown in the whole view.
    pub fn undivided(id: PictureId, revision: u64, list: Arc<DrawList>) -> Self {
        Self {
            id,
            revision,
            lists: Arc::new([list]),
            opacity: 1.0,
            half: ViewHalf::Both,
            under: false,
            distance: 0.0,
        }
    }

    pub fn lists(&self) -> impl Iterator<Item = &DrawList> + Clone {
        self.lists.iter().map(|list| &**list)
    }
}

/// Identifies what a picture shows. All kinds of pictures are listed here, so that ids are unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PictureId {
    /// A stage of a tile, by the serial number of the tile's result.
    Tile(u64, StageView),
    Block(BlockId),
    /// The tile made of a layer, by its serial number.
    LayerTile(u64),
    Cells(LayerKey),
    /// The outline of another agent's navmesh, by the agent's number.
    Agent(usize),
    /// A navmesh that was not baked here.
    Navmesh,
    /// A block of tiles of such a navmesh, by column and row of the block.
    NavmeshBlock([i32; 2]),
    Path,
    /// The path on the current bake, beside that of a preview.
    PathBefore,
    Breaks,
    OtherBreaks,
    /// A search of the lab; of two searches, the one in this half.
    Search(ViewHalf),
    Animation,
    Part,
    Island,
    Changes,
    Finding,
    Removed,
    /// Ends of off-mesh links that lead nowhere.
    DeadEnds,
    Overlay(Overlay),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BlockId {
    pub stage: StageView,
    /// Column and row in the grid of blocks.
    pub place: [u32; 2],
    pub half: ViewHalf,
    /// Whether they are older than the settings.
    pub is_stale: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ViewHalf {
    #[default]
    Both,
    Left,
    Right,
}

impl ViewHalf {
    /// Returns the half of the current bake: the left one while a preview is compared with it.
    pub fn of_current(session: &Session) -> Self {
        if Self::is_split_by_preview(session) { Self::Left } else { Self::Both }
    }

    /// Returns the half that shows [`Session::bake`]: the right one while it is a preview that is compared with the
    /// current bake.
    pub fn of_shown(session: &Session) -> Self {
        if Self::is_split_by_preview(session) { Self::Right } else { Self::Both }
    }

    fn is_split_by_preview(session: &Session) -> bool {
        session.preview.is_some() && session.divider().is_some()
    }

    pub fn is_seen_in(self, other: Self) -> bool {
        self == Self::Both || self == other
    }
}
