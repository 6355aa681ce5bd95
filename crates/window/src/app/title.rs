use walkable_editor::session::Session;
use walkable_workspace::{format, lang::tr};

/// Shows progress in steps of ten percent, because egui draws two more frames after each change of the title.
pub(super) fn title(session: &Session, n_polys: usize) -> String {
    let Some(name) = session.project_name() else { return "Walkable".to_owned() };
    let bake = &session.bake;
    let state = match (&bake.progress, &bake.navmesh) {
        (Some(progress), _) => {
            let tenths = progress.n_done * 10 / progress.n_tiles.max(1);
            tr!("{}% baked", tenths * 10)
        }
        (None, Some(_)) => format::counted(n_polys, "polygon", "polygons"),
        (None, None) => tr!("not baked").to_owned(),
    };
    let unsaved = if session.is_unsaved() { "• " } else { "" };
    tr!("{unsaved}{name} · {state} — Walkable")
}
