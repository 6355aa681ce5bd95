//! Indices: triangles that share edges with earlier ones, or a sequence of differences.

use super::{Bytes, CUT_OFF, Damage};

/// Size of the table at the end of a stream of triangles.
const TABLE_BYTES: usize = 16;
/// Size of the reserved end of a sequence.
const TAIL_BYTES: usize = 4;

/// Returns the bytes of indices that take 2 or 4 bytes each.
pub(super) fn stored(indices: Vec<u32>, stride: usize) -> Vec<u8> {
    match stride {
        2 => indices
            .into_iter()
            .flat_map(|index| [index.to_le_bytes()[0], index.to_le_bytes()[1]])
            .collect(),
        _four => indices.into_iter().flat_map(u32::to_le_bytes).collect(),
    }
}

const fn unzigzag(value: u32) -> u32 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}

/// The last 16 entries of a list.
struct Recent<T> {
    entries: [Option<T>; 16],
    /// Number of entries that were added, modulo 16.
    n: usize,
}

impl<T: Copy> Recent<T> {
    const fn new() -> Self {
        Self { entries: [None; 16], n: 0 }
    }

    fn push(&mut self, entry: T) {
        self.entries[self.n] = Some(entry);
        self.n = (self.n + 1) % 16;
    }

    /// Returns the entry that was added `age` entries before the last one; `age` is below 16.
    fn get(&self, age: u8) -> Result<T, Damage> {
        let entry = self.entries[(self.n + 31 - usize::from(age)) % 16];
        entry.ok_or("it refers to an edge or a vertex before the first one")
    }
}

/// The state of decoding triangles.
struct Triangles<'a> {
    /// The values that do not fit into the codes.
    extra: Bytes<'a>,
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
    /// The next vertex that was not used before.
    next: u32,
    /// The last vertex that was stored as a difference.
    last: u32,
}

impl Triangles<'_> {
    fn new_vertex(&mut self) -> u32 {
        let vertex = self.next;
        self.next = self.next.wrapping_add(1);
        vertex
    }

    fn stored_vertex(&mut self) -> Result<u32, Damage> {
        self.last = self.last.wrapping_add(unzigzag(self.extra.varint()?));
        Ok(self.last)
    }

    /// Returns the vertex for four bits of a code, and whether it is added to the recent ones.
    fn vertex(&mut self, bits: u8) -> Result<(u32, bool), Damage> {
        match bits {
            0 => Ok((self.new_vertex(), true)),
            0xf => Ok((self.stored_vertex()?, true)),
            recent => Ok((self.vertices.get(recent - 1)?, false)),
        }
    }

    /// Decodes a triangle that shares an edge with a recent one.
    fn beside(&mut self, edge: u8, bits: u8) -> Result<[u32; 3], Damage> {
        let [a, b] = self.edges.get(edge)?;
        let (c, is_added) = match bits {
            0 => (self.new_vertex(), true),
            0xd | 0xe => {
                let step = if bits == 0xd { u32::MAX } else { 1 };
                self.last = self.last.wrapping_add(step);
                (self.last, true)
            }
            0xf => (self.stored_vertex()?, true),
            recent => (self.vertices.get(recent)?, false),
        };
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        if is_added {
            self.vertices.push(c);
        }
        Ok([a, b, c])
    }

    /// Decodes a triangle of vertex `a` and two more, which are encoded by `bits`.
    fn alone(&mut self, a: u32, bits: u8) -> Result<[u32; 3], Damage> {
        let (b, is_b_added) = self.vertex(bits >> 4)?;
        let (c, is_c_added) = self.vertex(bits & 0xf)?;
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        self.vertices.push(a);
        for (vertex, is_added) in [(b, is_b_added), (c, is_c_added)] {
            if is_added {
                self.vertices.push(vertex);
            }
        }
        Ok([a, b, c])
    }
}

/// Decodes `n` triangles.
pub(super) fn triangles(bytes: &[u8], n: usize) -> Result<Vec<u32>, Damage> {
    let (&version, body) = bytes.split_first().ok_or(CUT_OFF)?;
    if version != 0xe1 {
        return Err("it does not begin with 0xe1");
    }
    let end = body.len().checked_sub(TABLE_BYTES).ok_or(CUT_OFF)?;
    let (body, table) = body.split_at(end);
    let (codes, extra) = body.split_at_checked(n).ok_or(CUT_OFF)?;
    let (edges, vertices) = (Recent::new(), Recent::new());
    let mut state = Triangles { extra: Bytes(extra), edges, vertices, next: 0, last: 0 };
    let mut indices = Vec::with_capacity(3 * n);
    for code in codes {
        let (high, low) = (code >> 4, code & 0xf);
        indices.extend(match (high, low) {
            (0xf, 0xe | 0xf) => {
                let bits = state.extra.byte()?;
                if bits == 0 {
                    state.next = 0;
                }
                let a = if low == 0xf { state.stored_vertex()? } else { state.new_vertex() };
                state.alone(a, bits)?
            }
            (0xf, entry) => {
                let bits = table[usize::from(entry)];
                if bits >> 4 == 0xf || bits & 0xf == 0xf {
                    return Err("its table is not valid");
                }
                let a = state.new_vertex();
                state.alone(a, bits)?
            }
            (edge, bits) => state.beside(edge, bits)?,
        });
    }
    state.extra.end()?;
    Ok(indices)
}

/// Decodes `n` indices, each a difference from one of the last two.
pub(super) fn sequence(bytes: &[u8], n: usize) -> Result<Vec<u32>, Damage> {
    let (&version, body) = bytes.split_first().ok_or(CUT_OFF)?;
    if version != 0xd1 {
        return Err("it does not begin with 0xd1");
    }
    let end = body.len().checked_sub(TAIL_BYTES).ok_or(CUT_OFF)?;
    if n > end {
        return Err(CUT_OFF);
    }
    let mut body = Bytes(&body[..end]);
    let mut last = [0_u32; 2];
    let mut indices = Vec::with_capacity(n);
    for _ in 0..n {
        let value = body.varint()?;
        let last = &mut last[usize::from(value & 1 == 1)];
        *last = last.wrapping_add(unzigzag(value >> 1));
        indices.push(*last);
    }
    body.end()?;
    Ok(indices)
}
