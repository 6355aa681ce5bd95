//! Classes of ground: each is ground in one area that is open to the same agents.

use walkable_runtime::ids::AreaId;

use crate::bake::{AreaFlags, BakedAgent, RawArea};

/// Areas and agents of ground, by class. Class numbers begin at 1; 0 is ground that is open to no agent.
#[derive(Debug, Default)]
pub(super) struct Classes(Vec<(RawArea, u16)>);

impl Classes {
    /// Returns the area of ground of this class, and the flags of the agents to which it is open.
    pub(super) fn get(&self, class: RawArea) -> (RawArea, u16) {
        let number = usize::from(class.0).checked_sub(1);
        number.and_then(|number| self.0.get(number)).copied().unwrap_or((RawArea::NULL, 0))
    }

    /// Returns the class of ground in `area` that is open to the agents with these flags.
    pub(super) fn number(&mut self, area: RawArea, agents: u16) -> Result<RawArea, Clash> {
        if agents == 0 {
            return Ok(RawArea::NULL);
        }
        let known = self.0.iter().position(|class| *class == (area, agents));
        let index = known.unwrap_or_else(|| {
            self.0.push((area, agents));
            self.0.len() - 1
        });
        u8::try_from(index + 1).map(RawArea).ok().ok_or(Clash::TooManyClasses)
    }
}

/// The area and the flags of ground polygons.
#[derive(Clone, Copy, Debug)]
pub(super) struct PolygonKinds<'a> {
    flags: &'a AreaFlags,
    /// The classes that stand for areas, and the flags of all agents; `None` in a bake for one agent.
    classes: Option<(&'a Classes, u16)>,
}

impl<'a> PolygonKinds<'a> {
    /// Returns the kinds of a bake for one agent.
    pub(super) const fn by_area(flags: &'a AreaFlags) -> Self {
        Self { flags, classes: None }
    }

    /// Returns the kinds of a bake for `agents`.
    pub(super) fn by_class(
        flags: &'a AreaFlags,
        classes: &'a Classes,
        agents: &[BakedAgent],
    ) -> Self {
        let all = agents.iter().fold(0, |flags, agent| flags | agent.flag);
        Self { flags, classes: Some((classes, all)) }
    }

    /// Returns the flags of off-mesh links in addition to their own: every agent may use them.
    pub(super) fn link_flags(self) -> u16 {
        self.classes.map_or(0, |(_, agents)| agents)
    }

    /// Returns the area in the tile and the flags of a polygon of `area`, which is a class if there are classes.
    pub(super) fn of(self, area: RawArea) -> (AreaId, u16) {
        let (area, agents) = self.classes.map_or((area, 0), |(classes, _)| classes.get(area));
        (area.in_tile(), self.flags.of(area.in_tile()) | agents)
    }
}

/// What agents do not agree on, so that a navmesh for all of them would differ from those for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clash {
    /// Areas of the same ground.
    Areas,
    /// The floors to which a step leads.
    Steps,
    TooManyClasses,
}

impl Clash {
    pub(super) const fn what(self) -> &'static str {
        match self {
            Self::Areas => {
                "volumes or the median filter give the same ground different areas for different agents"
            }
            Self::Steps => {
                "agents step from the same ground onto different floors, since twice the max climb of one is more than \
                 the height of another"
            }
            Self::TooManyClasses => {
                "there are more than 255 combinations of areas and agents in one tile"
            }
        }
    }
}
