//! The ground of a baked level as grids and as a graph of cells, for the searches of grids and graphs.

use walkable_bake::bake::{CompactField, RawArea};
use walkable_runtime::{
    ids::Dir,
    search::{EdgeError, WeightedGraph},
};
use walkable_search::grid::{Cell, Grid, GridError};

/// The walkable cells of a level, by floor.
///
/// A cell is an open span that is walkable after erosion by the agent's radius. A floor is a grid with at most one cell
/// per column, in which an agent can step between any two adjacent cells. Bridges and stories are separate floors.
#[derive(Clone, Debug)]
pub struct Ground {
    /// All floors. The first floor contains the first cell.
    pub floors: Vec<Floor>,
    /// For each span of the field, its floor and its cell if it is walkable.
    places: Vec<Option<GroundPlace>>,
}

/// A cell on a floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroundPlace {
    /// Index of the floor.
    pub floor: u32,
    /// Cell in the floor's grid.
    pub cell: Cell,
}

/// One floor.
#[derive(Clone, Debug)]
pub struct Floor {
    /// Column and row of the field that are the grid's first.
    pub min: Cell,
    /// Column and row of the field at cell (0, 0) of the grid.
    pub grid: Grid,
    /// Height of the ground of each cell in voxels, row by row. Undefined for blocked cells.
    pub heights_vx: Vec<u16>,
}

impl Ground {
    /// Creates the floors of a field whose spans have these areas, after the stage `eroded`.
    ///
    /// # Errors
    /// [`GridError`] if the field is too large for a grid.
    pub fn new(field: &CompactField, areas: &[RawArea]) -> Result<Self, GridError> {
        let columns = columns_of(field);
        let is_ground = |span: usize| areas.get(span).is_some_and(|area| area.is_walkable());
        let mut places = vec![None; field.spans.len()];
        let mut floors = Vec::new();
        let mut builder = FloorBuilder::new(field);
        for first in 0..field.spans.len() {
            if !is_ground(first) || places[first].is_some() {
                continue;
            }
            let mut open = vec![first];
            while let Some(span) = open.pop() {
                let (x, z) = columns[span];
                if places[span].is_some() || !builder.takes(span, (x, z)) {
                    continue;
                }
                builder.add(span, (x, z));
                let ways = Dir::ALL.into_iter();
                let beside = ways.filter_map(|dir| field.neighbor((x, z), span, dir));
                open.extend(beside.map(|to| to.span).filter(|&to| is_ground(to)));
            }
            let number = u32::try_from(floors.len()).unwrap_or(u32::MAX);
            floors.push(builder.finish(number, &mut places)?);
        }
        Ok(Self { floors, places })
    }

    /// Returns the location of a span of the field, if it is walkable.
    pub fn place(&self, span: usize) -> Option<GroundPlace> {
        self.places.get(span).copied().flatten()
    }

    /// Returns a graph whose vertices are the spans, numbered as in the field. Each pair of linked walkable spans has
    /// an edge in each direction, whose cost is the straight distance in meters. Spans that are not walkable have no
    /// edges.
    ///
    /// # Errors
    /// [`EdgeError`] if there are more edges than can be numbered.
    pub fn graph(&self, field: &CompactField) -> Result<WeightedGraph, EdgeError> {
        let columns = columns_of(field);
        let mut edges = Vec::new();
        for (span, _) in self.places.iter().enumerate().filter(|(_, place)| place.is_some()) {
            for dir in Dir::ALL {
                let Some(to) = field.neighbor(columns[span], span, dir) else { continue };
                if self.place(to.span).is_none() {
                    continue;
                }
                let [a, b] = [span, to.span].map(|span| field.spans[span].floor_vx);
                let rise = f64::from(a.abs_diff(b)) * f64::from(field.frame.cell_height);
                let cost = rise.hypot(f64::from(field.frame.cell_size));
                let number = |span: usize| u32::try_from(span).unwrap_or(u32::MAX);
                edges.push((number(span), number(to.span), cost));
            }
        }
        WeightedGraph::new(u32::try_from(field.spans.len()).unwrap_or(u32::MAX), &edges)
    }
}

/// Returns the column and row of each span.
fn columns_of(field: &CompactField) -> Vec<(u32, u32)> {
    let mut columns = Vec::with_capacity(field.spans.len());
    let (n_x, n_z) = (field.frame.n_x, field.frame.n_z);
    for (x, z) in (0..n_z).flat_map(|z| (0..n_x).map(move |x| (x, z))) {
        let spans = field.cell(field.frame.cell_index(x, z));
        columns.resize(spans.end, (x, z));
    }
    columns
}

/// Builds one floor after another, span by span.
struct FloorBuilder<'a> {
    field: &'a CompactField,
    /// Per column, the span of this floor.
    spans: Vec<Option<usize>>,
    /// The span of this floor in each column.
    members: Vec<(usize, u32, u32)>,
}

impl<'a> FloorBuilder<'a> {
    fn new(field: &'a CompactField) -> Self {
        Self { field, spans: vec![None; field.frame.n_cells()], members: Vec::new() }
    }

    /// Returns whether a span's column is free on this floor, and the span is linked to all adjacent spans of the
    /// floor.
    fn takes(&self, span: usize, (x, z): (u32, u32)) -> bool {
        let frame = &self.field.frame;
        let is_linked = |dir: Dir| {
            let (to_x, to_z) = dir.step_from((x, z));
            if to_x >= frame.n_x || to_z >= frame.n_z {
                return true;
            }
            let Some(there) = self.spans[frame.cell_index(to_x, to_z)] else { return true };
            let leads = |from: usize, at, dir, to: usize| {
                self.field.neighbor(at, from, dir).is_some_and(|found| found.span == to)
            };
            leads(span, (x, z), dir, there) && leads(there, (to_x, to_z), dir.opposite(), span)
        };
        self.spans[frame.cell_index(x, z)].is_none() && Dir::ALL.into_iter().all(is_linked)
    }

    fn add(&mut self, span: usize, (x, z): (u32, u32)) {
        self.spans[self.field.frame.cell_index(x, z)] = Some(span);
        self.members.push((span, x, z));
    }

    /// Returns the floor, cropped to its spans, stores the locations of the spans, and starts the next floor.
    fn finish(
        &mut self,
        number: u32,
        places: &mut [Option<GroundPlace>],
    ) -> Result<Floor, GridError> {
        let bound = |value: fn(&(usize, u32, u32)) -> u32| {
            let values = self.members.iter().map(value);
            values.clone().min().zip(values.max()).unwrap_or_default()
        };
        let ((min_x, max_x), (min_z, max_z)) = (bound(|at| at.1), bound(|at| at.2));
        let frame = &self.field.frame;
        let span = |cell: Cell| self.spans[frame.cell_index(min_x + cell.x, min_z + cell.y)];
        let grid = Grid::new(max_x - min_x + 1, max_z - min_z + 1, |cell| span(cell).is_some())?;
        let mut heights_vx = vec![0; grid.n_cells()];
        for &(span, x, z) in &self.members {
            let cell = Cell::new(x - min_x, z - min_z);
            heights_vx[grid.number(cell) as usize] = self.field.spans[span].floor_vx;
            places[span] = Some(GroundPlace { floor: number, cell });
        }
        for &(_, x, z) in &self.members {
            self.spans[frame.cell_index(x, z)] = None;
        }
        self.members.clear();
        Ok(Floor { min: Cell::new(min_x, min_z), grid, heights_vx })
    }
}
