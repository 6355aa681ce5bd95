//! Diagnostics as bytes, to be stored with the result of a tile.

use glam::Vec3;

use super::{Argument, Code, Diagnostic, Finding, Location, argument::take};
use crate::ids::{AreaId, TileCoord};

/// Maximum number of stored locations of a diagnostic.
const MAX_LOCATIONS: usize = 16;

impl Diagnostic {
    /// Appends the diagnostic to `out`, for [`Diagnostic::restore`], with its first 16 locations.
    pub fn store(&self, out: &mut Vec<u8>) {
        let locations = &self.locations[..self.locations.len().min(MAX_LOCATIONS)];
        self.code().name().to_owned().store(out);
        self.finding.store_arguments(out);
        locations.len().store(out);
        for location in locations {
            store_location(location, out);
        }
        self.count.store(out);
    }

    /// Reads a diagnostic that [`Diagnostic::store`] wrote from the start of `input`, and advances `input`; `None` if it is
    /// damaged.
    pub fn restore(input: &mut &[u8]) -> Option<Self> {
        let code = Code::from_name(&String::restore(input)?)?;
        let finding = Finding::restore(code, input)?;
        let n_locations = usize::restore(input).filter(|n| *n <= MAX_LOCATIONS)?;
        let locations: Option<_> = (0..n_locations).map(|_| restore_location(input)).collect();
        Some(Self { finding, locations: locations?, count: usize::restore(input)? })
    }
}

/// Appends the kind of a location and its value.
fn store_location(location: &Location, out: &mut Vec<u8>) {
    let mut put = |kind: u8, value: &dyn Fn(&mut Vec<u8>)| {
        out.push(kind);
        value(out);
    };
    match location {
        Location::File(name) => put(0, &|out| name.store(out)),
        Location::Line(line) => put(1, &|out| line.store(out)),
        Location::Element(name) => put(2, &|out| name.store(out)),
        Location::Setting(key) => put(3, &|out| key.clone().into_owned().store(out)),
        Location::Tile(TileCoord { x, z }) => put(4, &|out| {
            x.store(out);
            z.store(out);
        }),
        Location::Layer(layer) => put(5, &|out| layer.store(out)),
        Location::Region(region) => put(6, &|out| region.store(out)),
        Location::Polygon(reference) => put(7, &|out| reference.store(out)),
        Location::Area(AreaId(area)) => put(8, &|out| area.store(out)),
        Location::OffMeshLink(number) => put(9, &|out| number.store(out)),
        Location::Point(at) => {
            put(10, &|out| at.to_array().iter().for_each(|number| number.store(out)));
        }
    }
}

fn restore_location(input: &mut &[u8]) -> Option<Location> {
    let [kind] = take(input)?;
    Some(match kind {
        0 => Location::File(Argument::restore(input)?),
        1 => Location::Line(Argument::restore(input)?),
        2 => Location::Element(Argument::restore(input)?),
        3 => Location::Setting(String::restore(input)?.into()),
        4 => Location::Tile(TileCoord::new(u32::restore(input)?, u32::restore(input)?)),
        5 => Location::Layer(Argument::restore(input)?),
        6 => Location::Region(Argument::restore(input)?),
        7 => Location::Polygon(Argument::restore(input)?),
        8 => Location::Area(AreaId(Argument::restore(input)?)),
        9 => Location::OffMeshLink(Argument::restore(input)?),
        10 => {
            let mut number = || f32::restore(input);
            Location::Point(Vec3::new(number()?, number()?, number()?))
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a diagnostic of each code with arguments that are all the same bytes.
    fn of_each_code() -> impl Iterator<Item = Diagnostic> {
        Code::ALL.iter().map(|&code| {
            // A text of no bytes, a number 0, the letter NUL: zeros are a value of each type.
            let finding = Finding::restore(code, &mut &[0; 256][..]).unwrap();
            Diagnostic::new(finding)
        })
    }

    fn stored(found: &Diagnostic) -> Vec<u8> {
        let mut bytes = Vec::new();
        found.store(&mut bytes);
        bytes
    }

    #[test]
    fn diagnostics_of_all_codes_and_locations_are_restored() {
        let locations = [
            Location::File("α.obj".to_owned()),
            Location::Line(7),
            Location::Element(String::new()),
            Location::Setting("agent_radius".into()),
            Location::Tile(TileCoord::new(3, u32::MAX)),
            Location::Layer(2),
            Location::Region(65_535),
            Location::Polygon(u64::MAX),
            Location::Area(AreaId(63)),
            Location::OffMeshLink(1),
            Location::Point(Vec3::new(1.5, -0.0, f32::MAX)),
        ];
        for found in of_each_code() {
            let found = locations.iter().cloned().fold(found.times(3), Diagnostic::at);
            let bytes = stored(&found);
            let mut input = &bytes[..];
            assert_eq!(Diagnostic::restore(&mut input), Some(found));
            assert!(input.is_empty());
            for end in 0..bytes.len() {
                assert_eq!(Diagnostic::restore(&mut &bytes[..end]), None);
            }
        }
        let text = Finding::StatementUnknown { statement: "βγ".to_owned() };
        let found = Diagnostic::new(text);
        assert_eq!(Diagnostic::restore(&mut &stored(&found)[..]), Some(found));
    }

    #[test]
    fn only_the_first_locations_are_stored() {
        let found = Diagnostic::new(Finding::RadiusZero {});
        let at = |n| (0..n).map(Location::Line).fold(found.clone(), Diagnostic::at);
        assert_eq!(Diagnostic::restore(&mut &stored(&at(20))[..]), Some(at(16)));
    }
}
