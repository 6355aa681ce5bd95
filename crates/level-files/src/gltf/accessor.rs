use super::{GltfError, buffers::Buffers, element, json, named};

/// Type of the components of an accessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    const fn n_bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Returns the largest integer, by which normalized components are divided.
    fn largest(self) -> f64 {
        match self {
            Self::I8 => f64::from(i8::MAX),
            Self::U8 => f64::from(u8::MAX),
            Self::I16 => f64::from(i16::MAX),
            Self::U16 => f64::from(u16::MAX),
            Self::U32 => f64::from(u32::MAX),
            Self::F32 => 1.0,
        }
    }

    /// Reads the number at the start of `bytes`, which must have enough bytes.
    fn read(self, bytes: &[u8]) -> f64 {
        let two = || [bytes[0], bytes[1]];
        let four = || [bytes[0], bytes[1], bytes[2], bytes[3]];
        match self {
            Self::I8 => f64::from(i8::from_le_bytes([bytes[0]])),
            Self::U8 => f64::from(bytes[0]),
            Self::I16 => f64::from(i16::from_le_bytes(two())),
            Self::U16 => f64::from(u16::from_le_bytes(two())),
            Self::U32 => f64::from(u32::from_le_bytes(four())),
            Self::F32 => f64::from(f32::from_le_bytes(four())),
        }
    }
}

/// What an accessor is used for. This decides which types are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Vertex indices of triangles.
    Indices,
    /// Positions of vertices.
    Positions,
    /// Translations or scales of instances.
    Vectors,
    /// Rotations of instances.
    Turns,
    /// Texture coordinates of vertices.
    Coordinates,
    /// Colors of vertices without alpha.
    Rgb,
    /// Colors of vertices with alpha.
    Rgba,
}

impl Purpose {
    const fn shape(self) -> &'static str {
        match self {
            Self::Indices => "SCALAR",
            Self::Coordinates => "VEC2",
            Self::Positions | Self::Vectors | Self::Rgb => "VEC3",
            Self::Turns | Self::Rgba => "VEC4",
        }
    }

    const fn width(self) -> usize {
        match self {
            Self::Indices => 1,
            Self::Coordinates => 2,
            Self::Positions | Self::Vectors | Self::Rgb => 3,
            Self::Turns | Self::Rgba => 4,
        }
    }

    const fn takes(self, component: Component) -> bool {
        use Component::{F32, I8, I16, U8, U16, U32};
        match self {
            Self::Indices => matches!(component, U8 | U16 | U32),
            Self::Positions | Self::Coordinates => matches!(component, F32 | I8 | U8 | I16 | U16),
            Self::Vectors => matches!(component, F32),
            Self::Turns => matches!(component, F32 | I8 | I16),
            Self::Rgb | Self::Rgba => matches!(component, F32 | U8 | U16),
        }
    }

    const fn needed(self) -> &'static str {
        match self {
            Self::Indices => "SCALAR of whole numbers without sign",
            Self::Positions => "VEC3 of f32, or of 8 or 16 bits",
            Self::Vectors => "VEC3 of f32",
            Self::Turns => "VEC4 of f32, i8 or i16",
            Self::Coordinates => "VEC2 of f32, or of 8 or 16 bits",
            Self::Rgb | Self::Rgba => "VEC3 or VEC4 of f32, u8 or u16",
        }
    }
}

/// Elements at a constant stride.
#[derive(Clone, Copy, Debug)]
struct Strided<'a> {
    /// The bytes from the first element on.
    bytes: &'a [u8],
    stride: usize,
}

impl Strided<'_> {
    fn element(&self, index: usize) -> &[u8] {
        &self.bytes[index * self.stride..]
    }
}

/// Elements that were decoded, one after the other.
#[derive(Debug)]
pub(super) struct Elements {
    /// As in the JSON.
    pub(super) component_type: u32,
    /// Number of components of an element.
    pub(super) width: usize,
    pub(super) n: usize,
    pub(super) bytes: Vec<u8>,
}

/// The elements of an accessor. Their existence is checked when it is opened; they are decoded one by one.
#[derive(Debug)]
pub(super) struct Accessor<'a> {
    n: usize,
    component: Component,
    normalized: bool,
    /// The elements before replacement; zeros if there is no buffer view.
    base: Option<Strided<'a>>,
    /// Elements that override those of `base`.
    replaced: Option<Replaced<'a>>,
}

/// The replaced elements of a sparse accessor.
#[derive(Debug)]
struct Replaced<'a> {
    n: usize,
    /// Indices of the replaced elements, ascending.
    indices: Strided<'a>,
    index: Component,
    values: Strided<'a>,
}

impl Replaced<'_> {
    fn index(&self, at: usize) -> usize {
        truncated(self.index.read(self.indices.element(at))) as usize
    }

    /// Returns the bytes of an element, if it is replaced.
    fn find(&self, index: usize) -> Option<&[u8]> {
        let (mut low, mut high) = (0, self.n);
        while low < high {
            let middle = low.midpoint(high);
            if self.index(middle) < index { low = middle + 1 } else { high = middle }
        }
        (low < self.n && self.index(low) == index).then(|| self.values.element(low))
    }
}

impl<'a> Accessor<'a> {
    /// Opens accessor `index` of the file. `by` names the element that uses it, for errors.
    pub(super) fn open(
        root: &json::Root,
        buffers: &'a Buffers<'_>,
        index: usize,
        purpose: Purpose,
        by: impl FnOnce() -> String,
    ) -> Result<Self, GltfError> {
        let found = named(&root.accessors, "accessor", index, by)?;
        let component = component_of(index, &found.shape, found.component_type, purpose)?;
        let size = component.n_bytes() * purpose.width();
        let source = Source { buffers, accessor: index };
        let base = match found.buffer_view {
            Some(view) => Some(source.strided(view, found.byte_offset, found.count, size)?),
            // The number of zeros is not limited by data in the file.
            None if found.sparse.is_some() && found.count <= buffers.n_file_bytes => None,
            None => return Err(GltfError::NoData { element: source.name(), n: found.count }),
        };
        let replaced = found.sparse.as_ref().map(|sparse| {
            let values = &sparse.values;
            let values =
                source.strided(values.buffer_view, values.byte_offset, sparse.count, size)?;
            source.replaced(sparse, found.count, values)
        });
        let replaced = replaced.transpose()?;
        let normalized = found.normalized && component != Component::F32;
        Ok(Self { n: found.count, component, normalized, base, replaced })
    }

    /// Returns `elements` as those of accessor `index`, which has none of its own.
    pub(super) fn of_elements(
        root: &json::Root,
        index: usize,
        elements: &'a Elements,
        purpose: Purpose,
        by: impl FnOnce() -> String,
    ) -> Result<Self, GltfError> {
        let found = named(&root.accessors, "accessor", index, by)?;
        let shape = match elements.width {
            1 => "SCALAR".to_owned(),
            width => format!("VEC{width}"),
        };
        let component = component_of(index, &shape, elements.component_type, purpose)?;
        let stride = component.n_bytes() * elements.width;
        Ok(Self {
            n: elements.n,
            component,
            normalized: found.normalized && component != Component::F32,
            base: Some(Strided { bytes: &elements.bytes, stride }),
            replaced: None,
        })
    }

    /// Returns the number of elements.
    pub(super) const fn len(&self) -> usize {
        self.n
    }

    /// Returns the first `N` components of an element. The index must be below [`Accessor::len`], and elements must
    /// have `N` components.
    pub(super) fn get<const N: usize>(&self, index: usize) -> [f64; N] {
        let replaced = self.replaced.as_ref().and_then(|replaced| replaced.find(index));
        let bytes = replaced.or_else(|| self.base.as_ref().map(|base| base.element(index)));
        let Some(bytes) = bytes else { return [0.0; N] };
        std::array::from_fn(|at| {
            let value = self.component.read(&bytes[at * self.component.n_bytes()..]);
            // The smallest signed integer is slightly below -1.
            if self.normalized { (value / self.component.largest()).max(-1.0) } else { value }
        })
    }

    /// Returns an element of [`Purpose::Indices`].
    pub(super) fn get_index(&self, index: usize) -> u32 {
        let [value] = self.get(index);
        truncated(value)
    }
}

/// Converts a number that was read from an unsigned integer of at most 32 bits.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number")]
fn truncated(value: f64) -> u32 {
    value as u32
}

fn component_of(
    index: usize,
    shape: &str,
    component_type: u32,
    purpose: Purpose,
) -> Result<Component, GltfError> {
    let component = Component::of(component_type);
    let fits = |component: &Component| purpose.takes(*component) && shape == purpose.shape();
    component.filter(fits).ok_or_else(|| {
        let shape = crate::file_warnings::excerpt(shape);
        GltfError::WrongType {
            element: element("accessor", index, None),
            found: format!("{shape} of component type {component_type}"),
            needed: purpose.needed(),
        }
    })
}

/// The source of the bytes of an accessor.
struct Source<'a, 'b> {
    buffers: &'a Buffers<'b>,
    accessor: usize,
}

impl<'a> Source<'a, '_> {
    fn name(&self) -> String {
        element("accessor", self.accessor, None)
    }

    /// Returns `n` elements of `size` bytes, beginning `offset` bytes into buffer view `view`.
    fn strided(
        &self,
        view: usize,
        offset: usize,
        n: usize,
        size: usize,
    ) -> Result<Strided<'a>, GltfError> {
        let (bytes, stride) = self.buffers.view(view, || self.name())?;
        let stride = stride.unwrap_or(size);
        if stride < size {
            return Err(GltfError::Overlapping { element: self.name(), stride, size });
        }
        let needed = match n {
            0 => 0,
            _ => offset as u128 + (n as u128 - 1) * stride as u128 + size as u128,
        };
        if needed > bytes.len() as u128 {
            let found = bytes.len();
            return Err(GltfError::BeyondEnd { element: self.name(), needed, found });
        }
        Ok(Strided { bytes: bytes.get(offset..).unwrap_or_default(), stride })
    }

    /// Reads which of `n` elements are replaced by `values`.
    fn replaced(
        &self,
        sparse: &json::Sparse,
        n: usize,
        values: Strided<'a>,
    ) -> Result<Replaced<'a>, GltfError> {
        let json::SparseIndices { buffer_view, byte_offset, component_type } = sparse.indices;
        let component = Component::of(component_type).filter(|&c| Purpose::Indices.takes(c));
        let component = component.ok_or_else(|| GltfError::WrongType {
            element: self.name(),
            found: format!("sparse indices of component type {component_type}"),
            needed: Purpose::Indices.needed(),
        })?;
        let indices = self.strided(buffer_view, byte_offset, sparse.count, component.n_bytes())?;
        let replaced = Replaced { n: sparse.count, indices, index: component, values };
        // Thousands of nodes may use one accessor.
        self.buffers.check_once(self.accessor, sparse.count, || {
            let mut last = None;
            for index in (0..sparse.count).map(|at| replaced.index(at)) {
                if index >= n || last.is_some_and(|last| last >= index) {
                    return Err(GltfError::BadReplacement { element: self.name(), index, n });
                }
                last = Some(index);
            }
            Ok(())
        })?;
        Ok(replaced)
    }
}
