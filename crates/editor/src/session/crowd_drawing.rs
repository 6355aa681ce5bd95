//! What the crowd tool draws of the agents.

use glam::Vec3;
use walkable::{
    crowd::{Agent, ProximityCell},
    debug_draw::Paint,
};
use walkable_workspace::{lang::tr, table, text};

use super::Session;

struct Row {
    key: &'static str,
    name: &'static str,
    what: &'static str,
    legend: &'static [(Paint, &'static str)],
}

table! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum CrowdDrawing of Row {
        Corners {
            key: "corners",
            name: text!("Corners"),
            what: text!("The next corners of the paths of chosen agents"),
            legend: &[(Paint::Accent, text!("Next corners"))],
        }
        Walls {
            key: "walls",
            name: text!("Walls nearby"),
            what: text!("The wall segments that chosen agents avoid"),
            legend: &[(Paint::Problem, text!("Wall that the agent avoids"))],
        }
        Corridor {
            key: "corridor",
            name: text!("Corridor"),
            what: text!("The polygons of the paths of chosen agents"),
            legend: &[(Paint::Corridor, text!("Corridor of the agent"))],
        }
        /// The line along which the corridor is shortened.
        Optimization {
            key: "optimization",
            name: text!("Path optimization"),
            what: text!("The line from chosen agents to the corner toward which the corridor is shortened if it is visible"),
            legend: &[(Paint::PathPortal, text!("Path optimization line"))],
        }
        /// Lines to the neighbors that an agent considers.
        Neighbors {
            key: "neighbors",
            name: text!("Neighbors"),
            what: text!("The neighbors that chosen agents consider, and the radius in which they look for them"),
            legend: &[(Paint::OffMesh, text!("Neighbor of the agent"))],
        }
        Velocities {
            key: "velocities",
            name: text!("Velocity samples"),
            what: text!("Draws the velocities that the chosen agent considers to avoid others, colored by penalty"),
            legend: &[],
        }
        Trails {
            key: "trails",
            name: text!("Trails"),
            what: text!("Where the agents were in the last four seconds"),
            legend: &[],
        }
        Labels {
            key: "labels",
            name: text!("Labels"),
            what: text!("Number of each agent, and its state unless it walks"),
            legend: &[],
        }
        /// The cells in which agents find each other.
        Grid {
            key: "grid",
            name: text!("Proximity grid"),
            what: text!("The cells in which agents find each other, with the number of agents in each"),
            legend: &[],
        }
        Search {
            key: "search",
            name: text!("Search nodes"),
            what: text!("The nodes of the path queue's search: the one that runs, or the last one"),
            legend: &[
                (Paint::Frontier(1), text!("Open node of the path queue")),
                (Paint::Closed(1), text!("Expanded node of the path queue")),
            ],
        }
        Times {
            key: "times",
            name: text!("Update times"),
            what: text!("A graph of the time that each update took"),
            legend: &[],
        }
        /// The details of all agents instead of the chosen ones.
        All {
            key: "all",
            name: text!("Details of all agents"),
            what: text!("Draws corners, walls, corridors, path optimization and neighbors of all agents, not only of the chosen ones"),
            legend: &[],
        }
    }
}

impl CrowdDrawing {
    pub const fn key(self) -> &'static str {
        self.row().key
    }

    pub fn name(self) -> &'static str {
        tr(self.row().name)
    }

    pub fn what(self) -> &'static str {
        tr(self.row().what)
    }

    pub fn legend(self) -> impl Iterator<Item = (Paint, &'static str)> {
        self.row().legend.iter().map(|&(paint, name)| (paint, tr(name)))
    }

    pub const fn is_on_at_first(self) -> bool {
        matches!(self, Self::Corners | Self::Walls | Self::Trails)
    }
}

/// A cell of the grid in which agents find each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdCell {
    pub cell: ProximityCell,
    /// Its center, at the height of its lowest agent.
    pub center: Vec3,
}

impl Session {
    pub fn crowd_cells(&self) -> Vec<CrowdCell> {
        let crowd = self.shown_crowd().filter(|_| self.crowd.shows(CrowdDrawing::Grid));
        let Some(crowd) = crowd else { return Vec::new() };
        let placed = |cell: ProximityCell| {
            let ([x, z], [to_x, to_z]) = (cell.min, cell.max);
            let touches = |agent: &&Agent| {
                let (at, radius) = (agent.position(), agent.params().radius);
                (x - radius..=to_x + radius).contains(&at.x)
                    && (z - radius..=to_z + radius).contains(&at.z)
            };
            let agents = crowd.agents().map(|(_, agent)| agent).filter(touches);
            let lowest = agents.map(|agent| agent.position().y).reduce(f32::min);
            let center = Vec3::new(x.midpoint(to_x), lowest.unwrap_or(0.0), z.midpoint(to_z));
            CrowdCell { cell, center }
        };
        crowd.proximity_cells().into_iter().map(placed).collect()
    }
}
