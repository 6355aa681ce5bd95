use walkable_runtime::navmesh::Tile;

use crate::debug_draw::{DrawList, Paint, edges};

/// The boxes by which queries find the polygons of a tile: those around one polygon stand out from those around
/// several. Nothing where the tile has no tree.
pub fn box_tree(tile: &Tile) -> DrawList {
    let mut list = DrawList::default();
    // The last node is none.
    let nodes = tile.bv_nodes.split_last().map_or(&[][..], |(_, nodes)| nodes);
    for node in nodes {
        let is_leaf = node.index >= 0;
        let (width, paint) = if is_leaf { (1.5, Paint::LeafBox) } else { (1.0, Paint::Bounds) };
        list.append(edges(&tile.node_bounds(node), width, paint));
    }
    list
}
