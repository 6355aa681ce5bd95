//! Typed primitives as bytes for the graphics card, colors applied.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use walkable::debug_draw::{DrawList, Line, Paint};

use crate::theme::Theme;

/// Corner of a surface.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct FillVertex {
    at: [f32; 3],
    color: [u8; 4],
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct LineInstance {
    a: [f32; 3],
    b: [f32; 3],
    color: [u8; 4],
    /// In points; negative for a dashed line.
    width: f32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct PointInstance {
    at: [f32; 3],
    color: [u8; 4],
    size: f32,
    /// Number of the marker in `shaders/point.wgsl`.
    marker: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct BlockInstance {
    min: [f32; 3],
    max: [f32; 3],
    color: [u8; 4],
    cell_size: f32,
}

pub(super) fn fills(list: &DrawList, theme: &Theme) -> Vec<FillVertex> {
    let corners = list.triangles.iter().flat_map(|triangle| {
        let color = theme.fill(triangle.paint).to_array();
        triangle.corners.map(|at| FillVertex { at: at.to_array(), color })
    });
    corners.collect()
}

/// Lines with the casings under them first: a line that must stand out from any ground has one.
pub(super) fn lines(list: &DrawList, theme: &Theme) -> Vec<LineInstance> {
    let cased =
        list.lines.iter().filter(|line| matches!(line.paint, Paint::Path | Paint::OtherPath));
    let casings = cased.map(|line| instance(line, line.width + 2.5, theme.casing.to_array()));
    let lines = list.lines.iter();
    let lines = lines.map(|line| instance(line, line.width, theme.paint(line.paint).to_array()));
    casings.chain(lines).collect()
}

fn instance(line: &Line, width: f32, color: [u8; 4]) -> LineInstance {
    let width = if line.dashed { -width } else { width };
    LineInstance { a: line.a.to_array(), b: line.b.to_array(), color, width }
}

/// Thin lines on the bends of the level.
pub(super) fn edges(edges: &[[Vec3; 2]], theme: &Theme) -> Vec<LineInstance> {
    let color = theme.level_edge.to_array();
    let edge =
        |&[a, b]: &[Vec3; 2]| LineInstance { a: a.to_array(), b: b.to_array(), color, width: 1.0 };
    edges.iter().map(edge).collect()
}

pub(super) fn points(list: &DrawList, theme: &Theme) -> Vec<PointInstance> {
    let points = list.points.iter().map(|point| PointInstance {
        at: point.at.to_array(),
        color: theme.paint(point.paint).to_array(),
        size: point.size,
        marker: match point.paint {
            Paint::Start => 1,
            Paint::End => 2,
            _ => 0,
        },
    });
    points.collect()
}

pub(super) fn blocks(list: &DrawList, theme: &Theme) -> Vec<BlockInstance> {
    let blocks = list.blocks.iter().map(|block| BlockInstance {
        min: block.min.to_array(),
        max: block.max.to_array(),
        color: theme.paint(block.paint).to_array(),
        cell_size: block.cell_size,
    });
    blocks.collect()
}
