//! Finds positions in a line of a game's log.

use std::iter::Peekable;

use glam::Vec3;

use crate::units::units;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Positions {
    Place(Vec3),
    /// Two positions: the start and the end of a path.
    Path([Vec3; 2]),
}

/// The error for a text that does not have one or two positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected one or two positions, as in \"from (1, 2, 3) to (4, 5, 6)\", \"X=1 Y=2 Z=3\" or \"1 2 3 4 5 6\"; found {found}"
)]
pub struct NoPositions {
    pub found: usize,
}

/// Finds the positions in `text`, a line of a log.
///
/// A position is three numbers in brackets, as in `(1.0, 2.0, 3.0)`, or three numbers with their axes, as in
/// `X=1.0 Y=2.0 Z=3.0`. If there is none, runs of three numbers are positions, and a run of six numbers is two. Other
/// numbers, such as times and numbers that are part of a name, are ignored.
///
/// # Errors
/// Returns [`NoPositions`] if there are none or more than two.
pub fn find_positions(text: &str) -> Result<Positions, NoPositions> {
    let tokens = tokens(text);
    let mut found = marked(&tokens);
    if found.is_empty() {
        found = bare(&tokens);
    }
    match found[..] {
        [place] => Ok(Positions::Place(place)),
        [start, end] => Ok(Positions::Path([start, end])),
        _ => Err(NoPositions { found: found.len() }),
    }
}

/// Finds positions in the unit of the window in a text that was typed or pasted.
///
/// # Errors
/// Returns [`NoPositions`] if there are none or more than two.
pub fn typed_positions(text: &str) -> Result<Positions, NoPositions> {
    let in_meters = |point: Vec3| (point.as_dvec3() * units().meters()).as_vec3();
    Ok(match find_positions(text)? {
        Positions::Place(place) => Positions::Place(in_meters(place)),
        Positions::Path(ends) => Positions::Path(ends.map(in_meters)),
    })
}

/// A piece of a text. Spaces, commas and semicolons separate tokens and are dropped.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    Number(f32),
    Axis(u8),
    Open,
    Close,
    Other,
}

/// Finds the positions with brackets or axes.
fn marked(tokens: &[Token]) -> Vec<Vec3> {
    let mut found = Vec::new();
    let mut rest = tokens;
    while !rest.is_empty() {
        let n_used = match *rest {
            [
                Token::Open,
                Token::Number(x),
                Token::Number(y),
                Token::Number(z),
                Token::Close,
                ..,
            ] => {
                found.push(Vec3::new(x, y, z));
                5
            }
            [
                Token::Axis(0),
                Token::Number(x),
                Token::Axis(1),
                Token::Number(y),
                Token::Axis(2),
                Token::Number(z),
                ..,
            ] => {
                found.push(Vec3::new(x, y, z));
                6
            }
            _ => 1,
        };
        rest = &rest[n_used..];
    }
    found
}

/// Finds runs of three or six numbers.
fn bare(tokens: &[Token]) -> Vec<Vec3> {
    let number = |token: &Token| match token {
        Token::Number(number) => Some(*number),
        Token::Axis(_) | Token::Open | Token::Close | Token::Other => None,
    };
    let runs = tokens.split(|token| number(token).is_none());
    let runs = runs.filter(|run| matches!(run.len(), 3 | 6));
    let numbers = |run: &[Token]| run.iter().filter_map(number).collect::<Vec<_>>();
    runs.flat_map(|run| numbers(run).chunks(3).map(Vec3::from_slice).collect::<Vec<_>>()).collect()
}

fn tokens(text: &str) -> Vec<Token> {
    // Some programs write the minus sign of typography.
    let text = text.replace('−', "-");
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
    tokens.push(number(&word).map_or(Token::Other, Token::Number));
}

fn axis(name: &str) -> Option<u8> {
    match name {
        "x" | "X" => Some(0),
        "y" | "Y" => Some(1),
        "z" | "Z" => Some(2),
        _ => None,
    }
}

/// Parses a finite number, as in `1.5`, `-2`, `3e1` or `1.0f`.
fn number(word: &str) -> Option<f32> {
    let word = word.strip_suffix(['f', 'F']).unwrap_or(word);
    // A sentence may end after a number.
    let word = word.strip_suffix('.').unwrap_or(word);
    let is_numeric = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E');
    word.parse().ok().filter(|number: &f32| number.is_finite() && word.chars().all(is_numeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_in_lines_of_logs() {
        let place = |x: f32, y: f32, z: f32| Ok(Positions::Place(Vec3::new(x, y, z)));
        let path = |a: [f32; 3], b: [f32; 3]| Ok(Positions::Path([a.into(), b.into()]));
        let (a, b) = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]);
        let none = |found| Err(NoPositions { found });
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
        ] {
            assert_eq!(find_positions(text), expected, "{text}");
        }
    }
}
