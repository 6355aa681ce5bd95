//! The comparison of tile sizes.

use std::sync::Arc;

use walkable::bake::BakeSettings;
use walkable_workspace::tile_sizes::TileSizeAdvice;

use super::Session;

/// The comparison of tile sizes. The previous result stays until the next one is there.
#[derive(Clone, Debug, Default)]
pub struct TileSizes {
    /// The settings of the latest request, without their tile size.
    latest: Option<BakeSettings>,
    pub progress: Option<u32>,
    /// The settings of the latest result, and the result or the reason why there is none.
    result: Option<(BakeSettings, Result<Arc<TileSizeAdvice>, String>)>,
}

impl TileSizes {
    pub fn land(&mut self, result: Result<TileSizeAdvice, String>) {
        let settings = self.latest.clone();
        self.result = settings.map(|settings| (settings, result.map(Arc::new)));
    }

    pub fn result(&self) -> Option<&Result<Arc<TileSizeAdvice>, String>> {
        self.result.as_ref().map(|(_, result)| result)
    }

    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

impl Session {
    pub(crate) fn begin_tile_sizes(&mut self) {
        self.tile_sizes.latest = Some(self.settings_of_tiles());
        self.tile_sizes.progress = None;
    }

    pub fn are_tile_sizes_stale(&self) -> bool {
        let measured = self.tile_sizes.result.as_ref().map(|(settings, _)| settings);
        measured.is_some_and(|settings| *settings != self.settings_of_tiles())
    }

    fn settings_of_tiles(&self) -> BakeSettings {
        BakeSettings { tile_size: 0, ..self.document().settings.clone() }
    }
}
