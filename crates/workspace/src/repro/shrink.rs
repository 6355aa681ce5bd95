//! Reduces the level or the navmesh of a repro to a small one in which the problem remains.

use std::sync::Arc;

use glam::Vec3;
use walkable::{
    bake::BakeSettings,
    geom::Aabb,
    ids::TileCoord,
    mesh::TriMesh,
    monitor::Monitor,
    navmesh::{Tile, TileHeader},
    shrink::{shrink_list, shrink_mesh, shrink_settings},
};

use super::{Repro, ReproLevel, ReproQuery, ReproScene, ask::QueryOutcome};
use crate::{
    document::{AreaTable, Document, Islands},
    level_files::parse_navmesh,
    path_terms::PathTerms,
};

#[derive(Clone, Debug, PartialEq)]
pub struct Shrunk {
    pub repro: Repro,
    pub n_trials: usize,
    /// Whether nothing more can be removed; otherwise the monitor cancelled the search.
    pub is_complete: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum ShrinkError {
    #[error("the problem is gone: the result is now \"{found}\" instead of \"{actual}\"")]
    Gone {
        found: String,
        /// The result in the file.
        actual: String,
    },
    #[error("{0:#}")]
    Failed(anyhow::Error),
}

/// Margins around the query, in meters, in which the problem is looked for first.
const MARGINS: [f32; 8] = [2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];
const MAX_ROUNDS: usize = 4;
/// Maximum estimated time of a candidate's bake relative to that of the smallest level found.
const MAX_SLOWER: f64 = 1.5;
/// Estimated time of a bake that is always allowed, in seconds.
const FAST_SECS: f64 = 0.02;

impl Repro {
    /// Removes as much as possible while the problem remains: the same status, cause and stage, a place at most a voxel
    /// away, and lengths and angles that differ by at most a tenth. First keeps only the surroundings of the query, and
    /// moves the ends of a path next to the obstacle. Then removes volumes, off-mesh links, other items, objects and
    /// triangles, and resets settings. Bakes each candidate. If the scene is a navmesh, removes tiles instead.
    ///
    /// Calls `found` with each smaller repro and the number of candidates tried until then. If `monitor` cancels,
    /// returns the smallest repro found. Fails if the problem is not present at the start.
    pub fn shrunk(
        &self,
        found: &mut dyn FnMut(&Self, usize),
        monitor: &dyn Monitor,
    ) -> Result<Shrunk, ShrinkError> {
        let secs = secs_of(&self.scene).map_err(ShrinkError::Failed)?;
        let (target, best, ends) = (self, self.clone(), None);
        let mut search = ShrinkSearch { target, best, ends, secs, n_trials: 0, found, monitor };
        if !search.crop() && !monitor.is_cancelled() {
            search.check()?;
        }
        if search.move_ends() {
            search.crop();
        }
        search.reduce();
        let ShrinkSearch { best: repro, n_trials, .. } = search;
        Ok(Shrunk { repro, n_trials, is_complete: !monitor.is_cancelled() })
    }
}

/// Returns the estimated time of the bake of a scene, in seconds; 0 for a navmesh.
fn secs_of(scene: &ReproScene) -> anyhow::Result<f64> {
    match scene {
        ReproScene::Level(level) => Ok(level.plan()?.estimate(1).secs),
        ReproScene::Navmesh { .. } => Ok(0.0),
    }
}

/// Returns the larger side of a scene's voxels, in meters; that of the default settings for a navmesh, which has none.
fn voxel_of(scene: &ReproScene) -> f32 {
    let side = |settings: &BakeSettings| settings.cell_size.max(settings.cell_height);
    match scene {
        ReproScene::Level(level) => side(&level.document.settings),
        ReproScene::Navmesh { .. } => side(&BakeSettings::default()),
    }
}

struct ShrinkSearch<'a> {
    target: &'a Repro,
    best: Repro,
    /// Places before and beyond the obstacle on the path of `best`.
    ends: Option<[Vec3; 2]>,
    secs: f64,
    n_trials: usize,
    found: &'a mut dyn FnMut(&Repro, usize),
    monitor: &'a dyn Monitor,
}

impl ShrinkSearch<'_> {
    fn level(&self) -> Option<&ReproLevel> {
        match &self.best.scene {
            ReproScene::Level(level) => Some(level),
            ReproScene::Navmesh { .. } => None,
        }
    }

    fn check(&mut self) -> Result<(), ShrinkError> {
        self.n_trials += 1;
        let QueryOutcome { result, ends } =
            self.best.ask_with_ends(self.monitor).map_err(ShrinkError::Failed)?;
        if !result.is_same_as(&self.target.actual) {
            let (found, actual) = (result.to_string(), self.target.actual.to_string());
            return Err(ShrinkError::Gone { found, actual });
        }
        self.ends = ends;
        Ok(())
    }

    /// Keeps `candidate` if the problem remains in it and its bake does not take much longer.
    fn keep(&mut self, candidate: Repro) -> bool {
        let Ok(secs) = secs_of(&candidate.scene) else { return false };
        if secs > (self.secs * MAX_SLOWER).max(FAST_SECS) || self.monitor.is_cancelled() {
            return false;
        }
        self.n_trials += 1;
        let Ok(QueryOutcome { result, ends }) = candidate.ask_with_ends(self.monitor) else {
            return false;
        };
        let target = &self.target.actual;
        let is_same = result.is_still(target, voxel_of(&self.target.scene));
        if self.monitor.is_cancelled() || !is_same {
            return false;
        }
        (self.secs, self.ends) = (secs, ends);
        self.best = Repro { actual: result, ..candidate };
        (self.found)(&self.best, self.n_trials);
        true
    }

    fn keep_level(&mut self, change: impl FnOnce(&mut ReproLevel)) -> bool {
        let Some(mut level) = self.level().cloned() else { return false };
        change(&mut level);
        self.keep(Repro { scene: ReproScene::Level(level), ..self.best.clone() })
    }

    fn keep_document(&mut self, change: impl FnOnce(&mut Document)) -> bool {
        self.keep_level(|level| change(&mut level.document))
    }

    /// Keeps only the surroundings of the query, as small as possible. Returns whether the problem remains in them.
    fn crop(&mut self) -> bool {
        let Some(level) = self.level().cloned() else { return false };
        let Ok(plan) = level.plan() else { return false };
        let places = self.best.query.places().into_iter().chain(self.best.actual.place);
        let places = Aabb::around(places);
        for margin in MARGINS {
            let around = Aabb { min: places.min - margin, max: places.max + margin };
            let Some(part) = level.cropped(&plan, &around) else { continue };
            if part.mesh.triangles().len() == level.mesh.triangles().len() {
                return false;
            }
            let scene = ReproScene::Level(part);
            if self.keep(Repro { scene, ..self.best.clone() }) {
                return true;
            }
        }
        false
    }

    /// Moves the ends of the path next to the obstacle. Returns whether the problem remains.
    fn move_ends(&mut self) -> bool {
        let (ReproQuery::Path(terms), Some(ends)) = (&self.best.query, self.ends) else {
            return false;
        };
        if terms.ends == ends || !ends.iter().all(|end| end.is_finite()) {
            return false;
        }
        let query = ReproQuery::Path(PathTerms { ends, ..PathTerms::clone(terms) }.into());
        self.keep(Repro { query, ..self.best.clone() })
    }

    fn reduce(&mut self) {
        for _ in 0..MAX_ROUNDS {
            let before = self.best.clone();
            self.reduce_items();
            self.reduce_mesh();
            self.reduce_tiles();
            self.reduce_settings();
            self.reset_terms();
            if self.monitor.is_cancelled() || self.best == before {
                return;
            }
        }
    }

    fn reduce_items(&mut self) {
        self.reduce_list(|document| &mut document.volumes);
        self.reduce_list(|document| &mut document.off_mesh);
        self.reduce_list(|document| &mut document.surfaces);
        self.reduce_list(|document| &mut document.bounds);
        self.reduce_list(|document| &mut document.strokes);
        self.reduce_list(|document| &mut document.obstacles.list);
        self.reduce_list(|document| &mut document.islands.seeds);
        let Some(document) = self.level().map(|level| level.document.clone()) else { return };
        if document.obstacles.prepared {
            self.keep_document(|document| document.obstacles.prepared = false);
        }
        if !document.removed_tiles.is_empty() {
            self.keep_document(|document| document.removed_tiles.clear());
        }
        if document.islands != Islands::default() {
            self.keep_document(|document| document.islands = Islands::default());
        }
        if document.areas != AreaTable::default() {
            self.keep_document(|document| document.areas = AreaTable::default());
        }
    }

    fn reduce_list<T: Clone>(&mut self, list: impl Fn(&mut Document) -> &mut Vec<T>) {
        let Some(level) = self.level() else { return };
        let items = list(&mut level.document.clone()).clone();
        let monitor = self.monitor;
        let mut remains =
            |kept: &[T]| self.keep_document(|document| *list(document) = kept.to_vec());
        shrink_list(&items, &mut remains, monitor);
    }

    fn reduce_mesh(&mut self) {
        let Some(mesh) = self.level().map(|level| Arc::clone(&level.mesh)) else { return };
        let monitor = self.monitor;
        let mut remains =
            |candidate: &TriMesh| self.keep_level(|level| level.mesh = Arc::new(candidate.clone()));
        shrink_mesh(&mesh, &mut remains, monitor);
    }

    fn reduce_tiles(&mut self) {
        let ReproScene::Navmesh { name, bytes } = &self.best.scene else { return };
        let Ok(mesh) = parse_navmesh(bytes) else { return };
        let name = name.clone();
        let key = |tile: &Tile| {
            let TileHeader { x, z, layer, .. } = tile.header;
            let [x, z, layer] = [x, z, layer].map(|at| u32::try_from(at).unwrap_or(0));
            (TileCoord::new(x, z), layer)
        };
        let tiles: Vec<_> = mesh.tiles().map(key).collect();
        let all: Vec<usize> = (0..tiles.len()).collect();
        let monitor = self.monitor;
        let mut remains = |kept: &[usize]| {
            let mut smaller = mesh.clone();
            for index in all.iter().filter(|index| kept.binary_search(index).is_err()) {
                let (coord, layer) = tiles[*index];
                smaller.remove_tile(coord, layer);
            }
            let scene = ReproScene::Navmesh { name: name.clone(), bytes: smaller.to_bytes() };
            self.keep(Repro { scene, ..self.best.clone() })
        };
        shrink_list(&all, &mut remains, monitor);
    }

    fn reduce_settings(&mut self) {
        let Some(settings) = self.level().map(|level| level.document.settings.clone()) else {
            return;
        };
        let monitor = self.monitor;
        shrink_settings(
            &settings,
            &mut |candidate| self.keep_document(|document| document.settings = candidate.clone()),
            monitor,
        );
    }

    fn reset_terms(&mut self) {
        let ReproQuery::Path(terms) = &self.best.query else { return };
        let plain = PathTerms::new(terms.ends);
        if **terms != plain {
            let query = ReproQuery::Path(plain.into());
            self.keep(Repro { query, ..self.best.clone() });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use walkable::{
        bake::{AreaVolume, BakeInput, OffMeshLink, RawArea, VolumeShape, bake},
        explain::Cause,
        ids::AreaId,
        level::{LevelKind, generate},
        mesh::MeshPart,
        monitor::Unmonitored,
    };

    use super::*;
    use crate::repro::tests::{kerb, path_terms};

    /// Returns a town with the floors of [`kerb`] moved into it, and items and settings that have nothing to do with
    /// the step.
    fn town_with_step(query: ReproQuery) -> Repro {
        let ReproScene::Level(mut level) = kerb().scene else { panic!("a level") };
        let town = generate(LevelKind::Town, 1, 80.0).unwrap().mesh;
        // The floors are beside the town, so that nothing covers them.
        let beside = Vec3::new(20.0, 0.0, 0.0);
        let n = u32::try_from(level.mesh.vertices().len()).unwrap();
        let vertices = [
            level.mesh.vertices().to_vec(),
            town.vertices().iter().map(|at| *at + beside).collect(),
        ]
        .concat();
        let moved = town.triangles().iter().map(|corners| corners.map(|corner| corner + n));
        let triangles: Vec<_> = level.mesh.triangles().iter().copied().chain(moved).collect();
        let n = u32::try_from(triangles.len()).unwrap();
        let part = |object: &str, triangles| MeshPart {
            object: object.into(),
            material: "".into(),
            triangles,
        };
        let parts = vec![part("step", 0..4), part("town", 4..n)];
        level.mesh = TriMesh::with_parts(vertices, triangles, parts).unwrap().into();
        let shape =
            VolumeShape::Cylinder { base: Vec3::new(60.0, 0.0, 60.0), radius: 2.0, height: 3.0 };
        let volume = AreaVolume::new(RawArea(1), shape);
        let link = OffMeshLink {
            start: Vec3::new(50.0, 0.0, 50.0),
            end: Vec3::new(55.0, 0.0, 50.0),
            radius: 0.6,
            bidirectional: true,
            area: AreaId(5),
            flags: 8,
            user_id: 1000,
        };
        level.document.volumes = vec![volume.into()];
        level.document.off_mesh = vec![link.into()];
        level.document.settings =
            BakeSettings { tile_size: 32, edge_max_error: 1.0, ..BakeSettings::default() };
        Repro::of(ReproScene::Level(level), query, &Unmonitored).unwrap()
    }

    fn level(repro: &Repro) -> &ReproLevel {
        let ReproScene::Level(level) = &repro.scene else { panic!("a level") };
        level
    }

    #[test]
    fn only_what_the_problem_needs_is_kept() {
        let place = ReproQuery::At(Vec3::new(5.7, 0.0, 3.0));
        for query in [place, ReproQuery::Path(path_terms().into())] {
            let repro = town_with_step(query);
            let mut sizes = Vec::new();
            let mut found = |repro: &Repro, _| sizes.push(level(repro).mesh.triangles().len());
            let shrunk = repro.shrunk(&mut found, &Unmonitored).unwrap();
            let small = level(&shrunk.repro);
            assert!(
                small.mesh.triangles().len() <= 4,
                "{} triangles",
                small.mesh.triangles().len()
            );
            assert!(small.document.volumes.is_empty() && small.document.off_mesh.is_empty());
            let BakeSettings { tile_size, edge_max_error, .. } = small.document.settings;
            assert_eq!((tile_size, edge_max_error), (0, BakeSettings::default().edge_max_error));
            assert!(shrunk.is_complete && sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
            let again = shrunk.repro.ask(&Unmonitored).unwrap();
            assert_eq!(again, shrunk.repro.actual);
            assert!(again.is_still(&repro.actual, 0.3), "{again} instead of {}", repro.actual);
        }
    }

    /// Floors of 32 m by 4 m at both sides of a step of 1.5 m, baked in small tiles.
    fn navmesh_with_step() -> Repro {
        let floor = |x: [f32; 2], y: f32| {
            [[x[0], 0.0], [x[0], 4.0], [x[1], 4.0], [x[1], 0.0]].map(|[x, z]| Vec3::new(x, y, z))
        };
        let vertices = [floor([0.0, 32.0], 0.0), floor([32.0, 64.0], 1.5)].concat();
        let mesh =
            TriMesh::new(vertices, vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]).unwrap();
        let settings = BakeSettings { tile_size: 8, ..BakeSettings::default() };
        let baked = bake(BakeInput::new(mesh.into(), settings), &Unmonitored).unwrap();
        let ends = [Vec3::new(2.0, 0.0, 2.0), Vec3::new(62.0, 1.5, 2.0)];
        let scene = ReproScene::Navmesh { name: "step.bin".to_owned(), bytes: baked.to_bytes() };
        Repro::of(scene, ReproQuery::Path(PathTerms::new(ends).into()), &Unmonitored).unwrap()
    }

    #[test]
    fn tiles_of_a_navmesh_that_the_problem_does_not_need_are_removed() {
        let repro = navmesh_with_step();
        assert!(repro.actual.cause.is_some(), "{}", repro.actual);
        let mut sizes = Vec::new();
        let mut found = |repro: &Repro, _| sizes.push(repro.scene.size().n());
        let shrunk = repro.shrunk(&mut found, &Unmonitored).unwrap();
        let (before, after) = (repro.scene.size(), shrunk.repro.scene.size());
        assert!(before.n() > 30 && (1..=4).contains(&after.n()), "{before} to {after}");
        assert!(shrunk.is_complete && sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
        let again = shrunk.repro.ask(&Unmonitored).unwrap();
        assert!(again.is_still(&repro.actual, 0.3), "{again} instead of {}", repro.actual);
        let mut gone = repro;
        gone.actual.cause = Some(Cause::Volume);
        assert!(matches!(gone.shrunk(&mut |_, _| {}, &Unmonitored), Err(ShrinkError::Gone { .. })));
    }

    /// A ramp of 48° beside a steeper one, and an end far above the ground: both stay what they are.
    #[test]
    fn a_smaller_level_has_the_same_slope_and_distance() {
        let ramp = |x: f32, slope_deg: f32| {
            let rise = 4.0 * slope_deg.to_radians().tan();
            [[x, 4.0, 0.0], [x, 8.0, rise], [x + 2.0, 8.0, rise], [x + 2.0, 4.0, 0.0]]
                .map(|[x, z, y]| Vec3::new(x, y, z))
        };
        let floor = [[0.0, 0.0], [0.0, 4.0], [8.0, 4.0], [8.0, 0.0]];
        let floor = floor.map(|[x, z]| Vec3::new(x, 0.0, z));
        let ramps = [48.0, 49.0, 50.5, 51.7].into_iter().zip([0.0, 2.0, 4.0, 6.0]);
        let ramps = ramps.flat_map(|(slope, x)| ramp(x, slope));
        let vertices: Vec<_> = floor.into_iter().chain(ramps).collect();
        let quads = (0..5).flat_map(|n| [[0, 1, 2], [0, 2, 3]].map(|c| c.map(|c| c + 4 * n)));
        let mesh = TriMesh::new(vertices, quads.collect()).unwrap();
        let ReproScene::Level(mut level) = kerb().scene else { panic!("a level") };
        level.mesh = mesh.into();
        let [start, high] = [Vec3::new(1.0, 0.0, 2.0), Vec3::new(2.5, 1.18, 2.0)];
        for end in [Vec3::new(1.0, 3.0, 6.7), high] {
            let query = ReproQuery::Path(PathTerms::new([start, end]).into());
            let scene = ReproScene::Level(level.clone());
            let repro = Repro::of(scene, query, &Unmonitored).unwrap();
            let shrunk = repro.shrunk(&mut |_, _| {}, &Unmonitored).unwrap().repro;
            assert_eq!(shrunk.actual.cause, repro.actual.cause);
            let (before, after) = (&repro.actual.text, &shrunk.actual.text);
            assert!(shrunk.actual.is_still(&repro.actual, 0.3), "{before} became {after}");
            assert!(shrunk.scene.size().n() < 10, "{after}");
        }
    }

    /// Cancels once this many smaller levels were found.
    struct Enough(AtomicUsize);

    impl Monitor for Enough {
        fn is_cancelled(&self) -> bool {
            self.0.load(Ordering::Relaxed) == 0
        }
    }

    #[test]
    fn a_cancelled_search_returns_the_smallest_level_found() {
        let repro = town_with_step(ReproQuery::At(Vec3::new(5.7, 0.0, 3.0)));
        let enough = Enough(2.into());
        let mut last = None;
        let mut found = |repro: &Repro, _| {
            enough.0.fetch_sub(1, Ordering::Relaxed);
            last = Some(repro.clone());
        };
        let shrunk = repro.shrunk(&mut found, &enough).unwrap();
        assert_eq!((Some(shrunk.repro), shrunk.is_complete), (last, false));
    }

    #[test]
    fn a_problem_that_is_gone_is_reported() {
        let mut repro = kerb();
        let ReproScene::Level(level) = &mut repro.scene else { panic!("a level") };
        level.document.settings.agent_max_climb = 2.0;
        let why = repro.shrunk(&mut |_, _| {}, &Unmonitored).unwrap_err().to_string();
        assert!(
            why.contains("the problem is gone: the result is now")
                && !why.contains("now \"not walkable: step"),
            "{why}"
        );
    }
}
