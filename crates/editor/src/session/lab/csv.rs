//! The lab's table as comma-separated values.

use std::fmt::Write as _;

use walkable_workspace::lang;

use super::LabState;

impl LabState {
    /// Formats the table, one line per search.
    pub fn to_csv(&self) -> String {
        let mut text = "search,searched,length_m,suboptimality,expanded,opened,open_peak,time_us,\
                        preprocessing_us,bytes,note\n"
            .to_owned();
        for row in &self.rows {
            let made =
                row.preprocessing_time.map(|time| time.as_micros().to_string()).unwrap_or_default();
            let over = row.over_optimum().map(|over| format!("{over:.5}")).unwrap_or_default();
            let known = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
            let note =
                row.why.as_ref().map(lang::phrase).unwrap_or_default().replace(['"', '\n'], " ");
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "\"{}\",\"{}\",{:.4},{over},{},{},{},{},{made},{},\"{note}\"",
                row.searcher.name(),
                row.searcher.medium().name(),
                row.length,
                row.effort.n_expanded,
                known(row.effort.n_opened),
                known(row.effort.open_peak),
                row.time.as_micros(),
                row.n_bytes,
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LabState, Searcher};
    use crate::testing::lab_row;

    #[test]
    fn one_line_per_search() {
        let mut lab = LabState::default();
        lab.land(lab_row(Searcher::Detour, 5.0));
        let line = "\"Detour A*\",\"Navmesh\",5.0000,0.25000,7,9,,12,,100,\"\"";
        assert_eq!(lab.to_csv().lines().nth(1), Some(line));
        assert_eq!(lab.to_csv().lines().next().map(|line| line.split(',').count()), Some(11));
    }
}
