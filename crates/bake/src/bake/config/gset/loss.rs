/// What a `.gset` file cannot hold, or what RecastDemo will not make of it. Volumes and off-mesh links are
/// counted from 0, in the order of the configuration.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GsetLoss {
    /// The path does not fit a row, or its ends would not be read back.
    #[error(
        "the path of the mesh was changed: it has line ends, blanks at its ends or is too long"
    )]
    MeshPath,
    /// RecastDemo reads levels in one format only.
    #[error("RecastDemo reads OBJ files only, and the level is another file")]
    MeshFormat,
    /// A setting that the format cannot hold differs from its default.
    #[error("{key} is {value}, but the file cannot hold it")]
    Setting {
        /// Name of the setting.
        key: &'static str,
        /// Its value.
        value: String,
    },
    /// RecastDemo does not take this from the file and makes polygons of up to 6 corners.
    #[error("RecastDemo will not read verts_per_poly, which is {n}, and use 6")]
    VertsPerPoly {
        /// The setting.
        n: u32,
    },
    /// A shape other than a prism.
    #[error("volume {volume}: a {shape} became a prism")]
    Shape {
        /// Which volume.
        volume: usize,
        /// What it was.
        shape: &'static str,
    },
    /// RecastDemo keeps 12 corners of a volume.
    #[error("volume {volume}: cut in {n_pieces} volumes of at most 12 corners")]
    Cut {
        /// Which volume.
        volume: usize,
        /// In how many.
        n_pieces: usize,
    },
    /// More corners than RecastDemo keeps, and not convex.
    #[error(
        "volume {volume} was left out: it has {n_corners} corners, more than 12, and is hollow"
    )]
    TooManyCorners {
        /// Which volume.
        volume: usize,
        /// How many it has.
        n_corners: usize,
    },
    /// A volume that no file could hold.
    #[error("volume {volume} was left out: {reason}")]
    BadVolume {
        /// Which volume.
        volume: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A connection that no file could hold.
    #[error("connection {link} was left out: {reason}")]
    BadLink {
        /// Which connection.
        link: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The file does not hold the numbers of off-mesh links.
    #[error("connection {link} will be number {given}, not {user_id}")]
    UserId {
        /// Which connection.
        link: usize,
        /// Its number.
        user_id: u32,
        /// The number that it will be given.
        given: u32,
    },
    /// Rules for objects and materials.
    #[error("{n} rules for objects and materials were left out")]
    Surfaces {
        /// How many.
        n: usize,
    },
    /// Names, costs, colors and flags of areas.
    #[error("what {n} areas are called, cost and have for flags was left out")]
    Areas {
        /// How many.
        n: usize,
    },
    /// More than one bound.
    #[error("{n} bounds became the one box around them")]
    Bounds {
        /// How many.
        n: usize,
    },
    /// Bounds that are empty or not finite.
    #[error("the bounds are empty or not finite, and the file holds a box of no size")]
    BadBounds,
}
