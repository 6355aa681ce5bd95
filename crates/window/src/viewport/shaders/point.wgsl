// Markers of constant size on the screen: a disc, a disc in a ring, a flag on a pole.

struct Corner {
    @builtin(position) position: vec4<f32>,
    // Pixels from the marked place, y up.
    @location(0) offset: vec2<f32>,
    @location(1) @interpolate(flat) color: vec4<f32>,
    // Size in pixels; number of the marker.
    @location(2) @interpolate(flat) shape: vec2<f32>,
};

const DISC = 0u;
const RING = 1u;
const FLAG = 2u;

@vertex
fn vertex(
    @builtin(vertex_index) index: u32,
    @location(0) at: vec3<f32>,
    @location(1) color: vec4<f32>,
    @location(2) size: f32,
    @location(3) marker: u32,
) -> Corner {
    var corner: Corner;
    let center = clip_from(lifted(at, layer.lift + 4.0));
    if center.w <= view.size.w || !is_in_slice(at.y) {
        corner.position = NOWHERE;
        return corner;
    }
    let pixels = size * view.size.z;
    let reach = select(0.5, 1.75, marker == FLAG) * pixels + 3.0 * view.size.z;
    let side = vec2(select(-1.0, 1.0, (index & 1u) != 0u), select(-1.0, 1.0, (index & 2u) != 0u));
    corner.offset = side * reach;
    // Whole pixels, so that a marker looks the same wherever it is.
    let pixel = floor(pixel_from(center)) + 0.5;
    corner.position = at_pixel(pixel + vec2(1.0, -1.0) * corner.offset, center);
    corner.color = color * layer.opacity;
    corner.shape = vec2(pixels, f32(marker));
    return corner;
}

fn segment(p: vec2<f32>, a: vec2<f32>, b: vec2<f32>) -> f32 {
    let t = clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
    return distance(p, mix(a, b, t));
}

// Signed distance to a pennant with its pole at x = 0.
fn pennant(p: vec2<f32>, bottom: f32, top: f32, tip: f32) -> f32 {
    let middle = 0.5 * (bottom + top);
    let slope = normalize(vec2(top - middle, tip));
    return max(-p.x, dot(vec2(p.x - tip, abs(p.y - middle)), slope));
}

// Signed distance to the marker in pixels.
fn outline(p: vec2<f32>, size: f32, marker: u32) -> f32 {
    if marker == FLAG {
        let pole = segment(p, vec2(0.0), vec2(0.0, 1.6 * size)) - 0.08 * size;
        let foot = length(p) - 0.22 * size;
        return min(min(pole, foot), pennant(p, 0.8 * size, 1.65 * size, 1.0 * size));
    }
    if marker == RING {
        let ring = abs(length(p) - 0.43 * size) - 0.07 * size;
        return min(ring, length(p) - 0.22 * size);
    }
    return length(p) - 0.5 * size;
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    let inside = 0.5 - outline(corner.offset, corner.shape.x, u32(corner.shape.y));
    // A rim in the color of the background makes the marker stand out from any ground.
    let rim = clamp(inside + 1.5 * view.size.z, 0.0, 1.0) * 0.85;
    let core = clamp(inside, 0.0, 1.0);
    return mix(view.background * (rim * corner.color.a), corner.color, core);
}
