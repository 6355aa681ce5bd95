//! Reads the voxel maps and scenarios of the Moving AI benchmarks.
//!
//! Source: Brewer and Sturtevant, "Benchmarks for pathfinding in 3D voxel space", 2018, and the files.

use super::{Fill, Volume, Voxel};
use crate::grid::{
    MovingAiError,
    movingai::{distance, number, scenario_lines, shortened, whole_number},
};

/// Reads a voxel map (`.3dmap`): `voxel X Y Z`, then the blocked voxels, one per line.
///
/// # Errors
/// Returns an error that names the line if the text is not such a map.
pub fn read_voxels(text: &str) -> Result<Volume, MovingAiError> {
    let mut lines = text.lines().enumerate().map(|(n, text)| (n + 1, text));
    let (line, first) = lines.next().unwrap_or((1, ""));
    let Some(size) = first.strip_prefix("voxel ") else {
        let found = shortened(first);
        return Err(MovingAiError::Header { line, expected: "voxel X Y Z", found });
    };
    let size = three(line, size)?;
    let n_voxels = size.iter().map(|&n| u64::from(n)).fold(1, u64::saturating_mul);
    if n_voxels > max_voxels(text.len()) {
        return Err(number(line, "size", first, TOO_LARGE));
    }
    let made = Volume::new(size);
    let problem = "too large or 0";
    let mut volume = made.map_err(|_bad_size| number(line, "size", first, problem))?;
    for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
        let voxel = three(line, text)?;
        if !volume.contains(voxel) {
            return Err(number(line, "voxel", text, "outside the map"));
        }
        volume.set(voxel, Fill::Blocked);
    }
    Ok(volume)
}

/// Maximum number of voxels of a map with an empty text.
const MANY_VOXELS: u64 = 1 << 25;
/// Number of additional voxels allowed per byte of the text. The limit prevents a short text from claiming any number.
const VOXELS_PER_BYTE: u64 = 64;
const TOO_LARGE: &str = "too large for the number of listed voxels";

/// Returns the maximum number of voxels of a map with a text of this length.
fn max_voxels(n_bytes: usize) -> u64 {
    (n_bytes as u64).saturating_mul(VOXELS_PER_BYTE).saturating_add(MANY_VOXELS)
}

/// Parses three whole numbers.
fn three(line: usize, text: &str) -> Result<Voxel, MovingAiError> {
    let mut numbers = [0; 3];
    let mut words = text.split_whitespace();
    for (n, (name, value)) in ["x", "y", "z"].into_iter().zip(&mut numbers).enumerate() {
        let word = words.next().ok_or(MovingAiError::Columns { line, expected: 3, found: n })?;
        *value = whole_number(line, name, word)?;
    }
    match words.count() {
        0 => Ok(numbers),
        more => Err(MovingAiError::Columns { line, expected: 3, found: 3 + more }),
    }
}

/// One query of a voxel scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct VoxelScenario {
    /// Line number in the file, from 1.
    pub line: usize,
    /// Start voxel.
    pub start: Voxel,
    /// Goal voxel.
    pub goal: Voxel,
    /// Length of the optimal path with 26 neighbors per voxel, in voxels.
    pub length: f64,
}

/// Reads a voxel scenario (`.3dmap.3dscen`): the name of its map and its queries.
///
/// # Errors
/// Returns an error that names the line if the text is not such a scenario.
pub fn read_voxel_scenario(text: &str) -> Result<(String, Vec<VoxelScenario>), MovingAiError> {
    let mut lines = scenario_lines(text)?;
    let Some((line, mut words)) = lines.next() else {
        let found = String::new();
        return Err(MovingAiError::Header { line: 2, expected: "the map's name", found });
    };
    let (map, more) = (words.next().unwrap_or_default().to_owned(), words.count());
    if more > 0 {
        return Err(MovingAiError::Columns { line, expected: 1, found: 1 + more });
    }
    let queries = lines.map(|(line, words)| {
        let words: Vec<_> = words.collect();
        let &[x0, y0, z0, x1, y1, z1, length, ratio] = &words[..] else {
            return Err(MovingAiError::Columns { line, expected: 8, found: words.len() });
        };
        distance(line, ratio)?;
        let voxel = |x, y, z| -> Result<Voxel, MovingAiError> {
            Ok([
                whole_number(line, "x", x)?,
                whole_number(line, "y", y)?,
                whole_number(line, "z", z)?,
            ])
        };
        let (start, goal) = (voxel(x0, y0, z0)?, voxel(x1, y1, z1)?);
        Ok(VoxelScenario { line, start, goal, length: distance(line, length)? })
    });
    Ok((map, queries.collect::<Result<_, _>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_read_strictly() {
        let volume = read_voxels("voxel 3 4 5\n0 1 2\n2 3 4\n\n").unwrap();
        assert_eq!((volume.size(), volume.n_blocked()), ([3, 4, 5], 2));
        assert!(volume.is_blocked([2, 3, 4]) && !volume.is_blocked([2, 3, 3]));
        for (text, expected) in [
            ("", "line 1: expected voxel X Y Z, found \"\""),
            ("voxel 3 4\n", "line 1: 2 columns, expected 3"),
            ("voxel 0 4 5\n", "line 1: size \"voxel 0 4 5\" is too large or 0"),
            (
                "voxel 3000 3000 3000\n",
                "line 1: size \"voxel 3000 3000 3000\" is too large for the number of listed \
                voxels",
            ),
            ("voxel 3 4 5\n0 1\n", "line 2: 2 columns, expected 3"),
            ("voxel 3 4 5\n0 1 2 3\n", "line 2: 4 columns, expected 3"),
            ("voxel 3 4 5\n0 -1 2\n", "line 2: y \"-1\" is not a whole number"),
            ("voxel 3 4 5\n0 4 2\n", "line 2: voxel \"0 4 2\" is outside the map"),
        ] {
            assert_eq!(read_voxels(text).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn scenarios_are_read_strictly() {
        let text = "version 1\na.3dmap\n0 1 2 2 3 4 3.5 1.01\n";
        let (map, queries) = read_voxel_scenario(text).unwrap();
        assert_eq!((map.as_str(), queries[0].goal, queries[0].line), ("a.3dmap", [2, 3, 4], 3));
        for (text, expected) in [
            ("version 3\n", "line 1: expected version 1, found \"version 3\""),
            ("version 1\n", "line 2: expected the map's name, found \"\""),
            ("version 1\na\n1 2 3\n", "line 3: 3 columns, expected 8"),
            (
                "version 1\na\n0 1 2 2 3 4 -1 1\n",
                "line 3: length \"-1\" is not a number of at least 0",
            ),
        ] {
            assert_eq!(read_voxel_scenario(text).unwrap_err().to_string(), expected);
        }
    }
}
