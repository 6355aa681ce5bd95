//! Levels for trying things out: generated from a seed, or built in.

mod builtin;

pub use builtin::{BUILTIN_LEVELS, BuiltinError, BuiltinLevel, builtin};
#[doc(inline)]
pub use walkable_tools::level::{GenerateError, GeneratedLevel, LevelKind, generate};
