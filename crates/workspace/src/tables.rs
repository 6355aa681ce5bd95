//! Enums defined by a table with one row per variant.

/// Declares an enum, the list `ALL` of its variants in the order of declaration, and a row of constants for each
/// variant, so that no row can be missing. The row is a private struct of the caller; `row()` returns it.
#[macro_export]
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
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            const fn row(self) -> $Row {
                match self {
                    $(Self::$variant => $Row { $($field: $value,)* },)*
                }
            }
        }
    };
}
