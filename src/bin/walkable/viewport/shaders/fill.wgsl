// Surfaces in one colour, slightly above what they lie on.

struct Corner {
    @builtin(position) @invariant position: vec4<f32>,
    @location(0) @interpolate(flat) color: vec4<f32>,
};

@vertex
fn vertex(@location(0) at: vec3<f32>, @location(1) color: vec4<f32>) -> Corner {
    var corner: Corner;
    corner.position = clip_from(lifted(at, layer.lift));
    corner.color = color;
    return corner;
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    return corner.color * layer.opacity;
}
