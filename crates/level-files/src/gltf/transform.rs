use glam::{DMat4, DQuat, DVec3, DVec4};

use super::json::Node;

/// Returns the transform from a node to its parent.
pub(super) fn parent_from_node(node: &Node) -> DMat4 {
    if let Some(columns) = &node.matrix {
        return DMat4::from_cols_array(columns);
    }
    let [translation, scale] = [&node.translation, &node.scale].map(|of| of.as_deref().copied());
    placed(translation, node.rotation.as_deref().copied(), scale)
}

/// Returns the transform that first scales, then rotates, then translates.
pub(super) fn placed(
    translation: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
) -> DMat4 {
    // A quaternion of length 0 is no rotation.
    let turn = rotation.and_then(|turn| DVec4::from_array(turn).try_normalize());
    let turn = turn.map_or(DQuat::IDENTITY, DQuat::from_vec4);
    let scale = scale.map_or(DVec3::ONE, DVec3::from_array);
    let moved = translation.map_or(DVec3::ZERO, DVec3::from_array);
    let [x, y, z] = [DVec3::X * scale.x, DVec3::Y * scale.y, DVec3::Z * scale.z];
    let column = |axis: DVec3| (turn * axis).extend(0.0);
    DMat4::from_cols(column(x), column(y), column(z), moved.extend(1.0))
}
