//! Overlays as bytes. `docs/formats.md` has the byte tables.

use glam::Vec3;

use super::{
    costs::{Cost, MAX_COST, UNREACHED},
    groups::Groups,
    leaf::Record,
    local::index,
    overlay::{
        Crossing, KnownTile, Leaf, N_LEVELS, NONE, POLY_BITS, Place, RouteOverlay, SIDES, Spot,
        cell_place,
    },
};
use crate::{
    navmesh::{
        World,
        format::{FormatError, Reader},
    },
    query::{Filter, QueryError},
    random::mixed,
};

/// The letters WRTE.
const MAGIC: u32 = 0x5752_5445;
const VERSION: u32 = 1;
const CHECKSUM: usize = 8;
/// Bytes of a tile and of a link.
const TILE_BYTES: usize = 20;
const LINK_BYTES: usize = 33;

/// Why bytes are not an overlay for routes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RouteFileError {
    /// The bytes end too early, or are not an overlay of this version.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The bytes were changed.
    #[error("the checksum of the overlay for routes is wrong: it is incomplete or damaged")]
    Checksum,
    /// A value is not valid.
    #[error("the overlay for routes is damaged: {0}")]
    Damaged(&'static str),
    /// The overlay was computed for another filter.
    #[error("the overlay for routes was computed for another filter")]
    OtherFilter,
    /// The filter is not valid.
    #[error(transparent)]
    Filter(#[from] QueryError),
}

impl RouteOverlay {
    /// Writes the overlay, without the filter.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, [MAGIC, VERSION]);
        out.extend(hash_of(&self.filter).to_le_bytes());
        let leaves = &self.levels[0].cells;
        put(&mut out, [index(leaves.len())]);
        for (cell, leaf) in leaves.iter().zip(&self.leaves) {
            put(&mut out, cell.place.map(i32::cast_unsigned));
            out.push(u8::from(leaf.is_waiting));
            put(&mut out, [index(leaf.tiles.len())]);
            for tile in &leaf.tiles {
                put(&mut out, [tile.key.0, tile.key.1.cast_unsigned(), tile.n_polys]);
                out.extend(tile.hash.to_le_bytes());
            }
            self.put_links(&mut out, &cell.exits, cell.place, |exit| exit.enters);
            self.put_links(&mut out, &cell.entries, cell.place, |entry| entry.leaves);
            put(&mut out, cell.costs.iter().map(|cost| cost.cast_unsigned()));
            let Groups { n, of_poly, links, are_too_many } = &leaf.groups;
            out.push(u8::from(*are_too_many));
            out.extend(n.to_le_bytes());
            out.extend(of_poly.iter().flat_map(|group| group.to_le_bytes()));
            put(&mut out, [index(links.len())]);
            out.extend(links.iter().flatten().flat_map(|group| group.to_le_bytes()));
        }
        for cell in self.levels[1..].iter().flat_map(|level| &level.cells) {
            let n = if cell.is_stale { NONE } else { index(cell.costs.len()) };
            put(&mut out, [n]);
            if !cell.is_stale {
                put(&mut out, cell.costs.iter().map(|cost| cost.cast_unsigned()));
            }
        }
        let checksum = checksum(&out);
        out.extend(checksum.to_le_bytes());
        out
    }

    /// Writes links between the cell at `place` and others. Links to cells that were removed are left out.
    fn put_links(
        &self,
        out: &mut Vec<u8>,
        links: &[u32],
        place: Place,
        other: impl Fn(&Crossing) -> u32,
    ) {
        let at = out.len();
        let mut n = 0;
        put(out, [n]);
        for &link in links {
            let crossing = &self.crossings[link as usize];
            let cell = self.levels[0].cells.get(other(crossing) as usize);
            let step = cell.and_then(|cell| step_between(place, cell.place)).unwrap_or(u8::MAX);
            out.push(step);
            for spot in [crossing.from, crossing.to] {
                put(out, [spot.bits(), spot.layer.cast_unsigned()]);
            }
            put(out, crossing.at.to_array().map(f32::to_bits));
            put(out, [crossing.entering.cast_unsigned()]);
            n += 1;
        }
        out[at..at + 4].copy_from_slice(&u32::to_le_bytes(n));
    }

    /// Reads an overlay that was computed for `filter`. It is of no navmesh yet: [`RouteOverlay::update`] compares the tiles
    /// of a navmesh with those of the overlay, and computes again what differs.
    ///
    /// Memory is in proportion to the number of bytes.
    ///
    /// # Errors
    /// Returns a [`RouteFileError`] if the bytes are damaged or of another version, or the filter is another.
    pub fn from_bytes(bytes: &[u8], filter: &Filter) -> Result<Self, RouteFileError> {
        check_header(&mut Reader::new(bytes))?;
        let (checked, stored) =
            bytes.split_last_chunk::<CHECKSUM>().ok_or(RouteFileError::Checksum)?;
        if checksum(checked).to_le_bytes() != *stored {
            return Err(RouteFileError::Checksum);
        }
        Self::from_contents(checked, filter)
    }

    /// Like [`RouteOverlay::from_bytes`], but without the checksum that ends the bytes.
    ///
    /// # Errors
    /// See [`RouteOverlay::from_bytes`].
    pub fn from_contents(bytes: &[u8], filter: &Filter) -> Result<Self, RouteFileError> {
        let mut overlay = Self::empty(filter)?;
        let mut input = Reader::new(bytes);
        check_header(&mut input)?;
        if input.u64("filter")? != hash_of(filter) {
            return Err(RouteFileError::OtherFilter);
        }
        overlay.read(&mut input)?;
        if input.n_left() > 0 {
            return Err(RouteFileError::Damaged("bytes follow its end"));
        }
        // No navmesh has this world, so the first update compares all tiles.
        overlay.world = Some(World::new(Vec::new()));
        Ok(overlay)
    }

    fn read(&mut self, input: &mut Reader<'_>) -> Result<(), RouteFileError> {
        let n_leaves = input.u32("number of cells")?;
        let mut leaves: Vec<(Place, Leaf, Record)> = Vec::new();
        let mut steps = Vec::new();
        for _ in 0..n_leaves {
            let place = [input.i32("column")?, input.i32("row")?];
            if leaves.last().is_some_and(|(last, ..)| *last >= place) {
                return Err(RouteFileError::Damaged("its cells are not in order"));
            }
            let (leaf, record, links) = read_leaf(input)?;
            leaves.push((place, leaf, record));
            steps.push(links);
        }
        // Links name the cells on their other sides by their places.
        let cells: Vec<Place> = leaves.iter().map(|(place, ..)| *place).collect();
        for (at, ((place, _, record), steps)) in (0..).zip(leaves.iter_mut().zip(steps)) {
            let Record { exits, entries, .. } = record;
            let mut steps = steps.into_iter();
            for exit in exits.iter_mut() {
                exit.leaves = at;
                exit.enters = cell_at(&cells, *place, steps.next());
            }
            for entry in entries.iter_mut() {
                entry.enters = at;
                entry.leaves = cell_at(&cells, *place, steps.next());
            }
        }
        let mut levels = Vec::new();
        for level in 1..N_LEVELS {
            let mut places: Vec<Place> =
                cells.iter().map(|&place| cell_place(place, SIDES[level] / SIDES[0])).collect();
            places.sort_unstable();
            places.dedup();
            let mut known = Vec::with_capacity(places.len());
            for _ in places {
                let n = input.u32("number of costs")?;
                let is_stale = n == NONE;
                known.push((is_stale, if is_stale { Vec::new() } else { costs(input, n)? }));
            }
            levels.push(known);
        }
        self.take_records(leaves, levels).map_err(RouteFileError::Damaged)
    }
}

fn check_header(input: &mut Reader<'_>) -> Result<(), FormatError> {
    input.magic("the overlay for routes", MAGIC)?;
    input.version("the overlay for routes", VERSION)
}

/// Reads a cell of the lowest level, and for each of its links where the other cell is.
fn read_leaf(input: &mut Reader<'_>) -> Result<(Leaf, Record, Vec<u8>), RouteFileError> {
    let is_waiting = flag(input)?;
    let n_tiles = input.u32("number of tiles")?;
    let tiles = input.records::<TILE_BYTES>("tiles", n_tiles)?;
    let mut known: Vec<KnownTile> = Vec::with_capacity(tiles.len());
    let mut n_polys = 0_usize;
    for tile in tiles {
        let mut tile = Reader::new(tile);
        let key = (tile.u32("tile")?, tile.i32("layer")?);
        let spot = Spot::from_bits(key.0 << POLY_BITS, key.1);
        if spot.tile() != key || known.last().is_some_and(|last| last.key >= key) {
            return Err(RouteFileError::Damaged("the tiles of a cell are not in order"));
        }
        let n = tile.u32("number of polygons")?;
        n_polys = n_polys.saturating_add(n as usize);
        known.push(KnownTile { key, n_polys: n, is_loaded: false, hash: tile.u64("hash")? });
    }
    let mut steps = Vec::new();
    let exits = read_links(input, &mut steps)?;
    let entries = read_links(input, &mut steps)?;
    let n_costs = exits.len().checked_mul(entries.len()).and_then(|n| u32::try_from(n).ok());
    let costs = costs(input, n_costs.ok_or(RouteFileError::Damaged("a cell has too many costs"))?)?;
    let groups = read_groups(input, n_polys)?;
    let leaf = Leaf { tiles: known, is_waiting, groups: Groups::default() };
    Ok((leaf, Record { exits, entries, costs, groups }, steps))
}

fn read_links(
    input: &mut Reader<'_>,
    steps: &mut Vec<u8>,
) -> Result<Vec<Crossing>, RouteFileError> {
    let n = input.u32("number of links")?;
    let records = input.records::<LINK_BYTES>("links", n)?;
    let mut links = Vec::with_capacity(records.len());
    for record in records {
        let mut record = Reader::new(record);
        steps.push(record.u8("cell")?);
        let [from, to] = [spot(&mut record)?, spot(&mut record)?];
        let at: Vec3 = record.vec3("midpoint")?;
        let entering = record.i32("entering cost")?;
        if !at.is_finite() || !(0..=MAX_COST).contains(&entering) {
            return Err(RouteFileError::Damaged("a link is not valid"));
        }
        links.push(Crossing { from, to, at, entering, leaves: NONE, enters: NONE, row: NONE });
    }
    Ok(links)
}

fn spot(input: &mut Reader<'_>) -> Result<Spot, RouteFileError> {
    let (bits, layer) = (input.u32("polygon")?, input.i32("layer")?);
    let spot = Spot::from_bits(bits, layer);
    if spot.bits() == bits {
        Ok(spot)
    } else {
        Err(RouteFileError::Damaged("a polygon is not valid"))
    }
}

fn read_groups(input: &mut Reader<'_>, n_polys: usize) -> Result<Groups, RouteFileError> {
    let damaged = RouteFileError::Damaged("the groups of a cell are not valid");
    let are_too_many = flag(input)?;
    let n = input.u16("number of groups")?;
    let pairs = |bytes: &[u8]| -> Vec<u16> {
        bytes.as_chunks().0.iter().map(|&bytes| u16::from_le_bytes(bytes)).collect()
    };
    let n_bytes = if n > 1 { n_polys.saturating_mul(2) } else { 0 };
    let of_poly = pairs(input.slice("groups", n_bytes)?);
    let n_links = input.u32("number of links between groups")?;
    let links = pairs(input.records::<4>("links between groups", n_links)?.as_flattened());
    let is_group = |&group: &u16| group < n;
    let is_sound = of_poly.iter().chain(&links).all(is_group)
        && (n <= 1 || usize::from(n) <= of_poly.len())
        && !(are_too_many && n > 0);
    if !is_sound {
        return Err(damaged);
    }
    let links = links.as_chunks().0.to_vec();
    Ok(Groups { n, of_poly, links, are_too_many })
}

fn costs(input: &mut Reader<'_>, n: u32) -> Result<Vec<Cost>, RouteFileError> {
    let records = input.records::<4>("costs", n)?;
    let costs: Vec<Cost> = records.iter().map(|&bytes| Cost::from_le_bytes(bytes)).collect();
    if costs.iter().all(|cost| (1..=UNREACHED).contains(cost)) {
        Ok(costs)
    } else {
        Err(RouteFileError::Damaged("a cost is not valid"))
    }
}

fn flag(input: &mut Reader<'_>) -> Result<bool, RouteFileError> {
    match input.u8("flag")? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(RouteFileError::Damaged("a flag is not valid")),
    }
}

fn put(out: &mut Vec<u8>, numbers: impl IntoIterator<Item = u32>) {
    out.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
}

/// Where a cell next to another is: 0 to 8, by column and row. `None` if it is not next to it.
fn step_between(from: Place, to: Place) -> Option<u8> {
    let [x, z] = [0, 1].map(|axis| i64::from(to[axis]) - i64::from(from[axis]) + 1);
    let is_near = (0..3).contains(&x) && (0..3).contains(&z) && (x, z) != (1, 1);
    is_near.then(|| u8::try_from(3 * x + z).ok())?
}

/// The cell next to `place` that [`step_between`] described; [`NONE`] if there is none.
fn cell_at(cells: &[Place], place: Place, step: Option<u8>) -> u32 {
    let Some(step) = step.filter(|&step| step < 9 && step != 4) else { return NONE };
    let by = [step / 3, step % 3].map(|by| i32::from(by) - 1);
    let other = [0, 1].map(|axis| place[axis].saturating_add(by[axis]));
    if other == place { NONE } else { cells.binary_search(&other).map_or(NONE, index) }
}

/// Hashes the costs, flags and rules that an overlay uses.
fn hash_of(filter: &Filter) -> u64 {
    let Filter { include_flags, exclude_flags, area_cost, rules } = filter;
    let mut words = vec![u32::from(*include_flags), u32::from(*exclude_flags)];
    words.extend(area_cost.iter().chain(&rules.entering_cost).map(|cost| cost.to_bits()));
    words.push(u32::from(rules.link_sides.bits()));
    words.extend(&rules.refused_connections);
    words.iter().fold(index(words.len()).into(), |hash, &word| next_hash(hash, word.into()))
}

fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words
        .iter()
        .fold(bytes.len() as u64, |hash, &word| next_hash(hash, u64::from_le_bytes(word)));
    rest.iter().fold(hash, |hash, &byte| next_hash(hash, byte.into()))
}

fn next_hash(hash: u64, word: u64) -> u64 {
    mixed(hash ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15)
}
