use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};
use walkable_mesh::{MeshError, MeshPart, TriMesh};
use walkable_runtime::diagnostic::{Diagnostic, Finding, Meters};

use crate::{Appearance, LevelFile, LevelReading};

/// The axis of a file that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UpAxis {
    /// x is up.
    X,
    /// y is up, as in Walkable.
    #[default]
    Y,
    /// z is up, as in most modeling tools.
    Z,
}

impl UpAxis {
    /// All axes.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// Returns the letter of the axis.
    pub const fn letter(self) -> char {
        match self {
            Self::X => 'x',
            Self::Y => 'y',
            Self::Z => 'z',
        }
    }

    /// Rotates a position so that this axis points along y; handedness stays the same.
    fn turned_up(self, v: DVec3) -> DVec3 {
        match self {
            Self::X => DVec3::new(-v.y, v.x, v.z),
            Self::Y => v,
            Self::Z => DVec3::new(v.x, v.z, -v.y),
        }
    }

    /// Reverts [`Self::turned_up`].
    fn turned_back(self, v: DVec3) -> DVec3 {
        match self {
            Self::X => DVec3::new(v.y, -v.x, v.z),
            Self::Y => v,
            Self::Z => DVec3::new(v.x, -v.z, v.y),
        }
    }
}

/// How the coordinates and faces of a file are converted to those of a level: meters, right-handed, y up,
/// counter-clockwise seen from the front.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImportOptions {
    /// The axis that points up.
    pub up: UpAxis,
    /// Meters per unit of the file; positive.
    pub scale: f32,
    /// Whether the file is left-handed: z is negated, and faces keep their front side.
    pub mirror: bool,
    /// Whether faces are clockwise seen from the front: their winding is reversed.
    pub flip: bool,
    /// Whether only collision shapes are used, if the level has any: see [`LevelFile::keep_collision_shapes`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub collision_only: bool,
    /// Position in the file that becomes the origin of the level, in the file's unit and axes. It is subtracted while the
    /// file is read, before coordinates are rounded to 32 bits.
    #[serde(skip_serializing_if = "is_unmoved")]
    pub origin: [f64; 3],
}

fn is_unmoved(origin: &[f64; 3]) -> bool {
    origin.iter().all(|n| *n == 0.0)
}

impl Default for ImportOptions {
    /// Returns options without a conversion.
    fn default() -> Self {
        Self {
            up: UpAxis::Y,
            scale: 1.0,
            mirror: false,
            flip: false,
            collision_only: false,
            origin: [0.0; 3],
        }
    }
}

impl ImportOptions {
    /// Returns how to read a file for a level with these options: only triangles, names and base colors, without a limit.
    pub fn reading(self) -> LevelReading {
        LevelReading { origin: self.origin, ..LevelReading::TRIANGLES }
    }

    /// Applies the options that concern the objects of a file, and adds findings about them to those of the file.
    pub fn select(self, mut level: LevelFile) -> LevelFile {
        if self.collision_only {
            level.keep_collision_shapes();
        }
        level
    }

    /// Builds a level from the contents of its file.
    ///
    /// # Errors
    /// Returns [`MeshError::NotFinite`] if scaling exceeds the range of `f32`.
    pub fn import(self, level: LevelFile) -> Result<TriMesh, MeshError> {
        let LevelFile { vertices, triangles, parts, colors, .. } = self.select(level);
        Ok(self.convert(vertices, triangles, parts)?.with_colors(colors))
    }

    /// Builds a level from the contents of its file, with its vertex colors and textures if they were read.
    ///
    /// # Errors
    /// Returns [`MeshError::NotFinite`] if scaling exceeds the range of `f32`.
    pub fn import_with_appearance(
        self,
        level: LevelFile,
    ) -> Result<(TriMesh, Option<Appearance>), MeshError> {
        let mut level = self.select(level);
        let mut appearance = level.appearance.take();
        if let Some(appearance) = appearance.as_mut().filter(|_| self.reverses_winding()) {
            appearance.flip();
        }
        Ok((self.import(level)?, appearance.map(|appearance| *appearance)))
    }

    /// Converts the vertices and triangles of a level.
    ///
    /// # Errors
    /// Returns the [`MeshError`]s of [`TriMesh::with_parts`].
    pub fn convert(
        self,
        mut vertices: Vec<Vec3>,
        mut triangles: Vec<[u32; 3]>,
        parts: Vec<MeshPart>,
    ) -> Result<TriMesh, MeshError> {
        // The default options keep even the sign of a zero.
        if self != Self::default() {
            for vertex in &mut vertices {
                *vertex = self.level_from_file(vertex.as_dvec3()).as_vec3();
            }
        }
        if self.reverses_winding() {
            for corners in &mut triangles {
                corners.swap(1, 2);
            }
        }
        TriMesh::with_parts(vertices, triangles, parts)
    }

    /// Returns whether the order of each triangle's corners changes. Mirroring reverses the winding of every face.
    const fn reverses_winding(self) -> bool {
        self.flip != self.mirror
    }

    fn level_from_file(self, position: DVec3) -> DVec3 {
        let handed = if self.mirror { position.with_z(-position.z) } else { position };
        self.up.turned_up(handed) * f64::from(self.scale)
    }

    /// Returns the position in the file of a point of the level.
    pub fn file_from_level(self, point: Vec3) -> [f64; 3] {
        let DVec3 { x, y, z } = self.up.turned_back(point.as_dvec3() / f64::from(self.scale));
        let z = if self.mirror { -z } else { z };
        (DVec3::new(x, y, z) + DVec3::from_array(self.origin)).to_array()
    }

    /// Returns where [`ImportOptions::origin`] would be in the level if it was not subtracted.
    pub fn moved_by(self) -> DVec3 {
        self.level_from_file(DVec3::from_array(self.origin))
    }

    /// Returns a note that [`ImportOptions::origin`] has moved the level; `None` if it has not.
    pub fn moved(self) -> Option<Diagnostic> {
        let origin = self.origin.map(|n| n.to_string()).join(",");
        (!is_unmoved(&self.origin)).then(|| Finding::LevelMoved { origin }.into())
    }
}

/// Why a level was probably imported with the wrong options, and which ones to try.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ImportHint {
    /// The level is so small that the agent hardly fits in it.
    LevelTiny {
        /// Longer horizontal side of the level, in meters.
        side: f32,
        /// Factor to multiply the scale by.
        scale: f32,
    },
    /// The level is extremely large compared with the agent.
    LevelHuge {
        /// Longer horizontal side of the level, in meters.
        side: f32,
        /// Factor to multiply the scale by.
        scale: f32,
    },
    /// Most walls are so high that the file is probably not in meters.
    WallsHigh {
        /// Height of the lowest of these walls, in meters.
        height: f32,
        /// Factor to multiply the scale by.
        scale: f32,
    },
    /// The level is so far from the origin that 32-bit coordinates are coarse.
    FarFromOrigin {
        /// Largest distance from the origin along an axis, in meters.
        distance: f32,
        /// Distance between neighboring coordinates there, in meters.
        step: f32,
        /// [`ImportOptions::origin`] to use.
        origin: [f64; 3],
    },
    /// Most of the surface faces down.
    FacesDown,
    /// Most of the surface faces along another axis.
    OtherUpAxis {
        /// The axis, after the import.
        axis: UpAxis,
        /// Whether the surface faces against the axis, so that a flip is needed too.
        flip: bool,
    },
}

impl ImportHint {
    /// Returns the hint as a diagnostic.
    pub fn diagnostic(self) -> Diagnostic {
        Diagnostic::new(match self {
            Self::LevelTiny { side, scale } => Finding::LevelTiny { side: Meters(side), scale },
            Self::LevelHuge { side, scale } => Finding::LevelHuge { side: Meters(side), scale },
            Self::WallsHigh { height, scale } => {
                Finding::LevelWallsHigh { height: Meters(height), scale }
            }
            Self::FarFromOrigin { distance, step, origin } => Finding::LevelFarFromOrigin {
                distance: Meters(distance),
                step: Meters(step),
                origin: origin.map(|n| n.to_string()).join(","),
            },
            Self::FacesDown => Finding::LevelFacesDown {},
            Self::OtherUpAxis { axis, flip: false } => {
                Finding::LevelOtherUpAxis { axis: axis.letter() }
            }
            Self::OtherUpAxis { axis, flip: true } => {
                Finding::LevelOtherDownAxis { axis: axis.letter() }
            }
        })
    }
}

/// A level narrower than this many agent diameters is suspicious.
const FEWEST_DIAMETERS: f32 = 4.0;
/// A level wider than this many agent diameters is suspicious: 20 km for a person.
const MOST_DIAMETERS: f32 = 20_000.0;
/// The minimum share of the surface that must face one way to be evidence about the axes. In a level of closed boxes
/// the sides cancel out; open terrain with the right axis has about 1.
const FACING_SHARE: f64 = 0.25;

/// If the upward ground exceeds the downward ground by more than this fraction of the surface along another axis, the
/// level may simply be a narrow one between walls, and there is no hint. With the wrong axis up, walls face both ways
/// equally.
const GROUND_SHARE: f64 = 0.01;
/// Cosine of the steepest slope that counts as ground.
const GROUND_COSINE: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// Cosine of the slope from which a face counts as a wall: 87°.
const WALL_COSINE: f64 = 0.05;

/// Walls of a house are at most this many times as high as an agent.
const HIGHEST_WALLS: f32 = 100.0;
/// Minimum share of walls in the surface of a level by which its unit is judged.
const WALL_SHARE: f64 = 0.05;
/// Greatest distance between neighboring coordinates, relative to the agent's height: 1 cm for a person.
const COARSEST_STEP: f32 = 0.005;
/// The suggested origin is rounded to multiples of this, in units of the file.
const ORIGIN_STEP: f64 = 100.0;
/// A level is on its side if it is this many times thinner along a horizontal axis than along the others, and more of its
/// surface lies across this axis than across any other.
const THINNER: f32 = 2.0;

/// Returns a hint if `mesh`, imported with `options`, looks wrong for an agent of that height and radius (meters): first
/// about its place, then about its size, then about its orientation.
pub fn import_hint(
    mesh: &TriMesh,
    options: ImportOptions,
    agent_height: f32,
    agent_radius: f32,
) -> Option<ImportHint> {
    place_hint(mesh, options, agent_height)
        .or_else(|| size_hint(mesh, agent_height, agent_radius))
        .or_else(|| wall_hint(mesh, agent_height))
        .or_else(|| facing_hint(mesh))
}

fn place_hint(mesh: &TriMesh, options: ImportOptions, agent_height: f32) -> Option<ImportHint> {
    let bounds = mesh.bounds();
    let distance = bounds.min.abs().max(bounds.max.abs()).max_element();
    let step = distance.next_up() - distance;
    let is_coarse = agent_height > 0.0 && step > COARSEST_STEP * agent_height;
    // Moving a level as large as its distance gains nothing.
    let gains = bounds.size().max_element() * 2.0 < distance;
    let round = |n: f64| (n / ORIGIN_STEP).round() * ORIGIN_STEP + 0.0;
    let origin = options.file_from_level(bounds.center()).map(round);
    (is_coarse && gains).then_some(ImportHint::FarFromOrigin { distance, step, origin })
}

fn wall_hint(mesh: &TriMesh, agent_height: f32) -> Option<ImportHint> {
    let limit = HIGHEST_WALLS * agent_height;
    if agent_height <= 0.0 || mesh.bounds().size().y < limit {
        return None;
    }
    let (mut total, mut walls, mut high) = (0.0, 0.0, 0.0);
    let mut lowest = f32::INFINITY;
    for index in 0..mesh.triangles().len() {
        let corners = mesh.corners(index);
        let [a, b, c] = corners.map(Vec3::as_dvec3);
        let twice_area = (b - a).cross(c - a);
        let area = twice_area.length();
        total += area;
        if twice_area.y.abs() > WALL_COSINE * area {
            continue;
        }
        walls += area;
        let heights = corners.map(|corner| corner.y);
        let height = heights.into_iter().fold(f32::MIN, f32::max)
            - heights.into_iter().fold(f32::MAX, f32::min);
        if height >= limit {
            high += area;
            lowest = lowest.min(height);
        }
    }
    let fits = |scale: &f32| lowest * scale <= 10.0 * agent_height;
    let scale = [0.01, 0.001].into_iter().find(fits)?;
    let is_wrong = walls >= WALL_SHARE * total && high * 2.0 > walls;
    is_wrong.then_some(ImportHint::WallsHigh { height: lowest, scale })
}

fn size_hint(mesh: &TriMesh, agent_height: f32, agent_radius: f32) -> Option<ImportHint> {
    let size = mesh.bounds().size();
    let side = size.x.max(size.z);
    // Even a thin agent needs room to stand: a quarter of its height is a person's width.
    let diameter = (2.0 * agent_radius).max(agent_height * 0.25);
    if !(diameter > 0.0 && side > 0.0) {
        return None;
    }
    let fits = |scale: &f32| {
        (FEWEST_DIAMETERS * 2.0..=MOST_DIAMETERS / 2.0).contains(&(side * scale / diameter))
    };
    if side < FEWEST_DIAMETERS * diameter {
        let scale = [10.0, 100.0, 1000.0].into_iter().find(fits)?;
        return Some(ImportHint::LevelTiny { side, scale });
    }
    if side > MOST_DIAMETERS * diameter {
        let scale = [0.01, 0.001].into_iter().find(fits).unwrap_or(0.01);
        return Some(ImportHint::LevelHuge { side, scale });
    }
    None
}

fn facing_hint(mesh: &TriMesh) -> Option<ImportHint> {
    let mut total = 0.0;
    let mut facing = DVec3::ZERO;
    // The surface across each axis, whatever side it faces.
    let mut across = DVec3::ZERO;
    let mut ground = 0.0;
    for index in 0..mesh.triangles().len() {
        let [a, b, c] = mesh.corners(index).map(Vec3::as_dvec3);
        let twice_area = (b - a).cross(c - a);
        total += twice_area.length();
        facing += twice_area;
        across += twice_area.abs();
        if GROUND_COSINE * twice_area.length() <= twice_area.y.abs() {
            ground += twice_area.y;
        }
    }
    // On a tie y comes first, because it needs no change.
    let axes = [(UpAxis::Y, facing.y), (UpAxis::Z, facing.z), (UpAxis::X, facing.x)];
    let longer = |a: (UpAxis, f64), b: (UpAxis, f64)| if b.1.abs() > a.1.abs() { b } else { a };
    let (axis, value) = axes.into_iter().fold((UpAxis::Y, 0.0), longer);
    if value.abs() < FACING_SHARE * total {
        return lying(mesh, across);
    }
    match (axis, value < 0.0) {
        (UpAxis::Y, false) => None,
        (UpAxis::Y, true) => Some(ImportHint::FacesDown),
        (UpAxis::X | UpAxis::Z, _) if GROUND_SHARE * value.abs() < ground => None,
        (UpAxis::X | UpAxis::Z, flip) => Some(ImportHint::OtherUpAxis { axis, flip }),
    }
}

/// Returns a hint if a level of closed objects lies on its side: it is flat along a horizontal axis.
fn lying(mesh: &TriMesh, across: DVec3) -> Option<ImportHint> {
    let size = mesh.bounds().size();
    let axes = [(UpAxis::X, size.x, across.x), (UpAxis::Z, size.z, across.z)];
    let (axis, thickness, surface) = if size.x < size.z { axes[0] } else { axes[1] };
    let others = size.x.max(size.z).min(size.y);
    let most = across.max_element();
    let is_lying = thickness * THINNER < others && surface >= most && across.y < most;
    is_lying.then_some(ImportHint::OtherUpAxis { axis, flip: false })
}

#[cfg(test)]
mod tests {
    use walkable::level::{LevelKind, generate};

    use super::*;

    /// Returns a square with a side of 20 around the origin, facing up.
    fn ground() -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let corner = |x, z| Vec3::new(x, 1.0, z);
        let vertices = vec![
            corner(-10.0, -10.0),
            corner(-10.0, 10.0),
            corner(10.0, 10.0),
            corner(10.0, -10.0),
        ];
        (vertices, vec![[0, 1, 2], [0, 2, 3]])
    }

    fn imported(options: ImportOptions) -> TriMesh {
        let (vertices, triangles) = ground();
        options.convert(vertices, triangles, Vec::new()).unwrap()
    }

    fn normal(mesh: &TriMesh) -> Vec3 {
        let [a, b, c] = mesh.corners(0);
        (b - a).cross(c - a).normalize_or_zero()
    }

    #[track_caller]
    fn check_hint(options: ImportOptions, expected: Option<ImportHint>) {
        assert_eq!(import_hint(&imported(options), options, 2.0, 0.6), expected);
    }

    #[test]
    fn the_defaults_change_nothing() {
        let (vertices, triangles) = ground();
        let mesh = imported(ImportOptions::default());
        assert_eq!((mesh.vertices(), mesh.triangles()), (&*vertices, &*triangles));
        assert_eq!(normal(&mesh), Vec3::Y);
    }

    #[test]
    fn each_axis_turns_up() {
        for up in UpAxis::ALL {
            let axis = match up {
                UpAxis::X => DVec3::X,
                UpAxis::Y => DVec3::Y,
                UpAxis::Z => DVec3::Z,
            };
            assert_eq!(up.turned_up(axis), DVec3::Y);
            let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|v| up.turned_up(v));
            assert_eq!(x.cross(y), z, "a rotation keeps handedness");
        }
    }

    #[test]
    fn a_mirrored_level_keeps_its_front_and_a_flipped_one_does_not() {
        let options = |mirror, flip| ImportOptions { mirror, flip, ..ImportOptions::default() };
        assert_eq!(normal(&imported(options(true, false))), Vec3::Y);
        assert_eq!(normal(&imported(options(false, true))), Vec3::NEG_Y);
        assert_eq!(normal(&imported(options(true, true))), Vec3::NEG_Y);
        let mirrored = imported(options(true, false));
        assert_eq!(mirrored.vertices()[0], Vec3::new(-10.0, 1.0, 10.0));
    }

    #[test]
    fn scaling_out_of_range_is_an_error() {
        let (vertices, triangles) = ground();
        let options = ImportOptions { scale: f32::MAX, ..ImportOptions::default() };
        let error = options.convert(vertices, triangles, Vec::new()).unwrap_err();
        assert!(matches!(error, MeshError::NotFinite { vertex: 0, .. }), "{error}");
    }

    #[test]
    fn hints_name_what_to_change() {
        let default = ImportOptions::default();
        let scaled = |scale| ImportOptions { scale, ..default };
        let turned = |up, flip| ImportOptions { up, flip, ..default };
        check_hint(default, None);
        check_hint(scaled(1.0 / 64.0), Some(ImportHint::LevelTiny { side: 0.3125, scale: 100.0 }));
        check_hint(scaled(2000.0), Some(ImportHint::LevelHuge { side: 40_000.0, scale: 0.01 }));
        check_hint(turned(UpAxis::Y, true), Some(ImportHint::FacesDown));
        let faces = |axis, flip| Some(ImportHint::OtherUpAxis { axis, flip });
        check_hint(turned(UpAxis::Z, true), faces(UpAxis::Z, false));
        check_hint(turned(UpAxis::Z, false), faces(UpAxis::Z, true));
        check_hint(turned(UpAxis::X, true), faces(UpAxis::X, false));
        check_hint(turned(UpAxis::X, false), faces(UpAxis::X, true));
    }

    #[test]
    fn the_suggested_options_cure_the_hint() {
        for up in UpAxis::ALL {
            for flip in [false, true] {
                let wrong = imported(ImportOptions { up, flip, ..ImportOptions::default() });
                let cure = match import_hint(&wrong, ImportOptions::default(), 2.0, 0.6) {
                    None => continue,
                    Some(ImportHint::FacesDown) => {
                        ImportOptions { flip: true, ..ImportOptions::default() }
                    }
                    Some(ImportHint::OtherUpAxis { axis, flip }) => {
                        ImportOptions { up: axis, flip, ..ImportOptions::default() }
                    }
                    Some(other) => panic!("{other:?}"),
                };
                let (vertices, triangles) = (wrong.vertices().to_vec(), wrong.triangles().to_vec());
                let cured = cure.convert(vertices, triangles, Vec::new()).unwrap();
                assert_eq!(import_hint(&cured, ImportOptions::default(), 2.0, 0.6), None);
            }
        }
    }

    /// Imports a floor of `width` by 60 m with a wall of 20 m along one side, and returns the hint.
    fn ledge_hint(width: f32, options: ImportOptions) -> Option<ImportHint> {
        let at = |x, y, z| Vec3::new(x, y, z);
        let vertices = vec![
            at(0.0, 0.0, 0.0),
            at(0.0, 0.0, 60.0),
            at(width, 0.0, 60.0),
            at(width, 0.0, 0.0),
            at(0.0, 20.0, 0.0),
            at(0.0, 20.0, 60.0),
        ];
        let triangles = vec![[0, 1, 2], [0, 2, 3], [0, 4, 5], [0, 5, 1]];
        let mesh = options.convert(vertices, triangles, Vec::new()).unwrap();
        import_hint(&mesh, ImportOptions::default(), 2.0, 0.6)
    }

    #[test]
    fn a_narrow_level_beside_a_high_wall_needs_no_other_up_axis() {
        for width in [30.0, 5.0, 2.0, 0.8] {
            assert_eq!(ledge_hint(width, ImportOptions::default()), None, "{width}");
        }
        // A floor this narrow counts as a ledge between walls.
        let hint = Some(ImportHint::OtherUpAxis { axis: UpAxis::X, flip: false });
        assert_eq!(ledge_hint(0.1, ImportOptions::default()), hint);
    }

    #[test]
    fn flipped_hills_are_detected_and_walls_around_rooms_are_no_evidence() {
        for kind in LevelKind::ALL {
            let size = if kind == LevelKind::Sample { 30.0 } else { 60.0 };
            let mesh = generate(kind, 3, size).unwrap().mesh;
            let turned = |up, flip| {
                let options = ImportOptions { up, flip, ..ImportOptions::default() };
                let (vertices, triangles) = (mesh.vertices().to_vec(), mesh.triangles().to_vec());
                let mesh = options.convert(vertices, triangles, Vec::new()).unwrap();
                import_hint(&mesh, options, 2.0, 0.6)
            };
            assert_eq!(turned(UpAxis::Y, false), None, "{kind:?}");
            let hint = Some(ImportHint::OtherUpAxis { axis: UpAxis::Z, flip: false });
            let found = turned(UpAxis::Z, true);
            // The sides of closed levels cancel out; only flat ones tell that they lie on their side.
            let is_told = matches!(kind, LevelKind::Terrain | LevelKind::Town);
            assert!(found == hint || (found.is_none() && !is_told), "{kind:?}: {found:?}");
        }
    }

    #[test]
    fn a_closed_box_says_nothing_about_its_axes() {
        let vertices: Vec<Vec3> = (0..8_u8)
            .map(|i| Vec3::new(f32::from(i & 1), f32::from(i >> 1 & 1), f32::from(i >> 2)) * 20.0)
            .collect();
        let quads =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3]];
        let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let mesh = TriMesh::new(vertices, triangles).unwrap();
        assert_eq!(import_hint(&mesh, ImportOptions::default(), 2.0, 0.6), None);
    }
}
