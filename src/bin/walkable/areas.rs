//! What areas and polygon flags mean: RecastDemo's names. Knows no window.

/// An area with a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AreaName {
    /// Number in tile data.
    pub(crate) id: u8,
    /// Name for people.
    pub(crate) name: &'static str,
}

/// The areas that RecastDemo knows, in order of their numbers.
pub(crate) const AREAS: [AreaName; 6] = [
    AreaName { id: 0, name: "Ground" },
    AreaName { id: 1, name: "Water" },
    AreaName { id: 2, name: "Road" },
    AreaName { id: 3, name: "Door" },
    AreaName { id: 4, name: "Grass" },
    AreaName { id: 5, name: "Jump" },
];

/// A bit of a polygon's flags with a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FlagName {
    /// The bit.
    pub(crate) bit: u16,
    /// Name for people.
    pub(crate) name: &'static str,
    /// What it means.
    pub(crate) what: &'static str,
}

/// The flags that RecastDemo knows.
pub(crate) const FLAGS: [FlagName; 5] = [
    FlagName { bit: 0x01, name: "Walk", what: "Ground, road and grass" },
    FlagName { bit: 0x02, name: "Swim", what: "Water" },
    FlagName { bit: 0x04, name: "Door", what: "Doors, which are walked as well" },
    FlagName { bit: 0x08, name: "Jump", what: "Jumps" },
    FlagName { bit: 0x10, name: "Disabled", what: "Polygons switched off" },
];

/// Name of an area, its number where it has none.
pub(crate) fn area_name(id: u8) -> String {
    let known = AREAS.iter().find(|area| area.id == id);
    known.map_or_else(|| format!("Area {id}"), |area| area.name.to_owned())
}

/// Names of the set flags.
pub(crate) fn flag_names(flags: u16) -> String {
    let names: Vec<_> =
        FLAGS.iter().filter(|flag| flags & flag.bit != 0).map(|flag| flag.name).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(area_name(1), "Water");
        assert_eq!(area_name(17), "Area 17");
        assert_eq!(flag_names(0), "none");
        assert_eq!(flag_names(0x05), "Walk, Door");
    }
}
