//! The picture of the differences between two navmeshes, from above.

use walkable::{
    compare::Comparison,
    debug_draw::{Paint, compared},
    geom::Aabb,
    navmesh::NavMesh,
};
use walkable_workspace::changes::ground_text;

use crate::{
    legend::LegendEntry,
    map_picture::{THEME, map_picture, plain_ground},
};

#[derive(Clone, Copy, Debug)]
pub struct DiffPicture<'a> {
    pub names: [&'a str; 2],
    pub meshes: [&'a NavMesh; 2],
    pub comparison: &'a Comparison,
}

impl DiffPicture<'_> {
    /// Returns the picture as a PNG file. Gained ground is green and lost ground is orange, even where other ground is
    /// above it. Fails if there is no graphics driver.
    pub fn png(&self) -> anyhow::Result<Vec<u8>> {
        let [before, after] = self.meshes;
        let [old, new] = [before, after].map(NavMesh::bounds);
        let bounds = [old, new].into_iter().filter(|bounds| !bounds.is_empty());
        let bounds = Aabb::around(bounds.flat_map(|bounds| [bounds.min, bounds.max]));
        map_picture(bounds, plain_ground(after), &compared(self.comparison), &self.legend())
    }

    fn legend(&self) -> Vec<LegendEntry> {
        let [before, after] = self.names;
        let Comparison { gained, lost, limits, .. } = self.comparison;
        let of = |label, change| format!("{label}: {}", ground_text(change, limits.tolerance));
        let entry = |color, text| LegendEntry { color, text };
        vec![
            entry(None, format!("{before} compared with {after}")),
            entry(Some(THEME.paint(Paint::GainedGround)), of("Gained", gained)),
            entry(Some(THEME.paint(Paint::LostGround)), of("Lost", lost)),
            entry(Some(THEME.paint(Paint::Blocked)), "Ground of both".to_owned()),
        ]
    }
}
