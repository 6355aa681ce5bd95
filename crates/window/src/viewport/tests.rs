//! Tests of the view in a headless window: the picture and pointer events.

#![expect(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "a test that finds nothing should fail, and its numbers are small and exact"
)]

use std::sync::Arc;

use eframe::egui::{self, Modifiers, PointerButton as Button, Pos2, Rect, pos2, vec2};
use egui_kittest::Harness;
use glam::{Vec3, vec3};
use walkable::{
    debug_draw::{Block, DrawList, Paint, feature_edges},
    geom::{Aabb, Bvh},
    ids::AreaId,
    mesh::{AlphaMode, Appearance, ImageFile, TexturedRun, TriMesh},
    monitor::Unmonitored,
};
use walkable_editor::{
    labels::{Caption, CaptionStyle},
    level_appearance::{ImageDecoder, LevelAppearance, TextureReading},
    level_colors::LevelColors,
    navigation::Navigation,
    pictures::{Batch, PictureId, ViewHalf},
    pointer::{PointerButton, PointerEvent, PointerKind},
    session::{CoarseLevel, Look, Side, Slice},
};

use super::{LevelView, Scene, Split, Viewport, ViewportOutput};
use crate::{testing::Find as _, theme::Theme};

const SIZE: egui::Vec2 = vec2(480.0, 320.0);

/// Returns a floor of ten by ten meters around the origin, with a step one meter high on its +x half.
fn level() -> LevelView {
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    let mut quad = |corners: [Vec3; 4]| {
        let first = u32::try_from(vertices.len()).unwrap();
        vertices.extend(corners);
        triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    };
    let flat = |x: [f32; 2], y: f32| {
        [vec3(x[0], y, -5.0), vec3(x[0], y, 5.0), vec3(x[1], y, 5.0), vec3(x[1], y, -5.0)]
    };
    quad(flat([-5.0, 2.0], 0.0));
    quad(flat([2.0, 5.0], 1.0));
    quad([vec3(2.0, 0.0, 5.0), vec3(2.0, 1.0, 5.0), vec3(2.0, 1.0, -5.0), vec3(2.0, 0.0, -5.0)]);
    let mesh = Arc::new(TriMesh::new(vertices, triangles).unwrap());
    let bvh = Arc::new(Bvh::build(mesh.as_ref()));
    let edges = Arc::new(feature_edges(&mesh, 0.5));
    LevelView {
        mesh,
        bvh,
        edges,
        appearance: None,
        coarse: None,
        colors: LevelColors::default(),
        slope_limit_deg: None,
        opacity: 1.0,
        hide_backs: false,
        hole: None,
    }
}

struct Window {
    viewport: Viewport,
    level: Option<LevelView>,
    surroundings: Option<LevelView>,
    batches: Vec<Batch>,
    foreground: DrawList,
    handles: DrawList,
    theme: Theme,
    show_grid: bool,
    ambient_occlusion: bool,
    events: Vec<PointerEvent>,
    slice: Slice,
    split: Split,
    captions: Vec<Caption>,
}

impl Window {
    fn new(cc: &eframe::CreationContext<'_>) -> Self {
        Theme::install(&cc.egui_ctx);
        Self {
            viewport: Viewport::new(cc.wgpu_render_state.as_ref()),
            level: Some(level()),
            surroundings: None,
            batches: Vec::new(),
            foreground: DrawList::default(),
            handles: DrawList::default(),
            theme: Theme::DARK,
            show_grid: false,
            ambient_occlusion: false,
            events: Vec::new(),
            slice: Slice::ALL,
            split: Split::None,
            captions: Vec::new(),
        }
    }

    fn bounds(&self) -> Aabb {
        self.level.as_ref().map_or(Aabb::EMPTY, |level| level.mesh.bounds())
    }
}

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        let scene = Scene {
            level: self.level.as_ref(),
            surroundings: self.surroundings.as_ref(),
            batches: &self.batches,
            foreground: &self.foreground,
            handles: &self.handles,
            frame_bounds: self.bounds(),
            show_grid: self.show_grid,
            ambient_occlusion: self.ambient_occlusion,
            theme: &self.theme,
            is_changing: false,
            tool: "Path",
            hints: &[("Click", "set the start")],
            slice: self.slice,
            split: self.split,
            captions: &self.captions,
            covered_top: 0.0,
        };
        let ViewportOutput { events, .. } = self.viewport.ui(ui, &scene);
        self.events.extend(events.into_iter().filter(|event| event.kind != PointerKind::Hover));
    }
}

fn window(build: impl FnOnce(&mut Window) + 'static) -> Harness<'static, Window> {
    let builder = Harness::builder().with_size(SIZE).with_max_steps(30).wgpu();
    let mut harness = builder.build_eframe(move |cc| {
        let mut window = Window::new(cc);
        window.viewport.top_view(window.bounds());
        build(&mut window);
        window
    });
    harness.run();
    harness
}

fn n_pixels(harness: &mut Harness<'static, Window>, is: impl Fn([u8; 3]) -> bool) -> usize {
    let image = harness.render().unwrap();
    image.pixels().filter(|pixel| is([pixel[0], pixel[1], pixel[2]])).count()
}

/// Counts the pixels in the color of `paint`, without antialiased edges.
fn n_of(harness: &mut Harness<'static, Window>, paint: Paint) -> usize {
    let [r, g, b, _] = harness.state().theme.paint(paint).to_array();
    let is_near = |a: u8, b: u8| a.abs_diff(b) <= 6;
    n_pixels(harness, |p| is_near(p[0], r) && is_near(p[1], g) && is_near(p[2], b))
}

fn at(harness: &Harness<'static, Window>, point: Vec3) -> Pos2 {
    harness.state().viewport.screen_from_world(point).unwrap()
}

/// Clicks at a place; returns the place that the last event has hit.
fn hit_by_click(harness: &mut Harness<'static, Window>, point: Vec3) -> Option<Vec3> {
    let pos = at(harness, point);
    harness.hover_at(pos);
    harness.drag_at(pos);
    harness.drop_at(pos);
    harness.run();
    std::mem::take(&mut harness.state_mut().events).pop().unwrap().hit
}

fn drag(harness: &mut Harness<'static, Window>, button: Button, by: egui::Vec2, with: Modifiers) {
    let from = pos2(200.0, 150.0);
    let press = |pos, pressed| egui::Event::PointerButton { pos, button, pressed, modifiers: with };
    harness.event_modifiers(egui::Event::PointerMoved(from), with);
    harness.step();
    harness.event_modifiers(press(from, true), with);
    harness.step();
    for part in [0.5, 1.0] {
        harness.event_modifiers(egui::Event::PointerMoved(from + by * part), with);
        harness.step();
    }
    harness.event_modifiers(press(from + by, false), with);
    harness.run();
}

fn batch(list: DrawList) -> Batch {
    Batch::undivided(PictureId::Navmesh, 1, Arc::new(list))
}

#[test]
fn draws_the_level_matte_and_its_steep_parts_tinted() {
    let mut harness = window(|_| ());
    let gray = |[r, g, b]: [u8; 3]| r > 90 && r.abs_diff(g) < 12 && g.abs_diff(b) < 14;
    let n_gray = n_pixels(&mut harness, gray);
    assert!(n_gray > 50_000, "the floor fills much of the view: {n_gray}");
    harness.state_mut().level.as_mut().unwrap().slope_limit_deg = Some(45.0);
    harness.state_mut().viewport.look_from(Side::Left);
    harness.run();
    let orange = |[r, g, b]: [u8; 3]| r > 90 && g < r - 30 && b < g - 20;
    assert!(n_pixels(&mut harness, orange) > 5_000, "the front of the step is steep");
}

/// Returns the brightness of the view's pixels at points of the level, in the left picture.
fn brightness<const N: usize>(
    harness: &mut Harness<'static, Window>,
    points: [Vec3; N],
) -> [u8; N] {
    let image = harness.render().unwrap();
    points.map(|point| {
        let at = at(harness, point);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in the view")]
        let pixel = image.get_pixel(at.x as u32, at.y as u32);
        pixel[1]
    })
}

#[test]
fn ambient_occlusion_darkens_corners_and_leaves_open_ground() {
    // On the floor at the foot of the step, on open floor, and on top of the step at its edge.
    let points = [vec3(1.9, 0.0, 1.0), vec3(-3.0, 0.0, 1.0), vec3(2.2, 1.0, 1.0)];
    for (name, parallel, split) in [
        ("perspective", false, Split::None),
        ("parallel", true, Split::None),
        ("twins", false, Split::Twins),
    ] {
        let look = Look { target: Vec3::ZERO, yaw: -1.2, pitch: 0.6, distance: 9.0, parallel };
        let mut harness = window(move |window| {
            window.level.as_mut().unwrap().edges = Arc::default();
            window.split = split;
            window.viewport.look(look);
        });
        let flat = brightness(&mut harness, points);
        assert_eq!(flat[0], flat[1], "{name}: the floor has one color: {flat:?}");
        harness.state_mut().ambient_occlusion = true;
        harness.run();
        let shaded = brightness(&mut harness, points);
        assert!(shaded[0] + 15 < flat[0], "{name}: the corner is darker: {flat:?} {shaded:?}");
        assert_eq!(shaded[1..], flat[1..], "{name}: nothing hides light there");
        if split == Split::Twins {
            let image = harness.render().unwrap();
            let half = image.width() / 2;
            // Overlays cover the top, the bottom and the right end.
            let halves = [0, half].map(|x| {
                image::imageops::crop_imm(&image, x, 80, half / 2, 160).to_image().into_raw()
            });
            assert_eq!(halves[0], halves[1], "both pictures look alike");
        }
    }
}

/// Returns the appearance of the lower floor: a red texture whose left half is transparent.
fn half_transparent(alpha: AlphaMode) -> LevelAppearance {
    let decoder = ImageDecoder {
        size: |_| Ok([4, 4]),
        square: |_, side, _| {
            let row = (0..side).flat_map(|x| [230, 20, 20, if x < side / 2 { 0 } else { 255 }]);
            Ok(row.collect::<Vec<u8>>().repeat(side as usize))
        },
    };
    let image = ImageFile { name: "half".to_owned(), bytes: [0].into(), opacity: None };
    let corners = vec![[[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0]]];
    let run = TexturedRun { first_triangle: 0, image: 0, alpha, corners };
    let textured = vec![run];
    let appearance = Appearance { vertex_colors: Vec::new(), images: vec![image], textured };
    let reading = TextureReading { decoder, max_bytes: 1 << 20 };
    let prepared =
        LevelAppearance::prepare(appearance, Some(reading), &Unmonitored, &mut Vec::new());
    prepared.unwrap().unwrap()
}

#[test]
fn transparent_parts_of_textures_are_not_drawn() {
    let n_red = |alpha, ambient_occlusion| {
        let appearance = Some(Arc::new(half_transparent(alpha)));
        let mut harness = window(move |window| {
            window.ambient_occlusion = ambient_occlusion;
            window.level = Some(LevelView { appearance, edges: Arc::default(), ..level() });
        });
        n_pixels(&mut harness, |[r, g, b]| r > g.saturating_add(40) && r > b.saturating_add(40))
    };
    for ambient_occlusion in [false, true] {
        let whole = n_red(AlphaMode::Opaque, ambient_occlusion);
        assert!(whole > 20_000, "{whole}");
        for (alpha, share) in [
            (AlphaMode::Mask(128), 0.5),
            (AlphaMode::Mask(0), 1.0),
            (AlphaMode::Blend(255), 0.5),
            (AlphaMode::Blend(128), 0.25),
            (AlphaMode::Blend(0), 0.0),
        ] {
            let found = n_red(alpha, ambient_occlusion) as f32 / whole as f32;
            assert!((found - share).abs() < 0.04, "{alpha:?}: {found} instead of {share}");
        }
    }
}

#[test]
fn textures_count_in_the_memory_of_the_graphics_card() {
    let appearance = half_transparent(AlphaMode::Opaque);
    let n_bytes = appearance.textures().n_bytes();
    let mut harness = window(move |window| {
        window.level = Some(LevelView { appearance: Some(Arc::new(appearance)), ..level() });
    });
    harness.render().unwrap();
    let used = |harness: &Harness<'static, Window>| harness.state().viewport.n_bytes();
    assert_eq!((used(&harness), n_bytes), (n_bytes, 4 * (16 + 4 + 1)));
    harness.state_mut().level = Some(level());
    harness.run();
    harness.render().unwrap();
    assert_eq!(used(&harness), 0);
}

#[test]
fn fills_lie_on_the_floor_without_flicker() {
    let mut list = DrawList::default();
    // Two centimeters into the floor, like a navmesh whose heights are rounded to voxels.
    let square =
        [(-4.0, -4.0), (-4.0, 4.0), (1.0, 4.0), (1.0, -4.0)].map(|(x, z)| vec3(x, -0.02, z));
    list.fill(&square, Paint::Area(AreaId(0)));
    let mut harness = window(move |window| {
        window.level.as_mut().unwrap().edges = Arc::default();
        window.batches = vec![batch(list)];
    });
    // The fill over the floor has one color; any other blue is an artifact of equal depths.
    let image = harness.render().unwrap();
    let corners = [vec3(-3.9, 0.0, -3.9), vec3(0.9, 0.0, 3.9)].map(|p| at(&harness, p));
    let inside = Rect::from_two_pos(corners[0], corners[1]);
    let mut colors: Vec<[u8; 4]> = image
        .enumerate_pixels()
        .filter(|(x, y, _)| inside.contains(pos2(*x as f32, *y as f32)))
        .map(|(_, _, pixel)| pixel.0)
        .collect();
    assert!(colors.len() > 10_000);
    colors.sort_unstable();
    let (first, last) = (colors[0], colors[colors.len() - 1]);
    assert!(first[2] > first[0] + 20, "bluer than the gray floor: {first:?}");
    assert!(first.iter().zip(last).all(|(a, b)| a.abs_diff(b) <= 2), "{first:?} to {last:?}");
}

#[test]
fn lines_keep_their_width_and_hide_behind_the_level() {
    let mut list = DrawList::default();
    list.line([vec3(-4.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0)], 3.0, Paint::PathPortal);
    list.line([vec3(-4.0, -1.0, 2.0), vec3(1.0, -1.0, 2.0)], 3.0, Paint::PortalEdge);
    let mut harness = window(move |window| window.batches = vec![batch(list)]);
    let long = at(&harness, vec3(1.0, 0.0, 0.0)).x - at(&harness, vec3(-4.0, 0.0, 0.0)).x;
    let n = n_of(&mut harness, Paint::PathPortal) as f32;
    assert!((n / long - 2.5).abs() < 1.0, "{n} pixels for {long} points of line");
    assert_eq!(n_of(&mut harness, Paint::PortalEdge), 0, "the floor covers the second line");
}

#[test]
fn dashed_lines_have_gaps() {
    let line = |dashed| {
        let mut list = DrawList::default();
        let ends = [vec3(-4.0, 0.1, 0.0), vec3(1.0, 0.1, 0.0)];
        if dashed {
            list.dashed_line(ends, 3.0, Paint::PathPortal);
        } else {
            list.line(ends, 3.0, Paint::PathPortal);
        }
        let mut harness = window(move |window| window.batches = vec![batch(list)]);
        n_of(&mut harness, Paint::PathPortal)
    };
    let (whole, dashed) = (line(false), line(true));
    assert!(dashed * 10 > whole * 3 && dashed * 10 < whole * 8, "{dashed} of {whole}");
}

#[test]
fn foreground_shows_markers_and_hints_at_hidden_parts() {
    let mut foreground = DrawList::default();
    foreground.point(vec3(-2.0, 0.0, 0.0), 16.0, Paint::Start);
    foreground.point(vec3(0.0, 0.0, 0.0), 16.0, Paint::End);
    foreground.line([vec3(-4.0, -1.0, 3.0), vec3(1.0, -1.0, 3.0)], 4.0, Paint::Path);
    let mut harness = window(move |window| window.foreground = foreground);
    assert!(n_of(&mut harness, Paint::Start) > 40);
    assert!(n_of(&mut harness, Paint::End) > 60);
    assert_eq!(n_of(&mut harness, Paint::Path), 0, "under the floor");
    let reddish = |[r, g, b]: [u8; 3]| r > g + 15 && r > b + 5 && r < 200;
    assert!(n_pixels(&mut harness, reddish) > 100, "a trace of the path shines through");
}

#[test]
fn nothing_hides_handles() {
    let under_the_floor = [vec3(-4.0, -1.0, 3.0), vec3(1.0, -1.0, 3.0)];
    let mut harness =
        window(move |window| window.handles.line(under_the_floor, 4.0, Paint::Axis(0)));
    assert!(n_of(&mut harness, Paint::Axis(0)) > 100);
}

#[test]
fn blocks_show_their_tops_in_full_color() {
    let block = |x: u8| {
        let min = vec3(f32::from(x) - 4.0, 0.0, -1.0);
        Block { min, max: min + Vec3::ONE, cell_size: 1.0, paint: Paint::Area(AreaId(3)) }
    };
    let list = DrawList { blocks: (0..4).map(block).collect(), ..DrawList::default() };
    let mut harness = window(move |window| {
        window.viewport.switch_projection();
        window.batches = vec![batch(list)];
    });
    let side = at(&harness, Vec3::X).x - at(&harness, Vec3::ZERO).x;
    let seen = n_of(&mut harness, Paint::Area(AreaId(3))) as f32 / (4.0 * side * side);
    // Thin lines on the edges cover some of it.
    assert!((0.75..1.01).contains(&seen), "{seen} of the tops");
}

#[test]
fn click_hits_the_level_under_the_pointer() {
    let mut harness = window(|_| ());
    for point in [vec3(-2.0, 0.0, 1.0), vec3(3.5, 1.0, -2.0)] {
        let pos = at(&harness, point);
        harness.hover_at(pos);
        harness.drag_at(pos);
        harness.drop_at(pos);
        harness.run();
        let events = std::mem::take(&mut harness.state_mut().events);
        let kinds: Vec<PointerKind> = events.iter().map(|event| event.kind).collect();
        assert_eq!(kinds, [PointerKind::Press, PointerKind::Release, PointerKind::Click]);
        assert!(events.iter().all(|event| event.button == PointerButton::Primary));
        let hit = events[2].hit.unwrap();
        assert!(hit.distance(point) < 0.05, "{hit} for {point}");
    }
}

/// Views the level from below, so that all floors show their back faces.
#[test]
fn faces_seen_from_behind_can_be_left_out_of_picture_and_picking() {
    let lit = |harness: &mut Harness<'static, Window>| n_pixels(harness, |p| p[0] > 35);
    let click = |harness: &mut _| hit_by_click(harness, vec3(-2.0, 0.0, 1.0));
    let mut harness = window(|window| window.viewport.look_from(Side::Bottom));
    assert!(lit(&mut harness) > 20_000);
    assert!(click(&mut harness).is_some());
    harness.state_mut().level = Some(LevelView { hide_backs: true, ..level() });
    harness.run();
    // The step's wall is seen edge-on.
    assert!(lit(&mut harness) < 5_000, "{} pixels are seen", lit(&mut harness));
    assert_eq!(click(&mut harness), None);
}

#[test]
fn drag_with_the_left_button_belongs_to_the_tools() {
    let mut harness = window(|_| ());
    let before = *harness.state().viewport.camera();
    drag(&mut harness, Button::Primary, vec2(40.0, 10.0), Modifiers::NONE);
    let kinds: Vec<PointerKind> = harness.state().events.iter().map(|event| event.kind).collect();
    assert_eq!(kinds.first(), Some(&PointerKind::Press));
    assert_eq!(kinds.last(), Some(&PointerKind::Release));
    assert!(kinds.contains(&PointerKind::Drag) && !kinds.contains(&PointerKind::Click));
    assert_eq!(*harness.state().viewport.camera(), before);
}

/// Events of the pointer that arrive within one frame: a press, a move, and a release before the next move.
fn in_one_frame(from: Pos2, to: Pos2, beyond: Pos2) -> [egui::Event; 4] {
    let button = |pos, pressed| egui::Event::PointerButton {
        pos,
        button: Button::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    let moved = egui::Event::PointerMoved;
    [button(from, true), moved(to), button(to, false), moved(beyond)]
}

#[test]
fn a_drag_within_one_frame_begins_at_the_press_and_ends_at_the_release() {
    let points = [vec3(-4.0, 0.0, -2.0), vec3(1.0, 0.0, 2.0), vec3(-1.0, 0.0, 4.0)];
    for n_events in [2, 4] {
        let mut harness = window(|_| ());
        let [from, to, beyond] = points.map(|point| at(&harness, point));
        harness.hover_at(from);
        harness.step();
        let events = in_one_frame(from, to, beyond);
        harness.input_mut().events.extend_from_slice(&events[..n_events]);
        harness.run();
        let expected = [PointerKind::Press, PointerKind::Drag, PointerKind::Release];
        let events = std::mem::take(&mut harness.state_mut().events);
        let kinds: Vec<PointerKind> = events.iter().map(|event| event.kind).collect();
        assert_eq!(kinds, expected[..events.len()], "after {n_events} events");
        assert_eq!(events.len(), if n_events == 2 { 2 } else { 3 });
        for (event, point) in events.iter().zip([points[0], points[1], points[1]]) {
            let hit = event.hit.unwrap();
            assert!(hit.distance(point) < 0.05, "{:?} at {hit} instead of {point}", event.kind);
        }
    }
}

#[test]
fn a_press_outside_the_view_does_not_belong_to_it() {
    let mut harness = window(|_| ());
    let inside = at(&harness, vec3(-2.0, 0.0, 1.0));
    let outside = pos2(-5.0, -5.0);
    let events = in_one_frame(outside, inside, inside);
    harness.input_mut().events.extend_from_slice(&events);
    harness.run();
    assert_eq!(harness.state().events, []);
}

#[test]
fn buttons_and_keys_steer_the_camera() {
    let steer = |button, with| {
        let mut harness = window(|window| window.viewport.look_from(Side::Front));
        let before = *harness.state().viewport.camera();
        drag(&mut harness, button, vec2(60.0, 20.0), with);
        assert_eq!(harness.state().events, [], "no tool hears of it");
        (before, *harness.state().viewport.camera())
    };
    for (button, with) in [(Button::Middle, Modifiers::NONE), (Button::Primary, Modifiers::ALT)] {
        let (before, after) = steer(button, with);
        assert_eq!(after.target, before.target);
        assert!(after.yaw < before.yaw && after.pitch > before.pitch);
    }
    let (before, after) = steer(Button::Middle, Modifiers::SHIFT);
    assert_eq!(after.yaw, before.yaw);
    assert!(after.target.x < before.target.x && after.target.y > before.target.y);
    let (before, after) = steer(Button::Secondary, Modifiers::NONE);
    assert!(after.eye().distance(before.eye()) < 1e-3 && after.yaw != before.yaw);
}

#[test]
fn presets_change_what_drags_do() {
    let steer = |navigation, button, with| {
        let mut harness = window(move |window| {
            window.viewport.set_navigation(navigation);
            window.viewport.look_from(Side::Front);
        });
        let before = *harness.state().viewport.camera();
        drag(&mut harness, button, vec2(40.0, 0.0), with);
        (before, *harness.state().viewport.camera())
    };
    let (before, after) = steer(Navigation::Unity, Button::Middle, Modifiers::NONE);
    assert!(after.yaw == before.yaw && after.target.x < before.target.x, "pans");
    let (before, after) = steer(Navigation::Walkable, Button::Middle, Modifiers::NONE);
    assert!(after.yaw < before.yaw && after.target == before.target, "orbits");
    let (before, after) = steer(Navigation::Maya, Button::Secondary, Modifiers::ALT);
    assert!(after.yaw == before.yaw && after.distance < before.distance, "comes nearer");
}

#[test]
fn a_right_click_is_a_click_and_a_right_drag_is_not() {
    let mut harness = window(|_| ());
    drag(&mut harness, Button::Secondary, vec2(1.0, 0.0), Modifiers::NONE);
    let clicks: Vec<_> = harness.state().events.iter().map(|e| (e.kind, e.button)).collect();
    assert_eq!(clicks, [(PointerKind::Click, PointerButton::Secondary)]);
}

#[test]
fn keys_fly_while_the_right_button_looks() {
    let flight = |scroll: f32| {
        let mut harness = window(|window| window.viewport.look_from(Side::Front));
        let before = *harness.state().viewport.camera();
        let from = pos2(200.0, 150.0);
        let press = |pressed| egui::Event::PointerButton {
            pos: from,
            button: Button::Secondary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        harness.hover_at(from);
        harness.event(press(true));
        harness.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            source: egui::MouseWheelSource::Wheel,
            delta: vec2(0.0, scroll),
            phase: egui::TouchPhase::Move,
            modifiers: Modifiers::NONE,
        });
        // The window library spreads scrolling over some frames.
        (0..30).for_each(|_| harness.step());
        assert_eq!(harness.state().viewport.camera().distance, before.distance, "no zoom");
        harness.key_down(egui::Key::W);
        harness.step();
        harness.step();
        harness.key_up(egui::Key::W);
        harness.event(press(false));
        harness.run();
        assert_eq!(harness.state().events, [], "flying is not clicking");
        before.eye().z - harness.state().viewport.camera().eye().z
    };
    let plain = flight(0.0);
    assert!(plain > 0.1, "{plain}");
    let fast = flight(600.0);
    assert!(fast > 2.0 * plain, "the wheel sets the speed: {fast} and {plain}");
}

#[test]
fn the_wheel_zooms_to_the_pointer() {
    let mut harness = window(|_| ());
    let point = vec3(-3.0, 0.0, 2.0);
    let pos = at(&harness, point);
    let before = harness.state().viewport.camera().distance;
    harness.hover_at(pos);
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, 120.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    for _ in 0..20 {
        harness.step();
    }
    harness.run();
    assert!(harness.state().viewport.camera().distance < before * 0.85);
    assert!(at(&harness, point).distance(pos) < 1.0, "the place under the pointer stays there");
}

#[test]
fn commands_move_the_camera_in_a_short_while() {
    let mut harness = window(|_| ());
    assert!(harness.state().viewport.camera().pitch > 1.5, "starts from above");
    harness.by_id("viewport.right").click();
    harness.run();
    assert!(harness.state().viewport.camera().axes().forward.distance(Vec3::NEG_X) < 1e-4);
    harness.by_id("viewport.switch-projection").click();
    harness.run();
    assert!(harness.state().viewport.camera().is_orthographic);
    harness.by_id("viewport.top-view").click();
    harness.run();
    assert!(harness.state().viewport.camera().axes().forward.distance(Vec3::NEG_Y) < 1e-4);
    assert_eq!(harness.state().events, [], "what is over the view is not in it");
}

#[test]
fn the_picture_is_drawn_again_only_when_it_changes() {
    let mut harness = window(|window| window.batches = vec![batch(DrawList::default())]);
    let n_drawn = |harness: &mut Harness<'static, Window>| {
        harness.run();
        harness.render().unwrap();
        harness.state().viewport.gpu.as_ref().unwrap().n_drawn()
    };
    let first = n_drawn(&mut harness);
    harness.hover_at(pos2(100.0, 100.0));
    assert_eq!(n_drawn(&mut harness), first, "hovering changes nothing");
    harness.state_mut().batches[0].opacity = 0.5;
    assert_eq!(n_drawn(&mut harness), first + 1);
    harness.state_mut().batches[0].revision = 2;
    assert_eq!(n_drawn(&mut harness), first + 2);
    harness.state_mut().foreground.point(Vec3::ZERO, 5.0, Paint::Accent);
    assert_eq!(n_drawn(&mut harness), first + 3);
    harness.state_mut().theme = Theme::LIGHT;
    assert_eq!(n_drawn(&mut harness), first + 4);
    harness.state_mut().batches.clear();
    assert_eq!(n_drawn(&mut harness), first + 5);
    assert_eq!(n_drawn(&mut harness), first + 5);
}

#[test]
fn works_without_a_graphics_device() {
    let builder = Harness::builder().with_size(SIZE).with_max_steps(30);
    let mut harness = builder.build_eframe(|cc| Window::new(cc));
    harness.run();
    assert!(harness.state().viewport.gpu.is_none(), "no device was asked for");
    harness.text("3D viewport");
    let bounds = harness.state().bounds();
    harness.state_mut().viewport.top_view(bounds);
    harness.run();
    let hit = hit_by_click(&mut harness, vec3(-2.0, 0.0, 1.0)).unwrap();
    assert!(hit.distance(vec3(-2.0, 0.0, 1.0)) < 0.05);
}

#[test]
fn without_a_level_the_navmesh_is_hit() {
    let mut list = DrawList::default();
    list.fill(
        &[vec3(-5.0, 3.0, -5.0), vec3(-5.0, 3.0, 5.0), vec3(5.0, 3.0, 5.0)],
        Paint::Area(AreaId(0)),
    );
    let mut harness = window(move |window| {
        window.viewport.top_view(list.bounds());
        window.level = None;
        window.batches = vec![batch(list)];
    });
    let hit = hit_by_click(&mut harness, vec3(-2.0, 3.0, 2.0)).unwrap();
    assert!((hit.y - 3.0).abs() < 1e-3);
}

#[test]
fn light_surfaces_are_light() {
    let mut harness = window(|window| {
        window.theme = Theme::LIGHT;
        window.level = None;
    });
    let light = |[r, g, b]: [u8; 3]| r > 200 && g > 200 && b > 200;
    assert!(n_pixels(&mut harness, light) > 100_000);
}

#[test]
fn far_batches_are_coarse_if_memory_is_short() {
    let line = |n: u16| [vec3(-4.0, 0.5, f32::from(n) * 1e-3), vec3(-3.0, 0.5, 0.0)];
    let lines = |_| {
        let mut list = DrawList::default();
        (0..4000).for_each(|n| list.line(line(n), 1.0, Paint::OffMesh));
        list
    };
    let batches = (1u16..=6).map(|n| {
        let id = PictureId::LayerTile(n.into());
        Batch { id, distance: f32::from(n), ..batch(lines(n)) }
    });
    let batches: Vec<_> = batches.collect();
    let mut harness = window(move |window| window.batches = batches);
    let mut n_lines = |budget: usize| {
        harness.state().viewport.set_budget(budget);
        harness.state_mut().foreground.point(Vec3::ZERO, 5.0, Paint::Accent);
        harness.run();
        harness.render().unwrap();
        let gpu = harness.state().viewport.gpu.as_ref().unwrap();
        (gpu.n_lines_drawn(), gpu.n_bytes())
    };
    let (all, n_bytes) = n_lines(usize::MAX);
    assert_eq!(all, 24_000);
    let (some, fewer) = n_lines(n_bytes / 2);
    assert!((8000..20_000).contains(&some) && fewer <= n_bytes / 2, "{some} in {fewer}");
    let (few, least) = n_lines(n_bytes / 20);
    assert!(few < 4000 && least <= n_bytes / 20, "{few} in {least}");
    assert_eq!(n_lines(usize::MAX).0, all, "what was dropped comes back");
}

#[test]
fn very_many_far_batches_are_all_drawn_with_little_memory() {
    let lines = || {
        let mut list = DrawList::default();
        let line = |n: u16| [vec3(-4.0, 0.5, f32::from(n) * 1e-3), vec3(-3.0, 0.5, 0.0)];
        (0..800).for_each(|n| list.line(line(n), 1.0, Paint::OffMesh));
        list
    };
    let batches = (1u16..=100).map(|n| {
        let id = PictureId::LayerTile(n.into());
        Batch { id, distance: f32::from(n), ..batch(lines()) }
    });
    let batches: Vec<_> = batches.collect();
    let mut harness = window(move |window| window.batches = batches);
    harness.render().unwrap();
    let all = harness.state().viewport.gpu.as_ref().unwrap().n_bytes();
    harness.state().viewport.set_budget(all / 5);
    // Each picture may upload only some of them.
    for _ in 0..40 {
        harness.state_mut().foreground.point(Vec3::ZERO, 5.0, Paint::Accent);
        harness.run();
        harness.render().unwrap();
    }
    let gpu = harness.state().viewport.gpu.as_ref().unwrap();
    assert!(gpu.n_batches_drawn() >= 100, "{} are drawn", gpu.n_batches_drawn());
    assert!(gpu.n_bytes() <= all / 5);
}

#[test]
fn a_picture_too_large_for_the_device_is_coarse_while_it_moves() {
    let mut list = DrawList::default();
    let line = |n: u16| [vec3(-4.0, 0.5, 0.0), vec3(-3.0, 0.5, f32::from(n) * 1e-4)];
    (0..60_000).for_each(|n| list.line(line(n), 1.0, Paint::OffMesh));
    let n_lines = |harness: &Harness<'static, Window>| {
        let gpu = harness.state().viewport.gpu.as_ref().unwrap();
        gpu.n_lines_drawn()
    };
    let mut harness = window(move |window| window.batches = vec![batch(list)]);
    harness.render().unwrap();
    assert_eq!(n_lines(&harness), 60_000, "at rest all is drawn");
    harness.state_mut().viewport.look_from(Side::Left);
    harness.step();
    harness.render().unwrap();
    assert!(n_lines(&harness) < 20_000, "{} lines while it moves", n_lines(&harness));
    harness.run();
    harness.render().unwrap();
    assert_eq!(n_lines(&harness), 60_000, "at rest all is drawn again");
}

#[test]
fn a_level_too_large_for_the_budget_is_drawn_simplified() {
    // The coarse level has no step.
    let mut coarse = level();
    let floor = vec![[0, 1, 2], [0, 2, 3]];
    coarse.mesh = Arc::new(TriMesh::new(coarse.mesh.vertices().to_vec(), floor).unwrap());
    let coarse = CoarseLevel { mesh: coarse.mesh, edges: Arc::new(Vec::new()), appearance: None };
    let mut harness = window(move |window| {
        window.level = Some(LevelView { coarse: Some(Arc::new(coarse)), ..level() });
    });
    let gray = |[r, g, b]: [u8; 3]| r > 90 && r.abs_diff(g) < 12 && g.abs_diff(b) < 14;
    let whole = n_pixels(&mut harness, gray);
    assert!(!harness.state().viewport.simplifies_level());
    for (budget, is_simplified) in [(1000, true), (1 << 20, false)] {
        harness.state().viewport.set_budget(budget);
        // A picture is drawn again when it changes.
        harness.state_mut().slice = Slice { bottom: -50.0, top: budget as f32 };
        harness.run();
        let n_gray = n_pixels(&mut harness, gray);
        assert_eq!(n_gray < whole - 1000, is_simplified, "{n_gray} of {whole}");
        assert_eq!(harness.state().viewport.simplifies_level(), is_simplified);
    }
}

#[test]
fn what_lies_outside_the_slice_is_neither_drawn_nor_picked() {
    let (low, high) = (vec3(-2.0, 0.0, 1.0), vec3(4.0, 1.0, 1.0));
    let mut list = DrawList::default();
    list.point(low, 20.0, Paint::Problem);
    list.line([vec3(-4.0, 0.0, 3.0), vec3(1.0, 0.0, 3.0)], 6.0, Paint::OffMesh);
    let mut harness = window(|window| window.batches = vec![batch(list)]);
    let lit = |harness: &mut Harness<'static, Window>| n_pixels(harness, |p| p[0] > 35);
    let all = lit(&mut harness);
    assert!(n_of(&mut harness, Paint::Problem) > 50 && n_of(&mut harness, Paint::OffMesh) > 50);
    harness.state_mut().slice = Slice { bottom: 0.5, top: 2.0 };
    harness.run();
    assert!(lit(&mut harness) < all / 2, "the lower floor is gone");
    let left = [Paint::Problem, Paint::OffMesh].map(|paint| n_of(&mut harness, paint));
    assert_eq!(left, [0, 0]);
    assert_eq!(hit_by_click(&mut harness, low), None);
    assert!(hit_by_click(&mut harness, high).is_some());
}

/// Returns a floor that is visible in one half only.
fn floor_in(half: ViewHalf, paint: Paint) -> Batch {
    let mut list = DrawList::default();
    let (min, max) = (vec3(-4.0, 1.5, -4.0), vec3(4.0, 1.6, 4.0));
    list.blocks.push(Block { min, max, cell_size: 100.0, paint });
    Batch { id: PictureId::Search(half), half, ..batch(list) }
}

#[test]
fn a_divider_shows_each_half_its_own() {
    let mut harness = window(|window| {
        window.batches =
            vec![floor_in(ViewHalf::Left, Paint::Start), floor_in(ViewHalf::Right, Paint::Problem)];
        window.split = Split::Divider(0.5);
    });
    let sides = |harness: &mut Harness<'static, Window>| {
        [Paint::Start, Paint::Problem].map(|paint| n_of(harness, paint))
    };
    let [left, right] = sides(&mut harness);
    assert!(left > 5_000 && left.abs_diff(right) < left / 10, "{left} and {right}");
    harness.state_mut().split = Split::Divider(0.4);
    harness.run();
    let [fewer, more] = sides(&mut harness);
    assert!(fewer < left && more > right);
    harness.state_mut().split = Split::Divider(0.0);
    harness.run();
    assert_eq!(sides(&mut harness)[0], 0);
}

#[test]
fn twins_show_the_whole_twice_each_with_its_own() {
    let mut lines = DrawList::default();
    lines.line([vec3(-4.0, 3.0, 0.0), vec3(4.0, 3.0, 0.0)], 8.0, Paint::Path);
    let mut harness = window(move |window| {
        window.batches =
            vec![floor_in(ViewHalf::Left, Paint::Start), floor_in(ViewHalf::Right, Paint::Problem)];
        window.foreground = lines;
        window.split = Split::Twins;
    });
    let counts = [Paint::Start, Paint::Problem].map(|paint| n_of(&mut harness, paint));
    // The axes cover a part of the right half.
    assert!(counts[1] > 20_000 && counts[0].abs_diff(counts[1]) < counts[0] / 8, "{counts:?}");
    let image = harness.render().unwrap();
    let colors = [Paint::Start, Paint::Problem].map(|paint| Theme::DARK.paint(paint).to_array());
    let middle = image.width() / 2;
    let line = Theme::DARK.paint(Paint::Path).to_array();
    let of_line = image.enumerate_pixels().filter(|(_, _, pixel)| pixel.0 == line);
    let (left, right): (Vec<_>, Vec<_>) = of_line.partition(|(x, ..)| *x < middle);
    let lengths = [left.len(), right.len()];
    assert!(lengths[0] > 500 && lengths[0].abs_diff(lengths[1]) < lengths[0] / 4, "{lengths:?}");
    for (x, _, pixel) in image.enumerate_pixels() {
        assert!(pixel.0 != colors[0] || x < middle, "the left one's own");
        assert!(pixel.0 != colors[1] || x >= middle, "the right one's own");
    }
    // The same point has the same position in both halves.
    let place = at(&harness, vec3(1.0, 0.0, 1.0));
    let aside = vec2(SIZE.x * 0.5, 0.0);
    for place in [place, place + aside] {
        harness.hover_at(place);
        harness.drag_at(place);
        harness.drop_at(place);
        harness.run();
    }
    let hits: Vec<_> = harness.state_mut().events.drain(..).filter_map(|event| event.hit).collect();
    let [first, .., last] = hits[..] else { panic!("two clicks: {hits:?}") };
    assert!(first.distance(last) < 0.05, "{first} {last}");
}

#[test]
fn twins_show_what_one_picture_did() {
    let mut harness = window(|_| ());
    let corners = [vec3(-4.0, 0.0, -4.0), vec3(4.0, 0.0, 4.0)];
    let before = harness.state().viewport.camera().distance;
    harness.state_mut().split = Split::Twins;
    for _ in 0..30 {
        harness.step();
    }
    for corner in corners {
        let seen = at(&harness, corner);
        assert!(Rect::from_min_size(Pos2::ZERO, SIZE * vec2(0.5, 1.0)).contains(seen), "{seen}");
    }
    harness.state_mut().split = Split::None;
    for _ in 0..30 {
        harness.step();
    }
    let after = harness.state().viewport.camera().distance;
    assert!((after - before).abs() < 1e-3 * before, "{before} {after}");
}

#[test]
fn captions_are_written_where_they_fit_and_are_seen() {
    let caption = |at, text: &str, reach| Caption {
        at,
        text: text.to_owned(),
        style: CaptionStyle::Surface { reach },
    };
    let mut harness = window(move |window| {
        window.captions = vec![
            caption(vec3(-2.0, 0.0, 0.0), "large", 3.0),
            caption(vec3(-2.0, 0.0, 0.1), "covered", 2.0),
            caption(vec3(4.0, 1.0, 3.0), "too small", 0.01),
            caption(vec3(4.0, 1.0, -3.0), "high", 1.0),
            caption(vec3(4.0, -3.0, 3.0), "below the ground", 3.0),
        ];
    });
    harness.text("large");
    harness.text("high");
    for hidden in ["covered", "too small", "below the ground"] {
        assert!(harness.n_texts(hidden) == 0, "{hidden} is shown");
    }
    harness.state_mut().slice = Slice { bottom: -1.0, top: 0.5 };
    harness.run();
    assert!(harness.n_texts("high") == 0);
}

#[test]
fn surroundings_are_found_beside_a_navmesh_without_a_level() {
    let mut list = DrawList::default();
    list.fill(
        &[vec3(-5.0, 0.2, -5.0), vec3(-5.0, 0.2, 5.0), vec3(0.0, 0.2, 5.0)],
        Paint::Area(AreaId(0)),
    );
    let mut harness = window(move |window| {
        window.surroundings = window.level.take();
        window.batches = vec![batch(list)];
        window.viewport.top_view(Aabb::new(Vec3::splat(-5.0), Vec3::splat(5.0)));
    });
    for (point, height) in [(vec3(-4.0, 0.2, 4.0), 0.2), (vec3(1.0, 0.0, 1.0), 0.0)] {
        let hit = hit_by_click(&mut harness, point).expect("something is there");
        assert!((hit.y - height).abs() < 1e-3, "at {point}: {hit}");
    }
}

#[test]
fn surroundings_are_drawn_and_found_outside_their_hole() {
    let mut harness = window(|window| {
        let lower = level();
        let vertices = lower.mesh.vertices().iter().map(|&at| at - Vec3::Y).collect();
        let mesh = Arc::new(TriMesh::new(vertices, lower.mesh.triangles().to_vec()).unwrap());
        let bvh = Arc::new(Bvh::build(mesh.as_ref()));
        // The level covers the left half, its surroundings the rest.
        let hole = Some(Aabb::new(vec3(-9.0, -9.0, -9.0), vec3(0.0, 9.0, 9.0)));
        window.surroundings = Some(LevelView { mesh, bvh, hole, edges: Arc::default(), ..lower });
        let left = vec![vec3(-5.0, 0.0, -5.0), vec3(-5.0, 0.0, 5.0), vec3(0.0, 0.0, 5.0)];
        let mesh = Arc::new(TriMesh::new(left, vec![[0, 1, 2]]).unwrap());
        let bvh = Arc::new(Bvh::build(mesh.as_ref()));
        window.level = Some(LevelView { mesh, bvh, ..level() });
        window.viewport.top_view(Aabb::new(Vec3::splat(-5.0), Vec3::splat(5.0)));
    });
    let points = [
        (vec3(-4.0, 0.0, 4.0), Some(0.0)),
        (vec3(-1.0, 0.0, -4.0), None),
        (vec3(1.0, -1.0, 1.0), Some(-1.0)),
        (vec3(4.0, 0.0, 1.0), Some(0.0)),
    ];
    let lit = brightness(&mut harness, points.map(|(point, _)| point)).map(|light| light > 60);
    assert_eq!(lit, points.map(|(_, height)| height.is_some()));
    for (point, height) in points {
        let hit = hit_by_click(&mut harness, point);
        assert_eq!(hit.map(|hit| hit.y.round()), height, "at {point}");
    }
}
