//! Watching a search expand nodes. Costs nothing where nobody watches.

use super::{Expansion, node::Node};
use crate::{
    navmesh::NavMesh,
    search::{NodeIdx, NodePool},
};

/// Is told of each node that a search takes from its open list.
pub(super) trait Observer {
    /// `node` is about to be expanded.
    fn expanded(&mut self, mesh: &NavMesh, nodes: &NodePool<Node>, node: NodeIdx);
}

/// Watches nothing.
pub(super) struct NoTrace;

impl Observer for NoTrace {
    fn expanded(&mut self, _: &NavMesh, _: &NodePool<Node>, _: NodeIdx) {}
}

/// Writes every expansion down.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    pub(super) expanded: Vec<Expansion>,
    /// Per node: its last expansion.
    last: Vec<Option<u32>>,
}

impl Trace {
    pub(super) fn clear(&mut self) {
        self.expanded.clear();
        self.last.clear();
    }
}

impl Observer for Trace {
    fn expanded(&mut self, mesh: &NavMesh, nodes: &NodePool<Node>, node: NodeIdx) {
        if self.last.len() < nodes.len() {
            self.last.resize(nodes.len(), None);
        }
        let Node { poly, position, cost, total, parent, .. } = nodes[node];
        let parent = parent.and_then(|parent| self.last[parent.position()]);
        self.last[node.position()] = u32::try_from(self.expanded.len()).ok();
        let poly = mesh.ref_of(poly);
        let state = nodes.state(node);
        self.expanded.push(Expansion { poly, position, g: cost, f: total, parent, state });
    }
}
