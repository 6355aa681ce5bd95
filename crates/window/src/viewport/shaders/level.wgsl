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
    return (layer.hide_backs > 0.5 && !is_front) || !is_in_slice(from_eye.y + view.eye.y);
}

// The surface in `base` color, tinted by slope, lit and in the haze.
fn lit(base: vec3<f32>, from_eye: vec3<f32>, is_front: bool) -> vec4<f32> {
    let across = cross(dpdx(from_eye), dpdy(from_eye));
    var normal = across / max(length(across), 1e-30);
    let sight = select(view.forward.xyz, from_eye, view.eye.w > 0.5);
    normal = select(normal, -normal, dot(normal, sight) > 0.0);
    var color = base;
    if view.steep.w >= -1.0 {
        let up = select(-normal.y, normal.y, is_front);
        color = mix(color, select(view.steep.rgb, view.walkable.rgb, up > view.steep.w), 0.55);
    }
    // Faces seen from behind are darker: a hint that the winding is wrong.
    let light = shade(normal) * select(0.72, 1.0, is_front);
    // Far ground fades into the background.
    let haze = MAX_HAZE * (1.0 - exp(-max(length(from_eye) / view.haze.x - 1.0, 0.0)));
    return vec4(mix(color * light, view.background.rgb, haze), 1.0) * layer.opacity;
}

@fragment
fn fragment(corner: Corner, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    if is_hidden(corner.from_eye, is_front) {
        discard;
    }
    let color = mix(view.level.rgb, subdued(corner.color.rgb), corner.color.a);
    return lit(color, corner.from_eye, is_front);
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
    // Index of the texture; beyond the last one for none.
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

@fragment
fn fragment_textured(
    corner: TexturedCorner,
    @builtin(front_facing) is_front: bool,
) -> @location(0) vec4<f32> {
    let has_texture = corner.texture < textureNumLayers(textures);
    let layer_of_texture = select(0u, corner.texture, has_texture);
    let sampled = textureSample(textures, textures_sampler, corner.at, layer_of_texture).rgb;
    if is_hidden(corner.from_eye, is_front) {
        discard;
    }
    // Without a color of its own, a texture is multiplied by white and a plain surface has the theme's color.
    let own = mix(vec3(1.0), corner.color.rgb, corner.color.a);
    let plain = mix(view.level.rgb, softened(corner.color.rgb), corner.color.a);
    let color = select(plain, softened(own * sampled), has_texture);
    return lit(color, corner.from_eye, is_front);
}
