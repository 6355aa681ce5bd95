//! Outlines of regions.
//!
//! The border of each region is traced along its cells ([`trace`]). Then only the corners are kept at which the
//! neighbor changes, and those that limit the error of the outline ([`simplify`]). Clockwise outlines are holes, which
//! are joined to the outline of their region by bridges ([`holes`]).
//!
//! Source: `rcBuildContours` with wall edges split.

mod holes;
mod simplify;
mod trace;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use walkable_runtime::{
    diagnostic::{Diagnostic, Finding, Location},
    geom::Aabb,
    ids::RegionId,
    monitor::{Cancelled, Monitor},
};

use crate::bake::{CompactField, GridFrame, RawArea, lattice::Point};

/// Corner of a contour, in cells of the tile without its border.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContourVertex {
    /// Along x.
    pub x: i32,
    /// Along y.
    pub y: i32,
    /// Along z.
    pub z: i32,
    /// Region on the other side in the low 16 bits, flags above them.
    pub region_and_flags: u32,
}

impl ContourVertex {
    /// Flag of a vertex on the tile's border that polygons need not keep.
    pub const BORDER_VERTEX: u32 = 0x1_0000;
    /// Flag of an edge that starts here and separates two areas.
    pub const AREA_BORDER: u32 = 0x2_0000;

    /// Returns the region on the other side of the edge that starts here.
    pub const fn region(self) -> RegionId {
        RegionId((self.region_and_flags & 0xffff) as u16)
    }

    /// Returns whether `flag` is set.
    pub const fn has(self, flag: u32) -> bool {
        self.region_and_flags & flag != 0
    }

    /// Returns the point, seen from above.
    pub(super) const fn point(self) -> Point {
        Point::new(self.x, self.z)
    }
}

/// The outline of a region, counter-clockwise seen from above, with holes joined to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contour {
    /// The region.
    pub region: RegionId,
    /// Area of the region.
    pub area: RawArea,
    /// Simplified outline; empty if this was a hole that has been joined to the outline around it.
    pub vertices: Vec<ContourVertex>,
    /// Outline along every cell border, before simplification.
    pub raw: Vec<ContourVertex>,
}

/// Outlines of a tile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContourSet {
    /// Frame of the tile's grid, border included.
    pub frame: GridFrame,
    /// Largest distance by which an outline was simplified, in cells.
    pub max_error: f32,
    /// Outlines in the order in which they were traced.
    pub contours: Vec<Contour>,
}

impl ContourSet {
    /// Returns the bounds of the tile in world space, without its border.
    pub fn inner_bounds(&self) -> Aabb {
        self.frame.inner_bounds()
    }
}

/// The input of tracing: spans with their areas and regions, one per span.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) field: &'a CompactField,
    pub(super) areas: &'a [RawArea],
    pub(super) regions: &'a [RegionId],
}

/// Builds the contours of every region.
///
/// - `max_error`: maximum distance of a simplified outline from the borders of cells, in cells.
/// - `max_edge_len_vx`: edges along walls longer than this are split; 0 for no limit.
///
/// Regions whose simplified outline has fewer than three corners are omitted, and counted in a warning. Border regions
/// have no outline.
///
/// Source: `rcBuildContours` with `RC_CONTOUR_TESS_WALL_EDGES`.
///
/// The monitor is checked once per row of cells and once per contour.
pub(super) fn build_contours(
    ground: Ground<'_>,
    max_error: f32,
    max_edge_len_vx: u32,
    monitor: &dyn Monitor,
) -> Result<(ContourSet, Vec<Diagnostic>), Cancelled> {
    let Ground { field, areas, regions } = ground;
    assert_eq!(field.adjacency.len(), field.spans.len(), "neighbors of each span");
    assert_eq!(areas.len(), field.spans.len(), "one area per span");
    assert_eq!(regions.len(), field.spans.len(), "one region per span");
    let mut outliner = Outliner::new(ground, max_error, max_edge_len_vx);
    for z in 0..field.frame.n_z {
        monitor.check()?;
        outliner.outline_row(z, monitor)?;
    }
    let Outliner { mut contours, mut warnings, n_collapsed, .. } = outliner;
    if n_collapsed > 0 {
        warnings.push(Finding::ContoursCollapsed { n: n_collapsed }.into());
    }
    holes::join_holes(&mut contours, &mut warnings, monitor)?;
    Ok((ContourSet { frame: field.frame, max_error, contours }, warnings))
}

/// Returns the number of corners that simplification adds to those from which the outlines of `set` start.
pub(super) fn n_corners_added(set: &ContourSet, max_edge_len_vx: u32) -> usize {
    let mut left = usize::MAX;
    let limits = simplify::Limits { max_error: set.max_error, max_edge_len_vx };
    for contour in &set.contours {
        simplify::simplify_until(&contour.raw, limits, &mut Vec::new(), &mut left);
    }
    usize::MAX - left
}

/// Returns the outlines of `set`, simplified again, one after the other, until `n` corners were added. Holes are not
/// joined to the outlines around them.
pub(super) fn simplified_until(set: &ContourSet, max_edge_len_vx: u32, n: usize) -> ContourSet {
    let mut left = n;
    let limits = simplify::Limits { max_error: set.max_error, max_edge_len_vx };
    let simplified = |contour: &Contour| {
        let mut kept = Vec::new();
        simplify::simplify_until(&contour.raw, limits, &mut kept, &mut left);
        let mut vertices = simplify::outline(&contour.raw, &kept);
        simplify::remove_repeated(&mut vertices);
        Contour { vertices, ..contour.clone() }
    };
    let contours = set.contours.iter().map(simplified).collect();
    ContourSet { contours, ..*set }
}

/// Traces the contours of all spans, with buffers that are reused for each contour.
struct Outliner<'a> {
    ground: Ground<'a>,
    limits: simplify::Limits,
    /// Per span: bit `d` for an edge in direction `d` that is not yet on a contour.
    edges: Vec<u8>,
    raw: Vec<ContourVertex>,
    kept: Vec<usize>,
    contours: Vec<Contour>,
    warnings: Vec<Diagnostic>,
    n_collapsed: usize,
}

impl<'a> Outliner<'a> {
    fn new(ground: Ground<'a>, max_error: f32, max_edge_len_vx: u32) -> Self {
        Self {
            ground,
            limits: simplify::Limits { max_error, max_edge_len_vx },
            edges: trace::mark_edges(ground),
            raw: Vec::new(),
            kept: Vec::new(),
            contours: Vec::new(),
            warnings: Vec::new(),
            n_collapsed: 0,
        }
    }

    fn outline_row(&mut self, z: u32, monitor: &dyn Monitor) -> Result<(), Cancelled> {
        let CompactField { frame, starts, .. } = self.ground.field;
        let first = frame.cell_index(0, z);
        let mut x = 0;
        for span in starts[first] as usize..starts[first + frame.n_x as usize] as usize {
            // An isolated cell, with a border on all four sides, is too small for an outline.
            if matches!(self.edges[span], 0 | 0xf) {
                self.edges[span] = 0;
                continue;
            }
            while starts[first + x + 1] as usize <= span {
                x += 1;
            }
            monitor.check()?;
            self.outline_from(trace::SpanPlace { x: u32::try_from(x).unwrap_or(0), z, span });
        }
        Ok(())
    }

    fn outline_from(&mut self, start: trace::SpanPlace) {
        let region = self.ground.regions[start.span];
        let area = self.ground.areas[start.span];
        self.raw.clear();
        let end = trace::trace(self.ground, start, &mut self.edges, &mut self.raw);
        if end == trace::End::TooLong {
            let finding = Finding::ContourTooLong { steps: trace::MAX_STEPS };
            self.warnings.push(Diagnostic::new(finding).at(Location::Region(region.0)));
        }
        simplify::simplify(&self.raw, self.limits, &mut self.kept);
        let mut vertices = simplify::outline(&self.raw, &self.kept);
        simplify::remove_repeated(&mut vertices);
        if vertices.len() < 3 {
            self.n_collapsed += 1;
            return;
        }
        let border = self.ground.field.frame.border_vx.cast_signed();
        let without_border =
            |v: &ContourVertex| ContourVertex { x: v.x - border, z: v.z - border, ..*v };
        let vertices = vertices.iter().map(without_border).collect();
        let raw = self.raw.iter().map(without_border).collect();
        self.contours.push(Contour { region, area, vertices, raw });
    }
}
