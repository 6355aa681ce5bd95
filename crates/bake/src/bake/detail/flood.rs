//! Collects the heights of the ground under one polygon.
//!
//! Several floors may lie above each other. The right one is found by the polygon's region; where the polygon extends
//! beyond its region, heights are collected by flooding from there, span by span.
//!
//! Source: `getHeightData` and `seedArrayWithPolyCenter`.

use std::{collections::VecDeque, ops::Range};

use walkable_runtime::ids::{Dir, RegionId};

use super::height_patch::{HeightPatch, Window};
use crate::bake::{
    CompactField, GridFrame, MeshPolygon, NeighborSpan, PolyMesh,
    adjacency::{Links, SpanIndex},
};

/// The cell of a vertex and the cells around it, in search order.
const AROUND_CORNER: [(i32, i32); 9] =
    [(0, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)];

/// Collects heights; its buffers are reused for all polygons.
pub(super) struct Flood<'a, I> {
    field: &'a CompactField,
    links: Links<'a, I>,
    regions: &'a [RegionId],
    /// Per region, the range of its spans' positions in their columns. It makes the search short where there are many
    /// floors.
    positions: Vec<Range<u32>>,
    /// Spans whose neighbors are still to be visited, in order.
    queue: VecDeque<NeighborSpan>,
    /// For each cell of the window, whether the walk to the center has visited it.
    visited: Vec<bool>,
}

/// Where the heights of a polygon come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The spans below the polygon.
    Ground,
    /// No span is near any of its vertices, so all heights are that of its first vertex.
    Guess,
}

impl<'a, I: SpanIndex> Flood<'a, I> {
    pub(super) fn new(
        field: &'a CompactField,
        links: Links<'a, I>,
        regions: &'a [RegionId],
    ) -> Self {
        let positions = positions(field, regions);
        Self { field, links, regions, positions, queue: VecDeque::new(), visited: Vec::new() }
    }

    /// Returns the grid from which the heights come.
    pub(super) fn frame(&self) -> &'a GridFrame {
        &self.field.frame
    }

    /// Fills `patch`, whose window lies around `polygon` and whose heights are unknown.
    pub(super) fn run(
        &mut self,
        mesh: &PolyMesh,
        polygon: &MeshPolygon,
        patch: &mut HeightPatch,
    ) -> Source {
        self.queue.clear();
        // A polygon that covers several regions may lie above or below other polygons of each of them.
        let is_empty = polygon.region == RegionId::NONE || !self.copy_region(polygon.region, patch);
        if is_empty {
            let corners = || polygon.vertices.iter().map(|&v| mesh.vertices[usize::from(v)]);
            let Some(start) = self.find_start(corners(), patch) else {
                patch.fill(corners().next().map_or(0, |[_, y, _]| y));
                return Source::Guess;
            };
            let center = self.center_of(corners());
            let seed = self.walk_to(center, start, patch);
            if let Some(cell) = self.cell_of(seed.x, seed.z, patch) {
                patch.set(cell, self.field.spans[seed.span].floor_vx);
            }
            self.queue.push_back(seed);
        }
        self.spread(patch);
        Source::Ground
    }

    /// Returns the index in the patch of a cell whose coordinates include the border.
    fn cell_of(&self, x: u32, z: u32, patch: &HeightPatch) -> Option<usize> {
        let border = self.field.frame.border_vx;
        patch.window().index(x.wrapping_sub(border), z.wrapping_sub(border))
    }

    fn step(&self, at: NeighborSpan, dir: Dir) -> Option<NeighborSpan> {
        let span = self.links.around(at.span)[dir as usize];
        if self.regions.len() <= span {
            return None;
        }
        let (x, z) = (at.x.wrapping_add_signed(dir.dx()), at.z.wrapping_add_signed(dir.dz()));
        Some(NeighborSpan { x, z, span })
    }

    /// Copies the heights of `region`, queues its spans next to cells without a height, and returns whether there were
    /// any.
    ///
    /// Recast queues all spans at the region's border; those between cells with heights lead to nothing new.
    fn copy_region(&mut self, region: RegionId, patch: &mut HeightPatch) -> bool {
        let (field, regions) = (self.field, self.regions);
        let border = field.frame.border_vx;
        let positions = self.positions.get(usize::from(region.0)).cloned().unwrap_or_default();
        let lowest = |Range { start, end }: Range<usize>| {
            let mut spans =
                start + positions.start as usize..end.min(start + positions.end as usize);
            spans.find(|&span| regions[span] == region)
        };
        let mut is_found = false;
        let Window { x_min, z_min, n_x, n_z } = patch.window();
        let (x_min, z_min) = (x_min + border, z_min + border);
        let mut cell = 0;
        for z in z_min..z_min + n_z {
            let first = field.frame.cell_index(x_min, z);
            for ends in field.starts[first..=first + n_x as usize].windows(2) {
                if let Some(span) = lowest(ends[0] as usize..ends[1] as usize) {
                    is_found = true;
                    patch.set(cell, field.spans[span].floor_vx);
                }
                cell += 1;
            }
        }
        patch.each_on_rim(|x, z| {
            let (x, z) = (x_min + x, z_min + z);
            let found = lowest(field.cell(field.frame.cell_index(x, z)));
            self.queue.extend(found.map(|span| NeighborSpan { x, z, span }));
        });
        is_found
    }

    /// Returns the span nearest in height to a vertex, in the cell of the vertex or next to it.
    fn find_start(
        &self,
        corners: impl Iterator<Item = [u16; 3]>,
        patch: &HeightPatch,
    ) -> Option<NeighborSpan> {
        let border = self.field.frame.border_vx;
        let around = |[x, y, z]: [u16; 3]| {
            AROUND_CORNER.into_iter().filter_map(move |(dx, dz)| {
                let x = u32::from(x).checked_add_signed(dx)?;
                let z = u32::from(z).checked_add_signed(dz)?;
                patch.window().index(x, z)?;
                Some((x + border, z + border, y))
            })
        };
        let spans = |(x, z, y)| {
            let spans = self.field.cell(self.field.frame.cell_index(x, z));
            spans.map(move |span| {
                (NeighborSpan { x, z, span }, self.field.spans[span].floor_vx.abs_diff(y))
            })
        };
        let all = corners.flat_map(around).flat_map(spans);
        all.min_by_key(|&(_, difference)| difference).map(|(start, _)| start)
    }

    /// Returns the mean of the vertices, rounded down, as a cell including the border.
    fn center_of(&self, corners: impl Iterator<Item = [u16; 3]>) -> (u32, u32) {
        let border = self.field.frame.border_vx;
        let [mut x_sum, mut z_sum, mut n] = [0_u32; 3];
        for [x, _, z] in corners {
            x_sum += u32::from(x);
            z_sum += u32::from(z);
            n += 1;
        }
        (x_sum / n.max(1) + border, z_sum / n.max(1) + border)
    }

    /// Walks from `start` span by span to the cell `center`, depth first and in a straight line if possible. If the
    /// cell cannot be reached, ends at the last visited span.
    fn walk_to(
        &mut self,
        center: (u32, u32),
        start: NeighborSpan,
        patch: &HeightPatch,
    ) -> NeighborSpan {
        self.visited.clear();
        self.visited.resize(patch.window().n_cells(), false);
        let mut at = start;
        let mut stack = std::mem::take(&mut self.queue);
        stack.push_back(start);
        while let Some(top) = stack.pop_back() {
            at = top;
            if (at.x, at.z) == center {
                break;
            }
            let mut dirs = Dir::ALL;
            dirs.swap(direction_to(center, (at.x, at.z)) as usize, 3);
            for dir in dirs {
                let Some(next) = self.step(at, dir) else { continue };
                let Some(cell) = self.cell_of(next.x, next.z, patch) else { continue };
                if !self.visited[cell] {
                    self.visited[cell] = true;
                    stack.push_back(next);
                }
            }
        }
        stack.clear();
        self.queue = stack;
        at
    }

    /// Floods from the queued spans in all directions to the cells whose height is still unknown.
    fn spread(&mut self, patch: &mut HeightPatch) {
        while let Some(at) = self.queue.pop_front() {
            for dir in Dir::ALL {
                let Some(next) = self.step(at, dir) else { continue };
                let Some(cell) = self.cell_of(next.x, next.z, patch) else { continue };
                if !patch.is_known(cell) {
                    patch.set(cell, self.field.spans[next.span].floor_vx);
                    self.queue.push_back(next);
                }
            }
        }
    }
}

/// Returns for each region the range of the positions of its spans in their columns.
fn positions(field: &CompactField, regions: &[RegionId]) -> Vec<Range<u32>> {
    let mut positions: Vec<Range<u32>> = Vec::new();
    for ends in field.starts.windows(2) {
        for (at, region) in (0..).zip(&regions[ends[0] as usize..ends[1] as usize]) {
            if !region.is_ground() {
                continue;
            }
            let number = usize::from(region.0);
            if positions.len() <= number {
                positions.resize(number + 1, Range { start: u32::MAX, end: 0 });
            }
            let range = &mut positions[number];
            *range = range.start.min(at)..range.end.max(at + 1);
        }
    }
    positions
}

/// Returns the direction of the next step: along x first, then along z.
const fn direction_to((to_x, to_z): (u32, u32), (x, z): (u32, u32)) -> Dir {
    if x == to_x {
        if to_z > z { Dir::North } else { Dir::South }
    } else if to_x > x {
        Dir::East
    } else {
        Dir::West
    }
}
