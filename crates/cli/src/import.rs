//! Options for reading a level file: axes, unit, winding.

use clap::{Args, ValueEnum};
use walkable::mesh::{ImportOptions, UpAxis};

use super::values;

/// Import options.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = super::help::IMPORT)]
pub(super) struct ImportArgs {
    /// Axis of the file that points up.
    #[arg(long, value_name = "AXIS", default_value = "y")]
    up: Up,
    /// Meters per unit of the file.
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0, value_parser = values::positive)]
    scale: f32,
    /// Treat the file's triangles as clockwise seen from the front.
    #[arg(long)]
    flip: bool,
    /// Treat the file's coordinates as left-handed.
    #[arg(long)]
    mirror: bool,
    /// Use only collision shapes, if the level has any: objects named UCX_…, UBX_…, UCP_…, USP_…, …-col, …-colonly,
    /// …-convcol, …-convcolonly or …_collider.
    #[arg(long)]
    collision_only: bool,
    /// Position in the file that becomes the level's origin, in the file's unit and axes: for levels far from the origin.
    #[arg(
        long, value_name = "X,Y,Z", default_value = "0,0,0", hide_default_value = true,
        allow_hyphen_values = true, value_parser = origin
    )]
    origin: [f64; 3],
}

fn origin(text: &str) -> Result<[f64; 3], String> {
    let numbers: Option<Vec<f64>> =
        text.split(',').map(|n| n.trim().parse().ok().filter(|n: &f64| n.is_finite())).collect();
    let numbers = numbers.and_then(|numbers| numbers.try_into().ok());
    numbers.ok_or_else(|| "expected three numbers: x,y,z".to_owned())
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Up {
    X,
    Y,
    Z,
}

impl ImportArgs {
    pub(super) fn options(&self) -> ImportOptions {
        let up = match self.up {
            Up::X => UpAxis::X,
            Up::Y => UpAxis::Y,
            Up::Z => UpAxis::Z,
        };
        let Self { scale, flip, mirror, collision_only, origin, .. } = *self;
        ImportOptions { up, scale, mirror, flip, collision_only, origin }
    }
}
