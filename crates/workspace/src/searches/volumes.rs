//! Searches on voxel maps and in the air of levels.

use std::borrow::Cow;

use walkable::{
    search::Watch,
    voxel::{
        CellOptions, CellTree, Columns, FlightPath, Octree, SpanSearch, SparseOctree, Volume,
        Voxel, VoxelAnswer, VoxelError, VoxelMoves, VoxelPath, VoxelScratch, WalkRules,
        find_by_cells, find_by_spans, find_dense, smooth, walk,
    },
};

use super::algorithm::{Options, PathPoints, Promise, SearchError, SearchResult, VolumeAlgorithm};

#[derive(Debug)]
pub struct VolumeFinder<'a> {
    space: Space<'a>,
    options: Options,
    scratch: VoxelScratch,
}

#[derive(Debug)]
enum Space<'a> {
    Dense(&'a Volume, VoxelMoves),
    Spans(Columns, SpanSearch),
    Floors(Columns, WalkRules),
    Octree(Octree),
    Sparse(Cow<'a, SparseOctree>),
}

impl<'a> VolumeFinder<'a> {
    /// Preprocesses the volume for the search; returns an error if the volume is too large for it.
    pub fn new(
        volume: &'a Volume,
        algorithm: VolumeAlgorithm,
        options: Options,
    ) -> Result<Self, SearchError> {
        let spans = |keep| Ok(Space::Spans(Columns::of_volume(volume)?, keep));
        let space = match algorithm {
            VolumeAlgorithm::Dense6 => Ok(Space::Dense(volume, VoxelMoves::Six)),
            VolumeAlgorithm::Dense26 => Ok(Space::Dense(volume, VoxelMoves::TwentySix)),
            VolumeAlgorithm::Spans => spans(SpanSearch::Exact),
            VolumeAlgorithm::SpansOne => spans(SpanSearch::OnePerSpan),
            VolumeAlgorithm::Octree => Octree::of_volume(volume).map(Space::Octree),
            VolumeAlgorithm::Svo => {
                SparseOctree::of_volume(volume).map(|tree| Space::Sparse(Cow::Owned(tree)))
            }
        };
        let space = space.map_err(|error| SearchError::TooLarge(error.to_string()))?;
        Ok(Self::in_space(space, options))
    }

    /// Creates a finder that walks from floor to floor in the voxel columns of the volume.
    pub(super) fn over_floors(volume: &Volume, rules: WalkRules) -> Result<Self, VoxelError> {
        let columns = Columns::of_volume(volume)?;
        Ok(Self::in_space(Space::Floors(columns, rules), Options::default()))
    }

    /// Creates a finder that searches the cubes of the tree.
    pub(super) fn in_tree(tree: &'a SparseOctree, options: Options) -> Self {
        Self::in_space(Space::Sparse(Cow::Borrowed(tree)), options)
    }

    fn in_space(space: Space<'a>, options: Options) -> Self {
        Self { space, options, scratch: VoxelScratch::default() }
    }

    /// Returns the memory of the search space, in bytes.
    pub(super) fn n_bytes(&self) -> usize {
        match &self.space {
            Space::Dense(volume, _) => {
                let n: u64 = volume.size().into_iter().map(u64::from).product();
                usize::try_from(n / 8).unwrap_or(usize::MAX)
            }
            Space::Spans(columns, _) | Space::Floors(columns, _) => columns.n_bytes(),
            Space::Octree(tree) => tree.n_bytes(),
            Space::Sparse(tree) => tree.n_bytes(),
        }
    }

    /// Returns what the search guarantees about its paths, relative to the optimum with 26 neighbors.
    pub const fn promise(&self) -> Promise {
        match self.space {
            Space::Dense(_, VoxelMoves::TwentySix) if self.options.weight > 1.0 => {
                Promise::AtMost(self.options.weight)
            }
            Space::Dense(_, VoxelMoves::TwentySix) => Promise::Least,
            Space::Dense(_, VoxelMoves::Six) | Space::Spans(..) | Space::Floors(..) => {
                Promise::Some
            }
            Space::Octree(_) | Space::Sparse(_) => Promise::Exists,
        }
    }

    pub fn find<W: Watch>(&mut self, start: Voxel, goal: Voxel, watch: &mut W) -> SearchResult {
        let (ends, scratch, options) = ([start, goal], &mut self.scratch, self.options);
        match &self.space {
            &Space::Dense(volume, moves) => {
                from_voxels(find_dense(volume, ends, moves, options.weight, scratch, watch))
            }
            Space::Spans(columns, keep) => {
                from_voxels(find_by_spans(columns, ends, *keep, scratch, watch))
            }
            Space::Floors(columns, rules) => {
                from_voxels(walk(columns, ends, *rules, scratch, watch))
            }
            Space::Octree(tree) => fly(tree, ends, options, (scratch, watch)),
            Space::Sparse(tree) => fly(&**tree, ends, options, (scratch, watch)),
        }
    }
}

fn fly(
    tree: &impl CellTree,
    ends: [Voxel; 2],
    options: Options,
    (scratch, watch): (&mut VoxelScratch, &mut impl Watch),
) -> SearchResult {
    let Options { weight, compensation, raw, .. } = options;
    let options = CellOptions { weight, compensation };
    let found = find_by_cells(tree, ends, options, scratch, watch);
    let path = found.path.map(|path| if raw { path } else { smooth(tree, &path) });
    from_flight(VoxelAnswer { path, stats: found.stats })
}

fn from_voxels(answer: VoxelAnswer<VoxelPath>) -> SearchResult {
    let path = answer.path.unwrap_or_default();
    SearchResult {
        cost: (!path.voxels.is_empty()).then_some(path.cost),
        path: PathPoints::Cells(path.voxels.into_iter().map(Vec::from).collect()),
        stats: answer.stats,
    }
}

fn from_flight(answer: VoxelAnswer<FlightPath>) -> SearchResult {
    let path = answer.path.unwrap_or_default();
    SearchResult {
        cost: (!path.points.is_empty()).then_some(path.length),
        path: PathPoints::Points(path.points),
        stats: answer.stats,
    }
}
