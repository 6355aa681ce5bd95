//! Repro files: a level or a navmesh, a query, and its result, so that a problem can be repeated on another machine.

mod ask;
mod crop;
mod format;
mod link;
mod result;
mod shrink;

use std::{fmt, path::Path, sync::Arc};

use anyhow::Context as _;
use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    bake::BakePlan,
    mesh::{FileWarnings, LevelFile, TriMesh},
    monitor::Monitor,
};

pub use self::{
    crop::CropError,
    format::ReproError,
    link::{TooLongLink, link_to},
    result::{ExpectedResult, PLACE_TOLERANCE, ReproResult, ReproStatus},
    shrink::{ShrinkError, Shrunk},
};
use crate::{
    document::{Agents, Document},
    files::{self, Format},
    level_files::parse_navmesh,
    path_terms::PathTerms,
};

#[derive(Clone, Debug, PartialEq)]
pub struct Repro {
    pub program: String,
    pub scene: ReproScene,
    pub query: ReproQuery,
    /// The result that would be right, if the user gave it.
    pub expected: Option<ExpectedResult>,
    pub actual: ReproResult,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ReproScene {
    /// A level with everything that its bake and its navmesh depend on.
    Level(ReproLevel),
    Navmesh {
        name: String,
        bytes: Vec<u8>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneSize {
    Triangles(usize),
    Tiles(usize),
}

impl SceneSize {
    pub const fn n(self) -> usize {
        match self {
            Self::Triangles(n) | Self::Tiles(n) => n,
        }
    }

    pub const fn unit(self) -> &'static str {
        match self {
            Self::Triangles(_) => "triangles",
            Self::Tiles(_) => "tiles",
        }
    }
}

impl fmt::Display for SceneSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.n(), self.unit())
    }
}

impl ReproScene {
    /// Returns the size; 0 for a navmesh that cannot be read.
    pub fn size(&self) -> SceneSize {
        match self {
            Self::Level(level) => SceneSize::Triangles(level.mesh.triangles().len()),
            Self::Navmesh { bytes, .. } => {
                SceneSize::Tiles(parse_navmesh(bytes).map_or(0, |mesh| mesh.tiles().count()))
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct ReproLevel {
    pub name: String,
    /// The triangles, as imported.
    pub mesh: Arc<TriMesh>,
    /// Settings, areas, volumes, off-mesh links and all changes to the navmesh.
    pub document: Box<Document>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReproQuery {
    /// Can an agent stand at this place?
    At(Vec3),
    Path(Box<PathTerms>),
}

impl ReproQuery {
    pub fn places(&self) -> Vec<Vec3> {
        match self {
            Self::At(at) => vec![*at],
            Self::Path(terms) => terms.ends.to_vec(),
        }
    }
}

impl ReproLevel {
    /// Creates a level from its triangles and the part of `document` that bake and navmesh depend on.
    pub fn new(name: String, mesh: Arc<TriMesh>, document: &Document) -> Self {
        let own = document.clone();
        let document = Document {
            settings: own.settings,
            areas: own.areas,
            volumes: own.volumes,
            off_mesh: own.off_mesh,
            surfaces: own.surfaces,
            bounds: own.bounds,
            obstacles: own.obstacles,
            removed_tiles: own.removed_tiles,
            strokes: own.strokes,
            islands: own.islands,
            agents: Agents::default(),
            ..Document::default()
        };
        Self { name, mesh, document: Box::new(document) }
    }

    pub fn plan(&self) -> anyhow::Result<BakePlan> {
        Ok(BakePlan::new(self.document.config().with_mesh(Arc::clone(&self.mesh)))?)
    }

    pub fn to_file(&self) -> LevelFile {
        let mesh = &self.mesh;
        LevelFile {
            vertices: mesh.vertices().to_vec(),
            triangles: mesh.triangles().to_vec(),
            parts: mesh.parts().to_vec(),
            colors: mesh.colors().clone(),
            appearance: None,
            n_faces: mesh.triangles().len(),
            warnings: FileWarnings::default(),
        }
    }
}

impl Repro {
    pub fn of(scene: ReproScene, query: ReproQuery, monitor: &dyn Monitor) -> anyhow::Result<Self> {
        let actual = ask::ask(&scene, &query, monitor)?.result;
        let program = concat!("walkable ", env!("CARGO_PKG_VERSION")).to_owned();
        Ok(Self { program, scene, query, expected: None, actual })
    }

    /// Asks the query again and returns the result.
    pub fn ask(&self, monitor: &dyn Monitor) -> anyhow::Result<ReproResult> {
        Ok(self.ask_with_ends(monitor)?.result)
    }

    fn ask_with_ends(&self, monitor: &dyn Monitor) -> anyhow::Result<ask::QueryOutcome> {
        ask::ask(&self.scene, &self.query, monitor)
    }

    /// Reads a repro file. Errors name the file.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let text = files::read_text(path, Format::Repro)?;
        Self::parse(&text).with_context(|| path.display().to_string())
    }

    /// Parses a repro file. Errors name the line or the value.
    pub fn parse(text: &str) -> Result<Self, ReproError> {
        format::parse(text)
    }

    /// Formats a repro file. The same repro always gives the same text. Fails if the file would be too large to be read
    /// again.
    pub fn to_text(&self) -> Result<String, ReproError> {
        format::to_text(self)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use walkable::{explain::Cause, monitor::Unmonitored};

    use super::*;

    /// Returns a level of two floors of 6 m by 6 m next to each other, the second one 1.5 m higher.
    fn level() -> ReproLevel {
        let floor = |x: [f32; 2], y: f32| {
            [[x[0], 0.0], [x[0], 6.0], [x[1], 6.0], [x[1], 0.0]].map(|[x, z]| Vec3::new(x, y, z))
        };
        let vertices = [floor([0.0, 6.0], 0.0), floor([6.0, 12.0], 1.5)].concat();
        let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
        let mesh = TriMesh::new(vertices, triangles).unwrap();
        ReproLevel::new("kerb.obj".to_owned(), mesh.into(), &Document::default())
    }

    /// Returns the search of a path from the lower floor to the higher one.
    pub(crate) fn path_terms() -> PathTerms {
        let ends = [Vec3::new(2.0, 0.0, 3.0), Vec3::new(10.0, 1.5, 3.0)];
        PathTerms::new(ends)
    }

    /// Returns a repro of a step that is too high.
    pub(crate) fn kerb() -> Repro {
        let place = Vec3::new(5.7, 0.0, 3.0);
        let scene = ReproScene::Level(level());
        Repro::of(scene, ReproQuery::At(place), &Unmonitored).unwrap()
    }

    #[test]
    fn the_result_is_that_of_the_query() {
        let at_step = kerb();
        assert_eq!(at_step.actual.status, ReproStatus::NotWalkable, "{}", at_step.actual);
        let path = ReproQuery::Path(path_terms().into());
        let path = Repro::of(at_step.scene, path, &Unmonitored).unwrap();
        assert_eq!(path.actual.cause, Some(Cause::Step), "{}", path.actual);
        assert!((path.actual.place.unwrap().x - 6.0).abs() < 0.7, "{}", path.actual);
        assert!(path.ask(&Unmonitored).unwrap().is_same_as(&path.actual));
    }

    #[test]
    fn the_same_problem_has_the_same_cause_stage_and_place() {
        let result = kerb().actual;
        let place = Some(Vec3::ZERO);
        let at = |x: f32| ReproResult { place: Some(Vec3::X * x), ..result.clone() };
        let named = ReproResult { text: "worded differently".to_owned(), ..result.clone() };
        assert!(result.is_same_as(&named));
        let origin = ReproResult { place, ..result.clone() };
        assert!(origin.is_same_as(&at(0.9)) && !origin.is_same_as(&at(1.1)));
        for other in [
            origin,
            ReproResult { cause: Some(Cause::Gap), ..result.clone() },
            ReproResult { stage: None, ..result.clone() },
            ReproResult { status: ReproStatus::Walkable, ..result.clone() },
        ] {
            assert!(!result.is_same_as(&other), "{result} and {other}");
        }
    }

    #[test]
    fn expectations_are_outcomes_or_causes() {
        for text in
            ["walkable", "not_walkable", "complete", "partial", "unreachable", "step", "gap"]
        {
            let expected: ExpectedResult = text.parse().unwrap();
            assert_eq!(expected.key(), text);
        }
        for bad in ["", "Walkable", "not walkable", "stairs"] {
            assert!(bad.parse::<ExpectedResult>().is_err(), "{bad}");
        }
        let repro = kerb();
        let expected = |text: &str| text.parse::<ExpectedResult>().unwrap();
        assert!(expected("not_walkable").is_met_by(&repro.actual));
        assert!(!expected("gap").is_met_by(&repro.actual));
        assert!(expected("gap").fits(&repro.query) && !expected("partial").fits(&repro.query));
    }
}
