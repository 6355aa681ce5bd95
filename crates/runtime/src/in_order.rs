/// Declares an enum of steps, and a constant `ALL` that lists them in the order of the declaration.
///
/// The declaration is the only place that knows the order. Code that runs the steps iterates over `ALL` and matches on
/// the step, so that it does not compile if a case is missing.
#[doc(hidden)]
#[macro_export]
macro_rules! in_order {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$documentation:meta])* $step:ident,)+
        }
    ) => {
        $(#[$attribute])*
        $visibility enum $name {
            $($(#[$documentation])* $step,)+
        }

        impl $name {
            /// All variants, in the order in which they run.
            pub const ALL: [Self; [$(stringify!($step)),+].len()] = [$(Self::$step),+];
        }
    };
}
