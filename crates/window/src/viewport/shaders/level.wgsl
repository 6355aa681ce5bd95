// The level: matte, a soft key light over light from the sky, flat faces.

struct Corner {
    @builtin(position) @invariant position: vec4<f32>,
    @location(0) from_eye: vec3<f32>,
    // Alpha is 0 without a color of its own.
    @location(1) @interpolate(flat) color: vec4<f32>,
};

@vertex
fn vertex(@location(0) at: vec3<f32>, @location(1) color: vec4<f32>) -> Corner {
    var corner: Corner;
    corner.position = clip_from(at);
    corner.from_eye = at - view.eye.xyz;
    corner.color = color;
    return corner;
}

const KEY_LIGHT = vec3<f32>(0.38, 0.83, 0.41);

fn shade(normal: vec3<f32>) -> f32 {
    let sky = mix(0.50, 0.74, 0.5 + 0.5 * normal.y);
    return sky + 0.30 * max(dot(normal, KEY_LIGHT), 0.0);
}

const LUMINANCE = vec3<f32>(0.299, 0.587, 0.114);
const MAX_HAZE = 0.4;

// A muted color of the same hue, nearly as bright as the theme's level, so that the colors of a stage stand out.
fn subdued(color: vec3<f32>) -> vec3<f32> {
    let brightness = dot(color, LUMINANCE);
    let even = color * (dot(view.level.rgb, LUMINANCE) / max(brightness, 0.05));
    let hue = mix(min(even, vec3(1.0)), color, 0.25);
    return mix(view.level.rgb, hue, 0.65);
}

fn is_hidden(from_eye: vec3<f32>, is_front: bool) -> bool {
    let at = from_eye + view.eye.xyz;
    let is_in_hole = all(at.xz > layer.hole.xy) & all(at.xz < layer.hole.zw);
    return ((layer.hide_backs > 0.5) & !is_front) | !is_in_slice(at.y) | is_in_hole;
}

// The normal of a flat face, on the side of the eye.
fn facing(from_eye: vec3<f32>) -> vec3<f32> {
    let across = cross(dpdx(from_eye), dpdy(from_eye));
    let normal = across / max(length(across), 1e-30);
    let sight = select(view.forward.xyz, from_eye, view.eye.w > 0.5);
    return select(normal, -normal, dot(normal, sight) > 0.0);
}

// See `occlusion.wgsl`.
@group(3) @binding(0) var surfaces: texture_2d<u32>;
@group(3) @binding(1) var occlusion: texture_2d<f32>;

// The fraction of the ambient light that reaches a fragment: the mean of the four nearest pixels, weighted in favor of
// those at the fragment's depth.
fn openness(fragment: vec2<f32>, from_eye: vec3<f32>) -> f32 {
    let depth = dot(from_eye, view.forward.xyz);
    let at = 0.5 * in_picture(fragment) - 0.5;
    let first = floor(at);
    let part = at - first;
    let last = vec2<i32>(textureDimensions(surfaces)) - 1;
    let pixel_size = view.forward.w * select(1.0, abs(depth), view.eye.w > 0.5);
    var sum = 0.0;
    var weights = 0.0;
    for (var number = 0; number < 4; number += 1) {
        let beside = vec2(number & 1, number >> 1u);
        let pixel = clamp(vec2<i32>(first) + beside, vec2(0), last);
        let apart = abs(bitcast<f32>(textureLoad(surfaces, pixel, 0).r) - depth) / pixel_size;
        let by_place = mix(1.0 - part, part, vec2<f32>(beside));
        let weight = (by_place.x * by_place.y + 0.01) / (1.0 + apart * apart);
        sum += weight * textureLoad(occlusion, pixel, 0).r;
        weights += weight;
    }
    return 1.0 - view.haze.y * (1.0 - sum / weights);
}

// The input of ambient occlusion: depth in meters as bits, 0 for none; normal.
fn surface(from_eye: vec3<f32>) -> vec2<u32> {
    let depth = bitcast<u32>(dot(from_eye, view.forward.xyz));
    return vec2(max(depth, 1u), packed_normal(facing(from_eye)));
}

@fragment
fn fragment_surface(
    corner: Corner,
    @builtin(front_facing) is_front: bool,
) -> @location(0) vec2<u32> {
    let here = surface(corner.from_eye);
    if is_hidden(corner.from_eye, is_front) {
        discard;
    }
    return here;
}

// The surface in `base` color, tinted by slope, lit by this much of the ambient light, and in the haze.
fn lit(base: vec3<f32>, from_eye: vec3<f32>, is_front: bool, ambient: f32) -> vec4<f32> {
    let normal = facing(from_eye);
    let up = select(-normal.y, normal.y, is_front);
    let by_slope = select(view.steep.rgb, view.walkable.rgb, up > view.steep.w);
    let color = mix(base, by_slope, select(0.0, 0.55, view.steep.w >= -1.0));
    // Back faces are darker: a hint that the winding is wrong.
    let light = shade(normal) * select(0.72, 1.0, is_front) * ambient;
    // Far ground fades into the background.
    let haze = MAX_HAZE * (1.0 - exp(-max(length(from_eye) / view.haze.x - 1.0, 0.0)));
    return vec4(mix(color * light, view.background.rgb, haze), 1.0) * layer.opacity;
}

fn plain(corner: Corner, is_front: bool, ambient: f32) -> vec4<f32> {
    if is_hidden(corner.from_eye, is_front) {
        discard;
    }
    let color = mix(view.level.rgb, subdued(corner.color.rgb), corner.color.a);
    return lit(color, corner.from_eye, is_front, ambient);
}

@fragment
fn fragment(corner: Corner, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    return plain(corner, is_front, 1.0);
}

@fragment
fn fragment_occluded(
    corner: Corner,
    @builtin(front_facing) is_front: bool,
) -> @location(0) vec4<f32> {
    return plain(corner, is_front, openness(corner.position.xy, corner.from_eye));
}

// A level with vertex colors and textures.

// A color with less contrast, so that the colors of a stage stand out and details remain visible.
fn softened(color: vec3<f32>) -> vec3<f32> {
    return mix(view.level.rgb, color, 0.7);
}

struct TexturedCorner {
    @builtin(position) @invariant position: vec4<f32>,
    @location(0) from_eye: vec3<f32>,
    // Alpha is 0 without a color of its own.
    @location(1) color: vec4<f32>,
    @location(2) at: vec2<f32>,
    // Bits 0 to 15: index of the texture, beyond the last one for none. Bits 16 to 23: a value of 255. Bits 24 and 25:
    // how alpha is drawn: 0 to ignore it, 1 to discard pixels where it is less than the value, 2 to dither by it,
    // multiplied by the value.
    @location(3) @interpolate(flat) texture: u32,
};

@group(2) @binding(0) var textures: texture_2d_array<f32>;
@group(2) @binding(1) var textures_sampler: sampler;

@vertex
fn vertex_textured(
    @location(0) at: vec3<f32>,
    @location(1) color: vec4<f32>,
    @location(2) in_texture: vec2<f32>,
    @location(3) texture: u32,
) -> TexturedCorner {
    var corner: TexturedCorner;
    corner.position = clip_from(at);
    corner.from_eye = at - view.eye.xyz;
    corner.color = color;
    corner.at = in_texture;
    corner.texture = texture;
    return corner;
}

// Whether a texture is transparent at a pixel. Translucent parts are dithered, so that nothing has to be sorted.
fn is_transparent(texture: u32, alpha: f32, pixel: vec2<f32>) -> bool {
    let value = f32((texture >> 16u) & 255u) / 255.0;
    let kind = (texture >> 24u) & 3u;
    let threshold = (number_in_block(vec2<i32>(pixel)) + 0.5) / 16.0;
    return (kind == 1u && alpha < value) || (kind == 2u && alpha * value < threshold);
}

fn has_texture(texture: u32) -> bool {
    return (texture & 0xffffu) < textureNumLayers(textures);
}

fn sampled(corner: TexturedCorner) -> vec4<f32> {
    let layer_of_texture = select(0u, corner.texture & 0xffffu, has_texture(corner.texture));
    return textureSample(textures, textures_sampler, corner.at, layer_of_texture);
}

fn is_textured_hidden(corner: TexturedCorner, alpha: f32, is_front: bool) -> bool {
    let is_cut_out = has_texture(corner.texture)
        && is_transparent(corner.texture, alpha, corner.position.xy);
    return is_cut_out || is_hidden(corner.from_eye, is_front);
}

@fragment
fn fragment_textured_surface(
    corner: TexturedCorner,
    @builtin(front_facing) is_front: bool,
) -> @location(0) vec2<u32> {
    let here = surface(corner.from_eye);
    let color = sampled(corner);
    if is_textured_hidden(corner, color.a, is_front) {
        discard;
    }
    return here;
}

fn textured(corner: TexturedCorner, is_front: bool, ambient: f32) -> vec4<f32> {
    let of_texture = sampled(corner);
    if is_textured_hidden(corner, of_texture.a, is_front) {
        discard;
    }
    // Without a color of its own, a texture is multiplied by white and a plain surface has the theme's color.
    let own = mix(vec3(1.0), corner.color.rgb, corner.color.a);
    let plain = mix(view.level.rgb, softened(corner.color.rgb), corner.color.a);
    let color = select(plain, softened(own * of_texture.rgb), has_texture(corner.texture));
    return lit(color, corner.from_eye, is_front, ambient);
}

@fragment
fn fragment_textured(
    corner: TexturedCorner,
    @builtin(front_facing) is_front: bool,
) -> @location(0) vec4<f32> {
    return textured(corner, is_front, 1.0);
}

@fragment
fn fragment_textured_occluded(
    corner: TexturedCorner,
    @builtin(front_facing) is_front: bool,
) -> @location(0) vec4<f32> {
    return textured(corner, is_front, openness(corner.position.xy, corner.from_eye));
}
