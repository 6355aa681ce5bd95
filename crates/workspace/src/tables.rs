//! Enums defined by a table with one row per variant.

/// Declares an enum, the list `ALL` of its variants in the order of declaration, and a row of constants for each
/// variant, so that no row can be missing. The row is a private struct of the caller; `row()` returns it. A first variant
/// `+ Outer(Inner) by f;` stands for all values of another table: `f` makes their rows, which come first.
#[macro_export]
macro_rules! table {
    (
        $(#[$meta:meta])*
        pub enum $Name:ident of $Row:ident {
            $(+ $Outer:ident($Inner:ident) by $inner_row:ident;)?
            $($(#[$doc:meta])* $variant:ident { $($field:ident: $value:expr),* $(,)? })*
        }
    ) => {
        $(#[$meta])*
        pub enum $Name {
            $($Outer($Inner),)?
            $($(#[$doc])* $variant,)*
        }

        impl $Name {
            pub const ALL: &[Self] = $crate::table!(@all [$(Self::$variant,)*] $($Outer($Inner))?);

            const fn row(self) -> $Row {
                match self {
                    $(Self::$Outer(inner) => $inner_row(inner),)?
                    $(Self::$variant => $Row { $($field: $value,)* },)*
                }
            }
        }
    };

    (@all [$($plain:expr,)*]) => {
        &[$($plain,)*]
    };

    (@all [$($plain:expr,)*] $Outer:ident($Inner:ident)) => {
        &{
            const N_INNER: usize = $Inner::ALL.len();
            const N: usize = N_INNER + [$(stringify!($plain)),*].len();
            let plain = [$($plain),*];
            let mut all = [Self::$Outer($Inner::ALL[0]); N];
            let mut n = 0;
            while n < N {
                all[n] = if n < N_INNER { Self::$Outer($Inner::ALL[n]) } else { plain[n - N_INNER] };
                n += 1;
            }
            all
        }
    };
}
