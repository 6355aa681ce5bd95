use std::{io::Write, sync::Arc};

use walkable_runtime::geom::Aabb;

use super::{
    BinnedError, FOOTER_BYTES, HEADER_BYTES, MAGIC, Run, TRIANGLE_BYTES, VERSION,
    bytes::{put_f32s, put_text},
};
use crate::{StableHash, TriMesh};

/// Writes a level in pieces, so that it need not fit into memory.
///
/// Needs memory for one piece, about 20 bytes more for each of its triangles, and 32 bytes for each square of all
/// pieces.
#[derive(Debug)]
pub struct BinnedWriter<W> {
    to: W,
    /// Hash of what was written so far.
    hash: StableHash,
    /// Size of the smallest squares, in meters.
    square: f32,
    offset: u64,
    n_triangles: u64,
    bounds: Option<Aabb>,
    /// Object and material.
    parts: Vec<[Arc<str>; 2]>,
    runs: Vec<Run>,
}

/// Names are buffered and written in blocks of about this size.
const BUFFER_BYTES: usize = 1 << 16;

/// A square: the binary logarithm of its size relative to the smallest squares, and its coordinate.
type Square = (u32, i64, i64);

impl<W: Write> BinnedWriter<W> {
    /// Starts a level in `to`, with squares of size `square` in meters: about two or three tiles. Larger triangles are
    /// put into larger squares.
    ///
    /// # Errors
    /// Returns [`BinnedError::BadSquare`] if the size is not above 0, and [`BinnedError::Io`] if `to` cannot be
    /// written.
    pub fn new(to: W, square: f32) -> Result<Self, BinnedError> {
        if !(square.is_finite() && square > 0.0) {
            return Err(BinnedError::BadSquare(square));
        }
        let (parts, runs, hash) = (Vec::new(), Vec::new(), StableHash::new());
        let mut writer =
            Self { to, hash, square, offset: 0, n_triangles: 0, bounds: None, parts, runs };
        writer.write(&MAGIC)?;
        writer.write(&VERSION.to_le_bytes())?;
        debug_assert_eq!(writer.offset, HEADER_BYTES, "magic and version");
        Ok(writer)
    }

    /// Adds a piece. Its triangles follow those of earlier pieces.
    ///
    /// # Errors
    /// Returns [`BinnedError::Io`] if it cannot be written.
    pub fn add(&mut self, piece: &TriMesh) -> Result<(), BinnedError> {
        let bounds = piece.bounds();
        self.bounds = Some(self.bounds.map_or(bounds, |all| Aabb {
            min: all.min.min(bounds.min),
            max: all.max.max(bounds.max),
        }));
        let mut order: Vec<_> =
            (0..piece.triangles().len()).map(|i| (self.square_of(piece, i), i)).collect();
        order.sort_unstable();
        for square in order.chunk_by(|(a, _), (b, _)| a == b) {
            self.add_run(piece, square.iter().map(|(_, triangle)| *triangle))?;
        }
        let names = piece.parts().iter();
        let names = names.map(|part| [&part.object, &part.material].map(Arc::clone));
        self.parts.extend(names);
        self.n_triangles += piece.triangles().len() as u64;
        Ok(())
    }

    /// Writes the directory and returns the writer.
    ///
    /// # Errors
    /// Returns [`BinnedError::Empty`] if no piece was added, and [`BinnedError::Io`] if it cannot be written.
    pub fn finish(mut self) -> Result<W, BinnedError> {
        let Some(bounds) = self.bounds else { return Err(BinnedError::Empty) };
        let directory = self.offset;
        let mut bytes = Vec::new();
        put_f32s(&mut bytes, &bounds.min.to_array());
        put_f32s(&mut bytes, &bounds.max.to_array());
        bytes.extend(self.n_triangles.to_le_bytes());
        bytes.extend((self.parts.len() as u64).to_le_bytes());
        let parts = std::mem::take(&mut self.parts);
        for name in parts.iter().flatten() {
            put_text(&mut bytes, name)?;
            // Names are shared in memory, but not in the file.
            if bytes.len() > BUFFER_BYTES {
                self.write(&bytes)?;
                bytes.clear();
            }
        }
        bytes.extend((self.runs.len() as u64).to_le_bytes());
        for Run { offset, n_triangles, min, max } in &self.runs {
            bytes.extend(offset.to_le_bytes());
            bytes.extend(n_triangles.to_le_bytes());
            put_f32s(&mut bytes, min);
            put_f32s(&mut bytes, max);
        }
        self.write(&bytes)?;
        bytes.clear();
        bytes.extend(self.hash.finish().to_le_bytes());
        bytes.extend(directory.to_le_bytes());
        bytes.extend(MAGIC);
        debug_assert_eq!(bytes.len() as u64, FOOTER_BYTES, "hash, directory's start and magic");
        self.to.write_all(&bytes)?;
        self.to.flush()?;
        Ok(self.to)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), BinnedError> {
        self.to.write_all(bytes)?;
        self.hash.bytes(bytes);
        self.offset += bytes.len() as u64;
        Ok(())
    }

    /// Returns the smallest square that contains the center of a triangle and is at least as large as the triangle.
    fn square_of(&self, piece: &TriMesh, triangle: usize) -> Square {
        let Aabb { min, max } = Aabb::around(piece.corners(triangle));
        let extent = (max.x - min.x).max(max.z - min.z);
        let (mut level, mut side) = (0, self.square);
        while side < extent {
            side *= 2.0;
            level += 1;
        }
        let at = |min: f32, max: f32| ((min * 0.5 + max * 0.5) / side).floor();
        #[expect(clippy::cast_possible_truncation, reason = "saturates far beyond any level")]
        let [z, x] = [at(min.z, max.z), at(min.x, max.x)].map(|at| at as i64);
        (level, z, x)
    }

    fn add_run(
        &mut self,
        piece: &TriMesh,
        triangles: impl Iterator<Item = usize>,
    ) -> Result<(), BinnedError> {
        let [mut min, mut max] = [[f32::INFINITY; 2], [f32::NEG_INFINITY; 2]];
        let (offset, mut n_triangles) = (self.offset, 0);
        let mut record = Vec::with_capacity(TRIANGLE_BYTES);
        for triangle in triangles {
            let corners = piece.corners(triangle);
            let around = Aabb::around(corners);
            min = [min[0].min(around.min.x), min[1].min(around.min.z)];
            max = [max[0].max(around.max.x), max[1].max(around.max.z)];
            let part = piece.parts().partition_point(|p| p.triangles.end as usize <= triangle);
            let part = u32::try_from(self.parts.len() + part)
                .map_err(|_large| BinnedError::Foreign("it has too many parts"))?;
            record.clear();
            record.extend((self.n_triangles + triangle as u64).to_le_bytes());
            record.extend(part.to_le_bytes());
            for corner in corners {
                put_f32s(&mut record, &corner.to_array());
            }
            self.write(&record)?;
            n_triangles += 1;
        }
        self.runs.push(Run { offset, n_triangles, min, max });
        Ok(())
    }
}
