//! The route of a path whose ends are not loaded: its state as text, its figures and its buttons.

use eframe::egui;
use walkable::query::WhyNot;
use walkable_editor::{
    command::{Commands, PathCommand},
    session::{NoRoute, SessionView},
};
use walkable_workspace::{
    format,
    lang::{self, tr},
    store_route::WorldRoute,
};

use super::message::{PathMessage, Tone};
use crate::widgets::{busy::busy, command_button::command_button, legend::fact};

/// Describes the state of the route. `why` is the reason why the loaded tiles do not answer the path.
pub(super) fn route_message(view: &SessionView<'_>, why: WhyNot) -> PathMessage {
    let not_loaded = sentence_of(why);
    let store = view.world_store().unwrap_or_default();
    let store = store.file_name().unwrap_or_default().to_string_lossy();
    let (tone, title, why) = match view.route_answer() {
        Some(Ok(route)) => return found_route_message(route, &store),
        Some(Err(NoRoute::NoStore)) => {
            let level = view.name().unwrap_or_default();
            let why = tr!(
                "There is no {store} beside the level, in which a route could be found. Export all tiles as a tile store \
                 with this name, or run: walkable bake {level} -o {store}"
            );
            (Tone::Fair, tr!("Not loaded"), why)
        }
        Some(Err(NoRoute::Failed(why))) => {
            let why = lang::phrase(why);
            (Tone::Bad, tr!("Not loaded"), tr!("No route can be found: {why}."))
        }
        None if view.route.is_busy => {
            let percent = view.route.progress * 100.0;
            let why = tr!("Preparing the route in {store}: {percent:.0} %");
            (Tone::Waiting, tr!("Finding a route"), why)
        }
        None => (Tone::Waiting, tr!("Not loaded"), String::new()),
    };
    PathMessage {
        tone,
        title,
        why: format!("{not_loaded} {why}").trim_end().to_owned(),
        next: None,
    }
}

pub(super) fn sentence_of(why: WhyNot) -> String {
    let text = format::sentence(&lang::phrase(&why.phrase()));
    tr!("{text}.")
}

fn found_route_message(route: &WorldRoute, store: &str) -> PathMessage {
    let n_read = format::count(route.n_read);
    let (tone, title, mut why) = match route.why {
        None => {
            let tiles = format::counted(route.tiles.len(), "tile", "tiles");
            let why = tr!("Route over {tiles} of {store}; tiles read: {n_read}.");
            (Tone::Good, tr!("Route"), why)
        }
        Some(WhyNot::StartOffMesh) => {
            (Tone::Bad, tr!("No route"), tr!("No walkable polygon is near the start in {store}."))
        }
        Some(WhyNot::EndOffMesh) => {
            (Tone::Bad, tr!("No route"), tr!("No walkable polygon is near the end in {store}."))
        }
        Some(WhyNot::StartFiltered) => {
            let why = tr!("The filter excludes the ground near the start.");
            (Tone::Bad, tr!("No route"), why.to_owned())
        }
        Some(WhyNot::EndFiltered) => {
            let why = tr!("The filter excludes the ground near the end.");
            (Tone::Bad, tr!("No route"), why.to_owned())
        }
        Some(_) => {
            (Tone::Bad, tr!("No route"), tr!("Nothing connects start and end in all of {store}."))
        }
    };
    if route.coarse_from.is_some() {
        why += " ";
        why += tr!(
            "Dashed: straight from one cell of tiles to the next, because too many tiles would be read."
        );
    }
    if route.n_damaged > 0 {
        let tiles = format::counted(route.n_damaged, "tile", "tiles");
        why += " ";
        why += &tr!("Left out because they are damaged: {tiles}.");
    }
    PathMessage { tone, title, why, next: None }
}

pub(super) fn route_ui(ui: &mut egui::Ui, view: &SessionView<'_>, out: &mut Commands) {
    if !view.needs_route() {
        return;
    }
    if view.route.is_busy {
        ui.horizontal(|ui| {
            busy(ui);
            command_button(ui, view, PathCommand::CancelRoute, out);
        });
    } else if !matches!(view.route_answer(), Some(Ok(_))) {
        command_button(ui, view, PathCommand::FindRoute, out);
    }
}

pub(super) fn route_figures_ui(ui: &mut egui::Ui, route: &WorldRoute) {
    fact(ui, tr!("Length"), &format::length(route.length));
    fact(ui, tr!("Cost"), &format::number(f64::from(route.cost)));
    fact(ui, tr!("Tiles passed"), &format::count(route.tiles.len()));
    fact(ui, tr!("Tiles read"), &format::count(route.n_read));
    fact(ui, tr!("Corners"), &format::count(route.points.len().saturating_sub(2)));
}
