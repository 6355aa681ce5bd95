//! Parses and formats the lines of a settings file.

use glam::Vec3;
use walkable_runtime::{geom::Aabb, ids::AreaId};

use super::MAX_NAME_BYTES;
use crate::bake::{
    Area, AreaTable, AreaVolume, COSTS, ConfigErrorKind, ENTERING_COSTS, OffMeshLink, RawArea, Rgb,
    SurfaceRule, SurfaceSource, SurfaceUse, VolumeShape,
};

/// The word at the end of the line of a volume with a margin of the agent's radius.
const ERODE: &str = " erode";

/// Formats a volume for [`read_volume`].
pub(super) fn volume(volume: &AreaVolume) -> String {
    let (name, numbers) = match &volume.shape {
        VolumeShape::Prism { min_y, max_y, outline } => {
            let corners = outline.iter().flat_map(Vec3::to_array);
            ("volume", [*min_y, *max_y].into_iter().chain(corners).collect())
        }
        VolumeShape::Box(Aabb { min, max }) => ("box", [min.to_array(), max.to_array()].concat()),
        VolumeShape::TurnedBox { center, half_extents, yaw } => {
            ("turned", [&center.to_array()[..], &half_extents.to_array(), &[*yaw]].concat())
        }
        VolumeShape::Cylinder { base, radius, height } => {
            ("cylinder", [&base.to_array()[..], &[*radius, *height]].concat())
        }
    };
    let margin = if volume.erode && !volume.area.is_walkable() { ERODE } else { "" };
    format!("{name} {} {}{margin}", volume.area.0, join(&numbers))
}

/// Formats an off-mesh link for [`read_link`].
pub(super) fn link(link: &OffMeshLink) -> String {
    let ends = join(&[link.start.to_array(), link.end.to_array()].concat());
    let both_ways = u8::from(link.bidirectional);
    format!("offmesh {ends} {} {both_ways} {} {}", link.radius, link.area.0, link.flags)
}

/// Formats a surface rule for [`read_surface`].
pub(super) fn surface(rule: &SurfaceRule) -> String {
    let name = &rule.name;
    let is_plain = name.trim() == name
        && !name.is_empty()
        && !name.contains(['"', '#', '\\'])
        && !name.contains(char::is_control);
    let name = if is_plain { name.clone() } else { quoted(name) };
    let becomes = match rule.becomes {
        SurfaceUse::Area(area) => area.0.to_string(),
        SurfaceUse::LeftOut => LEFT_OUT.to_owned(),
    };
    format!("{} {name} {becomes}", rule.source.key())
}

/// Formats an area for [`read_area`].
pub(super) fn area(id: u8, area: &Area) -> String {
    let Area { name, color, cost, entering_cost, flags } = area;
    let name = quoted(name);
    let mut line = format!("area {id} {name} flags={flags} cost={cost} enter={entering_cost}");
    if let Some(color) = *color {
        line.push_str(" color=");
        line.push_str(&String::from(color));
    }
    line
}

/// Formats a bound for [`read_bound`].
pub(super) fn bound(bound: &Aabb) -> String {
    format!("bound {}", join(&[bound.min.to_array(), bound.max.to_array()].concat()))
}

/// Formats a name in double quotes, for settings files and files like them. [`unquoted`] reads it.
pub fn quoted(name: &str) -> String {
    let escaped = name.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\n").replace('\r', "\\r"))
}

/// The word that replaces an area if the triangles are excluded.
const LEFT_OUT: &str = "none";

fn join(numbers: &[f32]) -> String {
    let words: Vec<_> = numbers.iter().map(ToString::to_string).collect();
    words.join(" ")
}

/// Parses the rest of a line that begins with the name of a shape.
pub(super) fn read_volume(
    shape: &str,
    words: &mut LineWords<'_>,
) -> Result<AreaVolume, ConfigErrorKind> {
    let area = RawArea(words.area()?);
    let erode = words.rest.clone().next_back() == Some(ERODE.trim_start());
    if erode {
        words.rest.next_back();
        if area.is_walkable() {
            return Err(ConfigErrorKind::MarginOfWalkable { area: area.0 });
        }
    }
    let shape = match shape {
        "box" => VolumeShape::Box(words.bounds()?),
        "turned" => VolumeShape::TurnedBox {
            center: words.point(["the middle's x", "the middle's y", "the middle's z"])?,
            half_extents: Vec3::new(
                words.size("half the extent along x")?,
                words.size("half the extent along y")?,
                words.size("half the extent along z")?,
            ),
            yaw: words.float("the yaw")?,
        },
        "cylinder" => VolumeShape::Cylinder {
            base: words.point(["the bottom's x", "the bottom's y", "the bottom's z"])?,
            radius: words.size("the radius")?,
            height: words.size("the height")?,
        },
        _ => read_prism(words)?,
    };
    words.end()?;
    Ok(AreaVolume { erode, ..AreaVolume::new(area, shape) })
}

fn read_prism(words: &mut LineWords<'_>) -> Result<VolumeShape, ConfigErrorKind> {
    let min_y = words.float("the lowest height")?;
    let max_y = words.float("the highest height")?;
    let mut outline = Vec::new();
    while let Some(x) = words.rest.next() {
        let x = float(x, "a corner's x")?;
        outline.push(Vec3::new(x, words.float("a corner's y")?, words.float("a corner's z")?));
    }
    if outline.len() < 3 {
        return Err(ConfigErrorKind::TooFewCorners { n: outline.len() });
    }
    Ok(VolumeShape::Prism { min_y, max_y, outline })
}

/// Parses the rest of a line that begins with `offmesh`.
pub(super) fn read_link(
    words: &mut LineWords<'_>,
    user_id: u32,
) -> Result<OffMeshLink, ConfigErrorKind> {
    let link = OffMeshLink {
        start: words.point(["the start's x", "the start's y", "the start's z"])?,
        end: words.point(["the end's x", "the end's y", "the end's z"])?,
        radius: words.float("the radius")?,
        bidirectional: words.parsed("the bidirectional mark", "0 or 1", |text| match text {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        })?,
        area: AreaId(words.area()?),
        flags: words.parsed("the flags", "a whole number up to 65535", |t| t.parse().ok())?,
        user_id,
    };
    words.end()?;
    Ok(link)
}

/// Parses the rest of a line that begins with `bound`.
pub(super) fn read_bound(words: &mut LineWords<'_>) -> Result<Aabb, ConfigErrorKind> {
    let bounds = words.bounds()?;
    words.end()?;
    Ok(bounds)
}

/// Splits a line into the kind of surface rule and the rest; `None` if it is not a surface rule.
pub(super) fn surface_source(line: &str) -> Option<(SurfaceSource, &str)> {
    let line = line.trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let source = SurfaceSource::ALL.into_iter().find(|source| source.key() == first)?;
    Some((source, rest.trim_start()))
}

/// Parses the part after `object` or `material`: a name and an area.
pub(super) fn read_surface(
    source: SurfaceSource,
    text: &str,
) -> Result<SurfaceRule, ConfigErrorKind> {
    let (name, rest) = match text.strip_prefix('"') {
        Some(quoted) => {
            let open_quote = || ConfigErrorKind::OpenQuote { text: text.to_owned() };
            unquoted(quoted).ok_or_else(open_quote)?
        }
        None => plain_name(without_comment(text))?,
    };
    check_name(&name)?;
    let mut words = LineWords::new(without_comment(rest));
    let expected = "a whole number up to 63, or none";
    let becomes = words.parsed("the area", expected, |text| match text {
        LEFT_OUT => Some(SurfaceUse::LeftOut),
        number => area_number(number).map(RawArea).map(SurfaceUse::Area),
    })?;
    words.end()?;
    Ok(SurfaceRule { source, name, becomes })
}

/// Returns the part after `area` on a line that begins with it.
pub(super) fn area_line(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix("area")?;
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
}

/// Parses the part after `area`: an id, an optional name, and differences from area `id` of `areas`.
pub(super) fn read_area(text: &str, areas: &AreaTable) -> Result<(u8, Area), ConfigErrorKind> {
    let (number, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let id = LineWords::new(number).parsed("the area", "a whole number up to 62", |text| {
        text.parse().ok().filter(|id| *id <= AreaTable::LAST)
    })?;
    let mut area = areas.area(id);
    let rest = rest.trim_start();
    let rest = if let Some(text) = rest.strip_prefix('"') {
        let open_quote = || ConfigErrorKind::OpenQuote { text: rest.to_owned() };
        let (name, rest) = unquoted(text).ok_or_else(open_quote)?;
        area.name = name;
        rest
    } else {
        let (name, rest) = rest.split_at(end_of_plain_name(rest));
        if !name.trim().is_empty() {
            name.trim().clone_into(&mut area.name);
        }
        rest
    };
    check_name(&area.name)?;
    for word in rest.split_whitespace().take_while(|word| !word.starts_with('#')) {
        let surplus = || ConfigErrorKind::Surplus { text: word.to_owned() };
        let (key, value) = word.split_once('=').ok_or_else(surplus)?;
        let mut value = LineWords::new(value);
        match key {
            "flags" => {
                area.flags = value.parsed("the flags", "a whole number up to 65535", flags)?;
            }
            "cost" => area.cost = value.within("the cost", "1 to 1000", COSTS)?,
            "enter" => {
                area.entering_cost =
                    value.within("the entering cost", "0 to 100000", ENTERING_COSTS)?;
            }
            "color" => area.color = Some(value.parsed("the color", "like #56b4e9", color)?),
            _ => return Err(surplus()),
        }
    }
    Ok((id, area))
}

/// Limits the length of names, since messages quote them in full.
fn check_name(name: &str) -> Result<(), ConfigErrorKind> {
    let n_bytes = name.len();
    if n_bytes > MAX_NAME_BYTES { Err(ConfigErrorKind::LongName { n_bytes }) } else { Ok(()) }
}

/// Returns the end of an unquoted area name: its first `key=` or comment.
fn end_of_plain_name(text: &str) -> usize {
    const KEYS: [&str; 5] = ["flags=", "cost=", "enter=", "color=", "#"];
    let starts =
        text.char_indices().filter(|&(at, _)| at == 0 || text[..at].ends_with(char::is_whitespace));
    let mut ends = starts.filter(|&(at, _)| KEYS.iter().any(|key| text[at..].starts_with(key)));
    ends.next().map_or(text.len(), |(at, _)| at)
}

/// Parses flags, decimal or hexadecimal after `0x`.
fn flags(text: &str) -> Option<u16> {
    match text.strip_prefix("0x") {
        Some(digits) => u16::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Parses a color with or without its `#`.
fn color(text: &str) -> Option<Rgb> {
    Rgb::try_from(format!("#{}", text.trim_start_matches('#'))).ok()
}

/// Splits a text into everything before the last word, and the last word.
fn plain_name(text: &str) -> Result<(String, &str), ConfigErrorKind> {
    match text.rsplit_once(char::is_whitespace) {
        Some((name, area)) => Ok((name.trim_end().to_owned(), area)),
        None => Err(ConfigErrorKind::Missing { what: "the name" }),
    }
}

/// Splits `quoted`, the text after an opening quote, into the name before the closing quote and the rest; `None` if there
/// is no closing quote.
pub fn unquoted(quoted: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut chars = quoted.chars();
    loop {
        match chars.next()? {
            '"' => return Some((name, chars.as_str())),
            '\\' => name.push(match chars.next()? {
                'n' => '\n',
                'r' => '\r',
                other => other,
            }),
            other => name.push(other),
        }
    }
}

/// Removes a comment that begins with `#`, and blanks at both ends.
pub(super) fn without_comment(line: &str) -> &str {
    line.split_once('#').map_or(line, |(before, _)| before).trim()
}

fn area_number(text: &str) -> Option<u8> {
    text.parse().ok().filter(|&number| usize::from(number) < AreaId::COUNT)
}

/// Reads the rest of a line word by word.
pub(super) struct LineWords<'a> {
    rest: std::str::SplitWhitespace<'a>,
}

impl<'a> LineWords<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        Self { rest: line.split_whitespace() }
    }

    pub(super) fn word(&mut self, what: &'static str) -> Result<&'a str, ConfigErrorKind> {
        self.rest.next().ok_or(ConfigErrorKind::Missing { what })
    }

    pub(super) fn parsed<T>(
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

    pub(super) fn float(&mut self, what: &'static str) -> Result<f32, ConfigErrorKind> {
        float(self.word(what)?, what)
    }

    pub(super) fn point(&mut self, what: [&'static str; 3]) -> Result<Vec3, ConfigErrorKind> {
        Ok(Vec3::new(self.float(what[0])?, self.float(what[1])?, self.float(what[2])?))
    }

    /// Reads a number from `least` to `most`.
    pub(super) fn within(
        &mut self,
        what: &'static str,
        expected: &'static str,
        [least, most]: [f32; 2],
    ) -> Result<f32, ConfigErrorKind> {
        let is_within = |value: &f32| (least..=most).contains(value);
        self.parsed(what, expected, |text| text.parse().ok().filter(is_within))
    }

    /// Reads a number that is not negative.
    fn size(&mut self, what: &'static str) -> Result<f32, ConfigErrorKind> {
        self.parsed(what, "a finite number, at least 0", |text| {
            text.parse().ok().filter(|size: &f32| size.is_finite() && 0.0 <= *size)
        })
    }

    /// Reads the minimum and maximum of a box.
    pub(super) fn bounds(&mut self) -> Result<Aabb, ConfigErrorKind> {
        let min = self.point(["the smallest x", "the smallest y", "the smallest z"])?;
        let max = self.point(["the largest x", "the largest y", "the largest z"])?;
        let sides = [
            ("the box along x", min.x, max.x),
            ("the box along y", min.y, max.y),
            ("the box along z", min.z, max.z),
        ];
        match sides.into_iter().find(|(_, min, max)| max < min) {
            None => Ok(Aabb { min, max }),
            Some((what, min, max)) => Err(ConfigErrorKind::Reversed { what, min, max }),
        }
    }

    /// Checks that the line has no more words.
    pub(super) fn end(&mut self) -> Result<(), ConfigErrorKind> {
        match self.rest.next() {
            None => Ok(()),
            Some(text) => Err(ConfigErrorKind::Surplus { text: text.to_owned() }),
        }
    }

    pub(super) fn area(&mut self) -> Result<u8, ConfigErrorKind> {
        self.parsed("the area", "a whole number up to 63", area_number)
    }
}

fn float(text: &str, what: &'static str) -> Result<f32, ConfigErrorKind> {
    let expected = "a finite number";
    text.parse()
        .ok()
        .filter(|value: &f32| value.is_finite())
        .ok_or_else(|| ConfigErrorKind::Malformed { what, text: text.to_owned(), expected })
}
