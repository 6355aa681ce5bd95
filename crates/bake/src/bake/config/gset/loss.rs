/// Something that a `.gset` file cannot hold, or that RecastDemo reads differently. Volumes and off-mesh links are
/// numbered from 0, in the order of the configuration.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GsetLoss {
    /// The path does not fit in a row, or blanks or line breaks at its ends would be lost.
    #[error(
        "the path of the mesh was changed: it has line ends, blanks at its ends or is too long"
    )]
    MeshPath,
    /// RecastDemo reads only one level format.
    #[error("RecastDemo reads OBJ files only, and the level is another file")]
    MeshFormat,
    /// A setting that the format cannot hold differs from its default.
    #[error("{key} is {value}, but the file cannot hold it")]
    Setting {
        /// Name of the setting.
        key: &'static str,
        /// The value.
        value: String,
    },
    /// RecastDemo ignores this setting of the file and builds polygons with up to 6 vertices.
    #[error("RecastDemo will not read verts_per_poly, which is {n}, and use 6")]
    VertsPerPoly {
        /// The setting.
        n: u32,
    },
    /// A shape other than a prism was replaced.
    #[error("volume {volume}: a {shape} became a prism")]
    Shape {
        /// Index of the volume.
        volume: usize,
        /// The shape.
        shape: &'static str,
    },
    /// RecastDemo keeps 12 corners of a volume, so the volume was split.
    #[error("volume {volume}: cut in {n_pieces} volumes of at most 12 corners")]
    Cut {
        /// Index of the volume.
        volume: usize,
        /// Number of pieces.
        n_pieces: usize,
    },
    /// The format has no margins of volumes.
    #[error("volume {volume}: its margin of the agent's radius was left out")]
    Margin {
        /// Index of the volume.
        volume: usize,
    },
    /// A concave volume has more corners than RecastDemo keeps.
    #[error(
        "volume {volume} was left out: it has {n_corners} corners, more than 12, and is hollow"
    )]
    TooManyCorners {
        /// Index of the volume.
        volume: usize,
        /// Number of its corners.
        n_corners: usize,
    },
    /// An invalid volume.
    #[error("volume {volume} was left out: {reason}")]
    BadVolume {
        /// Index of the volume.
        volume: usize,
        /// The reason.
        reason: &'static str,
    },
    /// An invalid off-mesh link.
    #[error("connection {link} was left out: {reason}")]
    BadLink {
        /// Index of the off-mesh link.
        link: usize,
        /// The reason.
        reason: &'static str,
    },
    /// The format does not store user IDs of off-mesh links.
    #[error("connection {link} will be number {given}, not {user_id}")]
    UserId {
        /// Index of the off-mesh link.
        link: usize,
        /// User ID.
        user_id: u32,
        /// The user ID that it will get.
        given: u32,
    },
    /// The format does not store rules for objects and materials.
    #[error("{n} rules for objects and materials were left out")]
    Surfaces {
        /// Number of rules.
        n: usize,
    },
    /// The format does not store names, costs, colors and flags of areas.
    #[error("what {n} areas are called, cost and have for flags was left out")]
    Areas {
        /// Number of areas.
        n: usize,
    },
    /// The format stores only one bound.
    #[error("{n} bounds became the one box around them")]
    Bounds {
        /// Number of bounds.
        n: usize,
    },
    /// The bound is empty or not finite.
    #[error("the bounds are empty or not finite, and the file holds a box of no size")]
    BadBounds,
}
