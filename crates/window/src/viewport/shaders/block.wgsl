// Boxes: at most three faces of each can be seen, so three are drawn.

struct Corner {
    @builtin(position) @invariant position: vec4<f32>,
    // Position on the face, in cells.
    @location(0) place: vec2<f32>,
    @location(1) @interpolate(flat) color: vec4<f32>,
};

@vertex
fn vertex(
    @builtin(vertex_index) index: u32,
    @location(0) low_at: vec3<f32>,
    @location(1) high_at: vec3<f32>,
    @location(2) color: vec4<f32>,
    @location(3) cell_size: f32,
) -> Corner {
    var corner: Corner;
    let low = vec3(low_at.x, max(low_at.y, layer.bottom), low_at.z);
    let high = vec3(high_at.x, min(high_at.y, layer.top), high_at.z);
    if low.y > high.y {
        corner.position = NOWHERE;
        return corner;
    }
    let axis = index / 6u;
    let is_perspective = view.eye.w > 0.5;
    let forward = view.forward[axis];
    let sees_high = select((forward < 0.0), (view.eye[axis] > high[axis]), is_perspective);
    let sees_low = select((forward > 0.0), (view.eye[axis] < low[axis]), is_perspective);
    if !(sees_high | sees_low) {
        corner.position = NOWHERE;
        return corner;
    }
    let number = index % 6u;
    let u = select(0.0, 1.0, number == 1u || number == 2u || number == 4u);
    let v = select(0.0, 1.0, number == 2u || number == 4u || number == 5u);
    let u_axis = (axis + 1u) % 3u;
    let v_axis = (axis + 2u) % 3u;
    var at = low;
    at[axis] = select(low[axis], high[axis], sees_high);
    at[u_axis] = mix(low[u_axis], high[u_axis], u);
    at[v_axis] = mix(low[v_axis], high[v_axis], v);
    let size = vec2(high[u_axis] - low[u_axis], high[v_axis] - low[v_axis]);
    corner.position = clip_from(lifted(at, layer.lift));
    let cell = vec3(cell_size, high.y - low.y, cell_size);
    corner.place = vec2(u, v) * size / max(vec2(cell[u_axis], cell[v_axis]), vec2(1e-9));
    // The top shows what the span is; the sides only its shape.
    let side = mix(color.rgb, view.level.rgb * color.a, 0.75);
    if axis == 1u {
        let is_cut = sees_high && high_at.y > layer.top;
        let top = select(color.rgb, side * 0.8, is_cut);
        corner.color = vec4(top * select(0.45, 1.0, sees_high), color.a);
    } else {
        corner.color = vec4(side * select(0.52, 0.66, axis == 0u), color.a);
    }
    return corner;
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    // A thin dark line around each cell, unless cells are only a few pixels large.
    let pixel = max(fwidth(corner.place), vec2(1e-9));
    let to_edge = (0.5 - abs(fract(corner.place) - 0.5)) / pixel;
    let large = 1.0 - smoothstep(vec2(0.11), vec2(0.4), pixel);
    let lines = (1.0 - smoothstep(vec2(0.5), vec2(1.5), to_edge)) * large;
    let shade = 1.0 - 0.28 * max(lines.x, lines.y);
    return vec4(corner.color.rgb * shade, corner.color.a) * layer.opacity;
}
