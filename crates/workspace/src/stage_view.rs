//! The stages of the pipeline as the editor shows them.

use walkable::bake::{AnimatedStage, Stage};

use crate::lang::tr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StageView {
    Input,
    /// Triangles marked walkable by slope.
    Slope,
    Spans,
    /// Solid spans after the filters.
    Filtered,
    Compact,
    /// Areas after erosion and volumes.
    Eroded,
    Distance,
    Regions,
    /// Heightfield layers, for the tile cache.
    Layers,
    /// Raw contours, along every cell.
    ContoursRaw,
    Contours,
    Polygons,
    Detail,
    Navmesh,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageGroup {
    /// From triangles to solid spans.
    Voxelize,
    /// From solid spans to the areas of the compact heightfield.
    Filter,
    /// From the compact heightfield to regions.
    Partition,
    Contour,
    Mesh,
}

impl StageGroup {
    pub const ALL: [Self; 5] =
        [Self::Voxelize, Self::Filter, Self::Partition, Self::Contour, Self::Mesh];

    pub fn name(self) -> &'static str {
        match self {
            Self::Voxelize => tr!("Voxelize"),
            Self::Filter => tr!("Filter"),
            Self::Partition => tr!("Partition"),
            Self::Contour => tr!("Contour"),
            Self::Mesh => tr!("Mesh"),
        }
    }
}

impl StageView {
    pub const ALL: [Self; 14] = [
        Self::Input,
        Self::Slope,
        Self::Spans,
        Self::Filtered,
        Self::Compact,
        Self::Eroded,
        Self::Distance,
        Self::Regions,
        Self::Layers,
        Self::ContoursRaw,
        Self::Contours,
        Self::Polygons,
        Self::Detail,
        Self::Navmesh,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Input => tr!("Input"),
            Self::Slope => tr!("Slope"),
            Self::Spans => tr!("Spans"),
            Self::Filtered => tr!("Filtered"),
            Self::Compact => tr!("Compact"),
            Self::Eroded => tr!("Eroded"),
            Self::Distance => tr!("Distance"),
            Self::Regions => tr!("Regions"),
            Self::Layers => tr!("Layers"),
            Self::ContoursRaw => tr!("Raw contours"),
            Self::Contours => tr!("Contours"),
            Self::Polygons => tr!("Polygons"),
            Self::Detail => tr!("Detail"),
            Self::Navmesh => tr!("Navmesh"),
        }
    }

    pub const fn group(self) -> StageGroup {
        match self {
            Self::Input | Self::Slope | Self::Spans => StageGroup::Voxelize,
            Self::Filtered | Self::Compact | Self::Eroded => StageGroup::Filter,
            Self::Distance | Self::Regions | Self::Layers => StageGroup::Partition,
            Self::ContoursRaw | Self::Contours => StageGroup::Contour,
            Self::Polygons | Self::Detail | Self::Navmesh => StageGroup::Mesh,
        }
    }

    /// Returns the name on the command line and in file names.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Slope => "slope",
            Self::Spans => "spans",
            Self::Filtered => "filtered",
            Self::Compact => "compact",
            Self::Eroded => "eroded",
            Self::Distance => "distance",
            Self::Regions => "regions",
            Self::Layers => "layers",
            Self::ContoursRaw => "raw-contours",
            Self::Contours => "contours",
            Self::Polygons => "polygons",
            Self::Detail => "detail",
            Self::Navmesh => "navmesh",
        }
    }

    /// Returns the stage with this name on the command line; the error lists all names.
    pub fn of_key(key: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|stage| stage.key() == key);
        found.ok_or_else(|| {
            let all: Vec<_> = Self::ALL.iter().map(|stage| stage.key()).collect();
            format!("there is no such stage; there are: {}", all.join(", "))
        })
    }

    pub fn what(self) -> &'static str {
        match self {
            Self::Input => tr!("Triangles of the level as imported"),
            Self::Slope => tr!("Triangles flat enough to walk on"),
            Self::Spans => tr!("Heightfield: solid spans per column"),
            Self::Filtered => {
                tr!("Heightfield after the filters: low obstacles, ledges, low clearance")
            }
            Self::Compact => tr!("Floors with head room, linked to neighbors within the climb"),
            Self::Eroded => tr!("Floors an agent's center can reach, with painted areas"),
            Self::Distance => tr!("Distance of each floor cell to the nearest edge"),
            Self::Regions => tr!("Connected floor cut into simple pieces"),
            Self::Layers => tr!("Layers without overlaps, part of the bake only with obstacles"),
            Self::ContoursRaw => tr!("Outlines of the regions, cell by cell"),
            Self::Contours => tr!("Outlines with the steps of the grid smoothed away"),
            Self::Polygons => tr!("Convex polygons made from the outlines"),
            Self::Detail => tr!("Triangles that give the polygons their height"),
            Self::Navmesh => tr!("Final Detour tiles with cross-tile links"),
        }
    }

    /// Returns the bake stage that the view shows. `None` for the input, and for layers, which are only built on
    /// demand.
    pub const fn stage(self) -> Option<Stage> {
        Some(match self {
            Self::Input | Self::Layers => return None,
            Self::Slope => Stage::Slope,
            Self::Spans => Stage::Spans,
            Self::Filtered => Stage::Filtered,
            Self::Compact => Stage::Compact,
            Self::Eroded => Stage::Eroded,
            Self::Distance => Stage::Distance,
            Self::Regions => Stage::Regions,
            Self::ContoursRaw | Self::Contours => Stage::Contours,
            Self::Polygons => Stage::Polygons,
            Self::Detail => Stage::Detail,
            Self::Navmesh => Stage::Tile,
        })
    }

    pub const fn of(stage: Stage) -> Self {
        match stage {
            Stage::Slope => Self::Slope,
            Stage::Spans => Self::Spans,
            Stage::Filtered => Self::Filtered,
            Stage::Compact => Self::Compact,
            Stage::Eroded => Self::Eroded,
            Stage::Distance => Self::Distance,
            Stage::Regions => Self::Regions,
            Stage::Contours => Self::Contours,
            Stage::Polygons => Self::Polygons,
            Stage::Detail => Self::Detail,
            Stage::Tile => Self::Navmesh,
        }
    }

    /// Returns whether its picture needs the intermediate results of a tile.
    pub const fn needs_stages(self) -> bool {
        !matches!(self, Self::Input | Self::Navmesh)
    }

    /// Returns the next stage of the pipeline, or the same at the end.
    #[must_use]
    pub fn next(self) -> Self {
        Self::ALL.into_iter().find(|&view| view > self).unwrap_or(self)
    }

    /// Returns the previous stage of the pipeline, or the same at the start.
    #[must_use]
    pub fn previous(self) -> Self {
        Self::ALL.into_iter().rev().find(|&view| view < self).unwrap_or(self)
    }

    /// Returns the animation of this stage; `None` if it cannot be animated.
    pub const fn animated(self) -> Option<AnimatedStage> {
        Some(match self {
            Self::Slope => AnimatedStage::Slope,
            Self::Spans => AnimatedStage::Spans,
            Self::Filtered => AnimatedStage::Filtered,
            Self::Compact => AnimatedStage::Compact,
            Self::Eroded => AnimatedStage::Eroded,
            Self::Distance => AnimatedStage::Distance,
            Self::Regions => AnimatedStage::Regions,
            Self::Layers => AnimatedStage::Layers,
            Self::ContoursRaw => AnimatedStage::RawContours,
            Self::Contours => AnimatedStage::Contours,
            Self::Polygons => AnimatedStage::Polygons,
            Self::Detail => AnimatedStage::Detail,
            Self::Input | Self::Navmesh => return None,
        })
    }

    pub fn animation_what(self) -> Option<&'static str> {
        Some(match self {
            Self::Slope => tr!("triangles marked one after the other"),
            Self::Spans => tr!("triangles rasterized one after the other"),
            Self::Filtered => tr!("one filter after the other"),
            Self::Compact => tr!("columns linked to their neighbors, one after the other"),
            Self::Eroded => tr!("the border grows cell by cell"),
            Self::Distance => tr!("swept row by row, forward and backward, then blurred"),
            Self::Regions => tr!("water rises level by level, or ground is swept row by row"),
            Self::Layers => tr!("patches of ground join layers, one after the other"),
            Self::ContoursRaw => tr!("outlines traced one after the other"),
            Self::Contours => tr!("corners added one by one"),
            Self::Polygons => tr!("triangles merged pair by pair"),
            Self::Detail => tr!("samples inserted one by one"),
            Self::Input | Self::Navmesh => return None,
        })
    }

    pub fn count_text(self, n: &str) -> String {
        match self {
            Self::Input | Self::Detail => tr!("{n} triangles"),
            Self::Slope | Self::Filtered => tr!("{n} walkable"),
            Self::Spans => tr!("{n} spans"),
            Self::Compact | Self::Eroded => tr!("{n} floors"),
            Self::Distance => tr!("{n} cells"),
            Self::Regions => tr!("{n} regions"),
            Self::Layers => tr!("{n} layers"),
            Self::ContoursRaw | Self::Contours => tr!("{n} points"),
            Self::Polygons | Self::Navmesh => tr!("{n} polygons"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stages_of_the_bake_are_shown_in_their_order() {
        assert!(StageView::ALL.is_sorted());
        let mut stages: Vec<Stage> =
            StageView::ALL.into_iter().filter_map(StageView::stage).collect();
        stages.dedup();
        assert_eq!(stages, Stage::ALL);
        for stage in Stage::ALL {
            assert_eq!(StageView::of(stage).stage(), Some(stage));
            assert!(StageView::ALL.contains(&StageView::of(stage)));
        }
    }
}
