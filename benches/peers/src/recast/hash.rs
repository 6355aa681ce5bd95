//! Hashes of the results of C++ Recast, over the streams that `walkable::bake::StageDigest` hashes.

use std::slice::from_raw_parts;

use recastnavigation_sys::{
    rcCompactHeightfield, rcContourSet, rcHeightfield, rcPolyMesh, rcPolyMeshDetail,
};
use walkable::{bake::StreamHash, stage::Stage};

use super::View;

/// # Safety
/// The arrays in `view` must be as long as its counts say.
pub(super) unsafe fn of(stage: Stage, view: &View<'_>) -> Option<u64> {
    let mut hash = StreamHash::new();
    // SAFETY: as the caller promises.
    unsafe {
        match *view {
            View::Solid(solid) => spans(&mut hash, solid),
            View::Open(open) => open_spans(&mut hash, stage, open)?,
            View::Contours(set) => contours(&mut hash, set),
            View::Polygons(mesh) => polygons(&mut hash, mesh)?,
            View::Detail(mesh) => detail(&mut hash, mesh)?,
            View::Tile(bytes) => hash.bytes(bytes),
        }
    }
    Some(hash.finish())
}

pub(super) fn len(n: i32) -> usize {
    usize::try_from(n).expect("a count is not negative")
}

pub(super) unsafe fn array<'a, T>(pointer: *const T, n: usize) -> &'a [T] {
    if n == 0 {
        return &[];
    }
    // SAFETY: as the caller promises.
    unsafe { from_raw_parts(pointer, n) }
}

unsafe fn spans(hash: &mut StreamHash, solid: &rcHeightfield) {
    // SAFETY: one list of spans per cell, terminated by null.
    unsafe {
        for &first in array(solid.spans, len(solid.width) * len(solid.height)) {
            let mut column = Vec::new();
            let mut span = first;
            while !span.is_null() {
                column.push([(*span).smin(), (*span).smax(), (*span).area()]);
                span = (*span).next;
            }
            hash.u32(u32::try_from(column.len()).expect("a column is low"));
            column.iter().flatten().for_each(|number| hash.u32(*number));
        }
    }
}

unsafe fn open_spans(
    hash: &mut StreamHash,
    stage: Stage,
    open: &rcCompactHeightfield,
) -> Option<()> {
    let n = len(open.spanCount);
    // SAFETY: one entry per cell or span.
    unsafe {
        let all = array(open.spans, n);
        match stage {
            Stage::Compact | Stage::Eroded => {
                let areas = array(open.areas, n);
                for cell in array(open.cells, len(open.width) * len(open.height)) {
                    hash.u32(cell.count());
                    let first = cell.index() as usize;
                    for span in first..first + cell.count() as usize {
                        hash.u32(u32::from(all[span].y));
                        hash.u32(all[span].h());
                        hash.u32(all[span].con());
                        hash.u32(u32::from(areas[span]));
                    }
                }
            }
            Stage::Distance => {
                array(open.dist, n).iter().for_each(|distance| hash.u32(u32::from(*distance)));
            }
            Stage::Regions => all.iter().for_each(|span| hash.u32(u32::from(span.reg))),
            _ => return None,
        }
    }
    Some(())
}

unsafe fn contours(hash: &mut StreamHash, set: &rcContourSet) {
    // SAFETY: four numbers per vertex.
    unsafe {
        hash.i32(set.nconts);
        for contour in array(set.conts, len(set.nconts)) {
            hash.u32(u32::from(contour.reg));
            hash.u32(u32::from(contour.area));
            for (vertices, n) in
                [(contour.verts, contour.nverts), (contour.rverts, contour.nrverts)]
            {
                hash.i32(n);
                array(vertices, len(n) * 4).iter().for_each(|number| hash.i32(*number));
            }
        }
    }
}

unsafe fn polygons(hash: &mut StreamHash, mesh: &rcPolyMesh) -> Option<()> {
    let n = len(mesh.npolys);
    if n == 0 {
        return None;
    }
    // SAFETY: three numbers per vertex, corners and neighbors per polygon.
    unsafe {
        hash.i32(mesh.nverts);
        array(mesh.verts, len(mesh.nverts) * 3).iter().for_each(|number| hash.u16(*number));
        hash.i32(mesh.npolys);
        array(mesh.polys, n * 2 * len(mesh.nvp)).iter().for_each(|number| hash.u16(*number));
        array(mesh.regs, n).iter().for_each(|number| hash.u16(*number));
        hash.bytes(array(mesh.areas, n));
    }
    Some(())
}

unsafe fn detail(hash: &mut StreamHash, mesh: &rcPolyMeshDetail) -> Option<()> {
    let n = len(mesh.nmeshes);
    if n == 0 {
        return None;
    }
    // SAFETY: four numbers per polygon and triangle, three per vertex.
    unsafe {
        hash.i32(mesh.nmeshes);
        array(mesh.meshes, n * 4).iter().for_each(|number| hash.u32(*number));
        hash.i32(mesh.nverts);
        array(mesh.verts, len(mesh.nverts) * 3).iter().for_each(|number| hash.f32(*number));
        hash.i32(mesh.ntris);
        hash.bytes(array(mesh.tris, len(mesh.ntris) * 4));
    }
    Some(())
}
