use walkable_bake::bake::{BakeSettings, PARAMS};
use walkable_runtime::monitor::Monitor;

/// Resets as many settings as possible to their defaults while `remains` holds.
///
/// If `monitor` cancels, the result has the settings reset until then.
pub fn shrink_settings(
    settings: &BakeSettings,
    remains: &mut dyn FnMut(&BakeSettings) -> bool,
    monitor: &dyn Monitor,
) -> BakeSettings {
    let mut best = settings.clone();
    for param in PARAMS {
        let mut candidate = best.clone();
        let is_reset = param.set(&mut candidate, param.default_value()).is_ok();
        if is_reset && candidate != best && !monitor.is_cancelled() && remains(&candidate) {
            best = candidate;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use walkable_runtime::monitor::Unmonitored;

    use super::*;

    #[test]
    fn only_the_needed_settings_are_kept() {
        let settings = BakeSettings {
            cell_size: 0.2,
            agent_radius: 0.9,
            tile_size: 48,
            filter_ledge_spans: false,
            ..BakeSettings::default()
        };
        let mut remains = |settings: &BakeSettings| settings.agent_radius > 0.8;
        let expected = BakeSettings { agent_radius: 0.9, ..BakeSettings::default() };
        assert_eq!(shrink_settings(&settings, &mut remains, &Unmonitored), expected);
    }
}
