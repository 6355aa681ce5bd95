//! Finds the line of the first error in an OBJ file that was rejected.

use crate::{
    file_warnings::excerpt,
    obj::{ObjError, survey::Survey},
};

/// Returns the error of the first statement that cannot be read; `None` if all can be read.
pub(super) fn first_error(survey: &Survey) -> Option<ObjError> {
    let mut vertex_lines = survey.vertex_lines.iter().copied();
    let mut face_lines = survey.face_lines.iter().copied();
    let mut n_before = 0;
    for statement in survey.text.lines() {
        let error = if let Some(coordinates) = statement.strip_prefix('v') {
            n_before += 1;
            vertex_error(vertex_lines.next()?, coordinates)
        } else {
            let corners = statement.strip_prefix('f')?;
            let line = face_lines.next()?;
            let mut corners = corners.split_whitespace();
            corners.find_map(|corner| corner_error(line, corner, n_before, survey.n_vertices()))
        };
        if error.is_some() {
            return error;
        }
    }
    None
}

fn vertex_error(line: u32, coordinates: &str) -> Option<ObjError> {
    let found = coordinates.split_whitespace().count();
    let bad = |text: &str| match text.parse::<f32>() {
        Ok(value) if value.is_finite() => None,
        Ok(_) => Some(ObjError::NotFinite { line, text: excerpt(text) }),
        Err(_) => Some(ObjError::BadNumber { line, text: excerpt(text) }),
    };
    let first_bad = coordinates.split_whitespace().find_map(bad);
    first_bad.or_else(|| (found < 3).then_some(ObjError::MissingCoordinate { line, found }))
}

/// Returns the error of `corner`, given `n_before` vertices before the face and `n_vertices` in total.
fn corner_error(line: u32, corner: &str, n_before: usize, n_vertices: usize) -> Option<ObjError> {
    let digits = corner.strip_prefix(['-', '+']).unwrap_or(corner);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Some(ObjError::BadIndex { line, text: excerpt(corner) });
    }
    if digits.bytes().all(|b| b == b'0') {
        return Some(ObjError::IndexZero { line });
    }
    let n_vertices = if corner.starts_with('-') { n_before } else { n_vertices };
    let in_range = digits.parse::<usize>().is_ok_and(|index| index <= n_vertices);
    let out_of_range = || ObjError::IndexOutOfRange { line, text: excerpt(corner), n_vertices };
    (!in_range).then(out_of_range)
}
