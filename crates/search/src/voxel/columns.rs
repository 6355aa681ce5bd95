use super::{Fill, Volume, Voxel, VoxelError, check_size};

/// Consecutive free voxels of a column, from `bottom` (inclusive) to `top` (exclusive).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoxelSpan {
    /// Position of the lowest free voxel along y.
    pub bottom: u16,
    /// Position of the voxel above the highest free one.
    pub top: u16,
}

/// A volume as columns of free spans along y. Voxels outside the spans are blocked.
///
/// Invariants: the spans of a column are in ascending order and do not touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    size: [u32; 3],
    /// Index of the first span per column, along x, then z, followed by the number of spans.
    starts: Vec<u32>,
    spans: Vec<VoxelSpan>,
}

impl Columns {
    /// Maximum number of voxels along y.
    pub const MAX_HEIGHT: u32 = 65_535;

    /// Creates a free volume; `size` is the number of voxels along x, y and z.
    ///
    /// # Errors
    /// Returns an error if a side is 0 or too long, or there are too many columns.
    pub fn free(size: [u32; 3]) -> Result<Self, VoxelError> {
        Self::from_columns(size, |[_, height]: [u32; 2], spans| {
            spans.push(VoxelSpan { bottom: 0, top: u16::try_from(height).unwrap_or(u16::MAX) });
        })
    }

    /// Creates the columns of a volume.
    ///
    /// # Errors
    /// Returns an error if the volume is too high, or there are too many columns or spans.
    pub fn of_volume(volume: &Volume) -> Result<Self, VoxelError> {
        let [n_x, ..] = volume.size();
        Self::from_columns(volume.size(), |[column, height], spans| {
            let mut bottom = None;
            for y in 0..=height {
                let is_free = !volume.is_blocked([column % n_x, y, column / n_x]);
                let y = u16::try_from(y).unwrap_or(u16::MAX);
                match bottom {
                    None if is_free => bottom = Some(y),
                    Some(from) if !is_free => {
                        spans.push(VoxelSpan { bottom: from, top: y });
                        bottom = None;
                    }
                    _ => {}
                }
            }
        })
    }

    /// Creates columns. `fill` appends the spans of a column, given its number and the height.
    fn from_columns(
        size: [u32; 3],
        mut fill: impl FnMut([u32; 2], &mut Vec<VoxelSpan>),
    ) -> Result<Self, VoxelError> {
        check_size(size)?;
        if size[1] > Self::MAX_HEIGHT {
            return Err(VoxelError::Side { size, limit: Self::MAX_HEIGHT });
        }
        let n_columns = size[0].checked_mul(size[2]).ok_or(VoxelError::TooLarge { size })?;
        let mut columns =
            Self { size, starts: Vec::with_capacity(n_columns as usize + 1), spans: Vec::new() };
        columns.starts.push(0);
        // Most volumes have at least one span per column, and an empty volume has exactly one.
        columns.spans.reserve_exact(n_columns as usize);
        for column in 0..n_columns {
            fill([column, size[1]], &mut columns.spans);
            let n = u32::try_from(columns.spans.len());
            let limit = u32::MAX;
            columns.starts.push(n.map_err(|_too_many| VoxelError::TooManySpans { limit })?);
        }
        columns.spans.shrink_to_fit();
        Ok(columns)
    }

    /// Returns the number of voxels along x, y and z.
    pub const fn size(&self) -> [u32; 3] {
        self.size
    }

    /// Returns the free spans of the column at `x` and `z`, the lowest first. Empty for a column outside the volume.
    pub fn spans(&self, x: u32, z: u32) -> &[VoxelSpan] {
        self.column(x, z).map_or(&[], |column| &self.spans[self.range(column)])
    }

    /// Returns the blocked spans of the column at `x` and `z`, the lowest first.
    pub fn blocked_spans(&self, x: u32, z: u32) -> Vec<VoxelSpan> {
        let mut blocked = Vec::new();
        let mut bottom = 0;
        let height = u16::try_from(self.size[1]).unwrap_or(u16::MAX);
        let end = VoxelSpan { bottom: height, top: height };
        if self.column(x, z).is_some() {
            for free in self.spans(x, z).iter().chain([&end]) {
                if bottom < free.bottom {
                    blocked.push(VoxelSpan { bottom, top: free.bottom });
                }
                bottom = free.top;
            }
        }
        blocked
    }

    /// Returns whether a voxel is blocked or outside the volume.
    pub fn is_blocked(&self, voxel: Voxel) -> bool {
        self.span_of(voxel).is_none()
    }

    /// Blocks or frees a voxel; does nothing for a voxel outside the volume. A change takes time linear in the number
    /// of columns, and also in the number of spans if that number changes.
    ///
    /// # Errors
    /// Returns an error if there would be too many spans.
    pub fn set(&mut self, [x, y, z]: Voxel, fill: Fill) -> Result<(), VoxelError> {
        let Some(column) = self.column(x, z).filter(|_| y < self.size[1]) else { return Ok(()) };
        let Ok(y) = u16::try_from(y) else { return Ok(()) };
        if (fill == Fill::Free) != self.is_blocked([x, u32::from(y), z]) {
            return Ok(());
        }
        let range = self.range(column);
        let own = &self.spans[range.clone()];
        let mut changed: Vec<VoxelSpan> = Vec::with_capacity(own.len() + 1);
        if fill == Fill::Free {
            let mut new = VoxelSpan { bottom: y, top: y + 1 };
            let at = own.partition_point(|span| span.top < y);
            let touching = own[at..].iter().take_while(|span| span.bottom <= y + 1).count();
            for span in &own[at..at + touching] {
                new.bottom = new.bottom.min(span.bottom);
                new.top = new.top.max(span.top);
            }
            changed.extend(&own[..at]);
            changed.push(new);
            changed.extend(&own[at + touching..]);
        } else {
            for &VoxelSpan { bottom, top } in own {
                if bottom <= y && y < top {
                    let parts = [VoxelSpan { bottom, top: y }, VoxelSpan { bottom: y + 1, top }];
                    changed.extend(parts.into_iter().filter(|part| part.bottom < part.top));
                } else {
                    changed.push(VoxelSpan { bottom, top });
                }
            }
        }
        self.replace(column, range, &changed)
    }

    fn replace(
        &mut self,
        column: usize,
        range: std::ops::Range<usize>,
        changed: &[VoxelSpan],
    ) -> Result<(), VoxelError> {
        let (n_old, n_new) = (range.len(), changed.len());
        let n = self.spans.len() - n_old + n_new;
        let limit = u32::MAX;
        u32::try_from(n).map_err(|_too_many| VoxelError::TooManySpans { limit })?;
        self.spans.splice(range, changed.iter().copied());
        for start in &mut self.starts[column + 1..] {
            // No start is smaller than the previous number of spans of the column.
            let moved = *start as usize + n_new - n_old;
            *start = u32::try_from(moved).unwrap_or(*start);
        }
        Ok(())
    }

    /// Returns the number of spans of all columns.
    pub fn n_spans(&self) -> usize {
        self.spans.len()
    }

    /// Returns the memory of the columns, in bytes.
    pub fn n_bytes(&self) -> usize {
        4 * self.starts.capacity() + size_of::<VoxelSpan>() * self.spans.capacity()
    }

    /// Returns the number of the span that contains a voxel, by binary search.
    pub(super) fn span_of(&self, [x, y, z]: Voxel) -> Option<u32> {
        let range = self.range(self.column(x, z)?);
        let own = &self.spans[range.clone()];
        let at = own.partition_point(|span| u32::from(span.top) <= y);
        let holds = own.get(at).is_some_and(|span| u32::from(span.bottom) <= y);
        if holds { u32::try_from(range.start + at).ok() } else { None }
    }

    pub(super) fn span(&self, number: u32) -> VoxelSpan {
        self.spans[number as usize]
    }

    /// Returns the spans of a column from the first whose top is above `bottom` to the last whose bottom is below
    /// `top`, with their numbers.
    #[inline]
    pub(super) fn overlapping(
        &self,
        [x, z]: [u32; 2],
        bottom: u16,
        top: u16,
    ) -> impl Iterator<Item = (u32, VoxelSpan)> + '_ {
        let range = self.column(x, z).map_or(0..0, |column| self.range(column));
        let own = &self.spans[range.clone()];
        let first = own.partition_point(|span| span.top <= bottom);
        #[expect(clippy::cast_possible_truncation, reason = "spans are counted by 32 bits")]
        let numbers = (range.start + first) as u32..;
        numbers.zip(own[first..].iter().copied()).take_while(move |(_, span)| span.bottom < top)
    }

    fn column(&self, x: u32, z: u32) -> Option<usize> {
        let inside = x < self.size[0] && z < self.size[2];
        inside.then(|| z as usize * self.size[0] as usize + x as usize)
    }

    fn range(&self, column: usize) -> std::ops::Range<usize> {
        self.starts[column] as usize..self.starts[column + 1] as usize
    }
}
