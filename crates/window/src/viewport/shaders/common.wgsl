// Shared by all shaders. Depth is reversed: 1 at the near plane, 0 far away.
//
// No condition depends on uniforms alone: Mesa's software driver compiles a shader with such a branch again for each draw
// call. `select`, `&` and `|` do not branch.

struct View {
    clip_from_world: mat4x4<f32>,
    // xyz: position of the eye. w: 1 for a perspective projection, 0 for an orthographic one.
    eye: vec4<f32>,
    // xyz: direction of sight. w: meters per pixel, for a perspective projection at a distance of 1.
    forward: vec4<f32>,
    // xy: pixels. z: pixels per point. w: distance of the near plane, 0 for an orthographic projection.
    size: vec4<f32>,
    background: vec4<f32>,
    level: vec4<f32>,
    walkable: vec4<f32>,
    // w: cosine of the slope limit, below -1 for no tint.
    steep: vec4<f32>,
    grid: vec4<f32>,
    axis_x: vec4<f32>,
    axis_z: vec4<f32>,
    // Grid: height, spacing of the fine lines, their visibility, radius.
    ground: vec4<f32>,
    // Grid: center along x and z.
    ground_center: vec4<f32>,
    // x: distance at which the level begins to fade into the background, in meters. y: maximum fraction of the light
    // that ambient occlusion removes; 0 without it.
    haze: vec4<f32>,
};

struct Layer {
    opacity: f32,
    // Pixels by which the layer is moved towards the eye.
    lift: f32,
    // Lines shorter than this many pixels fade away.
    fade_below: f32,
    // Whether back faces are hidden: 1 for yes, 0 for no.
    hide_backs: f32,
    // Heights between which the layer is visible.
    bottom: f32,
    top: f32,
    unused_a: f32,
    unused_b: f32,
    // Rectangle seen from above in which nothing is drawn: xy is its minimum along x and z, zw its maximum.
    hole: vec4<f32>,
};

@group(0) @binding(0) var<uniform> view: View;
@group(1) @binding(0) var<uniform> layer: Layer;

// Moves a point along the line of sight, by as many meters as `pixels` cover at its distance. It stays at its position
// on the screen and is drawn over what is at its position in the world.
fn lifted(p: vec3<f32>, pixels: f32) -> vec3<f32> {
    let is_perspective = view.eye.w > 0.5;
    let far = pixels * view.forward.w;
    return p + select(-view.forward.xyz * far, (view.eye.xyz - p) * min(far, 0.5), is_perspective);
}

fn clip_from(p: vec3<f32>) -> vec4<f32> {
    return view.clip_from_world * vec4(p, 1.0);
}

// Position of a fragment in its picture; of two pictures side by side, each begins at its own left edge.
fn in_picture(fragment: vec2<f32>) -> vec2<f32> {
    return vec2(fragment.x % view.size.x, fragment.y);
}

// Pixels from the top left corner of the picture.
fn pixel_from(clip: vec4<f32>) -> vec2<f32> {
    let ndc = clip.xy / clip.w;
    return vec2(0.5 + 0.5 * ndc.x, 0.5 - 0.5 * ndc.y) * view.size.xy;
}

// The vertex at `pixel` with depth and perspective of `like`.
fn at_pixel(pixel: vec2<f32>, like: vec4<f32>) -> vec4<f32> {
    let ndc = vec2(2.0, -2.0) * (pixel / view.size.xy) + vec2(-1.0, 1.0);
    return vec4(ndc * like.w, like.z, like.w);
}

fn is_in_slice(height: f32) -> bool {
    return (height >= layer.bottom) & (height <= layer.top);
}

// A number from 0 to 15 for each pixel of a block of four by four pixels, different for neighbors: ordered dithering.
// Source: Bayer, "An optimum method for two-level rendition of continuous-tone pictures", 1973.
fn number_in_block(pixel: vec2<i32>) -> f32 {
    let mixed = pixel.x ^ pixel.y;
    let y = pixel.y;
    return f32(((mixed & 1) << 3u) | ((y & 1) << 2u) | (mixed & 2) | ((y & 2) >> 1u));
}

// A unit vector in two numbers: on the octahedron, folded into a square.
// Source: Cigolle et al., "A Survey of Efficient Representations for Independent Unit Vectors", 2014.
fn packed_normal(normal: vec3<f32>) -> u32 {
    let at = normal.xy / max(abs(normal.x) + abs(normal.y) + abs(normal.z), 1e-30);
    let folded = (1.0 - abs(at.yx)) * select(vec2(-1.0), vec2(1.0), at >= vec2(0.0));
    return pack2x16snorm(select(at, folded, normal.z < 0.0));
}

fn unpacked_normal(bits: u32) -> vec3<f32> {
    let at = unpack2x16snorm(bits);
    let z = 1.0 - abs(at.x) - abs(at.y);
    let folded = (1.0 - abs(at.yx)) * select(vec2(-1.0), vec2(1.0), at >= vec2(0.0));
    return normalize(vec3(select(at, folded, z < 0.0), z));
}

const NOWHERE = vec4<f32>(2.0, 2.0, 2.0, 1.0);
