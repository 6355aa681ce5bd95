//! The picture of the differences between two navmeshes, from above.

use std::sync::Arc;

use walkable::{
    compare::Comparison,
    debug_draw::{DrawList, Paint, compared, painted_tile},
    geom::Aabb,
    navmesh::NavMesh,
};
use walkable_editor::{
    changes::ground_text,
    pictures::{Batch, PictureId},
    session::Slice,
};

use crate::{
    legend::{LegendEntry, Pixels},
    png::png,
    theme::Theme,
    viewport::{Scene, Split, Standpoint, render},
};

/// Width and height, in pixels.
const SIZE: [u32; 2] = [1920, 1080];

/// The input of the picture.
#[derive(Clone, Copy, Debug)]
pub struct DiffPicture<'a> {
    /// The names of the two navmeshes.
    pub names: [&'a str; 2],
    /// The two navmeshes.
    pub meshes: [&'a NavMesh; 2],
    /// Their differences.
    pub comparison: &'a Comparison,
}

impl DiffPicture<'_> {
    /// Draws the picture and returns it as a PNG file. Gained ground is green and lost ground is orange, even if other
    /// ground is above it.
    ///
    /// # Errors
    /// Returns an error if there is no graphics driver.
    pub fn png(&self) -> anyhow::Result<Vec<u8>> {
        let [before, after] = self.meshes;
        let mut ground = DrawList::default();
        for tile in after.tiles() {
            ground.append(painted_tile(tile, |_, _| Paint::Blocked));
        }
        ground.lines.retain(|line| line.paint == Paint::BoundaryEdge);
        let [old, new] = [before, after].map(NavMesh::bounds);
        let bounds = [old, new].into_iter().filter(|bounds| !bounds.is_empty());
        let frame_bounds = Aabb::around(bounds.flat_map(|bounds| [bounds.min, bounds.max]));
        let theme = Theme::LIGHT;
        let scene = Scene {
            level: None,
            batches: &[Batch::undivided(PictureId::Navmesh, 0, Arc::new(ground))],
            foreground: &compared(self.comparison),
            handles: &DrawList::default(),
            frame_bounds,
            show_grid: false,
            theme: &theme,
            is_changing: false,
            hints: &[],
            slice: Slice::ALL,
            split: Split::None,
            captions: &[],
            covered_top: 0.0,
        };
        let mut bytes = render(&scene, Standpoint::Above, SIZE)?;
        let mut pixels = Pixels { size: SIZE, bytes: &mut bytes };
        pixels.write_legend(&self.legend(&theme), &theme);
        png(SIZE, bytes)
    }

    fn legend(&self, theme: &Theme) -> Vec<LegendEntry> {
        let [before, after] = self.names;
        let Comparison { gained, lost, limits, .. } = self.comparison;
        let of = |label, change| format!("{label}: {}", ground_text(change, limits.tolerance));
        let entry = |color, text| LegendEntry { color, text };
        vec![
            entry(None, format!("{before} compared with {after}")),
            entry(Some(theme.paint(Paint::GainedGround)), of("Gained", gained)),
            entry(Some(theme.paint(Paint::LostGround)), of("Lost", lost)),
            entry(Some(theme.paint(Paint::Blocked)), "Ground of both".to_owned()),
        ]
    }
}
