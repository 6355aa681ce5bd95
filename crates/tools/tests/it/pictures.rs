//! Pictures of baked levels other than those of single stages.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use glam::{Vec3, Vec3Swizzles as _};
use walkable::{
    bake::{
        BakeInput, BakeOutput, BakePlan, BakeSettings, Intermediates, LayerCut, OffMeshLink, bake,
        bake_tile,
    },
    debug_draw::{self, DrawList, Paint},
    ids::{AreaId, Dir, RegionId, TileCoord},
    level::{GeneratedLevel, LevelKind, generate},
    monitor::Unmonitored,
    navmesh::{NavMesh, PolyKind, TilePlace, TilePoly},
    query::{Filter, RouteOverlay},
    tile_cache::{LayerTile, TileCache},
};

fn sample() -> GeneratedLevel {
    generate(LevelKind::Sample, 3, 30.0).unwrap()
}

fn input(tile_size: u32, off_mesh: Vec<OffMeshLink>) -> BakeInput {
    let settings = BakeSettings { tile_size, ..BakeSettings::default() };
    BakeInput { off_mesh, ..BakeInput::new(Arc::new(sample().mesh), settings) }
}

fn plan(tile_size: u32) -> BakePlan {
    BakePlan::new(input(tile_size, Vec::new())).unwrap()
}

/// Returns the results of the stages for each tile of the sample.
fn tiles(tile_size: u32) -> Vec<(TileCoord, Intermediates)> {
    let plan = plan(tile_size);
    let made = |tile| {
        let made = bake_tile(&plan, tile, BakeOutput::Stages, &Unmonitored).unwrap();
        (tile, *made.stages.unwrap())
    };
    plan.tiles().map(made).collect()
}

fn mesh(tile_size: u32, off_mesh: Vec<OffMeshLink>) -> NavMesh {
    bake(input(tile_size, off_mesh), &Unmonitored).unwrap()
}

fn n_lines(list: &DrawList, paint: Paint) -> usize {
    list.lines.iter().filter(|line| line.paint == paint).count()
}

fn n_points(list: &DrawList, paint: Paint) -> usize {
    list.points.iter().filter(|point| point.paint == paint).count()
}

/// Returns the area of all triangles, seen from above.
fn ground(list: &DrawList) -> f64 {
    let area = |[a, b, c]: [Vec3; 3]| f64::from((b - a).xz().perp_dot((c - a).xz()).abs()) * 0.5;
    list.triangles.iter().map(|triangle| area(triangle.corners)).sum()
}

#[test]
fn each_link_between_columns_is_drawn_once() {
    for (tile, made) in tiles(48) {
        let (field, frame) = (&made.compact, made.compact.frame);
        let inside = |n: u32| frame.border_vx..n - frame.border_vx;
        let (xs, zs) = (inside(frame.n_x), inside(frame.n_z));
        let mut n_links = 0_u32;
        for at in zs.clone().flat_map(|z| xs.clone().map(move |x| (x, z))) {
            for span in field.cell(frame.cell_index(at.0, at.1)) {
                let next = [Dir::East, Dir::North].map(|dir| field.neighbor(at, span, dir));
                let next = next.into_iter().flatten();
                n_links +=
                    next.map(|it| u32::from(xs.contains(&it.x) && zs.contains(&it.z))).sum::<u32>();
            }
        }
        let list = debug_draw::links(field, &made.compact_areas);
        let length: f32 = list.lines.iter().map(|line| line.a.xz().distance(line.b.xz())).sum();
        let drawn = f64::from(length / frame.cell_size);
        assert!((drawn - f64::from(n_links)).abs() < 0.5, "{tile}: {drawn} of {n_links}");
    }
}

#[test]
fn walkable_voxels_are_all_that_can_be_stood_on() {
    for (tile, made) in tiles(48) {
        let (field, frame) = (&made.filtered, made.filtered.frame);
        let inside = |n: u32| frame.border_vx..n - frame.border_vx;
        let cells = inside(frame.n_z).flat_map(|z| inside(frame.n_x).map(move |x| (x, z)));
        let spans = cells.flat_map(|(x, z)| field.column(frame.cell_index(x, z)));
        let walkable = spans.filter(|span| span.area.is_walkable());
        let expected: u64 = walkable.map(|span| u64::from(span.max_vx - span.min_vx)).sum();
        let list = debug_draw::walkable_spans(field);
        let cell = frame.cell_size * frame.cell_size * frame.cell_height;
        let volume = |block: &debug_draw::Block| (block.max - block.min).element_product() / cell;
        let drawn: f64 = list.blocks.iter().map(|block| f64::from(volume(block))).sum();
        #[expect(clippy::cast_precision_loss, reason = "a few thousand voxels")]
        let expected = expected as f64;
        assert!((drawn - expected).abs() < 1e-3 * expected + 0.5, "{tile}: {drawn} of {expected}");
        assert!(list.blocks.iter().all(|block| block.paint != Paint::Blocked));
    }
}

#[test]
fn regions_that_touch_are_joined_once() {
    let mut n_arcs = 0;
    for (tile, made) in tiles(0) {
        let list = debug_draw::region_links(&made, tile);
        let outlines = &made.contours.contours;
        let mut pairs: Vec<[u16; 2]> = outlines
            .iter()
            .flat_map(|outline| outline.raw.iter().map(|vertex| [outline.region, vertex.region()]))
            .filter(|pair| pair[0] != pair[1] && pair.iter().all(|region| region.is_ground()))
            .map(|[a, b]| [a.0.min(b.0), a.0.max(b.0)])
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(n_lines(&list, Paint::Contour), 16 * pairs.len());
        let mut regions: Vec<RegionId> = outlines.iter().map(|outline| outline.region).collect();
        regions.sort_unstable_by_key(|region| region.0);
        regions.dedup();
        assert_eq!(list.points.len(), regions.len());
        n_arcs += pairs.len();
    }
    assert!(n_arcs > 3, "{n_arcs}");
}

#[test]
fn linked_clusters_are_joined_once_and_one_way_links_have_arrow_heads() {
    let GeneratedLevel { start, end, .. } = sample();
    let one_way = OffMeshLink {
        start,
        end,
        radius: 0.6,
        bidirectional: false,
        area: AreaId(5),
        flags: 1,
        user_id: 1,
    };
    let mesh = mesh(16, vec![one_way]);
    let overlay = RouteOverlay::new(&mesh, &Filter::default()).unwrap();
    let list = debug_draw::cluster_links(&mesh, &overlay);
    let mut ground: Vec<_> = mesh
        .tiles()
        .flat_map(|tile| {
            let polys = tile.polys.iter().zip(0..).filter(|(p, _)| p.kind == PolyKind::Ground);
            polys.map(|(_, poly)| TilePoly { tile: TilePlace::of(tile), poly })
        })
        .map(|poly| overlay.cluster(poly).unwrap())
        .collect();
    ground.sort_unstable();
    ground.dedup();
    assert_eq!(list.points.len(), ground.len());
    let links = overlay.cluster_links();
    let links = links.iter().filter(|link| link.iter().all(|end| ground.contains(end)));
    let links: Vec<_> = links.copied().collect();
    let n_both = links.iter().filter(|[from, to]| links.contains(&[*to, *from])).count();
    let n_one_way = links.len() - n_both;
    assert!(n_both > 4, "cells are linked both ways: {links:?}");
    assert_eq!(n_lines(&list, Paint::Contour), 16 * n_both / 2 + 18 * n_one_way);
    // Clusters of neighboring cells with the same number can be told apart.
    for &[from, to] in links.iter().filter(|[from, to]| from.number == to.number) {
        assert_ne!(debug_draw::cluster_paint(from), debug_draw::cluster_paint(to));
    }
}

#[test]
fn each_polygon_has_a_box_in_the_tree_that_holds_it() {
    for tile in mesh(32, Vec::new()).tiles() {
        let list = debug_draw::box_tree(tile);
        let n_ground = tile.polys.iter().filter(|poly| poly.kind == PolyKind::Ground).count();
        assert_eq!(n_lines(&list, Paint::LeafBox), 12 * n_ground);
        assert_eq!(n_lines(&list, Paint::Bounds), 12 * n_ground.saturating_sub(1));
        for node in tile.bv_nodes.iter().filter(|node| node.index >= 0).take(n_ground) {
            let Ok(index) = usize::try_from(node.index) else { continue };
            let (around, reach) = (tile.node_bounds(node), 2.0 / tile.header.bv_quant_factor);
            for corner in tile.corners(&tile.polys[index]) {
                let off = corner.clamp(around.min, around.max) - corner;
                assert!(off.xz().length() <= reach, "{corner} lies outside {around:?}");
            }
        }
    }
}

#[test]
fn portals_are_drawn_where_links_lead_to_the_next_tile() {
    let mesh = mesh(32, Vec::new());
    let refs =
        mesh.slots().flat_map(|(slot, tile)| (0..tile.polys.len()).map(move |index| (slot, index)));
    let polys = refs.filter_map(|(slot, index)| mesh.poly_ref(slot, index));
    let n_links = polys.flat_map(|poly| mesh.links(poly)).filter(|link| link.side != 0xff).count();
    let list = debug_draw::border_portals(&mesh);
    assert!(n_links > 10 && n_lines(&list, Paint::PathPortal) == n_links, "{n_links}");
    let alone = debug_draw::border_portals(&self::mesh(0, Vec::new()));
    assert_eq!(n_lines(&alone, Paint::PathPortal), 0);
}

#[test]
fn ends_of_connections_over_no_ground_are_ringed() {
    let GeneratedLevel { start, end, .. } = sample();
    let link = |start: Vec3, end: Vec3| OffMeshLink {
        start,
        end,
        radius: 1.0,
        bidirectional: true,
        area: AreaId(5),
        flags: 8,
        user_id: 1000,
    };
    let dead = |links: Vec<OffMeshLink>| {
        let list = debug_draw::dead_ends(&mesh(0, links));
        n_points(&list, Paint::Problem)
    };
    assert_eq!(dead(vec![link(start, end)]), 0);
    assert_eq!(dead(vec![link(start, end + Vec3::Y * 40.0)]), 1);
    assert_eq!(dead(vec![link(start, end), link(start, end - Vec3::Y * 40.0)]), 1);
}

#[test]
fn layers_are_drawn_from_their_cells_to_their_polygons() {
    let cache = TileCache::bake(&plan(32), LayerCut::Sweep, &Unmonitored).unwrap().cache;
    let mut n_outlines = 0;
    for key in cache.tiles().map(LayerTile::key) {
        let layer = cache.layer(key).unwrap();
        let made = cache.mesh_tile(key, &Unmonitored).unwrap().unwrap();
        let cell = f64::from(layer.cell_size * layer.cell_size);
        #[expect(clippy::cast_precision_loss, reason = "a layer has few cells")]
        let expected = layer.n_ground_cells() as f64 * cell;
        let areas = ground(&debug_draw::layer_areas(&layer));
        assert!((areas - expected).abs() < 1e-3, "{key}: {areas} of {expected}");
        let coord = key.coord();
        let regions = ground(&debug_draw::layer_regions(&layer, &made.regions, coord));
        assert!((regions - expected).abs() < 1e-3, "{key}: every cell has a region");
        let outlines = debug_draw::layer_outlines(&layer, &made.outlines, coord);
        let n_corners: usize = made.outlines.iter().map(|outline| outline.corners.len()).sum();
        assert_eq!((outlines.points.len(), outlines.lines.len()), (n_corners, n_corners));
        let polygons = ground(&debug_draw::polygons(&made.polygons));
        assert!((polygons - expected).abs() < 0.25 * expected + 2.0, "{key}: {polygons}");
        n_outlines += made.outlines.len();
    }
    assert!(n_outlines > 10, "{n_outlines}");
}
