//! Filters of queries.

use js_sys::Error;
use walkable_runtime::{ids::AreaId, query};
use wasm_bindgen::prelude::*;

/// The polygons that a query may use, and their costs.
#[wasm_bindgen]
#[derive(Default)]
pub struct Filter(pub(crate) query::Filter);

#[wasm_bindgen]
impl Filter {
    /// Creates a filter of all polygons that have a flag, at cost 1 per meter.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// A polygon must have one of these flags.
    #[wasm_bindgen(getter, js_name = includeFlags)]
    pub fn include_flags(&self) -> u16 {
        self.0.include_flags
    }

    #[wasm_bindgen(setter, js_name = includeFlags)]
    pub fn set_include_flags(&mut self, flags: u16) {
        self.0.include_flags = flags;
    }

    /// A polygon must have none of these flags.
    #[wasm_bindgen(getter, js_name = excludeFlags)]
    pub fn exclude_flags(&self) -> u16 {
        self.0.exclude_flags
    }

    #[wasm_bindgen(setter, js_name = excludeFlags)]
    pub fn set_exclude_flags(&mut self, flags: u16) {
        self.0.exclude_flags = flags;
    }

    /// Returns the cost of an area per meter.
    pub fn cost(&self, area: usize) -> Result<f32, Error> {
        self.0.area_cost.get(area).copied().ok_or_else(|| no_area(area))
    }

    /// Sets the cost of an area per meter.
    #[wasm_bindgen(js_name = setCost)]
    pub fn set_cost(&mut self, area: usize, cost: f32) -> Result<(), Error> {
        if !(cost.is_finite() && cost >= 0.0) {
            return Err(Error::new(&format!("the cost {cost} is not finite and positive or 0")));
        }
        *self.0.area_cost.get_mut(area).ok_or_else(|| no_area(area))? = cost;
        Ok(())
    }
}

fn no_area(area: usize) -> Error {
    Error::new(&format!("there is no area {area}; areas are 0 to {}", AreaId::COUNT - 1))
}
