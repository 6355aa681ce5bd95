//! Prices of obstacles: the fraction by which the agent's abilities would have to grow to overcome them.
//!
//! A common scale for all kinds lets the search compare obstacles: a step 10 cm higher than the climb is smaller than a
//! wall of 3 m.

use std::ops::RangeInclusive;

use walkable_bake::bake::{BakePlan, RawArea, Steepness};

/// A price as a small integer, so that it can be stored per voxel; 0 means no obstacle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ObstaclePrice(u8);

/// Integer steps per unit of price, in the linear range.
const STEPS: f32 = 16.0;
/// The price above which the scale is logarithmic.
const LINEAR_TO: f32 = 8.0;

impl ObstaclePrice {
    /// No obstacle.
    pub(super) const FREE: Self = Self(0);
    /// The highest finite price.
    pub(super) const MOST: Self = Self(u8::MAX - 1);
    /// The price of an obstacle that no ability overcomes.
    pub(super) const NEVER: Self = Self(u8::MAX);

    /// Returns the price of an obstacle that requires `share` more ability; at least one step.
    fn of(share: f32) -> Self {
        if share.is_nan() || share == f32::INFINITY {
            return Self::NEVER;
        }
        let steps = if share <= LINEAR_TO {
            share * STEPS
        } else {
            (LINEAR_TO + (share / LINEAR_TO).log2()) * STEPS
        };
        Self(truncated(steps.ceil().clamp(1.0, f32::from(Self::MOST.0))))
    }

    /// Converts the price back to a share, exact in the linear range.
    pub(super) fn share(self) -> f32 {
        f32::from(self.0) / STEPS
    }

    /// Returns the range of finite prices that are at least this one.
    pub(super) fn and_more(self) -> RangeInclusive<Self> {
        self..=Self::MOST
    }

    /// Returns the range from [`ObstaclePrice::FREE`] to the highest price below `share`.
    pub(super) fn below(share: f32) -> RangeInclusive<Self> {
        let steps = (share * STEPS).ceil() - 1.0;
        Self::FREE..=Self(truncated(steps.clamp(0.0, f32::from(Self::MOST.0))))
    }

    /// Returns the next lower price; `None` for [`ObstaclePrice::FREE`].
    pub(super) fn next_lower(self) -> Option<Self> {
        self.0.checked_sub(1).map(Self)
    }

    /// Returns the integer of this price; prices rise with it.
    pub(super) fn number(self) -> u8 {
        self.0
    }

    /// Returns the price with this integer.
    pub(super) fn from_number(number: u8) -> Self {
        Self(number)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped by the caller"
)]
fn truncated(value: f32) -> u8 {
    value as u8
}

/// An agent's abilities in voxels, and the prices of exceeding them.
#[derive(Clone, Debug)]
pub(super) struct Agent {
    pub(super) cell_size: f32,
    pub(super) cell_height: f32,
    pub(super) climb_vx: u32,
    pub(super) height_vx: u32,
    pub(super) radius_vx: u32,
    pub(super) limit_deg: f32,
    /// Whether ground next to a drop is unwalkable.
    pub(super) keeps_off_ledges: bool,
    /// Whether the agent can step onto low obstacles on walkable ground.
    pub(super) steps_onto_obstacles: bool,
    /// Climb in meters.
    climb: f32,
    /// Maximum height of an obstacle that counts as a step, in meters; a higher one counts as a wall.
    highest_step: f32,
    /// Length of a jump per unit of price, in meters.
    stride: f32,
    /// The price of ground directly next to a drop.
    ledge: ObstaclePrice,
    /// Prices of steps by their height in voxels.
    steps: [ObstaclePrice; N_STEPS],
    /// Prices of slopes by class.
    slopes: [ObstaclePrice; N_CLASSES],
    /// How far ground rises from one cell to the next due to its slope, in voxels, by class.
    rises: [u32; N_CLASSES],
}

/// Number of heights of steps whose prices are stored.
const N_STEPS: usize = 256;
/// Number of classes of [`Steepness`].
const N_CLASSES: usize = RawArea::WALKABLE.0 as usize + 1;

/// The price of a modifier volume, and of ground marked as not walkable: both are deliberate.
const CHOSEN: f32 = 0.5;
/// The price of ground outside the boxes that limit the bake.
const OUTSIDE: f32 = 1.0;
/// The price of ground that faces down.
const FACING_DOWN: f32 = 0.9;
/// Degrees of slope over the limit per unit of price.
const SLOPE_DEG: f32 = 10.0;
/// The price of ground that is narrower by a factor of e.
const NARROW: f32 = 1.2;
/// The minimum price of a jump: missing ground is a bigger obstacle than a slightly exceeded limit.
const LEAST_JUMP: f32 = 0.3;
/// The price of each multiple of the climb above the highest step.
const WALL: f32 = 6.0;
/// The slope above which ground counts as a wall, in degrees.
const WALL_DEG: f32 = 87.0;
/// Maximum length of a jump, in meters.
const FARTHEST_JUMP: f32 = 8.0;

impl Agent {
    /// Added to the price of climbing over an obstacle, so that a lane that is too narrow costs less.
    pub(super) const OVER: f32 = 3.0;

    pub(super) fn of(plan: &BakePlan) -> Self {
        let (params, settings) = (plan.params(), &plan.input().settings);
        let climb = settings.agent_max_climb.max(params.cell_height);
        let mut agent = Self {
            cell_size: params.cell_size,
            cell_height: params.cell_height,
            climb_vx: params.walkable_climb_vx,
            height_vx: params.walkable_height_vx.max(1),
            radius_vx: params.walkable_radius_vx,
            limit_deg: settings.agent_max_slope,
            keeps_off_ledges: settings.filter_ledge_spans,
            steps_onto_obstacles: settings.filter_low_hanging_obstacles,
            climb,
            highest_step: (0.75 * settings.agent_height).max(1.5 * climb),
            stride: 2.0 * settings.agent_radius.max(params.cell_size) + climb,
            ledge: ObstaclePrice::FREE,
            steps: [ObstaclePrice::FREE; N_STEPS],
            slopes: [ObstaclePrice::FREE; N_CLASSES],
            rises: [0; N_CLASSES],
        };
        agent.ledge = agent.narrow(0.5);
        agent.steps = by_index(|rise_vx| agent.compute_step(rise_vx));
        agent.slopes = by_index(|class| agent.compute_slope(class_of(class)));
        agent.rises = by_index(|class| agent.compute_rise_of_slope(class_of(class)));
        agent
    }

    /// Returns the price of a step of `rise_vx` up or down.
    pub(super) fn step(&self, rise_vx: u32) -> ObstaclePrice {
        let stored = self.steps.get(rise_vx as usize);
        stored.copied().unwrap_or_else(|| self.compute_step(rise_vx))
    }

    fn compute_step(&self, rise_vx: u32) -> ObstaclePrice {
        if rise_vx <= self.climb_vx {
            return ObstaclePrice::FREE;
        }
        let rise = meters(rise_vx, self.cell_height);
        let wall = (rise - self.highest_step).max(0.0) / self.climb * WALL;
        ObstaclePrice::of(rise.min(self.highest_step) / self.climb - 1.0 + wall)
    }

    /// Returns the price of climbing over an obstacle of `rise_vx`, higher than the climb, whose top is not ground.
    pub(super) fn climb_over(&self, rise_vx: u32) -> ObstaclePrice {
        ObstaclePrice::of(self.step(rise_vx).share() + Self::OVER)
    }

    /// Returns the maximum height of an obstacle that counts as a step, in voxels.
    pub(super) fn highest_step_vx(&self) -> u32 {
        whole32(self.highest_step / self.cell_height)
    }

    /// Returns the lowest step that costs at least `price`, in voxels.
    pub(super) fn least_rise(&self, price: ObstaclePrice) -> u32 {
        let mut rises = self.climb_vx..=u32::from(u16::MAX);
        rises.find(|&rise_vx| self.step(rise_vx) >= price).unwrap_or(self.climb_vx)
    }

    /// Returns the price of the head room `room_vx`.
    pub(super) fn ceiling(&self, room_vx: u32) -> ObstaclePrice {
        if room_vx >= self.height_vx {
            return ObstaclePrice::FREE;
        }
        ObstaclePrice::of(float(self.height_vx) / float(room_vx) - 1.0)
    }

    /// Returns the price of ground `half_cells` away from the nearest edge, measured as in erosion.
    pub(super) fn clearance(&self, half_cells: u32) -> ObstaclePrice {
        if half_cells >= 2 * self.radius_vx {
            return ObstaclePrice::FREE;
        }
        self.narrow(float(half_cells) + 1.0)
    }

    /// Returns the smallest distance to the nearest edge, in half cells, that costs at most `price`.
    pub(super) fn least_clearance(&self, price: ObstaclePrice) -> u32 {
        (0..2 * self.radius_vx)
            .find(|&half| self.clearance(half) <= price)
            .unwrap_or(2 * self.radius_vx)
    }

    /// Returns the price of ground directly next to a drop.
    pub(super) fn ledge(&self) -> ObstaclePrice {
        self.ledge
    }

    /// Returns the price of ground that is `half_cells` wide. It grows logarithmically as the width shrinks: however
    /// fine the voxels are, a narrow gap is a smaller obstacle than a wall.
    fn narrow(&self, half_cells: f32) -> ObstaclePrice {
        let needed = 2.0 * float(self.radius_vx) + 1.0;
        ObstaclePrice::of(NARROW * (needed / half_cells).ln())
    }

    /// Returns the price of the top of a span, by its class of [`Steepness`].
    pub(super) fn slope(&self, class: RawArea) -> ObstaclePrice {
        self.slopes.get(usize::from(class.0)).copied().unwrap_or(ObstaclePrice::NEVER)
    }

    fn compute_slope(&self, class: RawArea) -> ObstaclePrice {
        match class {
            Steepness::WALKABLE => ObstaclePrice::FREE,
            Steepness::MARKED => ObstaclePrice::of(CHOSEN),
            Steepness::FACES_DOWN => ObstaclePrice::of(FACING_DOWN),
            _ => match Steepness::least_slope_deg(class, self.limit_deg) {
                Some(slope_deg) if slope_deg < WALL_DEG => {
                    ObstaclePrice::of((slope_deg - self.limit_deg) / SLOPE_DEG)
                }
                Some(_) | None => ObstaclePrice::NEVER,
            },
        }
    }

    /// Returns how far ground of this class rises from one cell to the next due to its slope alone, in voxels.
    pub(super) fn rise_of_slope(&self, class: RawArea) -> u32 {
        self.rises.get(usize::from(class.0)).copied().unwrap_or(0)
    }

    fn compute_rise_of_slope(&self, class: RawArea) -> u32 {
        let Some(slope_deg) = Steepness::least_slope_deg(class, self.limit_deg) else { return 0 };
        let slope_deg = slope_deg.min(WALL_DEG) + 1.0;
        let rise = slope_deg.to_radians().tan() * self.cell_size * std::f32::consts::SQRT_2;
        whole32(rise / self.cell_height) + 2
    }

    /// Returns the price of a volume.
    pub(super) fn volume() -> ObstaclePrice {
        ObstaclePrice::of(CHOSEN)
    }

    /// Returns the price of ground outside the boxes that limit the bake.
    pub(super) fn outside() -> ObstaclePrice {
        ObstaclePrice::of(OUTSIDE)
    }

    /// Returns the price of a jump over `n` cells without ground.
    pub(super) fn jump(&self, n: u32) -> ObstaclePrice {
        ObstaclePrice::of(LEAST_JUMP + float(n) * self.cell_size / self.stride)
    }

    /// Returns the maximum number of cells that a jump may cross.
    pub(super) fn farthest_jump(&self) -> u8 {
        truncated(FARTHEST_JUMP / self.cell_size).min(64)
    }
}

/// Returns an array of the values of a function for its indices.
fn by_index<T, const N: usize>(value: impl Fn(u32) -> T) -> [T; N] {
    let mut index = 0..;
    std::array::from_fn(|_| value(index.next().unwrap_or(u32::MAX)))
}

/// Returns the class of steepness with a number.
fn class_of(number: u32) -> RawArea {
    RawArea(u8::try_from(number).unwrap_or(u8::MAX))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "floats saturate")]
fn whole32(value: f32) -> u32 {
    value as u32
}

#[expect(clippy::cast_precision_loss, reason = "counts of voxels")]
pub(super) fn float(n: u32) -> f32 {
    n as f32
}

pub(super) fn meters(n: u32, cell: f32) -> f32 {
    float(n) * cell
}
