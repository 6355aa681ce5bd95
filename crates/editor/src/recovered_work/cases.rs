//! The differences between two lists of path tests in words, with both values.

use std::collections::{BTreeMap, BTreeSet};

use walkable::suite::{CaseQuery, Expectation, PassRule, PathCase, Tolerance};
use walkable_workspace::{
    document::{AreaTable, Document},
    format,
    lang::{self, tr},
};

use super::differences::{change_line, cost_text, flags_text, from_to};
use crate::area_names::area_name;

/// Compares each test with the test of the same name, or of the same number if it has no name.
pub(super) fn case_lines(old: &Document, new: &Document) -> Vec<String> {
    let documents = [old, new];
    let counts = documents.map(|document| document.path_tests.len());
    let mut lines = Vec::new();
    if counts[0] != counts[1] {
        lines.push(from_to(&format::count(counts[0]), &format::count(counts[1])));
    }
    let [before, after] = documents.map(|document| named(&document.path_tests));
    for (key, name, case) in &after {
        match before.iter().find(|(other, ..)| other == key) {
            None => lines.push(tr!("Added: {name}")),
            Some((.., old)) if old != case => {
                let own = changes([old, case], documents);
                if own.is_empty() {
                    lines.push(tr!("Changed: {name}"));
                }
                lines.extend(own.into_iter().map(|line| format!("{name} · {line}")));
            }
            Some(_) => {}
        }
    }
    let removed = before.iter().filter(|(key, ..)| !after.iter().any(|(other, ..)| other == key));
    lines.extend(removed.map(|(_, name, _)| tr!("Removed: {name}")));
    lines
}

/// Name or number of a case, and how many cases before it have the same one.
type Key<'a> = (Result<&'a str, usize>, usize);

fn named(cases: &[PathCase]) -> Vec<(Key<'_>, String, &PathCase)> {
    let mut counts: BTreeMap<Result<&str, usize>, usize> = BTreeMap::new();
    let mut list = Vec::with_capacity(cases.len());
    for (index, case) in cases.iter().enumerate() {
        let (name, text) = if case.name.is_empty() {
            (Err(index), tr!("Case {}", index + 1))
        } else {
            (Ok(&*case.name), case.name.clone())
        };
        let count = counts.entry(name).or_default();
        *count += 1;
        list.push(((name, *count), text, case));
    }
    list
}

fn changes(cases: [&PathCase; 2], documents: [&Document; 2]) -> Vec<String> {
    let query = cases.map(|case| {
        let name = match case.query {
            CaseQuery::Path => tr!("Path"),
            CaseQuery::Ray => tr!("Straight line"),
        };
        name.to_owned()
    });
    let agent =
        cases.map(|case| case.agent.clone().unwrap_or_else(|| tr!("Active agent").to_owned()));
    let areas = documents.map(|document| &document.areas);
    let flags = |of: fn(&PathCase) -> u16| [0, 1].map(|side| (of(cases[side]), areas[side]));
    let mut lines: Vec<String> = [
        change_line(tr!("Query"), query),
        change_line(tr!("Start"), cases.map(|case| format::position(case.start))),
        change_line(tr!("End"), cases.map(|case| format::position(case.end))),
        change_line(tr!("Agent"), agent),
        flag_line(tr!("Include flags"), flags(|case| case.filter.include_flags)),
        flag_line(tr!("Exclude flags"), flags(|case| case.filter.exclude_flags)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let costs =
        cases.map(|case| case.filter.area_costs.iter().copied().collect::<BTreeMap<_, _>>());
    let changed: BTreeSet<_> = costs.iter().flat_map(BTreeMap::keys).copied().collect();
    for id in changed {
        let cost = |side: usize| {
            let own: &BTreeMap<_, f32> = &costs[side];
            cost_text(own.get(&id), areas[side].area(id.0).cost)
        };
        let name = area_name(areas[1], id.0);
        lines.extend(change_line(&tr!("Cost of {}", name), [0, 1].map(cost)));
    }
    let expected = [0, 1].map(|side| {
        let texts = cases[side].expects.iter().map(|one| expected_text(one, areas[side]));
        let texts: Vec<_> = texts.collect();
        if texts.is_empty() { tr!("none").to_owned() } else { texts.join(", ") }
    });
    lines.extend(change_line(tr!("Expected"), expected));
    lines
}

fn flag_line(label: &str, flags: [(u16, &AreaTable); 2]) -> Option<String> {
    let texts = flags.map(|(flags, areas)| flags_text(areas, flags));
    (flags[0].0 != flags[1].0).then(|| change_line(label, texts)).flatten()
}

fn expected_text(expected: &Expectation, areas: &AreaTable) -> String {
    let passes = |what: String, rule: PassRule| match rule {
        PassRule::Must => tr!("passes {what}"),
        PassRule::MustNot => tr!("avoids {what}"),
    };
    match expected {
        Expectation::Outcome(outcome) => lang::phrase(&outcome.phrase()),
        Expectation::Length(Tolerance { value, tolerance }) => {
            let [value, tolerance] =
                [value, tolerance].map(|length| format::exact_quantity(*length, "m"));
            tr!("length {value} ± {tolerance}")
        }
        Expectation::Cost(Tolerance { value, tolerance }) => {
            tr!("cost {value} ± {tolerance}")
        }
        Expectation::Volume { volume, rule } => passes(lang::phrase(&volume.phrase()), *rule),
        Expectation::Area { area, rule } => passes(area_name(areas, area.0), *rule),
        Expectation::Link { link, rule } => {
            let link = lang::phrase(&link.phrase());
            match rule {
                PassRule::Must => tr!("uses {link}"),
                PassRule::MustNot => tr!("does not use {link}"),
            }
        }
        Expectation::MaxMs(limit) => tr!("at most {limit} ms"),
    }
}
