use std::io::Cursor;

use glam::Vec3;
use proptest::prelude::*;
use walkable_runtime::geom::Aabb;

use super::{bytes::put_f32s, *};
use crate::{MeshPart, StableHash, TriMesh};

fn corner() -> impl Strategy<Value = Vec3> {
    // Some triangles are far larger than a square.
    (-40..40_i8, -3..3_i8, prop_oneof![4 => -40..40_i8, 1 => -128..127_i8])
        .prop_map(|(x, y, z)| Vec3::new(f32::from(x), f32::from(y), f32::from(z)) / 8.0)
}

fn piece(corners: &[[Vec3; 3]], name: &str) -> TriMesh {
    let n = u32::try_from(corners.len()).unwrap();
    let half = n / 2;
    let part = |material: &str, triangles| MeshPart {
        object: name.into(),
        material: material.into(),
        triangles,
    };
    let triangles = (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let parts = vec![part("a", 0..half), part("b", half..n)];
    TriMesh::with_parts(corners.concat(), triangles, parts).unwrap()
}

fn written(pieces: &[TriMesh]) -> Vec<u8> {
    let mut writer = BinnedWriter::new(Vec::new(), 1.5).unwrap();
    for piece in pieces {
        writer.add(piece).unwrap();
    }
    writer.finish().unwrap()
}

/// Returns the corners and names of each triangle.
fn triangles_of(mesh: &TriMesh, index: usize) -> ([Vec3; 3], String) {
    let part = mesh.parts().iter().find(|part| index < part.triangles.end as usize).unwrap();
    (mesh.corners(index), format!("{}/{}", part.object, part.material))
}

proptest! {
    #[test]
    fn triangles_over_a_rectangle_are_found_in_order(
        pieces in prop::collection::vec(
            prop::collection::vec([corner(), corner(), corner()], 1..60),
            1..4,
        ),
        area in [corner(), corner()],
    ) {
        let pieces: Vec<_> = (0..).zip(&pieces).map(|(i, p)| piece(p, &format!("{i}"))).collect();
        let bytes = written(&pieces);
        let mut file = Cursor::new(&bytes);
        let level = BinnedLevel::read(&mut file).unwrap();
        let all: Vec<_> = pieces
            .iter()
            .flat_map(|piece| (0..piece.triangles().len()).map(|i| triangles_of(piece, i)))
            .collect();
        prop_assert_eq!(level.n_triangles(), all.len() as u64);
        prop_assert_eq!(level.bounds(), Aabb::around(all.iter().flat_map(|(c, _)| *c)));
        let area = Aabb::around(area);
        let over: Vec<_> =
            all.into_iter().filter(|(c, _)| Aabb::around(*c).overlaps_xz(&area)).collect();
        let found = level.triangles_over(&area, &mut file).unwrap();
        let found = found.map_or_else(Vec::new, |mesh| {
            (0..mesh.triangles().len()).map(|i| triangles_of(&mesh, i)).collect()
        });
        prop_assert_eq!(found, over);
    }
}

/// Returns the index of a file with `side` by `side` squares of one triangle, and that file.
fn index_of(side: u16) -> (index::RunIndex, Cursor<Vec<u8>>) {
    let n = u64::from(side) * u64::from(side);
    let directory = HEADER_BYTES + n * TRIANGLE_BYTES as u64;
    let mut bytes = vec![0; usize::try_from(directory).unwrap()];
    for (offset, at) in (HEADER_BYTES..).step_by(TRIANGLE_BYTES).zip(0..n) {
        let at = u32::try_from(at).unwrap();
        let min = [at % u32::from(side), at / u32::from(side)];
        bytes.extend(offset.to_le_bytes());
        bytes.extend(1_u64.to_le_bytes());
        #[expect(clippy::cast_precision_loss, reason = "small")]
        put_f32s(&mut bytes, &[min[0], min[1], min[0] + 1, min[1] + 1].map(|at| at as f32));
    }
    let end = bytes.len() as u64;
    let mut file = Cursor::new(bytes);
    (index::RunIndex::read(&mut file, [directory, directory, end], n).unwrap(), file)
}

#[test]
fn the_index_finds_the_squares_over_a_rectangle() {
    for side in [3, 100, 300] {
        let (index, mut file) = index_of(side);
        assert_eq!(index.n_triangles(), u64::from(side) * u64::from(side));
        for at in [[0, 0], [1, 2], [side / 2, side / 3], [side - 1, side - 1]] {
            let [x, z] = at.map(f32::from);
            let area =
                Aabb::new(Vec3::new(x + 0.4, 0.0, z + 0.4), Vec3::new(x + 0.6, 0.0, z + 0.6));
            let [run] = index.runs_over(&area, &mut file).unwrap()[..] else { panic!("{at:?}") };
            assert_eq!((run.min, run.max), ([x, z], [x + 1.0, z + 1.0]));
            let number = usize::from(at[1]) * usize::from(side) + usize::from(at[0]);
            assert_eq!(index.run(number, &mut file).unwrap(), Some(run));
            assert!(index.groups_over(&area).len() <= 3);
        }
    }
}

fn sample() -> Vec<u8> {
    let triangle = [Vec3::ZERO, Vec3::X, Vec3::Z];
    let corners: Vec<_> = (0..40_u8).map(|i| triangle.map(|c| c + f32::from(i))).collect();
    written(&[piece(&corners, "rocks")])
}

/// Reads the level and all its triangles.
fn read_all(bytes: &[u8]) -> Result<Option<TriMesh>, BinnedError> {
    let mut file = Cursor::new(bytes);
    let level = BinnedLevel::read(&mut file)?;
    level.triangles_over(&level.bounds(), &mut file)
}

#[test]
fn truncated_input_is_an_error() {
    let bytes = sample();
    assert!(read_all(&bytes).unwrap().is_some());
    for n in 0..bytes.len() {
        assert!(read_all(&bytes[..n]).is_err(), "{n} bytes");
    }
}

#[test]
fn damage_does_not_end_in_a_panic() {
    let bytes = sample();
    for at in 0..bytes.len() {
        for flip in [1, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            let _ = read_all(&damaged);
        }
    }
    let mut foreign = bytes;
    foreign[0] = b'X';
    assert_eq!(
        read_all(&foreign).unwrap_err().to_string(),
        "this is not a binned level: its header is wrong"
    );
}

#[test]
fn nothing_to_write_and_no_squares_are_errors() {
    let writer = BinnedWriter::new(Vec::new(), 1.0).unwrap();
    assert!(matches!(writer.finish(), Err(BinnedError::Empty)));
    for side in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(BinnedWriter::new(Vec::new(), side), Err(BinnedError::BadSquare(_))));
    }
}

#[test]
fn the_hash_is_that_of_all_bytes_before_it() {
    let bytes = sample();
    let end = bytes.len() - 28;
    let level = BinnedLevel::read(&mut Cursor::new(&bytes)).unwrap();
    assert_eq!(level.hash(), StableHash::of(&bytes[..end]));
}

#[test]
fn files_of_another_version_are_refused_with_a_remedy() {
    let mut bytes = sample();
    bytes[4] = 1;
    let error = read_all(&bytes).unwrap_err().to_string();
    assert!(error.contains("version") && error.contains("write it again"), "{error}");
}

/// Returns a level of three rocks, each in a separate square.
fn apart() -> Vec<u8> {
    let triangle = [Vec3::ZERO, Vec3::X, Vec3::Z];
    let corners: Vec<_> =
        (0..3_u8).map(|i| triangle.map(|c| c + Vec3::X * 10.0 * f32::from(i))).collect();
    written(&[piece(&corners, "rocks")])
}

#[test]
fn a_damaged_square_is_left_out_and_the_others_are_read() {
    let bytes = apart();
    let read = |bytes: &[u8], max| {
        let mut file = Cursor::new(bytes);
        let level = BinnedLevel::read(&mut file).unwrap();
        level.loaded_over(&level.bounds(), max, &mut file)
    };
    let n_read = |found: &LoadedTriangles| found.mesh.as_ref().unwrap().triangles().len();
    let whole = read(&bytes, 3).unwrap();
    assert_eq!((n_read(&whole), whole.damaged.len()), (3, 0));
    assert!(matches!(read(&bytes, 2), Err(BinnedError::TooMany(2))));
    // The second triangle: its part, then the exponent of a coordinate.
    let second = usize::try_from(HEADER_BYTES).unwrap() + TRIANGLE_BYTES;
    for at in [second + 8, second + 12 + 3] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x7f;
        let found = read(&damaged, 3).unwrap();
        assert_eq!(n_read(&found), 2);
        let [square] = &found.damaged[..] else { panic!("{:?}", found.damaged) };
        assert_eq!(square.bounds, [glam::Vec2::new(10.0, 0.0), glam::Vec2::new(11.0, 1.0)]);
        assert!(matches!(square.error, BinnedError::Damaged(_)), "{}", square.error);
        let mut file = Cursor::new(&damaged);
        let level = BinnedLevel::read(&mut file).unwrap();
        assert_eq!(level.n_squares(), 3);
        let n = (0..3).filter(|&at| level.square(at, &mut file, &mut |_, _| {}).is_ok()).count();
        assert_eq!(n, 2);
    }
}

#[test]
fn the_nearest_place_with_triangles_is_found() {
    let bytes = apart();
    let mut file = Cursor::new(&bytes);
    let level = BinnedLevel::read(&mut file).unwrap();
    for (at, nearest) in [(0.5, 0.5), (5.0, 1.0), (7.0, 10.0), (90.0, 21.0)] {
        let found = level.nearest_square(Vec3::new(at, 2.0, 0.5), &mut file).unwrap();
        assert_eq!(found, Vec3::new(nearest, 2.0, 0.5));
    }
}
