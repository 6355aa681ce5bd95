// Lines as quads with round ends, of constant width on the screen, with smooth edges.

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) ends: vec4<f32>,
    @location(1) @interpolate(flat) color: vec4<f32>,
    // Half the width in pixels; length of a dash in pixels, 0 for none.
    @location(2) @interpolate(flat) shape: vec2<f32>,
};

@vertex
fn vertex(
    @builtin(vertex_index) index: u32,
    @location(0) from_at: vec3<f32>,
    @location(1) to_at: vec3<f32>,
    @location(2) color: vec4<f32>,
    // In points; negative for a dashed line.
    @location(3) width: f32,
) -> Corner {
    var corner: Corner;
    var a = clip_from(lifted(from_at, layer.lift + 2.0));
    var b = clip_from(lifted(to_at, layer.lift + 2.0));
    let near = view.size.w;
    if max(a.w, b.w) <= near {
        corner.position = NOWHERE;
        return corner;
    }
    if a.w < near {
        a = mix(a, b, (near - a.w) / (b.w - a.w));
    }
    if b.w < near {
        b = mix(b, a, (near - b.w) / (a.w - b.w));
    }
    let pixel_a = pixel_from(a);
    let pixel_b = pixel_from(b);
    let long = distance(pixel_a, pixel_b);
    let along = select(vec2(1.0, 0.0), (pixel_b - pixel_a) / long, long > 1e-4);
    let half_width = 0.5 * abs(width) * view.size.z;
    let reach = half_width + 1.0;
    let side = vec2(-along.y, along.x) * select(-reach, reach, (index & 2u) != 0u);
    if (index & 1u) == 0u {
        corner.position = at_pixel(pixel_a - along * reach + side, a);
    } else {
        corner.position = at_pixel(pixel_b + along * reach + side, b);
    }
    corner.ends = vec4(pixel_a, pixel_b);
    let fade = select(1.0, smoothstep(0.15, 1.0, long / layer.fade_below), layer.fade_below > 0.0);
    corner.color = color * (layer.opacity * fade);
    corner.shape = vec2(half_width, select(0.0, 6.0 * view.size.z, width < 0.0));
    return corner;
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    let a = corner.ends.xy;
    let to_b = corner.ends.zw - a;
    let to_here = corner.position.xy - a;
    let t = clamp(dot(to_here, to_b) / max(dot(to_b, to_b), 1e-8), 0.0, 1.0);
    // A line thinner than a pixel covers no more than its width of one.
    let half_width = corner.shape.x;
    let edge = max(half_width, 0.5) - distance(to_here, to_b * t);
    var cover = clamp(edge + 0.5, 0.0, 1.0) * min(2.0 * half_width, 1.0);
    let dash = corner.shape.y;
    if dash > 0.0 {
        let place = (t * length(to_b)) % (dash * 1.7);
        cover *= clamp(min(place, dash - place) + 0.5, 0.0, 1.0);
    }
    return corner.color * cover;
}
