//! Suite files as text.

use std::fmt::Write as _;

use anyhow::{Context as _, bail, ensure};
use glam::Vec3;
use walkable::{
    bake::{quoted, unquoted},
    ids::AreaId,
    suite::{
        CaseFilter, CaseQuery, Expectation, LinkChoice, Outcome, PassRule, PathCase, Tolerance,
        VolumeName,
    },
};

use super::{MAX_LINES_OF_CASE, SuiteFile, check_n_cases, check_name};
use crate::{
    values,
    words::{finite, point, whole_number},
};

const VERSION: u32 = 1;

/// A case whose lines are being read.
struct Draft {
    line: usize,
    start: Option<Vec3>,
    end: Option<Vec3>,
    case: PathCase,
}

pub(super) fn parse(text: &str) -> anyhow::Result<SuiteFile> {
    let mut suite = SuiteFile::default();
    let mut draft: Option<Draft> = None;
    let mut has_version = false;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let context = || format!("line {number}");
        if !has_version {
            check_version(key, rest).with_context(context)?;
            has_version = true;
            continue;
        }
        let query = match key {
            "path" => Some(CaseQuery::Path),
            "ray" => Some(CaseQuery::Ray),
            _ => None,
        };
        if let Some(query) = query {
            suite.cases.extend(draft.take().map(Draft::finished).transpose()?);
            check_n_cases(suite.cases.len()).with_context(context)?;
            let name = any_name(rest).with_context(context)?;
            let case = PathCase { name, query, ..PathCase::new(Vec3::ZERO, Vec3::ZERO) };
            draft = Some(Draft { line: number, start: None, end: None, case });
        } else if let Some(draft) = &mut draft {
            draft.take(key, rest).with_context(context)?;
        } else {
            take_header(&mut suite, key, rest).with_context(context)?;
        }
    }
    ensure!(has_version, "the file has no line \"walkable_suite {VERSION}\"");
    suite.cases.extend(draft.map(Draft::finished).transpose()?);
    Ok(suite)
}

fn check_version(key: &str, rest: &str) -> anyhow::Result<()> {
    ensure!(
        key == "walkable_suite",
        "a suite file begins with \"walkable_suite {VERSION}\", not with \"{key}\""
    );
    let version: u32 = whole_number(single(key, rest)?)?;
    ensure!(
        version == VERSION,
        "the file has version {version} of the format; this program reads version {VERSION}"
    );
    Ok(())
}

fn take_header(suite: &mut SuiteFile, key: &str, rest: &str) -> anyhow::Result<()> {
    let field = match key {
        "level" => &mut suite.level,
        "settings" => &mut suite.settings,
        _ => bail!(
            "unknown \"{key}\" before the first case; there are level, settings, path and ray"
        ),
    };
    ensure!(field.is_none(), "{key} is given twice");
    *field = Some(name(key, rest)?);
    Ok(())
}

impl Draft {
    fn take(&mut self, key: &str, rest: &str) -> anyhow::Result<()> {
        let Self { start, end, case, .. } = self;
        match key {
            "start" | "end" => {
                let field = if key == "start" { start } else { end };
                ensure!(field.is_none(), "{key} is given twice");
                *field = Some(point(&words(rest))?);
            }
            "include" => case.filter.include_flags = flags(single(key, rest)?)?,
            "exclude" => case.filter.exclude_flags = flags(single(key, rest)?)?,
            "area_cost" => {
                let words = words(rest);
                let [area_word, cost] = &words[..] else {
                    bail!("expected an area and its cost after area_cost, as in area_cost 3 5")
                };
                let cost = (area(area_word)?, not_negative(cost)?);
                check_n_lines(case.filter.area_costs.len())?;
                case.filter.area_costs.push(cost);
            }
            "agent" => case.agent = Some(name(key, rest)?),
            _ => {
                check_n_lines(case.expects.len())?;
                case.expects.push(expectation(key, rest)?);
            }
        }
        Ok(())
    }

    fn finished(self) -> anyhow::Result<PathCase> {
        let Self { line, start, end, case } = self;
        let missing = |key| format!("line {line}: the case has no line \"{key} X Y Z\"");
        let start = start.with_context(|| missing("start"))?;
        let end = end.with_context(|| missing("end"))?;
        Ok(PathCase { start, end, ..case })
    }
}

fn check_n_lines(n_lines: usize) -> anyhow::Result<()> {
    ensure!(
        n_lines < MAX_LINES_OF_CASE,
        "a case has at most {MAX_LINES_OF_CASE} expectations and as many area costs"
    );
    Ok(())
}

fn expectation(key: &str, rest: &str) -> anyhow::Result<Expectation> {
    match key {
        "expect" => {
            let word = single(key, rest)?;
            let outcome = Outcome::ALL.into_iter().find(|outcome| outcome.key() == word);
            let unknown = || {
                let keys = Outcome::ALL.map(Outcome::key).join(", ");
                format!("unknown outcome \"{word}\"; there are {keys}")
            };
            Ok(Expectation::Outcome(outcome.with_context(unknown)?))
        }
        "length" => Ok(Expectation::Length(tolerance(key, rest)?)),
        "cost" => Ok(Expectation::Cost(tolerance(key, rest)?)),
        "max_ms" => Ok(Expectation::MaxMs(not_negative(single(key, rest)?)?)),
        "pass" | "use" | "avoid" => passing(key, rest),
        _ => bail!(
            "unknown \"{key}\"; there are start, end, expect, length, cost, pass, use, avoid, max_ms, include, \
             exclude, area_cost, agent, path and ray"
        ),
    }
}

fn passing(key: &str, rest: &str) -> anyhow::Result<Expectation> {
    let rest = rest.trim();
    let (kind, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let rule = if key == "avoid" { PassRule::MustNot } else { PassRule::Must };
    match (key, kind) {
        ("pass" | "avoid", "volume") => {
            let volume = if without_comment(rest).bytes().all(|byte| byte.is_ascii_digit()) {
                VolumeName::Number(whole_number(single(kind, rest)?)?)
            } else {
                VolumeName::Name(name(kind, rest)?)
            };
            Ok(Expectation::Volume { volume, rule })
        }
        ("pass" | "avoid", "area") => {
            Ok(Expectation::Area { area: area(single(kind, rest)?)?, rule })
        }
        ("use" | "avoid", "link") => {
            let link = match single(kind, rest)? {
                "any" => LinkChoice::Any,
                number => LinkChoice::UserId(whole_number(number)?),
            };
            Ok(Expectation::Link { link, rule })
        }
        ("use", _) => bail!("unknown \"{kind}\" after use; there is link"),
        ("pass", _) => bail!("unknown \"{kind}\" after pass; there are volume and area"),
        _ => bail!("unknown \"{kind}\" after {key}; there are volume, area and link"),
    }
}

fn words(rest: &str) -> Vec<&str> {
    without_comment(rest).split_whitespace().collect()
}

fn without_comment(rest: &str) -> &str {
    rest.split_once('#').map_or(rest, |(before, _)| before).trim()
}

/// Parses the value of `key`, which must be a single word.
fn single<'a>(key: &str, rest: &'a str) -> anyhow::Result<&'a str> {
    match words(rest)[..] {
        [word] => Ok(word),
        [] => bail!("expected a value after {key}"),
        [_, surplus, ..] => bail!("surplus \"{surplus}\" after the value of {key}"),
    }
}

/// Parses the value of `key`, a name that must not be empty.
fn name(key: &str, rest: &str) -> anyhow::Result<String> {
    let name = any_name(rest)?;
    ensure!(!name.is_empty() || rest.contains('"'), "expected a name after {key}");
    Ok(name)
}

/// Parses a name in quotes, or takes the rest of the line.
fn any_name(rest: &str) -> anyhow::Result<String> {
    let rest = rest.trim();
    let name = match rest.strip_prefix('"') {
        None => without_comment(rest).to_owned(),
        Some(text) => {
            let (name, after) =
                unquoted(text).with_context(|| format!("the name {rest} has no closing quote"))?;
            let surplus = without_comment(after);
            ensure!(surplus.is_empty(), "surplus \"{surplus}\" after the name");
            name
        }
    };
    check_name(&name)?;
    Ok(name)
}

fn tolerance(key: &str, rest: &str) -> anyhow::Result<Tolerance> {
    let words = words(rest);
    let [value, tolerance] = &words[..] else {
        bail!("expected a value and a tolerance after {key}, as in {key} 42 0.5")
    };
    Ok(Tolerance { value: finite(value)?, tolerance: not_negative(tolerance)? })
}

fn not_negative(word: &str) -> anyhow::Result<f32> {
    let number = finite(word)?;
    ensure!(number >= 0.0, "\"{word}\" is negative");
    Ok(number)
}

fn area(word: &str) -> anyhow::Result<AreaId> {
    let area: u8 = whole_number(word)?;
    ensure!(usize::from(area) < AreaId::COUNT, "\"{word}\" is not an area; areas are 0 to 63");
    Ok(AreaId(area))
}

fn flags(word: &str) -> anyhow::Result<u16> {
    values::flags(word).map_err(|expected| anyhow::anyhow!("\"{word}\": {expected}"))
}

pub(super) fn write(suite: &SuiteFile) -> String {
    let SuiteFile { level, settings, cases, n_ignored: _ } = suite;
    let mut text = format!("walkable_suite {VERSION}\n");
    for (key, name) in [("level", level), ("settings", settings)] {
        // Writing to a string cannot fail.
        let _ = name.as_ref().map(|name| writeln!(text, "{key} {}", quoted(name)));
    }
    for case in cases {
        text.push('\n');
        for line in lines_of(case) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

fn lines_of(case: &PathCase) -> Vec<String> {
    let PathCase { name, query, start, end, filter, agent, expects } = case;
    let query = match query {
        CaseQuery::Path => "path",
        CaseQuery::Ray => "ray",
    };
    let point = |at: &Vec3| format!("{} {} {}", at.x, at.y, at.z);
    let mut lines = vec![
        format!("{query} {}", quoted(name)),
        format!("start {}", point(start)),
        format!("end {}", point(end)),
    ];
    let CaseFilter { include_flags, exclude_flags, area_costs } = filter;
    let unchanged = CaseFilter::default();
    if *include_flags != unchanged.include_flags {
        lines.push(format!("include {include_flags:#x}"));
    }
    if *exclude_flags != unchanged.exclude_flags {
        lines.push(format!("exclude {exclude_flags:#x}"));
    }
    lines.extend(area_costs.iter().map(|(area, cost)| format!("area_cost {} {cost}", area.0)));
    lines.extend(agent.iter().map(|agent| format!("agent {}", quoted(agent))));
    lines.extend(expects.iter().map(line_of));
    lines
}

fn line_of(expected: &Expectation) -> String {
    let verb = |rule, positive| match rule {
        PassRule::Must => positive,
        PassRule::MustNot => "avoid",
    };
    match expected {
        Expectation::Outcome(outcome) => format!("expect {}", outcome.key()),
        Expectation::Length(Tolerance { value, tolerance }) => {
            format!("length {value} {tolerance}")
        }
        Expectation::Cost(Tolerance { value, tolerance }) => format!("cost {value} {tolerance}"),
        Expectation::Volume { volume, rule } => match volume {
            VolumeName::Name(name) => format!("{} volume {}", verb(*rule, "pass"), quoted(name)),
            VolumeName::Number(number) => format!("{} volume {number}", verb(*rule, "pass")),
        },
        Expectation::Area { area, rule } => format!("{} area {}", verb(*rule, "pass"), area.0),
        Expectation::Link { link: LinkChoice::Any, rule } => {
            format!("{} link any", verb(*rule, "use"))
        }
        Expectation::Link { link: LinkChoice::UserId(user_id), rule } => {
            format!("{} link {user_id}", verb(*rule, "use"))
        }
        Expectation::MaxMs(limit) => format!("max_ms {limit}"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL_LINES: &str = "# of the yard\nwalkable_suite 1\nlevel yard.obj\nsettings \"yard #2.cfg\" # two\n\n\
        path To the gate # the old one\n  start 1 2 3\n  end 4 5.5 -6 # there\n  expect reachable\n  length 42.5 0.5\n\
        cost 60 2\npass volume \"The pond\"\navoid volume 2\npass area 3\navoid area 4\nuse link 1000\navoid link any\n\
        max_ms 2.5\ninclude 0xff\nexclude 16\narea_cost 3 5\nagent Goblin\nray\nstart 0 0 0\nend 1 0 0\n";

    #[test]
    fn every_line_is_read() {
        let suite = parse(ALL_LINES).unwrap();
        assert_eq!(suite.level.as_deref(), Some("yard.obj"));
        assert_eq!(suite.settings.as_deref(), Some("yard #2.cfg"));
        let [path, ray] = &suite.cases[..] else { panic!("{suite:?}") };
        assert_eq!((&*path.name, path.end), ("To the gate", Vec3::new(4.0, 5.5, -6.0)));
        assert_eq!((ray.query, &*ray.name, ray.expects.len()), (CaseQuery::Ray, "", 0));
        let (name, agent) = ("The pond".to_owned(), Some("Goblin".to_owned()));
        assert_eq!((path.filter.include_flags, path.filter.exclude_flags), (0xff, 16));
        assert_eq!((&path.filter.area_costs, &path.agent), (&vec![(AreaId(3), 5.0)], &agent));
        assert_eq!(
            path.expects,
            [
                Expectation::Outcome(Outcome::Reachable),
                Expectation::Length(Tolerance { value: 42.5, tolerance: 0.5 }),
                Expectation::Cost(Tolerance { value: 60.0, tolerance: 2.0 }),
                Expectation::Volume { volume: VolumeName::Name(name), rule: PassRule::Must },
                Expectation::Volume { volume: VolumeName::Number(2), rule: PassRule::MustNot },
                Expectation::Area { area: AreaId(3), rule: PassRule::Must },
                Expectation::Area { area: AreaId(4), rule: PassRule::MustNot },
                Expectation::Link { link: LinkChoice::UserId(1000), rule: PassRule::Must },
                Expectation::Link { link: LinkChoice::Any, rule: PassRule::MustNot },
                Expectation::MaxMs(2.5),
            ]
        );
    }

    #[test]
    fn errors_name_the_line_and_the_word() {
        let begin = "walkable_suite 1\npath a\nstart 0 0 0\nend 1 1 1\n";
        for (line, expected) in [
            ("jump 3", "line 5: unknown \"jump\""),
            ("start 1 1 1", "line 5: start is given twice"),
            ("expect maybe", "line 5: unknown outcome \"maybe\""),
            ("length 4", "line 5: expected a value and a tolerance after length"),
            ("length 4 x", "line 5: \"x\" is not a finite number"),
            ("length 4 -1", "line 5: \"-1\" is negative"),
            ("cost nan 1", "line 5: \"nan\" is not a finite number"),
            ("max_ms", "line 5: expected a value after max_ms"),
            ("max_ms 1 2", "line 5: surplus \"2\" after the value of max_ms"),
            ("pass link any", "line 5: unknown \"link\" after pass"),
            ("pass volume", "line 5: expected a value after volume"),
            ("pass volume 99999999999", "line 5: \"99999999999\" is not a whole number"),
            ("pass volume \"a", "line 5: the name \"a has no closing quote"),
            ("pass volume \"a\" b", "line 5: surplus \"b\" after the name"),
            ("pass area 64", "line 5: \"64\" is not an area"),
            ("use area 3", "line 5: unknown \"area\" after use"),
            ("avoid way 3", "line 5: unknown \"way\" after avoid"),
            ("use link some", "line 5: \"some\" is not a whole number"),
            ("include 70000", "line 5: \"70000\": expected 0 to 65535"),
            ("area_cost 3", "line 5: expected an area and its cost"),
            ("agent", "line 5: expected a name after agent"),
            ("level a.obj", "line 5: unknown \"level\""),
            ("path b\nstart 1 1 1", "line 5: the case has no line \"end X Y Z\""),
        ] {
            let why = format!("{:#}", parse(&format!("{begin}{line}\n")).unwrap_err());
            assert!(why.starts_with(expected), "{line}: {why}");
        }
        for (text, expected) in [
            ("", "the file has no line \"walkable_suite 1\""),
            ("path a\n", "line 1: a suite file begins with \"walkable_suite 1\""),
            ("walkable_suite 2\n", "line 1: the file has version 2"),
            ("walkable_suite 1\nstart 1 1 1\n", "line 2: unknown \"start\" before the first case"),
            ("walkable_suite 1\nlevel a\nlevel b\n", "line 3: level is given twice"),
        ] {
            let why = format!("{:#}", parse(text).unwrap_err());
            assert!(why.starts_with(expected), "{text}: {why}");
        }
    }

    #[test]
    fn cases_and_their_lines_are_limited() {
        let case = "path a\nstart 0 0 0\nend 1 1 1\n";
        let many = |n: usize| format!("walkable_suite 1\n{}", case.repeat(n));
        assert_eq!(parse(&many(super::super::MAX_CASES)).unwrap().cases.len(), 10_000);
        let why = format!("{:#}", parse(&many(super::super::MAX_CASES + 1)).unwrap_err());
        assert!(why.starts_with("line 30002: a suite has at most 10000 cases"), "{why}");
        let lines = |n: usize| format!("{}{}", many(1), "max_ms 1\n".repeat(n));
        assert!(parse(&lines(MAX_LINES_OF_CASE)).is_ok());
        assert!(parse(&lines(MAX_LINES_OF_CASE + 1)).is_err());
    }

    fn expectations() -> impl Strategy<Value = Expectation> {
        let number = -1e6_f32..1e6;
        let size = 0.0_f32..1e6;
        let rule = prop::sample::select(&[PassRule::Must, PassRule::MustNot]);
        let tolerance =
            (number, size.clone()).prop_map(|(value, tolerance)| Tolerance { value, tolerance });
        let volume = prop_oneof![
            any::<String>().prop_map(VolumeName::Name),
            any::<u32>().prop_map(VolumeName::Number),
        ];
        let link = prop_oneof![Just(LinkChoice::Any), any::<u32>().prop_map(LinkChoice::UserId)];
        prop_oneof![
            prop::sample::select(&Outcome::ALL).prop_map(Expectation::Outcome),
            tolerance.clone().prop_map(Expectation::Length),
            tolerance.prop_map(Expectation::Cost),
            (volume, rule.clone()).prop_map(|(volume, rule)| Expectation::Volume { volume, rule }),
            (0_u8..64, rule.clone())
                .prop_map(|(area, rule)| Expectation::Area { area: AreaId(area), rule }),
            (link, rule).prop_map(|(link, rule)| Expectation::Link { link, rule }),
            size.prop_map(Expectation::MaxMs),
        ]
    }

    prop_compose! {
        fn cases()(
            name in any::<String>(),
            is_ray in any::<bool>(),
            ends in prop::array::uniform2(prop::array::uniform3(-1e6_f32..1e6)),
            (include_flags, exclude_flags) in (any::<u16>(), any::<u16>()),
            area_costs in prop::collection::vec((0_u8..64, 0.0_f32..1e3), 0..3),
            agent in proptest::option::of(any::<String>()),
            expects in prop::collection::vec(expectations(), 0..5),
        ) -> PathCase {
            let area_costs = area_costs.into_iter().map(|(area, cost)| (AreaId(area), cost));
            let area_costs = area_costs.collect();
            let [start, end] = ends.map(Vec3::from);
            PathCase {
                name,
                query: if is_ray { CaseQuery::Ray } else { CaseQuery::Path },
                filter: CaseFilter { include_flags, exclude_flags, area_costs },
                agent,
                expects,
                ..PathCase::new(start, end)
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            cases in prop::collection::vec(cases(), 0..4),
            level in proptest::option::of(any::<String>()),
            settings in proptest::option::of(any::<String>()),
        ) {
            let suite = SuiteFile { level, settings, cases, n_ignored: 0 };
            let text = write(&suite);
            prop_assert_eq!(parse(&text).map_err(|why| format!("{why:#}")), Ok(suite), "{}", text);
        }
    }
}
