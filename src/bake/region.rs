use crate::ids::RegionId;

/// Which region each open span belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regions {
    /// One per span of the compact field.
    pub ids: Vec<RegionId>,
    /// Largest region number handed out.
    pub max: u16,
}
