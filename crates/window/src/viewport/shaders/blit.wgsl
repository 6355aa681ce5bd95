// Copies the finished picture into the window.

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var picture_sampler: sampler;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec2<f32>,
};

// One triangle that covers the view.
@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Corner {
    var corner: Corner;
    corner.at = vec2(f32((index << 1u) & 2u), f32(index & 2u));
    corner.position = vec4(corner.at.x * 2.0 - 1.0, 1.0 - corner.at.y * 2.0, 0.0, 1.0);
    return corner;
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    return textureSample(picture, picture_sampler, corner.at);
}
