//! Counts and hashes of the results of each stage, to find the first stage in which two bakes differ.
//!
//! A hash is FNV-1a over a stream of little-endian numbers, as in the reference data. The streams are described at the
//! functions that write them.

mod layers;
mod polygons;

use serde::Serialize;
use walkable_runtime::{ids::RegionId, navmesh::Tile};

use crate::bake::{CompactField, Heightfield, Intermediates, RawArea, Stage};

/// Digest of the result of a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StageDigest {
    /// The stage.
    pub stage: Stage,
    /// Named counts, in a fixed order.
    pub counts: Vec<(&'static str, u64)>,
    /// Hash of the result; `None` for stages without a stream.
    pub hash: Option<u64>,
}

impl StageDigest {
    /// Returns the digest of `stage`; `None` if the bake did not have this stage.
    pub fn of(stage: Stage, stages: &Intermediates) -> Option<Self> {
        let (counts, hash) = match stage {
            Stage::Slope => {
                let areas = &stages.slopes.areas;
                (vec![("count", len(areas)), ("walkable", walkable(areas))], None)
            }
            Stage::Spans => {
                let spans = &stages.spans;
                let walkable = spans.n_walkable() as u64;
                (
                    vec![("count", len(&spans.spans)), ("walkable", walkable)],
                    Some(hash_spans(spans)),
                )
            }
            Stage::Filtered => {
                let spans = &stages.filtered;
                (vec![("walkable", spans.n_walkable() as u64)], Some(hash_spans(spans)))
            }
            Stage::Compact => compact_digest(&stages.compact, &stages.compact_areas),
            Stage::Eroded => compact_digest(&stages.compact, &stages.eroded_areas),
            Stage::Distance => {
                let field = stages.distance.as_ref()?;
                let mut hash = StreamHash::new();
                field.distances.iter().for_each(|distance| hash.u32(u32::from(*distance)));
                (vec![("max", u64::from(field.max))], Some(hash.finish()))
            }
            Stage::Regions => {
                let regions = &stages.regions;
                let mut hash = StreamHash::new();
                regions.ids.iter().for_each(|RegionId(id)| hash.u32(u32::from(*id)));
                let counts =
                    vec![("count", regions.n_regions() as u64), ("max", u64::from(regions.max))];
                (counts, Some(hash.finish()))
            }
            Stage::Contours => polygons::contours_digest(&stages.contours),
            Stage::Polygons if stages.polygons.polygons.is_empty() => return None,
            Stage::Polygons => polygons::mesh_digest(&stages.polygons),
            Stage::Detail if stages.detail.patches.is_empty() => return None,
            Stage::Detail => polygons::detail_digest(&stages.detail),
            Stage::Tile => return None,
        };
        Some(Self { stage, counts, hash })
    }

    /// Returns the digest of a tile, over its bytes in Detour's format with 32-bit references.
    pub fn of_tile(tile: &Tile) -> Self {
        let (counts, hash) = polygons::tile_digest(tile);
        Self { stage: Stage::Tile, counts, hash }
    }

    /// Like [`StageDigest::of_tile`], but without the nodes of the BV tree, whose order can differ.
    pub fn of_tile_without_bv_tree(tile: &Tile) -> Self {
        let (counts, hash) = polygons::tile_digest_without_bv_tree(tile);
        Self { stage: Stage::Tile, counts, hash }
    }
}

fn compact_digest(
    field: &CompactField,
    areas: &[RawArea],
) -> (Vec<(&'static str, u64)>, Option<u64>) {
    let counts = vec![("count", len(&field.spans)), ("walkable", walkable(areas))];
    (counts, Some(hash_compact(field, areas)))
}

fn len<T>(items: &[T]) -> u64 {
    items.len() as u64
}

fn walkable(areas: &[RawArea]) -> u64 {
    areas.iter().filter(|area| area.is_walkable()).count() as u64
}

/// FNV-1a with 64 bits.
#[derive(Clone, Debug)]
pub struct StreamHash(u64);

impl StreamHash {
    /// The initial value in the reference data: FNV's offset basis without its last decimal digit.
    const BASIS: u64 = 1_469_598_103_934_665_603;
    const PRIME: u64 = 1_099_511_628_211;

    /// Returns the hash of an empty stream.
    #[expect(clippy::new_without_default, reason = "an empty hash is a start, not a default")]
    pub const fn new() -> Self {
        Self(Self::BASIS)
    }

    /// Appends bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(Self::PRIME);
        }
    }

    /// Appends a number.
    pub fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Appends a count.
    fn count(&mut self, n: usize) {
        self.u32(u32::try_from(n).unwrap_or(u32::MAX));
    }

    /// Appends a number.
    pub fn u16(&mut self, value: u16) {
        self.bytes(&value.to_le_bytes());
    }

    /// Appends a number.
    pub fn i32(&mut self, value: i32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Appends the bits of a floating-point number.
    pub fn f32(&mut self, value: f32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Returns the hash of the stream so far.
    pub const fn finish(&self) -> u64 {
        self.0
    }
}

/// Hashes per cell: number of spans; per span: bottom, top, area.
fn hash_spans(field: &Heightfield) -> u64 {
    let mut hash = StreamHash::new();
    for cell in 0..field.frame.n_cells() {
        let column = field.column(cell);
        hash.u32(u32::try_from(column.len()).unwrap_or(u32::MAX));
        for span in column {
            hash.u32(u32::from(span.min_vx));
            hash.u32(u32::from(span.max_vx));
            hash.u32(u32::from(span.area.0));
        }
    }
    hash.finish()
}

/// Hashes per cell: number of spans; per span: floor, clearance, the four connections with 6 bits each, area.
fn hash_compact(field: &CompactField, areas: &[RawArea]) -> u64 {
    let mut hash = StreamHash::new();
    let frame = field.frame;
    for (x, z) in (0..frame.n_z).flat_map(|z| (0..frame.n_x).map(move |x| (x, z))) {
        let spans = field.cell(frame.cell_index(x, z));
        hash.u32(u32::try_from(spans.len()).unwrap_or(u32::MAX));
        for index in spans {
            let span = field.spans[index];
            let links = field.links((x, z), index);
            let links = links.iter().rev().fold(0, |bits, link| bits << 6 | u32::from(*link));
            hash.u32(u32::from(span.floor_vx));
            hash.u32(u32::from(span.clearance_vx));
            hash.u32(links);
            hash.u32(u32::from(areas[index].0));
        }
    }
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_hashed_as_their_little_endian_bytes() {
        let mut numbers = StreamHash::new();
        numbers.u32(0x0403_0201);
        numbers.u16(0x0605);
        numbers.i32(-1);
        numbers.f32(1.0);
        let mut bytes = StreamHash::new();
        bytes.bytes(&[1, 2, 3, 4, 5, 6, 255, 255, 255, 255, 0, 0, 128, 63]);
        assert_eq!(numbers.finish(), bytes.finish());
        assert_eq!(StreamHash::new().finish(), 0x1465_0fb0_739d_0383);
    }
}
