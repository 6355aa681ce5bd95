// Lines as quads with round ends, of constant width on the screen, with smooth edges.

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) ends: vec4<f32>,
    @location(1) @interpolate(flat) color: vec4<f32>,
    // Half the width in pixels; 1 for dashes.
    @location(2) @interpolate(flat) shape: vec2<f32>,
    // Position along the world axis that the line follows most, in meters.
    @location(3) place: f32,
    // Pixels from the middle of the line.
    @location(4) @interpolate(linear) across: f32,
};

@vertex
fn vertex(
    @builtin(vertex_index) index: u32,
    @location(0) first_at: vec3<f32>,
    @location(1) last_at: vec3<f32>,
    @location(2) color: vec4<f32>,
    // Width in points; negative for a dashed line.
    @location(3) width: f32,
) -> Corner {
    var corner: Corner;
    // Clips the line to the visible range of heights.
    let lowest = min(first_at.y, last_at.y);
    let highest = max(first_at.y, last_at.y);
    if highest < layer.bottom || lowest > layer.top {
        corner.position = NOWHERE;
        return corner;
    }
    let rise = last_at.y - first_at.y;
    let steep = abs(rise) > 1e-6;
    let ends = (clamp(vec2(first_at.y, last_at.y), vec2(layer.bottom), vec2(layer.top)) - first_at.y)
        / select(1.0, rise, steep);
    let from_at = select(first_at, mix(first_at, last_at, ends.x), steep);
    let to_at = select(last_at, mix(first_at, last_at, ends.y), steep);
    var a = clip_from(lifted(from_at, layer.lift + 2.0));
    var b = clip_from(lifted(to_at, layer.lift + 2.0));
    let near = view.size.w;
    if max(a.w, b.w) <= near {
        corner.position = NOWHERE;
        return corner;
    }
    let span = abs(to_at - from_at);
    let axis = select(select(2u, 1u, span.y > span.z), 0u, span.x >= max(span.y, span.z));
    var place_a = from_at[axis];
    var place_b = to_at[axis];
    if a.w < near {
        let t = (near - a.w) / (b.w - a.w);
        a = mix(a, b, t);
        place_a = mix(place_a, place_b, t);
    }
    if b.w < near {
        let t = (near - b.w) / (a.w - b.w);
        b = mix(b, a, t);
        place_b = mix(place_b, place_a, t);
    }
    let pixel_a = pixel_from(a);
    let pixel_b = pixel_from(b);
    let long = distance(pixel_a, pixel_b);
    let along = select(vec2(1.0, 0.0), (pixel_b - pixel_a) / long, long > 1e-4);
    let fade = select(1.0, smoothstep(0.2, 1.0, long / layer.fade_below), layer.fade_below > 0.0);
    if fade <= 0.0 {
        corner.position = NOWHERE;
        return corner;
    }
    let half_width = 0.5 * abs(width) * view.size.z;
    let reach = half_width + 1.0;
    corner.across = select(-reach, reach, (index & 2u) != 0u);
    let side = vec2(-along.y, along.x) * corner.across;
    let beyond = (place_b - place_a) * reach / max(long, 1e-4);
    if (index & 1u) == 0u {
        corner.position = at_pixel(pixel_a - along * reach + side, a);
        corner.place = place_a - beyond;
    } else {
        corner.position = at_pixel(pixel_b + along * reach + side, b);
        corner.place = place_b + beyond;
    }
    corner.ends = vec4(pixel_a, pixel_b);
    corner.color = color * (layer.opacity * fade);
    corner.shape = vec2(half_width, select(0.0, 1.0, width < 0.0));
    return corner;
}

// For very many thin lines: no dashes, no round ends.
@fragment
fn fragment_thin(corner: Corner) -> @location(0) vec4<f32> {
    return corner.color * clamp(1.0 - abs(corner.across), 0.0, 1.0);
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    let metres_per_pixel = max(length(vec2(dpdx(corner.place), dpdy(corner.place))), 1e-12);
    let a = corner.ends.xy;
    let to_b = corner.ends.zw - a;
    let to_here = in_picture(corner.position.xy) - a;
    let t = clamp(dot(to_here, to_b) / max(dot(to_b, to_b), 1e-8), 0.0, 1.0);
    // A line thinner than a pixel covers no more of it than its width.
    let half_width = corner.shape.x;
    let edge = max(half_width, 0.5) - distance(to_here, to_b * t);
    var cover = clamp(edge + 0.5, 0.0, 1.0) * min(2.0 * half_width, 1.0);
    // Dashes are at fixed positions in the world, so that they do not move with the view and two lines at the same
    // place have the same dashes. Their length doubles with distance.
    if corner.shape.y > 0.0 {
        let period = exp2(ceil(log2(max(metres_per_pixel * 7.0 * view.size.z, 1e-9))));
        let pixels = fract(corner.place / period) * period / metres_per_pixel;
        let dash = 0.6 * period / metres_per_pixel;
        cover *= clamp(min(pixels, dash - pixels) + 0.5, 0.0, 1.0);
    }
    return corner.color * cover;
}
