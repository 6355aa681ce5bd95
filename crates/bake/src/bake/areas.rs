//! Names, colors, costs and flags of areas: the defaults of RecastDemo, unless the user changes them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use walkable_runtime::ids::AreaId;

use crate::bake::RawArea;

/// Names of RecastDemo's areas, by id.
const KNOWN_AREAS: [&str; 6] = ["Ground", "Water", "Road", "Door", "Grass", "Jump"];
/// Flags of the first areas: walk, swim, door. All other areas have the walk flag.
///
/// `Differs:` `RecastDemo` gives no flags to ground in areas from 5 on, so that no agent can use it.
const KNOWN_FLAGS: [u16; 5] = [WALK, SWIM, WALK, WALK | DOOR, WALK];
/// The flag of walkable ground.
const WALK: u16 = 0x01;
const SWIM: u16 = 0x02;
const DOOR: u16 = 0x04;
/// Names and meanings of RecastDemo's flags.
const KNOWN_FLAG_NAMES: [(&str, &str); 5] = [
    ("Walk", "Ground, road and grass"),
    ("Swim", "Water"),
    ("Door", "Doors, which are walked as well"),
    ("Jump", "Jumps"),
    ("Disabled", "Polygons switched off"),
];

/// Minimum and maximum cost per meter. Below 1, the A* heuristic would overestimate, and paths would not be optimal.
pub const COSTS: [f32; 2] = [1.0, 1000.0];
/// Minimum and maximum cost of entering an area.
pub const ENTERING_COSTS: [f32; 2] = [0.0, 100_000.0];

/// An area.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// Display name.
    pub name: String,
    /// Color; `None` for the default color.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<Rgb>,
    /// Cost per meter.
    pub cost: f32,
    /// Cost of entering from another area.
    pub entering_cost: f32,
    /// Flags of its polygons.
    pub flags: u16,
}

impl Area {
    /// Returns the default values of area `id`.
    fn first(id: u8) -> Self {
        let number = usize::from(id);
        let known = KNOWN_AREAS.get(number).map(|&name| name.to_owned());
        Self {
            name: known.unwrap_or_else(|| format!("Area {id}")),
            color: None,
            cost: COSTS[0],
            entering_cost: ENTERING_COSTS[0],
            flags: first_flags(id),
        }
    }
}

fn first_flags(id: u8) -> u16 {
    KNOWN_FLAGS.get(usize::from(id)).copied().unwrap_or(WALK)
}

/// The flags that ground polygons get by their area. Serialized as a list, one element per area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<u16>", try_from = "Vec<u16>")]
pub struct AreaFlags([u16; AreaId::COUNT]);

impl From<AreaFlags> for Vec<u16> {
    fn from(flags: AreaFlags) -> Self {
        flags.0.into()
    }
}

impl TryFrom<Vec<u16>> for AreaFlags {
    type Error = String;

    fn try_from(flags: Vec<u16>) -> Result<Self, String> {
        let flags = flags.try_into();
        flags
            .map(Self)
            .map_err(|flags: Vec<u16>| format!("there are flags of {} areas", flags.len()))
    }
}

impl AreaFlags {
    /// Returns the flags of ground in `area`.
    pub const fn of(&self, area: AreaId) -> u16 {
        self.0[area.0 as usize % AreaId::COUNT]
    }
}

impl Default for AreaFlags {
    /// Returns the flags of [`AreaTable::default`].
    fn default() -> Self {
        AreaTable::default().ground_flags()
    }
}

/// A color, written as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rgb(pub [u8; 3]);

impl TryFrom<String> for Rgb {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let [_, r, g, b] =
            number.ok_or_else(|| format!("`{text}` is not a color like #56b4e9"))?.to_be_bytes();
        Ok(Self([r, g, b]))
    }
}

impl From<Rgb> for String {
    fn from(Rgb([r, g, b]): Rgb) -> Self {
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

/// A bit of the polygon flags with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlagName {
    /// Index of the bit, from 0.
    pub number: u8,
    /// The bit.
    pub bit: u16,
    /// Display name.
    pub name: String,
    /// Meaning, if known.
    pub what: &'static str,
}

impl FlagName {
    /// Returns the default name of flag `number`.
    pub fn first_name(number: u8) -> String {
        let known = KNOWN_FLAG_NAMES.get(usize::from(number));
        known.map_or_else(|| format!("Flag {number}"), |(name, _)| (*name).to_owned())
    }
}

/// All areas and flags. The ids are the numbers of [`AreaId`]. Stores only the differences from RecastDemo's defaults.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AreaTable {
    /// Changed areas by id.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    areas: BTreeMap<u8, Area>,
    /// Changed names by index of the bit.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    flags: BTreeMap<u8, String>,
}

impl AreaTable {
    /// The last area that ground can have: the next id stands for plain ground during a bake.
    pub const LAST: u8 = RawArea::WALKABLE.0 - 1;
    /// Number of polygon flags.
    pub const N_FLAGS: u8 = 16;

    /// Returns the values of area `id`, changed or default.
    pub fn area(&self, id: u8) -> Area {
        self.areas.get(&id).cloned().unwrap_or_else(|| Area::first(id))
    }

    /// Returns the name of area `id`.
    pub fn name(&self, id: u8) -> String {
        self.area(id).name
    }

    /// Returns the display name of `area` as an effect of a volume or surface rule.
    pub fn painted_name(&self, area: RawArea) -> String {
        if area.is_walkable() { self.name(area.in_tile().0) } else { "Not walkable".to_owned() }
    }

    /// Returns the areas that ground can be painted with, including the unwalkable one.
    pub fn paintable(&self) -> Vec<RawArea> {
        let ground = self.listed().into_iter().map(|id| RawArea::of_tile(AreaId(id)));
        [RawArea::NULL].into_iter().chain(ground).collect()
    }

    /// Returns the user's color of area `id`.
    pub fn color(&self, id: u8) -> Option<Rgb> {
        self.areas.get(&id)?.color
    }

    /// Returns whether area `id` differs from its default.
    pub fn is_changed(&self, id: u8) -> bool {
        self.areas.contains_key(&id)
    }

    /// Returns the ids of the areas to choose from: RecastDemo's and the changed ones.
    pub fn listed(&self) -> Vec<u8> {
        (0..=Self::LAST)
            .filter(|id| usize::from(*id) < KNOWN_AREAS.len() || self.is_changed(*id))
            .collect()
    }

    /// Returns the lowest id that is not listed.
    pub fn first_free(&self) -> Option<u8> {
        let listed = self.listed();
        (0..=Self::LAST).find(|id| !listed.contains(id))
    }

    /// Returns the table with `area` as number `id`.
    #[must_use]
    pub fn with(&self, id: u8, area: Area) -> Self {
        let mut table = self.clone();
        let is_known = usize::from(id) < KNOWN_AREAS.len();
        if is_known && area == Area::first(id) {
            table.areas.remove(&id);
        } else {
            table.areas.insert(id, area);
        }
        table
    }

    /// Resets area `id`; areas unknown to RecastDemo are removed from the list.
    #[must_use]
    pub fn without(&self, id: u8) -> Self {
        let mut table = self.clone();
        table.areas.remove(&id);
        table
    }

    /// Returns all sixteen flags.
    pub fn all_flags(&self) -> impl Iterator<Item = FlagName> {
        (0..Self::N_FLAGS).map(|number| FlagName {
            number,
            bit: 1 << number,
            name: self.flags.get(&number).cloned().unwrap_or_else(|| FlagName::first_name(number)),
            what: KNOWN_FLAG_NAMES.get(usize::from(number)).map_or("", |(_, what)| what),
        })
    }

    /// Returns the flags to choose from: RecastDemo's and the renamed ones.
    pub fn flags(&self) -> impl Iterator<Item = FlagName> {
        self.all_flags().filter(|flag| {
            let known = usize::from(flag.number) < KNOWN_FLAG_NAMES.len();
            known || self.flags.contains_key(&flag.number)
        })
    }

    /// Returns the names of the flags that are set.
    pub fn flag_names(&self, flags: u16) -> String {
        let set = self.all_flags().filter(|flag| flags & flag.bit != 0);
        let names: Vec<_> = set.map(|flag| flag.name).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }

    /// Returns the table with flag `number` named `name`; an empty name restores the default.
    #[must_use]
    pub fn with_flag(&self, number: u8, name: &str) -> Self {
        let mut table = self.clone();
        if name.is_empty() || name == FlagName::first_name(number) {
            table.flags.remove(&number);
        } else {
            table.flags.insert(number, name.to_owned());
        }
        table
    }

    /// Returns whether any area differs from its default.
    pub fn has_own_areas(&self) -> bool {
        !self.areas.is_empty()
    }

    /// Returns the flags of ground polygons by area.
    pub fn ground_flags(&self) -> AreaFlags {
        let mut flags = [0; AreaId::COUNT];
        for (id, flags) in (0..).zip(&mut flags) {
            *flags = self.own_flags(id).unwrap_or_else(|| first_flags(id));
        }
        AreaFlags(flags)
    }

    /// Returns the areas that differ from their defaults, by id.
    pub fn own_areas(&self) -> impl Iterator<Item = (u8, &Area)> {
        self.areas.iter().map(|(id, area)| (*id, area))
    }

    /// Returns the flags of polygons in area `id`; `None` if they are the default.
    pub fn own_flags(&self, id: u8) -> Option<u16> {
        self.areas.get(&id).map(|area| area.flags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_recastdemos_until_they_are_changed() {
        let table = AreaTable::default();
        assert_eq!((table.name(1), table.name(17)), ("Water".to_owned(), "Area 17".to_owned()));
        assert_eq!(
            (table.flag_names(0), table.flag_names(5)),
            ("none".into(), "Walk, Door".into())
        );
        assert_eq!(table.listed(), [0, 1, 2, 3, 4, 5]);
        let mud = Area { name: "Mud".to_owned(), cost: 4.0, ..table.area(6) };
        let table = table.with(6, mud).with_flag(5, "Fly");
        assert_eq!((table.name(6), table.first_free()), ("Mud".to_owned(), Some(7)));
        assert_eq!(table.flag_names(0x21), "Walk, Fly");
        assert_eq!(table.flags().count(), 6);
        let same = table.with(1, table.area(1)).with_flag(1, "Swim");
        assert_eq!(same, table, "what is as at first is not kept");
        assert_eq!(table.without(6).with_flag(5, ""), AreaTable::default());
    }

    #[test]
    fn tables_are_written_and_read() {
        let table = AreaTable::default();
        let lava = Area { color: Some(Rgb([255, 64, 0])), flags: 0x8000, ..table.area(1) };
        let table = table.with(1, lava).with_flag(15, "Burn");
        let text = serde_json::to_string(&table).unwrap();
        assert!(text.contains("#ff4000"), "{text}");
        assert_eq!(serde_json::from_str::<AreaTable>(&text).unwrap(), table);
        for bad in ["\"red\"", "\"#12345\"", "\"#12345x\""] {
            assert!(serde_json::from_str::<Rgb>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_area_without_flags_of_its_own_can_be_walked_on() {
        let flags = AreaFlags::default();
        assert_eq!(
            [0, 1, 2, 3, 4].map(|area| flags.of(AreaId(area))),
            [1, 2, 1, 5, 1],
            "RecastDemo's"
        );
        assert!((5..=AreaTable::LAST).all(|area| flags.of(AreaId(area)) == WALK));
        let table = AreaTable::default();
        let closed = Area { flags: 0, ..table.area(7) };
        assert_eq!(table.with(7, closed).ground_flags().of(AreaId(7)), 0);
        assert_eq!(table.ground_flags(), flags);
    }
}
