/// Memory that searches reuse. One per thread; a warm one does not allocate.
#[derive(Clone, Debug, Default)]
pub struct Scratch {}
