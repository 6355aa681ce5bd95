//! The sources of areas: surfaces of the level, volumes, and the median filter.

use recastnavigation_sys::{
    RC_WALKABLE_AREA, rcCompactHeightfield, rcContext, rcMarkBoxArea, rcMarkConvexPolyArea,
    rcMarkCylinderArea, rcMedianFilterWalkableArea,
};
use walkable::bake::{AreaVolume, VolumeShape};

use super::count;

/// Area of plain ground.
pub(super) const WALKABLE: u8 = RC_WALKABLE_AREA;

/// Sets the areas of walkable triangles to those of their surfaces.
pub(super) fn paint(areas: &mut [u8], surfaces: &[u8]) {
    for (area, surface) in areas.iter_mut().zip(surfaces) {
        if *area == WALKABLE {
            *area = *surface;
        }
    }
}

/// Marks a volume. Recast has no rotated boxes, which are replaced by the prism over their outline.
///
/// # Safety
/// The pointers must be to structures that Recast created.
pub(super) unsafe fn mark(
    context: *mut rcContext,
    volume: &AreaVolume,
    open: *mut rcCompactHeightfield,
) {
    let area = volume.area.0;
    let bounds = volume.shape.bounds();
    let [min, max] = [bounds.min, bounds.max].map(|corner| corner.to_array());
    // SAFETY: as the caller promises; points are three numbers.
    unsafe {
        match &volume.shape {
            VolumeShape::Box(_) => rcMarkBoxArea(context, min.as_ptr(), max.as_ptr(), area, open),
            VolumeShape::Cylinder { base, radius, height } => {
                let base = base.to_array();
                rcMarkCylinderArea(context, base.as_ptr(), *radius, *height, area, open);
            }
            VolumeShape::Prism { .. } | VolumeShape::TurnedBox { .. } => {
                let outline = volume.shape.outline();
                let corners: Vec<f32> = outline.iter().flat_map(glam::Vec3::to_array).collect();
                let n = count(outline.len());
                rcMarkConvexPolyArea(context, corners.as_ptr(), n, min[1], max[1], area, open);
            }
        }
    }
}

/// Applies the median filter.
///
/// # Safety
/// The pointers must be to structures that Recast created.
pub(super) unsafe fn median(context: *mut rcContext, open: *mut rcCompactHeightfield) {
    // SAFETY: as the caller promises.
    assert!(unsafe { rcMedianFilterWalkableArea(context, open) });
}
