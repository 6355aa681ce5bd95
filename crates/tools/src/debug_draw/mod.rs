//! Intermediate results of a bake and results of queries as typed primitives, independent of renderer and colors. A
//! [`Paint`] says what a primitive represents; the theme of the program maps it to a color.

mod agent_heat;
mod box_tree;
mod clusters;
mod coarse;
mod coarse_stream;
mod compact;
mod compared;
mod contours;
mod dead_ends;
mod detail;
mod distance;
mod eroded;
mod filtered;
mod floors;
mod flow;
mod frames;
mod height_layers;
mod layer;
mod link;
mod links;
mod navmesh;
mod patches;
mod path;
mod polygons;
mod portals;
mod region_links;
mod regions;
mod slope;
mod spans;
mod stages;
#[cfg(test)]
mod tests;
mod unfinished;
mod volume;

use glam::Vec3;
use walkable_runtime::{geom::Aabb, ids::AreaId};

pub use self::{
    agent_heat::{agent_heat, agent_heat_value},
    box_tree::box_tree,
    clusters::{cluster_links, cluster_paint},
    coarse::{CoarseMesh, coarse, coarse_mesh},
    coarse_stream::CoarseStream,
    compact::compact,
    compared::{compared, ground_patch},
    contours::{contour_corner, contours, raw_contours},
    dead_ends::dead_ends,
    detail::detail,
    distance::distance,
    eroded::eroded,
    filtered::filtered,
    flow::{FlowExtent, flow_field},
    frames::{edges, frame, outline},
    height_layers::height_layers,
    layer::{layer_areas, layer_outlines, layer_regions},
    link::link,
    links::links,
    navmesh::{deviation, heat_map, navmesh, painted_tile, tile},
    path::{corridor, expanded, path, path_line, portals, search_nodes, search_step},
    polygons::{painted_polygons, polygons},
    portals::border_portals,
    region_links::region_links,
    regions::{region_number, region_paint, regions},
    slope::{feature_edges, slope},
    spans::{spans, walkable_spans},
    stages::stage,
    unfinished::unfinished,
    volume::{ground_plan, volume, volume_margin},
};

/// What a primitive represents.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Paint {
    /// Level geometry that an agent could stand on.
    LevelWalkable,
    /// Level geometry too steep to stand on.
    LevelSteep,
    /// Span or cell that is not walkable.
    Blocked,
    /// Ground that the shown stage removed.
    Lost,
    /// Ground that only the second of two navmeshes has.
    GainedGround,
    /// Ground that only the first of two navmeshes has.
    LostGround,
    /// Area by number, 0 to 63 as in tile data. Area 63 counts as 0 while baking.
    Area(AreaId),
    /// Region, or another element distinguished by its number.
    Hue(u32),
    /// Navmesh of another agent, distinguished by the agent's number.
    Agent(u16),
    /// A measured value from 0 to 1 on the perceptual scale.
    Scalar(f32),
    /// A signed difference as a multiple of its limit: beyond the limit below -1 and above 1.
    Deviation(f32),
    /// Edge between two linked cells of the compact heightfield.
    CellEdge,
    /// Edge between two cells of the compact heightfield whose spans are not linked.
    MissingLink,
    /// Edge between polygons.
    InnerEdge,
    /// Box of a polygon in the BV tree.
    LeafBox,
    /// Edge to a wall or a drop.
    BoundaryEdge,
    /// Edge to the next tile.
    PortalEdge,
    /// Edge of the detail triangulation.
    DetailEdge,
    /// Off-mesh link.
    OffMesh,
    /// Raw contour.
    RawContour,
    /// Simplified contour.
    Contour,
    /// Bounds of a tile or grid.
    Bounds,
    /// Polygons of the found corridor.
    Corridor,
    /// Portal that the path crosses.
    PathPortal,
    /// The path.
    Path,
    /// Another path, for comparison.
    OtherPath,
    /// Polygon or node that the search expanded, by its position in the order of expansion: 0 is the first, 1 the last.
    Expanded(f32),
    /// Node that one of several searches expanded, by the search's number.
    Closed(u8),
    /// Node on the open list of one of several searches, by the search's number.
    Frontier(u8),
    /// Start of a path.
    Start,
    /// End of a path.
    End,
    /// A selected or hovered item.
    Accent,
    /// An error.
    Problem,
    /// Outline of the ground that a volume keeps free around it: its margin.
    VolumeMargin,
    /// An obstacle that interrupts a path.
    Break,
    /// An axis of the world: 0 for x, 1 for y, 2 for z.
    Axis(u8),
}

/// A flat-shaded triangle, counter-clockwise seen from its front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// Corners in world space.
    pub corners: [Vec3; 3],
    /// The meaning of the triangle.
    pub paint: Paint,
}

/// A line of constant width on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Start in world space.
    pub a: Vec3,
    /// End in world space.
    pub b: Vec3,
    /// The meaning of the line.
    pub paint: Paint,
    /// Width in points.
    pub width: f32,
    /// Whether the line is dashed.
    pub dashed: bool,
}

/// A disc of constant size on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Center in world space.
    pub at: Vec3,
    /// The meaning of the point.
    pub paint: Paint,
    /// Diameter in points.
    pub size: f32,
}

/// An axis-aligned box, drawn with shaded faces: one or more equal spans.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Smallest corner.
    pub min: Vec3,
    /// Largest corner.
    pub max: Vec3,
    /// Side of the cells in the box, in meters. Lines are drawn between cells.
    pub cell_size: f32,
    /// The meaning of the top.
    pub paint: Paint,
}

/// A list of primitives, to be uploaded once and drawn many times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawList {
    /// Surfaces.
    pub triangles: Vec<Triangle>,
    /// Lines.
    pub lines: Vec<Line>,
    /// Points.
    pub points: Vec<Point>,
    /// Boxes.
    pub blocks: Vec<Block>,
}

impl DrawList {
    /// Returns whether the list has no primitives.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
            && self.lines.is_empty()
            && self.points.is_empty()
            && self.blocks.is_empty()
    }

    /// Adds all primitives of `other`, drawn after the existing ones.
    pub fn append(&mut self, mut other: Self) {
        self.triangles.append(&mut other.triangles);
        self.lines.append(&mut other.lines);
        self.points.append(&mut other.points);
        self.blocks.append(&mut other.blocks);
    }

    /// Adds a surface between `corners`, a convex polygon in either winding.
    pub fn fill(&mut self, corners: &[Vec3], paint: Paint) {
        let Some((&first, rest)) = corners.split_first() else { return };
        let fan =
            rest.windows(2).map(|edge| Triangle { corners: [first, edge[0], edge[1]], paint });
        self.triangles.extend(fan);
    }

    /// Adds a line of `width` points.
    pub fn line(&mut self, [a, b]: [Vec3; 2], width: f32, paint: Paint) {
        self.lines.push(Line { a, b, paint, width, dashed: false });
    }

    /// Adds a dashed line of `width` points.
    pub fn dashed_line(&mut self, [a, b]: [Vec3; 2], width: f32, paint: Paint) {
        self.lines.push(Line { a, b, paint, width, dashed: true });
    }

    /// Adds lines of `width` points from each of `corners` to the next, and from the last to the first.
    pub fn ring(&mut self, corners: &[Vec3], width: f32, paint: Paint) {
        let next = corners.iter().cycle().skip(1);
        let lines =
            corners.iter().zip(next).map(|(&a, &b)| Line { a, b, paint, width, dashed: false });
        self.lines.extend(lines);
    }

    /// Adds a disc of `size` points.
    pub fn point(&mut self, at: Vec3, size: f32, paint: Paint) {
        self.points.push(Point { at, paint, size });
    }

    /// Returns the bounding box of all primitives; [`Aabb::EMPTY`] if there are none.
    pub fn bounds(&self) -> Aabb {
        let triangles = self.triangles.iter().flat_map(|triangle| triangle.corners);
        let lines = self.lines.iter().flat_map(|line| [line.a, line.b]);
        let points = self.points.iter().map(|point| point.at);
        let blocks = self.blocks.iter().flat_map(|block| [block.min, block.max]);
        Aabb::around(triangles.chain(lines).chain(points).chain(blocks))
    }
}
