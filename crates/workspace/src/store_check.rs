//! Checks tile stores that are larger than memory, for the window and for `walkable check`.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{Read, Seek},
    ops::RangeInclusive,
    sync::Arc,
};

use glam::Vec3;
use walkable::{
    bake::{BakeSettings, settings_advice},
    check::{PartsCheck, PartsReport},
    diagnostic::{Code, Diagnostic, Finding, FindingList},
    monitor::Monitor,
    navmesh::{NavMesh, Tile, TilePlace},
    phrase,
    store::{StoreEntry, TileStore},
};

use crate::check::CheckAnswer;

/// Side of the squares of tiles that are checked together, unless they are too large.
const SIDE: i32 = 16;
/// Maximum size of the data of the tiles that are in memory together, in bytes. Squares with more become smaller.
const MAX_BYTES: u64 = 64 << 20;
/// Maximum size of the data of the tiles around one place, in bytes.
const MAX_BYTES_OF_PLACE: u64 = 512 << 20;

#[derive(Clone, Debug)]
pub struct StoreCheck {
    pub answer: CheckAnswer,
    /// The ends of the off-mesh links with findings, by their number.
    pub links: BTreeMap<usize, [Vec3; 2]>,
}

/// Describes a tile store in the answer of its check.
#[derive(Clone, Debug, Default)]
pub struct CheckedStore<'a> {
    /// Name of the store, or of the level that it was baked from.
    pub name: String,
    /// The settings that the tiles were baked with, if they are those of the open level.
    pub settings: Option<&'a BakeSettings>,
    pub found: Vec<Diagnostic>,
}

impl CheckedStore<'_> {
    /// Describes a store of which only the file is known.
    pub fn named(name: String) -> Self {
        Self { name, ..Self::default() }
    }
}

/// Checks all tiles of `store`, with few of them in memory. `file` is the file of the store. Calls `entered` with the
/// number of tiles checked so far and the number of all tiles. Damaged tiles become findings, and count as absent.
/// Fails if tiles cannot be linked or are too large.
pub fn check_store(
    checked: CheckedStore<'_>,
    store: &TileStore,
    file: &mut (impl Read + Seek),
    entered: &mut dyn FnMut([usize; 2]),
    monitor: &dyn Monitor,
) -> anyhow::Result<StoreCheck> {
    check_in_squares(checked, store, file, SIDE, entered, monitor)
}

fn check_in_squares(
    checked: CheckedStore<'_>,
    store: &TileStore,
    file: &mut (impl Read + Seek),
    side: i32,
    entered: &mut dyn FnMut([usize; 2]),
    monitor: &dyn Monitor,
) -> anyhow::Result<StoreCheck> {
    let n_all = store.ground_entries().count();
    let mut check = PartsCheck::default();
    let mut tiles = LoadedTiles::new(store)?;
    let mut n_checked = 0;
    for square in squares(store, side) {
        entered([n_checked, n_all]);
        n_checked += check_square(store, square, &mut tiles, &mut check, file, monitor)?;
    }
    entered([n_all, n_all]);
    let LoadedTiles { damaged, reasons, .. } = tiles;
    let has_tile = |[x, z]: [i32; 2]| {
        let mut here = store.entries_in(x..=x, z..=z).filter(|entry| entry.n_tile > 0);
        here.any(|entry| !damaged.contains(&entry.place))
    };
    let PartsReport { mut report, links, n_tiles, n_polys } =
        check.finish(&has_tile, store.width());
    let CheckedStore { name, settings, found } = checked;
    let found = found.into_iter().chain(reasons.into_diagnostics()).collect();
    let counts = [n_tiles, n_polys];
    let answer = match settings {
        None => CheckAnswer::of_store(name, counts, found, report),
        Some(settings) => {
            report.settings = settings_advice(settings);
            CheckAnswer::of_whole_level(name, counts, found, report)
        }
    };
    Ok(StoreCheck { answer, links })
}

/// A square of tiles: its first column and row, and its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Square {
    z: i64,
    x: i64,
    side: i64,
}

impl Square {
    /// Returns the columns and rows, with `n_rings` more on each side.
    fn ranges(self, n_rings: i64) -> [RangeInclusive<i32>; 2] {
        [self.x, self.z].map(|first| {
            #[expect(clippy::cast_possible_truncation, reason = "within the range after the clamp")]
            let at = |at: i64| at.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
            at(first - n_rings)..=at(first + self.side - 1 + n_rings)
        })
    }

    /// Returns the tiles with ground in the square, with `n_rings` more on each side.
    fn entries(self, store: &TileStore, n_rings: i64) -> impl Iterator<Item = &StoreEntry> {
        let [columns, rows] = self.ranges(n_rings);
        store.entries_in(columns, rows).filter(|entry| entry.n_tile > 0)
    }

    fn contains(self, [x, z]: [i32; 2]) -> bool {
        let is_in = |at: i32, first: i64| (first..first + self.side).contains(&i64::from(at));
        is_in(x, self.x) && is_in(z, self.z)
    }

    fn quarters(self) -> Option<[Self; 4]> {
        let side = self.side / 2;
        (side > 0).then(|| {
            [(0, 0), (side, 0), (0, side), (side, side)].map(|(x, z)| Self {
                x: self.x + x,
                z: self.z + z,
                side,
            })
        })
    }
}

fn squares(store: &TileStore, side: i32) -> BTreeSet<Square> {
    let square = |entry: &StoreEntry| {
        let first = |at: i32| i64::from(at.div_euclid(side)) * i64::from(side);
        Square { z: first(entry.place.z), x: first(entry.place.x), side: side.into() }
    };
    store.ground_entries().map(square).collect()
}

/// Checks the tiles of a square, or of its quarters if it is too large. Returns their number.
fn check_square(
    store: &TileStore,
    square: Square,
    tiles: &mut LoadedTiles,
    check: &mut PartsCheck,
    file: &mut (impl Read + Seek),
    monitor: &dyn Monitor,
) -> anyhow::Result<usize> {
    monitor.check()?;
    let n_rings = i64::from(PartsCheck::N_RINGS);
    let n_tiles = square.entries(store, 0).count();
    if n_tiles == 0 {
        return Ok(0);
    }
    let n_bytes: u64 = square.entries(store, n_rings).map(|entry| u64::from(entry.n_tile)).sum();
    if n_bytes > MAX_BYTES {
        if let Some(quarters) = square.quarters() {
            for quarter in quarters {
                check_square(store, quarter, tiles, check, file, monitor)?;
            }
            return Ok(n_tiles);
        }
        let Square { x, z, .. } = square;
        let [n, max] = [n_bytes, MAX_BYTES_OF_PLACE].map(|n| n >> 20);
        anyhow::ensure!(
            n_bytes <= MAX_BYTES_OF_PLACE,
            phrase!(
                "the tiles around {x},{z} take {n} MiB; the limit is {max} MiB",
                x = x.to_string(),
                z = z.to_string(),
                n,
                max
            )
        );
    }
    let mesh = tiles.load(store, square.entries(store, n_rings), file, monitor)?;
    check.add(&mesh, &|place| square.contains(place), monitor)?;
    Ok(n_tiles)
}

struct LoadedTiles {
    /// A navmesh of the world without tiles.
    empty: NavMesh,
    tiles: BTreeMap<TilePlace, Arc<Tile>>,
    damaged: BTreeSet<TilePlace>,
    /// Why the damaged tiles cannot be read.
    reasons: FindingList,
}

impl LoadedTiles {
    fn new(store: &TileStore) -> anyhow::Result<Self> {
        let empty = store.nav_mesh_of(Vec::new())?;
        let (tiles, damaged) = (BTreeMap::new(), BTreeSet::new());
        Ok(Self { empty, tiles, damaged, reasons: FindingList::default() })
    }

    /// Returns the navmesh of the tiles of `entries`. Reads those that are not in memory, and drops all others.
    fn load<'a>(
        &mut self,
        store: &TileStore,
        entries: impl Iterator<Item = &'a StoreEntry>,
        file: &mut (impl Read + Seek),
        monitor: &dyn Monitor,
    ) -> anyhow::Result<NavMesh> {
        let mut known = std::mem::take(&mut self.tiles);
        for entry in entries {
            let place = entry.place;
            if let Some(tile) = known.remove(&place) {
                self.tiles.insert(place, tile);
            } else if !self.damaged.contains(&place) {
                monitor.check()?;
                match store.sound_tile(entry, file) {
                    Ok(tile) => self.tiles.extend(tile.map(|tile| (place, Arc::new(tile)))),
                    Err(error) => {
                        self.damaged.insert(place);
                        self.reasons.add_with(Code::TileDamaged, || {
                            Finding::TileDamaged { reason: error.to_string() }.into()
                        });
                    }
                }
            }
        }
        Ok(self.empty.other_part(self.tiles.values().cloned().collect())?)
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, io::Cursor};

    use walkable::{
        bake::{BakeInput, BakeSettings, OffMeshLink, bake},
        check::check,
        ids::AreaId,
        level::{LevelKind, generate},
        monitor::{Cancelled, Unmonitored},
        store::{StoreWriter, StoredTile, store_bytes},
    };

    use super::*;

    /// Returns a store of a terrain with faults: a tile at another height, one that is missing, polygons without flags,
    /// and links that lead nowhere.
    fn faulty() -> Vec<u8> {
        let mesh = generate(LevelKind::Town, 3, 90.0).unwrap().mesh;
        let settings = BakeSettings { tile_size: 32, cell_size: 0.4, ..BakeSettings::default() };
        let mut input = BakeInput::new(mesh.into(), settings);
        let link = |x: f32, far: f32| OffMeshLink {
            start: Vec3::new(x, 0.5, 40.0),
            end: Vec3::new(x + far, 0.5, 40.0),
            radius: 0.6,
            bidirectional: true,
            area: AreaId::GROUND,
            flags: 1,
            user_id: 7,
        };
        input.off_mesh = vec![link(20.0, 3.0), link(33.0, 40.0), link(60.0, 2.0)];
        let baked = bake(input, &Unmonitored).unwrap();
        let mut tiles = baked.tiles_by_place();
        tiles.remove(tiles.len() / 3);
        let n = tiles.len();
        let raised = Arc::make_mut(&mut tiles[n / 2]);
        let own = raised.vertices.iter_mut().chain(&mut raised.detail_vertices);
        own.for_each(|at| at.y += 1.0);
        raised.header.bounds.min.y += 1.0;
        raised.header.bounds.max.y += 1.0;
        Arc::make_mut(&mut tiles[n / 4]).polys.iter_mut().for_each(|poly| poly.flags = 0);
        let faulty = NavMesh::of_tiles(*baked.params(), baked.width(), tiles).unwrap();
        store_bytes(&faulty).unwrap()
    }

    fn named_x() -> CheckedStore<'static> {
        CheckedStore::named("x".to_owned())
    }

    fn in_squares(bytes: &[u8], side: i32) -> anyhow::Result<StoreCheck> {
        let mut file = Cursor::new(bytes);
        let store = TileStore::read(&mut file).unwrap();
        check_in_squares(named_x(), &store, &mut file, side, &mut |_| {}, &Unmonitored)
    }

    #[test]
    fn a_store_has_the_findings_of_its_whole_navmesh() {
        let bytes = faulty();
        let mut file = Cursor::new(&bytes);
        let store = TileStore::read(&mut file).unwrap();
        let whole = store.nav_mesh(&mut file).unwrap();
        let report = check(&whole, None, &Unmonitored).unwrap();
        let links = walkable::links::off_mesh_links(&whole);
        let expected = CheckAnswer::of_navmesh("x".to_owned(), &whole, report);
        let lines =
            |answer: &CheckAnswer| -> BTreeSet<String> { answer.lines().into_iter().collect() };
        for kind in ["seams", "polygons", "off-mesh links", "islands"] {
            let n = expected.kinds().find(|(name, _)| *name == kind).unwrap().1.len();
            assert!(n > 0, "the store has no findings about {kind}");
        }
        for side in [1, 2, 3, SIDE] {
            let StoreCheck { answer, links: ends } = in_squares(&bytes, side).unwrap();
            assert_eq!(lines(&answer), lines(&expected), "squares of {side}");
            assert!(!ends.is_empty());
            for (number, ends) in ends {
                assert_eq!(ends, [links[number - 1].start, links[number - 1].end]);
            }
        }
    }

    #[test]
    fn damaged_tiles_are_findings() {
        let mut bytes = faulty();
        let intact = in_squares(&bytes, SIDE).unwrap().answer;
        let mut file = Cursor::new(&bytes);
        let store = TileStore::read(&mut file).unwrap();
        let entry = store.ground_entries().nth(4).unwrap();
        let data = store.record(entry, &mut file).unwrap().tile;
        let place = entry.place;
        let at = bytes.windows(data.len()).position(|window| window == data).unwrap();
        bytes[at + data.len() / 2] ^= 0x55;
        let answer = in_squares(&bytes, 2).unwrap().answer;
        let damaged = answer.kinds().next().unwrap().1;
        assert_eq!(damaged.len(), 1, "{damaged:?}");
        assert!(damaged[0].line().contains(&place.to_string()), "{}", damaged[0].line());
        assert!(answer.n_warnings > intact.n_warnings);
    }

    #[test]
    fn the_check_reports_its_progress_and_stops() {
        struct Stops;

        impl Monitor for Stops {
            fn is_cancelled(&self) -> bool {
                true
            }
        }

        let bytes = faulty();
        let mut file = Cursor::new(&bytes);
        let store = TileStore::read(&mut file).unwrap();
        let n_all = store.ground_entries().count();
        let mut seen = Vec::new();
        let entered = &mut |n| seen.push(n);
        check_in_squares(named_x(), &store, &mut file, 2, entered, &Unmonitored).unwrap();
        assert!(seen.is_sorted() && seen.len() > 4, "{seen:?}");
        assert_eq!((seen.first(), seen.last()), (Some(&[0, n_all]), Some(&[n_all, n_all])));
        let why = check_store(named_x(), &store, &mut file, &mut |_| {}, &Stops).unwrap_err();
        assert!(why.is::<Cancelled>(), "{why}");
    }

    #[test]
    fn far_apart_tiles_with_negative_places_are_checked() {
        let bytes = faulty();
        let mut file = Cursor::new(&bytes);
        let store = TileStore::read(&mut file).unwrap();
        let entry = store.ground_entries().next().unwrap();
        let tile = store.tile(entry, &mut file).unwrap().unwrap();
        let mut writer = StoreWriter::new(Cursor::new(Vec::new())).unwrap();
        for (x, z) in [(i32::MIN, i32::MIN), (-1, 0), (0, 0), (i32::MAX, i32::MAX)] {
            let mut tile = tile.clone();
            (tile.header.x, tile.header.z) = (x, z);
            let place = TilePlace::of(&tile);
            let stored = StoredTile { place, key: 0, tile: tile.to_bytes(), notes: Vec::new() };
            writer.append(&stored).unwrap();
        }
        let bytes = writer.finish(store.params(), store.width()).unwrap().into_inner();
        let line = in_squares(&bytes, SIDE).unwrap().answer.lines().pop().unwrap();
        assert!(line.contains(" in 4 tiles"), "{line}");
    }
}
