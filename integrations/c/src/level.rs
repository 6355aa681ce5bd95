//! Levels and settings.

use std::{
    ffi::{c_char, c_void},
    ptr,
    sync::Arc,
};

use walkable::{
    bake::{BakeConfig, BakeLimits, BakePlan, OffMeshLink},
    glam::Vec3,
    ids::AreaId,
    mesh::{ImportOptions, LevelFile, LevelFormat, TriMesh, UpAxis},
    monitor::Monitor,
};

use crate::{
    Status, array,
    error::{error_text, free, guard, guard_new},
    object, text, to_string,
};

/// The triangles of a level.
#[derive(Debug)]
pub struct Level(Arc<TriMesh>);

/// The settings of a bake: agent, grid, areas, volumes and off-mesh links.
#[derive(Debug)]
pub struct Settings(pub(crate) BakeConfig);

/// Limits of long work.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum estimated memory of a bake, in bytes; 0 for 1 GB.
    pub max_bytes: u64,
    /// Returns whether the work should stop; may be NULL. Several threads call it at the same time.
    pub is_cancelled: Option<extern "C" fn(*mut c_void) -> bool>,
    /// The argument of `is_cancelled`.
    pub user: *mut c_void,
}

/// Import options: how a file becomes a level.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Import {
    /// Meters per unit of the file; 0 for 1.
    pub scale: f32,
    /// Whether z points up in the file; otherwise y does.
    pub z_up: bool,
    /// Whether the file is left-handed: z is negated, and faces keep their front side.
    pub mirror: bool,
    /// Whether faces are clockwise seen from the front: their winding is reversed.
    pub flip: bool,
    /// Whether only collision shapes are used, if the level has any, by the names of objects: "-col", "UCX_".
    pub collision_only: bool,
    /// Position in the file, in its unit and axes, that becomes the origin of the level: for levels far from the origin.
    pub origin: [f64; 3],
}

impl Import {
    /// Returns the options at `pointer`; the default options if it is NULL.
    ///
    /// # Safety
    /// `pointer` is NULL or points to options.
    unsafe fn at(pointer: *const Self) -> Result<ImportOptions, String> {
        // SAFETY: by contract.
        let Some(options) = (unsafe { pointer.as_ref() }) else {
            return Ok(ImportOptions::default());
        };
        let Self { scale, z_up, mirror, flip, collision_only, origin } = *options;
        if !origin.iter().all(|n| n.is_finite()) {
            return Err("origin is not finite".to_owned());
        }
        let scale = if scale == 0.0 { 1.0 } else { scale };
        if !(scale.is_finite() && scale > 0.0) {
            return Err(format!("scale is {scale}; it must be positive"));
        }
        let up = if z_up { UpAxis::Z } else { UpAxis::Y };
        Ok(ImportOptions { up, scale, mirror, flip, collision_only, origin })
    }
}

// SAFETY: by contract of `is_cancelled`, several threads may call it with `user`.
unsafe impl Sync for Limits {}

impl Monitor for Limits {
    fn is_cancelled(&self) -> bool {
        self.is_cancelled.is_some_and(|is_cancelled| is_cancelled(self.user))
    }
}

impl Limits {
    /// No cancellation, and the default memory limit.
    const USUAL: Self = Self { max_bytes: 0, is_cancelled: None, user: ptr::null_mut() };

    /// Returns the limits at `pointer`; the default limits if it is NULL.
    ///
    /// # Safety
    /// `pointer` is NULL or points to limits.
    pub(crate) unsafe fn at(pointer: *const Self) -> Self {
        // SAFETY: by contract.
        unsafe { pointer.as_ref() }.copied().unwrap_or(Self::USUAL)
    }

    pub(crate) fn of_bake(&self) -> BakeLimits {
        let n_bytes = if self.max_bytes == 0 { 1_000_000_000 } else { self.max_bytes };
        BakeLimits { n_bytes, secs: f64::INFINITY }
    }
}

impl Level {
    /// Returns the plan of a bake within its limits.
    pub(crate) fn plan(&self, settings: &Settings, limits: Limits) -> Result<BakePlan, String> {
        let input = settings.0.clone().with_mesh(Arc::clone(&self.0));
        let plan = BakePlan::new(input).map_err(|error| error_text(&error))?;
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
        plan.check_limits(n_threads, limits.of_bake()).map_err(|error| error_text(&error))?;
        Ok(plan)
    }

    fn of_file(file: LevelFile, options: ImportOptions) -> Result<Self, String> {
        let mesh = options.import(file).map_err(|error| error_text(&error))?;
        Ok(Self(Arc::new(mesh)))
    }
}

/// Creates a level of `n_vertices` points and `n_triangles` triples of vertex indices. Triangles are counterclockwise
/// seen from the side on which agents walk.
///
/// # Safety
/// `vertices` points to 3 * `n_vertices` floats, `triangles` to 3 * `n_triangles` indices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_level_new(
    vertices: *const f32,
    n_vertices: usize,
    triangles: *const u32,
    n_triangles: usize,
) -> *mut Level {
    guard_new(|| {
        let triples = |n: usize| n.checked_mul(3).ok_or("there are too many");
        // SAFETY: by contract.
        let vertices = unsafe { array(vertices, triples(n_vertices)?, "vertices") }?;
        // SAFETY: by contract.
        let triangles = unsafe { array(triangles, triples(n_triangles)?, "triangles") }?;
        let vertices = vertices.chunks_exact(3).map(Vec3::from_slice).collect();
        let triangles = triangles.chunks_exact(3).map(|index| [index[0], index[1], index[2]]);
        let mesh =
            TriMesh::new(vertices, triangles.collect()).map_err(|error| error_text(&error))?;
        Ok(Level(Arc::new(mesh)))
    })
}

fn no_files(_: &str) -> Result<Vec<u8>, String> {
    Err("other files are not read".to_owned())
}

/// Reads the contents of a level file that needs no other files. `format` is its extension: "obj", "glb", "gltf", "ply"
/// or "stl".
///
/// # Safety
/// `data` points to `len` bytes; `format` is a string; `import` is NULL or points to options.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_level_read(
    data: *const u8,
    len: usize,
    format: *const c_char,
    import: *const Import,
) -> *mut Level {
    guard_new(|| {
        // SAFETY: by contract.
        let (bytes, format) = unsafe { (array(data, len, "data")?, text(format, "format")?) };
        // SAFETY: by contract.
        let options = unsafe { Import::at(import) }?;
        let format = LevelFormat::of_extension(format).ok_or_else(|| {
            format!("unknown format \"{format}\"; known are {}", LevelFormat::names())
        })?;
        let file = format.read(bytes, &no_files, options.reading());
        Level::of_file(file.map_err(|error| error_text(&error))?, options)
    })
}

/// Frees a level.
///
/// # Safety
/// `level` is NULL, or was returned by this library and not freed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_level_free(level: *mut Level) {
    // SAFETY: by contract.
    unsafe { free(level) };
}

/// Creates default settings.
#[unsafe(no_mangle)]
pub extern "C" fn walkable_settings_new() -> *mut Settings {
    guard_new(|| Ok(Settings(BakeConfig::default())))
}

/// Parses a settings file.
///
/// # Safety
/// `content` is a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_settings_parse(content: *const c_char) -> *mut Settings {
    guard_new(|| {
        // SAFETY: by contract.
        let content = unsafe { text(content, "content") }?;
        BakeConfig::parse(content).map(Settings).map_err(|error| error_text(&error))
    })
}

/// Sets a setting, such as "agent_radius" to "0.4", as in a settings file.
///
/// # Safety
/// `settings` are settings that no other thread uses; `key` and `value` are strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_settings_set(
    settings: *mut Settings,
    key: *const c_char,
    value: *const c_char,
) -> Status {
    guard(Status::Error, || {
        // SAFETY: by contract.
        let settings = unsafe { settings.as_mut() }.ok_or("settings is NULL")?;
        // SAFETY: by contract.
        let (key, value) = unsafe { (text(key, "key")?, text(value, "value")?) };
        settings.0.settings.set(key, value).map_err(|error| error_text(&error))?;
        Ok(Status::Ok)
    })
}

/// Adds an off-mesh link: a jump, drop, ladder or door. `radius` is the maximum distance of its ends from the ground,
/// in meters.
///
/// # Safety
/// `settings` are settings that no other thread uses; `start` and `end` point to three floats.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_settings_add_link(
    settings: *mut Settings,
    start: *const f32,
    end: *const f32,
    radius: f32,
    bidirectional: bool,
    area: u8,
    flags: u16,
    user_id: u32,
) -> Status {
    guard(Status::Error, || {
        // SAFETY: by contract.
        let settings = unsafe { settings.as_mut() }.ok_or("settings is NULL")?;
        // SAFETY: by contract.
        let (start, end) = unsafe { (point(start, "start")?, point(end, "end")?) };
        let area = AreaId(area);
        let link = OffMeshLink { start, end, radius, bidirectional, area, flags, user_id };
        settings.0.off_mesh.push(link);
        Ok(Status::Ok)
    })
}

/// Returns the text of a settings file. Free it with `walkable_string_free`.
///
/// # Safety
/// `settings` are settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_settings_to_text(settings: *const Settings) -> *mut c_char {
    guard(ptr::null_mut(), || {
        // SAFETY: by contract.
        let settings = unsafe { object(settings, "settings") }?;
        Ok(to_string(settings.0.to_text()))
    })
}

/// Frees settings.
///
/// # Safety
/// `settings` is NULL, or was returned by this library and not freed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn walkable_settings_free(settings: *mut Settings) {
    // SAFETY: by contract.
    unsafe { free(settings) };
}

/// Returns the point at `pointer`.
///
/// # Safety
/// `pointer` is NULL or points to three floats.
pub(crate) unsafe fn point(pointer: *const f32, name: &str) -> Result<Vec3, String> {
    // SAFETY: by contract.
    unsafe { array(pointer, 3, name) }.map(Vec3::from_slice)
}
