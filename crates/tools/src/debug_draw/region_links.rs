use std::collections::BTreeMap;

use glam::Vec3;
use walkable_bake::bake::{Contour, Intermediates};
use walkable_runtime::ids::{RegionId, TileCoord};

use crate::debug_draw::{DrawList, Paint, contour_corner, link::arc, regions::region_paint};

/// Draws an arc between the centers of each two adjacent regions of the tile at `tile`, and a disc in the hue of each
/// region at its center. `made` has the results of the stages of the tile.
pub fn region_links(made: &Intermediates, tile: TileCoord) -> DrawList {
    let mut list = DrawList::default();
    let middles = middles(made);
    for contour in &made.contours.contours {
        let across = contour.raw.iter().map(|vertex| vertex.region());
        let mut across: Vec<_> = across.filter(|other| contour.region.0 < other.0).collect();
        across.sort_unstable();
        across.dedup();
        let Some(&from) = middles.get(&contour.region) else { continue };
        for to in across.iter().filter_map(|region| middles.get(region)) {
            for piece in arc(from, *to).windows(2) {
                list.line([piece[0], piece[1]], 2.0, Paint::Contour);
            }
        }
    }
    for (&region, &middle) in &middles {
        list.point(middle, 10.0, region_paint(region, tile));
    }
    list
}

/// Returns the center of the longest contour of each region.
fn middles(made: &Intermediates) -> BTreeMap<RegionId, Vec3> {
    let mut longest: BTreeMap<RegionId, &Contour> = BTreeMap::new();
    for contour in made.contours.contours.iter().filter(|contour| !contour.raw.is_empty()) {
        let known = longest.entry(contour.region).or_insert(contour);
        if known.raw.len() < contour.raw.len() {
            *known = contour;
        }
    }
    let middle = |contour: &Contour| {
        let corners = contour.raw.iter().map(|&at| contour_corner(at, &made.contours.frame));
        #[expect(clippy::cast_precision_loss, reason = "outlines are shorter than 2^24 cells")]
        let n = contour.raw.len() as f32;
        corners.sum::<Vec3>() / n
    };
    longest.into_iter().map(|(region, contour)| (region, middle(contour))).collect()
}
