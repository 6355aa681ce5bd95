//! Baking and its explanations for JavaScript. It is a separate file, because a game that only loads navmeshes does not
//! need it. `README.md` documents it for users.

#[path = "../../src/convert.rs"]
mod convert;
mod settings;

use std::sync::Arc;

use glam::Vec3;
use js_sys::{Error, JSON};
use serde::Serialize;
use walkable_bake::bake::{BakeInput, BakeLimits, BakePlan, bake};
use walkable_mesh::TriMesh;
use walkable_runtime::{
    monitor::Unmonitored,
    query::{Filter, PathRequest},
};
use walkable_tools::{
    explain::{FixLimits, PlaceQuestion, why_here},
    route::why_no_path,
};
use wasm_bindgen::prelude::*;

use convert::{to_error, vec3};

/// Maximum memory of a bake, in bytes, estimated before it starts. WebAssembly has 4 GB at most.
const MAX_BYTES: u64 = 2_000_000_000;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/**
 * Settings of a bake by the names that settings files and `walkable bake --set` use, such as `agent_radius`; `null` for
 * `auto`. A string is the text of a settings file, which can also contain areas, volumes and off-mesh links.
 */
export type Settings = string | Record<string, number | boolean | string | ArrayLike<number> | null>;

/** A fix. All but changes to the level were verified by a bake. */
export type Fix =
  /** Changed settings, and what else they change. */
  | { set: Record<string, unknown>; verified: true; side_effects: Record<string, unknown> }
  /** An off-mesh link to add. */
  | { link: Record<string, unknown>; verified: true }
  /** Options of `walkable path`. */
  | { args: string[]; verified: true }
  /** A change to the level. */
  | { geometry: string };

/** What is measured, and the limit that it exceeds or does not reach. */
export interface Measure {
  measured: number | null;
  limit: number | null;
  unit: 'm' | 'deg' | 'cells' | 'nodes' | null;
}

/** Why an agent cannot stand at a place. */
export interface PlaceAnswer {
  walkable: boolean;
  /** The first cause, and the causes that would apply after it; empty if the place is walkable. */
  chain: (Measure & { cause: string; stage: string | null; text: string })[];
  /** The smallest side effects first. */
  fixes: Fix[];
  /** Whether the search for fixes reached its limit of bakes. */
  fixes_cut_short: boolean;
}

/** Something that interrupts a path. */
export interface PathBreak extends Measure {
  cause: string;
  where: [number, number, number];
  text: string;
  advice: string | null;
}

/** Why no path leads to a place. */
export interface PathAnswer {
  status: 'complete' | 'partial' | 'unreachable';
  /** The first obstacle on the best crossing. */
  first: PathBreak | null;
  /** Further obstacles on that crossing. */
  also: PathBreak[];
  /** The first obstacle on each of the other crossings. */
  crossings: PathBreak[];
  /** Set if the path is complete but takes a long detour. */
  detour: string | null;
  /** What could not be determined, and why. */
  unknown: string | null;
  fixes: Fix[];
  /** Whether the search for fixes reached its limit of bakes. */
  fixes_cut_short: boolean;
}
"#;

/// The triangles of a level.
#[wasm_bindgen]
pub struct Level(Arc<TriMesh>);

#[wasm_bindgen]
impl Level {
    /// Creates a level of vertices, three numbers for each, and triangles, three indices of vertices for each. Triangles are
    /// counterclockwise seen from the side on which agents walk. Units are meters, y is up.
    #[wasm_bindgen(constructor)]
    pub fn new(vertices: &[f32], triangles: &[u32]) -> Result<Self, Error> {
        let vertices = triples("vertices", vertices)?.map(|&[x, y, z]| Vec3::new(x, y, z));
        let triangles = triples("triangles", triangles)?.copied();
        let mesh = TriMesh::new(vertices.collect(), triangles.collect());
        Ok(Self(Arc::new(mesh.map_err(|error| to_error(&error))?)))
    }

    /// Number of triangles.
    #[wasm_bindgen(getter, js_name = triangleCount)]
    pub fn triangle_count(&self) -> usize {
        self.0.triangles().len()
    }

    /// Bakes the level. Returns the tile set (MSET) that `NavMesh.fromBytes` and Detour's samples load: the bytes that
    /// `walkable bake` writes.
    pub fn bake(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Settings | undefined")] settings: &JsValue,
    ) -> Result<Vec<u8>, Error> {
        let plan = self.plan(settings)?;
        let mesh = bake(plan.input().clone(), &Unmonitored).map_err(|error| to_error(&error))?;
        Ok(mesh.to_bytes())
    }

    /// Explains why an agent cannot stand at a place. With `fixes`, also finds settings that fix it, each verified by a
    /// bake, which can take seconds.
    #[wasm_bindgen(js_name = whyHere, unchecked_return_type = "PlaceAnswer")]
    pub fn why_here(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Settings | undefined")] settings: &JsValue,
        at: &[f32],
        fixes: Option<bool>,
    ) -> Result<JsValue, Error> {
        let (plan, usual) = (self.plan(settings)?, FixLimits::default());
        let n_bakes = if fixes == Some(true) { usual.n_bakes } else { 0 };
        let limits = FixLimits { bake: bake_limits(), n_bakes, ..usual };
        let question = PlaceQuestion { at: vec3("at", at)?, triangle: None };
        let answer = why_here(&plan, question, limits, &Unmonitored);
        to_object(&answer.map_err(|error| to_error(&error))?)
    }

    /// Explains why no path leads from `start` to `end`. With `fixes`, also finds settings and links that fix it, each
    /// verified by a bake, which can take seconds.
    #[wasm_bindgen(js_name = whyNoPath, unchecked_return_type = "PathAnswer")]
    pub fn why_no_path(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Settings | undefined")] settings: &JsValue,
        start: &[f32],
        end: &[f32],
        fixes: Option<bool>,
    ) -> Result<JsValue, Error> {
        let (plan, filter) = (self.plan(settings)?, Filter::default());
        let request = PathRequest::new(vec3("start", start)?, vec3("end", end)?, &filter);
        let limits = (fixes == Some(true)).then(bake_limits);
        let answer = why_no_path(&plan, request, limits, &Unmonitored);
        to_object(&answer.map_err(|error| to_error(&error))?)
    }
}

impl Level {
    fn plan(&self, settings: &JsValue) -> Result<BakePlan, Error> {
        let config = settings::config(settings)?;
        let input: BakeInput = config.with_mesh(Arc::clone(&self.0));
        let plan = BakePlan::new(input).map_err(|error| to_error(&error))?;
        plan.check_limits(1, bake_limits()).map_err(|error| to_error(&error))?;
        Ok(plan)
    }
}

fn bake_limits() -> BakeLimits {
    BakeLimits { n_bytes: MAX_BYTES, secs: f64::INFINITY }
}

/// Returns the groups of three numbers. `name` is the name of the argument.
fn triples<'a, T>(name: &str, numbers: &'a [T]) -> Result<impl Iterator<Item = &'a [T; 3]>, Error> {
    let (triples, rest) = numbers.as_chunks();
    if rest.is_empty() {
        Ok(triples.iter())
    } else {
        let n = numbers.len();
        Err(Error::new(&format!("{name} has {n} numbers, which is not a multiple of three")))
    }
}

/// Returns the JavaScript object with the JSON of `value`.
fn to_object(value: &impl Serialize) -> Result<JsValue, Error> {
    let text = serde_json::to_string(value).map_err(|error| Error::new(&error.to_string()))?;
    JSON::parse(&text).map_err(|_invalid| Error::new("the answer is not valid JSON"))
}
