// Ambient occlusion in screen space, in two passes at half the resolution of the picture: an estimate for each pixel from
// samples around it, then the mean over blocks of pixels.
//
// Source: McGuire, Mara and Luebke, "Scalable Ambient Obscurance", 2012 (spiral of samples, mean over blocks); the weight of
// a sample is its elevation over the surface, as in Bavoil and Sainz, "Screen Space Ambient Occlusion", 2008.

// Of the nearest surface of the level: depth in meters as bits, 0 for none; normal, see `packed_normal`.
@group(1) @binding(0) var surfaces: texture_2d<u32>;
@group(1) @binding(1) var estimates: texture_2d<f32>;

const N_SAMPLES = 10;
// Turns of the spiral.
const N_TURNS = 3.0;
const FULL_TURN = 6.2831853;
// Side of the blocks of `number_in_block`: the spirals of the pixels of a block differ.
const BLOCK = 4;
// Radius around a pixel, relative to the height of the picture.
const RADIUS = 0.075;
// Factor at which a right-angled corner is about as dark as can be.
const GAIN = 4.5;
// Sine of the elevation below which a sample does not count: neighbors on the same surface, because of rounding.
const MIN_ELEVATION = 0.06;

// One triangle that covers the picture.
@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let at = vec2(f32((index << 1u) & 2u), f32(index & 2u));
    return vec4(at * 2.0 - 1.0, 0.0, 1.0);
}

fn clamped(pixel: vec2<i32>) -> vec2<i32> {
    return clamp(pixel, vec2(0), vec2<i32>(textureDimensions(surfaces)) - 1);
}

fn depth_at(pixel: vec2<i32>) -> f32 {
    return bitcast<f32>(textureLoad(surfaces, pixel, 0).r);
}

// Meters that a pixel of the picture covers at this depth.
fn meters_per_pixel(depth: f32) -> f32 {
    return view.forward.w * select(1.0, depth, view.eye.w > 0.5);
}

// Position relative to the eye, in meters to the right, up and forward.
fn position_at(pixel: vec2<i32>, depth: f32) -> vec3<f32> {
    let from_center = 2.0 * vec2<f32>(pixel) + 1.0 - 0.5 * view.size.xy;
    return vec3(vec2(from_center.x, -from_center.y) * meters_per_pixel(depth), depth);
}

@fragment
fn estimate(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(at.xy);
    let surface = textureLoad(surfaces, pixel, 0).rg;
    if surface.r == 0u {
        return vec4(1.0);
    }
    let depth = bitcast<f32>(surface.r);
    let position = position_at(pixel, depth);
    let m = view.clip_from_world;
    let right = normalize(vec3(m[0].x, m[1].x, m[2].x));
    let up = normalize(vec3(m[0].y, m[1].y, m[2].y));
    let in_world = unpacked_normal(surface.g);
    let normal = vec3(dot(in_world, right), dot(in_world, up), dot(in_world, view.forward.xyz));
    let radius = 0.5 * RADIUS * view.size.y;
    let reach = 2.0 * radius * meters_per_pixel(depth);
    let turn = number_in_block(pixel) / 16.0;
    var hidden = 0.0;
    for (var number = 0; number < N_SAMPLES; number += 1) {
        let part = (f32(number) + 0.5) / f32(N_SAMPLES);
        let angle = FULL_TURN * (part * N_TURNS + turn);
        let offset = vec2(cos(angle), sin(angle)) * max(part * radius, 1.0);
        let other = clamped(vec2<i32>(floor(at.xy + offset)));
        let other_depth = depth_at(other);
        let way = position_at(other, other_depth) - position;
        let long = max(length(way), 1e-6);
        let near = clamp(1.0 - (long * long) / (reach * reach), 0.0, 1.0);
        let elevation = max(dot(way, normal) / long - MIN_ELEVATION, 0.0);
        hidden += select(elevation * near, 0.0, other_depth == 0.0);
    }
    return vec4(clamp(1.0 - GAIN * hidden / f32(N_SAMPLES), 0.0, 1.0), 0.0, 0.0, 1.0);
}

// The mean over a block around each pixel, of surfaces at about the same depth.
@fragment
fn smoothed(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(at.xy);
    let depth = depth_at(pixel);
    let same = max(0.5 * RADIUS * view.size.y * meters_per_pixel(depth), 1e-9);
    var sum = 0.0;
    var weights = 0.0;
    for (var y = 0; y < BLOCK; y += 1) {
        for (var x = 0; x < BLOCK; x += 1) {
            let other = clamped(pixel + vec2(x, y) - BLOCK / 2);
            let weight = max(1.0 - abs(depth_at(other) - depth) / same, 1e-3);
            sum += weight * textureLoad(estimates, other, 0).r;
            weights += weight;
        }
    }
    return vec4(sum / weights, 0.0, 0.0, 1.0);
}
