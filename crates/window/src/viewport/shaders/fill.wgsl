// Surfaces in one color, slightly above what they lie on.

struct Corner {
    @builtin(position) @invariant position: vec4<f32>,
    @location(0) @interpolate(flat) color: vec4<f32>,
    @location(1) height: f32,
};

@vertex
fn vertex(@location(0) at: vec3<f32>, @location(1) color: vec4<f32>) -> Corner {
    var corner: Corner;
    corner.position = clip_from(lifted(at, layer.lift));
    corner.color = color;
    corner.height = at.y;
    return corner;
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    if !is_in_slice(corner.height) {
        discard;
    }
    return corner.color * layer.opacity;
}
