use serde::{Deserialize, Serialize};

/// How many bytes a polygon reference takes in a file; Detour decides it when it is compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefWidth {
    /// Four bytes, Detour's default.
    #[default]
    Bits32,
    /// Eight bytes, Detour built with `DT_POLYREF64`.
    Bits64,
}

impl RefWidth {
    /// Returns the bits of a reference.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bits32 => 32,
            Self::Bits64 => 64,
        }
    }
}
