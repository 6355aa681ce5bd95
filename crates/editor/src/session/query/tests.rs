use std::sync::Arc;

use walkable::{
    bake::{BakeInput, BakeSettings, bake},
    debug_draw::Paint,
    level::{LevelKind, generate},
    monitor::Unmonitored,
    query::{Crossings, Footing, Shortcuts},
};
use walkable_workspace::{
    lang::{Language, set_language},
    units::{Units, set_units},
};

use super::*;

/// Returns the sample level, and a query from its start to its end.
fn asked(mode: QueryMode, options: QueryOptions) -> (NavMesh, QueryState) {
    let level = generate(LevelKind::Sample, 1, 30.0).unwrap();
    let settings = BakeSettings { tile_size: 48, ..BakeSettings::default() };
    let input = BakeInput::new(Arc::new(level.mesh), settings);
    let navmesh = bake(input, &Unmonitored).unwrap();
    let (start, end) = (Some(level.start), Some(level.end));
    let mut state = QueryState { mode, options, start, end, ..QueryState::default() };
    state.update(Some(&navmesh), &Filter::default());
    (navmesh, state)
}

fn fact(state: &QueryState, name: &str) -> String {
    let facts = state.answer.as_ref().unwrap().facts();
    let fact = facts.iter().find(|(of, _)| *of == name);
    fact.unwrap_or_else(|| panic!("no {name} in {facts:?}")).1.clone()
}

#[test]
fn results_are_shown_in_the_language_and_units_of_the_window() {
    let (_, state) = asked(QueryMode::Raycast, QueryOptions::default());
    assert_eq!(fact(&state, "Stopped"), "by a wall");
    let length = fact(&state, "Straight distance");
    set_language(Language::Chinese);
    set_units(Units::Feet);
    let (stopped, shown) = (fact(&state, "停止原因"), fact(&state, "直线距离"));
    set_units(Units::Meters);
    set_language(Language::English);
    assert_eq!(stopped, "被墙壁阻挡");
    assert!(length.ends_with(" m") && shown.ends_with(" ft"), "{length} {shown}");
}

#[test]
fn an_agent_that_follows_is_seen_stride_by_stride() {
    let (navmesh, mut state) = asked(QueryMode::Follow, QueryOptions::default());
    assert_eq!(fact(&state, "Outcome"), "arrives");
    let Some(Played::Strides(strides)) = state.answer.as_ref().map(|answer| &answer.played) else {
        panic!("strides are played back")
    };
    assert_eq!(strides.last().map(|print| print.footing), Some(Footing::Arrives));
    let n = strides.len();
    assert_eq!((n, state.n_steps()), (fact(&state, "Points").parse().unwrap(), n));
    for step in [0, 1, 7] {
        state.show(Replay::at(step), Some(&navmesh), &Filter::default());
        let picture = state.picture(Some(&navmesh));
        assert_eq!(picture.lines.len(), step.saturating_sub(1));
    }
}

#[test]
fn a_sliced_search_shows_what_it_knows_so_far() {
    let options = QueryOptions { nodes_a_step: 4, ..QueryOptions::default() };
    let (navmesh, mut state) = asked(QueryMode::Sliced, options);
    assert_eq!(fact(&state, "State"), "done: the end is reached");
    assert_eq!(fact(&state, "Short of the end"), "0.00 m");
    let (whole, n) = (fact(&state, "Best path so far"), state.n_steps());
    let n_nodes = fact(&state, "Expanded");
    let n_nodes: usize = n_nodes.split(' ').next_back().unwrap().parse().unwrap();
    assert_eq!(n, n_nodes.div_ceil(4));
    let mut opened = 0;
    for step in 0..n {
        state.show(Replay::at(step), Some(&navmesh), &Filter::default());
        assert_eq!(fact(&state, "State"), "in progress");
        assert_eq!(fact(&state, "Expanded"), format!("{} of {n_nodes}", 4 * step));
        let now: usize = fact(&state, "Opened").parse().unwrap();
        assert!(now >= opened && now > 4 * step, "{now} after {opened}");
        opened = now;
    }
    // Goes back one step, then to the end.
    state.show(Replay::at(1), Some(&navmesh), &Filter::default());
    assert_eq!(fact(&state, "Expanded"), format!("4 of {n_nodes}"));
    state.show(Replay::default(), Some(&navmesh), &Filter::default());
    assert_eq!(fact(&state, "Best path so far"), whole);
}

#[test]
fn shortcuts_and_crossings_change_the_answer() {
    let none = asked(QueryMode::Sliced, QueryOptions::default()).1;
    let options = QueryOptions { shortcuts: Shortcuts::Far, ..QueryOptions::default() };
    let far = asked(QueryMode::Sliced, options).1;
    let cost = |state: &QueryState| fact(state, "Cost of this path").parse::<f32>().unwrap();
    assert!(cost(&far) < cost(&none), "{} {}", cost(&far), cost(&none));
    let n_points = |crossings| {
        let options = QueryOptions { crossings, ..QueryOptions::default() };
        fact(&asked(QueryMode::Straight, options).1, "Points").parse::<usize>().unwrap()
    };
    let [none, all] = [Crossings::None, Crossings::All].map(n_points);
    assert!(none < all && n_points(Crossings::Areas) >= none, "{none} {all}");
}

#[test]
fn a_flow_field_leads_from_everywhere_to_the_goal() {
    let (navmesh, state) = asked(QueryMode::FlowField, QueryOptions::default());
    let flow = state.answer.as_ref().unwrap().flow.as_deref().unwrap();
    assert_eq!(fact(&state, "Polygons with a way"), flow.extent.n_leading.to_string());
    assert!(flow.extent.n_leading > 20 && flow.extent.highest_cost > 15.0, "{:?}", flow.extent);
    let picture = state.picture(Some(&navmesh));
    let is_scaled = |paint| matches!(paint, Paint::Scalar(_));
    assert!(picture.triangles.iter().any(|triangle| is_scaled(triangle.paint)));
    assert!(picture.lines.len() >= 3 * (flow.extent.n_leading - 1));
    // Other queries have none.
    assert!(asked(QueryMode::Circle, QueryOptions::default()).1.answer.unwrap().flow.is_none());
}

#[test]
fn queries_with_an_end_wait_for_it() {
    for &mode in QueryMode::ALL {
        let (navmesh, mut state) = asked(mode, QueryOptions::default());
        assert!(state.answer.is_some());
        state.end = None;
        state.update(Some(&navmesh), &Filter::default());
        assert_eq!(state.answer.is_none(), mode.has_end(), "{mode:?}");
    }
}
