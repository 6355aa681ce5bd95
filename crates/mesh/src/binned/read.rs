use std::{
    io::{Read, Seek, SeekFrom},
    sync::Arc,
};

use crate::names::NamePool;
use glam::{Vec2, Vec3};
use walkable_runtime::geom::Aabb;

use super::{
    BinnedError, FOOTER_BYTES, HEADER_BYTES, MAGIC, MAX_DIRECTORY_BYTES, Run, TRIANGLE_BYTES,
    VERSION, bytes::Cursor, index::RunIndex,
};
use crate::{MeshPart, TriMesh};

/// Number of triangles read at a time.
const CHUNK: usize = 1024;

/// The directory of a binned level, which is all that is kept in memory.
///
/// Invariant: runs are between header and directory and do not overlap.
#[derive(Clone, Debug)]
pub struct BinnedLevel {
    hash: u128,
    bounds: Aabb,
    n_triangles: u64,
    /// Object and material.
    parts: Vec<[Arc<str>; 2]>,
    runs: Vec<Run>,
    index: RunIndex,
}

/// Triangles that were read from a file with damaged squares.
#[derive(Debug)]
pub struct LoadedTriangles {
    /// The triangles of all other squares; `None` if there are none.
    pub mesh: Option<TriMesh>,
    /// The squares that were left out.
    pub damaged: Vec<DamagedSquare>,
}

/// A square whose triangles cannot be read.
#[derive(Debug)]
pub struct DamagedSquare {
    /// Minimum and maximum along x and z.
    pub bounds: [Vec2; 2],
    /// The reason.
    pub error: BinnedError,
}

/// A triangle of the file.
#[derive(Clone, Copy)]
struct FileTriangle {
    /// Index in the level.
    index: u64,
    part: u32,
    corners: [Vec3; 3],
}

impl BinnedLevel {
    /// Returns whether `bytes`, the first bytes of a file, are those of a binned level.
    pub fn is_start(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    /// Reads the directory.
    ///
    /// # Errors
    /// Returns [`BinnedError::Io`] if it cannot be read, [`BinnedError::Foreign`] if the file has another format, and
    /// [`BinnedError::Damaged`] if it is damaged.
    pub fn read(from: &mut (impl Read + Seek)) -> Result<Self, BinnedError> {
        let mut header = [0; 8];
        let n_bytes = from.seek(SeekFrom::End(0))?;
        if n_bytes < HEADER_BYTES + FOOTER_BYTES {
            return Err(BinnedError::Foreign("it is too short"));
        }
        from.rewind()?;
        from.read_exact(&mut header)?;
        let mut cursor = Cursor(&header);
        if cursor.take(MAGIC.len())? != MAGIC {
            return Err(BinnedError::Foreign("its header is wrong"));
        }
        if cursor.u32()? != VERSION {
            return Err(BinnedError::Foreign(
                "its version is not supported; write it again from its pieces",
            ));
        }
        let footer = n_bytes - FOOTER_BYTES;
        let mut bytes = [0; 28];
        from.seek(SeekFrom::Start(footer))?;
        from.read_exact(&mut bytes)?;
        let mut cursor = Cursor(&bytes);
        let hash = cursor.u128()?;
        let directory = cursor.u64()?;
        if cursor.take(MAGIC.len())? != MAGIC {
            return Err(BinnedError::Damaged("its end is missing"));
        }
        if !(HEADER_BYTES..=footer).contains(&directory) {
            return Err(BinnedError::Damaged("its directory is missing"));
        }
        if footer - directory > MAX_DIRECTORY_BYTES {
            return Err(BinnedError::Damaged("its directory has more than 1 GiB"));
        }
        from.seek(SeekFrom::Start(directory))?;
        let mut bytes = Vec::new();
        from.take(footer - directory).read_to_end(&mut bytes)?;
        Self::parse(&mut Cursor(&bytes), directory, hash)
    }

    fn parse(cursor: &mut Cursor<'_>, directory: u64, hash: u128) -> Result<Self, BinnedError> {
        let [min, max] = [cursor.f32s::<3>()?, cursor.f32s::<3>()?].map(Vec3::from);
        if !(min.is_finite() && max.is_finite() && min.cmple(max).all()) {
            return Err(BinnedError::Damaged("its bounds are not a box"));
        }
        let n_triangles = cursor.u64()?;
        // Counts are not trusted: the loops end with the data.
        let mut parts = Vec::new();
        let mut names = NamePool::for_file(cursor.0.len());
        for _ in 0..cursor.u64()? {
            parts.push([names.shared(cursor.text()?)?, names.shared(cursor.text()?)?]);
        }
        let mut runs = Vec::new();
        for _ in 0..cursor.u64()? {
            let (offset, n_triangles) = (cursor.u64()?, cursor.u64()?);
            let [min, max]: [[f32; 2]; 2] = [cursor.f32s()?, cursor.f32s()?];
            let n_bytes = n_triangles.checked_mul(TRIANGLE_BYTES as u64);
            let end = n_bytes.and_then(|n_bytes| offset.checked_add(n_bytes));
            if offset < HEADER_BYTES || end.is_none_or(|end| directory < end) {
                return Err(BinnedError::Damaged("a square's data is outside the file"));
            }
            if !(0..2).all(|axis| min[axis] <= max[axis]) {
                return Err(BinnedError::Damaged("the bounds of a square are not a rectangle"));
            }
            runs.push(Run { offset, n_triangles, min, max });
        }
        if overlap(&runs) {
            return Err(BinnedError::Damaged("two squares share triangles"));
        }
        if parts.is_empty() || runs.is_empty() {
            return Err(BinnedError::Damaged("it has no triangles"));
        }
        let index = RunIndex::new(&runs);
        Ok(Self { hash, bounds: Aabb { min, max }, n_triangles, parts, runs, index })
    }

    /// Returns the hash of the file that its writer stored. Reading does not check it.
    pub fn hash(&self) -> u128 {
        self.hash
    }

    /// Returns the bounds of the level.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Returns the number of triangles.
    pub fn n_triangles(&self) -> u64 {
        self.n_triangles
    }

    /// Returns the number of triangles of all squares, which determines the time of reading them.
    pub fn n_triangles_in_file(&self) -> u64 {
        self.runs.iter().map(|run| run.n_triangles).fold(0, u64::saturating_add)
    }

    /// Returns object and material of each part.
    pub fn parts(&self) -> &[[Arc<str>; 2]] {
        &self.parts
    }

    /// Returns the triangles whose bounds overlap `area`, projected onto the ground plane, in the order of the level;
    /// `None` if there are none. `from` is the file of the level.
    ///
    /// Needs memory for twice the result and about a thousand triangles.
    ///
    /// # Errors
    /// Returns [`BinnedError::Io`] if they cannot be read, and [`BinnedError::Damaged`] or [`BinnedError::Mesh`] if
    /// they are not valid triangles.
    pub fn triangles_over(
        &self,
        area: &Aabb,
        from: &mut (impl Read + Seek),
    ) -> Result<Option<TriMesh>, BinnedError> {
        let (mut found, mut buffer) = (Vec::new(), Buffer::default());
        for run in self.runs_over(area) {
            self.read_run(run, (&mut *from, &mut buffer), |triangle| {
                if Aabb::around(triangle.corners).overlaps_xz(area) {
                    found.push(triangle);
                }
                Ok(())
            })?;
        }
        self.sorted_mesh(found)
    }

    /// Like [`BinnedLevel::triangles_over`], but leaves out squares that cannot be read, and reads at most `max`
    /// triangles.
    ///
    /// # Errors
    /// Returns [`BinnedError::TooMany`] if there are more, and [`BinnedError::Damaged`] or [`BinnedError::Mesh`] if they
    /// are not a valid mesh together.
    pub fn loaded_over(
        &self,
        area: &Aabb,
        max: usize,
        from: &mut (impl Read + Seek),
    ) -> Result<LoadedTriangles, BinnedError> {
        let (mut found, mut damaged) = (Vec::new(), Vec::new());
        let mut buffer = Buffer::default();
        for run in self.runs_over(area) {
            let before = found.len();
            let read = self.read_run(run, (&mut *from, &mut buffer), |triangle| {
                if Aabb::around(triangle.corners).overlaps_xz(area) {
                    found.push(triangle);
                }
                if found.len() > max { Err(BinnedError::TooMany(max)) } else { Ok(()) }
            });
            match read {
                Ok(()) => {}
                Err(error @ BinnedError::TooMany(_)) => return Err(error),
                Err(error) => {
                    found.truncate(before);
                    damaged
                        .push(DamagedSquare { bounds: [run.min, run.max].map(Vec2::from), error });
                }
            }
        }
        Ok(LoadedTriangles { mesh: self.sorted_mesh(found)?, damaged })
    }

    /// Returns the number of squares.
    pub fn n_squares(&self) -> usize {
        self.runs.len()
    }

    /// Calls `each` with the part and the corners of each triangle of a square; returns the number of triangles.
    /// Squares are read fastest in their order.
    ///
    /// # Errors
    /// Returns [`BinnedError::Io`] or [`BinnedError::Damaged`] if the square, or a part of it, cannot be read.
    pub fn square(
        &self,
        index: usize,
        from: &mut (impl Read + Seek),
        each: &mut dyn FnMut(usize, [Vec3; 3]),
    ) -> Result<u64, BinnedError> {
        let Some(run) = self.runs.get(index) else { return Ok(0) };
        self.read_run(run, (&mut *from, &mut Buffer::default()), |triangle| {
            each(triangle.part as usize, triangle.corners);
            Ok(())
        })?;
        Ok(run.n_triangles)
    }

    /// Returns the point nearest to `at` that is in a square with triangles, seen from above.
    pub fn nearest_square(&self, at: Vec3) -> Vec3 {
        let near = |run: &Run| {
            let [min, max] = [run.min, run.max].map(Vec2::from);
            Vec2::new(at.x, at.z).clamp(min, max)
        };
        let with_triangles = self.runs.iter().filter(|run| run.n_triangles > 0);
        let off = |place: &Vec2| place.distance_squared(Vec2::new(at.x, at.z));
        let nearest = with_triangles.map(near).min_by(|a, b| off(a).total_cmp(&off(b)));
        nearest.map_or(at, |place| Vec3::new(place.x, at.y, place.y))
    }

    /// Returns the squares whose bounds touch `area`, seen from above.
    fn runs_over(&self, area: &Aabb) -> impl Iterator<Item = &Run> {
        let near = self.index.near(area).map(|at| &self.runs[at]);
        near.filter(|Run { min, max, .. }| {
            min[0] <= area.max.x
                && area.min.x <= max[0]
                && min[1] <= area.max.z
                && area.min.z <= max[1]
        })
    }

    /// Reads the triangles of `run` and passes each of them to `each`.
    fn read_run(
        &self,
        run: &Run,
        (from, buffer): (&mut (impl Read + Seek), &mut Buffer),
        mut each: impl FnMut(FileTriangle) -> Result<(), BinnedError>,
    ) -> Result<(), BinnedError> {
        from.seek(SeekFrom::Start(run.offset))?;
        let mut left = run.n_triangles;
        while left > 0 {
            let n = usize::try_from(left).map_or(CHUNK, |left| left.min(CHUNK));
            let records = buffer.first(n);
            from.read_exact(records.as_flattened_mut())?;
            for record in &*records {
                let triangle = FileTriangle::from_record(record);
                if self.parts.len() <= triangle.part as usize {
                    return Err(BinnedError::Damaged("a triangle has no part"));
                }
                if !triangle.is_within(run) {
                    return Err(BinnedError::Damaged("a triangle is outside its square"));
                }
                each(triangle)?;
            }
            left -= n as u64;
        }
        Ok(())
    }

    /// Returns a mesh of `found` in the order of the level; `None` if it is empty.
    fn sorted_mesh(&self, mut found: Vec<FileTriangle>) -> Result<Option<TriMesh>, BinnedError> {
        found.sort_unstable_by_key(|triangle| triangle.index);
        if found.is_empty() { Ok(None) } else { self.mesh_of(&found).map(Some) }
    }

    /// Estimates the number of triangles over `area`, seen from above, and the share of the area that squares with
    /// triangles cover. Does not read the file.
    pub fn amount_over(&self, area: &Aabb) -> (f64, f64) {
        let overlap = |run: &Run, axis: usize, [low, high]: [f32; 2]| {
            f64::from(run.max[axis].min(high)) - f64::from(run.min[axis].max(low))
        };
        let side = |run: &Run, axis: usize| f64::from(run.max[axis]) - f64::from(run.min[axis]);
        let (mut n_triangles, mut covered) = (0.0, 0.0);
        for run in self.index.near(area).map(|at| &self.runs[at]) {
            let [x, z] = [
                overlap(run, 0, [area.min.x, area.max.x]),
                overlap(run, 1, [area.min.z, area.max.z]),
            ];
            if x < 0.0 || z < 0.0 {
                continue;
            }
            // Squares of upright or single triangles can have a side of 0.
            let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 1.0 };
            let share = share(x, side(run, 0)) * share(z, side(run, 1));
            n_triangles += share * f64::from(u32::try_from(run.n_triangles).unwrap_or(u32::MAX));
            covered += x * z;
        }
        let size = area.size().as_dvec3();
        (n_triangles, (covered / (size.x * size.z).max(f64::MIN_POSITIVE)).min(1.0))
    }

    /// Returns a mesh with the parts of the level, so that surface rules find them, and with one triangle without area,
    /// far from any level.
    pub fn stand_in(&self) -> TriMesh {
        let n_parts = self.parts.len();
        let part = |(index, [object, material]): (usize, &[Arc<str>; 2])| MeshPart {
            object: Arc::clone(object),
            material: Arc::clone(material),
            triangles: 0..u32::from(index + 1 == n_parts),
        };
        TriMesh::nowhere(self.parts.iter().enumerate().map(part).collect())
    }

    /// Returns a mesh of `found` with their parts.
    fn mesh_of(&self, found: &[FileTriangle]) -> Result<TriMesh, BinnedError> {
        let mut parts: Vec<MeshPart> = Vec::new();
        let mut end = 0;
        for part in found.chunk_by(|a, b| a.part == b.part) {
            let name = self.parts.get(part[0].part as usize);
            let [object, material] =
                name.ok_or(BinnedError::Damaged("a triangle has no part"))?.clone();
            let start = end;
            end += u32::try_from(part.len())
                .map_err(|_large| BinnedError::Damaged("a square has too many triangles"))?;
            parts.push(MeshPart { object, material, triangles: start..end });
        }
        let vertices = found.iter().flat_map(|triangle| triangle.corners).collect();
        let triangles = (0..end).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Ok(TriMesh::with_parts(vertices, triangles, parts)?)
    }
}

/// Returns whether two runs overlap in the file. A small file could then have any number of triangles.
fn overlap(runs: &[Run]) -> bool {
    let mut ranges: Vec<_> = runs
        .iter()
        .filter(|run| run.n_triangles > 0)
        .map(|run| (run.offset, run.n_triangles * TRIANGLE_BYTES as u64))
        .collect();
    ranges.sort_unstable();
    ranges.windows(2).any(|pair| pair[1].0 < pair[0].0 + pair[0].1)
}

/// Memory for the records of a chunk.
#[derive(Debug, Default)]
struct Buffer(Vec<[u8; TRIANGLE_BYTES]>);

impl Buffer {
    /// Returns the first `n` records of the buffer, with unspecified contents.
    fn first(&mut self, n: usize) -> &mut [[u8; TRIANGLE_BYTES]] {
        if self.0.len() < n {
            self.0.resize(n, [0; TRIANGLE_BYTES]);
        }
        &mut self.0[..n]
    }
}

impl FileTriangle {
    /// Reads a record: the index in 8 bytes, the part in 4, three numbers for each corner.
    fn from_record(record: &[u8; TRIANGLE_BYTES]) -> Self {
        let (words, _) = record.as_chunks::<4>();
        let whole = |at: usize| u32::from_le_bytes(words[at]);
        let number = |at: usize| f32::from_le_bytes(words[at]);
        let corner = |at: usize| Vec3::new(number(at), number(at + 1), number(at + 2));
        let index = u64::from(whole(0)) | (u64::from(whole(1)) << 32);
        Self { index, part: whole(2), corners: [corner(3), corner(6), corner(9)] }
    }

    /// Returns whether all corners are finite and within the bounds of `run`, which are those of its triangles.
    fn is_within(&self, run: &Run) -> bool {
        self.corners.iter().all(|corner| {
            let at = [corner.x, corner.z];
            corner.y.is_finite()
                && (0..2).all(|axis| run.min[axis] <= at[axis] && at[axis] <= run.max[axis])
        })
    }
}
