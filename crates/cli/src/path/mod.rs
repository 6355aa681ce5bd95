//! `walkable path`: finds paths on a baked navmesh.
//!
//! JSON of an answer, one object per line:
//!
//! | field | meaning |
//! |---|---|
//! | `status` | `complete`, `partial` (to the reachable polygon nearest to the end; with `--backwards` from the polygon nearest to the start from which the end can be reached) or `unreachable` |
//! | `why` | why the path is not complete, such as `end_off_mesh` or `one_way`; `null` if it is complete |
//! | `corridor` | references of the polygons of the path, from start to end |
//! | `points` | `[x, y, z]` of the corners of the shortest line through the corridor |
//! | `length` | length of that line, in meters |
//! | `cost` | path cost according to the search |
//! | `start`, `end` | `{"ref", "point", "snap"}`: polygon and point nearest to the requested position, and the distance to it (`{"horizontal", "vertical"}`, in meters; `vertical` is negative if the navmesh is lower), or `null` |
//! | `warnings` | findings: ends that were moved farther than the agent reaches |
//!
//! With `--route`, the path is the cheapest one over the midpoints of portals; a search as without `--route` keeps one
//! entry per polygon and may find a path that costs more. In a tile store, only the tiles along the path are in memory,
//! whatever the size of the store; a store over 512 MiB has complete paths only. With `--algorithm polyanya`, the path is the shortest one, and `cost` is its horizontal length.
//!
//! `unreachable` is a valid answer: the exit code is 0. With `--strict`, the exit code is 1 if there are warnings.
//!
//! With `--can-reach`, no path is searched, and an answer has only these fields: `reachable` (`true` or `false`), and as
//! above `why`, `start`, `end` and `warnings`.

mod store;

use anyhow::Context as _;
use clap::{ArgGroup, Args, ValueEnum};
use glam::Vec3;
use serde::Serialize;
use walkable::{
    diagnostic::{Diagnostic, Location},
    navmesh::{NavMesh, PolyRef},
    query::{
        Filter, MeshPoint, NavPath, PathReach, PathRequest, PathStatus, QueryError, Reachability,
        RouteOverlay, Scratch, Snap, WhyNot, check_ends, check_reach, find_path, find_route_path,
        find_shortest_path,
    },
};
use walkable_workspace::{
    agent_table::AgentTable,
    document::{AreaTable, follow_costs},
    files::{self, FileKind, Format},
    level_files::{parse_navmesh, read_navmesh},
    path_terms::{self, PathTerms},
    scene_files::read_areas,
};

use super::{Failure, findings::Findings, guard::InputFile, output::Output, values};

/// Arguments of `walkable path`.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[command(group(ArgGroup::new("questions").required(true).args(["from", "queries"])))]
pub(super) struct PathArgs {
    /// Baked navmesh (MSET), tile store, or baked layers (TSET) to build a navmesh from.
    pub(super) navmesh: InputFile,
    #[command(flatten)]
    ends: EndsArgs,
    /// Print the answer as one line of JSON.
    #[arg(long)]
    json: bool,
    /// Answer each line `sx sy sz ex ey ez` of a file with a line of JSON.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "to", "json"])]
    queries: Option<InputFile>,
    /// Exit with code 1 if there are warnings.
    #[arg(long)]
    strict: bool,
    /// Find the cheapest path with the costs between groups of tiles, which are computed first: for many queries on a
    /// large navmesh.
    #[arg(long, conflicts_with_all = ["algorithm", "backwards", "max_nodes"])]
    route: bool,
    /// Only tell whether the end can be reached, without searching a path.
    #[arg(
        long,
        conflicts_with_all = ["route", "algorithm", "backwards", "any_goal", "max_nodes"]
    )]
    can_reach: bool,
    /// Agent for which to search, of a navmesh for all agents of a project: only polygons with its flag are used.
    #[arg(long, value_name = "NAME", conflicts_with = "include")]
    agent: Option<String>,
    #[command(flatten)]
    pub(super) terms: TermArgs,
}

impl PathArgs {
    /// Returns the query filter, with area costs.
    fn filter(&self) -> anyhow::Result<Filter> {
        let mut filter = self.terms.filter()?;
        if let Some(name) = &self.agent {
            filter.include_flags = AgentTable::find(&self.navmesh, name)?.size.flag;
        }
        Ok(filter)
    }
}

/// The ends of a path.
#[derive(Args, Debug)]
pub(super) struct EndsArgs {
    /// Start of the path.
    #[arg(
        long,
        value_name = "X,Y,Z",
        allow_hyphen_values = true,
        value_parser = values::point,
        requires = "to"
    )]
    from: Option<Vec3>,
    /// End of the path.
    #[arg(
        long,
        value_name = "X,Y,Z",
        allow_hyphen_values = true,
        value_parser = values::point,
        requires = "from"
    )]
    to: Option<Vec3>,
}

impl EndsArgs {
    pub(super) fn both(&self) -> Option<[Vec3; 2]> {
        self.from.zip(self.to).map(<[Vec3; 2]>::from)
    }
}

/// Search options of `walkable path`.
#[derive(Args, Debug)]
pub(super) struct TermArgs {
    /// Half-extents of the box in which the nearest polygon is searched for.
    #[arg(long, value_name = "X,Y,Z", default_value = "2,4,2", value_parser = values::point)]
    half_extents: Vec3,
    /// Maximum number of nodes per search.
    #[arg(long, value_name = "N", default_value_t = 65_535)]
    max_nodes: usize,
    /// Project or settings file from which to take the area costs.
    #[arg(long, value_name = "FILE")]
    costs_of: Option<InputFile>,
    /// Cost per meter in an area, by default 1; may be repeated.
    #[arg(long, value_name = "AREA=COST", value_parser = values::area_cost)]
    area_cost: Vec<(u8, f32)>,
    /// Include flags: a polygon must have one of them to be used.
    #[arg(long, value_name = "FLAGS", value_parser = values::flags, default_value = "0xffff")]
    include: u16,
    /// Exclude flags: a polygon with any of them is not used.
    #[arg(long, value_name = "FLAGS", value_parser = values::flags, default_value = "0")]
    exclude: u16,
    /// Search algorithm.
    #[arg(long, value_enum, default_value_t = Algorithm::Detour)]
    algorithm: Algorithm,
    /// Search from the end; if the start does not lead to it, the path begins at the nearest place that does.
    #[arg(long)]
    backwards: bool,
    /// Allow the end to be off the mesh (with --backwards the start): the path leads as near as possible.
    #[arg(long)]
    any_goal: bool,
}

impl TermArgs {
    /// Returns the query filter, with area costs.
    pub(super) fn filter(&self) -> anyhow::Result<Filter> {
        let mut filter = Filter {
            include_flags: self.include,
            exclude_flags: self.exclude,
            ..Filter::default()
        };
        if let Some(project) = &self.costs_of {
            let areas = read_areas(project)?;
            follow_costs(&areas, &AreaTable::default(), &mut filter);
        }
        for &(area, cost) in &self.area_cost {
            filter.area_cost[usize::from(area)] = cost;
        }
        Ok(filter)
    }

    pub(super) fn path_terms(&self, ends: [Vec3; 2]) -> anyhow::Result<PathTerms> {
        let method = match self.algorithm {
            Algorithm::Detour => path_terms::Method::Detour,
            Algorithm::Polyanya => path_terms::Method::Polyanya,
        };
        let &Self { half_extents, max_nodes, backwards, any_goal, .. } = self;
        let (filter, requires_goal) = (self.filter()?, !any_goal);
        Ok(PathTerms { ends, filter, half_extents, max_nodes, method, backwards, requires_goal })
    }

    pub(super) fn request<'a>(
        &self,
        [start, end]: [Vec3; 2],
        filter: &'a Filter,
    ) -> PathRequest<'a> {
        PathRequest {
            half_extents: self.half_extents,
            max_nodes: self.max_nodes,
            backwards: self.backwards,
            requires_goal: !self.any_goal,
            ..PathRequest::new(start, end, filter)
        }
    }

    pub(super) fn search(
        &self,
        mesh: &NavMesh,
        request: &PathRequest<'_>,
        scratch: &mut Scratch,
    ) -> Result<NavPath, QueryError> {
        match self.algorithm {
            Algorithm::Detour => find_path(mesh, request, scratch),
            Algorithm::Polyanya => find_shortest_path(mesh, request, scratch),
        }
    }
}

/// Search algorithm.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Algorithm {
    /// A* over polygons, then string pulling: Detour's path.
    Detour,
    /// The shortest path at any angle.
    Polyanya,
}

#[derive(Serialize)]
struct PathJson<'a> {
    status: PathStatus,
    why: Option<WhyNot>,
    corridor: &'a [PolyRef],
    points: &'a [Vec3],
    length: f32,
    cost: f32,
    start: Option<End>,
    end: Option<End>,
    warnings: &'a [Diagnostic],
}

#[derive(Serialize)]
pub(super) struct End {
    #[serde(flatten)]
    end: MeshPoint,
    snap: Snap,
}

/// An answer without a path, as JSON.
#[derive(Serialize)]
struct ReachJson<'a> {
    reachable: bool,
    why: Option<WhyNot>,
    start: Option<End>,
    end: Option<End>,
    warnings: &'a [Diagnostic],
}

#[derive(Clone, Copy)]
enum Form {
    Json,
    Words,
}

pub(super) struct FoundPath {
    pub(super) requested: [Vec3; 2],
    /// With `--can-reach`, without corridor and points.
    pub(super) path: NavPath,
    pub(super) warnings: Vec<Diagnostic>,
}

pub(super) type FindPath<'a> = dyn FnMut([Vec3; 2]) -> anyhow::Result<FoundPath> + 'a;

pub(super) struct PathFinder<'a> {
    args: &'a PathArgs,
    mesh: &'a NavMesh,
    filter: Filter,
    method: Method,
    scratch: Scratch,
}

enum Method {
    Search,
    Route(Box<RouteOverlay>),
    Reach(Reachability),
}

impl Method {
    fn new(args: &PathArgs, mesh: &NavMesh, filter: &Filter) -> Result<Self, QueryError> {
        Ok(if args.route {
            Self::Route(Box::new(RouteOverlay::new(mesh, filter)?))
        } else if args.can_reach {
            Self::Reach(Reachability::new(mesh, filter))
        } else {
            Self::Search
        })
    }
}

impl<'a> PathFinder<'a> {
    pub(super) fn new(args: &'a PathArgs, mesh: &'a NavMesh) -> anyhow::Result<Self> {
        let (filter, scratch) = (args.filter()?, Scratch::default());
        let method = Method::new(args, mesh, &filter).context("cannot search")?;
        Ok(Self { args, mesh, filter, method, scratch })
    }

    pub(super) fn find_path(&mut self, requested: [Vec3; 2]) -> anyhow::Result<FoundPath> {
        let Self { args, mesh, filter, method, scratch } = self;
        let request = args.terms.request(requested, filter);
        let path = match method {
            Method::Search => args.terms.search(mesh, &request, scratch),
            Method::Route(overlay) => find_route_path(mesh, &request, overlay, scratch),
            Method::Reach(known) => check_reach(mesh, &request, known, scratch).map(|reach| {
                let PathReach { start, end, why, .. } = reach;
                NavPath { start, end, why, ..NavPath::unreachable() }
            }),
        };
        let path = path.context("cannot search")?;
        let warnings = check_ends(mesh, &request, &path);
        Ok(FoundPath { requested, path, warnings })
    }
}

pub(super) fn run(args: &PathArgs, output: &mut Output) -> Result<(), Failure> {
    if args.route && FileKind::read(&args.navmesh).ok() == Some(FileKind::TileStore) {
        return store::run(args, &mut |find_path| answer(args, find_path, output));
    }
    let mesh = whole(args)?;
    let mut finder = PathFinder::new(args, &mesh)?;
    answer(args, &mut |requested| finder.find_path(requested), output)
}

pub(super) fn whole(args: &PathArgs) -> anyhow::Result<NavMesh> {
    let bytes = read_navmesh(&args.navmesh)?;
    parse_navmesh(&bytes).with_context(|| args.navmesh.display().to_string())
}

fn answer(
    args: &PathArgs,
    find_path: &mut FindPath<'_>,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut findings = Findings::new(args.navmesh.display());
    if let Some(file) = &args.queries {
        let text = files::read_text(file, Format::Queries)?;
        for (line, number) in text.lines().zip(1..) {
            let ends = values::path_query(line).map_err(anyhow::Error::msg);
            let ends = ends.with_context(|| format!("{}:{number}", file.display()))?;
            if let Some(ends) = ends {
                let found = find_path(ends)?;
                output.line(&found.text(args, Form::Json)?)?;
                for warning in found.warnings {
                    findings.add_one_of_many(warning.within(Location::Line(number)));
                }
            }
        }
        findings.print_many();
    } else if let Some(ends) = args.ends.both() {
        let form = if args.json { Form::Json } else { Form::Words };
        let found = find_path(ends)?;
        output.lines(&found.text(args, form)?)?;
        findings.extend(found.warnings);
    }
    if args.strict {
        // The answer itself is still printed.
        output.finish()?;
        findings.refuse()?;
    }
    Ok(())
}

impl FoundPath {
    fn text(&self, args: &PathArgs, form: Form) -> anyhow::Result<String> {
        match (form, args.can_reach) {
            (Form::Json, true) => self.reach_json(),
            (Form::Words, true) => Ok(self.reach_in_words()),
            (Form::Json, false) => self.json(),
            (Form::Words, false) => Ok(self.in_words()),
        }
    }

    /// Returns the ends on the navmesh, with how far they were moved; `None` for an end off the mesh.
    fn ends(&self) -> [Option<End>; 2] {
        ends(&self.path, self.requested)
    }

    fn json(&self) -> anyhow::Result<String> {
        let Self { path, warnings, .. } = self;
        let [start, end] = self.ends();
        let answer = PathJson {
            status: path.status,
            why: path.why,
            corridor: &path.corridor,
            points: &path.points,
            length: path.length,
            cost: path.cost,
            start,
            end,
            warnings,
        };
        serde_json::to_string(&answer).context("cannot write the answer as JSON")
    }

    fn in_words(&self) -> String {
        use std::fmt::Write as _;

        let path = &self.path;
        let status = match path.status {
            PathStatus::Complete => "complete",
            PathStatus::Partial => "partial",
            PathStatus::Unreachable => "unreachable",
        };
        let why = path.why.map(|why| format!(", {why}")).unwrap_or_default();
        let mut text = format!("{status}{why}");
        // Writing to a string cannot fail.
        if path.status != PathStatus::Unreachable {
            let (length, cost, n) = (path.length, path.cost, path.corridor.len());
            let _ = write!(text, ": {length:.2} m, cost {cost:.2}, {n} polygons");
        }
        let _ = write!(text, ", {} nodes expanded", path.n_expanded);
        self.add_moves(&mut text);
        for point in &path.points {
            let [x, y, z] = point.to_array().map(|number| values::plain(number, 3));
            let _ = write!(text, "\n{x},{y},{z}");
        }
        text
    }

    fn reach_json(&self) -> anyhow::Result<String> {
        let Self { path, warnings, .. } = self;
        let [start, end] = self.ends();
        let reachable = path.why.is_none();
        let answer = ReachJson { reachable, why: path.why, start, end, warnings };
        serde_json::to_string(&answer).context("cannot write the answer as JSON")
    }

    fn reach_in_words(&self) -> String {
        let why = self.path.why.map(|why| format!("not reachable, {why}"));
        let mut text = why.unwrap_or_else(|| "reachable".to_owned());
        self.add_moves(&mut text);
        text
    }

    fn add_moves(&self, text: &mut String) {
        use std::fmt::Write as _;

        for (name, end) in ["start", "end"].into_iter().zip(self.ends()) {
            if let Some(End { snap: Snap { horizontal, vertical }, .. }) = end {
                let vertical = values::plain(vertical, 2);
                let _ = write!(
                    text,
                    "\n{name} moved {horizontal:.2} m horizontally, {vertical} m vertically"
                );
            }
        }
    }
}

pub(super) fn ends(path: &NavPath, [start, end]: [Vec3; 2]) -> [Option<End>; 2] {
    [(path.start, start), (path.end, end)]
        .map(|(end, requested)| end.map(|end| End { end, snap: Snap::onto(&end, requested) }))
}
