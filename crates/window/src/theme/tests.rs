use super::*;

/// Minimum contrast of text.
const TEXT: f32 = 4.5;
/// Minimum contrast of parts of controls and of polygon edges.
const PART: f32 = 3.0;
/// Minimum contrast of polygon edges where ambient occlusion is strongest, in few places.
const IN_CORNER: f32 = 2.0;
/// Minimum contrast of ground on the level, which also differs in hue.
const GROUND: f32 = 1.3;

/// Returns the contrast ratio of two opaque colors.
///
/// Source: W3C, "Web Content Accessibility Guidelines 2.2", 2023.
fn contrast(a: Color32, b: Color32) -> f32 {
    let luminance = |color: Color32| {
        let [red, green, blue, _] = egui::Rgba::from(color).to_array();
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Returns the pairs of colors whose contrast is below the minimum, each with its names and both numbers.
fn weak_pairs(theme: &Theme) -> Vec<String> {
    let visuals = theme.visuals();
    let grounds = [
        ("surface", theme.surface),
        ("viewport", theme.viewport),
        ("selection", theme.surface.blend(visuals.selection.bg_fill)),
        ("card", theme.raised),
        ("card over the view", theme.viewport.blend(theme.foreground)),
        ("field", theme.sunken),
    ];
    let texts = [
        ("text", theme.text),
        ("weak text", theme.text_weak),
        ("link", visuals.hyperlink_color),
        ("accent", theme.accent),
        ("selected text", visuals.selection.stroke.color),
        ("success", theme.good),
        ("warning", theme.warning),
        ("error", theme.error),
    ];
    let parts = [
        ("border of a control", visuals.widgets.inactive.bg_stroke.color),
        ("border under the pointer", visuals.widgets.hovered.bg_stroke.color),
        ("border while pressed", visuals.widgets.active.bg_stroke.color),
        ("icon", visuals.widgets.inactive.fg_stroke.color),
    ];
    let mut pairs = vec![
        ("text on the accent".to_owned(), theme.on_accent, theme.accent, TEXT),
        ("text on a control".to_owned(), theme.text, theme.control_hover, TEXT),
        ("text on a filled field".to_owned(), theme.text, theme.filled, TEXT),
    ];
    for (ground, under) in grounds {
        pairs.extend(texts.map(|(name, over)| (format!("{name} on {ground}"), over, under, TEXT)));
        if ground != "selection" && ground != "viewport" {
            let named =
                parts.map(|(name, over)| (format!("{name} on {ground}"), over, under, PART));
            pairs.extend(named);
        }
    }
    for number in 0..7 {
        let fill = theme.level.blend(theme.fill(Paint::Area(AreaId(number))));
        let edge = theme.paint(Paint::InnerEdge);
        pairs.push((format!("inner polygon edge on area {number}"), edge, fill, PART));
        let corner = theme.level.gamma_multiply(1.0 - MAX_OCCLUSION).to_opaque();
        let fill_in_corner = corner.blend(theme.fill(Paint::Area(AreaId(number))));
        let name = format!("inner polygon edge on area {number} in a dark corner of the level");
        pairs.push((name, edge, fill_in_corner, IN_CORNER));
        if number == 0 {
            pairs.push(("ground on level".to_owned(), fill, theme.level, GROUND));
        }
    }
    let weak = pairs.into_iter().filter_map(|(name, over, under, least)| {
        let ratio = contrast(over, under);
        (ratio < least).then(|| format!("{name}: {ratio:.2}, at least {least}"))
    });
    weak.collect()
}

#[test]
fn colors_have_enough_contrast() {
    for (name, theme) in [("dark", Theme::DARK), ("light", Theme::LIGHT)] {
        let weak = weak_pairs(&theme);
        assert!(weak.is_empty(), "{name}:\n{}", weak.join("\n"));
    }
}

/// Kinds of color vision, as matrices on linear red, green and blue.
///
/// Source: Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency",
/// 2009, severity 1.
const VISIONS: [(&str, [[f32; 3]; 3]); 4] = [
    ("full color vision", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanopia",
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_82, 0.042_94, 0.968_881],
        ],
    ),
    (
        "tritanopia",
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_9],
        ],
    ),
];

/// Minimum distance of two lines in Oklab, for any color vision.
const LINES_APART: f32 = 0.09;
/// Minimum distance of what is drawn over searched polygons and their color in the legend, in Oklab.
const SEARCHED_APART: f32 = 0.06;
/// Minimum distance of two fills on the level in Oklab, for any color vision.
const FILLS_APART: f32 = 0.045;

/// Returns a color in Oklab, as seen with a color vision.
///
/// Source: Ottosson, "A perceptual color space for image processing", 2020.
fn seen(color: Color32, vision: &[[f32; 3]; 3]) -> [f32; 3] {
    let [red, green, blue, _] = egui::Rgba::from(color).to_array();
    let of = |row: &[f32; 3]| (row[0] * red + row[1] * green + row[2] * blue).clamp(0.0, 1.0);
    let [red, green, blue] = vision.each_ref().map(of);
    let long = (0.412_221_46 * red + 0.536_332_55 * green + 0.051_445_995 * blue).cbrt();
    let middle = (0.211_903_5 * red + 0.680_699_5 * green + 0.107_396_96 * blue).cbrt();
    let short = (0.088_302_46 * red + 0.281_718_85 * green + 0.629_978_7 * blue).cbrt();
    [
        0.210_454_26 * long + 0.793_617_8 * middle - 0.004_072_047 * short,
        1.977_998_5 * long - 2.428_592_2 * middle + 0.450_593_7 * short,
        0.025_904_037 * long + 0.782_771_77 * middle - 0.808_675_77 * short,
    ]
}

/// Returns the pairs of colors that are too similar for a color vision, with its name and the distance.
fn confused(colors: &[(&'static str, Color32)], apart: f32) -> Vec<String> {
    let mut found = Vec::new();
    for (index, (a, color)) in colors.iter().enumerate() {
        for (b, other) in &colors[index + 1..] {
            for (name, vision) in &VISIONS {
                let [from, to] = [*color, *other].map(|color| seen(color, vision));
                let squares = from.iter().zip(to).map(|(from, to)| (from - to).powi(2));
                let distance = squares.sum::<f32>().sqrt();
                if distance < apart {
                    found.push(format!("{a} and {b}, {name}: {distance:.3}"));
                }
            }
        }
    }
    found
}

#[test]
fn meanings_are_distinct_for_every_color_vision() {
    for (name, theme) in [("dark", Theme::DARK), ("light", Theme::LIGHT)] {
        let lines = [
            ("wall or drop", Paint::BoundaryEdge),
            ("edge between polygons", Paint::InnerEdge),
            ("tile border", Paint::PortalEdge),
            ("off-mesh link", Paint::OffMesh),
            ("path", Paint::Path),
            ("other path", Paint::OtherPath),
            ("portal", Paint::PathPortal),
            ("highlight", Paint::Accent),
            ("obstacle on the path", Paint::Break),
            ("corridor", Paint::Corridor),
        ];
        let lines = lines.map(|(name, paint)| (name, theme.paint(paint)));
        let fills = [
            ("ground", Paint::Area(AreaId(0))),
            ("water", Paint::Area(AreaId(1))),
            ("road", Paint::Area(AreaId(2))),
            ("door", Paint::Area(AreaId(3))),
            ("grass", Paint::Area(AreaId(4))),
            ("jump", Paint::Area(AreaId(5))),
            ("corridor", Paint::Corridor),
        ];
        let fills = fills.map(|(name, paint)| (name, theme.level.blend(theme.fill(paint))));
        let mut confused_pairs = confused(&lines, LINES_APART);
        confused_pairs.extend(confused(&fills, FILLS_APART));
        for order in 0_u8..=10 {
            let order = f32::from(order) / 10.0;
            let searched = ("searched polygon", theme.paint(Paint::Expanded(order)));
            let fill = theme.level.blend(theme.fill(Paint::Expanded(order)));
            for (paint, name) in [(Paint::PathPortal, "portal"), (Paint::Corridor, "corridor")] {
                let over = (name, theme.paint(paint));
                confused_pairs.extend(confused(&[searched, over], SEARCHED_APART));
                confused_pairs.extend(confused(&[("searched fill", fill), over], LINES_APART));
            }
        }
        let cells = [
            (
                "linked cell",
                theme.paint(Paint::Area(AreaId(0))).blend(theme.paint(Paint::CellEdge)),
            ),
            ("ground", theme.paint(Paint::Area(AreaId(0)))),
            ("missing link", theme.paint(Paint::MissingLink)),
        ];
        confused_pairs.extend(confused(&cells, LINES_APART));
        assert!(confused_pairs.is_empty(), "{name}:\n{}", confused_pairs.join("\n"));
    }
}

#[test]
fn elements_and_agents_with_any_number_have_colors() {
    for theme in [Theme::DARK, Theme::LIGHT] {
        for number in [0, 1 << 31, u32::MAX] {
            assert_ne!(theme.paint(Paint::Hue(number)), theme.paint(Paint::Hue(number ^ 1)));
        }
        assert_ne!(theme.paint(Paint::Agent(u16::MAX)), theme.paint(Paint::Agent(u16::MAX - 1)));
    }
}
