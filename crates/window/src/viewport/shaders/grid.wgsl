// The ground grid: fine and coarse lines that fade with distance, and the two axes.

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec2<f32>,
};

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Corner {
    let side = vec2(select(-1.0, 1.0, (index & 1u) != 0u), select(-1.0, 1.0, (index & 2u) != 0u));
    var corner: Corner;
    corner.at = view.ground_center.xy + side * view.ground.w;
    // Below anything at the same height.
    let place = vec3(corner.at.x, view.ground.x, corner.at.y);
    corner.position = clip_from(lifted(place, -3.0));
    return corner;
}

// How much of a pixel the lines `spacing` apart cover; less where they are too close to be distinguished. `pixel` is
// the size of a pixel in meters.
fn lines(at: vec2<f32>, pixel: vec2<f32>, spacing: f32) -> f32 {
    let from_line = abs(fract(at / spacing - 0.5) - 0.5) * spacing;
    let dense = clamp(1.3 - 5.0 / spacing * pixel, vec2(0.0), vec2(1.0));
    let cover = clamp(1.0 - from_line / pixel, vec2(0.0), vec2(1.0)) * dense;
    return max(cover.x, cover.y);
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    let pixel = max(fwidth(corner.at), vec2(1e-9));
    let fine = lines(corner.at, pixel, view.ground.y) * view.ground.z * 0.28;
    let coarse = lines(corner.at, pixel, 10.0 * view.ground.y) * mix(0.28, 0.5, view.ground.z);
    let axis = clamp(1.5 - abs(corner.at) / pixel, vec2(0.0), vec2(1.0)) * 0.6;
    var color = view.grid * max(fine, coarse);
    color = mix(color, view.axis_x, axis.y);
    color = mix(color, view.axis_z, axis.x);
    let from_center = distance(corner.at, view.ground_center.xy) / view.ground.w;
    return color * clamp(1.25 - 1.25 * from_center, 0.0, 1.0);
}
