//! Budgets of a bake.

use serde::{Deserialize, Serialize};

/// Limits that the user sets; `None` for no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budgets {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tile_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bake_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tile_kib: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub navmesh_mib: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_ms: Option<f64>,
}
