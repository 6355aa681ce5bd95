//! Tells when the second of the system's clock changes: the log shows times of day in seconds.

use std::time::Duration;

/// The second that was told last, since the Unix epoch.
#[derive(Debug, Default)]
pub(super) struct SecondClock(Option<u64>);

impl SecondClock {
    /// Returns the second of `now`, unless it is the one that was returned last.
    pub(super) fn next(&mut self, now: Duration) -> Option<Duration> {
        let second = now.as_secs();
        (self.0.replace(second) != Some(second)).then_some(Duration::from_secs(second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_second_is_told_once() {
        let mut clock = SecondClock::default();
        let told: Vec<_> = [7000, 7016, 7999, 8001, 8017, 7500]
            .into_iter()
            .filter_map(|millis| clock.next(Duration::from_millis(millis)))
            .map(|second| second.as_millis())
            .collect();
        assert_eq!(told, [7000, 8000, 7000], "also if the clock is set back");
    }
}
