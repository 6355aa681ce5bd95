//! Bake settings.

use pyo3::{
    exceptions::PyKeyError,
    prelude::*,
    types::{PyBool, PyDict},
};
use walkable::{
    bake::{BakeConfig, OffMeshLink, PARAMS, Param, ParamKind, ParamValue},
    ids::AreaId,
};

use crate::to_error;

/// The settings of a bake: agent, grid, areas, volumes and off-mesh links.
#[pyclass(module = "walkable")]
pub(crate) struct Settings(pub(crate) BakeConfig);

#[pymethods]
impl Settings {
    /// Creates default settings, except for the settings given by name.
    #[new]
    #[pyo3(signature = (**values))]
    fn new(values: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut settings = Self(BakeConfig::default());
        for (key, value) in values.into_iter().flatten() {
            settings.set(&key.extract::<String>()?, &value)?;
        }
        Ok(settings)
    }

    /// Parses a settings file.
    #[staticmethod]
    fn parse(text: &str) -> PyResult<Self> {
        Ok(Self(BakeConfig::parse(text).map_err(|error| to_error(&error))?))
    }

    /// Returns the names of all settings.
    #[staticmethod]
    fn keys() -> Vec<&'static str> {
        PARAMS.iter().map(|param| param.key).collect()
    }

    /// Returns the text of a settings file.
    fn to_text(&self) -> String {
        self.0.to_text()
    }

    /// Returns a copy with other values.
    #[pyo3(signature = (**values))]
    fn with_values(&self, values: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut changed = Self(self.0.clone());
        for (key, value) in values.into_iter().flatten() {
            changed.set(&key.extract::<String>()?, &value)?;
        }
        Ok(changed)
    }

    /// Adds an off-mesh link.
    #[expect(clippy::too_many_arguments, reason = "named arguments in Python")]
    #[pyo3(signature = (start, end, *, radius = 0.6, bidirectional = true, area = 5, flags = 8))]
    fn add_link(
        &mut self,
        start: [f32; 3],
        end: [f32; 3],
        radius: f32,
        bidirectional: bool,
        area: u8,
        flags: u16,
    ) {
        let user_id = u32::try_from(1000 + self.0.off_mesh.len()).unwrap_or(u32::MAX);
        let (start, end) = (start.into(), end.into());
        let area = AreaId(area);
        let link = OffMeshLink { start, end, radius, bidirectional, area, flags, user_id };
        self.0.off_mesh.push(link);
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        let param = find(key)?;
        Ok(match param.get(&self.0.settings) {
            ParamValue::Float(value) => value.into_pyobject(py)?.into_any(),
            ParamValue::Integer(value) => value.into_pyobject(py)?.into_any(),
            ParamValue::Switch(on) => PyBool::new(py, on).to_owned().into_any(),
            ParamValue::Place(place) => place.map(|place| place.to_array()).into_pyobject(py)?,
            value @ ParamValue::Choice(_) => param.format(value).into_pyobject(py)?.into_any(),
        })
    }

    fn __setitem__(&mut self, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set(key, value)
    }

    fn __repr__(&self) -> String {
        let of = |param: &Param| (param.key, param.get(&self.0.settings), param.default_value());
        let changed = PARAMS.iter().map(|param| (param, of(param)));
        let changed = changed.filter(|(_, (_, value, default))| value != default);
        let words: Vec<_> = changed
            .map(|(param, (key, value, _))| format!("{key}={}", param.format(value)))
            .collect();
        format!("Settings({})", words.join(", "))
    }
}

impl Settings {
    fn set(&mut self, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let param = find(key)?;
        let text = match param.kind {
            _ if value.is_none() => "auto".to_owned(),
            ParamKind::Place { .. } => {
                let [x, y, z] = value.extract::<[f32; 3]>()?;
                format!("{x},{y},{z}")
            }
            ParamKind::Switch => u8::from(value.is_truthy()?).to_string(),
            ParamKind::Float { .. } => value.extract::<f32>()?.to_string(),
            ParamKind::Integer { .. } | ParamKind::Choice(_) => value.str()?.to_string(),
        };
        self.0.settings.set(key, &text).map_err(|error| to_error(&error))
    }
}

fn find(key: &str) -> PyResult<&'static Param> {
    Param::find(key).map_err(|error| PyKeyError::new_err(error.to_string()))
}
