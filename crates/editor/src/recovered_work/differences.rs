//! The differences between two documents in words, with both values.

use std::collections::{BTreeMap, BTreeSet};

use walkable::{
    bake::{BakeSettings, JumpLimits, PARAMS, SurfaceSource, SurfaceUse},
    ids::TileCoord,
    mesh::ImportOptions,
    query::SearchRules,
};
use walkable_workspace::{
    document::{
        Agent, Area, AreaTable, Brush, Document, Named, OwnPreset, PathFilter, Rgb, Stroke,
    },
    format,
    lang::tr,
    units::file_unit_name,
};

use crate::{
    area_names::{area_name, flag_name, flag_names, painted_name},
    session::{BUDGETS, JUMP_LIMITS, SceneItem, usual_jumps},
};

pub(super) fn from_to(old: &str, new: &str) -> String {
    tr!("{old}, now {new}")
}

pub(super) fn change_line(label: &str, [old, new]: [String; 2]) -> Option<String> {
    (old != new).then(|| format!("{label}: {}", from_to(&old, &new)))
}

fn switch_line(label: &str, values: [bool; 2]) -> Option<String> {
    let text = |on| if on { tr!("on") } else { tr!("off") }.to_owned();
    change_line(label, values.map(text))
}

fn count_line(old: usize, new: usize) -> String {
    if old == new {
        return tr!("{} items, some of them changed", format::count(new));
    }
    from_to(&format::count(old), &format::count(new))
}

pub(super) fn setting_lines([old, new]: [&BakeSettings; 2]) -> Vec<String> {
    let changed = PARAMS.iter().filter_map(|param| {
        let values = [old, new].map(|settings| param.get(settings));
        let [old, new] = values.map(|value| format::setting(param, value));
        (values[0] != values[1]).then(|| format!("{}: {}", tr(param.label), from_to(&old, &new)))
    });
    changed.collect()
}

/// Returns the limits of jumps and drops that differ. `settings` are the sizes of the agents.
pub(super) fn jump_lines(jumps: [JumpLimits; 2], settings: [&BakeSettings; 2]) -> Vec<String> {
    let changed = JUMP_LIMITS.iter().filter_map(|row| {
        let [old, new] = jumps.map(|mut jumps| *(row.limit.of)(&mut jumps));
        if old == new {
            return None;
        }
        let text = |value: Option<f32>, settings| {
            if let Some(value) = value {
                return format::exact_quantity(value, "m");
            }
            let usual = format::length((row.usual)(&usual_jumps(settings)));
            tr!("{} (from the agent's size)", usual)
        };
        Some(format!(
            "{}: {}",
            tr(row.label),
            from_to(&text(old, settings[0]), &text(new, settings[1]))
        ))
    });
    changed.collect()
}

pub(super) fn agent_lines(old: &Document, new: &Document) -> Vec<String> {
    let [before, after] = [old, new].map(|document| &document.agents);
    let names = |list: &[Agent]| list.iter().map(|agent| agent.name.clone()).collect::<Vec<_>>();
    let mut lines = set_lines(&names(&before.list), &names(&after.list));
    let active = [before, after].map(|agents| {
        agents.active().map_or_else(|| tr!("none").to_owned(), |agent| agent.name.clone())
    });
    lines.extend(change_line(tr!("Active agent"), active));
    for new in &after.list {
        let Some(old) = before.list.iter().find(|old| old.name == new.name) else { continue };
        let both = [old, new];
        let settings = both.map(|agent| &agent.settings);
        let mut own = setting_lines(settings);
        let number = |value: f32, unit| format::exact_quantity(value, unit);
        let speed = both.map(|agent| number(agent.pace.max_speed, "m/s"));
        own.extend(change_line(tr!("Speed"), speed));
        let acceleration = both.map(|agent| number(agent.pace.max_acceleration, "m/s²"));
        own.extend(change_line(tr!("Acceleration"), acceleration));
        own.extend(jump_lines(both.map(|agent| agent.jumps), settings));
        lines.extend(own.into_iter().map(|line| format!("{} · {line}", new.name)));
        let colors = both.map(|agent| color_text(agent.color));
        lines.extend(change_line(&tr!("Color of {}", new.name), colors));
    }
    lines
}

fn color_text(color: Option<Rgb>) -> String {
    color.map_or_else(|| tr!("Default").to_owned(), String::from)
}

pub(super) fn import_lines([old, new]: [ImportOptions; 2]) -> Vec<String> {
    let both = [old, new];
    let unit = |options: ImportOptions| {
        let name = file_unit_name(options.scale).map(|name| tr(name).to_owned());
        name.unwrap_or_else(|| format!("{} m", format::exact(options.scale)))
    };
    let axis = both.map(|options| options.up.letter().to_ascii_uppercase().to_string());
    [
        change_line(tr!("Up axis"), axis),
        change_line(tr!("Unit"), both.map(unit)),
        switch_line(tr!("Left-handed file"), both.map(|options| options.mirror)),
        switch_line(tr!("Flip faces"), both.map(|options| options.flip)),
        switch_line(tr!("Collision shapes only"), both.map(|options| options.collision_only)),
        change_line(
            tr!("Origin"),
            both.map(|options| options.origin.map(|n| n.to_string()).join(", ")),
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

pub(super) fn area_lines([old, new]: [&AreaTable; 2]) -> Vec<String> {
    let both = [old, new];
    let [before, after] = both.map(AreaTable::listed);
    let mut lines = Vec::new();
    for id in 0..=AreaTable::LAST {
        match [&before, &after].map(|listed| listed.contains(&id)) {
            [true, false] => {
                lines.push(tr!("Removed: {}", area_name(old, id)));
                continue;
            }
            [false, true] => {
                let name = area_name(new, id);
                lines.push(tr!("Added: {name}"));
            }
            [true, true] => {
                let names = both.map(|table| area_name(table, id));
                lines.extend(change_line(&tr!("Name of area {id}"), names));
            }
            [false, false] => continue,
        }
        let name = area_name(new, id);
        let values = both.map(|table| table.area(id));
        let texts =
            |text: fn(&AreaTable, &Area) -> String| [text(old, &values[0]), text(new, &values[1])];
        let costs = texts(|_, area| format::exact(area.cost));
        lines.extend(change_line(&tr!("Cost of {}", name), costs));
        let costs = texts(|_, area| format::exact(area.entering_cost));
        lines.extend(change_line(&tr!("Entering cost of {}", name), costs));
        if values[0].flags != values[1].flags {
            let flags = texts(|table, area| flag_names(table, area.flags));
            lines.extend(change_line(&tr!("Flags of {}", name), flags));
        }
        lines.extend(change_line(
            &tr!("Color of {}", name),
            texts(|_, area| color_text(area.color)),
        ));
    }
    for (old, new) in old.all_flags().zip(new.all_flags()) {
        let label = tr!("Name of flag {}", new.number);
        lines.extend(change_line(&label, [&old, &new].map(flag_name)));
    }
    lines
}

/// Returns how many brush strokes paint each area and each set of flags, where that differs.
pub(super) fn stroke_lines(old: &Document, new: &Document) -> Vec<String> {
    let painted = |document: &Document| {
        let mut painted: BTreeMap<(bool, u16), Vec<Stroke>> = BTreeMap::new();
        for stroke in &document.strokes {
            let key = match stroke.brush {
                Brush::Area(area) => (false, area.into()),
                Brush::Flags(flags) => (true, flags),
            };
            painted.entry(key).or_default().push(stroke.clone());
        }
        painted
    };
    let [before, after] = [old, new].map(painted);
    let name = |brush| match brush {
        Brush::Area(area) => area_name(&new.areas, area),
        Brush::Flags(flags) => format!("{}: {}", tr!("Flags"), flag_names(&new.areas, flags)),
    };
    let keys: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let mut lines =
        vec![format!("{}: {}", tr!("Strokes"), count_line(old.strokes.len(), new.strokes.len()))];
    for key in keys {
        let [old, new] =
            [&before, &after].map(|strokes| strokes.get(key).map_or(&[][..], Vec::as_slice));
        let brush = old.first().or_else(|| new.first()).map(|stroke| stroke.brush);
        if let Some(brush) = brush.filter(|_| old != new) {
            lines.push(format!("{}: {}", name(brush), count_line(old.len(), new.len())));
        }
    }
    lines
}

pub(super) fn island_lines(old: &Document, new: &Document) -> Vec<String> {
    let both = [old, new].map(|document| &document.islands);
    let least = both.map(|islands| match islands.min_area {
        Some(area) => format::exact_quantity(area, "m²"),
        None => tr!("off").to_owned(),
    });
    let mut lines = Vec::from_iter(change_line(tr!("Remove islands smaller than"), least));
    let [old, new] = both.map(|islands| &islands.seeds);
    let added = new.iter().filter(|seed| !old.contains(seed)).map(|seed| {
        let place = format::position(*seed);
        tr!("Added seed point: {place}")
    });
    let removed = old.iter().filter(|seed| !new.contains(seed)).map(|seed| {
        let place = format::position(*seed);
        tr!("Removed seed point: {place}")
    });
    lines.extend(added.chain(removed));
    lines
}

pub(super) fn preset_lines(old: &[OwnPreset], new: &[OwnPreset]) -> Vec<String> {
    let names =
        |presets: &[OwnPreset]| presets.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
    let mut lines = set_lines(&names(old), &names(new));
    for new in new {
        let Some(old) = old.iter().find(|old| old.name == new.name) else { continue };
        let own = setting_lines([&old.settings, &new.settings]);
        lines.extend(own.into_iter().map(|line| format!("{} · {line}", new.name)));
    }
    lines
}

pub(super) fn flags_text(areas: &AreaTable, flags: u16) -> String {
    if flags == u16::MAX { tr!("All").to_owned() } else { flag_names(areas, flags) }
}

/// Describes the cost of a filter in an area, `own` if it replaces the cost of the area.
pub(super) fn cost_text(own: Option<&f32>, of_area: f32) -> String {
    match own {
        Some(cost) => format::exact(*cost),
        None => tr!("{} (cost of the area)", format::exact(of_area)),
    }
}

/// Compares rules by source and name. If several rules have the same name, the last one applies.
pub(super) fn surface_lines(old: &Document, new: &Document) -> Vec<String> {
    let documents = [old, new];
    let uses = documents.map(|document| {
        let rules = document.surfaces.iter().map(|rule| {
            let use_name = match rule.becomes {
                SurfaceUse::LeftOut => tr!("Left out").to_owned(),
                SurfaceUse::Area(area) => painted_name(&document.areas, area),
            };
            ((rule.source == SurfaceSource::Material, &*rule.name), (rule.becomes, use_name))
        });
        rules.collect::<BTreeMap<_, _>>()
    });
    let mut lines = Vec::new();
    let keys: BTreeSet<_> = uses.iter().flat_map(BTreeMap::keys).collect();
    for key in keys {
        let both = [0, 1].map(|side| uses[side].get(key));
        if both[0].map(|(becomes, _)| becomes) == both[1].map(|(becomes, _)| becomes) {
            continue;
        }
        let &(is_material, name) = key;
        let name = if name.is_empty() { tr!("without a name") } else { name };
        let label = if is_material { tr!("Material {name}") } else { tr!("Object {name}") };
        let text = |one: Option<&(SurfaceUse, String)>| {
            one.map_or_else(|| tr!("none").to_owned(), |(_, name)| name.clone())
        };
        let [old, new] = both.map(text);
        lines.push(format!("{label}: {}", from_to(&old, &new)));
    }
    if lines.is_empty() {
        lines.push(count_line(old.surfaces.len(), new.surfaces.len()));
    }
    lines
}

pub(super) fn tile_lines(old: &Document, new: &Document) -> Vec<String> {
    let changed = old.removed_tiles.symmetric_difference(&new.removed_tiles);
    let line = |coord: &TileCoord| {
        let text = |document: &Document| {
            let is_removed = document.removed_tiles.contains(coord);
            if is_removed { tr!("removed") } else { tr!("in the navmesh") }.to_owned()
        };
        change_line(&tr!("Tile {coord}"), [old, new].map(text))
    };
    changed.filter_map(line).collect()
}

pub(super) fn filter_lines(old: &Document, new: &Document) -> Vec<String> {
    let documents = [old, new];
    let filters = documents.map(|document| &document.path_filter);
    let mut lines = Vec::new();
    for (label, of) in [
        (
            tr!("Include flags"),
            (|filter: &PathFilter| filter.include_flags) as fn(&PathFilter) -> u16,
        ),
        (tr!("Exclude flags"), |filter| filter.exclude_flags),
    ] {
        let flags = |document: &Document| flags_text(&document.areas, of(&document.path_filter));
        if of(filters[0]) != of(filters[1]) {
            lines.extend(change_line(label, documents.map(flags)));
        }
    }
    for id in 0..=AreaTable::LAST {
        let name = area_name(&new.areas, id);
        let [before, after] = filters.map(|filter| filter.costs.get(&id));
        if before != after {
            let costs = documents
                .map(|it| cost_text(it.path_filter.costs.get(&id), it.areas.area(id).cost));
            lines.extend(change_line(&tr!("Cost of {}", name), costs));
        }
        let [before, after] = filters.map(|filter| filter.entering_costs.get(&id));
        if before != after {
            let costs = documents.map(|it| {
                cost_text(it.path_filter.entering_costs.get(&id), it.areas.area(id).entering_cost)
            });
            lines.extend(change_line(&tr!("Entering cost of {}", name), costs));
        }
    }
    let usual = SearchRules::default().heuristic_scale;
    let scales = filters.map(|filter| format::exact(filter.heuristic_scale.unwrap_or(usual)));
    let limits = filters.map(|filter| match filter.cost_limit {
        Some(limit) => format::exact(limit),
        None => tr!("none").to_owned(),
    });
    let others = [
        change_line(tr!("Heuristic scale"), scales),
        change_line(tr!("Cost limit"), limits),
        switch_line(
            tr!("Scale heuristic by lowest area cost"),
            filters.map(|filter| filter.expects_cheapest_area),
        ),
        switch_line(tr!("Never reopen closed nodes"), filters.map(|filter| filter.skips_closed)),
        switch_line(
            tr!("Update entry points on relaxation"),
            filters.map(|filter| filter.moves_entries),
        ),
    ];
    lines.extend(others.into_iter().flatten());
    lines
}

pub(super) fn budget_lines(old: &Document, new: &Document) -> Vec<String> {
    let changed = BUDGETS.iter().filter_map(|budget| {
        let text = |document: &Document| {
            let mut budgets = document.budgets;
            let limit = *(budget.of)(&mut budgets);
            limit.map_or_else(|| tr!("none").to_owned(), |limit| format!("{limit} {}", budget.unit))
        };
        change_line(tr(budget.label), [old, new].map(text))
    });
    changed.collect()
}

fn set_lines(old: &[String], new: &[String]) -> Vec<String> {
    let added = new.iter().filter(|name| !old.contains(name)).map(|name| tr!("Added: {name}"));
    let removed = old.iter().filter(|name| !new.contains(name)).map(|name| tr!("Removed: {name}"));
    added.chain(removed).collect()
}

/// Returns the objects that were added, removed or changed. An object keeps its number.
pub(super) fn named_lines<T: PartialEq>(
    [old_document, new_document]: [&Document; 2],
    old: &[Named<T>],
    new: &[Named<T>],
    item: fn(usize) -> SceneItem,
) -> Vec<String> {
    let before: BTreeMap<u32, &Named<T>> = old.iter().map(|one| (one.number, one)).collect();
    let after: BTreeSet<u32> = new.iter().map(|one| one.number).collect();
    let mut lines = vec![from_to(&format::count(old.len()), &format::count(new.len()))];
    for (index, one) in new.iter().enumerate() {
        let name = item(index).name(new_document);
        match before.get(&one.number) {
            None => lines.push(tr!("Added: {name}")),
            Some(old) if *old != one => lines.push(tr!("Changed: {name}")),
            Some(_) => {}
        }
    }
    for (index, one) in old.iter().enumerate() {
        if !after.contains(&one.number) {
            lines.push(tr!("Removed: {}", item(index).name(old_document)));
        }
    }
    lines
}
