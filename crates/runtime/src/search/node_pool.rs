use std::{
    num::NonZeroU32,
    ops::{Index, IndexMut},
};

use serde::{Deserialize, Serialize};

/// Index of a node in a [`NodePool`]. An `Option` of it has the same size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeIdx(NonZeroU32);

const _: () = assert!(size_of::<Option<NodeIdx>>() == 4);

impl NodeIdx {
    fn new(position: usize) -> Option<Self> {
        u32::try_from(position + 1).ok().and_then(NonZeroU32::new).map(Self)
    }

    /// Returns the number of nodes that were created before this one.
    pub const fn position(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The nodes of a search, looked up by vertex and state.
///
/// Vertices are numbered from 0 and are indices of an array. A vertex can have several nodes that differ in a small
/// state. Clearing takes constant time, and a pool that has grown does not allocate again.
///
/// A pool that was deserialized has its nodes, but lookups find none until [`NodePool::renumber`] has assigned their
/// vertices.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NodePool<T> {
    entries: Vec<Entry<T>>,
    /// The newest node per vertex.
    #[serde(skip)]
    heads: Vec<Head>,
    /// Entries of other generations are from earlier searches and count as empty.
    #[serde(skip)]
    generation: u32,
    limit: usize,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry<T> {
    value: T,
    /// The next older node of the same vertex.
    next: Option<NodeIdx>,
    state: u8,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    generation: u32,
    newest: Option<NodeIdx>,
}

impl<T> Default for NodePool<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), heads: Vec::new(), generation: 0, limit: 0 }
    }
}

impl<T> NodePool<T> {
    /// Removes all nodes and prepares for a search of a graph with `n_vertices` vertices and at most `limit` nodes.
    pub fn reset(&mut self, n_vertices: usize, limit: usize) {
        self.entries.clear();
        self.limit = limit;
        self.clear_heads(n_vertices);
    }

    /// Clears the lookup by vertex.
    fn clear_heads(&mut self, n_vertices: usize) {
        if let Some(next) = self.generation.checked_add(1) {
            self.generation = next;
        } else {
            self.heads.clear();
            self.generation = 1;
        }
        if self.heads.len() < n_vertices {
            self.heads.resize(n_vertices, Head { generation: 0, newest: None });
        }
    }

    /// Assigns new vertices to all nodes after the graph has changed: there are `n_vertices` vertices now, and
    /// `vertex_of` returns that of a node. Nodes without a vertex are kept, but lookups no longer find them.
    ///
    /// # Panics
    /// Panics if a vertex is not below `n_vertices`.
    pub fn renumber(
        &mut self,
        n_vertices: usize,
        mut vertex_of: impl FnMut(NodeIdx, &mut T) -> Option<u32>,
    ) {
        self.clear_heads(n_vertices);
        for position in 0..self.entries.len() {
            let Some(node) = NodeIdx::new(position) else { return };
            let entry = &mut self.entries[position];
            let Some(vertex) = vertex_of(node, &mut entry.value) else { continue };
            let head = &mut self.heads[vertex as usize];
            if head.generation != self.generation {
                *head = Head { generation: self.generation, newest: None };
            }
            entry.next = head.newest;
            head.newest = Some(node);
        }
    }

    /// Returns the node of `vertex` in `state`, created by `new` if there is none; `None` if the limit of nodes is
    /// reached.
    ///
    /// # Panics
    /// Panics if `vertex` is not below the number given to [`NodePool::reset`].
    #[inline]
    pub fn find_or_add(
        &mut self,
        vertex: u32,
        state: u8,
        new: impl FnOnce() -> T,
    ) -> Option<NodeIdx> {
        let head = &mut self.heads[vertex as usize];
        if head.generation != self.generation {
            *head = Head { generation: self.generation, newest: None };
        }
        let mut at = head.newest;
        while let Some(node) = at {
            let entry = &self.entries[node.position()];
            if entry.state == state {
                return at;
            }
            at = entry.next;
        }
        if self.entries.len() >= self.limit {
            return None;
        }
        let node = NodeIdx::new(self.entries.len())?;
        self.entries.push(Entry { value: new(), next: head.newest, state });
        head.newest = Some(node);
        Some(node)
    }

    /// Returns the state that distinguishes a node from others of the same vertex.
    pub fn state(&self, node: NodeIdx) -> u8 {
        self.entries[node.position()].state
    }

    /// Returns the node that was created after `position` others.
    pub fn nth(&self, position: usize) -> Option<NodeIdx> {
        (position < self.entries.len()).then(|| NodeIdx::new(position))?
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<T> Index<NodeIdx> for NodePool<T> {
    type Output = T;

    fn index(&self, node: NodeIdx) -> &T {
        &self.entries[node.position()].value
    }
}

impl<T> IndexMut<NodeIdx> for NodePool<T> {
    fn index_mut(&mut self, node: NodeIdx) -> &mut T {
        &mut self.entries[node.position()].value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_found_by_vertex_and_state_until_reset() {
        let mut pool = NodePool::default();
        pool.reset(10, 3);
        let a = pool.find_or_add(4, 0, || 'a').unwrap();
        let b = pool.find_or_add(4, 2, || 'b').unwrap();
        assert_eq!(pool.find_or_add(4, 0, || 'x'), Some(a));
        assert_eq!((pool[a], pool[b], pool.len()), ('a', 'b', 2));
        assert!(pool.find_or_add(9, 0, || 'c').is_some());
        assert_eq!(pool.find_or_add(3, 0, || 'd'), None, "over the limit");
        assert_eq!(pool.find_or_add(4, 2, || 'x'), Some(b), "at the limit, but there");
        assert_eq!([pool.state(a), pool.state(b)], [0, 2]);
        pool.reset(12, 3);
        let fresh = pool.find_or_add(4, 2, || 'e').unwrap();
        assert_eq!((pool[fresh], pool.len()), ('e', 1));
    }

    #[test]
    fn nodes_move_with_their_vertices() {
        let mut pool = NodePool::default();
        pool.reset(4, 9);
        let nodes = [(0, 'a'), (1, 'b'), (3, 'c')]
            .map(|(vertex, name)| pool.find_or_add(vertex, 0, || name).unwrap());
        // Vertex 1 was removed; the others have new numbers.
        pool.renumber(8, |_, name| match name {
            'a' => Some(7),
            'c' => Some(1),
            _ => None,
        });
        assert_eq!(pool.find_or_add(7, 0, || 'x'), Some(nodes[0]));
        assert_eq!(pool.find_or_add(1, 0, || 'x'), Some(nodes[2]));
        let fresh = pool.find_or_add(0, 0, || 'd').unwrap();
        assert_eq!((pool[fresh], pool[nodes[1]], pool.len()), ('d', 'b', 4));
    }

    #[test]
    fn generations_may_wrap() {
        let mut pool = NodePool::default();
        pool.reset(1, 1);
        pool.find_or_add(0, 0, || 1).unwrap();
        pool.generation = u32::MAX;
        pool.reset(1, 1);
        let node = pool.find_or_add(0, 0, || 2).unwrap();
        assert_eq!(pool[node], 2);
    }
}
