use std::{
    io::{BufReader, Read, Seek, SeekFrom},
    ops::Range,
    sync::Arc,
};

use glam::{Vec2, Vec3};
use walkable_runtime::geom::Aabb;

use super::{
    BinnedError, FOOTER_BYTES, HEADER_BYTES, MAGIC, MAX_DIRECTORY_BYTES, Run, TRIANGLE_BYTES,
    VERSION, bytes::Fields, index::RunIndex,
};
use crate::{MeshPart, TriMesh, names::NamePool};

/// Number of triangles read at a time.
const CHUNK: usize = 1024;

/// A binned level, whose triangles and list of squares stay in its file. Memory holds the names of its parts, and an
/// index of at most 75 kB.
#[derive(Clone, Debug)]
pub struct BinnedLevel {
    hash: u128,
    bounds: Aabb,
    n_triangles: u64,
    /// Object and material.
    parts: Vec<[Arc<str>; 2]>,
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
        let n_bytes = from.seek(SeekFrom::End(0))?;
        if n_bytes < HEADER_BYTES + FOOTER_BYTES {
            return Err(BinnedError::Foreign("it is too short"));
        }
        from.rewind()?;
        let mut header = Fields::new(&mut *from, HEADER_BYTES);
        if header.array()? != MAGIC {
            return Err(BinnedError::Foreign("its header is wrong"));
        }
        if header.u32()? != VERSION {
            return Err(BinnedError::Foreign(
                "its version is not supported; write it again from its pieces",
            ));
        }
        let footer_at = n_bytes - FOOTER_BYTES;
        from.seek(SeekFrom::Start(footer_at))?;
        let mut footer = Fields::new(&mut *from, FOOTER_BYTES);
        let (hash, directory) = (footer.u128()?, footer.u64()?);
        if footer.array()? != MAGIC {
            return Err(BinnedError::Damaged("its end is missing"));
        }
        if !(HEADER_BYTES..=footer_at).contains(&directory) {
            return Err(BinnedError::Damaged("its directory is missing"));
        }
        if footer_at - directory > MAX_DIRECTORY_BYTES {
            return Err(BinnedError::Damaged("its directory has more than 1 GiB"));
        }
        Self::read_directory(from, directory..footer_at, hash)
    }

    fn read_directory(
        from: &mut (impl Read + Seek),
        at: Range<u64>,
        hash: u128,
    ) -> Result<Self, BinnedError> {
        let n_bytes = at.end - at.start;
        from.seek(SeekFrom::Start(at.start))?;
        let mut fields = Fields::new(BufReader::new(&mut *from), n_bytes);
        let [min, max] = [fields.f32s::<3>()?, fields.f32s::<3>()?].map(Vec3::from);
        if !(min.is_finite() && max.is_finite() && min.cmple(max).all()) {
            return Err(BinnedError::Damaged("its bounds are not a box"));
        }
        let n_triangles = fields.u64()?;
        // Counts are not trusted: the loop ends with the data.
        let mut parts = Vec::new();
        let mut names = NamePool::for_file(usize::try_from(n_bytes).unwrap_or(usize::MAX));
        for _ in 0..fields.u64()? {
            parts.push([names.shared(&fields.name()?)?, names.shared(&fields.name()?)?]);
        }
        let n_runs = fields.u64()?;
        let list = at.end - fields.n_left();
        let index = RunIndex::read(from, [at.start, list, at.end], n_runs)?;
        if parts.is_empty() || n_runs == 0 {
            return Err(BinnedError::Damaged("it has no triangles"));
        }
        Ok(Self { hash, bounds: Aabb { min, max }, n_triangles, parts, index })
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
        self.index.n_triangles()
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
        for run in &self.index.runs_over(area, from)? {
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
        for run in &self.index.runs_over(area, from)? {
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
        self.index.n_runs()
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
        let Some(run) = self.index.run(index, from)? else { return Ok(0) };
        self.read_run(&run, (&mut *from, &mut Buffer::default()), |triangle| {
            each(triangle.part as usize, triangle.corners);
            Ok(())
        })?;
        Ok(run.n_triangles)
    }

    /// Returns the point nearest to `at` that is in a square with triangles, seen from above. Reads the list of
    /// squares.
    ///
    /// # Errors
    /// Returns [`BinnedError::Io`] or [`BinnedError::Damaged`] if the list cannot be read.
    pub fn nearest_square(
        &self,
        at: Vec3,
        from: &mut (impl Read + Seek),
    ) -> Result<Vec3, BinnedError> {
        let place = Vec2::new(at.x, at.z);
        let mut nearest: Option<Vec2> = None;
        let off = |point: Vec2| point.distance_squared(place);
        self.index.each_group(from, |runs| {
            for run in runs.iter().filter(|run| run.n_triangles > 0) {
                let [min, max] = [run.min, run.max].map(Vec2::from);
                let point = place.clamp(min, max);
                if nearest.is_none_or(|nearest| off(point) < off(nearest)) {
                    nearest = Some(point);
                }
            }
            Ok(())
        })?;
        Ok(nearest.map_or(at, |point| Vec3::new(point.x, at.y, point.y)))
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
    /// triangles cover. Reads no triangles.
    ///
    /// # Errors
    /// Returns [`BinnedError::Io`] or [`BinnedError::Damaged`] if the list of squares cannot be read.
    pub fn amount_over(
        &self,
        area: &Aabb,
        from: &mut (impl Read + Seek),
    ) -> Result<(f64, f64), BinnedError> {
        let overlap = |run: &Run, axis: usize, [low, high]: [f32; 2]| {
            f64::from(run.max[axis].min(high)) - f64::from(run.min[axis].max(low))
        };
        let side = |run: &Run, axis: usize| f64::from(run.max[axis]) - f64::from(run.min[axis]);
        let (mut n_triangles, mut covered) = (0.0, 0.0);
        for run in &self.index.runs_over(area, from)? {
            let [x, z] = [
                overlap(run, 0, [area.min.x, area.max.x]),
                overlap(run, 1, [area.min.z, area.max.z]),
            ];
            // Squares of upright or single triangles can have a side of 0.
            let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 1.0 };
            let share = share(x, side(run, 0)) * share(z, side(run, 1));
            n_triangles += share * f64::from(u32::try_from(run.n_triangles).unwrap_or(u32::MAX));
            covered += x * z;
        }
        let size = area.size().as_dvec3();
        let share = covered / (size.x * size.z).max(f64::MIN_POSITIVE);
        Ok((n_triangles, share.min(1.0)))
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
