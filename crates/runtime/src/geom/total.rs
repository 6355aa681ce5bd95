//! Sums of lengths.

use std::ops::Add;

/// Returns the sum of `values`, 0 if there are none: [`Iterator::sum`] of no floats is −0.
pub fn total<T: Default + Add<Output = T>>(values: impl IntoIterator<Item = T>) -> T {
    values.into_iter().fold(T::default(), Add::add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_nothing_is_positive_zero() {
        assert_eq!(total([0.0_f32; 0]).to_string(), "0");
        assert_eq!(total([-0.0_f64]).to_string(), "0");
        assert_eq!(total([0.5_f32, 2.0]).to_string(), "2.5");
    }
}
