//! Numbers of a filter for serde.

/// A number for each area, as a list.
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

/// A number that may be infinite, which JSON cannot say: nothing.
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
