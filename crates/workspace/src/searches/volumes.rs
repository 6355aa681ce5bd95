//! Searches on voxel maps.

use walkable::{
    search::Watch,
    voxel::{
        CellOptions, CellTree, Columns, FlightPath, Octree, SpanSearch, SparseOctree, Volume,
        Voxel, VoxelAnswer, VoxelMoves, VoxelPath, VoxelScratch, find_by_cells, find_by_spans,
        find_dense, smooth,
    },
};

use super::algorithm::{Options, PathPoints, Promise, SearchError, SearchResult, VolumeAlgorithm};

#[derive(Debug)]
pub struct VolumeFinder<'a> {
    volume: &'a Volume,
    kind: Kind,
    options: Options,
    scratch: VoxelScratch,
}

#[derive(Debug)]
enum Kind {
    Dense(VoxelMoves),
    Spans(Columns, SpanSearch),
    Octree(Octree),
    Sparse(SparseOctree),
}

impl<'a> VolumeFinder<'a> {
    /// Preprocesses the volume for the search; returns an error if the volume is too large for it.
    pub fn new(
        volume: &'a Volume,
        algorithm: VolumeAlgorithm,
        options: Options,
    ) -> Result<Self, SearchError> {
        let spans = |keep| Ok(Kind::Spans(Columns::of_volume(volume)?, keep));
        let kind = match algorithm {
            VolumeAlgorithm::Dense6 => Ok(Kind::Dense(VoxelMoves::Six)),
            VolumeAlgorithm::Spans => spans(SpanSearch::Exact),
            VolumeAlgorithm::SpansOne => spans(SpanSearch::OnePerSpan),
            VolumeAlgorithm::Octree => Octree::of_volume(volume).map(Kind::Octree),
            VolumeAlgorithm::Svo => SparseOctree::of_volume(volume).map(Kind::Sparse),
            VolumeAlgorithm::Dense26 => Ok(Kind::Dense(VoxelMoves::TwentySix)),
        };
        let kind = kind.map_err(|error| SearchError::TooLarge(error.to_string()))?;
        Ok(Self { volume, kind, options, scratch: VoxelScratch::default() })
    }

    /// Returns what the search guarantees about its paths, relative to the optimum with 26 neighbors.
    pub const fn promise(&self) -> Promise {
        match self.kind {
            Kind::Dense(VoxelMoves::TwentySix) if self.options.weight > 1.0 => {
                Promise::AtMost(self.options.weight)
            }
            Kind::Dense(VoxelMoves::TwentySix) => Promise::Least,
            Kind::Dense(VoxelMoves::Six) | Kind::Spans(..) => Promise::Some,
            Kind::Octree(_) | Kind::Sparse(_) => Promise::Exists,
        }
    }

    pub fn find<W: Watch>(&mut self, start: Voxel, goal: Voxel, watch: &mut W) -> SearchResult {
        let (ends, scratch, options) = ([start, goal], &mut self.scratch, self.options);
        let weight = options.weight;
        match &self.kind {
            &Kind::Dense(moves) => {
                of_voxels(find_dense(self.volume, ends, moves, weight, scratch, watch))
            }
            Kind::Spans(columns, keep) => {
                of_voxels(find_by_spans(columns, ends, *keep, scratch, watch))
            }
            Kind::Octree(tree) => fly(tree, ends, options, (scratch, watch)),
            Kind::Sparse(tree) => fly(tree, ends, options, (scratch, watch)),
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
    of_flight(VoxelAnswer { path, stats: found.stats })
}

fn of_voxels(answer: VoxelAnswer<VoxelPath>) -> SearchResult {
    let path = answer.path.unwrap_or_default();
    SearchResult {
        cost: (!path.voxels.is_empty()).then_some(path.cost),
        path: PathPoints::Cells(path.voxels.into_iter().map(Vec::from).collect()),
        stats: answer.stats,
    }
}

/// Converts an any-angle path, in any unit.
pub(super) fn of_flight(answer: VoxelAnswer<FlightPath>) -> SearchResult {
    let path = answer.path.unwrap_or_default();
    SearchResult {
        cost: (!path.points.is_empty()).then_some(path.length),
        path: PathPoints::Points(path.points),
        stats: answer.stats,
    }
}
