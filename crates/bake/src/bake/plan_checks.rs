//! The limits that a bake is checked against before it starts.

use std::ops::Range;

use walkable_runtime::{geom::Aabb, ids::AreaId};

use crate::bake::{
    BakeError, BakeInput, Heightfield, RefBits, SurfaceRule, SurfaceUse, VoxelParams,
};

/// Maximum number of cells along one side of a grid, since vertices of polygons have 16-bit coordinates.
const MAX_SIDE_VX: u64 = 65_535;
/// Maximum number of cells of one grid. The column starts of that many cells take half a gigabyte.
const MAX_CELLS: u64 = 1 << 27;
/// Maximum number of cells covered by volumes and bounds, counted per volume and tile. Visiting them takes seconds.
const MAX_COVERED: u64 = 1 << 31;
/// Maximum number of tile bits in 32-bit references. Source: `RecastDemo`.
pub(super) const NARROW_TILE_BITS: u32 = 14;
/// Maximum number of tile bits in 64-bit references.
const WIDE_TILE_BITS: u32 = 28;

pub(super) fn check_places(input: &BakeInput) -> Result<(), BakeError> {
    for (index, volume) in input.volumes.iter().enumerate() {
        check_place("volume", index, &volume.shape.numbers(), volume.area.0)?;
    }
    for (index, rule) in input.surfaces.iter().enumerate() {
        if let SurfaceUse::Area(area) = rule.becomes {
            check_place("surface rule", index, &[], area.0)?;
        }
    }
    let patterns = input.surfaces.iter().filter(|rule| rule.is_pattern());
    let value = patterns.map(|rule| rule.name.len() as u64).sum();
    let limit = SurfaceRule::MAX_PATTERN_BYTES as u64;
    if value > limit {
        let what = "the length of all patterns of objects and materials";
        return Err(BakeError::LevelLimit { what, value, limit, remedy: "use fewer patterns" });
    }
    for (index, bound) in input.bounds.iter().enumerate() {
        let numbers = [bound.min.to_array(), bound.max.to_array()].concat();
        check_place("bound", index, &numbers, 0)?;
    }
    for (index, link) in input.off_mesh.iter().enumerate() {
        let [start, end] = [link.start, link.end].map(|end| end.to_array());
        check_place(
            "off-mesh link",
            index,
            &[&start[..], &end, &[link.radius]].concat(),
            link.area.0,
        )?;
    }
    Ok(())
}

fn check_place(
    what: &'static str,
    index: usize,
    numbers: &[f32],
    area: u8,
) -> Result<(), BakeError> {
    if numbers.iter().any(|number| !number.is_finite()) {
        return Err(BakeError::NotFinite { what, index });
    }
    if AreaId::COUNT <= usize::from(area) {
        return Err(BakeError::UnknownArea { what, index, area });
    }
    Ok(())
}

/// Checks that visiting all cells of all volumes and bounds takes an acceptable time: a few bytes of a file can cover
/// everything.
pub(super) fn check_covered(
    input: &BakeInput,
    level: &Aabb,
    params: &VoxelParams,
    boxed: &[Range<u32>; 2],
) -> Result<(), BakeError> {
    let cells = |[min, max]: [f32; 2], [low, high]: [f32; 2]| {
        let extent = f64::from(max.min(high)) - f64::from(min.max(low));
        if extent < 0.0 { 0.0 } else { extent / f64::from(params.cell_size) + 1.0 }
    };
    let along_x = |area: &Aabb| cells([area.min.x, area.max.x], [level.min.x, level.max.x]);
    let along_z = |area: &Aabb| cells([area.min.z, area.max.z], [level.min.z, level.max.z]);
    let volumes = input.volumes.iter().map(|volume| {
        let Aabb { min, max } = volume.shape.bounds();
        let margin = volume.margin(input.max_radius());
        Aabb { min: min - margin, max: max + margin }
    });
    let of_volumes: f64 = volumes.map(|area| along_x(&area) * along_z(&area)).sum();
    // A bound is tested for all cells in its rows.
    let of_bounds: f64 = input.bounds.iter().map(|area| along_x(level) * along_z(area)).sum();
    // Borders are visited once for each tile, and each tile tests all volumes.
    let side = f64::from(params.tile_size_vx);
    let again = if side > 0.0 { 1.0 + 2.0 * f64::from(params.border_vx) / side } else { 1.0 };
    let n_looks = n_of(boxed).saturating_mul((input.volumes.len() + input.bounds.len()) as u64);
    // Volumes mark the ground of each agent.
    let n_agents = input.agents.len().max(1) as u64;
    let value = truncated((of_volumes + of_bounds) * again * again).saturating_add(n_looks);
    let value = value.saturating_mul(n_agents);
    if value <= MAX_COVERED {
        return Ok(());
    }
    Err(BakeError::LevelLimit {
        what: "the number of cells that volumes and bounds cover, each counted separately,",
        value,
        limit: MAX_COVERED,
        remedy: "leave out some of them, make them smaller, or use a larger cell_size or tile_size",
    })
}

/// Returns the number of cells of the whole level along x and z, checked against the limits of a grid.
pub(super) fn check_grid(level: &Aabb, params: &VoxelParams) -> Result<[u32; 2], BakeError> {
    let size = level.size();
    let cells = [size.x, size.z].map(|extent| truncated(extent / params.cell_size + 0.5));
    if cells.contains(&0) {
        let (width, depth, cell_size) = (size.x, size.z, params.cell_size);
        return Err(BakeError::TooSmall { width, depth, cell_size });
    }
    let is_solo = params.tile_size_vx == 0;
    let tile_side = u64::from(params.tile_size_vx) + 2 * u64::from(params.border_vx);
    let [n_x, n_z] = if is_solo { cells } else { [tile_side; 2] };
    let remedy = if is_solo {
        "use a larger cell_size, or bake in tiles (tile_size)"
    } else {
        "use a larger cell_size, or a smaller tile_size or agent_radius"
    };
    let limits = [
        ("the longer side of the voxel grid", n_x.max(n_z), MAX_SIDE_VX, remedy),
        ("the number of columns of the voxel grid", n_x.saturating_mul(n_z), MAX_CELLS, remedy),
        (
            "the level's height in voxels",
            truncated((size.y / params.cell_height).ceil()),
            u64::from(Heightfield::MAX_HEIGHT_VX),
            "use a larger cell_height, or leave out geometry far above or below",
        ),
    ];
    limits.into_iter().try_for_each(check_limit)?;
    let [n_x, n_z] = cells.map(u32::try_from);
    match (n_x, n_z) {
        (Ok(n_x), Ok(n_z)) => Ok([n_x, n_z]),
        _ => Err(BakeError::LevelLimit {
            what: "the longer side of the level in voxels",
            value: cells[0].max(cells[1]),
            limit: u64::from(u32::MAX),
            remedy: "use a larger cell_size",
        }),
    }
}

pub(super) fn check_tiles(boxed: &[Range<u32>; 2], refs: RefBits) -> Result<(), BakeError> {
    let (tile_bits, remedy) = match refs {
        RefBits::Narrow => (
            NARROW_TILE_BITS,
            "use references of 64 bits (refs=64), or a larger tile_size or cell_size",
        ),
        RefBits::Auto | RefBits::Wide => (WIDE_TILE_BITS, "use a larger tile_size or cell_size"),
    };
    check_limit(("the number of tiles", n_of(boxed), 1 << tile_bits, remedy))
}

fn check_limit(
    (what, value, limit, remedy): (&'static str, u64, u64, &'static str),
) -> Result<(), BakeError> {
    if limit < value {
        return Err(BakeError::LevelLimit { what, value, limit, remedy });
    }
    Ok(())
}

pub(super) fn n_of([across, down]: &[Range<u32>; 2]) -> u64 {
    across.len() as u64 * down.len() as u64
}

/// Returns `value` without its fraction.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "extents are not negative; infinite ones saturate and then exceed every limit"
)]
pub(super) fn truncated(value: impl Into<f64>) -> u64 {
    (value.into() as u64).min(1 << 40)
}
