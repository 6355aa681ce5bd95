//! Colorings of polygons, as selected by [`ColorBy`]. Independent of the window and its theme.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use glam::Vec3;
use walkable::{
    bake::PolyMesh,
    check::{PolySamples, SurfaceMap, surface_limit},
    debug_draw::{self, DrawList, Paint, region_paint},
    diagnostic::{Diagnostic, Finding},
    ids::{AreaId, RegionId, TileCoord},
    navmesh::{NavMesh, Tile, TileHeader, TilePlace, TilePoly, format::RefWidth},
    query::{Filter, Reachability, RouteOverlay, islands},
};
use walkable_workspace::{format, lang::tr, stage_view::StageView};

use crate::{
    cluster_map::ClusterMap,
    session::{ColorBy, Session, is_one_cell},
};

#[derive(Clone, Debug)]
pub struct Scale {
    /// The value of the last color.
    pub largest: f32,
    pub ends: [String; 2],
    /// The colors, from the first at 0 to the last at 1.
    pub paint: fn(f32) -> Paint,
    /// The limit above which colors are highlighted, if there is one.
    pub limit: Option<String>,
}

impl Scale {
    fn from_zero(largest: f32, ends: [String; 2]) -> Self {
        Self { largest, ends, paint: Paint::Scalar, limit: None }
    }
}

/// Largest distance on the scale of distances from the level, as a multiple of the limit.
const MAX_DEVIATION: f32 = 2.0;

/// Returns the scale of the selected coloring; `None` if its colors have no order.
pub fn scale(session: &Session) -> Option<Scale> {
    // At stages other than the navmesh, the polygons are those without obstacles.
    let layered = session.bake.layered().filter(|_| session.shown.stage == StageView::Navmesh);
    let layers = layered.map(|layered| layered.tiles().values());
    let tiles = || session.bake.tiles.values();
    Some(match session.shown.display.color_by {
        ColorBy::Area | ColorBy::Region | ColorBy::Tile | ColorBy::Island | ColorBy::Cluster => {
            return None;
        }
        ColorBy::Slope => {
            let largest = session.document().settings.agent_max_slope.max(1.0);
            let words = format!("{}°", format::number(largest.into()));
            Scale::from_zero(largest, ["0°".to_owned(), words])
        }
        ColorBy::Cost => {
            let largest = session.path.filter.area_cost.into_iter().fold(0.0, f32::max);
            let words = tr!("{} a meter", format::number(largest.into()));
            Scale::from_zero(largest, ["0".to_owned(), words])
        }
        ColorBy::BakeTime => {
            let longest = match layers {
                Some(layers) => layers.map(|tile| tile.time).max(),
                None => tiles().map(|tile| tile.times.total()).max(),
            };
            let longest = longest.unwrap_or_default();
            let ends = ["0 ms".to_owned(), format::time(longest)];
            Scale::from_zero(longest.as_secs_f32(), ends)
        }
        ColorBy::Memory => {
            let baked = match layers {
                Some(layers) => layers.map(|tile| tile.n_bytes).max(),
                None => tiles().map(|tile| tile.n_bytes).max(),
            };
            let most = baked.or_else(|| largest_tile(session)).unwrap_or(0);
            Scale::from_zero(as_number(most), ["0 B".to_owned(), format::bytes(most)])
        }
        ColorBy::SurfaceDistance => {
            let map = session.surface_map().map(|map| map.limit());
            let planned = || session.bake.plan.as_deref().map(surface_limit);
            let limit = map.or_else(planned).unwrap_or(0.0);
            let most = format::length(MAX_DEVIATION * limit);
            Scale {
                largest: MAX_DEVIATION * limit,
                ends: [format!("{most} below"), format!("{most} above")],
                paint: |at| Paint::Deviation(MAX_DEVIATION * (2.0 * at - 1.0)),
                limit: Some(tr!("Limit: {}", format::length(limit))),
            }
        }
    })
}

/// Returns the size of the largest tile of a navmesh that was not baked here, in bytes.
fn largest_tile(session: &Session) -> Option<usize> {
    session.bake.navmesh.as_deref()?.tiles().map(|tile| tile.n_bytes(RefWidth::Bits32)).max()
}

/// The coloring of polygons; created again when it changes.
#[derive(Debug, Default)]
pub struct Coloring {
    key: Option<Key>,
    serial: u64,
    filter: Filter,
    /// Color of the island or cluster of each polygon of each tile.
    parts: BTreeMap<TileName, Vec<Option<Paint>>>,
    surface: Option<Arc<SurfaceMap>>,
}

/// Key of a coloring: equal keys have equal colors.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    by: ColorBy,
    largest: f32,
    filter: Option<Filter>,
    navmesh: Option<u64>,
    clusters: Option<u64>,
    /// Serial number of the check that measured the surface.
    check: Option<u64>,
}

type TileName = [i32; 3];

#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    pub coord: TileCoord,
    pub tile: &'a Tile,
    pub regions: PolygonRegions<'a>,
    pub time: Option<Duration>,
    pub n_bytes: usize,
}

#[derive(Clone, Copy, Debug)]
pub enum PolygonRegions<'a> {
    Unknown,
    Of(&'a PolyMesh),
    Listed(&'a [RegionId]),
}

impl PolygonRegions<'_> {
    fn get(self, polygon: usize) -> Option<RegionId> {
        match self {
            Self::Unknown => None,
            Self::Of(mesh) => mesh.polygons.get(polygon).map(|polygon| polygon.region),
            Self::Listed(regions) => regions.get(polygon).copied(),
        }
    }
}

/// Returns a caveat if the selected coloring is misleading for the current content.
pub fn lack(session: &Session) -> Option<Diagnostic> {
    let by = session.shown.display.color_by;
    let bake = &session.bake;
    let is_imported = session.opened.imported.is_some();
    let is_layered = bake.layered().is_some();
    let at_navmesh = session.shown.stage == StageView::Navmesh;
    if by == ColorBy::Area || bake.navmesh.is_none() {
        return None;
    }
    if !matches!(session.shown.stage, StageView::Polygons | StageView::Navmesh) {
        return Some(Finding::ColoringAtOtherStage {}.into());
    }
    let found = match by {
        ColorBy::Region if is_imported => Finding::ColoringRegionsUnknown {},
        ColorBy::BakeTime if is_imported => Finding::ColoringTimeUnknown {},
        ColorBy::BakeTime if is_layered && at_navmesh => Finding::ColoringTimeOfLayers {},
        ColorBy::Memory if is_layered && at_navmesh => Finding::ColoringMemoryOfLayers {},
        ColorBy::Tile | ColorBy::BakeTime | ColorBy::Memory
            if !is_imported && !is_layered && bake.tiles.len() == 1 =>
        {
            Finding::ColoringOneTile {}
        }
        ColorBy::Island if bake.progress.is_some() => Finding::ColoringWhileBaking {},
        ColorBy::Cluster if bake.navmesh.as_deref().is_some_and(is_one_cell) => {
            Finding::ClustersOneCell {}
        }
        ColorBy::SurfaceDistance if is_imported => Finding::ColoringSurfaceUnknown {},
        ColorBy::SurfaceDistance if is_layered => Finding::ColoringSurfaceOfLayers {},
        ColorBy::SurfaceDistance if session.surface_map().is_none() => {
            Finding::ColoringNotChecked {}
        }
        ColorBy::Area
        | ColorBy::Region
        | ColorBy::Tile
        | ColorBy::Island
        | ColorBy::Cluster
        | ColorBy::Slope
        | ColorBy::Cost
        | ColorBy::BakeTime
        | ColorBy::Memory
        | ColorBy::SurfaceDistance => return None,
    };
    Some(found.into())
}

impl Coloring {
    pub fn follow(&mut self, session: &Session, clusters: &ClusterMap) {
        let by = session.shown.display.color_by;
        let is_old = self.key.as_ref().is_some_and(|key| key.by == by);
        if by == ColorBy::Island && is_old && session.bake.progress.is_some() {
            // The islands of an incomplete bake are not meaningful.
            return;
        }
        let filter = &session.path.filter;
        let surface = session.surface_map().filter(|_| by == ColorBy::SurfaceDistance);
        let needs_filter = matches!(by, ColorBy::Cost | ColorBy::Island);
        let key = Key {
            by,
            largest: scale(session).map_or(0.0, |scale| scale.largest),
            filter: needs_filter.then(|| filter.clone()),
            navmesh: (by == ColorBy::Island).then_some(session.bake.navmesh_serial),
            clusters: (by == ColorBy::Cluster).then_some(clusters.serial()),
            check: surface.map(|_| session.check.n_results),
        };
        if self.key.as_ref() == Some(&key) {
            return;
        }
        self.key = Some(key);
        self.serial += 1;
        self.filter = filter.clone();
        self.surface = surface.cloned();
        let navmesh = session.bake.navmesh.as_deref();
        let parts = match by {
            ColorBy::Island => navmesh.map(|navmesh| islands_of(navmesh, filter)),
            ColorBy::Cluster => navmesh
                .zip(clusters.overlay())
                .map(|(navmesh, overlay)| clusters_of(navmesh, overlay)),
            ColorBy::Area
            | ColorBy::Region
            | ColorBy::Tile
            | ColorBy::Slope
            | ColorBy::Cost
            | ColorBy::BakeTime
            | ColorBy::Memory
            | ColorBy::SurfaceDistance => None,
        };
        self.parts = parts.unwrap_or_default();
    }

    /// Returns a number that changes whenever colors change.
    pub fn serial(&self) -> u64 {
        self.serial
    }

    pub fn tile_picture(&self, subject: &Subject<'_>) -> DrawList {
        let paint = |index, corners: [Vec3; 3]| self.paint(subject, index, &corners);
        match &self.surface {
            Some(map) => debug_draw::heat_map(subject.tile, map),
            None => debug_draw::painted_tile(subject.tile, paint),
        }
    }

    /// Returns the color of the piece `corners` of polygon `index`.
    pub fn paint(&self, subject: &Subject<'_>, index: usize, corners: &[Vec3]) -> Paint {
        let Some(Key { by, largest, .. }) = self.key.as_ref() else { return Paint::Blocked };
        let part = |value: f32| Paint::Scalar(if *largest > 0.0 { value / largest } else { 0.0 });
        let poly = subject.tile.polys.get(index);
        match by {
            ColorBy::Area => poly.map_or(Paint::Blocked, |poly| Paint::Area(poly.area)),
            ColorBy::Region => {
                let region = subject.regions.get(index);
                region.map_or(Paint::Blocked, |region| region_paint(region, subject.coord))
            }
            // A color chosen by layer and tile coordinate, so that adjacent tiles differ.
            ColorBy::Tile => region_paint(RegionId(1 + layer_of(subject.tile)), subject.coord),
            ColorBy::Island | ColorBy::Cluster => {
                let of_tile = self.parts.get(&name(&subject.tile.header));
                of_tile.and_then(|parts| *parts.get(index)?).unwrap_or(Paint::Blocked)
            }
            ColorBy::Slope => part(slope_deg(corners)),
            ColorBy::Cost => match poly.filter(|poly| self.filter.passes(poly)) {
                Some(poly) => part(cost(&self.filter, poly.area)),
                None => Paint::Blocked,
            },
            ColorBy::BakeTime => match subject.time {
                Some(time) => part(time.as_secs_f32()),
                None => Paint::Blocked,
            },
            ColorBy::Memory => part(as_number(subject.n_bytes)),
            ColorBy::SurfaceDistance => {
                let map = self.surface.as_deref();
                let samples = map.and_then(|map| map.poly(&subject.tile.header, index));
                let farthest = map.zip(samples.and_then(PolySamples::farthest));
                farthest.map_or(Paint::Blocked, |(map, height)| {
                    debug_draw::deviation(height, map.limit())
                })
            }
        }
    }
}

pub fn cost(filter: &Filter, area: AreaId) -> f32 {
    filter.area_cost[usize::from(area.0) % AreaId::COUNT]
}

fn layer_of(tile: &Tile) -> u16 {
    u16::try_from(tile.header.layer).unwrap_or(0) & !RegionId::BORDER_BIT
}

fn name(header: &TileHeader) -> TileName {
    [header.x, header.z, header.layer]
}

/// Returns a color for the island of each polygon, by size.
fn islands_of(navmesh: &NavMesh, filter: &Filter) -> BTreeMap<TileName, Vec<Option<Paint>>> {
    let known = Reachability::new(navmesh, filter);
    let by_size = islands(navmesh, &known).into_iter().map(|island| island.number);
    let rank: BTreeMap<u32, u32> = by_size.zip(0..).collect();
    by_poly(navmesh, |slot, _, index| {
        let island = known.island(navmesh, navmesh.poly_ref(slot, index)?)?;
        rank.get(&island).copied().map(Paint::Hue)
    })
}

fn clusters_of(
    navmesh: &NavMesh,
    overlay: &RouteOverlay,
) -> BTreeMap<TileName, Vec<Option<Paint>>> {
    by_poly(navmesh, |_, tile, index| {
        let poly = TilePoly { tile, poly: u32::try_from(index).ok()? };
        overlay.cluster(poly).map(debug_draw::cluster_paint)
    })
}

/// Returns a color for each polygon, given by the slot of its tile, its tile and its index.
fn by_poly(
    navmesh: &NavMesh,
    paint: impl Fn(usize, TilePlace, usize) -> Option<Paint>,
) -> BTreeMap<TileName, Vec<Option<Paint>>> {
    let of_tile = |(slot, tile): (usize, &Arc<Tile>)| {
        let place = TilePlace::of(tile);
        let paints = (0..tile.polys.len()).map(|index| paint(slot, place, index));
        (name(&tile.header), paints.collect())
    };
    navmesh.slots().map(of_tile).collect()
}

/// Returns the slope of the plane through the first three of `corners`, in degrees.
fn slope_deg(corners: &[Vec3]) -> f32 {
    let [a, b, c, ..] = corners else { return 0.0 };
    let normal = (b - a).cross(c - a).normalize_or(Vec3::Y);
    normal.y.abs().min(1.0).acos().to_degrees()
}

#[expect(clippy::cast_precision_loss, reason = "a color needs few digits")]
fn as_number(n: usize) -> f32 {
    n as f32
}
