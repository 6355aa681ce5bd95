//! Differences between bakes.

use glam::Vec3;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use walkable::{
    compare::{
        AreaChange, CompareLimits, Comparison, GroundChange, GroundPatch, IslandChange, LinkChange,
        LinkChangeKind, SideStats, TileChanges,
    },
    diagnostic::Diagnostic,
    geom::Aabb,
    links::LinkState,
    navmesh::NavMeshStats,
};

use super::Formed;
use crate::{
    changes::{Change, FoundChanges},
    path_tests::CaseState,
};

impl Formed for LinkChange {
    type Form = (
        (LinkChangeKind, u32),
        [Vec3; 2],
        [Option<LinkState>; 2],
        Vec<<Diagnostic as Formed>::Form>,
    );

    fn to_form(&self) -> Self::Form {
        let Self { kind, user_id, start, end, before, after, findings } = self;
        ((*kind, *user_id), [*start, *end], [*before, *after], findings.to_form())
    }

    fn of_form(form: Self::Form) -> Option<Self> {
        let ((kind, user_id), [start, end], [before, after], findings) = form;
        let findings = Vec::of_form(findings)?;
        Some(Self { kind, user_id, start, end, before, after, findings })
    }
}

impl Formed for GroundPatch {
    type Form = (f64, Aabb, Vec3, Vec<Vec<Vec3>>);

    fn to_form(&self) -> Self::Form {
        let Self { area, bounds, point, pieces } = self;
        (*area, *bounds, *point, pieces.clone())
    }

    fn of_form((area, bounds, point, pieces): Self::Form) -> Option<Self> {
        Some(Self { area, bounds, point, pieces })
    }
}

impl Formed for GroundChange {
    type Form = (f64, f64, Vec<<GroundPatch as Formed>::Form>);

    fn to_form(&self) -> Self::Form {
        let Self { area, strips, patches } = self;
        (*area, *strips, patches.to_form())
    }

    fn of_form((area, strips, patches): Self::Form) -> Option<Self> {
        Some(Self { area, strips, patches: Vec::of_form(patches)? })
    }
}

/// Area, number of islands, and counts of a navmesh.
type SideForm = (f64, usize, NavMeshStats);

impl Formed for SideStats {
    type Form = SideForm;

    fn to_form(&self) -> SideForm {
        let Self { area, n_islands, stats } = *self;
        (area, n_islands, stats)
    }

    fn of_form((area, n_islands, stats): SideForm) -> Option<Self> {
        Some(Self { area, n_islands, stats })
    }
}

impl Formed for Comparison {
    type Form = (
        (CompareLimits, [SideForm; 2]),
        [<GroundChange as Formed>::Form; 2],
        (Vec<IslandChange>, Vec<<LinkChange as Formed>::Form>),
        (Vec<AreaChange>, Option<TileChanges>),
    );

    fn to_form(&self) -> Self::Form {
        let Self { limits, before, after, gained, lost, islands, off_mesh_links, areas, tiles } =
            self;
        (
            (*limits, [before, after].map(SideStats::to_form)),
            [gained, lost].map(GroundChange::to_form),
            (islands.clone(), off_mesh_links.to_form()),
            (areas.clone(), tiles.clone()),
        )
    }

    fn of_form(form: Self::Form) -> Option<Self> {
        let ((limits, sides), [gained, lost], (islands, links), (areas, tiles)) = form;
        let [before, after] = sides.map(SideStats::of_form);
        let [gained, lost] = [gained, lost].map(GroundChange::of_form);
        let (before, after, gained, lost) = (before?, after?, gained?, lost?);
        let off_mesh_links = Vec::of_form(links)?;
        Some(Self { limits, before, after, gained, lost, islands, off_mesh_links, areas, tiles })
    }
}

/// A changed path test: its index and name, its states on the two navmeshes, its start and its bounds.
type PathForm = ((usize, String), [CaseState; 2], (Vec3, Aabb));

impl Formed for FoundChanges {
    /// The differences of the navmeshes, and the changes of path tests.
    type Form = (<Comparison as Formed>::Form, Vec<PathForm>);

    fn to_form(&self) -> Self::Form {
        let Self { comparison, list } = self;
        let paths = list.iter().filter_map(|change| {
            let (name, states) = change.path_states()?;
            Some(((change.index, name.to_owned()), states.clone(), (change.point, change.bounds)))
        });
        (comparison.to_form(), paths.collect())
    }

    fn of_form((comparison, paths): Self::Form) -> Option<Self> {
        let paths = paths
            .into_iter()
            .map(|(case, states, (start, bounds))| Change::of_path(case, states, start, bounds));
        Some(Self::new(Comparison::of_form(comparison)?, paths.collect()))
    }
}

impl Serialize for FoundChanges {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.to_form().serialize(to)
    }
}

impl<'de> Deserialize<'de> for FoundChanges {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let form = Deserialize::deserialize(from)?;
        Self::of_form(form).ok_or_else(|| D::Error::custom("a form is damaged"))
    }
}
