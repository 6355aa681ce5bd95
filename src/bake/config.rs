//! Settings files: `key=value` lines, painted volumes and off-mesh links as text.
//!
//! ```text
//! # comment
//! cell_size=0.25
//! volume AREA MIN_Y MAX_Y  x y z  x y z  x y z …
//! offmesh  ax ay az  bx by bz  RADIUS BIDIRECTIONAL AREA FLAGS
//! ```
//!
//! Settings that a file leaves out have RecastDemo's values. Links are numbered from 1000 in the order
//! of the file; the file does not hold the numbers.

use std::fmt::Write as _;

use glam::Vec3;

use crate::{
    bake::{AreaVolume, BakeSettings, OffMeshLink, PARAMS, SettingsError},
    ids::AreaId,
};

/// User id of a file's first off-mesh link.
pub const FIRST_OFF_MESH_USER_ID: u32 = 1000;

/// What a settings file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BakeConfig {
    /// The agent and the grid.
    pub settings: BakeSettings,
    /// Painted areas, in order.
    pub volumes: Vec<AreaVolume>,
    /// Connections, in order.
    pub off_mesh: Vec<OffMeshLink>,
}

/// Why a settings file cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ConfigError {
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: ConfigErrorKind,
}

/// What is wrong with a line of a settings file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigErrorKind {
    /// A setting is unknown or out of range.
    #[error(transparent)]
    Setting(#[from] SettingsError),
    /// The line is none of those a settings file has.
    #[error("expected key=value, `volume …` or `offmesh …`, not `{text}`")]
    UnknownLine {
        /// The line.
        text: String,
    },
    /// A line ends too early.
    #[error("{what} is missing")]
    Missing {
        /// What should have come next.
        what: &'static str,
    },
    /// A word is not what it should be.
    #[error("{what} is `{text}`, but must be {expected}")]
    Malformed {
        /// What the word stands for.
        what: &'static str,
        /// The word.
        text: String,
        /// What it must be.
        expected: &'static str,
    },
    /// A line goes on after its end.
    #[error("`{text}` is too much")]
    Surplus {
        /// The first word too many.
        text: String,
    },
    /// A volume's outline is a point or a line.
    #[error("a volume needs at least 3 corners, not {n}")]
    TooFewCorners {
        /// How many it has.
        n: usize,
    },
}

impl BakeConfig {
    /// Reads a settings file. Lines may end in CR LF; empty lines and what follows a `#` are skipped.
    ///
    /// # Errors
    /// [`ConfigError`] naming the first bad line.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let mut config = Self::default();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            config.read_line(line).map_err(|reason| ConfigError { line: index + 1, reason })?;
        }
        Ok(config)
    }

    /// Writes every setting, volume and link so that [`BakeConfig::parse`] reads them back unchanged,
    /// except for links numbered otherwise than from 1000 in order.
    pub fn to_text(&self) -> String {
        // Writing to a string cannot fail.
        let mut text = String::new();
        for param in PARAMS {
            let _ = writeln!(text, "{}={}", param.key, param.format(param.get(&self.settings)));
        }
        for volume in &self.volumes {
            let _ = write!(text, "volume {} {} {}", volume.area.0, volume.min_y, volume.max_y);
            for corner in &volume.outline {
                let _ = write!(text, " {} {} {}", corner.x, corner.y, corner.z);
            }
            text.push('\n');
        }
        for link in &self.off_mesh {
            let (a, b) = (link.start, link.end);
            let both_ways = u8::from(link.bidirectional);
            let ends = format!("{} {} {} {} {} {}", a.x, a.y, a.z, b.x, b.y, b.z);
            let how = format!("{} {both_ways} {} {}", link.radius, link.area.0, link.flags);
            let _ = writeln!(text, "offmesh {ends} {how}");
        }
        text
    }

    fn read_line(&mut self, line: &str) -> Result<(), ConfigErrorKind> {
        let line = line.split_once('#').map_or(line, |(before, _)| before).trim();
        if line.is_empty() {
            return Ok(());
        }
        if let Some((key, value)) = line.split_once('=') {
            return Ok(self.settings.set(key.trim(), value)?);
        }
        let mut words = Words(line.split_whitespace());
        match words.word("the first word")? {
            "volume" => self.volumes.push(read_volume(&mut words)?),
            "offmesh" => {
                let n = u32::try_from(self.off_mesh.len()).unwrap_or(u32::MAX);
                let user_id = FIRST_OFF_MESH_USER_ID.saturating_add(n);
                self.off_mesh.push(read_link(&mut words, user_id)?);
            }
            _ => return Err(ConfigErrorKind::UnknownLine { text: line.to_owned() }),
        }
        Ok(())
    }
}

fn read_volume(words: &mut Words<'_>) -> Result<AreaVolume, ConfigErrorKind> {
    let area = words.area()?;
    let min_y = words.float("the lowest height")?;
    let max_y = words.float("the highest height")?;
    let mut outline = Vec::new();
    while let Some(x) = words.0.next() {
        let x = float(x, "a corner's x")?;
        outline.push(Vec3::new(x, words.float("a corner's y")?, words.float("a corner's z")?));
    }
    if outline.len() < 3 {
        return Err(ConfigErrorKind::TooFewCorners { n: outline.len() });
    }
    Ok(AreaVolume { area, min_y, max_y, outline })
}

fn read_link(words: &mut Words<'_>, user_id: u32) -> Result<OffMeshLink, ConfigErrorKind> {
    let link = OffMeshLink {
        start: words.point(["the start's x", "the start's y", "the start's z"])?,
        end: words.point(["the end's x", "the end's y", "the end's z"])?,
        radius: words.float("the radius")?,
        bidirectional: words.parsed("the bidirectional mark", "0 or 1", |text| match text {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        })?,
        area: words.area()?,
        flags: words.parsed("the flags", "a whole number up to 65535", |t| t.parse().ok())?,
        user_id,
    };
    words.0.next().map_or(Ok(link), |text| Err(ConfigErrorKind::Surplus { text: text.to_owned() }))
}

/// The rest of a line, word by word.
struct Words<'a>(std::str::SplitWhitespace<'a>);

impl<'a> Words<'a> {
    fn word(&mut self, what: &'static str) -> Result<&'a str, ConfigErrorKind> {
        self.0.next().ok_or(ConfigErrorKind::Missing { what })
    }

    fn parsed<T>(
        &mut self,
        what: &'static str,
        expected: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ConfigErrorKind> {
        let text = self.word(what)?;
        parse(text).ok_or_else(|| ConfigErrorKind::Malformed {
            what,
            text: text.to_owned(),
            expected,
        })
    }

    fn float(&mut self, what: &'static str) -> Result<f32, ConfigErrorKind> {
        float(self.word(what)?, what)
    }

    fn point(&mut self, what: [&'static str; 3]) -> Result<Vec3, ConfigErrorKind> {
        Ok(Vec3::new(self.float(what[0])?, self.float(what[1])?, self.float(what[2])?))
    }

    fn area(&mut self) -> Result<AreaId, ConfigErrorKind> {
        self.parsed("the area", "a whole number up to 63", |text| {
            let id = text.parse().ok()?;
            (usize::from(id) < AreaId::COUNT).then_some(AreaId(id))
        })
    }
}

fn float(text: &str, what: &'static str) -> Result<f32, ConfigErrorKind> {
    let expected = "a finite number";
    text.parse()
        .ok()
        .filter(|value: &f32| value.is_finite())
        .ok_or_else(|| ConfigErrorKind::Malformed { what, text: text.to_owned(), expected })
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(
            config.volumes,
            [AreaVolume { area: AreaId(2), min_y: -3.5, max_y: 8.0, outline }]
        );
        let [first, second] = config.off_mesh[..] else { panic!("two links") };
        assert_eq!(first.end, Vec3::new(2.0, -2.37, -6.0));
        assert!(first.bidirectional && !second.bidirectional);
        assert_eq!([first.user_id, second.user_id], [1000, 1001]);
        assert_eq!((second.area, second.flags), (AreaId(5), 16));
    }

    #[test]
    fn what_it_writes_it_reads_back() {
        let mut config = BakeConfig::parse(SAMPLE).unwrap();
        config.off_mesh[1].end = config.off_mesh[1].start;
        assert_eq!(BakeConfig::parse(&config.to_text()), Ok(config));
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
            "line 1: expected key=value, `volume …` or `offmesh …`, not `obstacle 1`",
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
        check_error("offmesh 1 2 3 4 5 6 1 1 0 0 9", "line 1: `9` is too much");
    }
}
