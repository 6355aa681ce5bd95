/// Distance of each open span to the nearest border of its walkable area, in half cells (a side step
/// counts 2, a diagonal step 3), after the blur.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceField {
    /// One per span of the compact field.
    pub distances: Vec<u16>,
    /// Largest distance before the blur.
    pub max: u16,
}
