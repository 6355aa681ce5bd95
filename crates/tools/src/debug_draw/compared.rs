use crate::{
    compare::{Comparison, GroundPatch},
    debug_draw::{DrawList, Paint},
};

/// Diameter of the marker of a patch, in points.
const MARKER: f32 = 7.0;

/// Draws the ground that was gained and lost, with a marker on each patch, so that small patches are visible.
pub fn compared(comparison: &Comparison) -> DrawList {
    let sides = [(&comparison.lost, Paint::LostGround), (&comparison.gained, Paint::GainedGround)];
    let mut list = DrawList::default();
    for (change, paint) in sides {
        for patch in &change.patches {
            list.append(ground_patch(patch, paint));
            list.point(patch.point, MARKER, paint);
        }
    }
    list
}

/// Draws the surface of one patch.
pub fn ground_patch(patch: &GroundPatch, paint: Paint) -> DrawList {
    let mut list = DrawList::default();
    for piece in &patch.pieces {
        list.fill(piece, paint);
    }
    list
}
