//! Finds positions in a line of a game's log.

use std::iter::Peekable;

use glam::{DVec3, Vec3};
use walkable::{
    diagnostic::{Meters, Phrase},
    geom::Aabb,
    mesh::ImportOptions,
    phrase,
};

use crate::units::units;

/// Positions in a text, in meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Positions<P = DVec3> {
    Place(P),
    /// Two positions: the start and the end of a path.
    Path([P; 2]),
}

impl<P> Positions<P> {
    fn map<Q>(self, with: impl Fn(P) -> Q) -> Positions<Q> {
        match self {
            Self::Place(place) => Positions::Place(with(place)),
            Self::Path(ends) => Positions::Path(ends.map(with)),
        }
    }
}

impl Positions {
    /// Returns the positions in a level. Positions of a game can be relative to the origin of the level's file: the import
    /// origin is subtracted from those that it brings nearer to `bounds`.
    pub fn in_level(self, import: ImportOptions, bounds: &Aabb) -> Positions<Vec3> {
        let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        let away = |at: DVec3| at.distance(at.max(min).min(max));
        self.map(|at| {
            let moved = at - import.moved_by();
            if away(moved) < away(at) { moved } else { at }.as_vec3()
        })
    }

    pub fn as_they_are(self) -> Positions<Vec3> {
        self.map(DVec3::as_vec3)
    }

    /// Returns the places that positions of a log refer to, in a level with these import options and bounds, or in a navmesh.
    /// `below` returns the floor under a position that is above it.
    pub fn placed(
        self,
        level: Option<(ImportOptions, Aabb)>,
        below: impl Fn(Vec3) -> Option<Vec3>,
    ) -> Placed {
        let as_they_are = self.as_they_are();
        let at = level.map_or(as_they_are, |(import, bounds)| self.in_level(import, &bounds));
        let moved =
            (at != as_they_are).then(|| phrase!("positions are moved by the import origin"));
        let mut notes: Vec<_> = moved.into_iter().collect();
        let mut put_down = |at: Vec3, note: &dyn Fn(Meters) -> Phrase| {
            let Some(floor) = below(at) else { return at };
            notes.push(note(Meters(at.y - floor.y)));
            floor
        };
        let at = match at {
            Positions::Place(place) => Positions::Place(put_down(place, &|down| {
                phrase!("the place is put on the floor, {down} below its position", down)
            })),
            Positions::Path([start, end]) => Positions::Path([
                put_down(start, &|down| {
                    phrase!("the start is put on the floor, {down} below its position", down)
                }),
                put_down(end, &|down| {
                    phrase!("the end is put on the floor, {down} below its position", down)
                }),
            ]),
        };
        Placed { at, notes }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    pub at: Positions<Vec3>,
    pub notes: Vec<Phrase>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPositions {
    /// There are none or more than two.
    #[error(
        "expected one or two positions, as in \"from (1, 2, 3) to (4, 5, 6)\", \"X=1 Y=2 Z=3\", \"X=150cm Y=20cm Z=30cm\", \"1,5; 2; 3\" or \"1 2 3 4 5 6\"; found {found}"
    )]
    Number { found: usize },
    /// The text is a console command of a game whose third axis points up.
    #[error(
        "`{command}` has z up and the units of its game: give the position in meters with y up, as in \"1 2 3\""
    )]
    OtherAxes { command: &'static str },
}

/// Console commands whose positions have z up.
const COMMANDS: [&str; 2] = [".go xyz", "setpos"];

/// Finds the positions in `text`, a line of a log.
///
/// A position is three numbers in brackets, as in `(1.0, 2.0, 3.0)`, or three numbers with their axes, as in
/// `X=1.0 Y=2.0 Z=3.0`. If there is none, runs of three numbers are positions, and a run of six numbers is two. Numbers are
/// in meters unless `cm` or `mm` follows. Three numbers after a word such as `angle` or `rotation` are no position. Other
/// numbers, such as times and numbers that are part of a name, are ignored.
///
/// # Errors
/// Returns [`NoPositions`] if there are none or more than two, or if the text is a console command with other axes.
pub fn find_positions(text: &str) -> Result<Positions, NoPositions> {
    let lower = text.to_ascii_lowercase();
    let is_in_word = |c: char| c.is_alphanumeric() || c == '_';
    let has = |command: &&str| {
        lower.match_indices(*command).any(|(at, _)| {
            let (before, after) = (&lower[..at], &lower[at + command.len()..]);
            !before.ends_with(is_in_word) && !after.starts_with(is_in_word)
        })
    };
    if let Some(command) = COMMANDS.into_iter().find(has) {
        return Err(NoPositions::OtherAxes { command });
    }
    let tokens = tokens(text);
    let mut found = marked(&tokens);
    if found.is_empty() {
        found = bare(&tokens);
    }
    match found[..] {
        [place] => Ok(Positions::Place(place)),
        [start, end] => Ok(Positions::Path([start, end])),
        _ => Err(NoPositions::Number { found: found.len() }),
    }
}

/// Finds positions in the unit of the window in a text that was typed or pasted.
pub fn typed_positions(text: &str) -> Result<Positions, NoPositions> {
    Ok(find_positions(text)?.map(|at| at * units().meters()))
}

/// A piece of a text. Spaces, commas and semicolons separate tokens and are dropped.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    /// A number, and whether a unit followed it.
    Number(f64, bool),
    Axis(u8),
    Open,
    Close,
    /// A word after which three numbers are not a position.
    NotPosition,
    Other,
}

/// Beginnings of words for what three numbers can be besides a position.
const NOT_POSITIONS: [&str; 12] = [
    "ang", "setang", "rot", "yaw", "pitch", "dir", "facing", "forward", "heading", "euler", "vel",
    "scale",
];

fn marked(tokens: &[Token]) -> Vec<DVec3> {
    let mut found = Vec::new();
    let mut rest = tokens;
    let mut is_position = true;
    while !rest.is_empty() {
        let n_used = match *rest {
            [
                Token::Open,
                Token::Number(x, _),
                Token::Number(y, _),
                Token::Number(z, _),
                Token::Close,
                ..,
            ] => {
                found.extend(is_position.then_some(DVec3::new(x, y, z)));
                5
            }
            [
                Token::Axis(0),
                Token::Number(x, _),
                Token::Axis(1),
                Token::Number(y, _),
                Token::Axis(2),
                Token::Number(z, _),
                ..,
            ] => {
                found.extend(is_position.then_some(DVec3::new(x, y, z)));
                6
            }
            _ => 1,
        };
        is_position = match rest[0] {
            Token::NotPosition => false,
            Token::Open if n_used == 1 => is_position,
            Token::Open | Token::Number(..) | Token::Axis(_) | Token::Close | Token::Other => true,
        };
        rest = &rest[n_used..];
    }
    found
}

fn bare(tokens: &[Token]) -> Vec<DVec3> {
    let mut found = Vec::new();
    let (mut run, mut is_position) = (Vec::new(), true);
    for token in tokens.iter().chain([&Token::Other]) {
        if let Token::Number(number, _) = *token {
            run.push(number);
            continue;
        }
        if is_position && matches!(run.len(), 3 | 6) {
            found.extend(run.chunks(3).map(DVec3::from_slice));
        }
        run.clear();
        is_position = *token != Token::NotPosition;
    }
    found
}

fn tokens(text: &str) -> Vec<Token> {
    // Some programs write the minus sign of typography.
    let mut text = text.replace('−', "-");
    if has_decimal_commas(&text) {
        text = text.replace(',', ".");
    }
    let mut chars = text.chars().peekable();
    let mut tokens = Vec::new();
    while let Some(&first) = chars.peek() {
        if first.is_whitespace() || matches!(first, ',' | ';' | '"' | '\'') {
            chars.next();
            continue;
        }
        if matches!(first, '(' | '[' | '{' | '<') {
            chars.next();
            tokens.push(Token::Open);
            continue;
        }
        if matches!(first, ')' | ']' | '}' | '>') {
            chars.next();
            tokens.push(Token::Close);
            continue;
        }
        word(&mut chars, &mut tokens);
    }
    tokens
}

/// Returns whether the commas of a text are in numbers, as in `1,5; 2; 3,25`, rather than between them.
fn has_decimal_commas(text: &str) -> bool {
    let separators = |c: char| c.is_whitespace() || ";()[]{}<>\"'=:".contains(c);
    let is_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let parts =
        |word: &str| word.trim_start_matches('-').split(',').map(is_digits).collect::<Vec<_>>();
    let mut words = text.split(separators).filter(|word| word.contains(',')).map(parts).peekable();
    words.peek().is_some() && words.all(|parts| parts == [true, true])
}

/// Reads characters up to the next separator or bracket, or up to and including `=` or `:` after the name of an axis.
fn word(chars: &mut Peekable<impl Iterator<Item = char>>, tokens: &mut Vec<Token>) {
    let mut word = String::new();
    while let Some(&next) = chars.peek() {
        if next.is_whitespace() || ",;\"'()[]{}<>".contains(next) {
            break;
        }
        word.push(next);
        chars.next();
        if matches!(next, '=' | ':')
            && let Some(axis) = axis(&word[..word.len() - 1])
        {
            tokens.push(Token::Axis(axis));
            return;
        }
    }
    // The name of an axis may be quoted or have spaces after it.
    if let Some(axis) = axis(&word) {
        while chars.next_if(|next| next.is_whitespace() || matches!(next, '"' | '\'')).is_some() {}
        if chars.next_if(|next| matches!(next, '=' | ':')).is_some() {
            tokens.push(Token::Axis(axis));
            return;
        }
    }
    // A unit follows its number, with or without a space.
    let unit = [("cm", 100.0), ("mm", 1000.0)].into_iter().find(|(unit, _)| word.ends_with(unit));
    if let Some((_, in_meter)) = unit.filter(|(unit, _)| word == *unit) {
        for token in tokens.iter_mut().rev() {
            match token {
                Token::Number(number, has_unit @ false) => {
                    (*number, *has_unit) = (*number / in_meter, true);
                }
                Token::Axis(_) | Token::Open | Token::Close => {}
                Token::Number(_, true) | Token::NotPosition | Token::Other => break,
            }
        }
        return;
    }
    let (digits, in_meter) =
        unit.map_or((&*word, 1.0), |(unit, n)| (word.trim_end_matches(unit), n));
    let lower = word.to_ascii_lowercase();
    tokens.push(match number(digits) {
        Some(number) => Token::Number(number / in_meter, unit.is_some()),
        None if NOT_POSITIONS.iter().any(|known| lower.starts_with(known)) => Token::NotPosition,
        None => Token::Other,
    });
}

fn axis(name: &str) -> Option<u8> {
    match name {
        "x" | "X" => Some(0),
        "y" | "Y" => Some(1),
        "z" | "Z" => Some(2),
        _ => None,
    }
}

const MAX: f64 = f32::MAX as f64;

/// Parses a coordinate, as in `1.5`, `-2`, `3e1` or `1.0f`.
fn number(word: &str) -> Option<f64> {
    let word = word.strip_suffix(['f', 'F']).unwrap_or(word);
    // A sentence may end after a number.
    let word = word.strip_suffix('.').unwrap_or(word);
    let is_numeric = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E');
    word.parse().ok().filter(|number: &f64| number.abs() <= MAX && word.chars().all(is_numeric))
}

#[cfg(test)]
mod tests {
    use walkable::mesh::UpAxis;

    use super::*;

    #[test]
    fn positions_are_found_in_lines_of_logs() {
        let place = |x: f64, y: f64, z: f64| Ok(Positions::Place(DVec3::new(x, y, z)));
        let path = |a: [f64; 3], b: [f64; 3]| Ok(Positions::Path([a.into(), b.into()]));
        let (a, b) = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]);
        let none = |found| Err(NoPositions::Number { found });
        for (text, expected) in [
            ("path from (1,2,3) to (4,5,6)", path(a, b)),
            ("from (1, 2, 3) to (4, 5, 6)", path(a, b)),
            (
                "[12:30:01.250] agent 7: no path from (1.0, 2.0, 3.0) to (4.0, 5.0, 6.0) after 35 ms",
                path(a, b),
            ),
            ("x=1 y=2 z=3", place(1.0, 2.0, 3.0)),
            ("x: 1, y: 2, z: 3", place(1.0, 2.0, 3.0)),
            ("{\"x\":1.0,\"y\":2.0,\"z\":3.0}", place(1.0, 2.0, 3.0)),
            (
                "{\"start\": {\"x\": 1, \"y\": 2, \"z\": 3}, \"end\": {\"x\": 4, \"y\": 5, \"z\": 6}}",
                path(a, b),
            ),
            ("LogNavigation: Warning: X=1.0 Y=2.0 Z=3.0", place(1.0, 2.0, 3.0)),
            (
                "[2026.03.01-10.11.12:345][ 42]LogPath: path from X=1.000 Y=2.000 Z=3.000 to X=4.000 Y=5.000 Z=6.000",
                path(a, b),
            ),
            ("V(X=1.00, Y=2.00, Z=3.00)", place(1.0, 2.0, 3.0)),
            ("(X=1.00,Y=2.00,Z=3.00) (X=4.00,Y=5.00,Z=6.00)", path(a, b)),
            ("(1.00, 2.00, 3.00)", place(1.0, 2.0, 3.0)),
            ("Agent12 at (-1.50, 0.00, 2.25) is stuck", place(-1.5, 0.0, 2.25)),
            ("new Vector3(1.0f, 2.0f, 3.0f)", place(1.0, 2.0, 3.0)),
            ("1 2 3 4 5 6", path(a, b)),
            ("1,2,3,4,5,6", path(a, b)),
            ("(1, 2, 3, 4, 5, 6)", path(a, b)),
            ("1.0;2.0;3.0 -> 4.0;5.0;6.0", path(a, b)),
            ("start 1 2 3, end 4 5 6.", path(a, b)),
            ("<1 2 3> [4 5 6]", path(a, b)),
            ("1e0 +2 30e-1", place(1.0, 2.0, 3.0)),
            ("−1 −2 −3", place(-1.0, -2.0, -3.0)),
            ("10:15:30 1 2 3", place(1.0, 2.0, 3.0)),
            ("node42 1 2 3 v1.2.3", place(1.0, 2.0, 3.0)),
            ("", none(0)),
            ("no path", none(0)),
            ("1 2", none(0)),
            ("1 2 3 4", none(0)),
            ("(1, 2)", none(0)),
            ("(1, 2, 1e99)", none(0)),
            ("x=1 z=2 y=3", none(0)),
            ("inf nan infinity", none(0)),
            ("(1,2,3) (4,5,6) (7,8,9)", none(3)),
            ("1,5; 2; -3,25", place(1.5, 2.0, -3.25)),
            ("x=1,5 y=2,5 z=3,5", place(1.5, 2.5, 3.5)),
            ("(1,5; 2,0; 3,5) -> (4,5; 5; 6)", path([1.5, 2.0, 3.5], [4.5, 5.0, 6.0])),
            ("(1,2, 3)", place(1.0, 2.0, 3.0)),
            ("X=150cm Y=20cm Z=-30cm", place(1.5, 0.2, -0.3)),
            ("X=150.0 cm Y=20 cm Z=30 mm", place(1.5, 0.2, 0.03)),
            ("150 20 30 cm", place(1.5, 0.2, 0.3)),
            ("(150, 20, 30) cm", place(1.5, 0.2, 0.3)),
            ("SetPosition(1, 2, 3)", place(1.0, 2.0, 3.0)),
            ("rot (4,5,6) (1,2,3)", place(1.0, 2.0, 3.0)),
            ("pos 1 2 3 ang 4 5 6", place(1.0, 2.0, 3.0)),
            ("Position: (1, 2, 3), Rotation: (4, 5, 6)", place(1.0, 2.0, 3.0)),
            ("V(X=1, Y=2, Z=3) Rot(X=4, Y=5, Z=6)", place(1.0, 2.0, 3.0)),
            (".go xyz 1 2 3 530", Err(NoPositions::OtherAxes { command: ".go xyz" })),
            ("setpos 1 2 3;setang 4 5 6", Err(NoPositions::OtherAxes { command: "setpos" })),
        ] {
            assert_eq!(find_positions(text), expected, "{text}");
        }
    }

    #[test]
    fn positions_of_a_game_are_moved_like_the_level() {
        let bounds = Aabb::new(Vec3::ZERO, Vec3::splat(20.0));
        let import = ImportOptions { origin: [691_000.0, 0.0, -5_335_000.0], ..Default::default() };
        let find = |text| find_positions(text).unwrap().in_level(import, &bounds);
        let expected = Positions::Path([Vec3::new(0.3, 1.0, 0.7), Vec3::new(5.0, 0.0, 6.0)]);
        assert_eq!(find("from (691000.3, 1, -5334999.3) to (5, 0, 6)"), expected);
        let z_up = ImportOptions { up: UpAxis::Z, scale: 0.5, ..import };
        let at = find_positions("(345500.5, -2667500, 0.25)").unwrap().in_level(z_up, &bounds);
        assert_eq!(at, Positions::Place(Vec3::new(0.5, 0.0, 0.25)));
    }
}
