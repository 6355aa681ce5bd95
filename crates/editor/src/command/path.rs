//! Commands of the path tool.

use glam::Vec3;
use walkable::{
    phrase,
    query::{Crossings, Filter},
};
use walkable_workspace::{
    document::PathFilter, lang::tr, path_terms::Method, path_tests::filter_of,
};

use super::{
    Command, Effect,
    describe::{Description, says, variant_id},
    requests,
};
use crate::{
    jobs::work::Work,
    prefs::Prefs,
    session::{Edit, PathShow, PathState, Replay, SavedPath, SceneItem, Second, Session},
    shortcut::{Key, Shortcut},
};

#[derive(Clone, Debug, PartialEq)]
pub enum PathCommand {
    Start(Vec3),
    End(Vec3),
    Ends([Vec3; 2]),
    Swap,
    Clear,
    Filter(Box<Filter>),
    CompareWith(Second),
    SearchBy(Method),
    Show(PathShow),
    ShowSearch(Replay),
    PlaySearch,
    Walk,
    /// Saves the two ends under a name.
    Keep,
    RandomStart,
    RandomEnd,
    /// Sets the half-extents of the search for the ends' polygons, in meters.
    Reach(Vec3),
    MaxNodes(usize),
    /// Sets whether the search goes from the end to the start.
    Backwards(bool),
    /// Sets whether the goal must be on the navmesh.
    RequireGoal(bool),
    /// Sets where the path gets extra points between its corners.
    PointsAt(Crossings),
    /// Finds the route of a path whose ends are not loaded.
    FindRoute,
    CancelRoute,
}

impl PathCommand {
    pub(super) fn listed() -> Vec<Command> {
        let plain = [
            Self::Swap,
            Self::Clear,
            Self::PlaySearch,
            Self::Walk,
            Self::Keep,
            Self::RandomStart,
            Self::RandomEnd,
            Self::FindRoute,
            Self::CancelRoute,
        ];
        let by = Method::ALL.map(Self::SearchBy);
        let sides = [false, true].map(Self::Backwards);
        let goals = [true, false].map(Self::RequireGoal);
        plain.into_iter().chain(by).chain(sides).chain(goals).map(Command::from).collect()
    }

    #[expect(clippy::too_many_lines, reason = "a table with a row per command")]
    pub(super) fn description(&self) -> Description {
        match self {
            Self::Start(_) => {
                says("path.start", tr!("Place path start"), tr!("Puts the start of the path here"))
            }
            Self::End(_) => {
                says("path.end", tr!("Place path end"), tr!("Puts the end of the path here"))
            }
            Self::Ends(_) => says(
                "path.ends",
                tr!("Place path ends"),
                tr!("Puts the start and the end of the path here"),
            ),
            Self::Swap => says(
                "path.swap",
                tr!("Swap path ends"),
                tr!("Exchanges the start and the end of the path"),
            )
            .needs(|session| session.path.start.is_some() || session.path.end.is_some(), tr!("Place an end of the path first.")),
            Self::Clear => {
                says("path.clear", tr!("Clear path"), tr!("Removes both points of the path"))
                    .needs(|session| session.path.start.is_some() || session.path.end.is_some(), tr!("Place an end of the path first."))
            }
            Self::Filter(_) => says(
                "path.filter",
                tr!("Set path filter"),
                tr!("Sets which polygons a path may use and what they cost"),
            ),
            Self::CompareWith(_) => says(
                "path.compare-with",
                tr!("Compare paths"),
                tr!("Searches between the same ends with another filter, or in the pinned bake"),
            ),
            Self::SearchBy(method) => says(
                format!("path.search-by.{}", variant_id(method)),
                tr!("Search by {}", method.name()),
                method.what(),
            ),
            Self::Show(_) => {
                says("path.show", tr!("Set path display"), tr!("Sets what is drawn of the path"))
            }
            Self::ShowSearch(_) => says(
                "path.show-search",
                tr!("Show search"),
                tr!("Shows the search up to this node"),
            ),
            Self::PlaySearch => says(
                "path.play-search",
                tr!("Play search"),
                tr!("Plays the search node by node, or pauses"),
            )
            .needs(|session| session.path.n_expanded() > 0, tr!("Find a path first."))
            .key(Shortcut::plain(Key::Char('R')).with_shift()),
            Self::Walk => says(
                "path.walk",
                tr!("Walk along the path"),
                tr!("Shows an agent that walks from the start to the end of the path"),
            )
            .needs(|session| session.path.can_walk(), tr!("Find a path first.")),
            Self::Keep => says(
                "path.keep",
                tr!("Keep this path"),
                tr!("Adds the path's two ends to the project's list"),
            )
            .needs(|session| session.path.start.is_some() && session.path.end.is_some(), tr!("Place both ends of the path first.")),
            Self::RandomStart => says(
                "path.random-start",
                tr!("Random start"),
                tr!("Moves the start to a random place that the filter allows"),
            )
            .needs(|session| session.bake.navmesh.is_some(), tr!("Open a level and bake it first.")),
            Self::RandomEnd => says(
                "path.random-end",
                tr!("Random end"),
                tr!("Moves the end to a random place that the filter allows"),
            )
            .needs(|session| session.bake.navmesh.is_some(), tr!("Open a level and bake it first.")),
            Self::Reach(_) => says(
                "path.reach",
                tr!("Set search half-extents"),
                tr!("Sets how far from an end the nearest polygon is searched for"),
            ),
            Self::MaxNodes(_) => says(
                "path.max-nodes",
                tr!("Set node limit"),
                tr!("Sets how many nodes the search may use"),
            ),
            Self::Backwards(true) => says(
                "path.from-end",
                tr!("Search from the end"),
                tr!(
                    "Searches from the end of the path, over off-mesh links against their direction"
                ),
            ),
            Self::Backwards(false) => says(
                "path.from-start",
                tr!("Search from the start"),
                tr!("Searches from the start of the path, as games do"),
            ),
            Self::RequireGoal(true) => says(
                "path.require-goal",
                tr!("Require a navigable end"),
                tr!(
                    "Finds no path if the end is off the navmesh (with a search from the end: the start)"
                ),
            ),
            Self::RequireGoal(false) => says(
                "path.allow-goal-off-mesh",
                tr!("Allow an end off the navmesh"),
                tr!(
                    "Leads as near as possible to an end off the navmesh (with a search from the end: from the start)"
                ),
            ),
            Self::PointsAt(_) => says(
                "path.points-at",
                tr!("Set path crossings"),
                tr!("Sets where the path gets points besides its corners"),
            ),
            Self::FindRoute => says(
                "path.find-route",
                tr!("Find the route"),
                tr!("Searches all tiles of the tile store for a path whose ends are not loaded"),
            )
            .needs(|session| session.route_question().is_some() && !session.route.is_busy, tr!("Open a level or tile store larger than memory and place both ends of the path first.")),
            Self::CancelRoute => says(
                "path.cancel-route",
                tr!("Stop finding the route"),
                tr!("Stops searching the tile store; the next search continues from here"),
            )
            .needs(|session| session.route.is_busy, tr!("No route is being searched.")),
        }
    }
}

impl PathCommand {
    #[expect(clippy::unit_arg, reason = "an arm without effect is one line")]
    pub(crate) fn carry_out(self, session: &mut Session, prefs: &Prefs) -> Option<Effect> {
        let path = &mut session.path;
        match self {
            Self::Start(point) => path.start = Some(point),
            Self::End(point) => path.end = Some(point),
            Self::Ends([start, end]) => (path.start, path.end) = (Some(start), Some(end)),
            Self::Swap => std::mem::swap(&mut path.start, &mut path.end),
            Self::Clear => path.forget(),
            Self::Filter(filter) => set_filter(session, *filter),
            Self::CompareWith(second) => path.second = second,
            Self::SearchBy(method) => path.method = method,
            Self::Show(show) => return without_effect(path.show = show),
            Self::ShowSearch(replay) => return without_effect(path.replay = replay),
            Self::PlaySearch => {
                return without_effect(path.replay = path.replay.toggled(path.n_expanded()));
            }
            Self::Walk => return without_effect(path.toggle_walk()),
            Self::Keep => return without_effect(keep(session)),
            Self::RandomStart => put_at_random(session, |path| &mut path.start),
            Self::RandomEnd => put_at_random(session, |path| &mut path.end),
            Self::Reach(reach) => path.half_extents = reach,
            Self::MaxNodes(max_nodes) => path.max_nodes = max_nodes,
            Self::Backwards(backwards) => path.backwards = backwards,
            Self::RequireGoal(requires) => path.requires_goal = requires,
            Self::PointsAt(crossings) => path.crossings = crossings,
            Self::FindRoute => {
                let question = session.route_question()?;
                return Some(requests::find_route(session, prefs, question).into());
            }
            Self::CancelRoute => {
                session.route.is_busy = false;
                return Some(Work::CancelRoute.into());
            }
        }
        session.update_path();
        None
    }
}

/// Returns no effect, for match arms that change what is shown but not the path.
fn without_effect((): ()) -> Option<Effect> {
    None
}

/// Moves an end to a random point of the navmesh; leaves it unchanged if there is no walkable point.
fn put_at_random(session: &mut Session, end: fn(&mut PathState) -> &mut Option<Vec3>) {
    let Some(navmesh) = session.bake.navmesh.clone() else { return };
    let Some(place) = session.path.random_place(&navmesh) else { return };
    *end(&mut session.path) = Some(place);
}

/// Sets the query filter, as one undo step or as a part of the open transaction.
fn set_filter(session: &mut Session, filter: Filter) {
    let base = filter_of(&session.document().areas);
    let changes = PathFilter::difference(&filter, &base);
    session.path.filter = filter;
    session.path.changes.clone_from(&changes);
    let edit = Edit::PathFilter(changes);
    session.history.change(phrase!("Change path filter"), |document| edit.apply(document));
}

fn keep(session: &mut Session) {
    let (Some(start), Some(end)) = (session.path.start, session.path.end) else { return };
    let mut paths = session.document().paths.clone();
    paths.push(SavedPath { start, end }.into());
    let item = SceneItem::Path(paths.len() - 1);
    session.history.change(phrase!("Keep path"), |document| Edit::Paths(paths).apply(document));
    session.tools.selected_items = item.into();
}
