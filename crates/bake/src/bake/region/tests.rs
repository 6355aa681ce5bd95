use std::fmt::Write as _;

use walkable_runtime::monitor::Unmonitored;

use super::*;
use crate::bake::{
    RawArea,
    compact::{Compacted, compact},
    distance,
    heightfield::tests::field,
};

const KEEP_ALL: SizeLimits = SizeLimits { min_area_vx: 0, merge_area_vx: 0 };

/// Parses ground drawn as text: `#` is plain ground, `~` ground of area 1, `.` nothing; `=` is plain ground with a
/// bridge of plain ground above it.
fn ground_of(picture: &str, border_vx: u32) -> Compacted {
    let rows: Vec<Vec<_>> =
        picture.split_whitespace().map(|row| row.chars().map(cell_text).collect()).collect();
    let text: Vec<_> = rows.iter().map(|row| row.join(" ")).collect();
    let mut compacted = compact(&field(&text.join("\n")), 10, 2, &Unmonitored).unwrap();
    compacted.field.frame.border_vx = border_vx;
    for (cell, letter) in picture.chars().filter(|c| !c.is_whitespace()).enumerate() {
        if letter == '~' {
            compacted.areas[compacted.field.starts[cell] as usize] = RawArea(1);
        }
    }
    compacted
}

fn cell_text(letter: char) -> &'static str {
    match letter {
        '.' => ".",
        '=' => "0-1,20-21",
        '^' => "20-21",
        _ => "0-1",
    }
}

/// The partitioning to use; the distance field is computed if necessary.
#[derive(Clone, Copy)]
enum How {
    Watershed,
    Monotone,
    Layers,
}

fn group_as(how: How, compacted: &Compacted, sizes: SizeLimits) -> Grouped {
    let ground = Ground { field: &compacted.field, areas: &compacted.areas };
    let distance =
        distance::measure(&compacted.areas, &compacted.field.adjacency, &Unmonitored).unwrap();
    let cut = match how {
        How::Watershed => Cut::Watershed(&distance),
        How::Monotone => Cut::Monotone,
        How::Layers => Cut::Layers,
    };
    group(ground, cut, sizes, &Unmonitored).unwrap()
}

/// Formats regions as text: the lowest span of each cell as a letter, `1` to `4` for the border, `-` for ground without
/// region.
fn show(compacted: &Compacted, regions: &Regions) -> String {
    let frame = compacted.field.frame;
    let mut text = String::new();
    for z in 0..frame.n_z {
        for x in 0..frame.n_x {
            let first = compacted.field.cell(frame.cell_index(x, z)).next();
            let letter = first.map_or('.', |span| letter(regions.ids[span]));
            write!(text, "{letter}").unwrap();
        }
        text.push(' ');
    }
    text.trim_end().to_owned()
}

fn letter(id: RegionId) -> char {
    let number = u8::try_from(id.0 & !RegionId::BORDER_BIT).unwrap();
    match number {
        0 => '-',
        _ if id.is_border() => char::from(b'0' + number),
        _ => char::from(b'A' + number - 1),
    }
}

#[track_caller]
fn check(how: How, sizes: SizeLimits, picture: &str, expected: &str) {
    let compacted = ground_of(picture, 0);
    let grouped = group_as(how, &compacted, sizes);
    assert_eq!(show(&compacted, &grouped.regions), expected);
    assert_eq!(grouped.n_overlapping, 0);
}

/// Two rooms and a door between them.
const TWO_ROOMS: &str = "\
    #######.....####### \
    #######.....####### \
    #######.....####### \
    ################### \
    #######.....####### \
    #######.....####### \
    #######.....#######";

#[test]
fn a_watershed_parts_rooms_at_their_door() {
    let parted = "AAAAAAA.....BBBBBBB AAAAAAA.....BBBBBBB AAAAAAA.....BBBBBBB AAAAAAAAAABBBBBBBBB \
                  AAAAAAA.....BBBBBBB AAAAAAA.....BBBBBBB AAAAAAA.....BBBBBBB";
    check(How::Watershed, KEEP_ALL, TWO_ROOMS, parted);
    // The smaller room has 51 cells.
    check(How::Watershed, SizeLimits { min_area_vx: 0, merge_area_vx: 50 }, TWO_ROOMS, parted);
    let joined = parted.replace('B', "A");
    check(How::Watershed, SizeLimits { min_area_vx: 0, merge_area_vx: 51 }, TWO_ROOMS, &joined);
}

/// A watershed floods a ring at once. Monotone partitioning starts a region at each change, and merging them must not
/// close the ring. Layers may have holes.
#[test]
fn a_ring_is_cut_by_rows_only() {
    let ring = "##### #...# #...# #####";
    let join_all = SizeLimits { min_area_vx: 0, merge_area_vx: 99 };
    check(How::Monotone, KEEP_ALL, ring, "AAAAA B...C B...C DDDDD");
    check(How::Monotone, join_all, ring, "AAAAA A...A A...A BBBBB");
    check(How::Layers, join_all, ring, "AAAAA A...A A...A AAAAA");
    let wide = "######## ######## ######## ###..### ###..### ######## ######## ########";
    check(How::Watershed, KEEP_ALL, wide, &wide.replace('#', "A"));
}

/// Recast has no space for these runs: the bridges are runs as well.
#[test]
fn a_row_may_have_more_runs_than_cells() {
    for how in [How::Monotone, How::Layers] {
        check(how, KEEP_ALL, "#~#~", "ABCD");
        check(how, KEEP_ALL, "=~=~=", "ACDFG");
    }
}

#[test]
fn rows_continue_where_they_have_only_each_other() {
    check(How::Monotone, KEEP_ALL, "##.## ##.## #####", "AA.BB AA.BB CCCCC");
    check(How::Monotone, KEEP_ALL, "##### ##.## #####", "AAAAA BB.CC DDDDD");
    check(How::Monotone, KEEP_ALL, "##... ####. .####", "AA... AAAA. .AAAA");
    check(How::Layers, KEEP_ALL, "##.## ##.## #####", "AA.AA AA.AA AAAAA");
}

#[test]
fn small_islands_are_dropped() {
    let islands = "#####.#. #####... #####.## #####... #####.#.";
    let at_least = |min_area_vx| SizeLimits { min_area_vx, merge_area_vx: 0 };
    for how in [How::Watershed, How::Monotone, How::Layers] {
        check(how, at_least(1), islands, "AAAAA.B. AAAAA... AAAAA.CC AAAAA... AAAAA.D.");
        check(how, at_least(2), islands, "AAAAA.-. AAAAA... AAAAA.BB AAAAA... AAAAA.-.");
        check(how, at_least(3), islands, "AAAAA.-. AAAAA... AAAAA.-- AAAAA... AAAAA.-.");
    }
}

#[test]
fn areas_stay_apart() {
    let water = "###~~~~### ###~~~~### ###~~~~### ###~~~~###";
    let join_all = SizeLimits { min_area_vx: 0, merge_area_vx: 999 };
    for how in [How::Watershed, How::Monotone, How::Layers] {
        check(how, join_all, water, "AAABBBBCCC AAABBBBCCC AAABBBBCCC AAABBBBCCC");
    }
}

#[test]
fn floors_above_each_other_stay_apart() {
    let bridge = "###^^^### ######### ###===### ###===### ###===### ######### ###^^^###";
    let join_all = SizeLimits { min_area_vx: 0, merge_area_vx: 999 };
    for how in [How::Watershed, How::Monotone, How::Layers] {
        let compacted = ground_of(bridge, 0);
        let regions = group_as(how, &compacted, join_all).regions;
        let cell = compacted.field.cell(compacted.field.frame.cell_index(4, 3));
        assert_ne!(regions.ids[cell.start], regions.ids[cell.start + 1]);
    }
}

#[test]
fn the_border_has_regions_of_its_own() {
    let picture = "####### ####### ####### ####### ####### #######";
    for how in [How::Watershed, How::Monotone, How::Layers] {
        let compacted = ground_of(picture, 1);
        let Grouped { regions, .. } = group_as(how, &compacted, KEEP_ALL);
        let shown = show(&compacted, &regions);
        assert_eq!(
            shown.replace(|c: char| c.is_alphabetic(), "x"),
            "3333333 1xxxxx2 1xxxxx2 1xxxxx2 1xxxxx2 4444444"
        );
        assert_eq!(regions.n_regions(), 1);
    }
}

/// Ground that is nowhere three cells wide has no basin, so the watershed finds no region there.
#[test]
fn a_watershed_leaves_out_a_level_of_narrow_paths() {
    check(How::Watershed, KEEP_ALL, "##.## ##.## #####", "--.-- --.-- -----");
}

#[test]
fn no_ground_has_no_regions() {
    for how in [How::Watershed, How::Monotone, How::Layers] {
        check(how, KEEP_ALL, ".. ..", ".. ..");
    }
}

#[test]
fn renumbering_closes_gaps_in_order_of_appearance() {
    let mut ids = [0, 5, 3, 5, 0, 1];
    assert_eq!(renumber(&mut ids), 3);
    assert_eq!(ids, [0, 1, 2, 1, 0, 3]);
}

#[test]
fn more_regions_than_numbers_are_an_error() {
    let mut draft =
        Draft::<RegionId> { ids: Vec::new(), next: u32::from(RegionId::BORDER_BIT) - 2 };
    assert_eq!(draft.allocate(), Ok(RegionId(0x7ffe)));
    assert_eq!(draft.allocate().unwrap_err().value, 0x7fff);
    let of = |n: usize| {
        let ids: Vec<_> = (1..=u32::try_from(n).unwrap()).map(WidePiece::numbered).collect();
        regions(&ids, (0..=n + 1).collect())
    };
    assert_eq!(of(0x7ffe).map(|regions| regions.n_regions()), Ok(0x7ffe));
    assert_eq!(of(0x7fff).unwrap_err().value, 0x7fff);
}

/// Piece numbers of both types give the same regions, including the border.
#[test]
fn wide_numbers_give_the_same_regions() {
    let water = "###~~~~### ###~~~~### ###^^~~### ###==~~### #####.#### ##.####.## ##########";
    for (picture, border_vx) in [(TWO_ROOMS, 0), (water, 0), (water, 1)] {
        let compacted = ground_of(picture, border_vx);
        let (field, areas) = (&compacted.field, compacted.areas.as_slice());
        let ground = Ground { field, areas };
        let distance = distance::measure(areas, &field.adjacency, &Unmonitored).unwrap();
        for cut in [Cut::Watershed(&distance), Cut::Monotone, Cut::Layers] {
            for merge_area_vx in [0, 9, 999] {
                let sizes = SizeLimits { min_area_vx: 2, merge_area_vx };
                let narrow = group_by::<RegionId>(ground, cut, sizes, &Unmonitored).unwrap();
                let wide = group_by::<WidePiece>(ground, cut, sizes, &Unmonitored).unwrap();
                assert_eq!(narrow.regions, wide.regions);
            }
            let narrow = cut_until::<RegionId>(ground, cut, 3, &Unmonitored).unwrap();
            let wide = cut_until::<WidePiece>(ground, cut, 3, &Unmonitored).unwrap();
            assert_eq!(narrow, wide.into_iter().map(WidePiece::folded).collect::<Vec<_>>());
        }
    }
}

/// A field of islands of one cell, and one of nine.
#[test]
fn many_small_pieces_are_allowed_if_few_are_kept() {
    let rows: Vec<_> = (0..400)
        .map(|z| {
            let cells = (0..400).map(|x| match (x, z) {
                (0..3, 0..3) => '#',
                (0..4, 0..4) => '.',
                _ if x % 2 == 0 && z % 2 == 0 => '#',
                _ => '.',
            });
            cells.collect::<String>()
        })
        .collect();
    let compacted = ground_of(&rows.join(" "), 0);
    let sizes = SizeLimits { min_area_vx: 9, merge_area_vx: 0 };
    for how in [How::Monotone, How::Layers] {
        let Grouped { regions, .. } = group_as(how, &compacted, sizes);
        assert_eq!(regions.n_regions(), 1);
        assert_eq!(regions.ids.iter().filter(|id| id.is_ground()).count(), 9);
    }
    let ground = Ground { field: &compacted.field, areas: &compacted.areas };
    let all = group(ground, Cut::Monotone, KEEP_ALL, &Unmonitored).map(|_| ());
    let Err(StageError::Limit(limit)) = all else { unreachable!("they do not fit") };
    assert_eq!((limit.value, limit.limit), (39_997, 0x7ffe));
    assert!(limit.remedy.contains("region_min_size"), "{limit:?}");
    assert!(pieces_until(ground, Cut::Monotone, usize::MAX, &Unmonitored).is_ok());
}

/// Stops at the `left`-th check.
struct StopAfter(std::sync::atomic::AtomicU32);

impl Monitor for StopAfter {
    fn is_cancelled(&self) -> bool {
        self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 0
    }
}

#[test]
fn grouping_stops_when_cancelled() {
    let compacted = ground_of(&format!("{} ", "#".repeat(300)).repeat(300), 0);
    let ground = Ground { field: &compacted.field, areas: &compacted.areas };
    let distance =
        distance::measure(&compacted.areas, &compacted.field.adjacency, &Unmonitored).unwrap();
    for cut in [Cut::Watershed(&distance), Cut::Monotone, Cut::Layers] {
        for n_looks in 0..8 {
            let outcome = group(ground, cut, KEEP_ALL, &StopAfter(n_looks.into()));
            assert_eq!(outcome.err(), Some(StageError::Cancelled(Cancelled)), "{n_looks}");
        }
    }
}
