//! Labels for tiles and polygons of the navmesh, as selected by [`LabelKind`].

use std::collections::BTreeMap;

use glam::Vec3;
use walkable::{
    crowd::{AgentState, TargetState},
    geom::Aabb,
    ids::TileCoord,
    navmesh::{PolyKind, Tile},
    query::{Expansion, Filter},
    route::RouteBreak,
    tile_cache::LayerKey,
};
use walkable_workspace::{
    format,
    lang::{self, Language, tr},
    live::GameAgent,
    units::{Units, units},
};

use crate::{
    area_names::{area_name, flag_names},
    coloring::cost,
    pictures::ViewHalf,
    session::{
        AreaTable, CrowdCell, CrowdDrawing, CrowdMember, LabelKind, PathBreaks, Session, ToolKind,
        middle_of, pole, state_name,
    },
};

/// A label at a point of the world, drawn if there is room for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Caption {
    pub at: Vec3,
    pub text: String,
    pub style: CaptionStyle,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CaptionStyle {
    /// On its object, unless the level hides the object or it is too small for the text.
    Surface {
        /// Half the width of the object, in meters.
        reach: f32,
    },
    /// Above a marker in this half of the view, even if the level hides the marker.
    Marker(ViewHalf),
    /// The same as `Marker`, in weaker text.
    WeakMarker(ViewHalf),
    /// Above an object that moves, even if the level hides it.
    Name,
}

#[derive(Debug, Default)]
pub struct Labels {
    key: Option<Key>,
    /// The captions of the key, followed by the names of agents.
    captions: Vec<Caption>,
    n_kept: usize,
    /// Number of captions without those of the shown tool, which change in each frame.
    n_still: usize,
    agents: u64,
}

/// A cache key: equal keys have equal captions.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    kinds: Vec<LabelKind>,
    navmesh: u64,
    /// Serial number of the newest tile, and number of tiles.
    tiles: (u64, usize),
    filter: Filter,
    areas: AreaTable,
    /// The path's serial number, and number of its nodes that are shown.
    search: Option<(u64, usize)>,
    /// Serial number of the explanation of the path, and the half of the view in which its obstacles are drawn.
    breaks: Option<(u64, ViewHalf)>,
    language: Language,
    units: Units,
}

impl Labels {
    pub fn captions(&mut self, session: &Session) -> &[Caption] {
        let kinds = &session.shown.display.labels;
        let (breaks, half) = (session.path_breaks(), ViewHalf::of_current(session));
        let agents = &session.game.agents;
        let moving = moving_captions(session);
        if kinds.is_empty() && breaks.is_none() && agents.is_empty() && moving.is_empty() {
            *self = Self::default();
            return &[];
        }
        let newest = session.bake.tiles.values().map(|tile| tile.serial).max().unwrap_or(0);
        let key = Key {
            kinds: kinds.clone(),
            navmesh: session.bake.navmesh_serial,
            tiles: (newest, session.bake.tiles.len()),
            filter: session.path.filter.clone(),
            areas: session.document().areas.clone(),
            search: search(session).map(|(serial, nodes)| (serial, nodes.len())),
            breaks: breaks.as_ref().map(|_| (session.path_why.serial, half)),
            language: lang::language(),
            units: units(),
        };
        if self.key.as_ref() != Some(&key) {
            self.captions = breaks.iter().flat_map(|breaks| break_captions(breaks, half)).collect();
            self.captions.extend(captions(session, kinds));
            (self.n_kept, self.n_still) = (self.captions.len(), self.captions.len());
            (self.key, self.agents) = (Some(key), 0);
        }
        if self.agents != session.game.agents_serial {
            self.agents = session.game.agents_serial;
            self.captions.truncate(self.n_kept);
            let usual = session.document().settings.agent_height;
            let agents = agents.iter().map(|(_, agent)| agent_caption(agent, usual));
            self.captions.extend(agents);
            self.n_still = self.captions.len();
        }
        self.captions.truncate(self.n_still);
        self.captions.extend(moving);
        &self.captions
    }
}

/// Returns the captions of the current tool: numbers and states of the crowd's agents, the number of agents in the
/// cells of their grid, and the cost of a flow field under the pointer.
fn moving_captions(session: &Session) -> Vec<Caption> {
    let mut captions = Vec::new();
    if session.tools.tool == ToolKind::Crowd {
        if session.crowd.shows(CrowdDrawing::Labels) {
            captions.extend(crowd_captions(session));
        }
        captions.extend(session.crowd_cells().into_iter().map(|CrowdCell { cell, center }| {
            Caption {
                at: center,
                text: cell.n_agents.to_string(),
                style: CaptionStyle::Surface { reach: 0.5 * (cell.max[0] - cell.min[0]) },
            }
        }));
    }
    captions.extend(session.hovered_flow().map(|(at, text)| Caption {
        at,
        text,
        style: CaptionStyle::Name,
    }));
    captions
}

/// Returns the labels of the crowd's agents, those of the chosen ones first, so that others give way to them.
fn crowd_captions(session: &Session) -> Vec<Caption> {
    let mut members = session.crowd_members();
    members.sort_by_key(|member| !session.crowd.chosen.contains(&member.number));
    let caption = |member: CrowdMember<'_>| {
        let agent = member.agent?;
        let number = member.number.to_string();
        let is_usual = agent.state() == AgentState::Walking
            && matches!(agent.target_state(), TargetState::Valid | TargetState::Velocity);
        let text = if is_usual { number } else { format!("{number}: {}", state_name(agent)) };
        let at = member.at + Vec3::Y * agent.params().height;
        Some(Caption { at, text, style: CaptionStyle::Name })
    };
    members.into_iter().filter_map(caption).collect()
}

fn agent_caption(agent: &GameAgent, usual_height: f32) -> Caption {
    let at = agent.at + Vec3::Y * agent.height.unwrap_or(usual_height);
    Caption { at, text: agent.label(), style: CaptionStyle::Name }
}

/// Returns the labels of obstacles, above the poles that mark them.
fn break_captions(breaks: &PathBreaks<'_>, half: ViewHalf) -> Vec<Caption> {
    let caption = |found: &&RouteBreak, style| {
        let [_, at] = pole(found)?;
        Some(Caption { at, text: format::sentence(&lang::phrase(&found.label())), style })
    };
    let first = breaks.first.iter();
    let first = first.filter_map(|found| caption(found, CaptionStyle::Marker(half)));
    let others = breaks.others.iter();
    let others = others.filter_map(|found| caption(found, CaptionStyle::WeakMarker(half)));
    first.chain(others).collect()
}

fn captions(session: &Session, kinds: &[LabelKind]) -> Vec<Caption> {
    let mut captions = Vec::new();
    if kinds.is_empty() {
        return captions;
    }
    let Some(navmesh) = session.bake.navmesh.as_deref() else { return captions };
    let of_polygons = kinds.iter().any(|kind| !matches!(kind, LabelKind::Tile | LabelKind::Node));
    for tile in navmesh.tiles() {
        if kinds.contains(&LabelKind::Tile) {
            captions.extend(tile_caption(session, tile));
        }
        if of_polygons {
            captions.extend(polygon_captions(tile, kinds, session));
        }
    }
    if kinds.contains(&LabelKind::Node) {
        captions.extend(search(session).into_iter().flat_map(|(_, nodes)| node_captions(nodes)));
    }
    captions
}

/// Returns the path's serial number, and the nodes of its search as far as it is shown.
fn search(session: &Session) -> Option<(u64, &[Expansion])> {
    let answer = session.path.answer.as_ref()?;
    let nodes = &answer.expanded;
    let n_shown = session.path.replay.step.unwrap_or(nodes.len());
    Some((answer.serial, nodes.get(..n_shown).unwrap_or(nodes)))
}

/// Returns a caption for each node with its g, h and f. A node that was expanded more than once shows its last values.
fn node_captions(nodes: &[Expansion]) -> Vec<Caption> {
    /// Half the size of the area that a label at a node covers, in meters.
    const REACH: f32 = 1.2;
    let last: BTreeMap<_, _> = nodes.iter().map(|node| ((node.poly, node.state), node)).collect();
    let words = |node: &Expansion| {
        let [g, h, f] = [node.g, node.h(), node.f].map(|cost| format::number(cost.into()));
        tr!("g {g}\nh {h}\nf {f}")
    };
    let caption = |node: &Expansion| Caption {
        at: node.position,
        text: words(node),
        style: CaptionStyle::Surface { reach: REACH },
    };
    last.into_values().map(caption).collect()
}

/// Returns a caption over the center of a tile: its column and row, and its time and size if they are known.
fn tile_caption(session: &Session, tile: &Tile) -> Option<Caption> {
    let Aabb { min, max } = tile.header.bounds;
    let middle = 0.5 * (min + max);
    let ground = tile.polys.iter().filter(|poly| poly.kind == PolyKind::Ground);
    let centers = ground.map(|poly| middle_of(&tile.corners(poly)));
    let nearest = |a: &Vec3, b: &Vec3| {
        let distance = |at: &Vec3| at.with_y(0.0).distance_squared(middle.with_y(0.0));
        distance(a).total_cmp(&distance(b))
    };
    let at = middle.with_y(centers.min_by(nearest)?.y);
    let coord = TileCoord::new(
        u32::try_from(tile.header.x).unwrap_or(0),
        u32::try_from(tile.header.z).unwrap_or(0),
    );
    let layer = u32::try_from(tile.header.layer).unwrap_or(0);
    let mut text = tr!("Tile {coord}");
    let figures = if let Some(layered) = session.bake.layered() {
        text = tr!("{text}, layer {layer}");
        let made = layered.tiles().get(&LayerKey::new(coord, layer));
        made.map(|made| (made.time, made.n_bytes))
    } else {
        let result = session.bake.tiles.get(&coord);
        result.map(|result| (result.times.total(), result.n_bytes))
    };
    if let Some((time, n_bytes)) = figures {
        text = format!("{text}\n{} · {}", format::time(time), format::bytes(n_bytes));
    }
    Some(Caption { at, text, style: CaptionStyle::Surface { reach: 0.5 * (max.x - min.x) } })
}

fn polygon_captions(tile: &Tile, kinds: &[LabelKind], session: &Session) -> Vec<Caption> {
    let filter = &session.path.filter;
    let areas: &AreaTable = &session.document().areas;
    let mut captions = Vec::new();
    for (index, poly) in tile.polys.iter().enumerate() {
        if poly.kind != PolyKind::Ground {
            continue;
        }
        let corners = tile.corners(poly);
        let lines = kinds.iter().filter_map(|kind| match kind {
            LabelKind::Tile | LabelKind::Node => None,
            LabelKind::Polygon => Some(index.to_string()),
            LabelKind::Area => Some(area_name(areas, poly.area.0)),
            LabelKind::Cost if !filter.passes(poly) => Some("closed".to_owned()),
            LabelKind::Cost => {
                Some(format!("× {}", format::number(cost(filter, poly.area).into())))
            }
            LabelKind::Flags => Some(flag_names(areas, poly.flags)),
        });
        let text = lines.collect::<Vec<_>>().join("\n");
        let style = CaptionStyle::Surface { reach: 0.5 * size(&corners) };
        captions.push(Caption { at: middle_of(&corners), text, style });
    }
    captions
}

/// Returns the side of a square as large as the polygon.
fn size(corners: &[Vec3]) -> f32 {
    let fan = corners.windows(2).skip(1).map(|edge| {
        let across = (edge[0] - corners[0]).cross(edge[1] - corners[0]);
        0.5 * across.length()
    });
    fan.sum::<f32>().sqrt()
}

#[cfg(test)]
mod tests {
    use walkable::diagnostic::Phrase;

    use super::*;
    use crate::{
        session::{Hover, QueryMode, SceneAgent, SceneTask},
        testing,
    };

    fn texts(session: &Session) -> Vec<String> {
        let mut labels = Labels::default();
        labels.captions(session).iter().map(|caption| caption.text.clone()).collect()
    }

    #[test]
    fn agents_have_labels_the_chosen_ones_first() {
        let mut session = testing::baked();
        session.tools.tool = ToolKind::Crowd;
        let agent = |z: f32, target: Option<Vec3>| SceneAgent {
            task: target.map(SceneTask::to_point),
            ..SceneAgent::new(Vec3::new(4.0, 0.0, z))
        };
        let target = Some(Vec3::new(20.0, 0.0, 20.0));
        let agents = vec![agent(20.0, target), agent(18.5, None), agent(17.0, target)];
        session.history.change(Phrase::verbatim("Add"), |document| document.crowd = agents);
        session.show_crowd(30);
        assert!(texts(&session).is_empty());
        session.crowd.toggle(CrowdDrawing::Labels);
        assert_eq!(texts(&session), ["0", "1: No target", "2"]);
        session.crowd.chosen = [2].into();
        assert_eq!(texts(&session), ["2", "0", "1: No target"]);
        session.crowd.toggle(CrowdDrawing::Labels);
        session.crowd.toggle(CrowdDrawing::Grid);
        let counts: Vec<usize> = texts(&session).iter().map(|n| n.parse().unwrap()).collect();
        assert_eq!(counts.len(), session.crowd_cells().len());
        assert!(counts.iter().sum::<usize>() >= 3, "{counts:?}");
        session.tools.tool = ToolKind::Select;
        assert!(texts(&session).is_empty());
    }

    #[test]
    fn labels_of_agents_follow_other_labels() {
        let mut session = testing::baked();
        session.tools.tool = ToolKind::Crowd;
        let agent = SceneAgent::new(Vec3::new(4.0, 0.0, 20.0));
        session.history.change(Phrase::verbatim("Add"), |document| document.crowd = vec![agent]);
        session.show_crowd(1);
        session.shown.display.toggle_label(LabelKind::Tile);
        session.crowd.toggle(CrowdDrawing::Labels);
        let mut labels = Labels::default();
        let n = labels.captions(&session).len();
        // A second call returns the same.
        assert_eq!(labels.captions(&session).len(), n);
        assert_eq!(labels.captions(&session).last().unwrap().text, "0: No target");
        session.crowd.toggle(CrowdDrawing::Labels);
        assert_eq!(labels.captions(&session).len(), n - 1);
        // Cached labels are made again when the language changes.
        let mut first = || labels.captions(&session)[0].text.clone();
        assert!(first().starts_with("Tile "), "{}", first());
        lang::set_language(Language::Chinese);
        assert!(first().starts_with("瓦片 "), "{}", first());
        lang::set_language(Language::English);
    }

    #[test]
    fn the_cost_of_a_flow_field_is_written_at_the_pointer() {
        let mut session = testing::baked();
        (session.tools.tool, session.tools.query_tool.mode) =
            (ToolKind::Query, QueryMode::FlowField);
        session.tools.query_tool.start = Some(Vec3::new(20.0, 0.0, 20.0));
        session.update_path();
        assert!(texts(&session).is_empty());
        let cost = |session: &mut Session, x: f32| {
            let point = Vec3::new(x, 0.0, 20.0);
            session.tools.hover = Some(Hover { point, triangle: None });
            let texts = texts(session);
            let [text] = &texts[..] else { panic!("not one label: {texts:?}") };
            text.strip_prefix("cost ").unwrap_or_else(|| panic!("{text}")).parse::<f32>().unwrap()
        };
        let [near, far] = [17.0, 4.0].map(|x| cost(&mut session, x));
        assert!((2.5..4.0).contains(&near) && far > 15.5, "{near} {far}");
        session.tools.query_tool.mode = QueryMode::Circle;
        session.update_path();
        assert!(texts(&session).is_empty());
    }
}
