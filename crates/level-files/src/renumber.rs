/// Renumbers the used vertices from 0, in their order; returns their former numbers.
///
/// The time is proportional to the number of triangles, however many vertices there are.
pub(super) fn renumber(triangles: &mut [[u32; 3]]) -> Vec<u32> {
    let corners = triangles.as_flattened_mut();
    let (Some(&first), Some(&last)) = (corners.iter().min(), corners.iter().max()) else {
        return Vec::new();
    };
    if (last - first) as usize > 8 * corners.len() {
        let mut used = corners.to_vec();
        used.sort_unstable();
        used.dedup();
        for corner in corners {
            let place = used.partition_point(|index| index < corner);
            *corner = u32::try_from(place).unwrap_or(u32::MAX);
        }
        return used;
    }
    let mut numbers = vec![None; (last - first) as usize + 1];
    for &mut corner in &mut *corners {
        numbers[(corner - first) as usize] = Some(0);
    }
    let is_used = (first..=last).zip(&mut numbers).filter(|(_, number)| number.is_some());
    let used: Vec<u32> = is_used
        .zip(0..)
        .map(|((index, number), new)| {
            *number = Some(new);
            index
        })
        .collect();
    for corner in corners {
        *corner = numbers[(*corner - first) as usize].unwrap_or(0);
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_in_use_keep_their_order_near_and_far() {
        for far in [7, 1_000_000] {
            let mut corners = [[far, 3, 5], [5, 3, 4]];
            assert_eq!(renumber(&mut corners), [3, 4, 5, far]);
            assert_eq!(corners, [[3, 0, 2], [2, 0, 1]]);
        }
        assert_eq!(renumber(&mut []), [0_u32; 0]);
    }
}
