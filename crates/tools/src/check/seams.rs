//! Borders between tiles: edges that should join and do not.
//!
//! Two tiles of one bake have the same ground at their border: it ends at the same places on both sides, with corners
//! of the same height. But each tile is rasterized separately, and a wall exactly on the edge of a voxel may be rounded
//! into different voxels. A difference that rounding explains is a note. Any other difference is a warning.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;
use walkable_bake::bake::BakePlan;
use walkable_runtime::{
    diagnostic::{Diagnostic, Finding, Meters},
    monitor::{Cancelled, Monitor},
    navmesh::{NavMesh, PolyRef},
};

use super::{
    FindingLocation,
    border::{BorderEdge, Side, SquareBorders, TOUCH, TileSquare, borders, is_planned},
    limits::MAX_LAYERS,
    polygons::cell_size,
    shift::Shifts,
};

/// Maximum number of polygons that Detour links to one edge on a border.
const MAX_LINKS: usize = 4;
/// Minimum length of border edges that count, in voxels. Simplification removes a patch of two voxels in the corner of
/// a tile, while the neighbors keep their edges to it.
const FEW_VOXELS: f32 = 2.5;
/// Minimum number of tiles around a place, out of eight, that puts it in the middle of the level.
const MOST_AROUND: usize = 6;
/// Maximum number of edges that are compared with one edge, which limits the time for many floors above each other.
const MAX_STACKED: usize = 256;
/// Maximum number of pairs of edges on one border, for each edge on average.
const MAX_FACING: usize = 16;
/// Number of pairs that are compared on any border.
const MIN_FACING: usize = 1 << 18;
/// Maximum number of pairs of edges that are not linked.
const MAX_UNLINKED: usize = 1 << 20;

/// Receives findings.
pub(crate) type Report<'a> = &'a mut dyn FnMut(FindingLocation, Finding);

/// Audits all borders between tiles. Returns a finding about all of them together.
pub(crate) fn audit(
    mesh: &NavMesh,
    plan: Option<&BakePlan>,
    report: Report<'_>,
    monitor: &dyn Monitor,
) -> Result<Option<Diagnostic>, Cancelled> {
    let all = borders(mesh);
    let mut audit = Audit::new(mesh, &|_| true, SeamSums::default(), report);
    audit.borders(&all, monitor)?;
    let is_planned = |tile: TileSquare| is_planned(plan, tile);
    audit.sums.missing(&is_planned, &|tile| all.contains_key(&tile), &mut *audit.report);
    audit.shifted();
    audit.moved();
    Ok(audit.sums.refused())
}

/// Audits the borders of the tiles of `mesh` at the places that `is_own` accepts. `mesh` must also have the tiles within two
/// rings around them. `sums` are those of the parts before.
pub(super) fn audit_part(
    mesh: &NavMesh,
    is_own: &dyn Fn(TileSquare) -> bool,
    sums: &mut SeamSums,
    report: Report<'_>,
    monitor: &dyn Monitor,
) -> Result<(), Cancelled> {
    let mut audit = Audit::new(mesh, is_own, std::mem::take(sums), report);
    audit.borders(&borders(mesh), monitor)?;
    audit.shifted();
    audit.moved();
    *sums = audit.sums;
    Ok(())
}

struct Audit<'a> {
    mesh: &'a NavMesh,
    /// The places whose tiles are audited. Others are only compared with them.
    is_own: &'a dyn Fn(TileSquare) -> bool,
    report: Report<'a>,
    shifts: Shifts,
    /// Pairs of edges with the same ends that are not linked.
    unlinked: Vec<UnlinkedPair>,
    sums: SeamSums,
    climb: f32,
    cell: f32,
}

/// What is known of all borders together.
#[derive(Debug, Default)]
pub(super) struct SeamSums {
    /// Places without a tile, and the edges that lead to them, by the side of their own tile.
    absent: BTreeMap<TileSquare, [OpenSide; 4]>,
    /// Number of unlinked edges toward an existing tile, because the ground ends exactly on the border.
    n_flush: usize,
    /// Number of links that did not fit.
    n_refused: usize,
    /// Size of the largest voxels.
    cell: f32,
}

/// The edges on a side of a tile beside a place without one.
#[derive(Clone, Copy, Debug, Default)]
struct OpenSide {
    /// Length of all of them.
    length: f32,
    /// Length, polygon and middle of the longest one.
    longest: Option<(f32, PolyRef, Vec3)>,
}

/// Two edges that face each other and are not linked, on a part of the border without any link.
struct UnlinkedPair {
    poly: PolyRef,
    middle: Vec3,
    slots: [usize; 2],
    /// Height of the second above the first.
    difference: f32,
}

/// A part of a border: its start and end along the border.
type BorderPart = [f32; 2];

/// Returns whether two parts of a border overlap by more than twice [`TOUCH`].
fn is_common(a: BorderPart, b: BorderPart) -> bool {
    a[1].min(b[1]) - a[0].max(b[0]) > 2.0 * TOUCH
}

/// Edges of two tiles that run along the same part of a border.
struct Facing<'a> {
    own: &'a BorderEdge,
    other: &'a BorderEdge,
    own_index: usize,
    other_index: usize,
    part: BorderPart,
}

impl Facing<'_> {
    /// Returns whether one is linked to the other, in either direction.
    fn is_linked(&self) -> bool {
        self.own.links.contains(&self.other.poly) || self.other.links.contains(&self.own.poly)
    }

    /// Returns the smaller of the height differences at the two ends of the common part.
    fn difference(&self) -> f32 {
        let at = |along| self.other.height_at(along) - self.own.height_at(along);
        let [start, end] = self.part.map(at);
        if start.abs() < end.abs() { start } else { end }
    }

    /// Returns whether both start and end at the same places along the border.
    fn has_same_ends(&self) -> bool {
        let is_same = |a: f32, b: f32| (a - b).abs() < TOUCH;
        is_same(self.own.start(), self.other.start()) && is_same(self.own.end(), self.other.end())
    }
}

impl<'a> Audit<'a> {
    fn new(
        mesh: &'a NavMesh,
        is_own: &'a dyn Fn(TileSquare) -> bool,
        sums: SeamSums,
        report: Report<'a>,
    ) -> Self {
        let cell = mesh.tiles().map(cell_size).fold(0.0, f32::max);
        let sums = SeamSums { cell: sums.cell.max(cell), ..sums };
        let climb = mesh.tiles().map(|tile| tile.header.walkable_climb).fold(0.0, f32::max);
        let (shifts, unlinked) = (Shifts::default(), Vec::new());
        Self { mesh, is_own, report, shifts, unlinked, sums, climb, cell }
    }
}

impl Audit<'_> {
    /// Audits the borders of all places.
    fn borders(
        &mut self,
        all: &BTreeMap<TileSquare, SquareBorders>,
        monitor: &dyn Monitor,
    ) -> Result<(), Cancelled> {
        self.tiles();
        for (&place, here) in all {
            monitor.check()?;
            self.corners(here);
            for side in Side::ALL {
                let Some(beyond) = side.beside(place) else { continue };
                match all.get(&beyond) {
                    Some(there) if matches!(side, Side::PlusX | Side::PlusZ) => {
                        let n_flush = self.seam(side, [here, there]);
                        self.sums.n_flush += if (self.is_own)(place) { n_flush } else { 0 };
                    }
                    Some(_seen_from_there) => {}
                    None if (self.is_own)(place) => self.sums.open(beyond, side, here),
                    None => {}
                }
            }
        }
        Ok(())
    }

    fn report(&mut self, edge: &BorderEdge, point: Vec3, finding: Finding) {
        self.report_at((edge.slot, edge.poly), point, finding);
    }

    /// Reports a finding at a polygon of the tile in a slot.
    fn report_at(&mut self, (slot, poly): (usize, PolyRef), point: Vec3, finding: Finding) {
        let Some(tile) = self.mesh.tile(slot) else { return };
        let (tile, layer) = ([tile.header.x, tile.header.z], tile.header.layer);
        if (self.is_own)(tile) {
            (self.report)(FindingLocation { tile, layer, poly: Some(poly), point }, finding);
        }
    }

    /// Counts links that did not fit, and reports layers that Detour does not link.
    fn tiles(&mut self) {
        let mut layers: BTreeMap<TileSquare, (usize, Vec3)> = BTreeMap::new();
        let is_own = self.is_own;
        let own = self.mesh.slots().filter(|(_, tile)| is_own([tile.header.x, tile.header.z]));
        for (slot, tile) in own {
            self.sums.n_refused += self.mesh.refused_links(slot);
            let middle = tile.header.bounds.center();
            layers.entry([tile.header.x, tile.header.z]).or_insert((0, middle)).0 += 1;
        }
        for (tile, (n, point)) in layers {
            if n > MAX_LAYERS {
                let finding = Finding::SeamLayersCut { n, limit: MAX_LAYERS };
                (self.report)(FindingLocation { tile, layer: 0, poly: None, point }, finding);
            }
        }
    }

    /// Reports corners of border edges that are not on the border.
    fn corners(&mut self, here: &SquareBorders) {
        let mut seen = BTreeSet::new();
        for side in Side::ALL {
            for edge in here.on(side) {
                for end in edge.ends {
                    if end.off > TOUCH && seen.insert((edge.slot, end.vertex)) {
                        let distance = Meters(end.off);
                        self.report(edge, end.point, Finding::SeamCornerOffBorder { distance });
                    }
                }
            }
        }
    }

    /// Audits the border between two places. Returns the number of long edges without a link.
    fn seam(&mut self, side: Side, [here, there]: [&SquareBorders; 2]) -> usize {
        let (own, others) = (here.on(side), there.on(side.opposite()));
        let (facing, cut_at) = facing(own, others);
        let mut linked = [vec![Vec::new(); own.len()], vec![Vec::new(); others.len()]];
        let ends = [EdgeEnds::of(own), EdgeEnds::of(others)];
        for pair in facing.iter().filter(|pair| pair.is_linked()) {
            linked[0][pair.own_index].push(pair.part);
            linked[1][pair.other_index].push(pair.part);
            self.ground_ends([pair.own, pair.other], &ends[0]);
            self.ground_ends([pair.other, pair.own], &ends[1]);
        }
        let is_flush = |(edge, linked): (&BorderEdge, &Vec<BorderPart>)| {
            linked.is_empty() && edge.length() > FEW_VOXELS * self.cell
        };
        let both = own.iter().zip(&linked[0]).chain(others.iter().zip(&linked[1]));
        let n_flush = both.filter(|edge| is_flush(*edge)).count();
        self.shared_corners(&facing);
        self.apart(&facing, &linked);
        self.links_cut(&facing);
        if let Some(edge) = cut_at {
            self.report(edge, middle(edge), Finding::CheckCutShort { n: facing.len() });
        }
        n_flush
    }

    /// Reports edges on the same part of a border if neither is linked on that part.
    fn apart(&mut self, facing: &[Facing<'_>], linked: &[Vec<Vec<BorderPart>>; 2]) {
        let joined = Joined::of(facing);
        for pair in facing.iter().filter(|pair| !pair.is_linked()) {
            let parts = linked[0][pair.own_index].iter().chain(&linked[1][pair.other_index]);
            if parts.into_iter().any(|part| is_common(*part, pair.part)) {
                continue;
            }
            let difference = pair.difference().abs();
            // A corner off the border also prevents the link, and has a finding of its own.
            if difference <= 2.0 * self.climb {
                continue;
            }
            let is_alone = pair.has_same_ends() && !joined.touches(pair.part);
            if is_alone && self.unlinked.len() >= MAX_UNLINKED {
                let finding = Finding::CheckCutShort { n: MAX_UNLINKED };
                self.report(pair.own, middle(pair.own), finding);
                return;
            }
            if is_alone {
                let slots = [pair.own.slot, pair.other.slot];
                let (poly, middle) = (pair.own.poly, middle(pair.own));
                let difference = pair.difference();
                self.unlinked.push(UnlinkedPair { poly, middle, slots, difference });
            } else if difference <= 4.0 * self.climb {
                let (difference, climb) = (Meters(difference), Meters(self.climb));
                let finding = Finding::SeamEdgesApart { difference, climb };
                self.report(pair.own, middle(pair.own), finding);
            }
        }
    }

    /// Reports pairs of edges at different heights. The cause is a moved tile if other edges of the tile, or its
    /// bounding box, differ by the same height.
    fn moved(&mut self) {
        let unlinked = std::mem::take(&mut self.unlinked);
        let mut n_of: BTreeMap<(usize, i64), usize> = BTreeMap::new();
        let key = |slot: usize, difference: f32| (slot, millimeters(difference));
        for one in &unlinked {
            *n_of.entry(key(one.slots[0], one.difference)).or_default() += 1;
            *n_of.entry(key(one.slots[1], -one.difference)).or_default() += 1;
        }
        for UnlinkedPair { poly, middle, slots, difference } in unlinked {
            let n = |slot, difference| n_of.get(&key(slot, difference)).copied().unwrap_or(0);
            let base = |slot: usize| self.mesh.tile(slot).map(|tile| tile.header.bounds.min.y);
            let bases = base(slots[1]).zip(base(slots[0])).map(|(other, own)| other - own);
            let is_moved = n(slots[0], difference) > 1
                || n(slots[1], -difference) > 1
                || bases.is_some_and(|bases| (bases - difference).abs() < TOUCH);
            let (difference, climb) = (Meters(difference.abs()), Meters(self.climb));
            let finding = if is_moved {
                Finding::SeamHeightsDiffer { difference, climb }
            } else {
                Finding::SeamEdgesApart { difference, climb }
            };
            self.report_at((slots[0], poly), middle, finding);
        }
    }

    /// Compares the heights of corners that two tiles share. Each corner is paired with the nearest one in height.
    fn shared_corners(&mut self, facing: &[Facing<'_>]) {
        let mut shared = Vec::new();
        for pair in facing.iter().filter(|pair| pair.is_linked()) {
            for own in pair.own.ends {
                let others = pair.other.ends.iter();
                for other in others.filter(|other| (other.along - own.along).abs() < TOUCH) {
                    shared.push((own.point.y - other.point.y, pair.own, own, pair.other, *other));
                }
            }
        }
        shared.sort_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
        let mut taken = BTreeSet::new();
        for (difference, edge, own, other_edge, other) in shared {
            let corners = [(edge.slot, own.vertex), (other_edge.slot, other.vertex)];
            if corners.iter().any(|corner| taken.contains(corner)) {
                continue;
            }
            taken.extend(corners);
            self.shifts.add([edge.slot, other_edge.slot], difference);
            if difference.abs() <= TOUCH {
                continue;
            }
            let is_step = difference.abs() > self.climb;
            let (difference, climb) = (Meters(difference.abs()), Meters(self.climb));
            let finding = if is_step {
                Finding::SeamCornerStep { difference, climb }
            } else {
                Finding::SeamCornerHeight { difference }
            };
            self.report(edge, own.point, finding);
        }
    }

    /// Reports edges that end in the middle of an edge to which they are linked.
    fn ground_ends(&mut self, [edge, beyond]: [&BorderEdge; 2], ends: &EdgeEnds) {
        for (n, end) in edge.ends.into_iter().enumerate() {
            let is_inside = beyond.start() + TOUCH < end.along && end.along + TOUCH < beyond.end();
            if !is_inside {
                continue;
            }
            let difference = Meters((beyond.height_at(end.along) - end.point.y).abs());
            if ends.goes_on(edge.slot, end.vertex) {
                let climb = Meters(self.climb);
                if difference.0 > self.climb {
                    self.report(edge, end.point, Finding::SeamTJunction { difference, climb });
                }
            } else {
                let rest =
                    if n == 0 { end.along - beyond.start() } else { beyond.end() - end.along };
                self.report(edge, end.point, Finding::SeamGroundDiffers { distance: Meters(rest) });
            }
        }
    }

    /// Reports edges that touch more polygons than Detour links.
    fn links_cut(&mut self, facing: &[Facing<'_>]) {
        let mut n_back: BTreeMap<(bool, usize), (usize, &BorderEdge)> = BTreeMap::new();
        for pair in facing {
            let [there, back] = [(pair.own, pair.other), (pair.other, pair.own)]
                .map(|(from, to)| from.links.contains(&to.poly));
            if there && !back {
                n_back.entry((true, pair.other_index)).or_insert((0, pair.other)).0 += 1;
            } else if back && !there {
                n_back.entry((false, pair.own_index)).or_insert((0, pair.own)).0 += 1;
            }
        }
        for (n, edge) in n_back.into_values().filter(|(_, edge)| edge.links.len() >= MAX_LINKS) {
            let n = edge.links.len() + n;
            self.report(edge, middle(edge), Finding::SeamLinksCut { n, limit: MAX_LINKS });
        }
    }

    /// Reports tiles that are shifted in height.
    fn shifted(&mut self) {
        for (slot, difference, n) in self.shifts.shifted_tiles() {
            let Some(tile) = self.mesh.tile(slot) else { continue };
            let header = &tile.header;
            if !(self.is_own)([header.x, header.z]) {
                continue;
            }
            let location = FindingLocation {
                tile: [header.x, header.z],
                layer: header.layer,
                poly: None,
                point: header.bounds.center(),
            };
            let difference = Meters(difference);
            (self.report)(location, Finding::SeamTileShifted { difference, n });
        }
    }
}

impl SeamSums {
    /// Keeps the edges that lead to a place without a tile.
    fn open(&mut self, beyond: TileSquare, side: Side, here: &SquareBorders) {
        let edges = here.on(side);
        let longest = edges.iter().max_by(|a, b| a.length().total_cmp(&b.length()));
        if let Some(longest) = longest {
            let length = edges.iter().map(BorderEdge::length).sum();
            let longest = Some((longest.length(), longest.poly, middle(longest)));
            self.absent.entry(beyond).or_default()[side as usize] = OpenSide { length, longest };
        }
    }

    /// Reports links that did not fit.
    pub(super) fn refused(&self) -> Option<Diagnostic> {
        let n = self.n_refused;
        (n > 0).then(|| Finding::LinksRefused { n }.into())
    }

    /// Reports places without a tile to which edges lead, except those that are planned to have none.
    ///
    /// Ground can also end exactly on a border by chance, on one side of a place or on two adjacent sides. This happens
    /// in levels that are aligned with the voxels, and there it happens on other borders as well.
    pub(super) fn missing(
        &self,
        is_planned: &dyn Fn(TileSquare) -> bool,
        has_tile: &dyn Fn(TileSquare) -> bool,
        report: Report<'_>,
    ) {
        for (&tile, sides) in self.absent.iter().filter(|(tile, _)| !is_planned(**tile)) {
            let lengths = sides.map(|side| side.length);
            let leads = lengths.map(|length| length > FEW_VOXELS * self.cell);
            let n = leads.iter().filter(|leads| **leads).count();
            let is_between = (leads[0] && leads[2]) || (leads[1] && leads[3]);
            let is_sure =
                is_between || self.n_flush == 0 || n_around(has_tile, tile) >= MOST_AROUND;
            let longest = sides.iter().filter_map(|side| side.longest);
            let longest = longest.max_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, poly, point)) = longest else { continue };
            let length = Meters(lengths.iter().sum());
            let finding = if n > 1 && is_sure {
                Finding::SeamTileMissing { n, length }
            } else {
                Finding::SeamTileAbsent { length }
            };
            report(FindingLocation { tile, layer: 0, poly: Some(poly), point }, finding);
        }
    }
}

/// Rounds a height to whole millimeters, for comparisons.
#[expect(clippy::cast_possible_truncation, reason = "floats saturate")]
fn millimeters(height: f32) -> i64 {
    (height * 1000.0).round() as i64
}

fn middle(edge: &BorderEdge) -> Vec3 {
    (edge.ends[0].point + edge.ends[1].point) * 0.5
}

/// Returns the pairs of edges that run along the same part of a border, and the first edge that was not compared with all
/// others, if there are too many. Both lists are sorted along the border.
fn facing<'a>(
    own: &'a [BorderEdge],
    others: &'a [BorderEdge],
) -> (Vec<Facing<'a>>, Option<&'a BorderEdge>) {
    let most = (MAX_FACING * (own.len() + others.len())).max(MIN_FACING);
    let (mut found, mut cut_at) = (Vec::new(), None);
    let mut open: Vec<usize> = Vec::new();
    let mut next = 0;
    for (own_index, edge) in own.iter().enumerate() {
        open.retain(|&other| others[other].end() > edge.start());
        while next < others.len() && others[next].start() < edge.end() {
            if others[next].end() > edge.start() {
                open.push(next);
            }
            next += 1;
        }
        if open.len() > MAX_STACKED {
            cut_at = cut_at.or(Some(edge));
        }
        if found.len() > most {
            return (found, cut_at.or(Some(edge)));
        }
        for &other_index in open.iter().take(MAX_STACKED) {
            let other = &others[other_index];
            if let Some(part) = edge.overlap(other) {
                found.push(Facing { own: edge, other, own_index, other_index, part });
            }
        }
    }
    (found, cut_at)
}

/// Returns the number of the eight places around a place that have tiles.
fn n_around(has_tile: &dyn Fn(TileSquare) -> bool, [x, z]: TileSquare) -> usize {
    let steps = (-1..=1).flat_map(|dx| (-1..=1).map(move |dz| [dx, dz]));
    let around = steps.filter(|step| *step != [0, 0]);
    let places = around.filter_map(|[dx, dz]| Some([x.checked_add(dx)?, z.checked_add(dz)?]));
    places.filter(|place| has_tile(*place)).count()
}

/// Vertices at which edges on one side of a place start and end.
struct EdgeEnds {
    starts: BTreeSet<(usize, u16)>,
    stops: BTreeSet<(usize, u16)>,
}

impl EdgeEnds {
    fn of(edges: &[BorderEdge]) -> Self {
        let at = |n: usize| edges.iter().map(move |edge| (edge.slot, edge.ends[n].vertex));
        Self { starts: at(0).collect(), stops: at(1).collect() }
    }

    /// Returns whether one edge ends and another starts at a vertex.
    fn goes_on(&self, slot: usize, vertex: u16) -> bool {
        self.starts.contains(&(slot, vertex)) && self.stops.contains(&(slot, vertex))
    }
}

/// The parts of a border that links cross, at any height.
struct Joined(Vec<BorderPart>);

impl Joined {
    fn of(facing: &[Facing<'_>]) -> Self {
        let linked = facing.iter().filter(|pair| pair.is_linked());
        let mut parts: Vec<BorderPart> = linked.map(|pair| pair.part).collect();
        parts.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let mut joined: Vec<BorderPart> = Vec::new();
        for part in parts {
            match joined.last_mut() {
                Some(last) if part[0] <= last[1] => last[1] = last[1].max(part[1]),
                _ => joined.push(part),
            }
        }
        Self(joined)
    }

    fn touches(&self, part: BorderPart) -> bool {
        let first = self.0.partition_point(|joined| joined[1] <= part[0] + 2.0 * TOUCH);
        self.0.get(first).is_some_and(|joined| is_common(*joined, part))
    }
}
