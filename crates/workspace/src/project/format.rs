//! Projects as JSON text.

use std::path::{Path, PathBuf};

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Project, is_project, paths};
use crate::{
    document::{Document, LevelSource, Look},
    files::{self, RemotePath, check_named},
    path_text::{BadPath, PathText},
};

/// Increased whenever an older program would misread the format. Files of older versions stay readable forever.
const VERSION: u32 = 6;

#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    #[error("it is not a Walkable project: {0}")]
    Malformed(serde_json::Error),
    #[error(
        "it was written by a newer Walkable: its format is {found}, this program reads up to {VERSION}"
    )]
    TooNew { found: u32 },
    /// Its level is another project, which could nest without end.
    #[error("its level, {}, is a project too: name the level's own file", .0.display())]
    Nested(PathBuf),
    #[error(transparent)]
    Path(#[from] BadPath),
    /// It names a level that only the user may name.
    #[error(transparent)]
    Remote(#[from] RemotePath),
    #[error("a number in it is out of range")]
    NotFinite,
}

impl From<serde_json::Error> for ProjectError {
    fn from(error: serde_json::Error) -> Self {
        Self::Malformed(error)
    }
}

/// The fields that every version begins with.
#[derive(Deserialize)]
struct Head {
    walkable_project: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    walkable_project: u32,
    level: Level,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    view: Option<Look>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<Vec3>,
    #[serde(default, skip_serializing_if = "PathEnds::are_none")]
    path: PathEnds,
    document: Document,
    /// Only in recovery files: absolute path of the project whose unsaved work this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unsaved: Option<Unsaved>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct PathEnds {
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<Vec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<Vec3>,
}

impl PathEnds {
    fn are_none(&self) -> bool {
        self.start.is_none() && self.end.is_none()
    }
}

#[derive(Serialize, Deserialize)]
struct Unsaved {
    of: Option<PathText>,
    /// Fingerprint of the project file when it was last read or written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    on_disk: Option<u64>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    /// Relative to the project's folder.
    File(PathText),
    Builtin(String),
}

pub(super) fn write(project: &Project, folder: &Path) -> Result<String, ProjectError> {
    let level = match &project.level {
        LevelSource::File(path) => {
            Level::File(paths::relative(&files::copy_of_level(path), folder).into())
        }
        LevelSource::Builtin(name) => Level::Builtin(name.clone()),
    };
    let Project { mut document, look, part, ends, unsaved_of, on_disk, is_recovered, .. } =
        project.clone();
    document.abridge();
    let unsaved = is_recovered.then_some(Unsaved { of: unsaved_of.map(Into::into), on_disk });
    let [start, end] = ends;
    let file = File {
        walkable_project: VERSION,
        level,
        view: look,
        part,
        path: PathEnds { start, end },
        document,
        unsaved,
    };
    let mut text = serde_json::to_string_pretty(&file)?;
    text.push('\n');
    Ok(text)
}

pub(super) fn read(text: &str, folder: &Path) -> Result<Project, ProjectError> {
    let Head { walkable_project: version } = serde_json::from_str(text)?;
    if version > VERSION {
        return Err(ProjectError::TooNew { found: version });
    }
    let mut file: File = serde_json::from_str(text)?;
    file.document.complete();
    let is_view_finite = file.view.as_ref().map_or(Ok(true), has_finite_numbers)?;
    let is_part_finite = file.part.is_none_or(Vec3::is_finite);
    let ends = [file.path.start, file.path.end];
    let are_ends_finite = ends.into_iter().flatten().all(Vec3::is_finite);
    if !has_finite_numbers(&file.document)?
        || !is_view_finite
        || !is_part_finite
        || !are_ends_finite
    {
        return Err(ProjectError::NotFinite);
    }
    let level = match file.level {
        Level::File(path) => {
            let written = path.into_path()?;
            check_named(&written)?;
            LevelSource::File(paths::resolved(&written, folder))
        }
        Level::Builtin(name) => LevelSource::Builtin(name),
    };
    if let LevelSource::File(path) = &level
        && is_project(path)
    {
        return Err(ProjectError::Nested(path.clone()));
    }
    let unsaved = file.unsaved.filter(|_| files::may_have_recovery_files(folder));
    let is_recovered = unsaved.is_some();
    let (unsaved_of, on_disk) =
        unsaved.map_or((None, None), |unsaved| (unsaved.of, unsaved.on_disk));
    let unsaved_of = unsaved_of.map(PathText::into_path).transpose()?;
    let unsaved_of = unsaved_of.map(|path| files::named_in(folder, &path));
    let (document, look, part) = (file.document, file.view, file.part);
    Ok(Project { level, document, look, ends, part, unsaved_of, on_disk, is_recovered })
}

/// Returns whether JSON can represent all numbers of `value`: a number too large for its type is infinite, which is
/// written as null. Optional fields must not be written as null.
pub fn has_finite_numbers<T: Serialize>(value: &T) -> Result<bool, serde_json::Error> {
    fn has_null(value: &serde_json::Value) -> bool {
        match value {
            serde_json::Value::Null => true,
            serde_json::Value::Array(values) => values.iter().any(has_null),
            serde_json::Value::Object(fields) => fields.values().any(has_null),
            _ => false,
        }
    }
    Ok(!has_null(&serde_json::to_value(value)?))
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use walkable::{
        bake::{
            AreaVolume, BakeSettings, JumpLimits, OffMeshLink, RawArea, SurfaceRule, SurfaceSource,
            SurfaceUse, VolumeShape,
        },
        geom::Aabb,
        ids::{AreaId, TileCoord},
        mesh::{ImportOptions, UpAxis},
        suite::{
            CaseFilter, Expectation, LinkChoice, Outcome, PassRule, PathCase, Tolerance, VolumeName,
        },
    };

    use super::*;
    use crate::document::{
        Agent, Agents, Area, AreaTable, Avoidance, Brush, Budgets, Islands, Named, Obstacle,
        Obstacles, OwnPreset, Pace, Rgb, SavedPath, SavedPlace, SceneAgent, Spawner, Stroke,
    };

    fn named<T>(name: &str, of: T) -> Named<T> {
        Named { name: name.to_owned(), ..of.into() }
    }

    /// Returns a project with one object of each kind.
    fn full() -> Project {
        let settings =
            BakeSettings { agent_radius: 0.35, tile_size: 48, ..BakeSettings::default() };
        let strokes = [(Brush::Area(2), 1.5), (Brush::Flags(0x10), 0.0)];
        let strokes =
            strokes.map(|(brush, radius)| Stroke { brush, radius, places: vec![Vec3::X] });
        let shape = VolumeShape::TurnedBox { center: Vec3::Y, half_extents: Vec3::ONE, yaw: 0.5 };
        let crate_ = Obstacle { shape };
        let agent = |name: &str, settings: &BakeSettings| Agent {
            name: name.to_owned(),
            color: None,
            settings: settings.clone(),
            pace: Pace::default(),
            jumps: JumpLimits::default(),
        };
        let knight = agent("Knight", &settings);
        let small = BakeSettings { agent_height: 1.0, ..settings.clone() };
        let goblin = Agent { color: Some(Rgb([10, 200, 10])), ..agent("Goblin", &small) };
        let areas = AreaTable::default();
        let mud = Area {
            name: "Mud".to_owned(),
            color: Some(Rgb([90, 60, 30])),
            cost: 4.0,
            entering_cost: 1.5,
            flags: 0x21,
        };
        let mut document = Document {
            agents: Agents { list: vec![knight, goblin], chosen: 0 },
            areas: areas.with(6, mud).with_flag(5, "Wade"),
            removed_tiles: [TileCoord::new(2, 1)].into(),
            obstacles: Obstacles { prepared: true, list: vec![named("Crate", crate_)] },
            strokes: strokes.to_vec(),
            islands: Islands { min_area: Some(12.5), seeds: vec![Vec3::Z] },
            path_tests: vec![path_test()],
            crowd: vec![SceneAgent::going(Vec3::X, Vec3::Z), SceneAgent::new(Vec3::Y)],
            places: vec![named("Well", SavedPlace { at: Vec3::new(1.0, 2.0, 3.0) })],
            budgets: Budgets { tile_ms: Some(12.5), ..Budgets::default() },
            ..first(settings.clone())
        };
        document.complete();
        Project {
            level: LevelSource::File("/levels/a/castle.obj".into()),
            document,
            look: Some(LOOK),
            ends: [None; 2],
            part: None,
            unsaved_of: None,
            on_disk: None,
            is_recovered: false,
        }
    }

    /// Returns a path test with an expectation of each kind.
    fn path_test() -> PathCase {
        let tolerance = Tolerance { value: 12.5, tolerance: 0.25 };
        let (name, rule) = ("The pond".to_owned(), PassRule::MustNot);
        let filter = CaseFilter {
            exclude_flags: 16,
            area_costs: vec![(AreaId(6), 2.0)],
            ..CaseFilter::default()
        };
        PathCase {
            name: "Around the pond".to_owned(),
            filter,
            agent: Some("Knight".to_owned()),
            expects: vec![
                Expectation::Outcome(Outcome::Reachable),
                Expectation::Length(tolerance),
                Expectation::Cost(tolerance),
                Expectation::Volume { volume: VolumeName::Name(name), rule },
                Expectation::Volume { volume: VolumeName::Number(2), rule },
                Expectation::Area { area: AreaId(1), rule },
                Expectation::Link { link: LinkChoice::Any, rule },
                Expectation::Link { link: LinkChoice::UserId(1000), rule: PassRule::Must },
                Expectation::MaxMs(2.5),
            ],
            ..PathCase::new(Vec3::X, Vec3::Z)
        }
    }

    const LOOK: Look =
        Look { target: Vec3::Y, yaw: 0.1, pitch: 0.2, distance: 30.0, parallel: false };

    /// Returns a document with everything that the first version of the format can store.
    fn first(settings: BakeSettings) -> Document {
        let shape = VolumeShape::Cylinder { base: Vec3::X, radius: 1.5, height: 2.0 };
        let volume = AreaVolume::new(RawArea(1), shape);
        let link = OffMeshLink {
            start: Vec3::ZERO,
            end: Vec3::new(0.1, 0.2, 0.3),
            radius: 0.6,
            bidirectional: true,
            area: AreaId(5),
            flags: 8,
            user_id: 1000,
        };
        let mut document = Document {
            settings: settings.clone(),
            import: ImportOptions { up: UpAxis::Z, scale: 0.01, ..ImportOptions::default() },
            volumes: vec![Named {
                number: 1,
                name: "The pond".to_owned(),
                hidden: true,
                of: volume,
            }],
            off_mesh: vec![link.into()],
            surfaces: vec![SurfaceRule {
                source: SurfaceSource::Material,
                name: "glass".to_owned(),
                becomes: SurfaceUse::LeftOut,
            }],
            bounds: vec![Aabb::new(Vec3::ZERO, Vec3::ONE).into()],
            presets: vec![OwnPreset { name: "Goblin".to_owned(), settings }],
            paths: vec![named("To the gate", SavedPath { start: Vec3::X, end: Vec3::Z })],
            views: vec![named("Gate", LOOK)],
            ..Document::default()
        };
        document.complete();
        document
    }

    #[test]
    fn what_is_written_is_read_back() {
        let project = full();
        let text = project.to_text(Path::new("/levels/projects")).unwrap();
        assert!(text.contains("../a/castle.obj"), "{text}");
        assert_eq!(Project::parse(&text, Path::new("/levels/projects")).unwrap(), project);
        assert!(!text.contains("\"number\": 1"), "positions need no numbers: {text}");
        let mut other = project.clone();
        let volume = other.document.volumes[0].clone();
        other.document.volumes.insert(0, Named { number: 7, ..volume });
        let text = other.to_text(Path::new("/levels/projects")).unwrap();
        assert!(text.contains("\"number\": 7"), "{text}");
        assert_eq!(Project::parse(&text, Path::new("/levels/projects")).unwrap(), other);
        let moved = Project::parse(&text, Path::new("/elsewhere/projects")).unwrap();
        assert_eq!(moved.level, LevelSource::File("/elsewhere/a/castle.obj".into()));
        let recovered = Project {
            unsaved_of: Some("/levels/projects/castle.walkable".into()),
            on_disk: Some(u64::MAX),
            is_recovered: true,
            ..project
        };
        let own = Path::new("/levels/unsaved");
        let text = recovered.to_text(own).unwrap();
        // The file of others does not choose which project is saved.
        let project =
            Project { unsaved_of: None, on_disk: None, is_recovered: false, ..recovered.clone() };
        assert_eq!(Project::parse(&text, own).unwrap(), project);
        files::declare_recovery_folder(own);
        assert_eq!(Project::parse(&text, own).unwrap(), recovered);
    }

    #[test]
    fn spawners_are_read_and_checked() {
        let mut project = full();
        project.document.crowd[1].spawner = Some(Spawner { every: 2.5, limit: 12 });
        let folder = Path::new("/levels/projects");
        let text = project.to_text(folder).unwrap();
        assert_eq!(Project::parse(&text, folder).unwrap(), project);
        let damaged = text.replace("\"limit\": 12", "\"limit\": 0");
        let error = Project::parse(&damaged, folder).unwrap_err().to_string();
        assert!(error.contains("1 to 200 agents, not 0"), "{error}");
    }

    #[test]
    fn limits_of_jumps_are_kept_per_agent_and_old_projects_have_those_of_the_size() {
        let mut project = full();
        let jumps = JumpLimits { distance: Some(2.5), drop: Some(0.0), up: None };
        project.document.agents.list[1].jumps = jumps;
        project.document.jumps.up = Some(1.5);
        project.document.normalize();
        let folder = Path::new("/levels/projects");
        let text = project.to_text(folder).unwrap();
        let read = Project::parse(&text, folder).unwrap();
        assert_eq!(read, project);
        assert_eq!(read.document.agents.list[0].jumps.up, Some(1.5));
        let damaged = text.replace("\"up\": 1.5", "\"up\": -1");
        assert!(damaged != text && Project::parse(&damaged, folder).is_err());
        let old = Project::parse(include_str!("version_5.walkable"), folder).unwrap().document;
        let all = old.agents.list.iter().map(|agent| agent.jumps).chain([old.jumps]);
        assert!(all.into_iter().all(|jumps| jumps.is_automatic()));
    }

    #[test]
    fn kinds_of_agents_in_the_crowd_are_read_and_those_of_old_projects_are_the_current_one() {
        let mut project = full();
        let kind = Some("Goblin".to_owned());
        let agent =
            SceneAgent { kind, avoidance: Avoidance::Reciprocal, ..SceneAgent::new(Vec3::Z) };
        project.document.crowd.push(agent);
        project.document.agents.list[1].pace = Pace { max_speed: 2.0, max_acceleration: 5.0 };
        let folder = Path::new("/levels/projects");
        let text = project.to_text(folder).unwrap();
        assert_eq!(Project::parse(&text, folder).unwrap(), project);
        for (good, bad) in [("\"max_speed\": 2.0", "\"max_speed\": -1"), ("reciprocal", "kind")] {
            let damaged = text.replace(good, bad);
            assert!(damaged != text && Project::parse(&damaged, folder).is_err(), "{bad}");
        }
        let old = include_str!("version_5.walkable");
        let old = Project::parse(old, folder).unwrap().document;
        assert!(old.crowd.iter().all(|it| it.kind.is_none() && it.avoidance == Avoidance::High));
        assert!(old.agents.list.iter().all(|agent| agent.pace == Pace::default()));
    }

    #[test]
    fn what_the_first_version_wrote_is_read_for_ever() {
        let text = include_str!("version_1.walkable");
        let project = Project::parse(text, Path::new("/levels/projects")).unwrap();
        let full = full();
        let document = first(full.document.settings.clone());
        assert_eq!(project, Project { document, ..full });
    }

    #[test]
    fn what_the_second_version_wrote_is_read_for_ever() {
        let text = include_str!("version_2.walkable");
        let project = Project::parse(text, Path::new("/levels/projects")).unwrap();
        let document = Document {
            places: Vec::new(),
            path_tests: Vec::new(),
            crowd: Vec::new(),
            ..full().document
        };
        assert_eq!(project, Project { document, ..full() });
    }

    #[test]
    fn what_the_third_version_wrote_is_read_for_ever() {
        let text = include_str!("version_3.walkable");
        let project = Project::parse(text, Path::new("/levels/projects")).unwrap();
        let document = Document { path_tests: Vec::new(), crowd: Vec::new(), ..full().document };
        assert_eq!(project, Project { document, ..full() });
    }

    #[test]
    fn what_the_fourth_version_wrote_is_read_for_ever() {
        let text = include_str!("version_4.walkable");
        let project = Project::parse(text, Path::new("/levels/projects")).unwrap();
        let document = Document { crowd: Vec::new(), ..full().document };
        assert_eq!(project, Project { document, ..full() });
    }

    #[test]
    fn what_the_fifth_version_wrote_is_read_for_ever() {
        let text = include_str!("version_5.walkable");
        assert_eq!(Project::parse(text, Path::new("/levels/projects")).unwrap(), full());
    }

    #[test]
    fn the_path_and_its_filter_are_kept() {
        let mut project = full();
        let folder = Path::new("/levels/projects");
        project.ends = [Some(Vec3::X), None];
        project.document.path_filter.costs = [(1, 2.5)].into();
        project.document.path_filter.exclude_flags = 16;
        let text = project.to_text(folder).unwrap();
        assert_eq!(Project::parse(&text, folder).unwrap(), project);
        project.ends[1] = Some(Vec3::INFINITY);
        assert!(Project::parse(&project.to_text(folder).unwrap(), folder).is_err());
    }

    #[test]
    fn the_margin_of_a_volume_is_kept() {
        let mut project = full();
        project.document.volumes[0].area = RawArea::NULL;
        project.document.volumes[0].erode = true;
        let folder = Path::new("/levels/projects");
        let text = project.to_text(folder).unwrap();
        assert!(text.contains("\"erode\": true"), "{text}");
        assert_eq!(Project::parse(&text, folder).unwrap(), project);
    }

    #[test]
    fn what_this_version_writes_is_read_for_ever() {
        let text = include_str!("version_6.walkable");
        let project = Project::parse(text, Path::new("/levels/projects")).unwrap();
        assert_eq!(project, full());
        assert_eq!(project.to_text(Path::new("/levels/projects")).unwrap(), text);
    }

    #[test]
    fn bad_files_are_refused_with_a_reason() {
        let good = full().to_text(Path::new("/")).unwrap();
        let why = |text: &str| Project::parse(text, Path::new("/")).unwrap_err().to_string();
        assert!(why("o cube").contains("line 1"), "{}", why("o cube"));
        let newer = good.replacen("\"walkable_project\": 6", "\"walkable_project\": 7", 1);
        assert!(why(&newer).contains("newer"), "{}", why(&newer));
        let unknown = good.replacen("\"agent_radius\"", "\"agent_girth\"", 1);
        assert!(why(&unknown).contains("agent_girth"), "{}", why(&unknown));
        let huge = good.replacen("\"scale\": 0.01", "\"scale\": 1e300", 1);
        assert!(why(&huge).contains("out of range"), "{}", why(&huge));
        for name in ["castle.walkable", "castle.WALKABLE"] {
            let nested = good.replacen("castle.obj", name, 1);
            assert!(why(&nested).contains("is a project too"), "{}", why(&nested));
        }
        for end in (0..good.len() - 2).step_by(7) {
            assert!(Project::parse(&good[..end], Path::new("/")).is_err(), "cut at byte {end}");
        }
    }
}
