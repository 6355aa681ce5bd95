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
