use std::{ops::Range, sync::Arc};

use glam::Vec3;
use serde::{Deserialize, Serialize, Serializer};
use walkable_runtime::{
    diagnostic::{Diagnostic, Finding, Meters},
    geom::Aabb,
    ids::TileCoord,
    navmesh::{NavMesh, NavMeshError, NavMeshParams, format::RefWidth},
};

use crate::bake::{
    BakeError, BakeInput, BakeSettings, GridFrame, LevelPart, RefBits, SurfaceRule, SurfaceUse,
    TileRange, VoxelParams,
    baked_agent::check_agents,
    crop,
    plan_checks::{
        NARROW_TILE_BITS, check_covered, check_grid, check_places, check_tiles, n_of, truncated,
    },
    surface::{self, PartUses, PatternUse},
    triangle_index::TriangleIndex,
    voxel_params::meters,
};

/// Number of bits for tile and polygon in 32-bit references.
const NARROW_TILE_AND_POLY_BITS: u32 = 22;
/// Maximum number of polygons of a tile, including off-mesh links, with references wide enough for any tile.
const MAX_POLYS: u32 = 1 << 16;

/// A prepared bake: settings in cells, the level divided into tiles. Cheap to share between threads.
///
/// Serialized as its [`BakeInput`].
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "BakeInput")]
pub struct BakePlan {
    input: BakeInput,
    /// Bounds of the grid before cropping: those of the whole level, which may be larger than the mesh, or those in
    /// the settings.
    whole: Aabb,
    /// Distance that the level extends beyond these bounds.
    beyond: f32,
    /// The same bounds, or the baked part of them if they are cropped.
    level: Aabb,
    params: VoxelParams,
    grid_size: [u32; 2],
    n_tiles: [u32; 2],
    /// The tiles that the boxes of the bake touch, along x and z; all tiles without boxes.
    boxed: [Range<u32>; 2],
    /// Those of them whose triangles are loaded.
    loaded: [Range<u32>; 2],
    /// `None` if the only tile has all triangles.
    triangles: Option<Arc<TriangleIndex>>,
    part_uses: PartUses,
}

impl Serialize for BakePlan {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.input.serialize(to)
    }
}

impl TryFrom<BakeInput> for BakePlan {
    type Error = BakeError;

    fn try_from(input: BakeInput) -> Result<Self, BakeError> {
        Self::new(input)
    }
}

impl BakePlan {
    /// Checks the input and lays out the tiles.
    ///
    /// # Errors
    /// Returns [`BakeError::Settings`], [`BakeError::LevelLimit`], [`BakeError::TooSmall`], [`BakeError::UnknownArea`]
    /// or [`BakeError::NotFinite`].
    pub fn new(input: BakeInput) -> Result<Self, BakeError> {
        Self::with_index(input, None)
    }

    /// Creates a plan for another `input`: like [`BakePlan::new`], but faster if the level is the same.
    ///
    /// # Errors
    /// See [`BakePlan::new`].
    pub fn renewed(&self, input: BakeInput) -> Result<Self, BakeError> {
        let same = Arc::ptr_eq(&self.input.mesh, &input.mesh);
        Self::with_index(input, self.triangles.clone().filter(|_| same))
    }

    fn with_index(
        input: BakeInput,
        triangles: Option<Arc<TriangleIndex>>,
    ) -> Result<Self, BakeError> {
        let level = input.level_bounds();
        let mut params = VoxelParams::new(&input.settings)?;
        check_places(&input)?;
        if let Some(border_vx) = check_agents(&input.agents, &input.settings, &input.area_flags)? {
            params.border_vx = border_vx;
        }
        let whole = fixed_box(&input.settings, level)?;
        let beyond = beyond(&level, &whole);
        let level = crop::grid_box(&input, whole, &params);
        let grid_size = check_grid(&level, &params)?;
        let n_tiles = match params.tile_size_vx {
            0 => [1, 1],
            tile_size => grid_size.map(|n| n.div_ceil(tile_size)),
        };
        let boxed = boxed_tiles(&input, &level, &params, n_tiles);
        check_tiles(&boxed, input.settings.refs)?;
        let loaded = loaded_tiles(&input, &level, &params, n_tiles)?;
        let loaded = [within(&loaded[0], &boxed[0]), within(&loaded[1], &boxed[1])];
        check_covered(&input, &level, &params, &boxed)?;
        let is_solo = params.tile_size_vx == 0;
        let index = || (!is_solo).then(|| Arc::new(TriangleIndex::new(&input.mesh)));
        let triangles = triangles.or_else(index);
        let part_uses = PartUses::new(&input.mesh, &input.surfaces);
        Ok(Self {
            input,
            whole,
            beyond,
            level,
            params,
            grid_size,
            n_tiles,
            boxed,
            loaded,
            triangles,
            part_uses,
        })
    }

    /// Returns the input of the bake.
    pub fn input(&self) -> &BakeInput {
        &self.input
    }

    /// Returns the settings in cells.
    pub fn params(&self) -> &VoxelParams {
        &self.params
    }

    /// Returns whether the level is baked in one piece.
    pub fn is_solo(&self) -> bool {
        self.params.tile_size_vx == 0
    }

    /// Returns the number of cells of the whole level along x and z, without borders.
    pub fn grid_size(&self) -> [u32; 2] {
        self.grid_size
    }

    /// Returns the number of tiles of the whole level along x and z; `[1, 1]` for solo. Not all of them are baked if boxes
    /// limit the bake, or if only a part of the level is loaded.
    pub fn n_tiles(&self) -> [u32; 2] {
        self.n_tiles
    }

    /// Returns the coordinates of the tiles that the boxes of the bake touch, and of those between them, along x and z; of
    /// all tiles without boxes.
    pub fn boxed_tiles(&self) -> &[Range<u32>; 2] {
        &self.boxed
    }

    /// Returns the number of [`BakePlan::boxed_tiles`].
    pub fn n_boxed_tiles(&self) -> u64 {
        n_of(&self.boxed)
    }

    /// Returns the coordinates of the tiles that are baked, along x and z: those that the boxes of the bake touch, if their
    /// triangles are loaded.
    pub fn loaded_tiles(&self) -> &[Range<u32>; 2] {
        &self.loaded
    }

    /// Returns whether the plan has this tile, and all its triangles are loaded.
    pub fn has_tile(&self, TileCoord { x, z }: TileCoord) -> bool {
        self.loaded[0].contains(&x) && self.loaded[1].contains(&z)
    }

    /// Returns whether the grid is cropped to the boxes that limit the bake: see
    /// [`keep_grid`](crate::bake::BakeSettings::keep_grid).
    pub fn is_cropped(&self) -> bool {
        self.level != self.whole
    }

    /// Returns the bounds of the ground that is baked and loaded.
    pub(super) fn extent_of_grid(&self) -> Aabb {
        let Aabb { mut min, mut max } = self.level;
        if !self.is_solo() {
            let [across, down] = &self.boxed;
            let last = TileCoord::new(across.end.saturating_sub(1), down.end.saturating_sub(1));
            min = min.max(self.tile_bounds(TileCoord::new(across.start, down.start)).min);
            max = max.min(self.tile_bounds(last).max);
        }
        let Some(LevelPart { loaded, .. }) = self.input.part else { return Aabb { min, max } };
        let within = |at: Vec3| at.clamp(loaded.min.min(loaded.max), loaded.max).with_y(at.y);
        Aabb { min: within(min), max: within(max) }
    }

    /// Returns the coordinates of the tiles of [`BakePlan::loaded_tiles`], row by row.
    pub fn tiles(&self) -> TileRange {
        TileRange::new(self.loaded.clone())
    }

    /// Returns the bounds of a tile in world space, without the border. Tiles at the maximum sides may extend beyond
    /// the level.
    pub fn tile_bounds(&self, tile: TileCoord) -> Aabb {
        let level = self.level;
        if self.is_solo() {
            return level;
        }
        let side = self.tile_side();
        let at = |start: f32, n: u32| start + meters(n, side);
        Aabb {
            min: Vec3::new(at(level.min.x, tile.x), level.min.y, at(level.min.z, tile.z)),
            max: Vec3::new(
                at(level.min.x, tile.x.saturating_add(1)),
                level.max.y,
                at(level.min.z, tile.z.saturating_add(1)),
            ),
        }
    }

    /// Returns the voxel grid of a tile, including the border.
    pub fn tile_frame(&self, tile: TileCoord) -> GridFrame {
        let VoxelParams { cell_size, cell_height, border_vx, tile_size_vx, .. } = self.params;
        let mut bounds = self.tile_bounds(tile);
        let border = meters(border_vx, cell_size);
        let mut size = self.grid_size;
        if !self.is_solo() {
            size = [tile_size_vx + 2 * border_vx; 2];
            bounds.min.x -= border;
            bounds.min.z -= border;
            bounds.max.x += border;
            bounds.max.z += border;
        }
        let [n_x, n_z] = size;
        GridFrame { bounds, cell_size, cell_height, n_x, n_z, border_vx }
    }

    /// Returns the triangles that touch a tile or its border seen from above, in file order, except those excluded by
    /// their object or material.
    pub fn tile_triangles(&self, tile: TileCoord) -> Vec<u32> {
        let takes_all = self.is_solo() && self.level == self.input.mesh.bounds();
        let touching = if takes_all {
            self.all_triangles().collect()
        } else {
            self.triangles_over(&self.tile_frame(tile).bounds)
        };
        self.part_uses.without_left_out(touching)
    }

    /// Returns the triangles of the level whose bounds overlap or touch `area` seen from above, in file order.
    pub fn triangles_over(&self, area: &Aabb) -> Vec<u32> {
        let mesh = &self.input.mesh;
        let is_over = |&at: &u32| Aabb::around(mesh.corners(at as usize)).overlaps_xz(area);
        match &self.triangles {
            Some(triangles) => triangles.over(mesh, area),
            None => self.all_triangles().filter(is_over).collect(),
        }
    }

    fn all_triangles(&self) -> Range<u32> {
        0..u32::try_from(self.input.mesh.triangles().len()).unwrap_or(u32::MAX)
    }

    /// Returns the approximate work for a tile relative to others of the plan.
    pub(super) fn weight(&self, tile: TileCoord) -> usize {
        self.triangles
            .as_ref()
            .map_or(0, |triangles| triangles.n_near(&self.tile_frame(tile).bounds))
    }

    /// Returns the surface rule that applies to a triangle; `None` if there is none.
    pub fn surface_use(&self, triangle: u32) -> Option<SurfaceUse> {
        self.part_uses.of(triangle)
    }

    /// Returns the bounds of the grid before it is cropped to the boxes that limit the bake: those of the level, unless
    /// [`BakeSettings::origin`](crate::bake::BakeSettings) and `world_height` set them.
    pub fn whole_grid(&self) -> Aabb {
        self.whole
    }

    /// Reports that the level extends beyond the grid in the settings, if it does.
    pub fn beyond_grid(&self) -> Option<Diagnostic> {
        let beyond = Meters(self.beyond);
        (self.beyond > 0.0).then(|| Finding::LevelBeyondGrid { beyond }.into())
    }

    /// Returns the rules with patterns that apply to objects or materials of the level.
    pub fn pattern_uses(&self) -> Vec<PatternUse<'_>> {
        surface::pattern_uses(&self.input.mesh, &self.input.surfaces)
    }

    /// Returns the rules for objects and materials that are not in the level.
    pub fn unused_surfaces(&self) -> Vec<&SurfaceRule> {
        surface::unused(&self.input.mesh, &self.input.surfaces)
    }

    pub(super) fn part_uses(&self) -> &PartUses {
        &self.part_uses
    }

    /// Returns the width of the navmesh's references. If the settings leave it open, and a tile has too many polygons
    /// for 32 bits, [`BakePlan::link`] uses 64.
    pub fn ref_width(&self) -> RefWidth {
        match self.input.settings.refs {
            RefBits::Narrow => RefWidth::Bits32,
            RefBits::Auto if self.tile_bits() <= NARROW_TILE_BITS => RefWidth::Bits32,
            RefBits::Auto | RefBits::Wide => RefWidth::Bits64,
        }
    }

    /// Returns the parameters of the navmesh. A solo mesh gets them from its only tile: see [`NavMeshParams::solo`].
    pub fn nav_mesh_params(&self) -> NavMeshParams {
        self.nav_mesh_params_for(self.ref_width())
    }

    pub(super) fn nav_mesh_params_for(&self, width: RefWidth) -> NavMeshParams {
        let level = self.level;
        let tile_bits = self.tile_bits();
        let [tile_width, tile_height] =
            if self.is_solo() { [level.size().x, level.size().z] } else { [self.tile_side(); 2] };
        let max_polys = match width {
            RefWidth::Bits32 => 1 << NARROW_TILE_AND_POLY_BITS.saturating_sub(tile_bits),
            RefWidth::Bits64 => MAX_POLYS,
        };
        let max_tiles = 1 << tile_bits;
        NavMeshParams { origin: level.min, tile_width, tile_height, max_tiles, max_polys }
    }

    /// Creates an empty navmesh for the tiles; a solo navmesh gets its origin from the tile instead.
    ///
    /// # Errors
    /// Returns a [`NavMeshError`] if a parameter is invalid.
    pub fn empty_nav_mesh(&self) -> Result<NavMesh, NavMeshError> {
        NavMesh::with_width(self.nav_mesh_params(), self.ref_width())
    }

    /// Returns the maximum number of tiles with 32-bit references.
    pub(super) const fn most_narrow_tiles() -> u64 {
        1 << NARROW_TILE_BITS
    }

    /// Returns the number of bits of a tile's index.
    fn tile_bits(&self) -> u32 {
        self.n_boxed_tiles().next_power_of_two().trailing_zeros()
    }

    /// Returns the side of a tile, in meters.
    fn tile_side(&self) -> f32 {
        meters(self.params.tile_size_vx, self.params.cell_size)
    }
}

/// Returns the tiles of a grid over `level`, along x and z, that the boxes of the bake touch, with those between them. There
/// is at least one.
fn boxed_tiles(
    input: &BakeInput,
    level: &Aabb,
    params: &VoxelParams,
    [n_x, n_z]: [u32; 2],
) -> [Range<u32>; 2] {
    if input.bounds.is_empty() || params.tile_size_vx == 0 {
        return [0..n_x, 0..n_z];
    }
    let corners = input.bounds.iter().flat_map(|bound| [bound.min, bound.max]);
    let around = Aabb::around(corners);
    let cell = f64::from(params.cell_size);
    let side = cell * f64::from(params.tile_size_vx);
    // Spans are rounded to cells, so a box may reach a cell further.
    let along = |axis: usize, n: u32| {
        let tile = |at: f64| number((at - f64::from(level.min[axis])) / side).min(n - 1);
        let first = tile(f64::from(around.min[axis]) - cell);
        first..tile(f64::from(around.max[axis]) + cell).max(first) + 1
    };
    [along(0, n_x), along(2, n_z)]
}

/// Returns the number of a tile. Before the first tile, it is 0.
fn number(tile: f64) -> u32 {
    u32::try_from(truncated(tile)).unwrap_or(u32::MAX)
}

/// Returns the tiles of both ranges; the first of `range` if there are none.
fn within(range: &Range<u32>, other: &Range<u32>) -> Range<u32> {
    let both = range.start.max(other.start)..range.end.min(other.end);
    if both.is_empty() { range.start..range.start + 1 } else { both }
}

/// Returns the tiles of a grid over `level`, along x and z, whose triangles are all loaded.
fn loaded_tiles(
    input: &BakeInput,
    level: &Aabb,
    params: &VoxelParams,
    [n_x, n_z]: [u32; 2],
) -> Result<[Range<u32>; 2], BakeError> {
    let Some(LevelPart { level: whole, loaded }) = input.part else { return Ok([0..n_x, 0..n_z]) };
    let side = meters(params.tile_size_vx, params.cell_size);
    let border = meters(params.border_vx, params.cell_size);
    let is_solo = params.tile_size_vx == 0;
    // There are no triangles outside the whole level.
    let along = |axis: usize, n: u32| {
        let start = level.min[axis];
        let from = |tile: u32| if is_solo { start } else { start + meters(tile, side) - border };
        let to = |tile: u32| {
            let end = start + meters(tile.saturating_add(1), side) + border;
            if is_solo { level.max[axis] } else { end }
        };
        let first = first_of(n, |tile| loaded.min[axis] <= from(tile).max(whole.min[axis]));
        let end = first_of(n, |tile| loaded.max[axis] < to(tile).min(whole.max[axis]));
        first..end
    };
    let tiles = [along(0, n_x), along(2, n_z)];
    if tiles.iter().any(Range::is_empty) {
        let remedy = if is_solo {
            "it cannot be baked in one piece: set tile_size, for instance to 64"
        } else {
            "set a smaller tile_size, or load a larger part"
        };
        return Err(BakeError::PartTooSmall { remedy });
    }
    Ok(tiles)
}

/// Returns the first number below `n` for which `is_past` holds; `n` if there is none. `is_past` must hold for all
/// greater numbers, too.
fn first_of(n: u32, is_past: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_past(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// Returns the bounds of the grid over a level, with the minimum and height of the settings.
fn fixed_box(settings: &BakeSettings, level: Aabb) -> Result<Aabb, BakeError> {
    let min = settings.origin.unwrap_or(level.min);
    let mut max = level.max;
    if settings.world_height > 0.0 {
        max.y = min.y + settings.world_height;
    }
    // Only an origin from the settings can be invalid.
    if settings.origin.is_some() && !(min.x < max.x && min.y <= max.y && min.z < max.z) {
        return Err(BakeError::BeyondLevel { origin: min, level });
    }
    Ok(Aabb { min, max })
}

/// Returns the distance that a level extends beyond the bounds of its grid, in meters.
fn beyond(level: &Aabb, grid: &Aabb) -> f32 {
    let below = (grid.min - level.min).max_element();
    below.max((level.max - grid.max).max_element()).max(0.0)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use walkable::level::{LevelKind, generate};
    use walkable_mesh::TriMesh;
    use walkable_runtime::monitor::Unmonitored;

    use super::*;
    use crate::bake::{AreaVolume, BakeOutput, BakeSettings, RawArea, VolumeShape, bake_tile};

    /// Creates a level of one triangle with this extent.
    fn level(size: Vec3, settings: BakeSettings) -> BakeInput {
        let start = Vec3::new(10.0, 1.0, -20.0);
        let corners = [Vec3::ZERO, Vec3::new(0.0, size.y, size.z), Vec3::new(size.x, 0.0, 0.0)];
        let vertices = corners.map(|corner| start + corner).to_vec();
        let mesh = Arc::new(TriMesh::new(vertices, vec![[0, 1, 2]]).unwrap());
        BakeInput::new(mesh, settings)
    }

    fn tiled(tile_size: u32) -> BakeSettings {
        BakeSettings {
            cell_size: 0.5,
            cell_height: 0.5,
            agent_radius: 1.0,
            tile_size,
            ..BakeSettings::default()
        }
    }

    #[test]
    fn tiles_cover_the_level_and_borders_grow_them() {
        let plan = BakePlan::new(level(Vec3::new(30.0, 4.0, 16.2), tiled(16))).unwrap();
        assert_eq!(plan.grid_size(), [60, 32]);
        assert_eq!(plan.n_tiles(), [4, 2]);
        assert_eq!(plan.tiles().count(), 8);
        let tile = TileCoord::new(1, 0);
        let bounds = plan.tile_bounds(tile);
        assert_eq!(
            (bounds.min, bounds.max),
            (Vec3::new(18.0, 1.0, -20.0), Vec3::new(26.0, 5.0, -12.0))
        );
        let frame = plan.tile_frame(tile);
        assert_eq!((frame.n_x, frame.n_z, frame.border_vx), (26, 26, 5));
        assert_eq!(frame.bounds.min, Vec3::new(15.5, 1.0, -22.5));
        let params = plan.nav_mesh_params();
        assert_eq!((params.max_tiles, params.max_polys), (8, 1 << 19));
    }

    #[test]
    fn solo_is_one_tile_of_the_level_itself() {
        let plan = BakePlan::new(level(Vec3::new(30.0, 4.0, 16.2), tiled(0))).unwrap();
        let frame = plan.tile_frame(TileCoord::new(0, 0));
        assert_eq!((plan.n_tiles(), frame.n_x, frame.n_z, frame.border_vx), ([1, 1], 60, 32, 0));
        assert_eq!(frame.bounds, plan.input().mesh.bounds());
    }

    #[track_caller]
    fn check_refs(side: f32, refs: RefBits, width: RefWidth, [max_tiles, max_polys]: [u32; 2]) {
        let settings = BakeSettings { refs, ..tiled(16) };
        let plan = BakePlan::new(level(Vec3::new(side, 4.0, side), settings)).unwrap();
        let params = plan.nav_mesh_params();
        assert_eq!((params.max_tiles, params.max_polys), (max_tiles, max_polys));
        let mesh = plan.empty_nav_mesh().unwrap();
        assert_eq!((mesh.width(), plan.ref_width()), (width, width));
    }

    #[test]
    fn references_are_wide_where_tiles_need_it_or_the_user_says_so() {
        use RefWidth::{Bits32, Bits64};
        check_refs(8.0 * 128.0, RefBits::Auto, Bits32, [1 << 14, 1 << 8]);
        check_refs(8.0 * 128.0, RefBits::Narrow, Bits32, [1 << 14, 1 << 8]);
        check_refs(8.0 * 129.0, RefBits::Auto, Bits64, [1 << 15, 1 << 16]);
        check_refs(80.0, RefBits::Wide, Bits64, [1 << 7, 1 << 16]);
    }

    #[track_caller]
    fn check_refused(input: BakeInput, message: &str) {
        assert_eq!(BakePlan::new(input).unwrap_err().to_string(), message);
    }

    #[test]
    fn limits_are_named() {
        let size = Vec3::new(40_000.0, 4.0, 10.0);
        check_refused(
            level(size, tiled(0)),
            "the longer side of the voxel grid is 80000, more than the limit of 65535; use a larger \
             cell_size, or bake in tiles (tile_size)",
        );
        assert!(BakePlan::new(level(size, tiled(64))).is_ok());
        let narrow = BakeSettings { refs: RefBits::Narrow, ..tiled(16) };
        check_refused(
            level(Vec3::new(8000.0, 4.0, 8000.0), narrow),
            "the number of tiles is 1000000, more than the limit of 16384; use references of 64 bits \
             (refs=64), or a larger tile_size or cell_size",
        );
        check_refused(
            level(Vec3::new(9000.0, 4.0, 9000.0), tiled(1)),
            "the number of tiles is 324000000, more than the limit of 268435456; use a larger \
             tile_size or cell_size",
        );
        check_refused(
            level(Vec3::new(10.0, 20_000.0, 10.0), tiled(16)),
            "the level's height in voxels is 40000, more than the limit of 32767; use a larger \
            cell_height, or leave out geometry far above or below",
        );
        check_refused(
            level(Vec3::new(0.1, 4.0, 10.0), tiled(0)),
            "the level is 0.10000038 by 10 m seen from above, less than a voxel of 0.5 m; check its unit \
             scale and up axis",
        );
        let huge = BakePlan::new(level(Vec3::new(1e30, 1.0, 1e30), tiled(0)));
        assert!(matches!(huge, Err(BakeError::LevelLimit { .. })));
    }

    /// Plans a level of 30 by 16 m that starts at 10,1,-20.
    fn fixed(origin: Option<[f32; 3]>, world_height: f32, tile_size: u32) -> BakePlan {
        let settings =
            BakeSettings { origin: origin.map(Vec3::from), world_height, ..tiled(tile_size) };
        BakePlan::new(level(Vec3::new(30.0, 4.0, 16.0), settings)).unwrap()
    }

    #[test]
    fn origin_and_world_height_fix_the_grid() {
        let usual = fixed(None, 0.0, 16);
        let same = fixed(Some([10.0, 1.0, -20.0]), 4.0, 16);
        assert_eq!((usual.whole_grid(), usual.n_tiles()), (same.whole_grid(), same.n_tiles()));
        assert_eq!((usual.beyond_grid(), same.beyond_grid()), (None, None));

        let wide = fixed(Some([2.0, -9.0, -36.0]), 50.0, 16);
        assert_eq!((wide.n_tiles(), wide.beyond_grid()), ([5, 4], None));
        let tile = wide.tile_bounds(TileCoord::new(1, 2));
        let expected =
            Aabb { min: Vec3::new(10.0, -9.0, -20.0), max: Vec3::new(18.0, 41.0, -12.0) };
        assert_eq!((tile, wide.nav_mesh_params().origin), (expected, Vec3::new(2.0, -9.0, -36.0)));
        let solo = fixed(Some([2.0, -9.0, -36.0]), 50.0, 0);
        assert_eq!((solo.grid_size(), solo.is_cropped()), ([76, 64], false));

        // The far sides still depend on the level.
        let late = fixed(Some([14.0, 1.0, -20.0]), 0.0, 16);
        assert_eq!(late.n_tiles(), [4, 2]);
        let said = late.beyond_grid().map(|found| found.text()).unwrap_or_default();
        assert!(said.starts_with("the level reaches 4 m beyond"), "{said}");
        let low = fixed(None, 1.5, 16);
        let said = low.beyond_grid().map(|found| found.text()).unwrap_or_default();
        assert!(said.starts_with("the level reaches 2.5 m beyond"), "{said}");
    }

    #[test]
    fn an_origin_beyond_the_level_is_refused() {
        for origin in [[40.0, 1.0, -20.0], [10.0, 6.0, -20.0], [10.0, 1.0, 0.0]] {
            let settings = BakeSettings { origin: Some(Vec3::from(origin)), ..tiled(16) };
            let error = BakePlan::new(level(Vec3::new(30.0, 4.0, 16.0), settings)).unwrap_err();
            assert!(error.to_string().contains("from 10,1,-20 to 40,5,-4; set another"), "{error}");
        }
    }

    #[test]
    fn volumes_and_bounds_may_cover_only_so_much() {
        let everywhere = Aabb::new(Vec3::splat(-1e30), Vec3::splat(1e30));
        let mut input = level(Vec3::new(60.0, 1.0, 60.0), BakeSettings::default());
        let shape = VolumeShape::Box(everywhere);
        input.volumes = vec![AreaVolume::new(RawArea(5), shape); 10_000];
        BakePlan::new(input.clone()).unwrap();
        let few = std::mem::take(&mut input.volumes);
        let volumes = few.iter().cycle().take(100_000).cloned().collect();
        let bounds = vec![everywhere; 100_000];
        for input in [BakeInput { volumes, ..input.clone() }, BakeInput { bounds, ..input }] {
            let why = BakePlan::new(input).unwrap_err().to_string();
            assert!(why.contains("volumes and bounds cover") && why.contains("leave out"), "{why}");
        }
    }

    #[test]
    fn volumes_are_checked() {
        let mut input = level(Vec3::splat(10.0), tiled(0));
        let prism = |max_y| {
            let outline = vec![Vec3::ZERO; 3];
            VolumeShape::Prism { min_y: 0.0, max_y, outline }
        };
        input.volumes.push(AreaVolume::new(RawArea(64), prism(1.0)));
        check_refused(input.clone(), "volume 0 has area 64, but areas go from 0 to 63");
        input.volumes[0].shape = prism(f32::NAN);
        check_refused(input, "volume 0 has a coordinate or size that is not a finite number");
    }

    /// Returns the triangles of `mesh` over `area`, seen from above.
    fn part_of(mesh: &TriMesh, area: &Aabb) -> TriMesh {
        let indices = (0..mesh.triangles().len())
            .filter(|&index| Aabb::around(mesh.corners(index)).overlaps_xz(area));
        let triangles = indices.map(|index| mesh.triangles()[index]).collect();
        TriMesh::new(mesh.vertices().to_vec(), triangles).unwrap()
    }

    #[test]
    fn tiles_of_a_part_are_those_of_the_level() {
        let mesh = generate(LevelKind::Town, 2, 60.0).unwrap().mesh;
        let mesh =
            Arc::new(TriMesh::new(mesh.vertices().to_vec(), mesh.triangles().to_vec()).unwrap());
        let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
        let level = mesh.bounds();
        let whole = BakePlan::new(BakeInput::new(Arc::clone(&mesh), settings.clone())).unwrap();
        for loaded in [
            Aabb { min: level.min, max: level.center().with_y(level.max.y) },
            Aabb::new(level.min + 20.0, level.min + 45.0),
            level,
        ] {
            let input = BakeInput::new(Arc::new(part_of(&mesh, &loaded)), settings.clone());
            let plan = BakePlan::new(input.of_part(Some(LevelPart { level, loaded }))).unwrap();
            assert_eq!(plan.n_tiles(), whole.n_tiles());
            let tiles: Vec<_> = plan.tiles().collect();
            assert_eq!(tiles.len() == whole.tiles().count(), loaded == level);
            for coord in whole.tiles() {
                assert_eq!(plan.has_tile(coord), tiles.contains(&coord));
                // A tile whose border lies in the part, where there is a level, is in the plan.
                let frame = plan.tile_frame(coord).bounds;
                let (min, max) = (frame.min.max(level.min), frame.max.min(level.max));
                let is_inside = (0..3)
                    .step_by(2)
                    .all(|axis| loaded.min[axis] <= min[axis] && max[axis] <= loaded.max[axis]);
                assert_eq!(plan.has_tile(coord), is_inside, "{coord}");
            }
            for coord in tiles {
                let [of_part, of_level] = [&plan, &whole].map(|plan| {
                    bake_tile(plan, coord, BakeOutput::Tile, &Unmonitored).unwrap().tile
                });
                assert_eq!(of_part, of_level, "{coord}");
                let [of_part, of_level] =
                    [&plan, &whole].map(|plan| plan.tile_key(coord, &Unmonitored).unwrap());
                assert_eq!(of_part, of_level, "{coord}");
            }
        }
    }

    #[test]
    fn a_part_without_a_whole_tile_is_an_error() {
        let level = Aabb::new(Vec3::ZERO, Vec3::new(100.0, 1.0, 100.0));
        let loaded = Aabb::new(Vec3::splat(15.0), Vec3::splat(25.0));
        let refusal = |tile_size| {
            let settings = BakeSettings { tile_size, ..BakeSettings::default() };
            let vertices = vec![loaded.min, loaded.min + Vec3::Z, loaded.min + Vec3::X];
            let mesh = Arc::new(TriMesh::new(vertices, vec![[0, 1, 2]]).unwrap());
            let part = Some(LevelPart { level, loaded });
            BakePlan::new(BakeInput::new(mesh, settings).of_part(part)).unwrap_err().to_string()
        };
        assert!(refusal(0).contains("set tile_size"), "{}", refusal(0));
        assert!(refusal(64).contains("smaller tile_size"), "{}", refusal(64));
    }
}
