//! The nearest neighbors of an agent.
//!
//! There are hardly any branches, because the processor could not predict which agents are near enough, and in which order.

use arrayvec::ArrayVec;

use super::{
    Agent, AgentId, CrowdNeighbor,
    agent::MAX_NEIGHBORS,
    proximity::{MAX_FOUND, NearbyAgent, ProximityGrid},
};

/// Finds the nearest agents, at most [`MAX_NEIGHBORS`], of the first [`MAX_FOUND`] in the grid, as Detour does: in a dense crowd,
/// agents in the last rows are missing.
pub(super) fn find(slot: usize, agent: &mut Agent, grid: &ProximityGrid) {
    let Agent { position, params, neighbors, .. } = agent;
    let range = params.collision_query_range;
    let mut near = [0; MAX_FOUND];
    let mut n = 0;
    grid.find([position.x, position.z], range, |other| {
        let NearbyAgent { agent, position: place, height } = other;
        let away = *position - place;
        let distance_sqr = away.x * away.x + away.z * away.z;
        let is_level = away.y.abs() < (params.height + height) * 0.5;
        let is_in_range = distance_sqr <= range * range;
        let is_other = agent as usize != slot;
        near[n % MAX_FOUND] = key(distance_sqr, agent);
        n += usize::from(is_level) & usize::from(is_in_range) & usize::from(is_other);
    });
    let near = &near[..n];
    neighbors.clear();
    if let Some(nearest) = nearest(near) {
        neighbors.extend(nearest.into_iter().take(n).map(neighbor));
    } else {
        for &key in near {
            insert(neighbors, neighbor(key));
        }
    }
}

/// Finds the nearest agents, at most [`MAX_NEIGHBORS`], of all agents.
pub(super) fn find_nearest(slot: usize, agent: &mut Agent, grid: &ProximityGrid) {
    let Agent { position, params, neighbors, .. } = agent;
    let range = params.collision_query_range;
    let mut nearest = [u64::MAX; MAX_NEIGHBORS];
    let mut n = 0;
    grid.find_all([position.x, position.z], range, |other| {
        let NearbyAgent { agent, position: place, height } = other;
        let away = *position - place;
        let distance_sqr = away.x * away.x + away.z * away.z;
        let is_level = away.y.abs() < (params.height + height) * 0.5;
        if is_level && distance_sqr <= range * range && agent as usize != slot {
            let mut rest = key(distance_sqr, agent);
            for place in &mut nearest {
                (*place, rest) = (rest.min(*place), rest.max(*place));
            }
            n += 1;
        }
    });
    neighbors.clear();
    neighbors.extend(nearest.into_iter().take(n).map(neighbor));
}

/// Returns a sort key of an agent. Keys are in the order of the distances: squared distances are not negative, so their
/// bits have the same order.
fn key(distance_sqr: f32, agent: u32) -> u64 {
    u64::from(distance_sqr.to_bits()) << 32 | u64::from(agent)
}

/// Splits a key into the bits of the distance, which determine the order, and the agent.
fn halves(key: u64) -> [u32; 2] {
    let [a, b, c, d, e, f, g, h] = key.to_be_bytes();
    [[a, b, c, d], [e, f, g, h]].map(u32::from_be_bytes)
}

fn neighbor(key: u64) -> CrowdNeighbor {
    let [distance, agent] = halves(key);
    CrowdNeighbor { agent: AgentId(agent), distance_sqr: f32::from_bits(distance) }
}

/// Returns the smallest keys in order; those behind the last are `u64::MAX`. Returns `None` if two of them, or the last
/// and another key, belong to the same distance.
fn nearest(keys: &[u64]) -> Option<[u64; MAX_NEIGHBORS]> {
    let mut nearest = [u64::MAX; MAX_NEIGHBORS];
    let mut next = u64::MAX;
    for &key in keys {
        let mut rest = key;
        for place in &mut nearest {
            (*place, rest) = (rest.min(*place), rest.max(*place));
        }
        next = next.min(rest);
    }
    let n = keys.len().min(MAX_NEIGHBORS);
    let mut are_equal = false;
    for place in 0..MAX_NEIGHBORS {
        let after = nearest.get(place + 1).copied().unwrap_or(next);
        are_equal |= place < n && halves(nearest[place])[0] == halves(after)[0];
    }
    (!are_equal).then_some(nearest)
}

/// Inserts a neighbor by distance, before others at the same distance unless they are the last.
#[cold]
fn insert(neighbors: &mut ArrayVec<CrowdNeighbor, MAX_NEIGHBORS>, neighbor: CrowdNeighbor) {
    let is_before = |other: &CrowdNeighbor| neighbor.distance_sqr <= other.distance_sqr;
    if neighbors.last().is_none_or(|last| neighbor.distance_sqr >= last.distance_sqr) {
        // If the list is full, this neighbor is the farthest, so it is dropped.
        let _ = neighbors.try_push(neighbor);
        return;
    }
    let place = neighbors.iter().position(is_before).unwrap_or(0);
    if neighbors.is_full() {
        neighbors.pop();
    }
    neighbors.insert(place, neighbor);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_nearest_are_those_of_one_insertion_after_the_other(
            distances in prop::collection::vec(
                prop_oneof![3 => 0.0..9.0_f32, 1 => (0..4_u8).prop_map(f32::from)],
                0..MAX_FOUND,
            ),
        ) {
            let keys: Vec<u64> = distances.iter().zip(0..).map(|(&d, agent)| key(d, agent)).collect();
            let mut expected = ArrayVec::new();
            for &key in &keys {
                insert(&mut expected, neighbor(key));
            }
            if let Some(nearest) = nearest(&keys) {
                let found: Vec<_> = nearest.into_iter().take(keys.len()).map(neighbor).collect();
                prop_assert_eq!(&found[..], &expected[..]);
            } else {
                let mut sorted = distances.clone();
                sorted.sort_unstable_by(f32::total_cmp);
                let first = &sorted[..sorted.len().min(MAX_NEIGHBORS + 1)];
                prop_assert!(first.windows(2).any(|two| two[0].total_cmp(&two[1]).is_eq()));
            }
        }
    }
}
