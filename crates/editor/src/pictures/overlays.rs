//! Pictures of the overlays.

use std::sync::Arc;

use walkable::{
    debug_draw::{self, DrawList},
    ids::TileCoord,
    navmesh::{NavMesh, Tile},
};
use walkable_workspace::stage_view::StageView;

use super::{DrawnPictures, Pictures, undivided};
use crate::{
    cluster_map::ClusterMap,
    pictures::PictureId,
    session::{Overlay, Session, TileKey},
};

/// Key of a picture: the serial numbers of the navmesh and of the newest tile, the version of the stages in memory or
/// the serial number of the clusters, the tile that is shown.
pub(super) type OverlayKey = (u64, u64, u64, Option<TileCoord>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DrawnOverlay {
    /// Ends of off-mesh links that are not connected to the navmesh.
    DeadEnds,
    Overlay(Overlay),
}

impl Pictures {
    /// Draws all active overlays, and the unconnected ends of off-mesh links.
    pub(super) fn draw_overlays(&mut self, session: &Session, drawn: &mut DrawnPictures) {
        let dead_ends =
            (session.shown.stage == StageView::Navmesh).then_some(DrawnOverlay::DeadEnds);
        let shown =
            session.shown.display.overlays.iter().map(|overlay| DrawnOverlay::Overlay(*overlay));
        let mut before = std::mem::take(&mut self.overlays);
        for overlay in dead_ends.into_iter().chain(shown) {
            let key = key(session, &self.clusters, overlay);
            if overlay == DrawnOverlay::Overlay(Overlay::RegionLinks) {
                drawn.wanted.extend(wanted_for_links(session));
            }
            let kept = before.remove(&overlay).filter(|(old, ..)| *old == key);
            let (_, revision, list) = kept.unwrap_or_else(|| {
                self.overlays_revision += 1;
                (key, self.overlays_revision, Arc::new(picture(session, &self.clusters, overlay)))
            });
            let id = match overlay {
                DrawnOverlay::DeadEnds => PictureId::DeadEnds,
                DrawnOverlay::Overlay(overlay) => PictureId::Overlay(overlay),
            };
            if !list.is_empty() {
                drawn.batches.push(undivided(id, revision, Arc::clone(&list)));
            }
            self.overlays.insert(overlay, (key, revision, list));
        }
    }
}

fn key(session: &Session, clusters: &ClusterMap, overlay: DrawnOverlay) -> OverlayKey {
    let bake = &session.bake;
    let computed = match overlay {
        DrawnOverlay::Overlay(Overlay::RegionLinks) => bake.stages.version(),
        DrawnOverlay::Overlay(Overlay::ClusterLinks) => clusters.serial(),
        DrawnOverlay::DeadEnds
        | DrawnOverlay::Overlay(
            Overlay::SteepGround
            | Overlay::WalkableVoxels
            | Overlay::TileBounds
            | Overlay::Portals
            | Overlay::BoxTree,
        ) => 0,
    };
    (bake.navmesh_serial, bake.last_serial(), computed, session.shown.chosen_tile)
}

/// Returns the tiles whose stages the region links overlay needs, the nearest first, up to the budget.
fn wanted_for_links(session: &Session) -> Vec<TileKey> {
    let bake = &session.bake;
    if !bake.stages.has_room() {
        return Vec::new();
    }
    let tiles = bake.chosen(session.shown.chosen_tile).map(|(_, tile)| tile);
    let mut gone: Vec<_> = tiles.filter(|tile| bake.can_bake_again(tile)).collect();
    gone.sort_by(|a, b| session.distance_of(a).total_cmp(&session.distance_of(b)));
    gone.into_iter().map(TileKey::of).collect()
}

fn picture(session: &Session, clusters: &ClusterMap, overlay: DrawnOverlay) -> DrawList {
    let navmesh = session.bake.navmesh.as_deref();
    let of_mesh = |draw: fn(&NavMesh) -> DrawList| navmesh.map(draw).unwrap_or_default();
    let of_tiles = |draw: fn(&Tile) -> DrawList| {
        let tiles = navmesh.into_iter().flat_map(NavMesh::tiles);
        all(tiles.filter(|tile| session.is_shown(tile)).map(draw))
    };
    match overlay {
        DrawnOverlay::DeadEnds => of_mesh(debug_draw::dead_ends),
        // These overlays are drawn in other pictures.
        DrawnOverlay::Overlay(Overlay::SteepGround | Overlay::WalkableVoxels) => {
            DrawList::default()
        }
        DrawnOverlay::Overlay(Overlay::Portals) => of_mesh(debug_draw::border_portals),
        DrawnOverlay::Overlay(Overlay::ClusterLinks) => navmesh
            .zip(clusters.overlay())
            .map(|(navmesh, overlay)| debug_draw::cluster_links(navmesh, overlay))
            .unwrap_or_default(),
        DrawnOverlay::Overlay(Overlay::RegionLinks) => {
            let tiles = session.bake.chosen(session.shown.chosen_tile);
            let stages =
                tiles.filter_map(|(coord, tile)| Some((coord, session.bake.stages_of(tile)?)));
            all(stages.map(|(coord, stages)| debug_draw::region_links(stages, coord)))
        }
        DrawnOverlay::Overlay(Overlay::BoxTree) => of_tiles(debug_draw::box_tree),
        DrawnOverlay::Overlay(Overlay::TileBounds) => {
            of_tiles(|tile| debug_draw::outline(&tile.header.bounds))
        }
    }
}

fn all(lists: impl Iterator<Item = DrawList>) -> DrawList {
    lists.fold(DrawList::default(), |mut all, list| {
        all.append(list);
        all
    })
}
