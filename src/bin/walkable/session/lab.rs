//! The search lab: several ways to search between the same two places, side by side.

use std::{fmt::Write as _, sync::Arc, time::Duration};

use glam::Vec3;
use walkable::{
    debug_draw::{self, DrawList, Paint},
    geom::Aabb,
};

/// A way to find a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Searcher {
    /// A* over the navmesh's polygons, then the funnel.
    Detour,
    /// The shortest path over the navmesh.
    Polyanya,
    /// Through the air, over the free cubes of a sparse octree.
    Flight,
    /// The same with an estimate that counts three times.
    HastyFlight,
}

impl Searcher {
    /// Name for people.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Detour => "Detour A*, funnel",
            Self::Polyanya => "Polyanya",
            Self::Flight => "Flight, weight 1",
            Self::HastyFlight => "Flight, weight 3",
        }
    }

    /// What it is, in one sentence.
    pub(crate) const fn what(self) -> &'static str {
        match self {
            Self::Detour => "A* over the polygons of the navmesh, then the funnel, as games do",
            Self::Polyanya => "The shortest path over the navmesh in any direction",
            Self::Flight => {
                "A* through the air over the free cubes of a sparse voxel octree, smoothed by sight"
            }
            Self::HastyFlight => {
                "The same with an estimate that counts three times: found sooner, maybe longer"
            }
        }
    }
}

/// How the space is divided for flyers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LabSettings {
    /// Side of a voxel, in metres.
    pub(crate) voxel_size: f32,
    /// How far flyers keep from everything, in metres.
    pub(crate) flyer_radius: f32,
}

impl Default for LabSettings {
    fn default() -> Self {
        Self { voxel_size: 0.25, flyer_radius: 0.3 }
    }
}

/// What one search found, and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LabRow {
    /// Which.
    pub(crate) searcher: Searcher,
    /// Corners of the path; empty where there is none.
    pub(crate) points: Vec<Vec3>,
    /// Its length, in metres.
    pub(crate) length: f64,
    /// Why there is no path, or only a part of one.
    pub(crate) why: Option<String>,
    /// Nodes expanded.
    pub(crate) n_expanded: u64,
    /// Time of the search alone.
    pub(crate) time: Duration,
    /// Time to make what is searched, where the lab made it.
    pub(crate) made_in: Option<Duration>,
    /// Memory of what is searched, in bytes.
    pub(crate) n_bytes: usize,
    /// Cubes that were expanded, each with its layer, in order.
    pub(crate) cells: Vec<(Aabb, u32)>,
}

/// The lab's settings and results.
#[derive(Clone, Debug, Default)]
pub(crate) struct LabState {
    /// How the space is divided.
    pub(crate) settings: LabSettings,
    /// What was found, by searcher.
    pub(crate) rows: Vec<LabRow>,
    /// Why nothing could be compared.
    pub(crate) error: Option<String>,
    /// Whether a comparison is under way.
    pub(crate) is_busy: bool,
    /// The row that is drawn.
    pub(crate) chosen: Option<Searcher>,
    /// Grows with every result, for caches of what is drawn.
    pub(crate) serial: u64,
}

impl LabState {
    /// Takes a result.
    pub(crate) fn land(&mut self, row: LabRow) {
        self.rows.retain(|old| old.searcher != row.searcher);
        self.rows.push(row);
        self.rows.sort_by_key(|row| row.searcher);
        self.serial += 1;
    }

    /// Forgets what was found.
    pub(crate) fn forget(&mut self) {
        let serial = self.serial + 1;
        *self = Self { settings: self.settings, serial, ..Self::default() };
    }

    /// Length of the shortest path of all.
    pub(crate) fn shortest(&self) -> Option<f64> {
        let found = self.rows.iter().filter(|row| row.why.is_none()).map(|row| row.length);
        found.min_by(f64::total_cmp)
    }

    /// The paths, the chosen one on top with what its search looked at.
    pub(crate) fn picture(&self) -> Arc<DrawList> {
        /// More cubes than this hide one another.
        const MAX_CELLS: usize = 3000;
        let mut list = DrawList::default();
        for row in &self.rows {
            let chosen = self.chosen == Some(row.searcher);
            for (cell, layer) in row.cells.iter().take(MAX_CELLS).filter(|_| chosen) {
                list.append(debug_draw::frame(cell, Paint::Hue(*layer)));
            }
            let (width, paint) =
                if chosen { (4.0, Paint::Path) } else { (2.0, Paint::Hue(row.searcher as u32)) };
            for leg in row.points.windows(2) {
                list.line([leg[0], leg[1]], width, paint);
            }
        }
        Arc::new(list)
    }

    /// The table as comma-separated values.
    pub(crate) fn to_csv(&self) -> String {
        let mut text = "search,length_m,expanded,time_us,made_in_us,bytes,note\n".to_owned();
        for row in &self.rows {
            let made = row.made_in.map(|time| time.as_micros().to_string()).unwrap_or_default();
            let note = row.why.as_deref().unwrap_or_default().replace(['"', '\n'], " ");
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "\"{}\",{:.4},{},{},{made},{},\"{note}\"",
                row.searcher.name(),
                row.length,
                row.n_expanded,
                row.time.as_micros(),
                row.n_bytes,
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(searcher: Searcher, length: f64) -> LabRow {
        LabRow {
            searcher,
            points: vec![Vec3::ZERO, Vec3::X],
            length,
            why: None,
            n_expanded: 7,
            time: Duration::from_micros(12),
            made_in: None,
            n_bytes: 100,
            cells: vec![(Aabb::new(Vec3::ZERO, Vec3::ONE), 2)],
        }
    }

    #[test]
    fn rows_stand_in_order_and_newer_ones_take_the_place_of_older() {
        let mut lab = LabState::default();
        for (searcher, length) in
            [(Searcher::Flight, 3.0), (Searcher::Detour, 5.0), (Searcher::Flight, 4.0)]
        {
            lab.land(row(searcher, length));
        }
        let found: Vec<_> = lab.rows.iter().map(|row| (row.searcher, row.length)).collect();
        assert_eq!(found, [(Searcher::Detour, 5.0), (Searcher::Flight, 4.0)]);
        assert_eq!(lab.shortest(), Some(4.0));
        assert_eq!(lab.picture().lines.len(), 2);
        lab.chosen = Some(Searcher::Flight);
        assert_eq!(lab.picture().lines.len(), 2 + 12, "with the twelve edges of a cube");
        assert_eq!(
            lab.to_csv().lines().nth(1),
            Some("\"Detour A*, funnel\",5.0000,7,12,,100,\"\"")
        );
    }
}
