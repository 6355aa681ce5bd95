use rayon::prelude::*;

use super::{
    Fill, Volume, Voxel, VoxelError, check_size,
    source::{FromFill, FromVolume, Known, Source},
    tree::{CellTree, TreePart, corner},
};

/// An octree of free and blocked cubes down to single voxels, with a node of 6 bytes for each cube that contains both
/// kinds. [`SparseOctree`] needs less memory. This plain octree is for comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Octree {
    layers: Layers,
}

/// An octree whose lowest nodes are blocks of 4 x 4 x 4 voxels in 64 bits. Cubes that are entirely free or blocked use
/// no memory of their own: their parent node stores them in one bit.
///
/// Differs from Brewer's: neighbors are found from the root, with one step per layer, instead of stored as six links
/// per node, which would use four times the memory. Node indices have 32 bits instead of 22, and running out of indices
/// is an error.
///
/// Source: Brewer, "3D flight navigation using sparse voxel octrees", Game AI Pro 3, 2017.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SparseOctree {
    layers: Layers,
    leaves: Vec<u64>,
}

/// Layers of nodes with both free and blocked voxels, the lowest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Layers {
    size: [u32; 3],
    /// Binary logarithm of the root's side length in voxels.
    top: u32,
    root: Record,
    nodes: Vec<Layer>,
    n_blocked: u64,
}

/// The nodes of one size. The mixed children of a node are adjacent in the layer below.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Layer {
    /// For each node, one bit per child that contains both free and blocked voxels.
    mixed: Vec<u8>,
    /// For each node, one bit per child that is blocked.
    full: Vec<u8>,
    /// For each node, its first child in the layer below.
    first: Vec<u32>,
}

/// A cube that has not been placed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Record {
    All(Fill),
    Node(Node),
    /// A block of 64 voxels.
    Leaf(u64),
    /// A block of 8 voxels.
    Octant(u8),
}

impl Default for Record {
    fn default() -> Self {
        Self::All(Fill::Free)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    mixed: u8,
    full: u8,
    first: u32,
}

/// Binary logarithm of the smallest node's side in the plain octree.
const LOWEST_OF_PLAIN: u32 = 1;
const LOWEST_OF_SPARSE: u32 = 3;
/// Binary logarithm of the side of a block from a source.
const BLOCK: u32 = 2;
/// Number of layers that are split before the parts are built in parallel.
const SPLIT: u32 = 3;

impl Octree {
    /// Builds the tree of a volume.
    ///
    /// # Errors
    /// Returns an error if the tree has too many nodes.
    pub fn of_volume(volume: &Volume) -> Result<Self, VoxelError> {
        let built = Builder::new(volume.size(), LOWEST_OF_PLAIN, u32::MAX)?;
        Ok(Self { layers: built.build(&FromVolume(volume))?.layers })
    }
}

impl SparseOctree {
    /// Builds the tree of a volume.
    ///
    /// # Errors
    /// Returns an error if the tree has too many nodes.
    pub fn of_volume(volume: &Volume) -> Result<Self, VoxelError> {
        Self::of_source(volume.size(), &FromVolume(volume), u32::MAX)
    }

    /// Builds the tree of `size` voxels from a function that classifies cubes. `fill` receives a cube's minimum and
    /// side length in voxels, and is called again for parts of the cube after it returns [`Fill::Mixed`]. `max_nodes`
    /// is the maximum number of nodes per layer.
    ///
    /// # Errors
    /// Returns an error if a side is 0 or too long, or a layer has too many nodes.
    pub fn of_cubes(
        size: [u32; 3],
        max_nodes: u32,
        fill: impl Fn(Voxel, u32) -> Fill + Sync,
    ) -> Result<Self, VoxelError> {
        Self::of_source(size, &FromFill(fill), max_nodes)
    }

    /// Returns a tree in which everything is blocked that `allowed` does not classify as free, for instance to keep
    /// swimmers in water.
    ///
    /// # Errors
    /// Returns an error if the tree has too many nodes.
    pub fn limited_to(
        &self,
        allowed: impl Fn(Voxel, u32) -> Fill + Sync,
    ) -> Result<Self, VoxelError> {
        Self::of_cubes(self.size(), u32::MAX, |min, side| {
            match (self.fill_of(min, side), allowed(min, side)) {
                (Fill::Blocked, _) | (_, Fill::Blocked) => Fill::Blocked,
                (Fill::Free, Fill::Free) => Fill::Free,
                _ => Fill::Mixed,
            }
        })
    }

    pub(super) fn of_source(
        size: [u32; 3],
        source: &impl Source,
        max_nodes: u32,
    ) -> Result<Self, VoxelError> {
        let built = Builder::new(size, LOWEST_OF_SPARSE, max_nodes)?.build(source)?;
        Ok(Self { layers: built.layers, leaves: built.leaves })
    }

    /// Returns the number of nodes of each size, the smallest first: the blocks of 4 x 4 x 4 voxels, then each twice
    /// the size.
    pub fn n_nodes(&self) -> Vec<usize> {
        let above = self.layers.nodes.iter().map(|layer| layer.mixed.len());
        std::iter::once(self.leaves.len()).chain(above).collect()
    }
}

impl CellTree for Octree {
    fn size(&self) -> [u32; 3] {
        self.layers.size
    }

    fn top(&self) -> (u32, TreePart) {
        (self.layers.top, part_of(self.layers.root, 0))
    }

    fn child(&self, part: TreePart, layer: u32, octant: u32) -> TreePart {
        self.layers.child(LOWEST_OF_PLAIN, part, layer, octant)
    }

    fn n_bytes(&self) -> usize {
        self.layers.n_bytes()
    }

    fn n_blocked(&self) -> u64 {
        self.layers.n_blocked
    }
}

impl CellTree for SparseOctree {
    fn size(&self) -> [u32; 3] {
        self.layers.size
    }

    fn top(&self) -> (u32, TreePart) {
        (self.layers.top, part_of(self.layers.root, 0))
    }

    fn child(&self, part: TreePart, layer: u32, octant: u32) -> TreePart {
        if let TreePart::Node(node) = part
            && layer == LOWEST_OF_SPARSE
            && let Some(leaf) = self.layers.child_place(0, node, octant)
        {
            return self
                .leaves
                .get(leaf)
                .map_or(TreePart::All(Fill::Free), |&bits| TreePart::Leaf(bits));
        }
        self.layers.child(LOWEST_OF_SPARSE, part, layer, octant)
    }

    fn n_bytes(&self) -> usize {
        self.layers.n_bytes() + self.leaves.capacity() * size_of::<u64>()
    }

    fn n_blocked(&self) -> u64 {
        self.layers.n_blocked
    }
}

/// Returns the part of the tree for a record; `node` is the node's index.
const fn part_of(record: Record, node: u32) -> TreePart {
    match record {
        Record::All(fill) => TreePart::All(fill),
        Record::Node(_) => TreePart::Node(node),
        Record::Leaf(bits) => TreePart::Leaf(bits),
        Record::Octant(bits) => TreePart::Octant(bits),
    }
}

impl Layers {
    fn child(&self, lowest: u32, part: TreePart, layer: u32, octant: u32) -> TreePart {
        match part {
            TreePart::All(_) => part,
            TreePart::Leaf(bits) => match bits.to_le_bytes()[octant as usize & 7] {
                0 => TreePart::All(Fill::Free),
                u8::MAX => TreePart::All(Fill::Blocked),
                bits => TreePart::Octant(bits),
            },
            TreePart::Octant(bits) if bits >> octant & 1 != 0 => TreePart::All(Fill::Blocked),
            TreePart::Octant(_) => TreePart::All(Fill::Free),
            TreePart::Node(node) => {
                let Some(at) = layer.checked_sub(lowest) else { return TreePart::All(Fill::Free) };
                if let Some(place) = self.child_place(at as usize, node, octant) {
                    return TreePart::Node(u32::try_from(place).unwrap_or(u32::MAX));
                }
                let full = self.nodes.get(at as usize).and_then(|l| l.full.get(node as usize));
                let is_full = full.is_some_and(|full| full >> octant & 1 != 0);
                TreePart::All(if is_full { Fill::Blocked } else { Fill::Free })
            }
        }
    }

    /// Returns the index of a mixed child in the layer below, or `None` if the child is not mixed.
    fn child_place(&self, layer: usize, node: u32, octant: u32) -> Option<usize> {
        let layer = self.nodes.get(layer)?;
        let mixed = *layer.mixed.get(node as usize)?;
        let before = (mixed & ((1 << octant) - 1)).count_ones();
        (mixed >> octant & 1 != 0).then(|| layer.first[node as usize] as usize + before as usize)
    }

    fn n_bytes(&self) -> usize {
        let of = |layer: &Layer| {
            layer.mixed.capacity() + layer.full.capacity() + 4 * layer.first.capacity()
        };
        self.nodes.iter().map(of).sum()
    }
}

/// The finished part of the tree.
#[derive(Default)]
struct Built {
    layers: Layers,
    leaves: Vec<u64>,
}

#[derive(Clone, Copy)]
struct Builder {
    size: [u32; 3],
    top: u32,
    lowest: u32,
    max_nodes: u32,
}

impl Builder {
    fn new(size: [u32; 3], lowest: u32, max_nodes: u32) -> Result<Self, VoxelError> {
        check_size(size)?;
        let side = size.into_iter().max().unwrap_or(1).next_power_of_two();
        Ok(Self { size, top: side.trailing_zeros().max(LOWEST_OF_SPARSE), lowest, max_nodes })
    }

    fn build<S: Source>(self, source: &S) -> Result<Built, VoxelError> {
        // The upper layers are split first, then the parts are built in parallel.
        let mut jobs = vec![([0; 3], source.whole_volume())];
        let split = SPLIT.min(self.top - LOWEST_OF_SPARSE);
        let mut known: Vec<Vec<Option<Record>>> = Vec::new();
        for n in 0..split {
            let side = 1 << (self.top - n - 1);
            let mut below = Vec::new();
            let mut records = Vec::new();
            for (min, part) in &jobs {
                for octant in 0..8 {
                    let min = corner(*min, octant, side);
                    match self.look(source, part, min, side) {
                        Known::All(fill) => records.push(Some(Record::All(fill))),
                        Known::Mixed(part) => {
                            records.push(None);
                            below.push((min, part));
                        }
                    }
                }
            }
            known.push(records);
            jobs = below;
        }
        let layer = self.top - split;
        let parts: Vec<(Built, Record)> = jobs
            .par_iter()
            .map(|(min, part)| {
                let mut built = self.empty();
                let record = self.cube(source, part, *min, layer, &mut built)?;
                Ok((built, record))
            })
            .collect::<Result<_, VoxelError>>()?;
        let mut built = self.empty();
        let mut records = Vec::with_capacity(parts.len());
        for (part, record) in parts {
            records.push(self.append(&mut built, part, record, layer)?);
        }
        for (n, known) in (0..split).zip(&known).rev() {
            let mut found = records.into_iter();
            let all: Vec<Record> =
                known.iter().filter_map(|known| known.or_else(|| found.next())).collect();
            let eights = all.chunks_exact(8);
            let joined = eights.map(|eight| self.join(&mut built, eight, self.top - n));
            records = joined.collect::<Result<_, _>>()?;
        }
        let root = records.first().copied().unwrap_or_default();
        built.layers.root = root;
        if let Record::Node(node) = root {
            self.push(&mut built, &[Record::Node(node)], self.top)?;
        }
        built.layers.n_blocked += all_blocked(root, self.top);
        shrink(&mut built);
        Ok(built)
    }

    fn empty(self) -> Built {
        let mut built = Built::default();
        built.layers.size = self.size;
        built.layers.top = self.top;
        built.layers.nodes = vec![Layer::default(); (self.top + 1 - self.lowest) as usize];
        built
    }

    fn look<S: Source>(
        self,
        source: &S,
        of: &S::CubeData,
        min: Voxel,
        side: u32,
    ) -> Known<S::CubeData> {
        // Everything outside counts as free, and is skipped when cells are created.
        if (0..3).any(|axis| min[axis] >= self.size[axis]) {
            return Known::All(Fill::Free);
        }
        source.part(of, min, side)
    }

    /// Builds the contents of a cube of side 2 to the power of `layer`.
    fn cube<S: Source>(
        self,
        source: &S,
        part: &S::CubeData,
        min: Voxel,
        layer: u32,
        built: &mut Built,
    ) -> Result<Record, VoxelError> {
        if layer == BLOCK {
            return self.block(source.block(part, min), built);
        }
        let mut records = [Record::default(); 8];
        let side = 1 << (layer - 1);
        for (octant, record) in (0..8).zip(&mut records) {
            let min = corner(min, octant, side);
            *record = match self.look(source, part, min, side) {
                Known::All(fill) => Record::All(fill),
                Known::Mixed(part) => self.cube(source, &part, min, layer - 1, built)?,
            };
        }
        self.join(built, &records, layer)
    }

    fn block(self, bits: u64, built: &mut Built) -> Result<Record, VoxelError> {
        match bits {
            0 => return Ok(Record::All(Fill::Free)),
            u64::MAX => return Ok(Record::All(Fill::Blocked)),
            _ if self.lowest == LOWEST_OF_SPARSE => return Ok(Record::Leaf(bits)),
            _ => {}
        }
        let octants = bits.to_le_bytes();
        let records = octants.map(|bits| match bits {
            0 => Record::All(Fill::Free),
            u8::MAX => Record::All(Fill::Blocked),
            bits => Record::Octant(bits),
        });
        self.join(built, &records, BLOCK)
    }

    /// Combines eight cubes to one of side 2 to the power of `layer`, and places the mixed ones.
    fn join(self, built: &mut Built, records: &[Record], layer: u32) -> Result<Record, VoxelError> {
        let first = records.first().copied().unwrap_or_default();
        if matches!(first, Record::All(_)) && records.iter().all(|&record| record == first) {
            return Ok(first);
        }
        let mut node = Node { mixed: 0, full: 0, first: 0 };
        for (octant, record) in records.iter().enumerate() {
            match record {
                Record::All(Fill::Free) => {}
                Record::All(_) => node.full |= 1 << octant,
                Record::Node(_) | Record::Leaf(_) | Record::Octant(_) => node.mixed |= 1 << octant,
            }
            built.layers.n_blocked += all_blocked(*record, layer - 1);
        }
        node.first = self.push(built, records, layer - 1)?;
        Ok(Record::Node(node))
    }

    /// Places cubes of side 2 to the power of `layer`, and returns the index of the first.
    fn push(self, built: &mut Built, records: &[Record], layer: u32) -> Result<u32, VoxelError> {
        let n_before = if layer == BLOCK && self.lowest == LOWEST_OF_SPARSE {
            built.leaves.len()
        } else {
            layer
                .checked_sub(self.lowest)
                .map_or(0, |at| built.layers.nodes[at as usize].mixed.len())
        };
        let mut n = n_before;
        for record in records {
            match *record {
                Record::All(_) => continue,
                Record::Leaf(bits) => {
                    built.leaves.push(bits);
                    built.layers.n_blocked += u64::from(bits.count_ones());
                }
                Record::Octant(bits) => {
                    // A node of eight voxels has no layer below.
                    let lowest = &mut built.layers.nodes[0];
                    lowest.mixed.push(0);
                    lowest.full.push(bits);
                    lowest.first.push(0);
                    built.layers.n_blocked += u64::from(bits.count_ones());
                }
                Record::Node(node) => {
                    let at = &mut built.layers.nodes[(layer - self.lowest) as usize];
                    at.mixed.push(node.mixed);
                    at.full.push(node.full);
                    at.first.push(node.first);
                }
            }
            n += 1;
        }
        let first = u32::try_from(n_before).ok().filter(|_| n <= self.max_nodes as usize);
        first.ok_or(VoxelError::TooManyNodes { side: 1 << layer, limit: self.max_nodes })
    }

    /// Appends a part to the tree, and returns its root with its new index.
    fn append(
        self,
        built: &mut Built,
        part: Built,
        record: Record,
        layer: u32,
    ) -> Result<Record, VoxelError> {
        let too_many = |at: u32| VoxelError::TooManyNodes { side: 1 << at, limit: self.max_nodes };
        let fits = |n: usize| u32::try_from(n).ok().filter(|&n| n <= self.max_nodes);
        // Offsets of the child indices of each layer.
        let mut by = fits(built.leaves.len()).ok_or_else(|| too_many(BLOCK))?;
        let mut root_by = by;
        built.leaves.extend(part.leaves);
        for (n, (all, own)) in (0..).zip(built.layers.nodes.iter_mut().zip(part.layers.nodes)) {
            if n + self.lowest == layer {
                root_by = by;
            }
            let n_before = fits(all.mixed.len()).ok_or_else(|| too_many(n + self.lowest))?;
            fits(all.mixed.len() + own.mixed.len()).ok_or_else(|| too_many(n + self.lowest))?;
            all.mixed.extend(own.mixed);
            all.full.extend(own.full);
            all.first.extend(own.first.into_iter().map(|first| first + by));
            by = n_before;
        }
        built.layers.n_blocked += part.layers.n_blocked;
        fits(built.leaves.len()).ok_or_else(|| too_many(BLOCK))?;
        Ok(match record {
            Record::Node(node) => Record::Node(Node { first: node.first + root_by, ..node }),
            other => other,
        })
    }
}

/// Returns the number of blocked voxels of a cube that is entirely blocked, otherwise 0.
const fn all_blocked(record: Record, layer: u32) -> u64 {
    if matches!(record, Record::All(Fill::Blocked)) { 1 << (3 * layer) } else { 0 }
}

fn shrink(built: &mut Built) {
    built.leaves.shrink_to_fit();
    for layer in &mut built.layers.nodes {
        layer.mixed.shrink_to_fit();
        layer.full.shrink_to_fit();
        layer.first.shrink_to_fit();
    }
}
