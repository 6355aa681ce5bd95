//! A baked level as grids and as a graph: the same places are reachable as on its navmesh, and the lengths have the
//! expected order.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use walkable::{
    bake::{BakeInput, BakeOutput, BakePlan, BakeSettings, Intermediates, bake, bake_tile},
    grid::{Cell, Estimate, GridQuery, GridScratch, Moves, SightCheck, astar, theta},
    ground::Ground,
    ids::Dir,
    level::{LevelKind, generate},
    monitor::Unmonitored,
    navmesh::NavMesh,
    query::{Filter, PathRequest, PathStatus, Scratch, find_path},
    search::{Unwatched, dijkstra},
};

/// Returns a level as one tile, with its stages and its mesh.
fn baked(kind: LevelKind, size: f32) -> (Box<Intermediates>, NavMesh) {
    let level = generate(kind, 3, size).unwrap();
    let settings = BakeSettings { tile_size: 0, ..level.config.settings };
    let input = BakeInput::new(Arc::new(level.mesh), settings);
    let mesh = bake(input.clone(), &Unmonitored).unwrap();
    let plan = BakePlan::new(input).unwrap();
    let tile = plan.tiles().next().unwrap();
    let stages = bake_tile(&plan, tile, BakeOutput::Stages, &Unmonitored).unwrap().stages.unwrap();
    (stages, mesh)
}

#[test]
fn floors_are_grids_of_what_can_be_walked() {
    for kind in [LevelKind::Maze, LevelKind::Tower, LevelKind::Sample] {
        let (stages, _) = baked(kind, 30.0);
        let field = &stages.compact;
        let ground = Ground::new(field, &stages.eroded_areas).unwrap();
        let mut n = 0;
        let (n_x, n_z) = (field.frame.n_x, field.frame.n_z);
        for (x, z) in (0..n_z).flat_map(|z| (0..n_x).map(move |x| (x, z))) {
            for span in field.cell(field.frame.cell_index(x, z)) {
                let place = ground.place(span);
                assert_eq!(place.is_some(), stages.eroded_areas[span].is_walkable());
                let Some(place) = place else { continue };
                n += 1;
                let floor = &ground.floors[place.floor as usize];
                let at = |cell: Cell| (floor.min.x + cell.x, floor.min.y + cell.y);
                assert_eq!(at(place.cell), (x, z));
                assert!(floor.grid.is_passable(place.cell));
                let height = floor.heights_vx[floor.grid.number(place.cell) as usize];
                assert_eq!(height, field.spans[span].floor_vx);
                // A step on the grid is a step in the field.
                for dir in Dir::ALL {
                    let (to_x, to_z) = dir.step_from((place.cell.x, place.cell.y));
                    let beside = Cell::new(to_x, to_z);
                    if floor.grid.is_passable(beside) {
                        let to = field.neighbor((x, z), span, dir).unwrap();
                        let there = ground.place(to.span).unwrap();
                        assert_eq!((there.floor, there.cell), (place.floor, beside));
                    }
                }
            }
        }
        let on_floors = ground.floors.iter().map(|floor| floor.grid.passable_cells().count());
        assert_eq!(on_floors.sum::<usize>(), n);
    }
}

/// On one floor, compares path lengths at any angle, on the navmesh, with eight moves and with four moves.
#[test]
fn lengths_are_in_order() {
    let (stages, mesh) = baked(LevelKind::Maze, 40.0);
    let field = &stages.compact;
    let ground = Ground::new(field, &stages.eroded_areas).unwrap();
    let graph = ground.graph(field).unwrap();
    let floor = &ground.floors[0];
    let cells: Vec<_> = floor.grid.passable_cells().collect();
    let frame = &field.frame;
    let in_world = |cell: Cell| -> glam::Vec3 {
        let at = [floor.min.x + cell.x, floor.min.y + cell.y];
        let [x, z] = at.map(|n| f32::from(u16::try_from(n).unwrap()) + 0.5);
        let height = floor.heights_vx[floor.grid.number(cell) as usize];
        frame.world_from_grid(x, f32::from(height), z)
    };
    let span = |cell: Cell| {
        let (x, z) = (floor.min.x + cell.x, floor.min.y + cell.y);
        field
            .cell(frame.cell_index(x, z))
            .find(|&span| ground.place(span).is_some_and(|at| at.floor == 0))
            .unwrap()
    };
    let (mut scratch, mut query_scratch) = (GridScratch::default(), Scratch::default());
    let filter = Filter::default();
    let start = cells[0];
    let four = dijkstra(&graph, u32::try_from(span(start)).unwrap(), |_| false, &mut Unwatched);
    let mut n = 0;
    for &goal in cells.iter().step_by(cells.len() / 60 + 1).skip(1) {
        let query = &GridQuery { grid: &floor.grid, start, goal, moves: Moves::default() };
        let eight = astar(query, Estimate::Octile, 1.0, &mut scratch, &mut Unwatched).path;
        let any = theta(query, SightCheck::Eager, &mut scratch, &mut Unwatched).path;
        let request = PathRequest::new(in_world(start), in_world(goal), &filter);
        let funnel = find_path(&mesh, &request, &mut query_scratch).unwrap();
        let cost = four.cost(u32::try_from(span(goal)).unwrap());
        assert_eq!(funnel.status == PathStatus::Complete, cost.is_some(), "{goal:?}");
        // With eight moves, a passage of one cell at a corner may be closed, so there may be no path.
        let (Some(four), Some(eight), Some(any)) = (cost, eight, any) else { continue };
        n += 1;
        let [eight, any] = [eight, any].map(|path| path.cost * f64::from(frame.cell_size));
        let (funnel, slack) = (f64::from(funnel.length), f64::from(frame.cell_size) * 4.0);
        assert!(eight <= four + 1e-3, "{goal:?}: {eight} {four}");
        assert!(any <= eight * 1.02 + 1e-3, "{goal:?}: {any} {eight}");
        assert!(funnel <= eight * 1.05 + slack, "{goal:?}: {funnel} {eight}");
        assert!(any <= funnel * 1.1 + slack, "{goal:?}: {any} {funnel}");
    }
    assert!(n > 20, "{n} compared");
}
