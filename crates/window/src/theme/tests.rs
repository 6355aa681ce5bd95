use super::*;

/// Least contrast of text.
const TEXT: f32 = 4.5;
/// Least contrast of parts of controls and of polygon edges.
const PART: f32 = 3.0;
/// Least contrast of ground on the level, which differs in hue too.
const GROUND: f32 = 1.3;

/// Contrast ratio of two opaque colors.
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

/// Pairs of colors whose contrast is below the least, each with its names and both numbers.
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
