//! A bake in numbers, written as JSON by `walkable bake --report` and by the editor, or as CSV with one line per tile.
//!
//! | field | meaning |
//! |---|---|
//! | `schema` | version of this list of fields, [`SCHEMA`] |
//! | `program` | name and version of the program |
//! | `level` | file or name of the level, or `null` |
//! | `settings` | the settings, by the keys of a settings file |
//! | `triangles` | triangles of the level |
//! | `elapsed_ms` | time from start to end, or `null` where not all tiles were baked together |
//! | `work_ms` | time of all stages of all tiles, on however many threads |
//! | `stage_ms` | the same for each stage |
//! | `cache` | tiles of `--cache`: `folder`, `read`, `baked`, `damaged`, `not_stored`; `null` without it |
//! | `output` | what was written: `format`, `reference_bits`, `bytes`, `polygons` |
//! | `warnings` | what was found that belongs to no single tile, and the first of each code of the tiles |
//! | `links` | one object an off-mesh link: `number`, `user_id`, `start`, `end`, `state`, `findings` |
//! | `tiles` | one object a tile, see below |
//!
//! | field of a tile | meaning |
//! |---|---|
//! | `tile` | column `x` and row `z` |
//! | `error` | why it has no result, or `null` |
//! | `from_cache` | whether it was read from the cache |
//! | `stage_ms` | time of each stage |
//! | `counts` | what each stage made, where known; the key is the stage, or `contours_raw` |
//! | `warnings` | what was found, each a diagnostic with `code`, `severity`, `text`, `locations`, `arguments`, `count` |

use std::{collections::BTreeMap, path::Path, time::Duration};

use serde::Serialize;
use walkable::{
    bake::{BakeSettings, Stage},
    diagnostic::Diagnostic,
    ids::TileCoord,
    links::LinkReport,
    navmesh::{NavMesh, format::RefWidth},
};

use crate::{
    bake_cache::CacheTally,
    runner::{StageTimes, TileOutcome},
    words::csv_field,
};

/// Key of the number of points of raw contours, which the contour stage creates first.
pub const RAW_CONTOURS: &str = "contours_raw";

/// Version of the report's fields: 2 since findings are objects.
pub const SCHEMA: u32 = 2;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OutputReport {
    /// `tiles` (MSET) or `layers` (TSET); empty where nothing could be written.
    pub format: &'static str,
    pub reference_bits: u8,
    pub bytes: usize,
    pub polygons: usize,
}

impl OutputReport {
    pub fn of_mesh(mesh: &NavMesh) -> Self {
        let stats = mesh.stats();
        let reference_bits = match mesh.width() {
            RefWidth::Bits32 => 32,
            RefWidth::Bits64 => 64,
        };
        Self { format: "tiles", reference_bits, bytes: stats.n_bytes, polygons: stats.n_polys }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    schema: u32,
    program: &'static str,
    level: Option<String>,
    settings: BakeSettings,
    triangles: usize,
    elapsed_ms: Option<f64>,
    work_ms: f64,
    #[serde(rename = "stage_ms", serialize_with = "by_stage")]
    times: StageTimes,
    cache: Option<CacheTally>,
    output: OutputReport,
    warnings: Vec<Diagnostic>,
    links: Vec<LinkReport>,
    tiles: Vec<TileReport>,
}

#[derive(Clone, Debug, Serialize)]
pub struct TileReport {
    pub tile: TileCoord,
    pub error: Option<String>,
    pub from_cache: bool,
    #[serde(rename = "stage_ms", serialize_with = "by_stage")]
    pub times: StageTimes,
    /// Number of elements that each stage created, by its key.
    pub counts: BTreeMap<&'static str, usize>,
    pub warnings: Vec<Diagnostic>,
}

impl Report {
    pub fn new(
        level: Option<String>,
        triangles: usize,
        settings: BakeSettings,
        elapsed: Option<Duration>,
        tiles: Vec<TileReport>,
    ) -> Self {
        let mut times = StageTimes::default();
        for tile in &tiles {
            times.add(&tile.times);
        }
        let program = concat!("walkable ", env!("CARGO_PKG_VERSION"));
        let elapsed_ms = elapsed.map(millis);
        Self {
            schema: SCHEMA,
            program,
            level,
            settings,
            triangles,
            elapsed_ms,
            work_ms: millis(times.total()),
            times,
            cache: None,
            output: OutputReport::default(),
            warnings: Vec::new(),
            links: Vec::new(),
            tiles,
        }
    }

    #[must_use]
    pub fn with_findings(self, warnings: Vec<Diagnostic>, links: Vec<LinkReport>) -> Self {
        Self { warnings, links, ..self }
    }

    #[must_use]
    pub fn with_output(self, output: OutputReport) -> Self {
        Self { output, ..self }
    }

    #[must_use]
    pub fn with_cache(mut self, cache: Option<CacheTally>) -> Self {
        for tile in &mut self.tiles {
            tile.from_cache = cache.as_ref().is_some_and(|cache| cache.was_read(tile.tile));
        }
        Self { cache, ..self }
    }

    /// Returns CSV if the name of `path` ends in `.csv`, else JSON.
    pub fn to_file(&self, path: &Path) -> serde_json::Result<Vec<u8>> {
        let is_csv = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
        if is_csv { Ok(self.to_csv().into_bytes()) } else { self.to_json() }
    }

    pub fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Returns a table with the names of the columns and a line per tile. Findings about the whole level and off-mesh
    /// links are left out.
    pub fn to_csv(&self) -> String {
        let mut columns = vec!["column".to_owned(), "row".to_owned(), "from_cache".to_owned()];
        columns.extend(Stage::ALL.map(|stage| format!("{}_ms", stage.key())));
        columns.push("all_ms".to_owned());
        columns.extend(count_keys().map(str::to_owned));
        columns.extend(["warnings", "codes", "error"].map(str::to_owned));
        let mut lines = vec![columns.join(",")];
        lines.extend(self.tiles.iter().map(TileReport::csv_line));
        lines.push(String::new());
        lines.join("\n")
    }
}

/// Returns the keys of the numbers of elements, in the order of the stages.
fn count_keys() -> impl Iterator<Item = &'static str> {
    let of_stage = |stage: Stage| {
        let raw = (stage == Stage::Contours).then_some(RAW_CONTOURS);
        raw.into_iter().chain([stage.key()])
    };
    Stage::ALL.into_iter().flat_map(of_stage)
}

impl TileReport {
    /// Creates the report of a tile; the numbers of elements are known only if the stages were kept.
    pub fn of(outcome: &TileOutcome) -> Self {
        let (error, counts, warnings) = match &outcome.result {
            Ok(bake) => {
                let stages = Stage::ALL.into_iter();
                let counts = &bake.counts;
                let raw = counts.raw_contours().map(|n| (RAW_CONTOURS, n));
                let counts = stages.filter_map(|stage| Some((stage.key(), counts.of(stage)?)));
                (None, counts.chain(raw).collect(), bake.warnings.clone())
            }
            Err(failure) => (Some(failure.to_string()), BTreeMap::new(), Vec::new()),
        };
        let (tile, from_cache, times) = (outcome.coord, false, outcome.times.clone());
        Self { tile, error, from_cache, times, counts, warnings }
    }

    fn csv_line(&self) -> String {
        let TileCoord { x, z } = self.tile;
        let mut fields = vec![x.to_string(), z.to_string(), u8::from(self.from_cache).to_string()];
        fields.extend(Stage::ALL.map(|stage| format!("{:.3}", millis(self.times.of(stage)))));
        fields.push(format!("{:.3}", millis(self.times.total())));
        fields.extend(
            count_keys()
                .map(|key| self.counts.get(key).map(ToString::to_string).unwrap_or_default()),
        );
        let codes: Vec<_> = self.warnings.iter().map(|found| found.code().name()).collect();
        fields.push(codes.len().to_string());
        fields.push(codes.join(" "));
        fields.push(csv_field(self.error.as_deref().unwrap_or_default()));
        fields.join(",")
    }
}

fn by_stage<S: serde::Serializer>(times: &StageTimes, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(Stage::ALL.into_iter().map(|stage| (stage.key(), millis(times.of(stage)))))
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_line_per_tile() {
        let tile = TileCoord::new(3, 1);
        let report = TileReport {
            tile,
            error: Some("no memory, \"none\" at all".to_owned()),
            from_cache: true,
            times: StageTimes::default(),
            counts: BTreeMap::from([("spans", 7), (RAW_CONTOURS, 9)]),
            warnings: Vec::new(),
        };
        let settings = BakeSettings::default();
        let report = Report::new(None, 0, settings, None, vec![report]);
        let text = report.to_csv();
        let lines: Vec<_> = text.lines().collect();
        let [header, line] = *lines else { panic!("{text}") };
        let (names, (values, error)) = (header.split(','), line.split_once('"').unwrap());
        assert_eq!(error, "no memory, \"\"none\"\" at all\"");
        let values: BTreeMap<_, _> = names.zip(values.split(',')).collect();
        let of = |name: &str| values[name];
        let expected = [
            ("column", "3"),
            ("row", "1"),
            ("from_cache", "1"),
            ("spans", "7"),
            ("contours_raw", "9"),
            ("regions", ""),
            ("all_ms", "0.000"),
            ("warnings", "0"),
        ];
        for (name, value) in expected {
            assert_eq!(of(name), value, "{name}");
        }
    }

    #[test]
    fn the_ending_of_the_file_selects_its_form() {
        let report = Report::new(None, 0, BakeSettings::default(), None, Vec::new());
        let first = |name: &str| report.to_file(Path::new(name)).unwrap()[0];
        assert_eq!(["a.json", "a.CSV", "a"].map(first), [b'{', b'c', b'{']);
    }
}
