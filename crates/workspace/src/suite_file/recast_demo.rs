//! Test cases of RecastDemo: `s SAMPLE`, `f FILE`, and queries `pf` (path) and `rc` (ray), each with six coordinates and
//! include and exclude flags in hexadecimal.

use anyhow::{Context as _, ensure};
use walkable::suite::{CaseFilter, CaseQuery, PathCase};

use super::{SuiteFile, check_n_cases, check_name};
use crate::words::point;

pub(super) fn parse(text: &str) -> anyhow::Result<SuiteFile> {
    let mut suite = SuiteFile::default();
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let query = match key {
            "" | "s" => continue,
            "f" => {
                let level = rest.trim();
                check_name(level).with_context(|| format!("line {number}"))?;
                suite.level = Some(level.to_owned());
                continue;
            }
            "pf" => CaseQuery::Path,
            "rc" => CaseQuery::Ray,
            _ => {
                suite.n_ignored += usize::from(!key.starts_with('#'));
                continue;
            }
        };
        check_n_cases(suite.cases.len()).with_context(|| format!("line {number}"))?;
        let case = case(query, rest).with_context(|| format!("line {number}"))?;
        suite.cases.push(PathCase { name: format!("{key} {}", suite.cases.len() + 1), ..case });
    }
    Ok(suite)
}

fn case(query: CaseQuery, rest: &str) -> anyhow::Result<PathCase> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    ensure!(
        words.len() == 8,
        "expected six coordinates and two masks of flags, found {} words",
        words.len()
    );
    let filter = CaseFilter {
        include_flags: mask(words[6])?,
        exclude_flags: mask(words[7])?,
        ..CaseFilter::default()
    };
    Ok(PathCase { query, filter, ..PathCase::new(point(&words[..3])?, point(&words[3..6])?) })
}

/// Parses a hexadecimal mask of flags, with or without `0x`.
fn mask(word: &str) -> anyhow::Result<u16> {
    let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")).unwrap_or(word);
    u16::from_str_radix(digits, 16)
        .ok()
        .with_context(|| format!("\"{word}\" is not a mask of flags from 0x0 to 0xffff"))
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn paths_and_rays_are_cases() {
        let text = "s Tile Mesh\r\nf nav_test.obj\r\n\
            pf  18.1 -2.3 9.5 -8 0.2 -18.6 0x3 0x0\r\nrc 1 2 3 4 5 6 ffff 10\r\npi 1 2 3\r\n\r\n";
        let suite = parse(text).unwrap();
        assert_eq!((suite.level.as_deref(), suite.n_ignored), (Some("nav_test.obj"), 1));
        let [path, ray] = &suite.cases[..] else { panic!("{suite:?}") };
        assert_eq!((path.query, &*path.name), (CaseQuery::Path, "pf 1"));
        assert_eq!(
            [path.start, path.end],
            [Vec3::new(18.1, -2.3, 9.5), Vec3::new(-8.0, 0.2, -18.6)]
        );
        assert_eq!([path.filter.include_flags, path.filter.exclude_flags], [3, 0]);
        assert_eq!((ray.query, &*ray.name), (CaseQuery::Ray, "rc 2"));
        assert_eq!([ray.filter.include_flags, ray.filter.exclude_flags], [0xffff, 0x10]);
    }

    #[test]
    fn errors_name_the_line_and_the_word() {
        for (line, expected) in [
            ("pf 1 2 3", "line 2: expected six coordinates and two masks of flags, found 3 words"),
            ("pf 1 2 x 4 5 6 0 0", "line 2: \"x\" is not a finite number"),
            ("rc 1 2 3 4 5 6 0x10000 0", "line 2: \"0x10000\" is not a mask of flags"),
        ] {
            let why = format!("{:#}", parse(&format!("f a.obj\n{line}\n")).unwrap_err());
            assert!(why.starts_with(expected), "{why}");
        }
    }
}
