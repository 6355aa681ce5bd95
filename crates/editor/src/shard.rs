//! Parts of a bake: the tiles of a shard, baked by a process of its own, and what is needed to merge all shards without
//! the level.

use std::{collections::BTreeMap, fmt, str::FromStr, sync::Arc};

use anyhow::{Context as _, bail, ensure};
use serde::{Deserialize, Serialize};
use walkable::{
    bake::{
        AreaTable, BakeInput, BakePlan, BakeSettings, OffMeshLink, RESULTS_VERSION, TileBake,
        TileEntry,
    },
    geom::Aabb,
    glam::Vec3,
    ids::{AreaId, TileCoord},
    mesh::{StableHash, TriMesh},
    navmesh::format::Reader,
};

use crate::{
    document::Finish,
    runner::{StageTimes, TileFailure, TileOutcome},
};

/// The letters WPRT.
const MAGIC: u32 = 0x5750_5254;
/// Version of the encoding.
const VERSION: u32 = 1;
const CHECKSUM: usize = 16;
/// Maximum number of shards.
const MAX_SHARDS: u32 = 100_000;

/// One of several shards, such as `3/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// Its number, from 1.
    pub number: u32,
    /// Number of shards.
    pub count: u32,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parse = |text: &str| text.trim().parse::<u32>().ok();
        let numbers = text.split_once('/').and_then(|(a, b)| Some([parse(a)?, parse(b)?]));
        let [number, count] =
            numbers.ok_or_else(|| format!("expected NUMBER/COUNT such as 3/8, not `{text}`"))?;
        if count == 0 || count > MAX_SHARDS {
            return Err(format!("the number of shards is {count}, but must be 1 to {MAX_SHARDS}"));
        }
        if number == 0 || number > count {
            return Err(format!("shard {number} does not exist: there are 1 to {count}"));
        }
        Ok(Self { number, count })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

/// What linking the tiles of a bake needs besides the tiles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkInput {
    settings: BakeSettings,
    off_mesh: Vec<OffMeshLink>,
    bounds: Vec<Aabb>,
    /// Minimum and maximum corner of the level, as bits, because text would round them.
    level: [u32; 6],
    finish: Finish,
}

impl LinkInput {
    /// Takes what linking needs from the plan of a level with bounds `level`.
    pub fn new(plan: &BakePlan, level: &Aabb, finish: &Finish) -> Self {
        let BakeInput { settings, off_mesh, bounds, .. } = plan.input().clone();
        let corners = [level.min, level.max].map(|corner| corner.to_array().map(f32::to_bits));
        let [[a, b, c], [d, e, f]] = corners;
        Self { settings, off_mesh, bounds, level: [a, b, c, d, e, f], finish: finish.clone() }
    }

    /// A plan that can link the tiles, but not bake them.
    ///
    /// # Errors
    /// Returns an error if the input is not that of a bake.
    pub fn plan(&self) -> anyhow::Result<BakePlan> {
        let [a, b, c, d, e, f] = self.level.map(f32::from_bits);
        let corners = vec![Vec3::new(a, b, c), Vec3::new(d, e, f)];
        let mesh = TriMesh::new(corners, vec![[0, 1, 0]])?;
        let mut input = BakeInput::new(Arc::new(mesh), self.settings.clone());
        (input.off_mesh, input.bounds) = (self.off_mesh.clone(), self.bounds.clone());
        Ok(BakePlan::new(input)?)
    }

    /// The changes to the baked navmesh.
    pub fn finish(&self) -> &Finish {
        &self.finish
    }
}

/// Hashes everything that a bake depends on. `level` is a hash of the level's triangles.
///
/// # Errors
/// Returns an error if the input cannot be written as JSON.
pub fn input_hash(plan: &BakePlan, level: u128, finish: &Finish) -> anyhow::Result<u128> {
    // The level's hash stands for the mesh and what it is a part of.
    let BakeInput { mesh: _, part: _, settings, volumes, off_mesh, surfaces, bounds, area_flags } =
        plan.input();
    let mut hash = StableHash::new();
    hash.extend([RESULTS_VERSION]);
    hash.bytes(&level.to_le_bytes());
    hash.extend((0..=AreaTable::LAST).map(|area| u32::from(area_flags.of(AreaId(area)))));
    let input = (settings, volumes, off_mesh, surfaces, bounds, finish);
    hash.text(&serde_json::to_string(&input).context("cannot hash the input of the bake")?);
    Ok(hash.finish())
}

/// The baked tiles of one shard.
#[derive(Clone, Debug, PartialEq)]
pub struct ShardPart {
    /// The shard.
    pub shard: Shard,
    /// Result of [`input_hash`].
    pub input: u128,
    /// What merging needs; the same in all parts.
    pub link: LinkInput,
    /// The tiles by row and column, or why they failed.
    pub tiles: Vec<(TileCoord, Result<TileEntry, String>)>,
}

impl ShardPart {
    /// Writes the part.
    ///
    /// # Errors
    /// Returns an error if a tile has a finding that cannot be stored.
    pub fn to_bytes(&self) -> anyhow::Result<Vec<u8>> {
        let mut out = Vec::new();
        out.extend(MAGIC.to_le_bytes());
        out.extend(VERSION.to_le_bytes());
        out.extend(self.input.to_le_bytes());
        out.extend(self.shard.number.to_le_bytes());
        out.extend(self.shard.count.to_le_bytes());
        put_block(&mut out, &serde_json::to_vec(&self.link)?);
        out.extend((self.tiles.len() as u64).to_le_bytes());
        for (coord, tile) in &self.tiles {
            out.extend(coord.x.to_le_bytes());
            out.extend(coord.z.to_le_bytes());
            out.push(u8::from(tile.is_err()));
            match tile {
                Ok(entry) => {
                    let contents = entry.to_contents();
                    let contents = contents.with_context(|| {
                        format!("the findings of tile {coord} cannot be stored")
                    })?;
                    put_block(&mut out, &contents);
                }
                Err(why) => put_block(&mut out, why.as_bytes()),
            }
        }
        out.extend(StableHash::of(&out).to_le_bytes());
        Ok(out)
    }

    /// Reads a part.
    ///
    /// # Errors
    /// Returns an error if the bytes are not an undamaged part.
    pub fn from_bytes(bytes: &[u8]) -> anyhow::Result<Self> {
        let magic = bytes.first_chunk().map(|magic| u32::from_le_bytes(*magic));
        ensure!(magic == Some(MAGIC), "it is not a part of `walkable bake --shard`");
        let (checked, checksum) =
            bytes.split_last_chunk::<CHECKSUM>().context("it ends too early")?;
        let mut input = Reader::new(checked);
        input.magic("the part", MAGIC)?;
        input.version("the part", VERSION)?;
        ensure!(
            StableHash::of(checked).to_le_bytes() == *checksum,
            "its checksum is wrong: it is incomplete or damaged"
        );
        let hash = u128::from_le_bytes(input.slice("input hash", 16)?.try_into()?);
        let shard = format!("{}/{}", input.u32("shard")?, input.u32("number of shards")?);
        let shard = shard.parse().map_err(anyhow::Error::msg)?;
        let json = block(&mut input, "link input")?;
        let link: LinkInput = serde_json::from_slice(json).context("its link input is damaged")?;
        // Numbers too large for their type would be written as something else.
        ensure!(serde_json::to_vec(&link)? == json, "its link input is damaged");
        let n_tiles = input.u64("number of tiles")?;
        let mut tiles = Vec::new();
        for _ in 0..n_tiles {
            let coord = TileCoord::new(input.u32("column")?, input.u32("row")?);
            let failed = input.u8("state of the tile")?;
            let contents = block(&mut input, "tile")?;
            let tile = match failed {
                0 => Ok(TileEntry::from_contents(contents)
                    .with_context(|| format!("tile {coord} is damaged"))?),
                1 => Err(String::from_utf8_lossy(contents).into_owned()),
                other => bail!("tile {coord} has state {other}"),
            };
            tiles.push((coord, tile));
        }
        ensure!(input.n_left() == 0, "{} bytes follow its end", input.n_left());
        Ok(Self { shard, input: hash, link, tiles })
    }
}

/// Appends a length and bytes.
fn put_block(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u64).to_le_bytes());
    out.extend(bytes);
}

fn block<'a>(input: &mut Reader<'a>, what: &'static str) -> anyhow::Result<&'a [u8]> {
    let n_bytes = usize::try_from(input.u64(what)?).unwrap_or(usize::MAX);
    Ok(input.slice(what, n_bytes)?)
}

/// The result of a tile for a part.
pub fn stored(outcome: TileOutcome) -> (TileCoord, Result<TileEntry, String>) {
    let entry = |TileBake { tile, warnings, counts, .. }| TileEntry { tile, warnings, counts };
    (outcome.coord, outcome.result.map(entry).map_err(|failure| failure.to_string()))
}

/// The results of the tiles of all shards, in the order of a bake.
#[derive(Debug)]
pub struct Merged {
    /// What linking needs.
    pub link: LinkInput,
    /// The plan of the bake.
    pub plan: BakePlan,
    /// All tiles by row and column.
    pub outcomes: Vec<TileOutcome>,
}

/// Merges parts, each with its name, given in any order.
///
/// # Errors
/// Returns an error that names the part if one is missing, given twice, or belongs to another bake.
pub fn merge(parts: Vec<(String, ShardPart)>) -> anyhow::Result<Merged> {
    let (first_name, first) = parts.first().context("there are no parts")?;
    let (first_name, input, count) = (first_name.clone(), first.input, first.shard.count);
    let link = first.link.clone();
    let mut by_number = BTreeMap::new();
    for (name, part) in parts {
        ensure!(
            part.shard.count == count,
            "{name} is shard {}, but {first_name} is one of {count} shards",
            part.shard
        );
        ensure!(
            part.input == input && part.link == link,
            "{name} was baked from another level, with other settings or by another version than \
             {first_name}"
        );
        let shard = part.shard;
        if let Some((other, _)) = by_number.insert(shard.number, (name.clone(), part)) {
            bail!("shard {shard} is given twice: {other} and {name}");
        }
    }
    let missing: Vec<_> = (1..=count).filter(|number| !by_number.contains_key(number)).collect();
    if let Some(first) = missing.first() {
        let list: Vec<_> = missing.iter().take(10).map(ToString::to_string).collect();
        let more = if missing.len() > 10 { " and more" } else { "" };
        let (n, list) = (missing.len(), list.join(", "));
        bail!(
            "{n} of {count} shards are missing: {list}{more}; bake them with --shard {first}/{count}"
        );
    }
    let plan = link.plan().context("the parts contain no valid bake")?;
    let mut tiles = BTreeMap::new();
    for (name, part) in by_number.into_values() {
        for (coord, tile) in part.tiles {
            if tiles.insert((coord.z, coord.x), tile).is_some() {
                bail!("tile {coord} of {name} is in another part too");
            }
        }
    }
    let mut outcomes = Vec::with_capacity(tiles.len());
    for coord in plan.tiles() {
        let tile = tiles.remove(&(coord.z, coord.x));
        let tile = tile.with_context(|| format!("tile {coord} is in no part"))?;
        let result = tile.map_err(TileFailure::Unread).map(|entry| {
            let TileEntry { tile, warnings, counts } = entry;
            TileBake { coord, tile, stages: None, warnings, counts }
        });
        outcomes.push(TileOutcome { coord, result, times: StageTimes::default() });
    }
    if let Some((z, x)) = tiles.into_keys().next() {
        bail!("tile {} does not belong to the level", TileCoord::new(x, z));
    }
    Ok(Merged { link, plan, outcomes })
}

#[cfg(test)]
mod tests {
    use walkable::{
        bake::{Keep, bake_tile},
        level::builtin,
        monitor::Unmonitored,
    };

    use super::*;

    /// Two parts of the sample in tiles, of which one has failed.
    fn parts() -> [ShardPart; 2] {
        let mut level = builtin("sample").unwrap().read().unwrap();
        level.config.settings.tile_size = 48;
        let plan = BakePlan::new(level.config.with_mesh(Arc::new(level.mesh))).unwrap();
        let bounds = plan.input().mesh.bounds();
        let finish = Finish::default();
        let entry = |coord| {
            let bake = bake_tile(&plan, coord, Keep::Tile, &Unmonitored).unwrap();
            (coord, Ok(TileEntry::of(&bake)))
        };
        let mut tiles: Vec<_> = plan.tiles().map(entry).collect();
        tiles[1].1 = Err("tile 1,0: too large".to_owned());
        let rest = tiles.split_off(tiles.len() / 2);
        let link = LinkInput::new(&plan, &bounds, &finish);
        let input = input_hash(&plan, 5, &finish).unwrap();
        let part = |number, tiles| ShardPart {
            shard: Shard { number, count: 2 },
            input,
            link: link.clone(),
            tiles,
        };
        [part(1, tiles), part(2, rest)]
    }

    fn merged(parts: [ShardPart; 2]) -> anyhow::Result<Merged> {
        let [a, b] = parts;
        merge(vec![("b".to_owned(), b), ("a".to_owned(), a)])
    }

    #[track_caller]
    fn refused(change: impl FnOnce(&mut [ShardPart; 2]), why: &str) {
        let mut parts = parts();
        change(&mut parts);
        let found = merged(parts).unwrap_err().to_string();
        assert!(found.contains(why), "{found}");
    }

    #[test]
    fn parts_are_read_back_and_failed_tiles_are_kept() {
        let parts = parts();
        for part in &parts {
            assert_eq!(&ShardPart::from_bytes(&part.to_bytes().unwrap()).unwrap(), part);
        }
        let merged = merged(parts).unwrap();
        let failed: Vec<_> =
            merged.outcomes.iter().filter(|outcome| outcome.result.is_err()).collect();
        assert_eq!((failed.len(), failed[0].coord), (1, TileCoord::new(1, 0)));
        let why = failed[0].result.as_ref().unwrap_err().to_string();
        assert_eq!(why, "tile 1,0: too large");
        let coords: Vec<_> = merged.outcomes.iter().map(|outcome| outcome.coord).collect();
        assert_eq!(coords, merged.plan.tiles().collect::<Vec<_>>());
    }

    #[test]
    fn tiles_that_do_not_fit_are_named() {
        refused(|[a, _]| drop(a.tiles.remove(0)), "tile 0,0 is in no part");
        refused(|[a, b]| b.tiles.push(a.tiles[0].clone()), "tile 0,0 of b is in another part too");
        let beyond = TileCoord::new(99, 0);
        refused(|[_, b]| b.tiles.push((beyond, Err(String::new()))), "tile 99,0 does not belong");
        refused(|[_, b]| b.input ^= 1, "a was baked from another level");
        refused(|[_, b]| b.shard.number = 1, "shard 1/2 is given twice: b and a");
    }
}
