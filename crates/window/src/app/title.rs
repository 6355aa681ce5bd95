use walkable_editor::session::{Session, n_walkable_polys};

/// The window's title: what is open, and the progress of its bake in tens of percent, because egui draws two more frames
/// after each change of the title.
pub(super) fn title(session: &Session) -> String {
    let Some(name) = session.project_name() else { return "Walkable".to_owned() };
    let bake = &session.bake;
    let state = match (&bake.progress, &bake.navmesh) {
        (Some(progress), _) => {
            let tenths = progress.n_done * 10 / progress.n_tiles.max(1);
            format!("{}% baked", tenths * 10)
        }
        (None, Some(navmesh)) => {
            let n_polys: usize = navmesh.tiles().map(n_walkable_polys).sum();
            format!("{n_polys} polygons")
        }
        (None, None) => "not baked".to_owned(),
    };
    let unsaved = if session.is_unsaved() { "• " } else { "" };
    format!("{unsaved}{name} · {state} — Walkable")
}
