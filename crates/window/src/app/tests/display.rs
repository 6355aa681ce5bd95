//! Tests of the 3D view's display options, in the whole window.

use std::{
    fs,
    path::{Path, PathBuf},
};

use eframe::egui::{self, Key, Modifiers, vec2};
use egui_kittest::{Harness, Node};
use glam::Vec3;
use walkable::{
    bake::{AreaVolume, BakeSettings, Partition, RawArea, VolumeShape},
    debug_draw::Paint,
    diagnostic::Phrase,
    geom::Aabb,
};
use walkable_editor::{
    command::{
        AnimationCommand, Command, DisplayCommand, Pane, PathCommand, SceneItemCommand, ViewCommand,
    },
    level_colors::LevelColors,
    pictures::{Batch, Pictures},
    session::{
        AnimationState, ColorBy, Edit, Hover, LabelKind, LevelSource, Overlay, PathShow, Replay,
        SceneItem, Second, Slice, ToolKind, new_link, with_link,
    },
};
use walkable_workspace::stage_view::StageView;

use super::{
    App, baked, baked_in, click, document::wait, drag, press, settle, steps, trigger, with_radius,
};
use crate::{
    app::scene::items_picture,
    panels::inspect::hover_answer,
    testing::{Find as _, save},
};

/// Renders the window, and saves the picture in the folder `WALKABLE_PICTURES`, if set, for inspection.
pub(super) fn picture(harness: &mut Harness<'static, App>, name: &str) -> image::RgbaImage {
    let image = harness.render().unwrap();
    save(&image, name);
    image
}

/// Returns the middle of the 3D view, where no overlay covers it.
pub(super) fn middle(image: &image::RgbaImage) -> image::RgbaImage {
    image::imageops::crop_imm(image, 660, 60, 420, 380).to_image()
}

/// Waits until all pictures have faded in.
pub(super) fn rest(harness: &mut Harness<'static, App>) {
    harness.step();
    while harness.state().view.changing {
        harness.step();
    }
    harness.step();
}

#[test]
fn keys_look_along_the_axes() {
    let mut harness = baked();
    for (key, forward) in [
        (Key::Num1, Vec3::NEG_Z),
        (Key::Num2, Vec3::Z),
        (Key::Num3, Vec3::NEG_X),
        (Key::Num4, Vec3::X),
        (Key::Num7, Vec3::NEG_Y),
        (Key::Num8, Vec3::Y),
    ] {
        press(&mut harness, Modifiers::COMMAND, key);
        steps(&mut harness, 10);
        let look = harness.state().view.viewport.camera().to_look();
        assert!(look.forward().distance(forward) < 1e-3, "{key:?}: {}", look.forward());
    }
    assert_eq!(
        harness.state().editor.session().tools.tool,
        ToolKind::Select,
        "digits alone are tools"
    );
}

#[test]
fn the_level_is_colored_by_slope() {
    let mut harness = baked();
    trigger(&mut harness, ViewCommand::Stage(StageView::Input).into());
    assert_eq!(harness.n_texts("Slope of the level"), 0);
    trigger(&mut harness, ViewCommand::ColorLevel(LevelColors::Slope).into());
    rest(&mut harness);
    harness.text("Slope of the level");
    harness.text("Max slope: 45°");
    let image = picture(&mut harness, "app-slope-colors");
    // Walls are purple: more red and blue than green.
    let is_wall = |pixel: &&image::Rgba<u8>| {
        let [r, g, b, _] = pixel.0;
        r > g + 15 && b > g + 25
    };
    let n_walls = middle(&image).pixels().filter(is_wall).count();
    assert!(n_walls > 2000, "{n_walls} pixels");
}

/// Writes a level of two squares side by side: one with the texture `brick.png`, one with the texture of a file that does
/// not exist.
fn textured_level(folder: &Path) -> PathBuf {
    let red_and_green =
        |x, _| if x < 2 { image::Rgb([230, 20, 20]) } else { image::Rgb([20, 200, 20]) };
    image::RgbImage::from_fn(4, 4, red_and_green).save(folder.join("brick.png")).unwrap();
    let mtl = "newmtl brick\nmap_Kd brick.png\nnewmtl lost\nKd 0 0 1\nmap_Kd lost.png\n";
    fs::write(folder.join("level.mtl"), mtl).unwrap();
    let obj = "mtllib level.mtl\nv 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nv 40 0 20\nv 40 0 0\n\
        vt 0 0\nvt 0 1\nvt 1 1\nvt 1 0\nusemtl brick\nf 1/1 2/2 3/3 4/4\nusemtl lost\nf 4 3 5 6\n";
    let path = folder.join("level.obj");
    fs::write(&path, obj).unwrap();
    path
}

#[test]
fn textures_of_the_level_are_drawn_and_a_missing_one_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let path = textured_level(folder.path());
    let mut harness = baked();
    trigger(&mut harness, Command::Load(LevelSource::File(path)));
    wait(&mut harness, "the level", |app| {
        app.editor.session().opened.level.as_ref().is_some_and(|level| level.appearance.is_some())
    });
    let level = harness.state().editor.session().opened.level.clone().unwrap();
    let warnings: Vec<_> = level.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("texture \"lost.png\": not drawn"), "{}", warnings[0]);
    assert_eq!(level.beside.len(), 2, "both side files are watched");
    trigger(&mut harness, ViewCommand::Stage(StageView::Input).into());
    trigger(&mut harness, ViewCommand::Top.into());
    rest(&mut harness);
    let mut n_of = |colors, name| {
        trigger(&mut harness, ViewCommand::ColorLevel(colors).into());
        rest(&mut harness);
        let image = picture(&mut harness, name);
        let image = image::imageops::crop_imm(&image, 300, 220, 780, 390).to_image();
        let brightest = |channel: usize| {
            let is = |pixel: &&image::Rgba<u8>| {
                let others = (0..3).filter(|&other| other != channel);
                others.into_iter().all(|other| pixel[channel] > pixel[other].saturating_add(40))
            };
            image.pixels().filter(is).count()
        };
        [0, 1, 2].map(brightest)
    };
    let [red, green, blue] = n_of(LevelColors::Texture, "app-textures");
    assert!(red > 5000 && green > 5000 && blue > 10_000, "{red} {green} {blue} pixels");
    assert!(red.abs_diff(green) < red / 5, "{red} and {green} pixels");
    let [red, green, blue] = n_of(LevelColors::Material, "app-base-colors");
    assert!(red == 0 && green == 0 && blue > 10_000, "{red} {green} {blue} pixels");
}

#[test]
fn stages_are_seen_under_the_one_shown() {
    let mut harness = baked();
    rest(&mut harness);
    let alone = picture(&mut harness, "app-navmesh");
    trigger(&mut harness, DisplayCommand::Under(StageView::Regions, Some(0.8)).into());
    trigger(&mut harness, DisplayCommand::Under(StageView::ContoursRaw, Some(1.0)).into());
    trigger(&mut harness, DisplayCommand::Stage(0.4).into());
    trigger(&mut harness, Command::ShowPanel(Pane::Display));
    rest(&mut harness);
    harness.text("With regions, raw contours");
    assert_ne!(picture(&mut harness, "app-under"), alone);
    trigger(&mut harness, DisplayCommand::Level(0.2).into());
    trigger(&mut harness, Command::ToggleTheme);
    rest(&mut harness);
    picture(&mut harness, "app-ghost-level-light");
}

#[test]
fn the_legend_lists_what_is_drawn_of_the_path() {
    let mut harness = baked();
    let path =
        ["Corridor of the path", "Edge that the path crosses", "Polygons that were searched"];
    let n_listed = |harness: &Harness<'_, App>| {
        path.map(|text| harness.n_texts(text)).iter().filter(|&&n| n > 0).count()
    };
    let all = PathShow { corridor: true, portals: true, expanded: true, line: true, breaks: true };
    trigger(&mut harness, PathCommand::Show(all).into());
    assert_eq!(n_listed(&harness), 3);
    trigger(&mut harness, PathCommand::Show(PathShow { corridor: false, ..all }).into());
    assert_eq!(harness.n_texts("Corridor of the path"), 0);
    trigger(&mut harness, ViewCommand::Stage(StageView::Spans).into());
    assert_eq!(harness.n_texts("Edge that the path crosses"), 0, "only the line is drawn");
    trigger(&mut harness, ViewCommand::Stage(StageView::Input).into());
    assert_eq!(n_listed(&harness), 0, "there are no polygons yet");
    trigger(&mut harness, ViewCommand::Stage(StageView::Compact).into());
    harness.text("Not linked: step, drop or low clearance");
    trigger(&mut harness, ViewCommand::Stage(StageView::Navmesh).into());
    trigger(&mut harness, PathCommand::Clear.into());
    assert_eq!(harness.n_texts("Polygons that were searched"), 0);
}

#[test]
fn every_coloring_is_distinct_and_has_a_legend() {
    let mut harness = baked();
    let tiled = |settings: &BakeSettings| {
        let tiled = BakeSettings { tile_size: 32, ..settings.clone() };
        Edit::Settings(Box::new(tiled))
    };
    let edit = tiled(&harness.state().editor.session().document().settings);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Split into tiles"), edit));
    trigger(&mut harness, Command::from(PathCommand::Clear));
    let mut pictures = Vec::new();
    for by in ColorBy::ALL {
        trigger(&mut harness, DisplayCommand::ColorBy(by).into());
        rest(&mut harness);
        pictures.push(picture(&mut harness, &format!("app-color-{}", by.name())));
        match by {
            ColorBy::Area => assert!(harness.n_texts("Ground") > 1),
            ColorBy::Slope => assert!(harness.n_texts("45°") > 0),
            ColorBy::Cost => drop(harness.text("1 a meter")),
            ColorBy::BakeTime => drop(harness.text("0 ms")),
            ColorBy::Memory => drop(harness.text("0 B")),
            ColorBy::SurfaceDistance => assert_eq!(harness.n_texts_with(" m above"), 1),
            ColorBy::Region | ColorBy::Tile | ColorBy::Island | ColorBy::Cluster => {
                let legend = format!("One color per {}", by.name().to_lowercase());
                harness.text(&legend);
            }
        }
    }
    for (n, one) in pictures.iter().enumerate() {
        assert!(pictures[..n].iter().all(|other| other != one), "{:?}", ColorBy::ALL[n]);
    }
}

#[test]
fn overlays_are_drawn() {
    let mut harness = baked();
    let settings = harness.state().editor.session().document().settings.clone();
    let edit = Edit::Settings(Box::new(BakeSettings { tile_size: 32, ..settings }));
    trigger(&mut harness, Command::Change(Phrase::verbatim("Split into tiles"), edit));
    trigger(&mut harness, Command::from(PathCommand::Clear));
    for overlay in Overlay::ALL {
        let stage = match overlay {
            Overlay::WalkableVoxels => StageView::Spans,
            Overlay::RegionLinks => StageView::Regions,
            Overlay::SteepGround => StageView::Input,
            Overlay::TileBounds | Overlay::Portals | Overlay::ClusterLinks | Overlay::BoxTree => {
                StageView::Navmesh
            }
        };
        trigger(&mut harness, ViewCommand::Stage(stage).into());
        rest(&mut harness);
        let without = middle(&picture(&mut harness, "app-overlay-none"));
        trigger(&mut harness, DisplayCommand::ToggleOverlay(overlay).into());
        rest(&mut harness);
        let with = picture(&mut harness, &format!("app-overlay-{}", overlay.name()));
        assert!(middle(&with) != without, "{overlay:?}");
        trigger(&mut harness, DisplayCommand::ToggleOverlay(overlay).into());
        rest(&mut harness);
        assert!(middle(&picture(&mut harness, "app-overlay-none")) == without, "{overlay:?}");
    }
}

#[test]
fn an_end_that_leads_nowhere_is_marked() {
    let mut harness = baked();
    let start = harness.state().editor.session().path.start.unwrap();
    let n_marked = |harness: &Harness<'_, App>| {
        let drawn = Pictures::draw_at_once(harness.state().editor.session());
        let points = drawn.iter().flat_map(Batch::lists).flat_map(|list| &list.points);
        points.filter(|point| point.paint == Paint::Problem).count()
    };
    assert_eq!(n_marked(&harness), 0);
    let document = harness.state().editor.session().document();
    let link = new_link(document, start, start + Vec3::Y * 30.0);
    let (edit, _) = with_link(document, link);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Add off-mesh link"), edit));
    assert_eq!(n_marked(&harness), 1);
}

#[test]
fn the_margin_of_a_volume_is_drawn_and_in_the_legend() {
    let mut harness = baked();
    let start = harness.state().editor.session().path.start.unwrap();
    let shape = VolumeShape::Box(Aabb::new(start - Vec3::ONE, start + Vec3::ONE));
    let mut volume = AreaVolume::new(RawArea::NULL, shape);
    for erode in [false, true] {
        volume.erode = erode;
        let volumes = Edit::Volumes(vec![volume.clone().into()]);
        trigger(&mut harness, Command::Change(Phrase::verbatim("Change volume"), volumes));
        let list = items_picture(&harness.state().editor.view());
        let n_lines = list.lines.iter().filter(|line| line.paint == Paint::VolumeMargin).count();
        assert_eq!(n_lines > 0, erode);
        assert_eq!(harness.n_texts_with("Margin of a volume"), usize::from(erode));
    }
    picture(&mut harness, "app-volume-margin");
}

#[test]
fn labels_are_written_on_the_navmesh() {
    let mut harness = baked();
    trigger(&mut harness, Command::from(ViewCommand::Top));
    assert!(harness.n_texts_with("Tile 0") == 0);
    for kind in LabelKind::ALL {
        trigger(&mut harness, DisplayCommand::ToggleLabel(kind).into());
    }
    rest(&mut harness);
    assert!(harness.n_texts_with("Ground") > 3);
    picture(&mut harness, "app-labels");
    harness.text_with("KiB");
}

#[test]
fn labels_of_nodes_show_the_search_up_to_the_played_step() {
    let mut harness = baked();
    let level = walkable::level::builtin("sample").unwrap().read().unwrap();
    for command in [
        PathCommand::Start(level.start).into(),
        PathCommand::End(level.end).into(),
        Command::from(ViewCommand::Top),
        DisplayCommand::ToggleLabel(LabelKind::Node).into(),
    ] {
        trigger(&mut harness, command);
    }
    rest(&mut harness);
    let all = harness.n_texts_with("\nh ");
    assert!(all > 1, "{all}");
    picture(&mut harness, "app-search-nodes");
    trigger(&mut harness, PathCommand::ShowSearch(Replay::at(1)).into());
    rest(&mut harness);
    harness.text_with("g 0\nh ");
    assert_eq!(harness.n_texts_with("\nh "), 1);
}

#[test]
fn the_baseline_is_drawn_left_of_the_divider() {
    let mut harness = baked();
    press(&mut harness, Modifiers::NONE, Key::C);
    harness.text("Nothing to compare with yet: bake again");
    let edit = with_radius(&harness.state().editor.session().document().settings, 1.4);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Change radius"), edit));
    rest(&mut harness);
    harness.text("Previous bake left, current bake right");
    let before = harness.state().editor.session().bake.before.as_ref().unwrap().totals;
    let now = harness.state().editor.session().bake.totals;
    assert!(now.area < before.area - 1.0, "{now:?} after {before:?}");
    trigger(&mut harness, Command::ShowPanel(Pane::Display));
    rest(&mut harness);
    let middle = picture(&mut harness, "app-divider");
    let grip = harness.by_id("display.divider").rect().center();
    drag(&mut harness, grip, grip + vec2(150.0, 0.0));
    let divider = harness.state().editor.session().shown.display.divider.unwrap();
    assert!(divider > 0.6, "{divider}");
    rest(&mut harness);
    assert_ne!(picture(&mut harness, "app-divider-moved"), middle);
    trigger(&mut harness, DisplayCommand::PinBaseline.into());
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    let kept = harness.state().editor.session().bake.before.as_ref().unwrap();
    assert!(kept.is_pinned && (kept.totals.area - now.area).abs() < 1e-6);
    assert!((harness.state().editor.session().bake.totals.area - before.area).abs() < 1e-6);
    press(&mut harness, Modifiers::NONE, Key::C);
    assert_eq!(harness.state().editor.session().shown.display.divider, None);
}

/// Starts the animation of `stage`, paused before its first step.
fn watch(harness: &mut Harness<'_, App>, stage: StageView) -> AnimationState {
    trigger(harness, ViewCommand::Stage(stage).into());
    harness.state_mut().trigger(AnimationCommand::Watch.into());
    trigger(harness, AnimationCommand::Show(Replay::at(0)).into());
    harness.state().editor.session().animation().unwrap()
}

#[test]
fn a_stage_is_watched_as_it_happens() {
    let mut harness = baked();
    for stage in StageView::ALL.into_iter().filter(|stage| stage.animated().is_some()) {
        trigger(&mut harness, ViewCommand::Stage(stage).into());
        rest(&mut harness);
        let whole = picture(&mut harness, &format!("app-animation-{}-whole", stage.key()));
        let animation = watch(&mut harness, stage);
        assert!(animation.n_steps > 1, "{stage:?}");
        trigger(&mut harness, AnimationCommand::Show(Replay::at(animation.n_steps / 2)).into());
        rest(&mut harness);
        let half = picture(&mut harness, &format!("app-animation-{}", stage.key()));
        assert_ne!(middle(&half), middle(&whole), "{stage:?}");
        harness.by_id("animation.on").click();
        settle(&mut harness);
        let session = &harness.state().editor.session();
        assert_eq!(session.animation().unwrap().replay, Replay::at(animation.n_steps / 2 + 1));
        assert!(session.shown.animation_frames.frame(animation.n_steps / 2).is_some(), "{stage:?}");
        trigger(&mut harness, AnimationCommand::Show(Replay::at(animation.n_steps)).into());
        rest(&mut harness);
        let end = picture(&mut harness, &format!("app-animation-{}-end", stage.key()));
        assert_eq!(middle(&end), middle(&whole), "{stage:?} ends with the finished stage");
        harness.by_id("animation.end").click();
        settle(&mut harness);
        assert_eq!(harness.state().editor.session().animation(), None);
    }
}

#[test]
fn an_animation_waits_for_its_frames_and_is_played_by_keys() {
    let mut harness = baked();
    let animation = |harness: &Harness<'_, App>| harness.state().editor.session().animation();
    trigger(&mut harness, ViewCommand::Stage(StageView::Regions).into());
    for is_playing in [true, false] {
        harness.key_press_modifiers(Modifiers::SHIFT, Key::Space);
        harness.step();
        assert_eq!(animation(&harness).map(|animation| animation.replay.playing), Some(is_playing));
    }
    settle(&mut harness);
    harness.by_id("animation.speed.4").click();
    settle(&mut harness);
    assert!(animation(&harness).unwrap().speed > 3.0);
    press(&mut harness, Modifiers::NONE, Key::ArrowRight);
    assert_eq!(animation(&harness), None, "another stage ends it");
    assert!(
        harness.state().editor.session().shown.animation_frames.frame(0).is_none(),
        "and its frames go"
    );

    watch(&mut harness, StageView::Filtered);
    harness.state_mut().trigger(AnimationCommand::Speed(16.0).into());
    harness.state_mut().trigger(AnimationCommand::Watch.into());
    harness.step();
    while animation(&harness).unwrap().replay.playing {
        let step = animation(&harness).unwrap().shown().unwrap();
        harness.step();
        let next = animation(&harness).unwrap().shown();
        let is_made = harness.state().editor.session().shown.animation_frames.frame(step).is_some();
        assert!(is_made || next == Some(step), "no step is skipped");
    }
    assert_eq!(animation(&harness).unwrap().replay, Replay::default(), "ends at the stage");
}

#[test]
fn a_stage_without_steps_has_no_animation() {
    let mut harness = baked();
    let settings = BakeSettings {
        partition: Partition::Monotone,
        ..harness.state().editor.session().document().settings.clone()
    };
    let edit = Edit::Settings(Box::new(settings));
    trigger(&mut harness, Command::Change(Phrase::verbatim("Cut by sweep"), edit));
    trigger(&mut harness, ViewCommand::Stage(StageView::Distance).into());
    trigger(&mut harness, AnimationCommand::Watch.into());
    assert_eq!(harness.state().editor.session().animation(), None);
    trigger(&mut harness, ViewCommand::Stage(StageView::Navmesh).into());
    trigger(&mut harness, AnimationCommand::Watch.into());
    assert_eq!(harness.state().editor.session().animation(), None);
}

#[test]
fn stories_are_stepped_by_keys() {
    let mut harness = baked();
    let story = |harness: &Harness<'_, App>| harness.state().editor.session().shown.display.story;
    press(&mut harness, Modifiers::NONE, Key::PageUp);
    let (first, n) = story(&harness).unwrap();
    assert!(first == 1 && n >= 2, "{n} stories");
    picture(&mut harness, "app-story");
    harness.text_with(&format!("story 1 of {n}"));
    press(&mut harness, Modifiers::NONE, Key::PageUp);
    assert_eq!(story(&harness), Some((2, n)));
    rest(&mut harness);
    picture(&mut harness, "app-story-2");
    press(&mut harness, Modifiers::NONE, Key::PageDown);
    press(&mut harness, Modifiers::NONE, Key::PageDown);
    assert_eq!(story(&harness), None);
    assert_eq!(harness.state().editor.session().shown.display.slice, Slice::ALL);
}

#[test]
fn two_filters_are_compared_between_the_same_places() {
    let mut harness = baked();
    let mut filter = harness.state().editor.session().path.filter.clone();
    click(&mut harness, "path.compare-with.filter");
    let first = harness.state().editor.session().path.answer.as_ref().unwrap().path.clone();
    let same = harness.state().editor.session().path.second_answer.as_ref().unwrap().path.clone();
    assert_eq!(same.points, first.points);
    filter.area_cost[0] = 5.0;
    let second = Second::Filter(Box::new(filter));
    trigger(&mut harness, Command::from(PathCommand::CompareWith(second)));
    rest(&mut harness);
    let dearer = harness.state().editor.session().path.second_answer.as_ref().unwrap().path.cost;
    assert!(dearer > first.cost);
    harness.text("Second path");
    picture(&mut harness, "app-second-path");
    trigger(&mut harness, DisplayCommand::PinBaseline.into());
    let edit = with_radius(&harness.state().editor.session().document().settings, 0.3);
    trigger(&mut harness, Command::Change(Phrase::verbatim("Change radius"), edit));
    trigger(&mut harness, Command::from(PathCommand::CompareWith(Second::Kept)));
    let path = &harness.state().editor.session().path;
    let (thin, wide) = (path.answer.as_ref().unwrap(), path.second_answer.as_ref().unwrap());
    assert!(thin.path.length < wide.path.length, "a thinner agent takes corners closer");
    rest(&mut harness);
    picture(&mut harness, "app-second-agent");
}

/// Selects `point`, like a click.
fn select(harness: &mut Harness<'static, App>, point: Vec3, triangle: Option<u32>) {
    trigger(harness, Command::Select(Some(Hover { point, triangle })));
}

#[test]
fn the_element_under_the_pointer_is_described_and_highlighted() {
    let mut harness = baked();
    trigger(&mut harness, Command::from(PathCommand::Clear));
    let place = Vec3::new(20.0, 0.0, 12.0);
    for (stage, told) in [
        (StageView::Navmesh, "Reference"),
        (StageView::Regions, "Next to regions"),
        (StageView::Contours, "Across the edge"),
        (StageView::ContoursRaw, "Across the edge"),
        (StageView::Spans, "Reference"),
        (StageView::Input, "Material"),
    ] {
        trigger(&mut harness, ViewCommand::Stage(stage).into());
        trigger(&mut harness, Command::Select(None));
        rest(&mut harness);
        let before = picture(&mut harness, "app-nothing-picked");
        select(&mut harness, place, Some(0));
        rest(&mut harness);
        harness.text(told);
        let after = picture(&mut harness, &format!("app-picked-{}", stage.name()));
        assert_ne!(middle(&before), middle(&after), "{stage:?}");
    }
    trigger(&mut harness, ViewCommand::Stage(StageView::Navmesh).into());
    harness.all_by_id("pick.link.").last().unwrap().click();
    settle(&mut harness);
    let now = harness.state().editor.session().tools.selection.unwrap().point;
    assert!(now.distance(place) > 0.1, "a link leads to another polygon");
}

#[test]
fn no_stage_and_no_group_of_stages_is_cut_off() {
    for width in [800.0, 1280.0, 1600.0] {
        let mut harness = baked_in(vec2(width, 720.0));
        for stage in StageView::ALL {
            trigger(&mut harness, ViewCommand::Stage(stage).into());
            let view = harness.by_id("viewport").rect();
            for entry in harness.all_by_id("view.stage").iter().map(Node::rect) {
                let is_inside = view.left() <= entry.left() && entry.right() <= view.right();
                assert!(is_inside, "{stage:?}: {entry:?} in {view:?} at {width}");
            }
        }
    }
}

#[test]
fn the_camera_goes_to_typed_coordinates() {
    let mut harness = baked();
    press(&mut harness, Modifiers::COMMAND, Key::G);
    let field = harness.by_id("go-to.place");
    field.type_text("x=16, y=0");
    harness.step();
    harness.text_with("Expected three numbers");
    harness.by_id("go-to.place").type_text(", z=9");
    harness.step();
    picture(&mut harness, "app-go-to");
    harness.key_press(Key::Enter);
    settle(&mut harness);
    let place = harness.state().editor.session().tools.selection.unwrap().point;
    assert_eq!(place, Vec3::new(16.0, 0.0, 9.0));
    (0..30).for_each(|_| harness.step());
    let target = harness.state().view.viewport.camera().target;
    assert!(target.distance(place) < 2.0, "{target}");
    harness.text("16.00 0.00 9.00");
    press(&mut harness, Modifiers::COMMAND, Key::G);
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert!(harness.find_id("go-to.place").is_none());
}

#[test]
fn the_camera_moves_to_the_selection() {
    let mut harness = baked();
    let target = |harness: &mut Harness<'_, App>| {
        (0..30).for_each(|_| harness.step());
        harness.state().view.viewport.camera().target
    };
    trigger(&mut harness, Command::from(SceneItemCommand::Select(Some(SceneItem::Volume(0)))));
    let bounds =
        SceneItem::Volume(0).bounds_in(harness.state().editor.session().document()).unwrap();
    press(&mut harness, Modifiers::NONE, Key::F);
    let at_item = target(&mut harness);
    let off = at_item.clamp(bounds.min, bounds.max) - at_item;
    assert!(off.with_y(0.0).length() < 1.0, "{at_item} is beside {bounds:?}");
    trigger(&mut harness, Command::from(SceneItemCommand::Select(None)));
    let point = Vec3::new(16.0, 0.0, 9.0);
    trigger(&mut harness, Command::Select(Some(Hover { point, triangle: None })));
    press(&mut harness, Modifiers::NONE, Key::F);
    let at_place = target(&mut harness);
    assert!(at_place.distance(point) < 1.0, "{at_place}");
    trigger(&mut harness, Command::Select(None));
    press(&mut harness, Modifiers::NONE, Key::F);
    assert!(target(&mut harness).distance(at_place) > 1.0, "the whole level is framed");
}

#[test]
fn the_levels_list_and_the_view_highlight_each_other() {
    let mut harness = baked();
    let level = harness.state().editor.session().opened.level.clone().expect("a level");
    let part = level.mesh.parts().iter().position(|part| &*part.object == "pool").unwrap();
    let row = harness.by_id(format!("level.object.{part}")).rect().center();
    harness.hover_at(row);
    settle(&mut harness);
    assert_eq!(harness.state().editor.session().shown.display.part, Some(part));
    picture(&mut harness, "app-part");
    harness.by_id(format!("level.object.{part}")).click();
    settle(&mut harness);
    (0..30).for_each(|_| harness.step());
    let near = harness.state().view.viewport.camera().distance;
    assert!(near < 25.0, "the camera is {near} m away");
    harness.hover_at(egui::pos2(700.0, 500.0));
    settle(&mut harness);
    assert_eq!(harness.state().editor.session().shown.display.part, None);
}

#[test]
fn the_line_at_the_pointer_stays_in_the_view() {
    let mut harness = baked();
    trigger(&mut harness, ViewCommand::LookAt(Vec3::new(18.0, 0.0, 14.0)).into());
    steps(&mut harness, 60);
    let view = harness.by_id("viewport").rect();
    harness.hover_at(view.right_center() - vec2(12.0, 0.0));
    settle(&mut harness);
    steps(&mut harness, 10);
    let line = harness.ctx.memory(|memory| memory.area_rect(hover_answer::area_id()));
    let line = line.expect("a line at the pointer");
    assert!(line.width() > 50.0 && view.contains_rect(line), "{line:?} in {view:?}");
}
