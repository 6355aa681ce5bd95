use super::{Fill, Voxel, VoxelError, check_size};

/// A volume of voxels that are blocked or free, a bit each. Everything outside is blocked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Volume {
    size: [u32; 3],
    /// Voxel by voxel along x, then y, then z; set where blocked.
    bits: Vec<u64>,
}

impl Volume {
    /// Most voxels of a volume: a gigabyte of bits.
    pub const MAX_VOXELS: u64 = 1 << 33;

    /// A free volume of so many voxels along x, y and z.
    ///
    /// # Errors
    /// Where a side is 0 or too long, or the volume too large.
    pub fn new(size: [u32; 3]) -> Result<Self, VoxelError> {
        check_size(size)?;
        let n: u64 = size.iter().map(|&n| u64::from(n)).product();
        let n = usize::try_from(n).ok().filter(|&n| n as u64 <= Self::MAX_VOXELS);
        let n = n.ok_or(VoxelError::TooLarge { size })?;
        // A word more, so that bits can be read two words at a time.
        Ok(Self { size, bits: vec![0; n / 64 + 2] })
    }

    /// Voxels along x, y and z.
    pub const fn size(&self) -> [u32; 3] {
        self.size
    }

    /// Whether the volume has the voxel.
    pub fn contains(&self, voxel: Voxel) -> bool {
        (0..3).all(|axis| voxel[axis] < self.size[axis])
    }

    /// Whether the voxel is blocked or outside.
    pub fn is_blocked(&self, voxel: Voxel) -> bool {
        !self.contains(voxel) || {
            let at = self.index(voxel);
            self.bits[at / 64] >> (at % 64) & 1 != 0
        }
    }

    /// Blocks a voxel or frees it; nothing happens outside.
    pub fn set(&mut self, voxel: Voxel, fill: Fill) {
        if !self.contains(voxel) {
            return;
        }
        let at = self.index(voxel);
        match fill {
            Fill::Free => self.bits[at / 64] &= !(1 << (at % 64)),
            Fill::Blocked | Fill::Mixed => self.bits[at / 64] |= 1 << (at % 64),
        }
    }

    /// Number of blocked voxels.
    pub fn n_blocked(&self) -> u64 {
        self.bits.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The blocked voxels, along x, then y, then z. Free space costs next to nothing.
    pub fn blocked(&self) -> impl Iterator<Item = Voxel> {
        let words = (0_u64..).zip(&self.bits).filter(|(_, word)| **word != 0);
        words.flat_map(move |(at, &word)| {
            let set = (0..64).filter(move |bit| word >> bit & 1 != 0);
            set.map(move |bit| self.voxel(at * 64 + bit))
        })
    }

    /// Number of a voxel, along x, then y, then z: what traces name as its place.
    pub fn number(&self, voxel: Voxel) -> u64 {
        self.index(voxel) as u64
    }

    /// The voxel of a number.
    #[expect(clippy::cast_possible_truncation, reason = "remainders of 32 bit numbers")]
    pub fn voxel(&self, number: u64) -> Voxel {
        let [n_x, n_y, _] = self.size.map(u64::from);
        [(number % n_x) as u32, (number / n_x % n_y) as u32, (number / n_x / n_y) as u32]
    }

    fn index(&self, [x, y, z]: Voxel) -> usize {
        let [n_x, n_y, _] = self.size.map(|n| n as usize);
        (z as usize * n_y + y as usize) * n_x + x as usize
    }

    /// Blocked bits of up to 4 voxels from one on along x, which is inside, the lowest first. What is
    /// outside counts as free.
    pub(super) fn four(&self, voxel: Voxel) -> u8 {
        let at = self.index(voxel);
        let (word, shift) = (at / 64, at % 64);
        let bits = self.bits[word] >> shift | (self.bits[word + 1] << 1) << (63 - shift);
        let n = (self.size[0] - voxel[0]).min(4);
        bits.to_le_bytes()[0] & ((1 << n) - 1)
    }
}
