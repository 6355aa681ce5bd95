//! Explanations of places with one seeded fault each. Checks that the first cause is right, that the fixes work, and
//! that no problem is reported for places without a fault.

#![expect(clippy::unwrap_used, reason = "a level that cannot be made should fail its test")]

use std::collections::BTreeSet;

use walkable::{
    bake::{BakePlan, BakeSettings},
    diagnostic::Phrase,
    explain::{Cause, Fix, FixLimits, Measure, PlaceAnswer, PlaceQuestion, SettingsFix, why_here},
    monitor::Unmonitored,
};

use crate::faults::places::{Fault, KINDS, clean, fault, stands, two_faults};

/// Number of cases of each kind.
const ROUNDS: usize = 2;
/// Number of levels without a fault.
const CLEAN: u64 = 40;

fn ask(fault: &Fault) -> PlaceAnswer {
    let plan = BakePlan::new(fault.broken.clone()).unwrap();
    let question = PlaceQuestion { at: fault.at, triangle: None };
    why_here(&plan, question, FixLimits::default(), &Unmonitored).unwrap()
}

fn settings_fixes(answer: &PlaceAnswer) -> impl Iterator<Item = &SettingsFix> {
    answer.fixes.iter().filter_map(|fix| match fix {
        Fix::Settings(set) => Some(set),
        Fix::Link(_) | Fix::Terms(_) | Fix::Geometry(_) => None,
    })
}

/// Returns all cases with their seeds, which the messages contain.
fn cases() -> impl Iterator<Item = (u64, Fault)> {
    (0..u64::try_from(ROUNDS * KINDS.len()).unwrap()).map(|seed| (seed, fault(seed)))
}

/// Returns whether an agent of half its size fits.
pub(crate) fn is_in_reach(measure: Option<Measure>) -> bool {
    let sizes = measure.and_then(|measure| measure.measured.zip(measure.limit));
    sizes.is_none_or(|(measured, limit)| limit / 2.0 < measured)
}

/// Checks that the measured value does not contradict the limit.
pub(crate) fn check_side(cause: Cause, measure: Option<Measure>, text: &Phrase) {
    let Some((measured, limit)) = measure.and_then(|it| it.measured.zip(it.limit)) else { return };
    match cause {
        Cause::LowCeiling | Cause::NearEdge | Cause::Narrow | Cause::RegionTooSmall => {
            assert!(measured < limit, "{text}: {measured}, limit {limit}");
        }
        Cause::Step | Cause::Ledge | Cause::TooSteep => {
            assert!(measured > limit, "{text}: {measured}, limit {limit}");
        }
        _ => {}
    }
}

/// Checks that no fix changes a setting more than another one that works without it.
pub(crate) fn check_needed(fixes: &[&SettingsFix]) {
    let keys = |fix: &SettingsFix| fix.set.iter().map(|new| new.key).collect::<BTreeSet<_>>();
    let keys: Vec<_> = fixes.iter().map(|fix| keys(fix)).collect();
    for (i, these) in keys.iter().enumerate() {
        let others = keys.iter().enumerate().filter(|(j, _)| *j != i);
        for (_, others) in others {
            assert!(!others.is_subset(these), "{others:?} is enough: {these:?}");
        }
    }
}

/// Checks that a fix has not made the agent less than half of itself.
pub(crate) fn check_agent(before: &BakeSettings, after: &BakeSettings) {
    let sizes = |settings: &BakeSettings| [settings.agent_radius, settings.agent_height];
    for (before, after) in sizes(before).into_iter().zip(sizes(after)) {
        assert!(before / 2.0 <= after, "{before} m became {after} m");
    }
}

#[test]
fn the_first_cause_is_right_and_every_fix_works() {
    let mut wrong = Vec::new();
    for (seed, fault) in cases() {
        let answer = ask(&fault);
        let first = answer.chain.first();
        let mut blame = |what: String| wrong.push(format!("{seed}, {}: {what}", fault.name));
        let Some(first) = first else {
            blame("said to be walkable".to_owned());
            continue;
        };
        for obstacle in &answer.chain {
            check_side(obstacle.cause, obstacle.measure, &obstacle.text);
        }
        if !fault.causes.contains(&first.cause) {
            blame(format!("{} instead of {}", first.text, fault.causes[0].key()));
        }
        // Values must be measured in the level, not in rounded voxels, so the tolerance is smaller than the
        // smallest voxel.
        let measured = first.measure.and_then(|measure| measure.measured);
        let is_plain = first.cause == fault.causes[0];
        if let (true, Some(expected), Some(measured)) = (is_plain, fault.measured, measured)
            && (measured - expected).abs() > 0.06
        {
            blame(format!("{measured} measured, {expected} expected"));
        }
        check_needed(&settings_fixes(&answer).collect::<Vec<_>>());
        let mut n_working = 0;
        for fix in settings_fixes(&answer) {
            let mut input = fault.broken.clone();
            input.settings = fix.applied(&input.settings).unwrap();
            check_agent(&fault.broken.settings, &input.settings);
            if stands(&input, fault.at) {
                n_working += 1;
            } else {
                blame(format!("{fix} does not help"));
            }
        }
        if fault.has_fix && n_working == 0 && is_in_reach(first.measure) {
            blame(format!("nothing that helps is offered against {}", first.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn both_of_two_faults_are_named() {
    for seed in 0..24 {
        let (input, at, causes) = two_faults(seed);
        let plan = BakePlan::new(input).unwrap();
        let question = PlaceQuestion { at, triangle: None };
        let cause_only = FixLimits { n_bakes: 0, ..FixLimits::default() };
        let answer = why_here(&plan, question, cause_only, &Unmonitored).unwrap();
        let told: Vec<_> = answer.chain.iter().map(|found| found.cause).collect();
        assert!(causes.iter().all(|cause| told.contains(cause)), "{seed}: {told:?}, {causes:?}");
    }
}

#[test]
fn fixes_found_in_a_part_are_verified_in_the_whole_level() {
    let limits = FixLimits { n_cells: 0, ..FixLimits::default() };
    let mut n_fixes = 0;
    let in_one_piece = cases().filter(|(_, fault)| fault.broken.settings.tile_size == 0);
    for (seed, fault) in in_one_piece {
        let plan = BakePlan::new(fault.broken.clone()).unwrap();
        let question = PlaceQuestion { at: fault.at, triangle: None };
        let answer = why_here(&plan, question, limits, &Unmonitored).unwrap();
        assert!(fault.causes.contains(&answer.chain[0].cause), "{seed}: {answer:?}");
        for fix in settings_fixes(&answer) {
            let mut input = fault.broken.clone();
            input.settings = fix.applied(&input.settings).unwrap();
            assert!(stands(&input, fault.at), "{seed}: {fix}");
            n_fixes += 1;
        }
    }
    assert!(n_fixes > 10, "{n_fixes}");
}

#[test]
fn geometry_fixes_work_where_no_setting_helps() {
    for (seed, fault) in cases().filter(|(_, fault)| !fault.has_fix) {
        let answer = ask(&fault);
        let in_words =
            |fix: &Fix| matches!(fix, Fix::Geometry(words) if !words.to_string().is_empty());
        assert!(answer.fixes.iter().any(in_words), "{seed}, {}: {answer:?}", fault.name);
    }
}

#[test]
fn places_without_a_fault_have_no_cause() {
    for seed in 0..CLEAN {
        let (input, at) = clean(seed);
        assert!(stands(&input, at), "{seed} is not clean");
        let plan = BakePlan::new(input).unwrap();
        let question = PlaceQuestion { at, triangle: None };
        let answer = why_here(&plan, question, FixLimits::default(), &Unmonitored).unwrap();
        assert_eq!(answer, PlaceAnswer::default(), "{seed}");
    }
}

#[test]
fn triangles_to_flip_are_counted() {
    let of_kind = |name: &str| cases().map(|(_, fault)| fault).find(|f| f.name == name).unwrap();
    for (name, words) in
        [("flipped box", "flip these 12 triangles"), ("flipped sheet", "flip these 2 triangles")]
    {
        let answer = ask(&of_kind(name));
        assert_eq!(answer.chain[0].cause, Cause::FacesDown);
        let [Fix::Geometry(fix)] = &answer.fixes[..] else { panic!("{answer:?}") };
        assert_eq!(fix.to_string(), words);
    }
}
