use serde::Serialize;

/// Something odd that a stage met and went on from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BakeWarning {
    /// What and where, for people.
    pub text: String,
}
