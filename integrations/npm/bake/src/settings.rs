//! Conversion of settings from JavaScript.

use js_sys::{Array, Error, Object};
use walkable_bake::bake::BakeConfig;
use wasm_bindgen::{JsCast as _, JsValue};

use crate::convert::to_error;

/// Returns the settings from an object with the names of settings, or from the text of a settings file.
pub(crate) fn config(settings: &JsValue) -> Result<BakeConfig, Error> {
    if let Some(text) = settings.as_string() {
        return BakeConfig::parse(&text).map_err(|error| to_error(&error));
    }
    let mut config = BakeConfig::default();
    if settings.is_undefined() || settings.is_null() {
        return Ok(config);
    }
    let Some(object) = settings.dyn_ref::<Object>() else {
        return Err(Error::new("settings must be an object or the text of a settings file"));
    };
    for entry in Object::entries(object).iter() {
        let entry: Array = entry.unchecked_into();
        let key = entry.get(0).as_string().unwrap_or_default();
        let Some(text) = text_of(&entry.get(1)) else {
            let expected = "a number, a boolean, a string, three numbers or null";
            return Err(Error::new(&format!("{key} must be {expected}")));
        };
        config.settings.set(&key, &text).map_err(|error| to_error(&error))?;
    }
    Ok(config)
}

/// Returns a value in the syntax of a settings file.
fn text_of(value: &JsValue) -> Option<String> {
    if value.is_null() {
        return Some("auto".to_owned());
    }
    if let Some(on) = value.as_bool() {
        return Some(u8::from(on).to_string());
    }
    if let Some(number) = value.as_f64() {
        return Some(number.to_string());
    }
    if let Some(text) = value.as_string() {
        return Some(text);
    }
    // Arrays and typed arrays of three numbers.
    if !value.is_object() || js_sys::Reflect::get(value, &"length".into()).ok()?.as_f64()? != 3.0 {
        return None;
    }
    let numbers = Array::from(value);
    let numbers: Option<Vec<String>> =
        numbers.iter().map(|number| Some(number.as_f64()?.to_string())).collect();
    Some(numbers?.join(","))
}
