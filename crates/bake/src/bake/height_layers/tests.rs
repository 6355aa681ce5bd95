use walkable_runtime::monitor::Unmonitored;

use super::*;
use crate::bake::{compact::compact, heightfield::tests::field};

const CUTS: [LayerCut; 2] = [LayerCut::Sweep, LayerCut::Watershed];

fn layers_of(text: &str, cut: LayerCut) -> Result<HeightLayerSet, StageError> {
    let compacted = compact(&field(text), 10, 2, &Unmonitored).unwrap();
    height_layers(&compacted.field, &compacted.areas, cut, &Unmonitored)
}

/// Checks the heights of all layers, each as rows of numbers with `.` for no ground.
#[track_caller]
fn check_layers(text: &str, expected: &[&str]) {
    for cut in CUTS {
        let set = layers_of(text, cut).unwrap();
        let show = |layer: &HeightLayer| {
            let cell = |height: &u8| match *height {
                HeightLayer::NO_HEIGHT => ".".to_owned(),
                height => (u16::from(height) + layer.min_y_vx).to_string(),
            };
            let rows = layer.heights.chunks(layer.n_x as usize);
            let rows: Vec<_> =
                rows.map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" ")).collect();
            rows.join(" / ")
        };
        let shown: Vec<_> = set.layers.iter().map(show).collect();
        assert_eq!(shown, expected, "{cut:?}");
    }
}

#[test]
fn floors_above_one_another_are_layers() {
    check_layers("0-1,20-21 0-1,20-21\n0-1 0-1", &["1 1 / 1 1", "21 21 / . ."]);
}

#[test]
fn a_ramp_joins_what_does_not_lie_above_it() {
    // The ground leads up from the lower floor at the left and back to the floor above it, which a portal leads to.
    check_layers(
        "0-1,20-21 0-3 0-5 0-7 0-9\n0-19 0-17 0-15 0-13 0-11",
        &["1 3 5 7 9 / 21 17 15 13 11", "21 . . . . / . . . . ."],
    );
}

#[test]
fn distant_heights_become_separate_layers() {
    check_layers("0-1 . 0-41", &["1 . 41"]);
    check_layers("0-1 . 0-42", &["1 . .", ". . 42"]);
    // A stair: nothing overlaps, but its heights do not fit into a byte.
    let stair: Vec<_> = (0..300).map(|step| format!("0-{}", 2 * step + 1)).collect();
    for cut in CUTS {
        let set = layers_of(&stair.join(" "), cut).unwrap();
        let ranges: Vec<_> = set.layers.iter().map(|l| [l.min_y_vx, l.max_y_vx]).collect();
        assert_eq!(ranges, [[1, 255], [257, 511], [513, 599]], "{cut:?}");
    }
}

#[test]
fn links_lead_on_within_a_layer_and_portals_out_of_it() {
    let stair: Vec<_> = (0..300).map(|step| format!("0-{}", 2 * step + 1)).collect();
    let set = layers_of(&stair.join(" "), LayerCut::Sweep).unwrap();
    let [first, second] = [&set.layers[0], &set.layers[1]];
    let west_and_east = |layer: &HeightLayer, cell: usize| {
        let links = layer.links[cell];
        [Dir::West, Dir::East].map(|dir| (links.is_linked(dir), links.is_portal(dir)))
    };
    assert_eq!(west_and_east(first, 0), [(false, false), (true, false)]);
    assert_eq!(west_and_east(first, 127), [(true, false), (false, true)]);
    assert_eq!(west_and_east(second, 128), [(false, true), (true, false)]);
    assert_eq!(first.heights[126], 252);
    assert_eq!(first.heights[127], 254, "256 above its floor would not fit");
    assert_eq!(second.heights[128], 0, "the higher side keeps its height");
    assert_eq!((second.used.min_x, second.used.max_x), (128, 255));
}

#[test]
fn a_sweep_beyond_its_limits_is_an_error() {
    // Every other cell is a separate patch.
    let row = |start: usize| {
        let cell = |x: usize| if x % 2 == start { "0-1" } else { "." };
        (0..100).map(cell).collect::<Vec<_>>().join(" ")
    };
    let text: Vec<_> = (0..6).map(|z| row(z % 2)).collect();
    let error = layers_of(&text.join("\n"), LayerCut::Sweep).unwrap_err();
    let StageError::Limit(limit) = error else { unreachable!("{error:?}") };
    assert_eq!(
        (limit.what, limit.value, limit.limit),
        ("the number of patches of ground", 300, 255)
    );
    assert_eq!(layers_of(&text.join("\n"), LayerCut::Watershed).unwrap().layers.len(), 1);
}

#[test]
fn hidden_floors_are_counted() {
    // An agent that climbs higher than it is tall steps from both floors to the one between.
    let compacted = compact(&field("0-10 0-1,15-16"), 2, 9, &Unmonitored).unwrap();
    let layers =
        |cut| height_layers(&compacted.field, &compacted.areas, cut, &Unmonitored).unwrap();
    let sweep = layers(LayerCut::Sweep);
    assert_eq!((sweep.layers.len(), sweep.n_hidden), (1, 1));
    assert_eq!(sweep.layer_of_span, [Some(0), None, Some(0)]);
    let watershed = layers(LayerCut::Watershed);
    assert_eq!((watershed.layers.len(), watershed.n_hidden), (2, 0));
}
