//! Overlays as bytes. `docs/formats.md` has the byte tables.

use super::{
    cells::{CellPlace, CellPoly, Crossing, KnownTile, NONE, SIDES, TileKey, cell_place},
    clusters::Clusters,
    costs::{Cost, MAX_COST, UNREACHED},
    hash::next_hash,
    index,
    leaf::{Inside, LeafLinks, ReadCosts, ReadLeaf, Record},
    matrix::CostMatrix,
    overlay::{Leaf, RouteOverlay},
};
use crate::{
    navmesh::{
        World,
        format::{FormatError, Reader, Writer},
    },
    query::{Filter, QueryError},
};

/// The letters WRTE.
const MAGIC: u32 = 0x5752_5445;
const VERSION: u32 = 1;
const CHECKSUM: usize = 8;
/// Bytes of a tile, of a tile of the clusters, and of a link.
const TILE_BYTES: usize = 16;
const CLUSTER_TILE_BYTES: usize = 12;
const LINK_BYTES: usize = 33;
/// Largest coordinate of a cell, in both directions.
const MAX_PLACE: i32 = i32::MAX / SIDES[0];

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
    /// Hashes the costs, flags and rules of a filter, as a part of the key under which its overlay is stored.
    pub fn filter_hash(filter: &Filter) -> u64 {
        hash_of(filter)
    }

    /// Writes the overlay, without the filter.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.u32(MAGIC);
        out.u32(VERSION);
        out.put(hash_of(&self.filter).to_le_bytes());
        let cells = &self.levels[0].cells;
        out.u32(index(cells.len()));
        for (cell, leaf) in cells.iter().zip(&self.leaves) {
            cell.place.iter().for_each(|&along| out.i32(along));
            out.put([leaf.is_waiting.into()]);
            out.u32(index(leaf.tiles.len()));
            for tile in &leaf.tiles {
                put_key(&mut out, tile.key);
                out.put(tile.hash.to_le_bytes());
            }
            self.put_links(&mut out, &cell.exits, cell.place, |exit| exit.enters);
            self.put_links(&mut out, &cell.entries, cell.place, |entry| entry.leaves);
            cell.all_costs().into_iter().for_each(|cost| out.i32(cost));
            let Clusters { tiles, n, of_poly, links, are_too_many } = &leaf.clusters;
            out.u32(index(tiles.len()));
            for &(key, n_polys) in tiles {
                put_key(&mut out, key);
                out.u32(n_polys);
            }
            out.put([(*are_too_many).into()]);
            out.u16(*n);
            out.u16s(of_poly);
            out.u32(index(links.len()));
            out.u16s(links.as_flattened());
        }
        for cell in self.levels[1..].iter().flat_map(|level| &level.cells) {
            if cell.is_stale {
                out.u32(NONE);
            } else {
                out.u32(index(cell.entries.len() * cell.exits.len()));
                cell.all_costs().into_iter().for_each(|cost| out.i32(cost));
            }
        }
        out.put(checksum(&out.bytes).to_le_bytes());
        out.bytes
    }

    /// Writes links between the cell at `place` and others.
    fn put_links(
        &self,
        out: &mut Writer,
        links: &[u32],
        place: CellPlace,
        other: impl Fn(&Crossing) -> u32,
    ) {
        out.u32(index(links.len()));
        for &link in links {
            let crossing = &self.crossings[link as usize];
            let cell = self.levels[0].cells.get(other(crossing) as usize);
            out.put([cell.map_or(REMOVED, |cell| direction(place, cell.place))]);
            for cell_poly in [crossing.from, crossing.to] {
                out.u32(cell_poly.bits());
                out.i32(cell_poly.layer);
            }
            crossing.at.to_array().iter().for_each(|&along| out.put(along.to_le_bytes()));
            out.i32(crossing.entering);
        }
    }

    /// Reads an overlay that was computed for `filter`. It belongs to no navmesh yet: [`RouteOverlay::update`] compares
    /// the tiles of a navmesh with those of the overlay, and recomputes what differs.
    ///
    /// Takes memory in proportion to the number of bytes.
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
        let (leaves, levels) = read(&mut input)?;
        overlay.take_read(leaves, levels).map_err(RouteFileError::Damaged)?;
        // No navmesh has this world, so the first update compares all tiles.
        overlay.world = Some(World::new(Vec::new()));
        Ok(overlay)
    }
}

fn read(input: &mut Reader<'_>) -> Result<(Vec<ReadLeaf>, Vec<Vec<ReadCosts>>), RouteFileError> {
    let mut leaves: Vec<ReadLeaf> = Vec::new();
    let mut directions = Vec::new();
    for _ in 0..input.u32("number of cells")? {
        let place = [input.i32("column")?, input.i32("row")?];
        if leaves.last().is_some_and(|(last, ..)| *last >= place) {
            return Err(RouteFileError::Damaged("its cells are not in order"));
        }
        if place.iter().any(|&along| !(-MAX_PLACE..=MAX_PLACE).contains(&along)) {
            return Err(RouteFileError::Damaged("a cell is too far away"));
        }
        let (leaf, record) = read_leaf(input, &mut directions)?;
        leaves.push((place, leaf, record));
    }
    // Links identify the cells on their other sides by directions.
    let places: Vec<CellPlace> = leaves.iter().map(|(place, ..)| *place).collect();
    let mut directions = directions.into_iter();
    for (at, (place, _, record)) in (0..).zip(&mut leaves) {
        let LeafLinks { exits, entries } = &mut record.links;
        let mut other = || cell_at(&places, *place, directions.next().unwrap_or(REMOVED));
        for exit in exits {
            (exit.leaves, exit.enters) = (at, other());
        }
        for entry in entries {
            (entry.leaves, entry.enters) = (other(), at);
        }
    }
    let mut levels = Vec::new();
    for side in &SIDES[1..] {
        let mut places: Vec<CellPlace> =
            places.iter().map(|&place| cell_place(place, side / SIDES[0])).collect();
        places.sort_unstable();
        places.dedup();
        let mut known = Vec::new();
        for _ in places {
            let n = input.u32("number of costs")?;
            known.push(if n == NONE { None } else { Some(costs(input, n)?) });
        }
        levels.push(known);
    }
    if input.n_left() > 0 {
        return Err(RouteFileError::Damaged("bytes follow its end"));
    }
    Ok((leaves, levels))
}

fn check_header(input: &mut Reader<'_>) -> Result<(), FormatError> {
    input.magic("the overlay for routes", MAGIC)?;
    input.version("the overlay for routes", VERSION)
}

/// Reads a cell of the lowest level, and the directions of its links.
fn read_leaf(
    input: &mut Reader<'_>,
    directions: &mut Vec<u8>,
) -> Result<(Leaf, Record), RouteFileError> {
    let is_waiting = flag(input)?;
    let n_tiles = input.u32("number of tiles")?;
    let mut tiles: Vec<KnownTile> = Vec::new();
    for tile in input.records::<TILE_BYTES>("tiles", n_tiles)? {
        let mut tile = Reader::new(tile);
        let key = read_key(&mut tile, tiles.last().map(|tile| tile.key))?;
        tiles.push(KnownTile { key, hash: tile.u64("hash")? });
    }
    let exits = read_links(input, directions)?;
    let entries = read_links(input, directions)?;
    let n_costs = exits.len().checked_mul(entries.len()).and_then(|n| u32::try_from(n).ok());
    let costs = costs(input, n_costs.ok_or(RouteFileError::Damaged("a cell has too many costs"))?)?;
    let costs = CostMatrix::new(exits.len(), &costs);
    let clusters = read_clusters(input)?;
    let leaf =
        Leaf { tiles, is_waiting, has_changed_inside: is_waiting, clusters: Clusters::default() };
    let links = LeafLinks { exits, entries };
    Ok((leaf, Record { links, inside: Some(Inside { costs, clusters }) }))
}

fn put_key(out: &mut Writer, (cell, layer): TileKey) {
    out.u32(cell);
    out.i32(layer);
}

/// Reads a tile of a cell, which must come after `last`.
fn read_key(input: &mut Reader<'_>, last: Option<TileKey>) -> Result<TileKey, RouteFileError> {
    let key = (input.u32("tile")?, input.i32("layer")?);
    let is_valid = key.0 < SIDES[0].unsigned_abs().pow(2) && last.is_none_or(|last| last < key);
    if is_valid {
        Ok(key)
    } else {
        Err(RouteFileError::Damaged("the tiles of a cell are not in order"))
    }
}

fn read_links(
    input: &mut Reader<'_>,
    directions: &mut Vec<u8>,
) -> Result<Vec<Crossing>, RouteFileError> {
    let n = input.u32("number of links")?;
    let records = input.records::<LINK_BYTES>("links", n)?;
    let mut links = Vec::with_capacity(records.len());
    for record in records {
        let mut record = Reader::new(record);
        directions.push(record.u8("cell")?);
        let [from, to] = [cell_poly(&mut record)?, cell_poly(&mut record)?];
        let at = record.vec3("midpoint")?;
        let entering = record.i32("entering cost")?;
        if !at.is_finite() || !(0..=MAX_COST).contains(&entering) {
            return Err(RouteFileError::Damaged("a link is not valid"));
        }
        links.push(Crossing { from, to, at, entering, leaves: NONE, enters: NONE, row: NONE });
    }
    Ok(links)
}

fn cell_poly(input: &mut Reader<'_>) -> Result<CellPoly, RouteFileError> {
    let (bits, layer) = (input.u32("polygon")?, input.i32("layer")?);
    let cell_poly = CellPoly::from_bits(bits, layer);
    let is_valid = cell_poly.bits() == bits;
    if is_valid { Ok(cell_poly) } else { Err(RouteFileError::Damaged("a polygon is not valid")) }
}

fn read_clusters(input: &mut Reader<'_>) -> Result<Clusters, RouteFileError> {
    let n_tiles = input.u32("number of tiles")?;
    let mut tiles: Vec<(TileKey, u32)> = Vec::new();
    for tile in input.records::<CLUSTER_TILE_BYTES>("tiles", n_tiles)? {
        let mut tile = Reader::new(tile);
        let key = read_key(&mut tile, tiles.last().map(|&(key, _)| key))?;
        tiles.push((key, tile.u32("number of polygons")?));
    }
    let n_polys = tiles.iter().fold(0, |n: usize, tile| n.saturating_add(tile.1 as usize));
    let are_too_many = flag(input)?;
    let n = input.u16("number of clusters")?;
    let numbers = |bytes: &[u8]| -> Vec<u16> {
        bytes.as_chunks().0.iter().map(|&bytes| u16::from_le_bytes(bytes)).collect()
    };
    let n_bytes = if n > 1 { n_polys.saturating_mul(2) } else { 0 };
    let of_poly = numbers(input.slice("clusters", n_bytes)?);
    let n_links = input.u32("number of links between clusters")?;
    let links = numbers(input.records::<4>("links between clusters", n_links)?.as_flattened());
    let is_sound = of_poly.iter().chain(&links).all(|&cluster| cluster < n)
        && (n <= 1 || usize::from(n) <= of_poly.len())
        && !(are_too_many && n > 0);
    if !is_sound {
        return Err(RouteFileError::Damaged("the clusters of a cell are not valid"));
    }
    let links = links.as_chunks().0.to_vec();
    Ok(Clusters { tiles, n, of_poly, links, are_too_many })
}

fn costs(input: &mut Reader<'_>, n: u32) -> Result<Vec<Cost>, RouteFileError> {
    let records = input.records::<4>("costs", n)?;
    let costs: Vec<Cost> = records.iter().map(|&bytes| Cost::from_le_bytes(bytes)).collect();
    // No cost is 0, so that a route never returns to a point at the same cost.
    let are_valid = costs.iter().all(|cost| (1..=UNREACHED).contains(cost));
    if are_valid { Ok(costs) } else { Err(RouteFileError::Damaged("a cost is not valid")) }
}

fn flag(input: &mut Reader<'_>) -> Result<bool, RouteFileError> {
    match input.u8("flag")? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(RouteFileError::Damaged("a flag is not valid")),
    }
}

/// The direction of a link to a cell that was removed.
const REMOVED: u8 = u8::MAX;

/// Returns where a cell next to another is: 0 to 8, by column and row.
fn direction(from: CellPlace, to: CellPlace) -> u8 {
    let along = |axis: usize| to[axis].cmp(&from[axis]) as i8 + 1;
    (3 * along(0) + along(1)).unsigned_abs()
}

/// Returns the number of the cell in a direction; [`NONE`] if there is none.
fn cell_at(places: &[CellPlace], place: CellPlace, direction: u8) -> u32 {
    if direction > 8 || direction == 4 {
        return NONE;
    }
    let by = [direction / 3, direction % 3].map(|by| i32::from(by) - 1);
    places.binary_search(&[place[0] + by[0], place[1] + by[1]]).map_or(NONE, index)
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
