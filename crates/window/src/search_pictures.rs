//! Takes a small picture of each search for the documentation: on a small map, and in the air over the sample.

use std::{fmt::Write as _, path::Path};

use walkable_editor::session::{ColorBy, LevelSource, Medium, Searcher};
use walkable_workspace::{files::write_atomically, stage_view::StageView};

use crate::shot::{From, PictureOverlay, Shot, take};

/// Width and height, in pixels.
const SIZE: [u32; 2] = [480, 300];
const MAP: [u32; 2] = [60, 36];
/// Obstacles of the map: first column and row, number of columns and rows.
const BLOCKS: [[u32; 4]; 13] = [
    [6, 4, 3, 14],
    [9, 15, 9, 3],
    [14, 3, 10, 5],
    [22, 11, 4, 12],
    [5, 24, 13, 3],
    [16, 29, 8, 4],
    [30, 2, 3, 13],
    [28, 19, 12, 3],
    [37, 22, 3, 10],
    [38, 7, 9, 4],
    [45, 14, 3, 13],
    [51, 3, 4, 8],
    [50, 29, 7, 3],
];
const ENDS: [[u32; 2]; 2] = [[2, 32], [57, 6]];
const MEDIA: [Medium; 4] = [Medium::Navmesh, Medium::Grid, Medium::Graph, Medium::Air];

/// Writes a picture of each search of `MEDIA` into `folder`. Fails if there is no graphics driver.
pub fn take_all(folder: &Path) -> anyhow::Result<()> {
    let maps = tempfile::tempdir()?;
    let scenario = maps.path().join("rooms.map.scen");
    std::fs::write(maps.path().join("rooms.map"), map())?;
    std::fs::write(&scenario, query())?;
    for searcher in
        Searcher::ALL.iter().copied().filter(|searcher| MEDIA.contains(&searcher.medium()))
    {
        let is_flight = searcher.medium() == Medium::Air;
        let shot = Shot {
            source: match searcher.medium() {
                Medium::Grid | Medium::Graph => LevelSource::File(scenario.clone()),
                Medium::Navmesh | Medium::Floors | Medium::Voxels | Medium::Air | Medium::Water => {
                    LevelSource::Builtin("sample".to_owned())
                }
            },
            from: if is_flight { From::Kept } else { From::Above },
            stage: if searcher.medium() == Medium::Navmesh {
                StageView::Navmesh
            } else {
                StageView::Input
            },
            color_by: ColorBy::Area,
            tile: None,
            size: SIZE,
            light: true,
            searches: vec![searcher],
            crowd_time: None,
            step: None,
            over: PictureOverlay::default(),
        };
        let path = folder.join(format!("search-{}.png", searcher.key()));
        write_atomically(&path, &take(&shot)?)?;
    }
    Ok(())
}

fn map() -> String {
    let [n_x, n_y] = MAP;
    let mut text = format!("type octile\nheight {n_y}\nwidth {n_x}\nmap\n");
    for y in 0..n_y {
        let is_blocked = |x: u32| {
            BLOCKS.iter().any(|&[first, row, across, down]| {
                (first..first + across).contains(&x) && (row..row + down).contains(&y)
            })
        };
        text.extend((0..n_x).map(|x| if is_blocked(x) { '@' } else { '.' }));
        text.push('\n');
    }
    text
}

fn query() -> String {
    let ([n_x, n_y], [[a, b], [c, d]]) = (MAP, ENDS);
    let mut text = "version 1\n".to_owned();
    // Writing to a string cannot fail. The length in the file is not used.
    let _ = writeln!(text, "0\trooms.map\t{n_x}\t{n_y}\t{a}\t{b}\t{c}\t{d}\t1");
    text
}
