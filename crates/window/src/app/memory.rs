//! Memory use of caches.

use walkable_editor::jobs::open::LevelBudget;

use super::App;
use crate::panels::MemoryUse;

impl App {
    pub(super) fn memory_use(&self) -> MemoryUse {
        MemoryUse {
            stages: self.editor.session().bake.stages.n_bytes(),
            pictures: self.view.pictures.n_bytes(),
            graphics: self.view.viewport.n_bytes(),
            n_wanted: self.view.wanted.len(),
            n_left_out: self.view.n_left_out,
            simplifies_level: self.view.viewport.simplifies_level(),
        }
    }

    /// Drops pictures that exceed the budget of the preferences. The editor does the same for stages.
    pub(super) fn apply_memory(&mut self) {
        let memory = self.editor.prefs().memory;
        self.view.pictures.set_budget(memory.pictures());
        self.view.viewport.set_budget(memory.graphics());
        self.jobs.set_level_budget(LevelBudget {
            texture_bytes: memory.textures(),
            triangles: memory.level_triangles(),
            tile_bytes: memory.tiles(),
        });
    }

    pub fn baked_in(&self) -> Option<std::time::Duration> {
        self.editor.session().bake.elapsed
    }
}
