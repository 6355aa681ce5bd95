//! The sweep over settings: what is varied, and the results.

use walkable::{
    bake::{BakeConfig, BakeSettings, Param, ParamKind, ParamValue},
    diagnostic::Phrase,
    sweep::{
        Combination, MAX_COMBINATIONS, SweepError, SweepGoal, SweepMeasure, SweepOutcome,
        SweepResult, VariedSetting, best_for_suite, grid, latin_hypercube, pareto_front,
    },
};
use walkable_workspace::{
    lang::tr,
    sweep::{Outcomes, SweepRow},
};

use super::Session;

/// Default number of values of a setting.
const FIRST_N: u32 = 3;
/// Default number of combinations of a Latin hypercube.
const FIRST_LATIN: u32 = 20;
const MAX_KNOWN: usize = 4 * MAX_COMBINATIONS;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SweepMethod {
    #[default]
    Grid,
    /// A number of combinations that are spread over the ranges.
    LatinHypercube,
}

impl SweepMethod {
    pub const ALL: [Self; 2] = [Self::Grid, Self::LatinHypercube];

    pub fn name(self) -> &'static str {
        match self {
            Self::Grid => tr!("Grid"),
            Self::LatinHypercube => tr!("Latin hypercube"),
        }
    }

    pub fn tooltip(self) -> &'static str {
        match self {
            Self::Grid => tr!("Bakes all combinations of the values"),
            Self::LatinHypercube => {
                tr!(
                    "Bakes a number of combinations, such that each setting takes values from its whole range"
                )
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SweepValues {
    /// Numbers between the two ends; a grid takes `n` of them.
    Range { ends: [f64; 2], n: u32 },
    /// All values of a choice or a switch.
    All,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepSetting {
    pub key: &'static str,
    pub values: SweepValues,
}

impl SweepSetting {
    /// Creates a setting with values around its value in `settings`; `None` if it has no values to vary.
    pub fn new(param: &'static Param, settings: &BakeSettings) -> Option<Self> {
        let exact = |value: f32| value.to_string().parse().unwrap_or_else(|_| f64::from(value));
        let (value, slider, step) = match (param.kind, param.get(settings)) {
            (ParamKind::Float { slider, step, .. }, ParamValue::Float(value)) => {
                (exact(value), slider.map(exact), exact(step))
            }
            (ParamKind::Integer { slider, step, .. }, ParamValue::Integer(value)) => {
                (f64::from(value), slider.map(f64::from), f64::from(step))
            }
            (ParamKind::Choice(_) | ParamKind::Switch, _) => {
                return Some(Self { key: param.key, values: SweepValues::All });
            }
            (ParamKind::Float { .. } | ParamKind::Integer { .. } | ParamKind::Place { .. }, _) => {
                return None;
            }
        };
        let [min, max] = slider;
        // Division by the number of steps per meter makes a multiple of 0.05 print as one.
        let rounded = |value: f64| (value / step).round() / (1.0 / step);
        let ends = [rounded(value * 0.5).clamp(min, max), rounded(value * 1.5).clamp(min, max)];
        let ends = if ends[0] < ends[1] { ends } else { slider };
        Some(Self { key: param.key, values: SweepValues::Range { ends, n: FIRST_N } })
    }

    fn varied(&self) -> Result<VariedSetting, SweepError> {
        let param = Param::find(self.key)?;
        match self.values {
            SweepValues::Range { ends, n } => VariedSetting::range(param, ends, Some(n)),
            SweepValues::All => {
                VariedSetting::all(param).ok_or(SweepError::NotNumeric { key: param.key })
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct SweepPlan {
    pub settings: Vec<SweepSetting>,
    pub method: SweepMethod,
    pub n_latin: u32,
    pub seed: u32,
}

impl Default for SweepPlan {
    fn default() -> Self {
        let (settings, method) = (Vec::new(), SweepMethod::default());
        Self { settings, method, n_latin: FIRST_LATIN, seed: 0 }
    }
}

impl SweepPlan {
    pub fn n_combinations(&self) -> usize {
        if self.method == SweepMethod::LatinHypercube {
            return self.n_latin as usize;
        }
        let n_values = |setting: &SweepSetting| match setting.values {
            SweepValues::Range { n, .. } => n as usize,
            SweepValues::All => match Param::find(setting.key).map(|param| param.kind) {
                Ok(ParamKind::Choice(choices)) => choices.len(),
                Ok(
                    ParamKind::Switch
                    | ParamKind::Float { .. }
                    | ParamKind::Integer { .. }
                    | ParamKind::Place { .. },
                )
                | Err(_) => 2,
            },
        };
        self.settings.iter().map(n_values).fold(1, usize::saturating_mul)
    }

    /// Returns the combinations to bake. Fails if a value is not valid, or if there are too many combinations.
    pub fn combinations(&self) -> Result<Vec<Combination>, SweepError> {
        let varied: Vec<_> =
            self.settings.iter().map(SweepSetting::varied).collect::<Result<_, _>>()?;
        match self.method {
            SweepMethod::Grid => grid(&varied),
            SweepMethod::LatinHypercube => latin_hypercube(&varied, self.n_latin, self.seed.into()),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SweepTab {
    #[default]
    Table,
    /// Two measures, and the rows that no other row beats in both.
    Pareto,
    Parallel,
}

impl SweepTab {
    pub const ALL: [Self; 3] = [Self::Table, Self::Pareto, Self::Parallel];

    pub fn name(self) -> &'static str {
        match self {
            Self::Table => tr!("Table"),
            Self::Pareto => tr!("Pareto front"),
            Self::Parallel => tr!("Parallel coordinates"),
        }
    }

    pub fn tooltip(self) -> &'static str {
        match self {
            Self::Table => tr!("All rows with their measures; a click on a title sorts them"),
            Self::Pareto => {
                tr!("Plots two measures, and marks the rows that no other row beats in both")
            }
            Self::Parallel => tr!("Draws a line for each row over all settings and measures"),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SweepColumn {
    #[default]
    Number,
    Setting(usize),
    Measure(SweepMeasure),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepShow {
    pub tab: SweepTab,
    pub sort: SweepColumn,
    pub is_descending: bool,
    /// The measures of the Pareto plot: horizontal and vertical.
    pub axes: [SweepMeasure; 2],
}

impl Default for SweepShow {
    fn default() -> Self {
        let axes = [SweepMeasure::Bytes, SweepMeasure::Ground];
        let (tab, sort) = (SweepTab::default(), SweepColumn::default());
        Self { tab, sort, is_descending: false, axes }
    }
}

#[derive(Clone, Debug)]
pub struct SweepEntry {
    pub combination: Combination,
    pub values: Vec<String>,
    /// Identifies the input of the bake; 0 until it is known.
    pub fingerprint: u64,
    pub outcome: Option<SweepOutcome>,
}

impl SweepEntry {
    pub fn result(&self) -> Option<&SweepResult> {
        self.outcome.as_ref()?.result()
    }

    /// Returns the value in a column; `None` if it is not a number or not known.
    pub fn value(&self, column: SweepColumn, number: usize) -> Option<f64> {
        match column {
            SweepColumn::Number => u32::try_from(number).ok().map(f64::from),
            SweepColumn::Setting(index) => self.values.get(index)?.parse().ok(),
            SweepColumn::Measure(measure) => self.result()?.get(measure),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct SweepState {
    pub plan: SweepPlan,
    pub show: SweepShow,
    /// Names of the settings that the rows vary.
    pub keys: Vec<&'static str>,
    pub entries: Vec<SweepEntry>,
    pub error: Option<Phrase>,
    pub chosen: Option<usize>,
    pub n_other_cases: usize,
    /// Number of path tests that run on each bake.
    pub n_cases: usize,
    /// Number of sweeps so far. Distinguishes the messages of the latest sweep from those of earlier ones.
    serial: u64,
    /// What the rows were baked with, apart from the varied settings.
    base: Option<(u64, BakeConfig)>,
    /// All measured outcomes of this level, so that equal bakes are not repeated.
    known: Outcomes,
}

impl SweepState {
    pub(crate) fn begin(&mut self, combinations: Vec<Combination>) -> (u64, Outcomes) {
        if self.known.len() > MAX_KNOWN {
            self.known.clear();
        }
        self.keys = self.plan.settings.iter().map(|setting| setting.key).collect();
        let entry = |combination: Combination| SweepEntry {
            values: combination.texts(),
            combination,
            fingerprint: 0,
            outcome: None,
        };
        self.entries = combinations.into_iter().map(entry).collect();
        (self.error, self.chosen) = (None, None);
        self.serial += 1;
        (self.serial, self.known.clone())
    }

    pub fn land_plan(&mut self, serial: u64, fingerprints: &[u64]) {
        if serial != self.serial {
            return;
        }
        for (entry, fingerprint) in self.entries.iter_mut().zip(fingerprints) {
            entry.fingerprint = *fingerprint;
            entry.outcome = self.known.get(fingerprint).cloned();
        }
    }

    pub fn land(&mut self, serial: u64, fingerprint: u64, outcome: &SweepOutcome) {
        if serial != self.serial {
            return;
        }
        // Failed bakes are tried again.
        if outcome.result().is_some() {
            self.known.insert(fingerprint, outcome.clone());
        }
        let same = self.entries.iter_mut().filter(|entry| entry.fingerprint == fingerprint);
        same.for_each(|entry| entry.outcome = Some(outcome.clone()));
    }

    /// Clears the results, but not what is varied.
    pub(super) fn forget(&mut self) {
        let (plan, show, serial) = (self.plan.clone(), self.show, self.serial + 1);
        *self = Self { plan, show, serial, ..Self::default() };
    }

    pub fn n_done(&self) -> usize {
        self.entries.iter().filter(|entry| entry.outcome.is_some()).count()
    }

    fn results(&self) -> Vec<Option<SweepResult>> {
        self.entries.iter().map(|entry| entry.result().copied()).collect()
    }

    /// Returns for each entry whether no other one beats it in both plotted measures.
    pub fn front(&self) -> Vec<bool> {
        pareto_front(&self.results(), &self.show.axes.map(SweepGoal::usual))
    }

    /// Returns the index of the best entry for the path tests.
    pub fn best_for_suite(&self) -> Option<usize> {
        best_for_suite(&self.results())
    }

    pub fn measures(&self) -> impl Iterator<Item = SweepMeasure> {
        let has_tests = self.n_cases > 0;
        SweepMeasure::ALL.into_iter().filter(move |measure| has_tests || !measure.is_of_suite())
    }

    /// Returns the indices of the entries in the order of the table. Rows without a value in the column come last.
    pub fn sorted(&self) -> Vec<usize> {
        let SweepShow { sort, is_descending, .. } = self.show;
        let mut order: Vec<_> = (0..self.entries.len()).collect();
        let value = |index: usize| self.entries[index].value(sort, index);
        let text = |index: usize| match sort {
            SweepColumn::Setting(setting) => self.entries[index].values.get(setting),
            SweepColumn::Number | SweepColumn::Measure(_) => None,
        };
        order.sort_by(|&a, &b| {
            let ordering = match (value(a), value(b)) {
                (Some(a), Some(b)) => a.total_cmp(&b),
                (Some(_), None) => return std::cmp::Ordering::Less,
                (None, Some(_)) => return std::cmp::Ordering::Greater,
                (None, None) => text(a).cmp(&text(b)),
            };
            if is_descending { ordering.reverse() } else { ordering }
        });
        order
    }

    pub fn rows(&self) -> Vec<SweepRow> {
        let (front, best) = (self.front(), self.best_for_suite());
        let entries = self.entries.iter().zip(front).enumerate();
        let rows = entries.filter_map(|(index, (entry, is_best))| {
            let (values, fingerprint) = (entry.values.clone(), entry.fingerprint);
            let outcome = entry.outcome.clone()?;
            let is_best_for_suite = (self.n_cases > 0).then_some(best == Some(index));
            Some(SweepRow {
                values,
                outcome,
                is_best: Some(is_best),
                is_best_for_suite,
                fingerprint,
            })
        });
        rows.collect()
    }
}

impl Session {
    /// Returns what a bake depends on apart from the settings that the sweep varies.
    fn sweep_base(&self) -> Option<(u64, BakeConfig)> {
        let level = self.opened.level.as_ref()?.serial;
        let mut config = self.document().config();
        let default = BakeSettings::default();
        for key in &self.sweep.keys {
            if let Ok(param) = Param::find(key) {
                param.set(&mut config.settings, param.get(&default)).ok();
            }
        }
        Some((level, config))
    }

    pub(crate) fn keep_sweep_base(&mut self) {
        self.sweep.base = self.sweep_base();
    }

    /// Returns whether the level or the configuration has changed since the rows were baked, apart from the varied
    /// settings.
    pub fn is_sweep_stale(&self) -> bool {
        !self.sweep.entries.is_empty() && self.sweep.base != self.sweep_base()
    }

    /// Returns the settings of an entry of the sweep: the current ones with the values of the entry.
    pub fn sweep_settings(&self, index: usize) -> Option<BakeSettings> {
        let entry = self.sweep.entries.get(index)?;
        let mut settings = self.document().settings.clone();
        entry.combination.apply(&mut settings).ok()?;
        Some(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{run_sweep, swept};

    #[test]
    fn known_results_are_kept_for_the_next_sweep() {
        let mut session = swept();
        let before: Vec<_> =
            session.sweep.entries.iter().map(|entry| entry.outcome.clone()).collect();
        assert!(before.iter().all(Option::is_some));
        assert_eq!(session.sweep.n_cases, 1);
        // An outcome that no bake has marks the results that are taken from the earlier sweep.
        for outcome in session.sweep.known.values_mut() {
            *outcome = SweepOutcome::Measured(SweepResult { bytes: 7, ..SweepResult::default() });
        }
        let is_known = |session: &Session| -> Vec<bool> {
            let results = session.sweep.results();
            results.iter().map(|result| result.is_some_and(|result| result.bytes == 7)).collect()
        };
        run_sweep(&mut session);
        assert_eq!(is_known(&session), [true; 6]);
        if let SweepValues::Range { ends, .. } = &mut session.sweep.plan.settings[0].values {
            *ends = [0.4, 0.6];
        }
        run_sweep(&mut session);
        assert_eq!(is_known(&session), [true, true, true, true, false, false]);
        // Another path test is another measure.
        session.history.change(Phrase::verbatim("Remove"), |document| document.path_tests.clear());
        run_sweep(&mut session);
        assert_eq!(is_known(&session), [false; 6]);
        assert!(session.sweep.measures().all(|measure| !measure.is_of_suite()));
    }

    #[test]
    fn messages_of_an_earlier_sweep_are_dropped_and_failed_bakes_are_tried_again() {
        let mut session = swept();
        let sweep = &mut session.sweep;
        let (earlier, fingerprint) = (sweep.serial, sweep.entries[0].fingerprint);
        let failed = SweepOutcome::Failed("too large".to_owned().into());
        let combinations = sweep.plan.combinations().unwrap();
        sweep.known.clear();
        let (serial, _) = sweep.begin(combinations);
        sweep.land_plan(earlier, &[1, 2, 3]);
        sweep.land_plan(serial, &[fingerprint, 2, 3]);
        sweep.land(earlier, fingerprint, &failed);
        assert_eq!((sweep.n_done(), sweep.known.len()), (0, 0));
        sweep.land(serial, fingerprint, &failed);
        assert_eq!((sweep.n_done(), sweep.known.len()), (1, 0));
        assert_eq!((sweep.best_for_suite(), sweep.rows().len()), (None, 1));
    }

    #[test]
    fn ranges_begin_around_the_current_value() {
        let settings = BakeSettings::default();
        let first = |key: &str| {
            let param = Param::find(key).unwrap();
            SweepSetting::new(param, &settings).map(|setting| setting.values)
        };
        let range = |ends| Some(SweepValues::Range { ends, n: FIRST_N });
        assert_eq!(first("cell_size"), range([0.15, 0.45]));
        assert_eq!(first("agent_max_slope"), range([23.0, 68.0]));
        assert_eq!(first("tile_size"), range([0.0, 1024.0]));
        assert_eq!(first("partition"), Some(SweepValues::All));
        assert_eq!(first("origin"), None);
    }
}
