/// Splits a polygon into triangles that share its first corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fan<T> {
    first: Option<T>,
    previous: Option<T>,
    /// Number of corners so far.
    pub(super) n: usize,
}

impl<T: Copy> Fan<T> {
    pub(super) const fn new() -> Self {
        Self { first: None, previous: None, n: 0 }
    }

    /// Adds a corner; returns the triangle that it completes.
    pub(super) fn add(&mut self, corner: T) -> Option<[T; 3]> {
        self.n += 1;
        let Some(first) = self.first else {
            self.first = Some(corner);
            return None;
        };
        let previous = self.previous.replace(corner)?;
        Some([first, previous, corner])
    }
}
