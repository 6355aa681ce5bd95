//! Results of checks, and findings.

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    check::{CheckReport, SurfaceMap},
    diagnostic::{Diagnostic, Location},
};

use super::{Formed, interned, shared};
use crate::check::{AnswerKind, CheckAnswer, CheckResult, CheckedTiles};

/// A finding without the locations that are settings, as [`Diagnostic::store`] writes it, and these settings with their
/// positions in the list of locations.
#[derive(Serialize, Deserialize)]
pub(super) struct DiagnosticForm(Vec<u8>, Vec<(usize, String)>);

impl Formed for Diagnostic {
    type Form = DiagnosticForm;

    fn to_form(&self) -> DiagnosticForm {
        let (mut stored, mut settings) = (Self::new(self.finding().clone()), Vec::new());
        for (index, location) in self.locations().iter().enumerate() {
            if let Location::Setting(key) = location {
                settings.push((index, (*key).to_owned()));
            } else {
                stored = stored.at(location.clone());
            }
        }
        let mut bytes = Vec::new();
        // Without bytes, for a finding with more locations than can be stored, the form counts as damaged.
        stored.times(self.count()).store(&mut bytes);
        DiagnosticForm(bytes, settings)
    }

    fn of_form(DiagnosticForm(bytes, settings): DiagnosticForm) -> Option<Self> {
        let stored = Self::restore(&mut &*bytes)?;
        let mut locations = stored.locations().to_vec();
        for (index, key) in settings {
            if index > locations.len() {
                return None;
            }
            locations.insert(index, Location::Setting(interned(&key)));
        }
        let found = Self::new(stored.finding().clone()).times(stored.count());
        Some(locations.into_iter().fold(found, Self::at))
    }
}

type Findings = Vec<DiagnosticForm>;

impl Formed for CheckReport {
    /// The findings of each field in order.
    type Form = [Findings; 7];

    fn to_form(&self) -> Self::Form {
        let Self { seams, polygons, off_mesh_links, islands, surface, settings, limits } = self;
        [seams, polygons, off_mesh_links, islands, surface, settings, limits].map(Vec::to_form)
    }

    fn of_form(form: Self::Form) -> Option<Self> {
        let [seams, polygons, off_mesh_links, islands, surface, settings, limits] =
            form.map(Vec::of_form);
        Some(Self {
            seams: seams?,
            polygons: polygons?,
            off_mesh_links: off_mesh_links?,
            islands: islands?,
            surface: surface?,
            settings: settings?,
            limits: limits?,
        })
    }
}

impl Formed for CheckAnswer {
    /// The name and the kind, the numbers of tiles and polygons, the findings about the bake, the others.
    type Form = ((String, AnswerKind), [usize; 2], Findings, <CheckReport as Formed>::Form);

    fn to_form(&self) -> Self::Form {
        let (bake, report) = self.findings();
        ((self.name().to_owned(), self.kind()), self.counts(), bake.to_form(), report.to_form())
    }

    fn of_form(((name, kind), counts, bake, report): Self::Form) -> Option<Self> {
        let findings = (Vec::of_form(bake)?, CheckReport::of_form(report)?);
        Some(Self::of_counts(name, kind, counts, findings))
    }
}

/// The heights of a surface, which are not copied to be sent.
#[derive(Serialize, Deserialize)]
pub(super) struct SharedSurface(#[serde(with = "shared")] Arc<SurfaceMap>);

impl Formed for CheckResult {
    type Form = (
        <CheckAnswer as Formed>::Form,
        Option<SharedSurface>,
        BTreeMap<usize, [Vec3; 2]>,
        CheckedTiles,
    );

    fn to_form(&self) -> Self::Form {
        let Self { answer, surface, links, tiles } = self;
        (answer.to_form(), surface.clone().map(SharedSurface), links.clone(), *tiles)
    }

    fn of_form((answer, surface, links, tiles): Self::Form) -> Option<Self> {
        let surface = surface.map(|SharedSurface(surface)| surface);
        Some(Self { answer: CheckAnswer::of_form(answer)?, surface, links, tiles })
    }
}

#[cfg(test)]
mod tests {
    use walkable::diagnostic::{Finding, Meters};

    use super::*;

    #[test]
    fn findings_keep_all_their_locations_and_damaged_ones_are_refused() {
        let found = Diagnostic::new(Finding::LevelTiny { side: Meters(0.5), scale: 100.0 });
        let found = found
            .at(Location::Line(3))
            .at(Location::Setting("tile_size"))
            .at(Location::Point(Vec3::ONE))
            .at(Location::Setting("cell_size"))
            .times(7);
        assert_eq!(Diagnostic::of_form(found.to_form()), Some(found.clone()));
        let DiagnosticForm(bytes, settings) = found.to_form();
        let cut = bytes[..bytes.len() - 1].to_vec();
        assert_eq!(Diagnostic::of_form(DiagnosticForm(cut, settings)), None);
        let beyond = vec![(9, "tile_size".to_owned())];
        assert_eq!(Diagnostic::of_form(DiagnosticForm(bytes, beyond)), None);
    }
}
