//! The differences between two crowds in words, with both values.

use walkable_workspace::{
    document::{Document, SceneAgent, SceneTask},
    format,
    lang::tr,
};

use super::differences::{change_line, from_to};

/// Returns the agents of the crowd that were added, removed or changed, and what changed of each. Agents have no names:
/// those that are equal at the start and at the end of both lists are the same, and the others are compared in order.
pub(super) fn crowd_lines(old: &Document, new: &Document) -> Vec<String> {
    let [before, after] = [old, new].map(|document| &document.crowd[..]);
    let mut lines = Vec::new();
    if before.len() != after.len() {
        lines.push(from_to(&format::count(before.len()), &format::count(after.len())));
    }
    let is_same = |(old, new): &(&SceneAgent, &SceneAgent)| old == new;
    let first = before.iter().zip(after).take_while(is_same).count();
    let [old, new] = [&before[first..], &after[first..]];
    let last = old.iter().rev().zip(new.iter().rev()).take_while(is_same).count();
    let [old, new] = [&old[..old.len() - last], &new[..new.len() - last]];
    for (index, both) in old.iter().zip(new).enumerate() {
        let name = tr!("Agent {}", first + index);
        let changed = changes(both.into());
        if changed.is_empty() && both.0 != both.1 {
            lines.push(tr!("Changed: {name}"));
        }
        lines.extend(changed.into_iter().map(|line| format!("{name} · {line}")));
    }
    let n_both = old.len().min(new.len());
    let name = |(index, agent): (usize, &SceneAgent)| {
        tr!("Agent {} at {}", first + index, format::position(agent.at))
    };
    let added = new.iter().enumerate().skip(n_both).map(name);
    lines.extend(added.map(|name| tr!("Added: {name}")));
    let removed = old.iter().enumerate().skip(n_both).map(name);
    lines.extend(removed.map(|name| tr!("Removed: {name}")));
    lines
}

fn changes(agents: [&SceneAgent; 2]) -> Vec<String> {
    let spawner = agents.map(|agent| match agent.spawner {
        Some(spawner) => tr!("every {} s, at most {}", format::exact(spawner.every), spawner.limit),
        None => tr!("none").to_owned(),
    });
    let task =
        agents.map(|agent| agent.task.map_or_else(|| tr!("none").to_owned(), SceneTask::text));
    let kind =
        agents.map(|agent| agent.kind.clone().unwrap_or_else(|| tr!("Active agent").to_owned()));
    let lines = [
        change_line(tr!("Start"), agents.map(|agent| format::position(agent.at))),
        change_line(tr!("Task"), task),
        change_line(tr!("Spawner"), spawner),
        change_line(tr!("Kind"), kind),
        change_line(tr!("Avoidance"), agents.map(|agent| agent.avoidance.name().to_owned())),
    ];
    lines.into_iter().flatten().collect()
}
