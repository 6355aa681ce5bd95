//! Repro files as JSON text: one field per line, and one row per vertex and triangle.

use std::{borrow::Cow, fmt::Write as _};

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    mesh::{MeshError, MeshPart, TriMesh},
    query::Filter,
};

use super::{ExpectedResult, Repro, ReproLevel, ReproQuery, ReproResult, ReproScene};
use crate::{
    document::Document, files::Format, path_terms::PathTerms, project::has_finite_numbers,
};

/// Increased whenever an older program would misread the format. Files of older versions stay readable forever.
const VERSION: u32 = 1;

const MAX_NAME_BYTES: usize = 4096;

#[derive(Debug, thiserror::Error)]
pub enum ReproError {
    #[error("it is not a Walkable repro file: {0}")]
    Malformed(serde_json::Error),
    #[error(
        "it was written by a newer Walkable: its format is {found}, this program reads up to {VERSION}"
    )]
    TooNew { found: u32 },
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The objects of the level do not have all its triangles.
    #[error("its parts have {parts} triangles, but the level has {triangles}")]
    Parts {
        /// Number of triangles of all parts.
        parts: u64,
        triangles: usize,
    },
    #[error(
        "the name of an object or material has {n_bytes} bytes, more than the limit of {MAX_NAME_BYTES}"
    )]
    LongName { n_bytes: usize },
    #[error("it must have either a level with its document, or a navmesh")]
    Scene,
    #[error("its navmesh is not valid base64: {0}")]
    Base64(base64::DecodeError),
    #[error("the result \"{}\" cannot be expected of this query", .0.key())]
    Expected(ExpectedResult),
    #[error("a number in it is out of range")]
    NotFinite,
    #[error(
        "the file would have {} MiB, more than the limit of {} MiB; keep only a part of the level (--around)",
        n_bytes.div_ceil(1 << 20), max_bytes >> 20
    )]
    TooLarge { n_bytes: u64, max_bytes: u64 },
}

impl From<serde_json::Error> for ReproError {
    fn from(error: serde_json::Error) -> Self {
        Self::Malformed(error)
    }
}

/// The field that every version begins with.
#[derive(Deserialize)]
struct Head {
    walkable_repro: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "walkable_repro")]
    _version: u32,
    program: String,
    query: ReproQuery,
    #[serde(default)]
    expected: Option<ExpectedResult>,
    actual: ReproResult,
    name: String,
    #[serde(default)]
    document: Option<Box<Document>>,
    #[serde(default)]
    level: Option<LevelRows>,
    #[serde(default)]
    navmesh: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelRows {
    parts: Vec<PartRow<'static>>,
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

/// A run of triangles with the same object and material.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartRow<'a> {
    #[serde(default, skip_serializing_if = "str::is_empty")]
    object: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "str::is_empty")]
    material: Cow<'a, str>,
    triangles: u32,
}

pub(super) fn parse(text: &str) -> Result<Repro, ReproError> {
    let Head { walkable_repro: version } = serde_json::from_str(text)?;
    if version > VERSION {
        return Err(ReproError::TooNew { found: version });
    }
    let file: File = serde_json::from_str(text)?;
    let File { program, query, expected, actual, name, .. } = file;
    let scene = match (file.document, file.level, file.navmesh) {
        (Some(document), Some(level), None) => {
            if !has_finite_numbers(&document)? {
                return Err(ReproError::NotFinite);
            }
            ReproScene::Level(ReproLevel { name, mesh: level.mesh()?.into(), document })
        }
        (None, None, Some(navmesh)) => {
            let bytes = BASE64.decode(navmesh).map_err(ReproError::Base64)?;
            ReproScene::Navmesh { name, bytes }
        }
        _ => return Err(ReproError::Scene),
    };
    let has_finite_result =
        actual.place.is_none_or(Vec3::is_finite) && actual.measured.is_none_or(f32::is_finite);
    if !has_finite_terms(&query) || !has_finite_result {
        return Err(ReproError::NotFinite);
    }
    if let Some(expected) = expected.filter(|expected| !expected.fits(&query)) {
        return Err(ReproError::Expected(expected));
    }
    Ok(Repro { program, scene, query, expected, actual })
}

/// Returns whether all numbers of the query are finite, except for the cost limit, which may be infinite.
fn has_finite_terms(query: &ReproQuery) -> bool {
    let costs_are_finite = match query {
        ReproQuery::At(_) => true,
        ReproQuery::Path(terms) => {
            let PathTerms { filter: Filter { area_cost, rules, .. }, half_extents, .. } = &**terms;
            let costs = area_cost.iter().chain(&rules.entering_cost);
            half_extents.is_finite()
                && rules.heuristic_scale.is_finite()
                && costs.copied().all(f32::is_finite)
        }
    };
    costs_are_finite && query.places().iter().all(|place| place.is_finite())
}

impl LevelRows {
    fn mesh(self) -> Result<TriMesh, ReproError> {
        let n_triangles = self.triangles.len();
        let n_in_parts = self.parts.iter().map(|part| u64::from(part.triangles)).sum::<u64>();
        if u64::try_from(n_triangles) != Ok(n_in_parts) {
            return Err(ReproError::Parts { parts: n_in_parts, triangles: n_triangles });
        }
        let names = self.parts.iter().flat_map(|part| [part.object.len(), part.material.len()]);
        if let Some(n_bytes) = names.max().filter(|n_bytes| *n_bytes > MAX_NAME_BYTES) {
            return Err(ReproError::LongName { n_bytes });
        }
        let mut end = 0;
        let parts = self.parts.into_iter().map(|part| {
            let start = end;
            end += part.triangles;
            let PartRow { object, material, .. } = part;
            MeshPart {
                object: (*object).into(),
                material: (*material).into(),
                triangles: start..end,
            }
        });
        let parts = parts.collect();
        Ok(TriMesh::with_parts(self.vertices, self.triangles, parts)?)
    }
}

pub(super) fn to_text(repro: &Repro) -> Result<String, ReproError> {
    let Repro { program, scene, query, expected, actual } = repro;
    let mut text = format!("{{\n  \"walkable_repro\": {VERSION}");
    field(&mut text, "program", program)?;
    field(&mut text, "query", query)?;
    if let Some(expected) = expected {
        field(&mut text, "expected", expected)?;
    }
    field(&mut text, "actual", actual)?;
    match scene {
        ReproScene::Level(ReproLevel { name, mesh, document }) => {
            field(&mut text, "name", name)?;
            // A line break within a text is escaped, so each line break separates two values.
            let document = serde_json::to_string_pretty(document)?.replace('\n', "\n  ");
            let _ = write!(text, ",\n  \"document\": {document},\n  \"level\": {{");
            let parts = mesh.parts().iter().map(|part| PartRow {
                object: Cow::Borrowed(&*part.object),
                material: Cow::Borrowed(&*part.material),
                triangles: part.triangles.end - part.triangles.start,
            });
            rows(&mut text, "parts", parts)?;
            text.push(',');
            rows(&mut text, "vertices", mesh.vertices())?;
            text.push(',');
            rows(&mut text, "triangles", mesh.triangles())?;
            text.push_str("\n  }");
        }
        ReproScene::Navmesh { name, bytes } => {
            field(&mut text, "name", name)?;
            field(&mut text, "navmesh", &BASE64.encode(bytes))?;
        }
    }
    text.push_str("\n}\n");
    let max_bytes = Format::Repro.max_bytes();
    match u64::try_from(text.len()).unwrap_or(u64::MAX) {
        n_bytes if n_bytes > max_bytes => Err(ReproError::TooLarge { n_bytes, max_bytes }),
        _ => Ok(text),
    }
}

fn field<T: Serialize>(text: &mut String, key: &str, value: &T) -> Result<(), ReproError> {
    // Writing to a string cannot fail.
    let _ = write!(text, ",\n  \"{key}\": {}", serde_json::to_string(value)?);
    Ok(())
}

fn rows<T: Serialize>(
    text: &mut String,
    key: &str,
    all: impl IntoIterator<Item = T>,
) -> Result<(), ReproError> {
    let _ = write!(text, "\n    \"{key}\": [");
    for (i, one) in all.into_iter().enumerate() {
        let comma = if i == 0 { "" } else { "," };
        let _ = write!(text, "{comma}\n{}", serde_json::to_string(&one)?);
    }
    text.push_str("\n    ]");
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use walkable::ids::TileCoord;

    use super::*;
    use crate::{
        document::Islands,
        repro::{
            ReproStatus,
            tests::{kerb, path_terms},
        },
    };

    #[test]
    fn a_written_file_is_read_back_exactly() {
        let mut repro = kerb();
        repro.expected = Some(ExpectedResult::Status(ReproStatus::Walkable));
        let ReproScene::Level(level) = &mut repro.scene else { panic!("a level") };
        level.document.removed_tiles = [TileCoord::new(3, 4)].into();
        level.document.islands = Islands { min_area: Some(0.1), seeds: vec![Vec3::X] };
        let text = repro.to_text().unwrap();
        assert_eq!(parse(&text).unwrap(), repro);
        assert_eq!(parse(&text).unwrap().to_text().unwrap(), text);
        let path = Repro { query: ReproQuery::Path(path_terms().into()), expected: None, ..repro };
        assert_eq!(parse(&path.to_text().unwrap()).unwrap(), path);
        let bytes = vec![0, 1, 254, 255];
        let navmesh = ReproScene::Navmesh { name: "a \"b\".bin".to_owned(), bytes };
        let navmesh = Repro { scene: navmesh, ..path };
        assert_eq!(parse(&navmesh.to_text().unwrap()).unwrap(), navmesh);
    }

    proptest! {
        #[test]
        fn every_coordinate_is_read_back_exactly(bits in proptest::array::uniform9(any::<u32>())) {
            let numbers = bits.map(f32::from_bits).map(|n| if n.is_finite() { n } else { 1.5 });
            let vertices: Vec<_> = numbers.chunks(3).map(Vec3::from_slice).collect();
            let mesh = TriMesh::new(vertices, vec![[0, 1, 2]]).unwrap();
            let mut repro = kerb();
            let ReproScene::Level(level) = &mut repro.scene else { panic!("a level") };
            level.mesh = mesh.into();
            let again = parse(&repro.to_text().unwrap()).unwrap();
            let ReproScene::Level(level) = &again.scene else { panic!("a level") };
            let read: Vec<_> =
                level.mesh.vertices().iter().flat_map(Vec3::to_array).map(f32::to_bits).collect();
            prop_assert_eq!(read, numbers.map(f32::to_bits));
        }
    }

    #[test]
    fn damaged_files_are_refused_with_a_reason() {
        let good = kerb().to_text().unwrap();
        let first = good
            .lines()
            .position(|line| line.starts_with("{\"object\"") || line == "{\"triangles\":4}")
            .unwrap();
        let part = good.lines().nth(first).unwrap();
        let changed = |from: &str, to: &str| {
            assert!(good.contains(from), "no {from} in {good}");
            parse(&good.replacen(from, to, 1)).unwrap_err().to_string()
        };
        for (from, to, reason) in [
            ("\"walkable_repro\": 1", "\"walkable_repro\": 9", "newer Walkable: its format is 9"),
            ("\"query\"", "\"question\"", "unknown field `question`"),
            ("\"at\":[", "\"at\":[1e300,", "line 4"),
            ("[0,1,2]", "[0,1,200]", "refers to vertex 200"),
            ("[0,1,2],", "", "its parts have 4 triangles, but the level has 3"),
            (
                part,
                "{\"triangles\":4294967295},{\"triangles\":4294967295}",
                "its parts have 8589934590",
            ),
            ("\"agent_radius\": 0.6", "\"agent_radius\": 1e300", "out of range"),
            ("\"cause\":\"step\"", "\"cause\":\"stairs\"", "unknown variant `stairs`"),
            ("\"name\"", "\"navmesh\": \"AAAA\",\n\"name\"", "either a level"),
            ("  \"actual\"", "  \"expected\": \"complete\",\n  \"actual\"", "cannot be expected"),
        ] {
            let why = changed(from, to);
            assert!(why.contains(reason), "{from} as {to}: {why}");
        }
        let long = format!("{{\"object\":\"{}\",\"triangles\":4}}", "x".repeat(5000));
        assert!(changed(part, &long).contains("5000 bytes"), "{}", changed(part, &long));
        for end in (0..good.len() - 2).step_by(13) {
            assert!(parse(&good[..end]).is_err(), "cut at byte {end}");
        }
    }
}
