//! The appearance of the window: the only file that contains colors, except for the palette of data in `workspace`.

use eframe::egui::{
    self, Color32, CornerRadius, FontFamily, FontId, Stroke, TextStyle, Visuals,
    style::WidgetVisuals, vec2,
};
use walkable::{debug_draw::Paint, ids::AreaId};
use walkable_workspace::{
    document::{Agents, AreaTable, Rgb},
    palette::{AREAS, LIGHTNESS, area_color, hue_color, scale_color},
};

use crate::icons;

pub const BASE_SIZE: f32 = 13.0;
/// Text size of captions and units.
pub const CAPTION_SIZE: f32 = 11.0;
pub const TITLE_SIZE: f32 = 16.0;

/// Maximum fraction of the level's light that ambient occlusion removes.
pub const MAX_OCCLUSION: f32 = 0.6;

/// Colors of one appearance, dark or light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    pub is_dark: bool,
    /// Colors that the user gave to areas, by number.
    areas: [Option<Color32>; AreaId::COUNT],
    agents: [Option<Color32>; Agents::MAX],
    /// Background of the window and of its bars.
    pub surface: Color32,
    /// Panels, menus and cards above the surface.
    pub raised: Color32,
    /// Text fields and the log in the drawer.
    pub sunken: Color32,
    /// Buttons that are not under the pointer.
    pub control: Color32,
    pub control_hover: Color32,
    /// The part of a number field that shows its value.
    pub filled: Color32,
    pub border: Color32,
    /// Borders of buttons, check boxes and fields.
    pub control_border: Color32,
    pub selection: Color32,
    pub text: Color32,
    pub text_weak: Color32,
    /// Links, progress and the active tool.
    pub accent: Color32,
    /// Selected elements in the 3D view.
    pub highlight: Color32,
    pub on_accent: Color32,
    pub path: Color32,
    pub other_path: Color32,
    pub portal: Color32,
    /// Obstacles that interrupt a path.
    pub path_break: Color32,
    pub corridor: Color32,
    /// Edges to walls and drops.
    pub boundary: Color32,
    /// Edges of cells whose spans are not linked.
    pub missing_link: Color32,
    pub tile_border: Color32,
    pub off_mesh: Color32,
    pub good: Color32,
    /// Warnings and outdated results.
    pub warning: Color32,
    pub error: Color32,
    pub viewport: Color32,
    /// Translucent background of text over the 3D view.
    pub foreground: Color32,
    pub grid: Color32,
    pub axis_x: Color32,
    pub axis_y: Color32,
    pub axis_z: Color32,
    /// Fully lit surfaces of the level.
    pub level: Color32,
    pub level_edge: Color32,
    pub inner_edge: Color32,
    pub walkable: Color32,
    pub steep: Color32,
    pub blocked: Color32,
    /// Outline of lines that must be visible on any ground.
    pub casing: Color32,
    /// Outline of portals, which are white.
    pub portal_casing: Color32,
}

impl Theme {
    pub const DARK: Self = Self {
        is_dark: true,
        areas: [None; AreaId::COUNT],
        agents: [None; Agents::MAX],
        surface: rgb(0x001a_1c20),
        raised: rgb(0x0022_252a),
        sunken: rgb(0x0015_171a),
        control: rgb(0x002e_3238),
        control_hover: rgb(0x003a_3f47),
        filled: rgb(0x002f_4a6b),
        border: rgb(0x0034_3840),
        control_border: rgb(0x007d_838d),
        selection: rgb(0x0036_3b44),
        text: rgb(0x00dd_e0e5),
        text_weak: rgb(0x00a9_afb9),
        accent: rgb(0x007a_b7ff),
        highlight: rgb(0x00e7_a055),
        on_accent: rgb(0x001a_1c20),
        path: rgb(0x00e8_2b7a),
        other_path: rgb(0x007d_67b9),
        portal: rgb(0x00ff_ffff),
        path_break: rgb(0x00e0_1bfe),
        corridor: rgb(0x00a6_ffa6),
        boundary: rgb(0x00cf_d3da),
        missing_link: rgb(0x00ff_7a1a),
        tile_border: rgb(0x00b2_8209),
        off_mesh: rgb(0x0048_bcac),
        good: rgb(0x003d_c98a),
        warning: rgb(0x00f0_a63a),
        error: rgb(0x00ff_8078),
        viewport: rgb(0x0015_171a),
        foreground: Color32::from_rgba_unmultiplied_const(0x1a, 0x1c, 0x20, 0xd8),
        grid: rgb(0x0056_5c66),
        axis_x: rgb(0x00e0_5a5a),
        axis_y: rgb(0x0076_b852),
        axis_z: rgb(0x004d_8fe0),
        level: rgb(0x006e_6a64),
        level_edge: Color32::from_rgba_unmultiplied_const(0x0c, 0x0e, 0x10, 0x50),
        inner_edge: rgb(0x000a_0f14),
        walkable: rgb(0x0000_9e73),
        steep: rgb(0x00d5_5e00),
        blocked: rgb(0x0050_555e),
        casing: Color32::from_rgba_unmultiplied_const(0x10, 0x11, 0x14, 0xd0),
        portal_casing: Color32::from_rgba_unmultiplied_const(0x10, 0x11, 0x14, 0xd0),
    };

    pub const LIGHT: Self = Self {
        is_dark: false,
        areas: [None; AreaId::COUNT],
        agents: [None; Agents::MAX],
        surface: rgb(0x00f6_f7f9),
        raised: rgb(0x00ff_ffff),
        sunken: rgb(0x00ee_f0f3),
        control: rgb(0x00e9_ecf0),
        control_hover: rgb(0x00dd_e1e7),
        filled: rgb(0x00bd_d3f2),
        border: rgb(0x00d5_d9df),
        control_border: rgb(0x007f_858e),
        selection: rgb(0x00dc_e0e6),
        text: rgb(0x0022_252a),
        text_weak: rgb(0x0058_5e68),
        accent: rgb(0x001d_5bb8),
        highlight: rgb(0x00eb_8f2d),
        on_accent: rgb(0x00ff_ffff),
        path: rgb(0x00d6_3256),
        other_path: rgb(0x00aa_78f6),
        portal: rgb(0x00ff_ffff),
        path_break: rgb(0x00ac_25bd),
        corridor: rgb(0x00a6_ffa6),
        boundary: rgb(0x00cf_d3da),
        missing_link: rgb(0x00d5_5e00),
        tile_border: rgb(0x0077_3800),
        off_mesh: rgb(0x0024_b0ab),
        good: rgb(0x000b_6840),
        warning: rgb(0x0082_4f00),
        error: rgb(0x00b3_261e),
        viewport: rgb(0x00e6_e9ed),
        foreground: Color32::from_rgba_unmultiplied_const(0xff, 0xff, 0xff, 0xe0),
        grid: rgb(0x00a4_abb5),
        axis_x: rgb(0x00c8_3c3c),
        axis_y: rgb(0x004f_8f2b),
        axis_z: rgb(0x0028_66c2),
        level: rgb(0x007d_7770),
        level_edge: Color32::from_rgba_unmultiplied_const(0x40, 0x46, 0x50, 0x50),
        inner_edge: rgb(0x0008_1c29),
        walkable: rgb(0x0000_9e73),
        steep: rgb(0x00d5_5e00),
        blocked: rgb(0x008a_909a),
        casing: Color32::from_rgba_unmultiplied_const(0xff, 0xff, 0xff, 0xe0),
        portal_casing: Color32::from_rgba_unmultiplied_const(0x10, 0x11, 0x14, 0xd0),
    };

    /// The light theme for ground without a level around it: its outlines are dark.
    pub const MAP: Self = Self { boundary: Self::LIGHT.text, ..Self::LIGHT };

    pub const fn of(theme: egui::Theme) -> Self {
        match theme {
            egui::Theme::Dark => Self::DARK,
            egui::Theme::Light => Self::LIGHT,
        }
    }

    /// Installs fonts, icons, sizes and the colors of both themes in `ctx`. Called once, at the start.
    pub fn install(ctx: &egui::Context) {
        ctx.add_font(icons::font());
        for theme in [egui::Theme::Dark, egui::Theme::Light] {
            ctx.style_mut_of(theme, |style| Self::of(theme).write_style(style));
        }
    }

    #[must_use]
    pub fn with_areas(mut self, table: &AreaTable) -> Self {
        for (id, color) in (0..).zip(&mut self.areas) {
            *color = table.color(id).map(opaque);
        }
        self
    }

    #[must_use]
    pub fn with_agents(mut self, agents: &Agents) -> Self {
        for (color, agent) in self.agents.iter_mut().zip(&agents.list) {
            *color = agent.color.map(opaque);
        }
        self
    }

    /// Returns the color that the user chose for an agent, or else a color that differs clearly from the colors of
    /// areas.
    fn agent(&self, number: u16) -> Color32 {
        let own = self.agents.get(usize::from(number)).copied().flatten();
        let lightness = if self.is_dark { LIGHTNESS } else { 0.6 };
        own.unwrap_or_else(|| opaque(hue_color(3 * u32::from(number) + 1, lightness)))
    }

    fn area(&self, AreaId(number): AreaId) -> Color32 {
        let own = self.areas.get(usize::from(number)).copied().flatten();
        own.unwrap_or_else(|| opaque(area_color(number)))
    }

    /// Returns the colors that areas can be given: first colors that people with any kind of color vision can
    /// distinguish, then more colors.
    pub fn swatches() -> impl Iterator<Item = Color32> {
        (0..21).map(area_color).map(opaque)
    }

    pub fn paint(&self, paint: Paint) -> Color32 {
        match paint {
            Paint::LevelWalkable => self.walkable,
            Paint::LevelSteep => self.steep,
            Paint::Lost | Paint::LostGround => rgb(0x00d5_5e00),
            // Blue is the color of ordinary ground.
            Paint::GainedGround => rgb(0x0000_9e73),
            Paint::Blocked => self.blocked,
            Paint::Area(area) => self.area(area),
            Paint::Hue(id) => opaque(hue_color(id, if self.is_dark { LIGHTNESS } else { 0.71 })),
            Paint::Agent(number) => self.agent(number),
            Paint::Scalar(value) => opaque(scale_color(value)),
            Paint::Deviation(value) => deviation(value),
            Paint::InnerEdge => self.inner_edge,
            Paint::CellEdge => self.inner_edge.gamma_multiply(0.5),
            Paint::MissingLink => self.missing_link,
            Paint::BoundaryEdge => self.boundary,
            Paint::LeafBox => self.accent,
            Paint::PortalEdge => self.tile_border,
            Paint::DetailEdge => self.text.gamma_multiply(0.5),
            Paint::RawContour => self.text.gamma_multiply(0.8),
            Paint::Bounds => self.grid,
            Paint::Corridor => self.corridor,
            Paint::Accent => self.highlight,
            Paint::PathPortal => self.portal,
            Paint::Path => self.path,
            Paint::OtherPath => self.other_path,
            Paint::Expanded(order) => opaque(scale_color(order)),
            Paint::OffMesh => self.off_mesh,
            // Two searches side by side: blues and oranges.
            Paint::Closed(0) => opaque(AREAS[0]),
            Paint::Closed(_) => opaque(AREAS[2]),
            Paint::Frontier(0) => opaque(AREAS[1]),
            Paint::Frontier(_) => opaque(AREAS[6]),
            Paint::Break => self.path_break,
            Paint::Axis(0) => self.axis_x,
            Paint::Axis(1) => self.axis_y,
            Paint::Axis(_) => self.axis_z,
            Paint::Start => self.good,
            Paint::End | Paint::Problem | Paint::VolumeMargin => self.error,
            // Contours, and paints that the library may add later.
            _ => self.text,
        }
    }

    /// Returns the color of surfaces: [`Theme::paint`] with an opacity that keeps the surfaces below visible.
    pub fn fill(&self, paint: Paint) -> Color32 {
        let alpha = match paint {
            Paint::Scalar(_) | Paint::Deviation(_) => 0.9,
            Paint::Hue(_) => 0.75,
            Paint::Expanded(_) => 0.6,
            Paint::Frontier(_) | Paint::GainedGround | Paint::LostGround => 0.85,
            _ => 0.5,
        };
        self.paint(paint).gamma_multiply(alpha)
    }

    fn write_style(self, style: &mut egui::Style) {
        let size = |points| FontId::new(points, FontFamily::Proportional);
        style.text_styles = [
            (TextStyle::Small, size(CAPTION_SIZE)),
            (TextStyle::Body, size(BASE_SIZE)),
            (TextStyle::Button, size(BASE_SIZE)),
            (TextStyle::Heading, size(TITLE_SIZE)),
            (TextStyle::Monospace, FontId::new(BASE_SIZE - 1.0, FontFamily::Monospace)),
        ]
        .into();
        style.spacing.item_spacing = vec2(8.0, 6.0);
        style.spacing.button_padding = vec2(8.0, 4.0);
        style.spacing.interact_size = vec2(32.0, 24.0);
        style.spacing.slider_width = 120.0;
        style.spacing.slider_rail_height = 4.0;
        style.spacing.menu_margin = egui::Margin::same(6);
        style.spacing.window_margin = egui::Margin::same(10);
        style.spacing.tooltip_width = 360.0;
        style.interaction.tooltip_delay = 0.4;
        style.animation_time = 0.08;
        style.visuals = self.visuals();
    }

    fn visuals(&self) -> Visuals {
        let mut visuals = if self.is_dark { Visuals::dark() } else { Visuals::light() };
        visuals.panel_fill = self.surface;
        visuals.window_fill = self.raised;
        visuals.extreme_bg_color = self.sunken;
        visuals.faint_bg_color = self.raised;
        visuals.code_bg_color = self.sunken;
        visuals.window_stroke = Stroke::new(1.0, self.border);
        visuals.weak_text_color = Some(self.text_weak);
        visuals.warn_fg_color = self.warning;
        visuals.error_fg_color = self.error;
        visuals.hyperlink_color = self.accent;
        visuals.selection.bg_fill = self.selection;
        visuals.selection.stroke = Stroke::new(1.0, self.text);
        visuals.slider_trailing_fill = true;
        let radius = CornerRadius::same(4);
        visuals.window_corner_radius = CornerRadius::same(8);
        visuals.menu_corner_radius = CornerRadius::same(6);
        let widget = |fill, text: Color32, border| WidgetVisuals {
            bg_fill: fill,
            weak_bg_fill: fill,
            bg_stroke: Stroke::new(1.0, border),
            corner_radius: radius,
            fg_stroke: Stroke::new(1.0, text),
            expansion: 0.0,
        };
        visuals.widgets.noninteractive = widget(self.raised, self.text, self.border);
        visuals.widgets.inactive = widget(self.control, self.text, self.control_border);
        visuals.widgets.hovered = widget(self.control_hover, self.text, self.control_border);
        visuals.widgets.active = widget(self.control_hover, self.text, self.accent);
        visuals.widgets.open = widget(self.control_hover, self.text, self.control_border);
        visuals
    }
}

const fn rgb(hex: u32) -> Color32 {
    let [_, r, g, b] = hex.to_be_bytes();
    Color32::from_rgb(r, g, b)
}

const fn opaque(Rgb([r, g, b]): Rgb) -> Color32 {
    Color32::from_rgb(r, g, b)
}

/// Returns the color of a deviation: blue below, orange above; pale up to the limit and strong beyond it.
fn deviation(value: f32) -> Color32 {
    /// The colors of no deviation, of a deviation at the limit, just beyond it, and at twice the limit.
    const NONE: Color32 = rgb(0x00e6_e6e0);
    const BELOW: [Color32; 3] = [rgb(0x00a6_c8e4), rgb(0x002f_7fc1), rgb(0x0008_306b)];
    const ABOVE: [Color32; 3] = [rgb(0x00f4_cfa0), rgb(0x00e0_7b1a), rgb(0x0080_2a00)];
    let [at_limit, beyond, most] = if value < 0.0 { BELOW } else { ABOVE };
    let size = value.abs();
    if size <= 1.0 {
        NONE.lerp_to_gamma(at_limit, size)
    } else {
        beyond.lerp_to_gamma(most, (size - 1.0).min(1.0))
    }
}

#[cfg(test)]
mod tests;
