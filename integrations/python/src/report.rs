//! Findings and answers as Python objects.

use pyo3::{prelude::*, types::PyDict};
use walkable::diagnostic;

/// A finding about a level, a bake or a navmesh.
#[pyclass(frozen, module = "walkable")]
pub(crate) struct Diagnostic(pub(crate) diagnostic::Diagnostic);

#[pymethods]
impl Diagnostic {
    /// Stable code, such as `polygon_without_flags`.
    #[getter]
    fn code(&self) -> String {
        self.0.code().to_string()
    }

    /// `note`, `warning` or `error`.
    #[getter]
    fn severity(&self) -> String {
        self.0.severity().to_string()
    }

    /// The finding, without its locations.
    #[getter]
    fn text(&self) -> String {
        self.0.text()
    }

    /// Locations, from the outermost to the innermost.
    #[getter]
    fn locations(&self) -> Vec<String> {
        self.0.locations().iter().map(ToString::to_string).collect()
    }

    /// Number of findings that this one stands for.
    #[getter]
    fn count(&self) -> usize {
        self.0.count()
    }

    /// Returns the finding as printed by `walkable ... --json`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &self.0)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic {}>", self.0.line())
    }
}

/// Converts a value to dictionaries, lists, strings and numbers, through JSON.
pub(crate) fn from_json<'py>(
    py: Python<'py>,
    value: &(impl serde::Serialize + ?Sized),
) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(|error| crate::to_error(&error))?;
    py.import("json")?.call_method1("loads", (text,))
}

/// Adds a value to a dictionary.
pub(crate) fn put(
    dict: &Bound<'_, PyDict>,
    key: &str,
    value: &(impl serde::Serialize + ?Sized),
) -> PyResult<()> {
    dict.set_item(key, from_json(dict.py(), value)?)
}
