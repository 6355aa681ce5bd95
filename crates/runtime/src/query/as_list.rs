//! Serialization of fields that serde does not support.

/// Writes a number per area as a list.
pub(super) mod costs {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    use crate::ids::AreaId;

    pub(in crate::query) fn serialize<S: Serializer>(
        costs: &[f32; AreaId::COUNT],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(costs)
    }

    pub(in crate::query) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<[f32; AreaId::COUNT], D::Error> {
        let costs = Vec::<f32>::deserialize(deserializer)?;
        let n = costs.len();
        costs.try_into().map_err(|_other_length| {
            D::Error::custom(format!("expected {} costs, found {n}", AreaId::COUNT))
        })
    }
}

/// Writes whether a search failed. The reason contains a reference or a static text, so it is not written.
pub(super) mod failure {
    use serde::{Deserialize as _, Deserializer, Serializer};

    use crate::query::QueryError;

    #[expect(clippy::ref_option, reason = "serde passes references")]
    pub(in crate::query) fn serialize<S: Serializer>(
        failure: &Option<QueryError>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(failure.is_some())
    }

    pub(in crate::query) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<QueryError>, D::Error> {
        let failed = bool::deserialize(deserializer)?;
        let what = "a search that had failed before it was saved";
        Ok(failed.then_some(QueryError::BadNumber { what }))
    }
}

/// Writes a number; an infinite one, which JSON does not support, as nothing.
pub(super) mod limit {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    pub(in crate::query) fn serialize<S: Serializer>(
        limit: &f32,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Some(*limit).filter(|limit| limit.is_finite()).serialize(serializer)
    }

    pub(in crate::query) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<f32, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f32::INFINITY))
    }
}

/// Writes a count as 64 bits, so that files do not depend on the width of `usize`; unlimited is the largest number. Counts that
/// are too large for this system are read as unlimited.
pub(super) mod count {
    use serde::{Deserialize as _, Deserializer, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    pub(in crate::query) fn serialize<S: Serializer>(
        count: &usize,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let limited = u64::try_from(*count).ok().filter(|_| *count != usize::MAX);
        serializer.serialize_u64(limited.unwrap_or(u64::MAX))
    }

    pub(in crate::query) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<usize, D::Error> {
        Ok(usize::try_from(u64::deserialize(deserializer)?).unwrap_or(usize::MAX))
    }
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
