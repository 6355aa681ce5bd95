//! Enums whose variants are the rows of a table.

/// Declares an enum, the list of all its variants in the order in which they are written, and a row of
/// facts for each. A variant cannot be left out of the list or be without a row.
///
/// The row is a private struct of the caller's; `row()` returns it.
macro_rules! table {
    (
        $(#[$meta:meta])*
        pub enum $Name:ident of $Row:ident {
            $($(#[$doc:meta])* $variant:ident { $($field:ident: $value:expr),* $(,)? })*
        }
    ) => {
        $(#[$meta])*
        pub enum $Name {
            $($(#[$doc])* $variant,)*
        }

        impl $Name {
            /// All, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            const fn row(self) -> $Row {
                match self {
                    $(Self::$variant => $Row { $($field: $value,)* },)*
                }
            }
        }
    };
}

pub(crate) use table;
