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
    // Below what lies at its height.
    let place = vec3(corner.at.x, view.ground.x, corner.at.y);
    corner.position = clip_from(lifted(place, -3.0));
    return corner;
}

// How much of a pixel the lines `spacing` apart cover; less where they come too close to be told apart.
fn lines(at: vec2<f32>, spacing: f32) -> f32 {
    let place = at / spacing;
    let pixel = max(fwidth(place), vec2(1e-9));
    let cover = clamp(1.0 - abs(fract(place - 0.5) - 0.5) / pixel, vec2(0.0), vec2(1.0));
    let seen = cover * (1.0 - smoothstep(vec2(0.05), vec2(0.3), pixel));
    return max(seen.x, seen.y);
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    let fine = lines(corner.at, view.ground.y) * view.ground.z * 0.28;
    let coarse = lines(corner.at, 10.0 * view.ground.y) * mix(0.28, 0.5, view.ground.z);
    var color = view.grid * max(fine, coarse);
    let axis = clamp(1.5 - abs(corner.at) / max(fwidth(corner.at), vec2(1e-9)), vec2(0.0), vec2(1.0));
    color = mix(color, view.axis_x, axis.y * 0.6);
    color = mix(color, view.axis_z, axis.x * 0.6);
    let from_center = distance(corner.at, view.ground_center.xy) / view.ground.w;
    return color * (1.0 - smoothstep(0.25, 1.0, from_center));
}
