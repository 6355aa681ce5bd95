//! The memory budget of what can be computed again.

use serde::{Deserialize, Serialize};

/// Memory for the results of stages, for pictures of them, and for pictures and textures on the graphics card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryBudget {
    pub mib: u32,
}

impl Default for MemoryBudget {
    fn default() -> Self {
        Self { mib: 1024 }
    }
}

impl MemoryBudget {
    /// Smallest and largest budget, in MiB.
    pub const LIMITS: [u32; 2] = [64, 1 << 20];

    pub fn bytes(self) -> usize {
        let [least, most] = Self::LIMITS;
        usize::try_from(self.mib.clamp(least, most))
            .map_or(usize::MAX, |mib| mib.saturating_mul(1 << 20))
    }

    pub fn stages(self) -> usize {
        self.bytes() / 2
    }

    pub fn pictures(self) -> usize {
        self.bytes() / 4
    }

    pub fn graphics(self) -> usize {
        self.bytes() / 4
    }

    /// Returns the maximum number of triangles of a level that are loaded at once, if its file can be read in parts.
    /// Each needs some hundred bytes in addition to this budget.
    pub fn level_triangles(self) -> usize {
        (self.bytes() / 1024).min(20_000_000)
    }

    /// Returns the maximum memory of the loaded tiles of a tile store, in bytes. It is needed in addition to this
    /// budget.
    pub fn tiles(self) -> u64 {
        u64::try_from(self.bytes() / 4).unwrap_or(u64::MAX)
    }

    /// Returns the part of [`MemoryBudget::graphics`] that textures of the level may take, in bytes.
    pub fn textures(self) -> usize {
        self.graphics() / 2
    }
}
