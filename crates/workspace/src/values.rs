//! Parses and formats values for the command line and text files.

use std::str::FromStr as _;

use glam::Vec3;
use walkable::{bake::BakeSettings, ids::AreaId};

/// Parses a point: `x,y,z`.
pub fn point(text: &str) -> Result<Vec3, String> {
    let numbers: Option<Vec<f32>> = text.split(',').map(finite).collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) => Ok(Vec3::new(x, y, z)),
        _ => Err("expected three numbers, as in 1.5,0,-2".to_owned()),
    }
}

pub fn finite(text: &str) -> Option<f32> {
    f32::from_str(text.trim()).ok().filter(|number| number.is_finite())
}

/// Formats a number with this many decimals, without a sign if it rounds to 0.
pub fn plain(number: impl Into<f64>, decimals: usize) -> String {
    let text = format!("{:.decimals$}", number.into());
    match text.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|byte| matches!(byte, b'0' | b'.')) => zero.to_owned(),
        _ => text,
    }
}

/// Parses a finite number above zero.
pub fn positive(text: &str) -> Result<f32, String> {
    finite(text)
        .filter(|&number| number > 0.0)
        .ok_or_else(|| "expected a number above zero".to_owned())
}

/// Parses an area cost: `area=cost`.
pub fn area_cost(text: &str) -> Result<(u8, f32), String> {
    let (area, cost) = text.split_once('=').ok_or("expected an area and its cost, as in 1=5")?;
    let area: Option<u8> = area.trim().parse().ok();
    let area = area.filter(|&area| usize::from(area) < AreaId::COUNT).ok_or("areas are 0 to 63")?;
    let cost = finite(cost).filter(|&cost| cost >= 0.0).ok_or("costs are 0 or more")?;
    Ok((area, cost))
}

/// Parses flags as a number, hexadecimal after `0x`.
pub fn flags(text: &str) -> Result<u16, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u16::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_not_a_number| "expected 0 to 65535, or 0x0 to 0xffff".to_owned())
}

/// Parses a setting: `key=value`. Fails if there is no such setting, or if it cannot have that value.
pub fn key_and_value(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected key=value")?;
    let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
    // Unknown keys and bad values are usage errors, so they are reported here.
    BakeSettings::default().set(&key, &value).map_err(|e| e.to_string())?;
    Ok((key, value))
}

/// Parses a line of a file with path queries, `sx sy sz ex ey ez`; `None` for an empty line or a comment.
pub fn path_query(line: &str) -> Result<Option<[Vec3; 2]>, String> {
    let line = line.split_once('#').map_or(line, |(before, _)| before);
    if line.trim().is_empty() {
        return Ok(None);
    }
    let numbers: Option<Vec<f32>> = line.split_whitespace().map(finite).collect();
    match numbers.as_deref() {
        Some(&[sx, sy, sz, ex, ey, ez]) => Ok(Some([Vec3::new(sx, sy, sz), Vec3::new(ex, ey, ez)])),
        _ => Err("expected six numbers: sx sy sz ex ey ez".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_six_numbers_a_line() {
        let ends = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(-4.0, 5.5, 6.0)];
        assert_eq!(path_query("1 2 3  -4\t5.5 6 # there"), Ok(Some(ends)));
        assert_eq!(path_query("  # nothing"), Ok(None));
        for bad in ["1 2 3", "1 2 3 4 5 6 7", "1 2 3 4 5 inf", "a b c d e f"] {
            assert!(path_query(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn points_are_three_finite_numbers() {
        assert_eq!(point("1,-2.5, 3e1"), Ok(Vec3::new(1.0, -2.5, 30.0)));
        for bad in ["", "1,2", "1,2,3,4", "1,2,x", "1,2,nan", "1 2 3"] {
            assert!(point(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn zero_has_no_sign() {
        let texts = [-0.0, -0.001, -0.004, 0.0, -0.01, -1.5].map(|number| plain(number, 2));
        assert_eq!(texts, ["0.00", "0.00", "0.00", "0.00", "-0.01", "-1.50"]);
        assert_eq!(plain(-0.4, 0), "0");
    }

    #[test]
    fn costs_and_flags_are_checked() {
        assert_eq!(area_cost("1=2.5"), Ok((1, 2.5)));
        for bad in ["1", "64=1", "-1=1", "1=-1", "1=inf", "a=1"] {
            assert!(area_cost(bad).is_err(), "{bad}");
        }
        assert_eq!((flags("0x10"), flags("65535")), (Ok(16), Ok(0xffff)));
        assert!(flags("65536").is_err() && flags("0x").is_err() && flags("walk").is_err());
    }

    #[test]
    fn settings_are_checked() {
        let pair = ("cell_size".to_owned(), "0.2".to_owned());
        assert_eq!(key_and_value("cell_size = 0.2"), Ok(pair));
        for bad in ["cell_size", "cell=1", "cell_size=-1", "cell_size=x"] {
            assert!(key_and_value(bad).is_err(), "{bad}");
        }
    }
}
