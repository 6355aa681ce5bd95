//! Parts of a bake: the tiles of a shard, and what is needed to merge all shards without the level.

use std::{collections::BTreeMap, fmt, io::Read, str::FromStr, sync::Arc};

use anyhow::{Context as _, bail, ensure};
use serde::{Deserialize, Serialize};
use walkable::{
    bake::{
        AreaTable, BakeInput, BakePlan, BakeSettings, OffMeshLink, RESULTS_VERSION, TileBake,
        TileEntry, TileKey,
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
const VERSION: u32 = 2;
/// Bytes before the link input: magic, version, hash of the input, shard, length of the link input.
const HEAD_BYTES: usize = 40;
const CHECKSUM: usize = 16;
const DAMAGED: &str = "its checksum is wrong: it is incomplete or damaged";
const MAX_SHARDS: u32 = 100_000;

/// One of several shards, such as `3/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// Its number, from 1.
    pub number: u32,
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

/// The input for linking the tiles of a bake, apart from the tiles themselves.
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
    pub fn new(plan: &BakePlan, level: &Aabb, finish: &Finish) -> Self {
        let BakeInput { settings, off_mesh, bounds, .. } = plan.input().clone();
        let corners = [level.min, level.max].map(|corner| corner.to_array().map(f32::to_bits));
        let [[a, b, c], [d, e, f]] = corners;
        Self { settings, off_mesh, bounds, level: [a, b, c, d, e, f], finish: finish.clone() }
    }

    /// Returns a plan that can link the tiles, but not bake them.
    pub fn plan(&self) -> anyhow::Result<BakePlan> {
        let [a, b, c, d, e, f] = self.level.map(f32::from_bits);
        let corners = vec![Vec3::new(a, b, c), Vec3::new(d, e, f)];
        let mesh = TriMesh::new(corners, vec![[0, 1, 0]])?;
        let mut input = BakeInput::new(Arc::new(mesh), self.settings.clone());
        (input.off_mesh, input.bounds) = (self.off_mesh.clone(), self.bounds.clone());
        Ok(BakePlan::new(input)?)
    }

    pub fn finish(&self) -> &Finish {
        &self.finish
    }
}

/// Hashes everything that a bake depends on. `level` is a hash of the level's triangles.
pub fn input_hash(plan: &BakePlan, level: u128, finish: &Finish) -> anyhow::Result<u128> {
    // The level's hash stands for the mesh and what it is a part of.
    let BakeInput {
        mesh: _,
        part: _,
        settings,
        volumes,
        off_mesh,
        surfaces,
        bounds,
        area_flags,
        agents,
    } = plan.input();
    let mut hash = StableHash::new();
    hash.extend([RESULTS_VERSION]);
    hash.bytes(&level.to_le_bytes());
    hash.extend((0..=AreaTable::LAST).map(|area| u32::from(area_flags.of(AreaId(area)))));
    let input = (settings, volumes, off_mesh, surfaces, bounds, agents, finish);
    hash.text(&serde_json::to_string(&input).context("cannot hash the input of the bake")?);
    Ok(hash.finish())
}

#[derive(Clone, Debug, PartialEq)]
pub struct PartHead {
    pub shard: Shard,
    pub input: u128,
    /// The input for linking; the same in all parts.
    pub link: LinkInput,
}

impl PartHead {
    fn to_bytes(&self) -> anyhow::Result<Vec<u8>> {
        let mut out = Vec::new();
        out.extend(MAGIC.to_le_bytes());
        out.extend(VERSION.to_le_bytes());
        out.extend(self.input.to_le_bytes());
        out.extend(self.shard.number.to_le_bytes());
        out.extend(self.shard.count.to_le_bytes());
        put_block(&mut out, &serde_json::to_vec(&self.link)?);
        out.extend(StableHash::of(&out).to_le_bytes());
        Ok(out)
    }

    /// Reads the head of a part, up to the tiles.
    pub fn read(from: &mut impl Read) -> anyhow::Result<Self> {
        let mut bytes = Vec::new();
        from.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut bytes)?;
        let magic = bytes.first_chunk().map(|magic| u32::from_le_bytes(*magic));
        ensure!(magic == Some(MAGIC), "it is not a part of `walkable bake --shard`");
        let mut fixed = Reader::new(&bytes);
        fixed.magic("the part", MAGIC)?;
        fixed.version("the part", VERSION)?;
        // The length may be damaged, so memory is only used for bytes that exist.
        let length = bytes.last_chunk().filter(|_| bytes.len() == HEAD_BYTES);
        let length = u64::from_le_bytes(*length.context(DAMAGED)?);
        from.by_ref().take(length.saturating_add(CHECKSUM as u64)).read_to_end(&mut bytes)?;
        let checked = checked(&bytes)?;
        let mut input = Reader::new(&checked[8..]);
        let hash = u128::from_le_bytes(input.slice("input hash", 16)?.try_into()?);
        let shard = format!("{}/{}", input.u32("shard")?, input.u32("number of shards")?);
        let shard = shard.parse().map_err(anyhow::Error::msg)?;
        let json = block(&mut input, "link input")?;
        let link: LinkInput = serde_json::from_slice(json).context("its link input is damaged")?;
        // A number too large for its type would be written differently.
        ensure!(serde_json::to_vec(&link)? == json, "its link input is damaged");
        Ok(Self { shard, input: hash, link })
    }
}

/// The key and the entry of a baked tile, or why it failed.
pub type PartTile = Result<(TileKey, TileEntry), String>;

#[derive(Clone, Debug, PartialEq)]
pub struct ShardPart {
    pub head: PartHead,
    pub tiles: Vec<(TileCoord, PartTile)>,
}

impl ShardPart {
    pub fn to_bytes(&self) -> anyhow::Result<Vec<u8>> {
        let mut out = self.head.to_bytes()?;
        out.extend((self.tiles.len() as u64).to_le_bytes());
        for (coord, tile) in &self.tiles {
            out.extend(coord.x.to_le_bytes());
            out.extend(coord.z.to_le_bytes());
            out.push(u8::from(tile.is_err()));
            match tile {
                Ok((key, entry)) => {
                    out.extend(key.0.to_le_bytes());
                    put_block(&mut out, &entry.to_contents());
                }
                Err(why) => put_block(&mut out, why.as_bytes()),
            }
        }
        out.extend(StableHash::of(&out).to_le_bytes());
        Ok(out)
    }

    pub fn from_bytes(bytes: &[u8]) -> anyhow::Result<Self> {
        let mut rest = bytes;
        let head = PartHead::read(&mut rest)?;
        let n_head = bytes.len() - rest.len();
        let tiles = checked(bytes)?.get(n_head..).context("it ends too early")?;
        let mut input = Reader::new(tiles);
        let n_tiles = input.u64("number of tiles")?;
        let mut tiles = Vec::new();
        for _ in 0..n_tiles {
            let coord = TileCoord::new(input.u32("column")?, input.u32("row")?);
            let tile = match input.u8("state of the tile")? {
                0 => {
                    let key = u128::from_le_bytes(input.slice("key", 16)?.try_into()?);
                    let entry = TileEntry::from_contents(block(&mut input, "tile")?);
                    let entry = entry.with_context(|| format!("tile {coord} is damaged"))?;
                    Ok((TileKey(key), entry))
                }
                1 => {
                    let why = block(&mut input, "reason")?;
                    Err(String::from_utf8_lossy(why).into_owned())
                }
                other => bail!("tile {coord} has state {other}"),
            };
            tiles.push((coord, tile));
        }
        ensure!(input.n_left() == 0, "{} bytes follow its end", input.n_left());
        Ok(Self { head, tiles })
    }
}

/// Compares `bytes` with the checksum at their end, and returns the bytes before it.
fn checked(bytes: &[u8]) -> anyhow::Result<&[u8]> {
    let (checked, checksum) = bytes.split_last_chunk::<CHECKSUM>().context("it ends too early")?;
    ensure!(StableHash::of(checked).to_le_bytes() == *checksum, DAMAGED);
    Ok(checked)
}

fn put_block(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u64).to_le_bytes());
    out.extend(bytes);
}

fn block<'a>(input: &mut Reader<'a>, what: &'static str) -> anyhow::Result<&'a [u8]> {
    let n_bytes = usize::try_from(input.u64(what)?).unwrap_or(usize::MAX);
    Ok(input.slice(what, n_bytes)?)
}

pub fn stored(outcome: TileOutcome, key: Option<TileKey>) -> (TileCoord, PartTile) {
    let TileOutcome { coord, result, times: _ } = outcome;
    let tile = result.map_err(|failure| failure.to_string()).and_then(|bake| {
        let key = key.ok_or_else(|| format!("tile {coord} has no key"))?;
        let TileBake { tile, warnings, counts, .. } = bake;
        Ok((key, TileEntry { tile, warnings, counts }))
    });
    (coord, tile)
}

/// The parts of one bake; only their heads have been read.
#[derive(Debug)]
pub struct MergePlan {
    pub link: LinkInput,
    pub plan: BakePlan,
    input: u128,
    /// The parts by shard: name, index among those given.
    parts: Vec<(String, usize, Shard)>,
}

pub type ReadPart<'a> = dyn FnMut(usize) -> anyhow::Result<ShardPart> + 'a;

pub type OnPartTile<'a> = dyn FnMut(TileCoord, PartTile) -> anyhow::Result<()> + 'a;

impl MergePlan {
    /// Creates the plan from the heads of parts, each with its name, in any order. Fails unless they are the heads of
    /// all shards of one bake. The error names the shards that are missing, or the part that is given twice or is from
    /// another bake.
    pub fn new(heads: Vec<(String, PartHead)>) -> anyhow::Result<Self> {
        let (first_name, first) = heads.first().context("there are no parts")?;
        let (first_name, input, count) = (first_name.clone(), first.input, first.shard.count);
        let link = first.link.clone();
        let mut by_number = BTreeMap::new();
        for (index, (name, head)) in heads.into_iter().enumerate() {
            let shard = head.shard;
            ensure!(
                shard.count == count,
                "{name} is shard {shard}, but {first_name} is one of {count} shards"
            );
            ensure!(
                head.input == input && head.link == link,
                "{name} was baked from another level, with other settings or by another version than \
                 {first_name}"
            );
            let part = (name.clone(), index, shard);
            if let Some((other, ..)) = by_number.insert(shard.number, part) {
                bail!("shard {shard} is given twice: {other} and {name}");
            }
        }
        let missing: Vec<_> =
            (1..=count).filter(|number| !by_number.contains_key(number)).collect();
        if let Some(first) = missing.first() {
            let list: Vec<_> = missing.iter().take(10).map(ToString::to_string).collect();
            let more = if missing.len() > 10 { " and more" } else { "" };
            let (n, list) = (missing.len(), list.join(", "));
            bail!(
                "{n} of {count} shards are missing: {list}{more}; bake them with --shard {first}/{count}"
            );
        }
        let plan = link.plan().context("the parts contain no valid bake")?;
        Ok(Self { link, plan, input, parts: by_number.into_values().collect() })
    }

    /// Reads one part after another, and passes all tiles to `each` in the order of the bake. Fails if a tile is
    /// missing, given twice or outside the level.
    pub fn each_tile(
        &self,
        read: &mut ReadPart<'_>,
        each: &mut OnPartTile<'_>,
    ) -> anyhow::Result<()> {
        let mut expected = self.plan.tiles();
        for (name, index, shard) in &self.parts {
            let part = read(*index)?;
            let PartHead { shard: found, input, link } = &part.head;
            let is_same = found == shard && *input == self.input && *link == self.link;
            ensure!(is_same, "{name} was changed while it was read");
            for (coord, tile) in part.tiles {
                let next = expected.next();
                if next != Some(coord) {
                    bail!(self.misplaced(name, coord, next));
                }
                each(coord, tile)?;
            }
        }
        if let Some(coord) = expected.next() {
            bail!("tile {coord} is in no part");
        }
        Ok(())
    }

    fn misplaced(&self, name: &str, coord: TileCoord, next: Option<TileCoord>) -> String {
        let [n_x, n_z] = self.plan.n_tiles();
        if coord.x >= n_x || coord.z >= n_z {
            return format!("tile {coord} of {name} does not belong to the level");
        }
        match next.filter(|next| (next.z, next.x) < (coord.z, coord.x)) {
            Some(next) => format!("tile {next} is in no part"),
            None => format!("tile {coord} of {name} is in another part too"),
        }
    }

    pub fn outcomes(&self, read: &mut ReadPart<'_>) -> anyhow::Result<Vec<TileOutcome>> {
        let mut outcomes = Vec::new();
        self.each_tile(read, &mut |coord, tile| {
            outcomes.push(outcome_of(coord, tile.map(|(_, entry)| entry)));
            Ok(())
        })?;
        Ok(outcomes)
    }
}

/// Returns the outcome of the bake of a tile that was read from a part.
pub fn outcome_of(coord: TileCoord, tile: Result<TileEntry, String>) -> TileOutcome {
    let result = tile.map_err(TileFailure::Unread).map(|entry| {
        let TileEntry { tile, warnings, counts } = entry;
        TileBake { coord, tile, stages: None, warnings, counts }
    });
    TileOutcome { coord, result, times: StageTimes::default() }
}

#[cfg(test)]
mod tests {
    use walkable::{
        bake::{BakeOutput, bake_tile},
        level::builtin,
        monitor::Unmonitored,
    };

    use super::*;

    /// Returns two parts of the sample in tiles; one of the tiles has failed.
    fn parts() -> [ShardPart; 2] {
        let mut level = builtin("sample").unwrap().read().unwrap();
        level.config.settings.tile_size = 48;
        let plan = BakePlan::new(level.config.with_mesh(Arc::new(level.mesh))).unwrap();
        let bounds = plan.input().mesh.bounds();
        let finish = Finish::default();
        let entry = |coord| {
            let bake = bake_tile(&plan, coord, BakeOutput::Tile, &Unmonitored).unwrap();
            let key = plan.tile_key(coord, &Unmonitored).unwrap();
            (coord, Ok((key, TileEntry::of(&bake))))
        };
        let mut tiles: Vec<_> = plan.tiles().map(entry).collect();
        tiles[1].1 = Err("tile 1,0: too large".to_owned());
        let rest = tiles.split_off(tiles.len() / 2);
        let link = LinkInput::new(&plan, &bounds, &finish);
        let input = input_hash(&plan, 5, &finish).unwrap();
        let part = |number, tiles| {
            let shard = Shard { number, count: 2 };
            ShardPart { head: PartHead { shard, input, link: link.clone() }, tiles }
        };
        [part(1, tiles), part(2, rest)]
    }

    fn merged([a, b]: [ShardPart; 2]) -> anyhow::Result<(MergePlan, Vec<TileOutcome>)> {
        let heads = [("b", &b), ("a", &a)];
        let heads = heads.map(|(name, part)| (name.to_owned(), part.head.clone()));
        let plan = MergePlan::new(heads.to_vec())?;
        let outcomes = plan.outcomes(&mut |index| Ok([&b, &a][index].clone()))?;
        Ok((plan, outcomes))
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
        let (merged, outcomes) = merged(parts).unwrap();
        let failed: Vec<_> = outcomes.iter().filter(|outcome| outcome.result.is_err()).collect();
        assert_eq!((failed.len(), failed[0].coord), (1, TileCoord::new(1, 0)));
        let why = failed[0].result.as_ref().unwrap_err().to_string();
        assert_eq!(why, "tile 1,0: too large");
        let coords: Vec<_> = outcomes.iter().map(|outcome| outcome.coord).collect();
        assert_eq!(coords, merged.plan.tiles().collect::<Vec<_>>());
    }

    #[test]
    fn tiles_that_do_not_fit_are_named() {
        refused(|[a, _]| drop(a.tiles.remove(0)), "tile 0,0 is in no part");
        refused(|[a, b]| b.tiles.push(a.tiles[0].clone()), "tile 0,0 of b is in another part too");
        let beyond = TileCoord::new(99, 0);
        refused(
            |[_, b]| b.tiles.push((beyond, Err(String::new()))),
            "tile 99,0 of b does not belong",
        );
        refused(|[_, b]| b.head.input ^= 1, "a was baked from another level");
        refused(|[_, b]| b.head.shard.number = 1, "shard 1/2 is given twice: b and a");
    }
}
