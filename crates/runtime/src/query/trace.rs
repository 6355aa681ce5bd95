//! Tracing of the nodes that a search expands. Takes no time if it is not used.

use super::{Expansion, node::Node};
use crate::{
    navmesh::NavMesh,
    search::{NodeIdx, NodePool},
};

/// Receives each node that a search expands.
pub(super) trait Observer {
    /// Called before `node` is expanded.
    fn expanded(&mut self, mesh: &NavMesh, nodes: &NodePool<Node>, node: NodeIdx);
}

/// Traces nothing.
pub(super) struct NoTrace;

impl Observer for NoTrace {
    fn expanded(&mut self, _: &NavMesh, _: &NodePool<Node>, _: NodeIdx) {}
}

/// Records every expansion.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    pub(super) expanded: Vec<Expansion>,
    /// The last expansion of each node.
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
