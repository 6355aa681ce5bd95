//! Settings files: `key=value` lines, painted volumes and off-mesh links as text.
//!
//! ```text
//! # comment
//! cell_size=0.25
//! volume AREA MIN_Y MAX_Y  x y z  x y z  x y z …
//! box AREA  MIN_X MIN_Y MIN_Z  MAX_X MAX_Y MAX_Z
//! turned AREA  CENTER_X CENTER_Y CENTER_Z  HALF_X HALF_Y HALF_Z  YAW
//! cylinder AREA  x y z  RADIUS HEIGHT
//! object NAME AREA
//! material NAME none
//! area AREA NAME flags=FLAGS cost=COST enter=COST color=#rrggbb
//! jump distance=DISTANCE drop=HEIGHT up=HEIGHT
//! bound  MIN_X MIN_Y MIN_Z  MAX_X MAX_Y MAX_Z
//! offmesh  ax ay az  bx by bz  RADIUS BIDIRECTIONAL AREA FLAGS
//! ```
//!
//! Volumes are applied in the order of the file, whatever their shape: the last one wins. A volume of area 0, which is not
//! walkable, may end with the word `erode`: it then takes the ground within the agent's radius around it too. Settings missing from the
//! file have RecastDemo's defaults. User IDs of off-mesh links are assigned from 1000 in the order of the file, which
//! does not store them. A name may contain blanks; with `#`, `"`, or blanks at its ends it is put in double quotes,
//! with a backslash before `"` and backslashes, and `
//! `, `\r` for line breaks.

mod gset;
mod jumps;
mod lines;

use std::{fmt::Write as _, sync::Arc};

pub use gset::{Gset, GsetLoss};
pub use jumps::{JumpLimit, JumpLimits};
use lines::LineWords;
pub use lines::{quoted, unquoted};
use serde::{Deserialize, Serialize};
use walkable_mesh::TriMesh;
use walkable_runtime::geom::Aabb;

use crate::bake::{
    AreaTable, AreaVolume, BakeInput, BakeSettings, OffMeshLink, PARAMS, SettingsError,
    SurfaceRule, settings::shown,
};

/// User ID of a file's first off-mesh link.
pub const FIRST_OFF_MESH_USER_ID: u32 = 1000;

/// Maximum length of a path, as in most systems.
const MAX_PATH_BYTES: usize = 4096;
/// Maximum length of a name, in bytes, as in level files.
const MAX_NAME_BYTES: usize = 4096;

/// The contents of a settings file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BakeConfig {
    /// The agent and the grid.
    pub settings: BakeSettings,
    /// Painted areas, in order.
    pub volumes: Vec<AreaVolume>,
    /// Off-mesh links, in order.
    pub off_mesh: Vec<OffMeshLink>,
    /// Rules for objects and materials of the level, in order.
    pub surfaces: Vec<SurfaceRule>,
    /// Boxes to which the bake is limited.
    pub bounds: Vec<Aabb>,
    /// Names, colors, costs and flags of areas.
    pub areas: AreaTable,
    /// Limits for the jumps and drops of the agent.
    pub jumps: JumpLimits,
}

/// The error for a settings file that cannot be parsed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ConfigError {
    /// Line number, from 1.
    pub line: usize,
    /// The error on this line.
    pub reason: ConfigErrorKind,
}

/// An error on a line of a settings file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigErrorKind {
    /// The setting is unknown or out of range.
    #[error(transparent)]
    Setting(#[from] SettingsError),
    /// The line has an unknown form.
    #[error(
        "expected key=value, volume, box, turned, cylinder, object, material, area, jump, bound or offmesh, not \
         `{}`",
        shown(text)
    )]
    UnknownLine {
        /// The line.
        text: String,
    },
    /// A line ends too early.
    #[error("{what} is missing")]
    Missing {
        /// The missing value.
        what: &'static str,
    },
    /// A word is invalid.
    #[error("{what} is `{}`, but must be {expected}", shown(text))]
    Malformed {
        /// The meaning of the word.
        what: &'static str,
        /// The word.
        text: String,
        /// The expected form.
        expected: &'static str,
    },
    /// A line has too many words.
    #[error("`{}` is left over", shown(text))]
    Surplus {
        /// The first surplus word.
        text: String,
    },
    /// A closing quote is missing.
    #[error("the name `{}` has no closing quote", shown(text))]
    OpenQuote {
        /// The line from the opening quote.
        text: String,
    },
    /// A minimum is larger than its maximum.
    #[error("{what} goes from {min} to {max}, but the minimum must not exceed the maximum")]
    Reversed {
        /// Name of the range.
        what: &'static str,
        /// First number.
        min: f32,
        /// Second number.
        max: f32,
    },
    /// The outline of a volume degenerates to a point or a line.
    #[error("a volume needs at least 3 corners, not {n}")]
    TooFewCorners {
        /// Number of its corners.
        n: usize,
    },
    /// Only volumes that are not walkable have a margin.
    #[error("`erode` is for area 0, which is not walkable, not for area {area}")]
    MarginOfWalkable {
        /// Area of the volume.
        area: u8,
    },
    /// The row is not part of the `.gset` format.
    #[error("expected a row that starts with f, s, c or v, not `{}`", shown(text))]
    UnknownRow {
        /// The row.
        text: String,
    },
    /// A row of a `.gset` file is repeated.
    #[error("there is an `{row}` row already")]
    RowAgain {
        /// First word of the row.
        row: &'static str,
    },
    /// Rows with corners of a volume are missing.
    #[error("the volume has {n_found} of its {n_corners} corners")]
    MissingCorners {
        /// Number of corners found.
        n_found: usize,
        /// Number of corners expected.
        n_corners: usize,
    },
    /// A path exceeds the limit of operating systems.
    #[error("the path of the mesh has {n_bytes} bytes, more than {MAX_PATH_BYTES}")]
    LongPath {
        /// Length, in bytes.
        n_bytes: usize,
    },
    /// The name of an object, material or area is too long.
    #[error("a name has {n_bytes} bytes, more than {MAX_NAME_BYTES}")]
    LongName {
        /// Length, in bytes.
        n_bytes: usize,
    },
    /// A `.gset` file names no level.
    #[error("there is no `f` row with the path of a mesh")]
    NoMesh,
}

impl BakeConfig {
    /// Parses a settings file. Lines may end in CR LF; empty lines and comments from `#` are skipped.
    ///
    /// # Errors
    /// Returns a [`ConfigError`] for the first invalid line.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let mut config = Self::default();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            config.read_line(line).map_err(|reason| ConfigError { line: index + 1, reason })?;
        }
        Ok(config)
    }

    /// Formats every setting, volume and link so that [`BakeConfig::parse`] reads them back unchanged, except for user
    /// IDs other than 1000, 1001 and so on.
    pub fn to_text(&self) -> String {
        // Writing to a string cannot fail.
        let mut text = String::new();
        for param in PARAMS {
            let _ = writeln!(text, "{}={}", param.key, param.format(param.get(&self.settings)));
        }
        for volume in &self.volumes {
            let _ = writeln!(text, "{}", lines::volume(volume));
        }
        for rule in &self.surfaces {
            let _ = writeln!(text, "{}", lines::surface(rule));
        }
        for (id, area) in self.areas.own_areas() {
            let _ = writeln!(text, "{}", lines::area(id, area));
        }
        if !self.jumps.is_automatic() {
            let _ = writeln!(text, "{}", self.jumps.to_line());
        }
        for bound in &self.bounds {
            let _ = writeln!(text, "{}", lines::bound(bound));
        }
        for link in &self.off_mesh {
            let _ = writeln!(text, "{}", lines::link(link));
        }
        text
    }

    fn read_line(&mut self, line: &str) -> Result<(), ConfigErrorKind> {
        if let Some(rest) = lines::area_line(line) {
            let (id, area) = lines::read_area(rest, &self.areas)?;
            self.areas = self.areas.with(id, area);
            return Ok(());
        }
        if let Some(rest) = JumpLimits::line(line) {
            self.jumps = JumpLimits::read(rest)?;
            return Ok(());
        }
        if let Some((source, rest)) = lines::surface_source(line) {
            self.surfaces.push(lines::read_surface(source, rest)?);
            return Ok(());
        }
        let line = lines::without_comment(line);
        if line.is_empty() {
            return Ok(());
        }
        if let Some((key, value)) = line.split_once('=') {
            return Ok(self.settings.set(key.trim(), value)?);
        }
        let mut words = LineWords::new(line);
        match words.word("the first word")? {
            shape @ ("volume" | "box" | "turned" | "cylinder") => {
                self.volumes.push(lines::read_volume(shape, &mut words)?);
            }
            "bound" => self.bounds.push(lines::read_bound(&mut words)?),
            "offmesh" => {
                let n = u32::try_from(self.off_mesh.len()).unwrap_or(u32::MAX);
                let user_id = FIRST_OFF_MESH_USER_ID.saturating_add(n);
                self.off_mesh.push(lines::read_link(&mut words, user_id)?);
            }
            _ => return Err(ConfigErrorKind::UnknownLine { text: line.to_owned() }),
        }
        Ok(())
    }

    /// Combines the configuration with a mesh to the input of a bake.
    pub fn with_mesh(self, mesh: Arc<TriMesh>) -> BakeInput {
        let Self { settings, volumes, off_mesh, surfaces, bounds, areas, jumps: _ } = self;
        let area_flags = areas.ground_flags();
        let (part, agents) = (None, Vec::new());
        BakeInput { mesh, part, settings, volumes, off_mesh, surfaces, bounds, area_flags, agents }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use proptest::prelude::*;
    use walkable_runtime::ids::AreaId;

    use super::*;
    use crate::bake::{Area, RawArea, Rgb, SurfaceSource, SurfaceUse, VolumeShape};

    const SAMPLE: &str = "\u{feff}# a level\r\ncell_size=0.25\r\n\r\n tile_size = 32 # small\r\n\
        volume 2 -3.5 8 1 0 2 3 0 4 5 0 1\r\n\
        offmesh 18.0 -2.37 -21.0 2.0 -2.37 -6.0 0.6 1 5 8\n\
        offmesh 1 2 3 4 5 6 0.8 0 5 16";

    #[test]
    fn reads_settings_volumes_and_links() {
        let config = BakeConfig::parse(SAMPLE).unwrap();
        let expected = BakeSettings { cell_size: 0.25, tile_size: 32, ..BakeSettings::default() };
        assert_eq!(config.settings, expected);
        let outline =
            vec![Vec3::new(1.0, 0.0, 2.0), Vec3::new(3.0, 0.0, 4.0), Vec3::new(5.0, 0.0, 1.0)];
        let shape = VolumeShape::Prism { min_y: -3.5, max_y: 8.0, outline };
        assert_eq!(config.volumes, [AreaVolume::new(RawArea(2), shape)]);
        let [first, second] = config.off_mesh[..] else { panic!("two links") };
        assert_eq!(first.end, Vec3::new(2.0, -2.37, -6.0));
        assert!(first.bidirectional && !second.bidirectional);
        assert_eq!([first.user_id, second.user_id], [1000, 1001]);
        assert_eq!((second.area, second.flags), (AreaId(5), 16));
    }

    #[test]
    fn written_files_are_read_back() {
        let mut config = BakeConfig::parse(SAMPLE).unwrap();
        config.off_mesh[1].end = config.off_mesh[1].start;
        assert_eq!(BakeConfig::parse(&config.to_text()), Ok(config));
    }

    #[test]
    fn volumes_keep_the_order_of_the_file() {
        let text = "box 1 0 1 2 3 4 5\nvolume 2 0 1 0 0 0 1 0 0 1 0 1\ncylinder 3 1 2 3 0.5 2\n\
                    turned 4 1 2 3 4 5 6 0.25";
        let volumes = BakeConfig::parse(text).unwrap().volumes;
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]];
        let outline = corners.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec();
        let (base, center) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.0, 2.0, 3.0));
        let half_extents = Vec3::new(4.0, 5.0, 6.0);
        let shapes = [
            VolumeShape::Box(Aabb::new(Vec3::new(0.0, 1.0, 2.0), Vec3::new(3.0, 4.0, 5.0))),
            VolumeShape::Prism { min_y: 0.0, max_y: 1.0, outline },
            VolumeShape::Cylinder { base, radius: 0.5, height: 2.0 },
            VolumeShape::TurnedBox { center, half_extents, yaw: 0.25 },
        ];
        let expected = (1..).zip(shapes).map(|(area, shape)| AreaVolume::new(RawArea(area), shape));
        assert_eq!(volumes, expected.collect::<Vec<_>>());
    }

    #[test]
    fn only_volumes_that_are_not_walkable_have_a_margin() {
        let text = "box 0 0 1 2 3 4 5 erode # the crane\nvolume 0 0 1 0 0 0 1 0 0 1 0 1  erode\n\
                    cylinder 0 1 2 3 0.5 2";
        let config = BakeConfig::parse(text).unwrap();
        assert_eq!(
            config.volumes.iter().map(|it| it.erode).collect::<Vec<_>>(),
            [true, true, false]
        );
        assert_eq!(BakeConfig::parse(&config.to_text()), Ok(config));
        let why = "line 1: `erode` is for area 0, which is not walkable, not for area 3";
        check_error("box 3 0 1 2 3 4 5 erode", why);
        check_error("box 0 0 1 2 3 4 erode", "line 1: the largest z is missing");
        check_error("bound 0 1 2 3 4 5 erode", "line 1: `erode` is left over");
    }

    #[track_caller]
    fn check_surface(line: &str, source: SurfaceSource, name: &str, becomes: SurfaceUse) {
        let expected = SurfaceRule { source, name: name.to_owned(), becomes };
        assert_eq!(BakeConfig::parse(line).unwrap().surfaces, [expected]);
    }

    #[test]
    fn surfaces_have_names_with_and_without_quotes() {
        use SurfaceSource::{Material, Object};
        let road = SurfaceUse::Area(RawArea(2));
        check_surface("object road 2", Object, "road", road);
        check_surface(" material\tGravel  road = 1 2 # gray", Material, "Gravel  road = 1", road);
        check_surface("object none none", Object, "none", SurfaceUse::LeftOut);
        check_surface("object \"\" none#", Object, "", SurfaceUse::LeftOut);
        check_surface(r#"object "a \"b\" # \\" 2 # c"#, Object, r#"a "b" # \"#, road);
    }

    #[test]
    fn bounds_are_boxes() {
        let config = BakeConfig::parse("bound 0 1 2 3 4 5\nbound 0 0 0 0 0 0").unwrap();
        let first = Aabb::new(Vec3::new(0.0, 1.0, 2.0), Vec3::new(3.0, 4.0, 5.0));
        assert_eq!(config.bounds, [first, Aabb::new(Vec3::ZERO, Vec3::ZERO)]);
    }

    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![-1e3..1e3f32, any::<i16>().prop_map(f32::from), Just(f32::MIN_POSITIVE)]
    }

    fn point() -> impl Strategy<Value = Vec3> {
        [number(), number(), number()].prop_map(Vec3::from)
    }

    fn volume() -> impl Strategy<Value = AreaVolume> {
        let size = || number().prop_map(f32::abs);
        let prism = (number(), number(), prop::collection::vec(point(), 3..7))
            .prop_map(|(min_y, max_y, outline)| VolumeShape::Prism { min_y, max_y, outline });
        let level = [point(), point()].prop_map(|[a, b]| VolumeShape::Box(Aabb::new(a, b)));
        let turned = (point(), point(), number()).prop_map(|(center, half_extents, yaw)| {
            VolumeShape::TurnedBox { center, half_extents: half_extents.abs(), yaw }
        });
        let cylinder = (point(), size(), size())
            .prop_map(|(base, radius, height)| VolumeShape::Cylinder { base, radius, height });
        let area = prop_oneof![Just(0), 0..64u8].prop_map(RawArea);
        (area, prop_oneof![prism, level, turned, cylinder], any::<bool>()).prop_map(
            |(area, shape, erode)| AreaVolume {
                erode: erode && !area.is_walkable(),
                ..AreaVolume::new(area, shape)
            },
        )
    }

    fn limit(min: f32) -> impl Strategy<Value = Option<f32>> {
        prop::option::of(min..=JumpLimits::MAX)
    }

    fn rule() -> impl Strategy<Value = SurfaceRule> {
        let name = prop_oneof!["[ a-c\"#\\\\=\n\r\t]{0,6}", any::<String>()];
        let source = prop::sample::select(SurfaceSource::ALL.to_vec());
        let area = (0..64u8).prop_map(|area| SurfaceUse::Area(RawArea(area)));
        (source, name, prop_oneof![area, Just(SurfaceUse::LeftOut)])
            .prop_map(|(source, name, becomes)| SurfaceRule { source, name, becomes })
    }

    fn link() -> impl Strategy<Value = OffMeshLink> {
        (point(), point(), number(), any::<bool>(), 0..64u8, any::<u16>()).prop_map(
            |(start, end, radius, bidirectional, area, flags)| OffMeshLink {
                start,
                end,
                radius,
                bidirectional,
                area: AreaId(area),
                flags,
                user_id: 0,
            },
        )
    }

    fn area() -> impl Strategy<Value = Area> {
        let name = prop_oneof!["[ a-c\"#\\\\=\n\r\t]{0,6}", any::<String>()];
        let color = prop::option::of(any::<[u8; 3]>().prop_map(Rgb));
        (name, color, 1.0..=1000.0_f32, 0.0..=1e5_f32, any::<u16>()).prop_map(
            |(name, color, cost, entering_cost, flags)| Area {
                name,
                color,
                cost,
                entering_cost,
                flags,
            },
        )
    }

    #[test]
    fn an_area_line_gives_flags_costs_and_a_color() {
        let text = "area 7 deep mud flags=0x21 cost=2.5 enter=4 color=#56b4e9 # slow\n\
                    area 9\narea 1 flags=1\narea 10 \"a # b\" color=ff0000\n";
        let areas = BakeConfig::parse(text).unwrap().areas;
        let mud = Area {
            name: "deep mud".to_owned(),
            color: Some(Rgb([0x56, 0xb4, 0xe9])),
            cost: 2.5,
            entering_cost: 4.0,
            flags: 0x21,
        };
        assert_eq!(areas.area(7), mud);
        assert_eq!((areas.name(9), areas.area(9).flags), ("Area 9".to_owned(), 1));
        assert_eq!((areas.name(1), areas.area(1).flags), ("Water".to_owned(), 1));
        assert_eq!((areas.name(10), areas.color(10)), ("a # b".into(), Some(Rgb([255, 0, 0]))));
        check_error("area", "line 1: the area is missing");
        check_error("area 63 a", "line 1: the area is `63`, but must be a whole number up to 62");
        let flags = "line 1: the flags is `x`, but must be a whole number up to 65535";
        check_error("area 7 a flags=x", flags);
        check_error("area 7 a cost=0.5", "line 1: the cost is `0.5`, but must be 1 to 1000");
        check_error(
            "area 7 a enter=-1",
            "line 1: the entering cost is `-1`, but must be 0 to 100000",
        );
        check_error("area 7 a color=red", "line 1: the color is `red`, but must be like #56b4e9");
        check_error("area 7 a cost=2 more", "line 1: `more` is left over");
        check_error("area 7 \"a", "line 1: the name `\"a` has no closing quote");
    }

    proptest! {
        #[test]
        fn any_written_file_is_read_back(
            volumes in prop::collection::vec(volume(), 0..8),
            mut off_mesh in prop::collection::vec(link(), 0..4),
            surfaces in prop::collection::vec(rule(), 0..4),
            corners in prop::collection::vec([point(), point()], 0..3),
            areas in prop::collection::vec((0..=AreaTable::LAST, area()), 0..4),
            (distance, drop, up) in (limit(0.01), limit(0.0), limit(0.0)),
        ) {
            for (link, user_id) in off_mesh.iter_mut().zip(FIRST_OFF_MESH_USER_ID..) {
                link.user_id = user_id;
            }
            let settings = BakeSettings::default();
            let bounds = corners.into_iter().map(|[a, b]| Aabb::new(a, b)).collect();
            let areas = areas.into_iter().fold(AreaTable::default(), |table, (id, area)| {
                table.with(id, area)
            });
            let jumps = JumpLimits { distance, drop, up };
            let config = BakeConfig { settings, volumes, off_mesh, surfaces, bounds, areas, jumps };
            prop_assert_eq!(BakeConfig::parse(&config.to_text()), Ok(config));
        }
    }

    #[track_caller]
    fn check_error(text: &str, message: &str) {
        assert_eq!(BakeConfig::parse(text).unwrap_err().to_string(), message);
    }

    #[test]
    fn errors_name_the_line() {
        check_error("\n\ncell=1", "line 3: there is no setting `cell`");
        check_error("tile_size=-1", "line 1: tile_size takes a whole number, not `-1`");
        check_error(
            "obstacle 1",
            "line 1: expected key=value, volume, box, turned, cylinder, object, material, area, jump, bound \
             or offmesh, not `obstacle 1`",
        );
        check_error(
            "volume 64 0 1",
            "line 1: the area is `64`, but must be a whole number up to 63",
        );
        check_error("volume 1 0", "line 1: the highest height is missing");
        check_error("volume 1 0 1 0 0 0 1 0", "line 1: a corner's z is missing");
        check_error("volume 1 0 1 0 0 0 1 0 1", "line 1: a volume needs at least 3 corners, not 2");
        check_error(
            "volume 1 0 inf",
            "line 1: the highest height is `inf`, but must be a finite number",
        );
        check_error(
            "offmesh 1 2 3 4 5 6 1 2 0 0",
            "line 1: the bidirectional mark is `2`, but must be 0 or 1",
        );
        check_error("offmesh 1 2 3 4 5 6 1 1 0 0 9", "line 1: `9` is left over");
        check_error("box 1 0 0 0 1 1", "line 1: the largest z is missing");
        check_error(
            "box 1 0 3 0 1 1 1",
            "line 1: the box along y goes from 3 to 1, but the minimum must not exceed the maximum",
        );
        check_error("box 1 0 0 0 1 1 1 1", "line 1: `1` is left over");
        check_error(
            "cylinder 1 0 0 0 -1 1",
            "line 1: the radius is `-1`, but must be a finite number, at least 0",
        );
        check_error("turned 1 0 0 0 1 1 1", "line 1: the yaw is missing");
        check_error("bound 0 0 0 1 1", "line 1: the largest z is missing");
        check_error("object", "line 1: the name is missing");
        check_error("object 5", "line 1: the name is missing");
        check_error(
            "object a b",
            "line 1: the area is `b`, but must be a whole number up to 63, or none",
        );
        check_error("object \"a\" 1 2", "line 1: `2` is left over");
        check_error("object \"a 1", "line 1: the name `\"a 1` has no closing quote");
    }
}
