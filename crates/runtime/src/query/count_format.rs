//! For `#[serde(with = "walkable::query::count_format")]`: a count as 64 bits, so that files do not depend on the width of
//! `usize`. Unlimited is the largest number. Counts that are too large for this system are read as unlimited.

use serde::{Deserialize as _, Deserializer, Serializer};

/// Writes a count.
///
/// # Errors
/// Returns an error of the serializer.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub fn serialize<S: Serializer>(count: &usize, serializer: S) -> Result<S::Ok, S::Error> {
    let limited = u64::try_from(*count).ok().filter(|_| *count != usize::MAX);
    serializer.serialize_u64(limited.unwrap_or(u64::MAX))
}

/// Reads a count.
///
/// # Errors
/// Returns an error of the deserializer.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    Ok(usize::try_from(u64::deserialize(deserializer)?).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use crate::query::SearchRules;

    #[test]
    fn unlimited_counts_have_64_bits_in_files() {
        let mut rules = SearchRules::default();
        let unlimited = serde_json::to_string(&rules).unwrap();
        assert!(unlimited.contains("\"max_expansions\":18446744073709551615"), "{unlimited}");
        assert_eq!(serde_json::from_str::<SearchRules>(&unlimited).unwrap(), rules);
        rules.max_expansions = 7;
        let limited = serde_json::to_string(&rules).unwrap();
        assert_eq!(serde_json::from_str::<SearchRules>(&limited).unwrap(), rules);
    }
}
