//! Unsaved work of runs that crashed: what it is, how old it is, what it changes.

mod cases;
mod crowd;
mod differences;

use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

use walkable::diagnostic::Phrase;
use walkable_workspace::{
    document::Document, files, format, lang::tr, scene_files::read_project, text,
};

use self::{
    cases::case_lines,
    crowd::crowd_lines,
    differences::{
        agent_lines, area_lines, budget_lines, filter_lines, import_lines, island_lines,
        jump_lines, named_lines, preset_lines, setting_lines, stroke_lines, surface_lines,
        tile_lines,
    },
};
use crate::session::{LevelSource, SceneItem};

/// Maximum number of differences that are listed for each part.
const MAX_DETAILS: usize = 12;

#[derive(Clone, Debug)]
pub struct RecoveredWork {
    pub file: PathBuf,
    /// Name of the project or level; the path of the file if it cannot be read.
    pub name: String,
    pub was_saved: bool,
    /// The saved project, or a new one if it was never saved, and the recovered one.
    documents: Option<Box<[Document; 2]>>,
    changed: Vec<&'static DocumentPart>,
    written: Option<SystemTime>,
}

impl RecoveredWork {
    /// Reads a recovery file, and the project that it changes.
    pub fn read(file: &Path) -> Self {
        let written = std::fs::metadata(file).and_then(|metadata| metadata.modified()).ok();
        let project = read_project(file).ok();
        let saved = project.as_ref().and_then(|project| project.unsaved_of.clone());
        let name = project.as_ref().map(|project| match &saved {
            Some(of) => LevelSource::File(of.clone()).name(),
            None => project.level.name(),
        });
        let was_saved = saved.is_some();
        let before = saved.and_then(|of| read_project(&of).ok());
        let before = before.map(|project| project.document).unwrap_or_default();
        let documents = project.map(|project| Box::new([before, project.document]));
        Self {
            file: file.to_owned(),
            name: name.unwrap_or_else(|| file.display().to_string()),
            was_saved,
            changed: documents.as_deref().map_or_else(Vec::new, changed_parts),
            documents,
            written,
        }
    }

    /// Names of the parts of the project that differ from the saved one, or from a new one if it was never saved.
    pub fn changes(&self) -> impl Iterator<Item = &'static str> {
        self.changed.iter().map(|part| tr(part.name))
    }

    pub fn comparison(&self) -> Vec<(&'static str, Vec<String>)> {
        let Some([old, new]) = self.documents.as_deref() else { return Vec::new() };
        let lines = |part: &&'static DocumentPart| {
            let mut lines = (part.details)(old, new);
            let n_more = lines.len().saturating_sub(MAX_DETAILS);
            lines.truncate(MAX_DETAILS);
            lines.extend((n_more > 0).then(|| tr!("and {n_more} more")));
            (tr(part.name), lines)
        };
        self.changed.iter().map(lines).collect()
    }

    pub fn age(&self) -> Option<Phrase> {
        let since = |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).ok();
        format::when(since(self.written?)?, since(SystemTime::now())?)
    }

    pub fn is_there(&self) -> bool {
        files::is_file(&self.file)
    }
}

/// A part of a document: its name, whether it differs between two documents, and the differences in words.
#[derive(Debug)]
struct DocumentPart {
    name: &'static str,
    differs: fn(&Document, &Document) -> bool,
    details: fn(&Document, &Document) -> Vec<String>,
}

/// The part of a document that a field holds.
macro_rules! part {
    ($name:expr, $($field:ident).+, $details:expr) => {
        DocumentPart {
            name: $name,
            differs: |old, new| old.$($field).+ != new.$($field).+,
            details: $details,
        }
    };
}

static PARTS: [DocumentPart; 21] = [
    part!(text!("bake settings"), settings, |old, new| {
        setting_lines([&old.settings, &new.settings])
    }),
    part!(text!("agents"), agents, agent_lines),
    part!(text!("jumps and drops"), jumps, |old, new| {
        jump_lines([old.jumps, new.jumps], [&old.settings, &new.settings])
    }),
    part!(text!("import options"), import, |old, new| import_lines([old.import, new.import])),
    part!(text!("areas"), areas, |old, new| area_lines([&old.areas, &new.areas])),
    part!(text!("volumes"), volumes, |old, new| {
        named_lines([old, new], &old.volumes, &new.volumes, SceneItem::Volume)
    }),
    part!(text!("off-mesh links"), off_mesh, |old, new| {
        named_lines([old, new], &old.off_mesh, &new.off_mesh, SceneItem::Link)
    }),
    part!(text!("objects and materials"), surfaces, surface_lines),
    part!(text!("bake boxes"), bounds, |old, new| {
        named_lines([old, new], &old.bounds, &new.bounds, SceneItem::Bound)
    }),
    part!(text!("obstacles"), obstacles, |old, new| {
        named_lines([old, new], &old.obstacles.list, &new.obstacles.list, SceneItem::Obstacle)
    }),
    part!(text!("removed tiles"), removed_tiles, tile_lines),
    part!(text!("painted polygons"), strokes, stroke_lines),
    part!(text!("islands"), islands, island_lines),
    part!(text!("presets"), presets, |old, new| preset_lines(&old.presets, &new.presets)),
    part!(text!("paths"), paths, |old, new| {
        named_lines([old, new], &old.paths, &new.paths, SceneItem::Path)
    }),
    part!(text!("path filter"), path_filter, filter_lines),
    part!(text!("places"), places, |old, new| {
        named_lines([old, new], &old.places, &new.places, SceneItem::Place)
    }),
    part!(text!("path tests"), path_tests, case_lines),
    part!(text!("crowd"), crowd, crowd_lines),
    part!(text!("views"), views, |old, new| {
        named_lines([old, new], &old.views, &new.views, SceneItem::View)
    }),
    part!(text!("limits of the profile"), budgets, budget_lines),
];

fn changed_parts([old, new]: &[Document; 2]) -> Vec<&'static DocumentPart> {
    PARTS.iter().filter(|part| (part.differs)(old, new)).collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::{
        bake::{RawArea, SurfaceRule, SurfaceSource, SurfaceUse},
        ids::{AreaId, TileCoord},
        mesh::{ImportOptions, UpAxis},
        suite::{CaseQuery, Expectation, Outcome, PassRule, PathCase, Tolerance},
        tasks::Reach,
    };
    use walkable_workspace::document::{
        Area, Avoidance, Brush, Budgets, Islands, Rgb, SceneAgent, SceneTask, Spawner, Stroke,
    };

    use super::*;
    use crate::{
        session::{SavedPlace, new_link, with_link},
        testing::edits,
    };

    #[test]
    fn every_edit_of_a_document_is_a_changed_part() {
        let old = Document::default();
        for edit in edits() {
            let mut new = old.clone();
            edit.clone().apply(&mut new);
            let is_same = old == new;
            let changed = changed_parts(&[old.clone(), new]);
            assert_eq!(is_same, changed.is_empty(), "{edit:?}");
        }
    }

    /// Unsaved work that changes the first document to the second.
    fn work(documents: [Document; 2]) -> RecoveredWork {
        RecoveredWork {
            file: PathBuf::new(),
            name: String::new(),
            was_saved: true,
            changed: changed_parts(&documents),
            documents: Some(Box::new(documents)),
            written: None,
        }
    }

    fn lines(work: &RecoveredWork) -> Vec<String> {
        let parts = work.comparison().into_iter();
        parts.map(|(part, lines)| format!("{part}: {}", lines.join("; "))).collect()
    }

    #[test]
    fn each_changed_part_has_details() {
        let mut old = Document::default();
        for edit in edits() {
            let mut new = old.clone();
            edit.clone().apply(&mut new);
            for (part, lines) in work([old.clone(), new.clone()]).comparison() {
                assert!(!lines.is_empty(), "{part} of {edit:?}");
            }
            old = new;
        }
    }

    #[test]
    fn options_and_rules_are_compared_with_both_values() {
        let mut old = Document::default();
        old.take_agents(old.agents.with_one_more(&old));
        let water = Area { cost: 10.0, ..old.areas.area(1) };
        old.areas = old.areas.with(1, water);
        let stroke = |brush| Stroke { brush, radius: 1.0, places: vec![Vec3::X] };
        old.strokes = vec![stroke(Brush::Area(1))];
        old.islands = Islands { min_area: None, seeds: vec![Vec3::X] };
        old.budgets.bake_s = Some(10.0);
        let mut new = old.clone();
        new.jumps.drop = Some(0.5);
        new.agents.list[1].jumps.up = Some(1.0);
        new.agents.list[1].pace.max_speed = 2.0;
        new.import = ImportOptions { up: UpAxis::Z, scale: 0.01, flip: true, ..new.import };
        let mud = Area { name: "Mud".to_owned(), flags: 2, ..new.areas.area(8) };
        let water = Area { cost: 3.0, color: Some(Rgb([0, 0, 255])), ..new.areas.area(1) };
        new.areas = new.areas.with(8, mud).with(1, water).with_flag(1, "Wade");
        new.strokes.extend([stroke(Brush::Area(1)), stroke(Brush::Flags(1))]);
        new.islands = Islands { min_area: Some(4.0), seeds: vec![Vec3::Y] };
        new.path_filter.exclude_flags = 0x10;
        new.path_filter.costs.insert(1, 7.0);
        new.path_filter.skips_closed = true;
        new.budgets = Budgets { tile_ms: Some(3.5), ..Budgets::default() };
        new.normalize();
        let expected = [
            "agents: Agent 1 · Drop: 4 m (from the agent's size), now 0.5 m; \
             Agent 2 · Speed: 3.5 m/s, now 2 m/s; \
             Agent 2 · Jump up: 0.9 m (from the agent's size), now 1 m",
            "jumps and drops: Drop: 4 m (from the agent's size), now 0.5 m",
            "import options: Up axis: Y, now Z; Unit: Meters, now Centimeters; \
             Flip faces: off, now on",
            "areas: Cost of Water: 10, now 3; Color of Water: Default, now #0000ff; Added: Mud; \
             Flags of Mud: Walk, now Wade; Name of flag 1: Swim, now Wade",
            "painted polygons: Strokes: 1, now 3; Water: 1, now 2; Flags: Walk: 0, now 1",
            "islands: Remove islands smaller than: off, now 4 m²; \
             Added seed point: 0.00, 1.00, 0.00 m; Removed seed point: 1.00, 0.00, 0.00 m",
            "path filter: Exclude flags: none, now Disabled; \
             Cost of Water: 10 (cost of the area), now 7; Never reopen closed nodes: off, now on",
            "limits of the profile: Bake of a tile: none, now 3.5 ms; Whole bake: 10 s, now none",
        ];
        assert_eq!(lines(&work([old, new])), expected);
    }

    #[test]
    fn rules_and_removed_tiles_are_compared_with_both_values() {
        let rule = |source, name: &str, becomes| {
            let name = name.to_owned();
            SurfaceRule { source, name, becomes }
        };
        let mut old = Document::default();
        let left_out = SurfaceUse::LeftOut;
        old.surfaces = vec![
            rule(SurfaceSource::Object, "rock", left_out),
            rule(SurfaceSource::Material, "", left_out),
            rule(SurfaceSource::Object, "tree", left_out),
        ];
        old.removed_tiles = [TileCoord::new(2, 1), TileCoord::new(3, 1)].into();
        let mut new = old.clone();
        new.surfaces[0].becomes = SurfaceUse::Area(RawArea(1));
        new.surfaces[1].becomes = SurfaceUse::Area(RawArea::NULL);
        new.surfaces.truncate(2);
        new.removed_tiles = [TileCoord::new(3, 1), TileCoord::new(4, 1)].into();
        let expected = [
            "objects and materials: Object rock: Left out, now Water; \
             Object tree: Left out, now none; Material without a name: Left out, now Not walkable",
            "removed tiles: Tile 2,1: removed, now in the navmesh; \
             Tile 4,1: in the navmesh, now removed",
        ];
        assert_eq!(lines(&work([old.clone(), new])), expected);
        // The order matters only among rules for the same name.
        let mut new = old.clone();
        new.surfaces.reverse();
        let expected = ["objects and materials: 3 items, some of them changed"];
        assert_eq!(lines(&work([old, new])), expected);
    }

    #[test]
    fn path_tests_are_compared_with_both_values() {
        let mut gate = PathCase::new(Vec3::X, Vec3::Z);
        gate.name = "Gate".to_owned();
        gate.expects = vec![Expectation::Outcome(Outcome::Reachable)];
        let path_tests = vec![gate.clone(), PathCase::new(Vec3::X, Vec3::Y)];
        let old = Document { path_tests, ..Document::default() };
        let mut new = old.clone();
        let case = &mut new.path_tests[0];
        (case.end, case.agent, case.query) = (Vec3::Y, Some("Ogre".to_owned()), CaseQuery::Ray);
        case.filter.exclude_flags = 0x10;
        case.filter.area_costs = vec![(AreaId(1), 2.0)];
        case.expects = vec![
            Expectation::Length(Tolerance { value: 5.0, tolerance: 0.5 }),
            Expectation::Area { area: AreaId(1), rule: PassRule::MustNot },
            Expectation::MaxMs(2.0),
        ];
        new.path_tests[1].end = Vec3::ONE;
        new.path_tests.push(PathCase { name: "Well".to_owned(), ..gate });
        let expected = "path tests: 2, now 3; Gate · Query: Path, now Straight line; \
             Gate · End: 0.00, 0.00, 1.00 m, now 0.00, 1.00, 0.00 m; \
             Gate · Agent: Active agent, now Ogre; Gate · Exclude flags: none, now Disabled; \
             Gate · Cost of Water: 1 (cost of the area), now 2; \
             Gate · Expected: reachable, now length 5 m ± 0.5 m, avoids Water, at most 2 ms; \
             Case 2 · End: 0.00, 1.00, 0.00 m, now 1.00, 1.00, 1.00 m; Added: Well";
        assert_eq!(lines(&work([old.clone(), new.clone()])), [expected]);
        new.path_tests = vec![old.path_tests[1].clone()];
        let expected = "path tests: 1, now 2; Added: Gate; Added: Case 2; Removed: Case 1";
        assert_eq!(lines(&work([new, old])), [expected]);
    }

    #[test]
    fn agents_of_the_crowd_are_compared_with_both_values() {
        let agent = |x: f32| SceneAgent::new(Vec3::X * x);
        let crowd = vec![agent(0.0), agent(1.0), agent(2.0), agent(3.0)];
        let old = Document { crowd, ..Document::default() };
        let mut new = old.clone();
        // The third agent is removed, and the second one changes.
        new.crowd.remove(2);
        new.crowd[1] = SceneAgent {
            task: Some(SceneTask::Follow {
                agent: 0,
                nearest: 1.0,
                farthest: 3.0,
                reach: Reach::LineOfSight,
            }),
            spawner: Some(Spawner::FIRST),
            kind: Some("Ogre".to_owned()),
            avoidance: Avoidance::Reciprocal,
            ..agent(1.5)
        };
        let expected = "crowd: 4, now 3; Agent 1 · Start: 1.00, 0.00, 0.00 m, now 1.50, 0.00, 0.00 m; \
             Agent 1 · Task: none, now follow agent 0 at 1 m to 3 m, in line of sight; \
             Agent 1 · Spawner: none, now every 2 s, at most 10; \
             Agent 1 · Kind: Active agent, now Ogre; \
             Agent 1 · Avoidance: Sampled, high, now Reciprocal (ORCA); \
             Removed: Agent 2 at 2.00, 0.00, 0.00 m";
        assert_eq!(lines(&work([old.clone(), new.clone()])), [expected]);
        new.crowd.push(agent(9.0));
        let back = lines(&work([new, old]));
        assert!(back[0].starts_with("crowd: Agent 1 · Start: 1.50, "), "{}", back[0]);
    }

    #[test]
    fn differences_are_said_in_words() {
        let mut old = Document::default();
        for x in [1.0, 2.0] {
            let (edit, _) = with_link(&old, new_link(&old, Vec3::ZERO, Vec3::X * x));
            edit.apply(&mut old);
        }
        old.complete();
        let mut new = old.clone();
        new.settings.agent_radius = 0.8;
        new.off_mesh[1].end = Vec3::Z;
        new.off_mesh.remove(0);
        new.places.push(SavedPlace { at: Vec3::Y }.into());
        new.places[0].name = "Well".to_owned();
        new.complete();
        let work = work([old, new]);
        let expected = [
            "bake settings: Radius: 0.6 m, now 0.8 m",
            "off-mesh links: 2, now 1; Changed: Off-mesh link 2; Removed: Off-mesh link 1",
            "places: 0, now 1; Added: Well",
        ];
        assert_eq!(lines(&work), expected);
        let changes: Vec<_> = work.changes().collect();
        assert_eq!(changes, ["bake settings", "off-mesh links", "places"]);
    }
}
