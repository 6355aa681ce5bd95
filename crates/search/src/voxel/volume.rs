use super::{Fill, Voxel, VoxelError, check_size};

/// A volume of voxels that are blocked or free, with one bit per voxel. Everything outside is blocked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Volume {
    size: [u32; 3],
    /// One bit per voxel along x, then y, then z, set if the voxel is blocked.
    bits: Vec<u64>,
}

impl Volume {
    /// Maximum number of voxels of a volume: 1 GiB of bits.
    pub const MAX_VOXELS: u64 = 1 << 33;

    /// Creates a free volume; `size` is the number of voxels along x, y and z.
    ///
    /// # Errors
    /// Returns an error if a side is 0 or too long, or the volume is too large.
    pub fn new(size: [u32; 3]) -> Result<Self, VoxelError> {
        check_size(size)?;
        let n: u64 = size.iter().map(|&n| u64::from(n)).product();
        let n = usize::try_from(n).ok().filter(|&n| n as u64 <= Self::MAX_VOXELS);
        let n = n.ok_or(VoxelError::TooLarge { size })?;
        // The additional word allows reading two words at a time.
        Ok(Self { size, bits: vec![0; n / 64 + 2] })
    }

    /// Returns the number of voxels along x, y and z.
    pub const fn size(&self) -> [u32; 3] {
        self.size
    }

    /// Returns whether the voxel is inside the volume.
    pub fn contains(&self, voxel: Voxel) -> bool {
        (0..3).all(|axis| voxel[axis] < self.size[axis])
    }

    /// Returns whether the voxel is blocked or outside the volume.
    pub fn is_blocked(&self, voxel: Voxel) -> bool {
        !self.contains(voxel) || {
            let at = self.index(voxel);
            self.bits[at / 64] >> (at % 64) & 1 != 0
        }
    }

    /// Blocks or frees a voxel; does nothing for a voxel outside the volume.
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

    /// Returns the number of blocked voxels.
    pub fn n_blocked(&self) -> u64 {
        self.bits.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Returns the blocked voxels, along x, then y, then z. Skips words without blocked voxels.
    pub fn blocked(&self) -> impl Iterator<Item = Voxel> {
        let words = (0_u64..).zip(&self.bits).filter(|(_, word)| **word != 0);
        words.flat_map(move |(at, &word)| {
            let set = (0..64).filter(move |bit| word >> bit & 1 != 0);
            set.map(move |bit| self.voxel(at * 64 + bit))
        })
    }

    /// Returns the number of a voxel, counted along x, then y, then z. Search steps use this number as the place.
    pub fn number(&self, voxel: Voxel) -> u64 {
        self.index(voxel) as u64
    }

    /// Returns the voxel with a number.
    #[expect(clippy::cast_possible_truncation, reason = "remainders of 32 bit numbers")]
    pub fn voxel(&self, number: u64) -> Voxel {
        let [n_x, n_y, _] = self.size.map(u64::from);
        [(number % n_x) as u32, (number / n_x % n_y) as u32, (number / n_x / n_y) as u32]
    }

    fn index(&self, [x, y, z]: Voxel) -> usize {
        let [n_x, n_y, _] = self.size.map(|n| n as usize);
        (z as usize * n_y + y as usize) * n_x + x as usize
    }

    /// Returns the bits of up to 4 voxels along x, starting at a voxel inside the volume, the first one lowest. Voxels
    /// outside count as free.
    pub(super) fn four(&self, voxel: Voxel) -> u8 {
        let at = self.index(voxel);
        let (word, shift) = (at / 64, at % 64);
        let bits = self.bits[word] >> shift | (self.bits[word + 1] << 1) << (63 - shift);
        let n = (self.size[0] - voxel[0]).min(4);
        bits.to_le_bytes()[0] & ((1 << n) - 1)
    }
}
