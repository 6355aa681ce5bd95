//! Functions with which tests and other scripts control the window.

use serde_json::json;
use walkable::{bake::Param, diagnostic::Phrase};
use walkable_editor::{
    command::{Command, listed},
    session::Edit,
};
use wasm_bindgen::prelude::*;

use crate::with_app;

/// Executes the command with `id`, as the palette does. Returns whether the command exists.
#[wasm_bindgen]
pub fn command(id: &str) -> bool {
    let Some(command) = listed().into_iter().find(|command| command.id() == id) else {
        return false;
    };
    with_app(|app| app.trigger(command)).is_some()
}

/// Changes a bake setting, by its key in settings files.
///
/// # Errors
/// Returns an error if the setting does not exist or its value is not valid.
#[wasm_bindgen]
pub fn set_setting(key: &str, value: &str) -> Result<(), JsValue> {
    let label = Phrase::new(Param::find(key).map_err(|error| error.to_string())?.label, Vec::new());
    let changed = with_app(|app| {
        let mut settings = app.editor().session().document().settings.clone();
        settings.set(key, value).map_err(|error| error.to_string())?;
        app.trigger(Command::Change(label.clone(), Edit::Settings(Box::new(settings))));
        Ok(())
    });
    changed.unwrap_or_else(|| Err("the window is not open".to_owned())).map_err(JsValue::from)
}

/// Returns the state of the editor as JSON; `null` before the window is open.
#[wasm_bindgen]
pub fn state() -> String {
    let state = with_app(|app| {
        let (session, notices) = (app.editor().session(), app.editor().notices());
        let bake = session.current_bake();
        let path = session.path.answer.as_ref();
        json!({
            "level": session.opened.level.as_ref().map(|level| level.source.name()),
            "project": session.project.path,
            "triangles": session.opened.level.as_ref().map(|level| level.mesh.triangles().len()),
            "busy": app.is_busy(),
            "tiles": bake.tiles.len(),
            "stages": bake.tiles.values().filter(|tile| bake.stages_of(tile).is_some()).count(),
            "layers": bake.layered().map(|layered| layered.tiles().len()),
            "errors": bake.tiles.values().filter(|tile| tile.error.is_some()).count(),
            "bake_ms": bake.elapsed.map(|elapsed| elapsed.as_secs_f64() * 1000.0),
            "tile_ms": bake.tiles.values().map(|tile| tile.times.total().as_secs_f64()).sum::<f64>() * 1000.0,
            "polygons": bake.navmesh.as_ref().map(|mesh| {
                mesh.tiles().map(|tile| tile.polys.len()).sum::<usize>()
            }),
            "unsaved": session.is_unsaved(),
            "path": path.map(|answer| answer.path.corridor.len()),
            "obstacle": session.present_break().map(|found| found.text.to_string()),
            "compared": session.lab.rows.len(),
            "checks": session.check.n_results,
            "notices": notices.list().iter().map(|notice| {
                format!("{}: {}", notice.title, notice.detail)
            }).collect::<Vec<_>>(),
        })
    });
    state.unwrap_or_default().to_string()
}
