//! How old the Recast is that was linked.

use std::sync::OnceLock;

use recastnavigation_sys::{
    CreateContext, DeleteContext, RC_NULL_AREA, rcAddSpan, rcAllocHeightfield, rcCreateHeightfield,
    rcFilterLedgeSpans, rcFreeHeightField, rcHeightfield,
};

use super::{Owned, areas};

/// Releases of Recast that come to different results. Walkable follows the later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// That of the crate `recastnavigation-sys` 1.0.3, of 2023. Its ledge filter asks for more than the agent's
    /// height where Recast has since asked for the height, its partition by layers puts ground of different areas
    /// in one region, and in detail meshes it takes edges near a polygon's outline for edges of it.
    Of2023,
    /// What has been published since.
    Of2026,
}

impl Release {
    /// The linked one: asked once, by a ledge below a ceiling that only the later release finds high enough to
    /// step down.
    pub fn linked() -> Self {
        static LINKED: OnceLock<Release> = OnceLock::new();
        *LINKED.get_or_init(|| if steps_below_ceiling() { Self::Of2026 } else { Self::Of2023 })
    }

    /// What its ledge filter must be told for an agent of this height in cells.
    pub(super) const fn ledge_height(self, height: i32) -> i32 {
        match self {
            Self::Of2023 => height - 1,
            Self::Of2026 => height,
        }
    }
}

/// Whether the floor in the middle of three by three cells, exactly as high below a ceiling as the agent is
/// tall, counts as a ledge above its neighbors.
fn steps_below_ceiling() -> bool {
    const HEIGHT: u16 = 2;
    const FLOOR: u16 = 10;
    // SAFETY: Recast made the structures; cells are inside the grid.
    unsafe {
        let context = Owned::new(CreateContext(false), DeleteContext);
        let field: Owned<rcHeightfield> = Owned::new(rcAllocHeightfield(), rcFreeHeightField);
        let (min, max) = ([0.0_f32; 3], [3.0_f32, 20.0, 3.0]);
        let (low, high) = (min.as_ptr(), max.as_ptr());
        assert!(rcCreateHeightfield(context.pointer, field.pointer, 3, 3, low, high, 1.0, 1.0));
        let add = |x, z, bottom, top| {
            rcAddSpan(context.pointer, field.pointer, x, z, bottom, top, areas::WALKABLE, 1)
        };
        for cell in 0..9 {
            assert!(add(cell % 3, cell / 3, 0, 1));
        }
        assert!(add(1, 1, 0, FLOOR) && add(1, 1, FLOOR + HEIGHT, FLOOR + HEIGHT + 1));
        rcFilterLedgeSpans(context.pointer, i32::from(HEIGHT), 1, field.pointer);
        let middle = *(*field.pointer).spans.add(4);
        (*middle).area() == u32::from(RC_NULL_AREA)
    }
}
