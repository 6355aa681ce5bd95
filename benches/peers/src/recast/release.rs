//! Detects the release of Recast that was linked.

use std::sync::OnceLock;

use recastnavigation_sys::{
    CreateContext, DeleteContext, RC_NULL_AREA, rcAddSpan, rcAllocHeightfield, rcCreateHeightfield,
    rcFilterLedgeSpans, rcFreeHeightField, rcHeightfield,
};

use super::{Owned, areas};

/// Releases of Recast with different results. Walkable follows the later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// The release in the crate `recastnavigation-sys` 1.0.3, of 2023. Its ledge filter requires more than the agent's
    /// height where later releases require the height, its partition by layers puts ground of different areas into one
    /// region, and in detail meshes it treats edges near a polygon's outline as edges of the outline.
    Of2023,
    /// Later releases.
    Of2026,
}

impl Release {
    /// Returns the linked release: determined once, by a ledge below a ceiling that only the later release finds high
    /// enough to step down.
    pub fn linked() -> Self {
        static LINKED: OnceLock<Release> = OnceLock::new();
        *LINKED.get_or_init(|| if steps_below_ceiling() { Self::Of2026 } else { Self::Of2023 })
    }

    /// Returns the height to pass to its ledge filter for an agent of this height in cells.
    pub(super) const fn ledge_height(self, height: i32) -> i32 {
        match self {
            Self::Of2023 => height - 1,
            Self::Of2026 => height,
        }
    }
}

/// Returns whether the floor in the middle of three by three cells, exactly as high below a ceiling as the agent is
/// tall, counts as a ledge above its neighbors.
fn steps_below_ceiling() -> bool {
    const HEIGHT: u16 = 2;
    const FLOOR: u16 = 10;
    // SAFETY: Recast created the structures; cells are inside the grid.
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
