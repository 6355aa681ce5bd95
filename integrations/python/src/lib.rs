//! Python bindings of Walkable: the module `walkable`. `walkable.pyi` documents it for Python users.

mod level;
mod navmesh;
mod report;
mod settings;
mod why;
mod work;

use ::walkable::diagnostic::{error_text, printable};
use pyo3::{create_exception, exceptions::PyException, prelude::*};

create_exception!(
    walkable,
    WalkableError,
    PyException,
    "The reason why a level, settings or a navmesh cannot be used."
);

/// Returns the Python error with the text of `error` and of its causes.
fn to_error(error: &dyn std::error::Error) -> PyErr {
    WalkableError::new_err(printable(&error_text(error)).into_owned())
}

#[pymodule]
fn walkable(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("WalkableError", module.py().get_type::<WalkableError>())?;
    module.add_class::<level::Level>()?;
    module.add_class::<settings::Settings>()?;
    module.add_class::<navmesh::NavMesh>()?;
    module.add_class::<navmesh::Path>()?;
    module.add_class::<report::Diagnostic>()?;
    module.add_function(wrap_pyfunction!(navmesh::bake, module)?)?;
    module.add_function(wrap_pyfunction!(why::why_here, module)?)?;
    module.add_function(wrap_pyfunction!(why::why_no_path, module)?)?;
    Ok(())
}
