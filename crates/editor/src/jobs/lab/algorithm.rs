//! The lab's searches as those of maps.

use crate::{
    searches::{Algorithm, EstimateArg, Options},
    session::{LabSettings, Searcher},
};

/// How a search of a grid or a volume goes; none for those of other things.
pub(in super::super) fn algorithm(
    searcher: Searcher,
    settings: LabSettings,
) -> Option<(Algorithm, Options)> {
    use Searcher as S;
    let usual = Options::default();
    let by = |estimate| (Algorithm::AStar, Options::by(estimate, 1.0));
    let flight = |algorithm, weight| (algorithm, Options::by(EstimateArg::Octile, weight));
    Some(match searcher {
        S::AStarZero => by(EstimateArg::Zero),
        S::AStarManhattan => by(EstimateArg::Manhattan),
        S::AStarChebyshev => by(EstimateArg::Chebyshev),
        S::AStarOctile => by(EstimateArg::Octile),
        S::AStarEuclid => by(EstimateArg::Euclidean),
        S::AStarWeighted => {
            (Algorithm::AStar, Options::by(settings.estimate, f64::from(settings.weight)))
        }
        S::Landmarks => (Algorithm::Landmarks, usual),
        S::BothEnds => (Algorithm::Bidirectional, usual),
        S::Jps => (Algorithm::Jps, usual),
        S::JpsPruned => (Algorithm::JpsPruned, usual),
        S::JpsPlus => (Algorithm::JpsPlus, usual),
        S::Theta => (Algorithm::Theta, usual),
        S::LazyTheta => (Algorithm::LazyTheta, usual),
        S::Dense6 => (Algorithm::Dense6, usual),
        S::Dense26 => (Algorithm::Dense26, usual),
        S::Spans => (Algorithm::Spans, usual),
        S::SpansOne => (Algorithm::SpansOne, usual),
        S::Octree => flight(Algorithm::Octree, 3.0),
        S::Flight => flight(Algorithm::Svo, 1.0),
        S::HastyFlight => flight(Algorithm::Svo, 3.0),
        _ => return None,
    })
}
