use walkable_runtime::navmesh::Tile;

use crate::debug_draw::{DrawList, Paint, edges};

/// Draws the boxes of the BV tree of a tile. Boxes of single polygons are thicker and in another color than boxes of
/// several polygons. Empty if the tile has no tree.
pub fn box_tree(tile: &Tile) -> DrawList {
    let mut list = DrawList::default();
    // The last node is unused.
    let nodes = tile.bv_nodes.split_last().map_or(&[][..], |(_, nodes)| nodes);
    for node in nodes {
        let is_leaf = node.index >= 0;
        let (width, paint) = if is_leaf { (1.5, Paint::LeafBox) } else { (1.0, Paint::Bounds) };
        list.append(edges(&tile.node_bounds(node), width, paint));
    }
    list
}
