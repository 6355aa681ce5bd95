//! Divides the tiles of a bake into shards of about equal work.

use std::ops::Range;

use crate::bake::BakePlan;

/// Divides tiles, in their order, into `n` shards of about equal work. `secs` is the estimated time of each tile. Shards
/// are ranges of tiles, so that the tiles of a shard share most of their triangles; they are empty if there are too few
/// tiles. The same times give the same shards on every machine.
pub fn shards(secs: &[f64], n: u32) -> Vec<Range<usize>> {
    let work: Vec<_> = secs.iter().map(|secs| u128::from(nanos(*secs))).collect();
    let total = work.iter().sum::<u128>().max(1);
    let n = n.max(1);
    let mut before = 0;
    let shard_of = work.iter().map(|work| {
        // The shard in which the middle of the tile's work lies.
        let shard = (2 * before + work) * u128::from(n) / (2 * total);
        before += work;
        shard
    });
    let shard_of: Vec<_> = shard_of.collect();
    let start = |shard: u32| shard_of.partition_point(|of| *of < u128::from(shard));
    (0..n).map(|shard| start(shard)..start(shard + 1)).collect()
}

/// Converts to nanoseconds, at least 1, so that each tile counts.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates; estimates are limited"
)]
fn nanos(secs: f64) -> u64 {
    ((secs * 1e9) as u64).max(1)
}

impl BakePlan {
    /// Returns the estimated time to bake each tile on one core, in the order of [`BakePlan::tiles`].
    pub fn secs_of_tiles(&self) -> Vec<f64> {
        use rayon::prelude::*;

        let tiles = self.tiles();
        let secs = |index| tiles.get(index).map_or(0.0, |tile| self.tile_secs(tile));
        (0..tiles.len()).into_par_iter().map(secs).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shards_have_equal_work_and_not_equal_numbers() {
        let secs = [1.0, 1.0, 1.0, 1.0, 4.0, 2.0, 2.0];
        assert_eq!(shards(&secs, 3), [0..4, 4..5, 5..7]);
        assert_eq!(shards(&secs, 1).first(), Some(&(0..7)));
        assert_eq!(shards(&[1.0], 3), [0..0, 0..1, 1..1]);
        assert_eq!(shards(&[], 2), [0..0, 0..0]);
    }

    proptest! {
        #[test]
        fn each_tile_is_in_one_shard_and_no_shard_has_much_more_work(
            secs in prop::collection::vec(0.0..1.0f64, 0..200),
            n in 1..40u32,
        ) {
            let shards = shards(&secs, n);
            prop_assert_eq!(shards.len(), n as usize);
            prop_assert_eq!(shards.iter().map(|shard| shard.start).min(), Some(0));
            prop_assert_eq!(shards.last().map(|shard| shard.end), Some(secs.len()));
            prop_assert!(shards.windows(2).all(|pair| pair[0].end == pair[1].start));
            let share = secs.iter().sum::<f64>() / f64::from(n);
            let most = secs.iter().copied().fold(0.0, f64::max);
            for shard in shards {
                prop_assert!(secs[shard].iter().sum::<f64>() <= share + most + 1e-6);
            }
        }
    }
}
