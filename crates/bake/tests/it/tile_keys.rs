//! Tiles with equal keys have equal results, every change of the input changes the keys of the tiles that read it, and
//! damaged entries are noticed.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use proptest::prelude::*;
use walkable::{
    bake::{
        AreaTable, BakeConfig, BakeOutput, BakePlan, EntryError, PARAMS, ParamKind, ParamValue,
        RESULTS_VERSION, TileEntry, TileKey, bake_tile, dirty_tiles,
    },
    diagnostic::{Finding, Location},
    ids::TileCoord,
    level::builtin,
    mesh::StableHash,
    monitor::Unmonitored,
};

use crate::scenes::{edit, scene};

fn key(plan: &BakePlan, tile: TileCoord) -> TileKey {
    plan.tile_key(tile, &Unmonitored).unwrap()
}

fn entry(plan: &BakePlan, tile: TileCoord) -> TileEntry {
    TileEntry::of(&bake_tile(plan, tile, BakeOutput::Stages, &Unmonitored).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn equal_keys_mean_equal_results_and_each_stale_tile_has_another_key(
        scene in scene(),
        edits in prop::collection::vec(edit(), 1..3),
    ) {
        let edited = edits.iter().fold(scene.clone(), |scene, edit| scene.edited(edit));
        let (old, new) = (scene.plan(), edited.plan());
        let dirty = dirty_tiles(&old, &new, &Unmonitored).unwrap().changed;
        for tile in new.tiles() {
            let [before, after] = [key(&old, tile), key(&new, tile)];
            let is_stale = before != after || !old.has_tile(tile);
            prop_assert_eq!(is_stale, dirty.contains(&tile), "{} after {:?}", tile, edits);
            if before == after {
                let (before, after) = (entry(&old, tile), entry(&new, tile));
                prop_assert_eq!(before, after, "{} after {:?}", tile, edits);
            }
        }
    }

    #[test]
    fn entries_are_read_back_and_damage_is_noticed(
        scene in scene(),
        at in any::<prop::sample::Index>(),
        bit in 0..8u8,
    ) {
        let plan = scene.plan();
        let tile = TileCoord::new(2, 3);
        let (key, mut entry) = (key(&plan, tile), entry(&plan, tile));
        let text = Finding::StatementUnknown { statement: "Straße".to_owned() };
        entry.warnings.push(walkable::diagnostic::Diagnostic::new(text).at(Location::Region(7)));
        let bytes = entry.to_bytes(key);
        prop_assert_eq!(TileEntry::from_bytes(&bytes, key), Ok(entry));

        let mut damaged = bytes.clone();
        damaged[at.index(bytes.len())] ^= 1 << bit;
        prop_assert!(TileEntry::from_bytes(&damaged, key).is_err());
        prop_assert!(TileEntry::from_bytes(&bytes[..at.index(bytes.len())], key).is_err());
        prop_assert!(TileEntry::from_bytes(&[&bytes[..], &[0]].concat(), key).is_err());
        let foreign = TileKey(key.0 ^ 1 << bit);
        prop_assert_eq!(
            TileEntry::from_bytes(&bytes, foreign),
            Err(EntryError::WrongKey { found: key })
        );
    }
}

fn sample() -> BakeConfig {
    let mut config = builtin("sample").unwrap().read().unwrap().config;
    config.settings.tile_size = 32;
    config
}

fn plan(config: BakeConfig) -> BakePlan {
    let mesh = builtin("sample").unwrap().read().unwrap().mesh;
    BakePlan::new(config.with_mesh(mesh.into())).unwrap()
}

fn keys(config: BakeConfig) -> BTreeSet<TileKey> {
    let plan = plan(config);
    plan.tiles().map(|tile| key(&plan, tile)).collect()
}

#[test]
fn each_tile_has_a_key_of_its_own() {
    assert_eq!(keys(sample()).len(), plan(sample()).tiles().count());
}

#[test]
fn each_setting_changes_all_keys() {
    let before = keys(sample());
    for param in PARAMS {
        let mut config = sample();
        let changed = match (param.kind, param.get(&config.settings)) {
            (ParamKind::Float { .. }, ParamValue::Float(value)) => {
                ParamValue::Float(value * 1.01 + 0.01)
            }
            (ParamKind::Integer { slider: [least, _], .. }, ParamValue::Integer(value)) => {
                ParamValue::Integer(if value == least { value + 1 } else { value - 1 })
            }
            (ParamKind::Choice(choices), ParamValue::Choice(value)) => {
                ParamValue::Choice((value + 1) % choices.len())
            }
            (ParamKind::Switch, ParamValue::Switch(value)) => ParamValue::Switch(!value),
            (ParamKind::Place { .. }, _) => {
                ParamValue::Place(Some(plan(sample()).whole_grid().min))
            }
            other => panic!("{}: {other:?}", param.key),
        };
        param.set(&mut config.settings, changed).unwrap();
        assert!(before.is_disjoint(&keys(config)), "{}", param.key);
    }
}

#[test]
fn the_flags_of_an_area_change_all_keys() {
    let mut config = sample();
    let area = AreaTable::default().area(0);
    let flags = area.flags ^ 0x40;
    config.areas = config.areas.with(0, walkable::bake::Area { flags, ..area });
    assert!(keys(sample()).is_disjoint(&keys(config)));
}

/// If this fails although a change was meant to keep all results, the change is wrong. Otherwise, increase
/// `RESULTS_VERSION` and update the hash: stored tiles of earlier versions must not be used.
#[test]
fn results_of_a_version_do_not_change() {
    let mut all = StableHash::new();
    for name in ["sample", "town"] {
        let mut level = builtin(name).unwrap().read().unwrap();
        level.config.settings.tile_size = 48;
        let plan = BakePlan::new(level.config.with_mesh(level.mesh.into())).unwrap();
        for tile in plan.tiles() {
            all.bytes(&entry(&plan, tile).to_bytes(key(&plan, tile)));
        }
    }
    assert_eq!(
        (RESULTS_VERSION, &*format!("{:032x}", all.finish())),
        (1, "1cdc1ece63e9c34577f78a33c47af76b")
    );
}
