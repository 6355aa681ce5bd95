//! `walkable path`: finds paths on a baked mesh.
//!
//! JSON of an answer, one object a line:
//!
//! | field | meaning |
//! |---|---|
//! | `status` | `complete`, `partial` (to the reachable polygon nearest to the end; with `--backwards` from the polygon nearest to the start from which the end can be reached) or `unreachable` |
//! | `why` | why it is not complete, as `end_off_mesh` or `one_way`; `null` where it is |
//! | `corridor` | references of the polygons to pass, from start to end |
//! | `points` | `[x, y, z]` of the corners of the shortest line through the corridor |
//! | `length` | length of that line, in meters |
//! | `cost` | cost that the search found |
//! | `start`, `end` | `{"ref", "point", "snap"}`: polygon and point nearest to what was asked for, and how far that is (`{"horizontal", "vertical"}`, in meters; `vertical` is less than 0 where the navmesh is lower), or `null` |
//! | `warnings` | what was found: ends that were moved farther than the agent reaches |
//!
//! `--algorithm polyanya` gives the shortest path; then `cost` is its length from above.
//!
//! An answer of `unreachable` is an answer: the exit code is 0. With `--strict` it is 1 where there are warnings.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use glam::Vec3;
use serde::Serialize;
use walkable::{
    diagnostic::{Diagnostic, Location},
    navmesh::{NavMesh, PolyRef},
    query::{
        Filter, NavPath, PathEnd, PathRequest, PathStatus, QueryError, Scratch, Snap, WhyNot,
        check_ends, find_path, find_shortest_path,
    },
};
use walkable_editor::{
    document::{AreaTable, follow_costs},
    files::{self, Format},
    scene_files::read_areas,
};

use super::{Failure, findings::Findings, layers::read_navmesh, output::Output, values};

/// Arguments of `walkable path`.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(super) struct PathArgs {
    /// Baked mesh (MSET), or baked layers (TSET) to make one of.
    navmesh: PathBuf,
    /// Where the path starts.
    #[arg(
        long,
        value_name = "X,Y,Z",
        allow_hyphen_values = true,
        value_parser = values::point,
        requires = "to",
        required_unless_present = "queries"
    )]
    from: Option<Vec3>,
    /// Where it ends.
    #[arg(
        long,
        value_name = "X,Y,Z",
        allow_hyphen_values = true,
        value_parser = values::point,
        requires = "from"
    )]
    to: Option<Vec3>,
    /// Answer with one line of JSON.
    #[arg(long)]
    json: bool,
    /// Answer each line `sx sy sz ex ey ez` of a file with a line of JSON.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "to", "json"])]
    queries: Option<PathBuf>,
    /// Half the box in which the nearest polygon is sought.
    #[arg(long, value_name = "X,Y,Z", default_value = "2,4,2", value_parser = values::point)]
    half_extents: Vec3,
    /// Most nodes that a search may use.
    #[arg(long, value_name = "N", default_value_t = 65_535)]
    max_nodes: usize,
    /// Take the costs of areas from this project or settings file.
    #[arg(long, value_name = "FILE")]
    costs_of: Option<PathBuf>,
    /// Cost of a meter in an area, 1 if not given; may be repeated.
    #[arg(long, value_name = "AREA=COST", value_parser = values::area_cost)]
    area_cost: Vec<(u8, f32)>,
    /// Only polygons with one of these flags may be used.
    #[arg(long, value_name = "FLAGS", value_parser = values::flags, default_value = "0xffff")]
    include: u16,
    /// Polygons with any of these flags may not be used.
    #[arg(long, value_name = "FLAGS", value_parser = values::flags, default_value = "0")]
    exclude: u16,
    /// How to search.
    #[arg(long, value_enum, default_value_t = Algorithm::Detour)]
    algorithm: Algorithm,
    /// Search from the end; where no way leads there from the start, the path begins where one does.
    #[arg(long)]
    backwards: bool,
    /// Let the end be off the mesh (with --backwards the start): the path leads as near as it can.
    #[arg(long)]
    any_goal: bool,
    /// Exit with 1 where there are warnings.
    #[arg(long)]
    strict: bool,
}

impl PathArgs {
    fn filter(&self) -> anyhow::Result<Filter> {
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
}

/// How to search.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Algorithm {
    /// A* over polygons, then the shortest line through them: Detour's path.
    Detour,
    /// The shortest path, in any direction.
    Polyanya,
}

/// An answer as JSON.
#[derive(Serialize)]
struct Answer<'a> {
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

/// An end of a path, and how far it was moved onto the navmesh.
#[derive(Serialize)]
struct End {
    #[serde(flatten)]
    end: PathEnd,
    snap: Snap,
}

/// A path, where it was asked for, and what was found about it.
struct Found {
    asked: [Vec3; 2],
    path: NavPath,
    warnings: Vec<Diagnostic>,
}

/// Answers questions to one navmesh.
struct Asker<'a> {
    args: &'a PathArgs,
    mesh: &'a NavMesh,
    filter: Filter,
    scratch: Scratch,
}

impl Asker<'_> {
    fn ask(&mut self, asked: [Vec3; 2]) -> Result<Found, QueryError> {
        let Self { args, mesh, filter, scratch } = self;
        let request = PathRequest {
            half_extents: args.half_extents,
            max_nodes: args.max_nodes,
            backwards: args.backwards,
            requires_goal: !args.any_goal,
            ..PathRequest::new(asked[0], asked[1], filter)
        };
        let path = match args.algorithm {
            Algorithm::Detour => find_path(mesh, &request, scratch),
            Algorithm::Polyanya => find_shortest_path(mesh, &request, scratch)?,
        };
        let warnings = check_ends(mesh, &request, &path);
        Ok(Found { asked, path, warnings })
    }
}

pub(super) fn run(args: &PathArgs, output: &mut Output) -> Result<(), Failure> {
    let bytes = files::read(&args.navmesh, Format::Navmesh)?;
    let mesh = read_navmesh(&bytes).with_context(|| args.navmesh.display().to_string())?;
    let (filter, scratch) = (args.filter()?, Scratch::default());
    let mut asker = Asker { args, mesh: &mesh, filter, scratch };
    let mut findings = Findings::new(args.navmesh.display());
    if let Some(file) = &args.queries {
        let text = files::read_text(file, Format::Queries)?;
        for (line, number) in text.lines().zip(1..) {
            let ends = query(line).with_context(|| format!("{}:{number}", file.display()))?;
            if let Some(ends) = ends {
                let found = asker.ask(ends).context("cannot search")?;
                output.line(&found.json()?)?;
                for warning in found.warnings {
                    findings.add_one_of_many(warning.within(Location::Line(number)));
                }
            }
        }
        findings.say_many();
    } else if let (Some(from), Some(to)) = (args.from, args.to) {
        let found = asker.ask([from, to]).context("cannot search")?;
        output.line(&if args.json { found.json()? } else { found.in_words() })?;
        findings.extend(found.warnings);
    }
    if args.strict {
        // The answer is one all the same.
        output.finish()?;
        findings.refuse()?;
    }
    Ok(())
}

/// The two ends on a line; `None` where it is empty or a comment.
fn query(line: &str) -> anyhow::Result<Option<[Vec3; 2]>> {
    let line = line.split_once('#').map_or(line, |(before, _)| before);
    if line.trim().is_empty() {
        return Ok(None);
    }
    let numbers: Option<Vec<f32>> = line.split_whitespace().map(values::finite).collect();
    match numbers.as_deref() {
        Some(&[sx, sy, sz, ex, ey, ez]) => Ok(Some([Vec3::new(sx, sy, sz), Vec3::new(ex, ey, ez)])),
        _ => bail!("expected six numbers: sx sy sz ex ey ez"),
    }
}

impl Found {
    /// The ends on the navmesh with how far they were moved, each where there is one.
    fn ends(&self) -> [Option<End>; 2] {
        let Self { path, asked: [start, end], .. } = self;
        [(path.start, *start), (path.end, *end)]
            .map(|(end, asked)| end.map(|end| End { end, snap: Snap::onto(&end, asked) }))
    }

    fn json(&self) -> anyhow::Result<String> {
        let Self { path, warnings, .. } = self;
        let [start, end] = self.ends();
        let answer = Answer {
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
        let why = path.why.map(|why| format!(", {}", why_in_words(why))).unwrap_or_default();
        let mut text = format!("{status}{why}");
        // Writing to a string cannot fail.
        if path.status != PathStatus::Unreachable {
            let (length, cost, n) = (path.length, path.cost, path.corridor.len());
            let _ = write!(text, ": {length:.2} m, cost {cost:.2}, {n} polygons");
        }
        let _ = write!(text, ", {} nodes expanded", path.n_expanded);
        for (name, end) in ["start", "end"].into_iter().zip(self.ends()) {
            if let Some(End { snap: Snap { horizontal, vertical }, .. }) = end {
                let vertical = values::plain(vertical, 2);
                let _ = write!(
                    text,
                    "\n{name} moved {horizontal:.2} m horizontally, {vertical} m vertically"
                );
            }
        }
        for point in &path.points {
            let [x, y, z] = point.to_array().map(|number| values::plain(number, 3));
            let _ = write!(text, "\n{x},{y},{z}");
        }
        text
    }
}

fn why_in_words(why: WhyNot) -> &'static str {
    match why {
        WhyNot::StartOffMesh => "no polygon is near the start",
        WhyNot::EndOffMesh => "no polygon is near the end",
        WhyNot::StartFiltered => "the filter lets no polygon near the start pass",
        WhyNot::EndFiltered => "the filter lets no polygon near the end pass",
        WhyNot::Disconnected => "nothing connects start and end",
        WhyNot::OneWay => "off-mesh links lead from the end to the start only",
        WhyNot::Filtered => "the filter does not let pass what lies between",
        WhyNot::NodeLimit => "the search used all its nodes",
        WhyNot::CostLimit => "every way costs more than allowed",
        WhyNot::LoopBound => "the search expanded as many polygons as allowed",
        _ => "for another reason",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_six_numbers_a_line() {
        let ends = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(-4.0, 5.5, 6.0)];
        assert_eq!(query("1 2 3  -4\t5.5 6 # there").unwrap(), Some(ends));
        assert_eq!(query("  # nothing").unwrap(), None);
        for bad in ["1 2 3", "1 2 3 4 5 6 7", "1 2 3 4 5 inf", "a b c d e f"] {
            assert!(query(bad).is_err(), "{bad}");
        }
    }
}
