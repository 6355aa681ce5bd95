//! The unit of lengths in the window.
//!
//! Everything is stored, computed and exported in meters; a unit applies where a length is shown or typed. It belongs
//! to the thread, as the language does: the window sets it before each frame, and background jobs inherit it. All other
//! threads, such as those of the command line, use meters.

use std::cell::Cell;

use crate::text;

/// Common units of length in level files: name, and length in meters.
pub const FILE_UNITS: [(&str, f32); 4] = [
    (text!("Meters"), 1.0),
    (text!("Centimeters"), 0.01),
    (text!("Millimeters"), 0.001),
    (text!("Inches"), 0.0254),
];

/// Returns the name of the unit of `meters`, if it is one of [`FILE_UNITS`].
pub fn file_unit_name(meters: f32) -> Option<&'static str> {
    let unit = FILE_UNITS.iter().find(|(_, size)| size.to_bits() == meters.to_bits());
    unit.map(|(name, _)| *name)
}

struct Row {
    name: &'static str,
    /// Symbol after numbers.
    symbol: &'static str,
    meters: f64,
    /// Number of decimals with which a length is shown to about a centimeter.
    decimals: usize,
    /// Step of a field whose step in meters is 1. Exact factors would give steps such as 0.328 ft.
    step: f64,
    area: ShownUnit<'static>,
    /// Symbols of the units of speed and acceleration.
    rates: [&'static str; 2],
}

const SQUARE_METERS: ShownUnit<'static> = ShownUnit { symbol: "m²", size: 1.0, step: 1.0 };

table! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
    pub enum Units of Row {
        #[default]
        Meters {
            name: text!("Meters"),
            symbol: "m",
            meters: 1.0,
            decimals: 2,
            step: 1.0,
            area: SQUARE_METERS,
            rates: ["m/s", "m/s²"],
        }
        /// Centimeters, as in Unreal. Areas are in square meters, because square centimeters have too many digits.
        Centimeters {
            name: text!("Centimeters"),
            symbol: "cm",
            meters: 0.01,
            decimals: 0,
            step: 100.0,
            area: SQUARE_METERS,
            rates: ["cm/s", "cm/s²"],
        }
        /// Feet of 0.3048 m, with decimals.
        Feet {
            name: text!("Feet"),
            symbol: "ft",
            meters: 0.3048,
            decimals: 2,
            step: 2.0,
            area: ShownUnit { symbol: "ft²", size: 0.3048 * 0.3048, step: 10.0 },
            rates: ["ft/s", "ft/s²"],
        }
    }
}

impl Units {
    /// Returns the English name. [`tr`](crate::lang::tr()) translates it when it is drawn.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    pub const fn symbol(self) -> &'static str {
        self.row().symbol
    }

    pub const fn meters(self) -> f64 {
        self.row().meters
    }

    pub const fn decimals(self) -> usize {
        self.row().decimals
    }
}

thread_local! {
    static UNITS: Cell<Units> = const { Cell::new(Units::Meters) };
}

pub fn units() -> Units {
    UNITS.get()
}

pub fn set_units(units: Units) {
    UNITS.set(units);
}

/// The unit in which a quantity is shown and typed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownUnit<'a> {
    /// Symbol after numbers; empty if there is none.
    pub symbol: &'a str,
    /// Size of the unit, in the unit in which the quantity is stored.
    pub size: f64,
    /// Step of a field whose step in the stored unit is 1.
    pub step: f64,
}

/// Returns the symbol of a unit with the space that belongs before it.
pub fn suffix(symbol: &str) -> String {
    let gap = if matches!(symbol, "" | "°") { "" } else { " " };
    format!("{gap}{symbol}")
}

/// Returns the unit in which to show a quantity that is stored in `unit`. For `m`, `m²`, `m/s` and `m/s²`, it is the
/// corresponding unit of this thread; for all others, `unit` itself.
pub fn shown(unit: &str) -> ShownUnit<'_> {
    let Row { symbol, meters, step, area, rates: [speed, acceleration], .. } = units().row();
    match unit {
        "m" => ShownUnit { symbol, size: meters, step },
        "m/s" => ShownUnit { symbol: speed, size: meters, step },
        "m/s²" => ShownUnit { symbol: acceleration, size: meters, step },
        "m²" => area,
        _ => ShownUnit { symbol: unit, size: 1.0, step: 1.0 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_belongs_to_the_thread() {
        set_units(Units::Feet);
        let other = std::thread::scope(|scope| scope.spawn(units).join());
        assert_eq!((units(), other.expect("the thread ends")), (Units::Feet, Units::Meters));
        assert_eq!((shown("m/s").symbol, shown("m/s²").symbol), ("ft/s", "ft/s²"));
        assert!((3.5 / shown("m/s").size - 11.483).abs() < 1e-3, "{:?}", shown("m/s"));
        set_units(Units::Meters);
    }
}
