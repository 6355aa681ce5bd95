//! Explains why a path does not reach its end: what the editor and the commands add to the library's `explain_path`.

use std::{cell::Cell, sync::Arc};

use glam::Vec3;
use serde::{Deserialize, Serialize};
use walkable::{
    bake::{BakeError, BakePlan},
    explain::{Cause, Fix},
    ids::TileCoord,
    monitor::{Monitor, Unmonitored},
    navmesh::{NavMesh, NavMeshError, Tile},
    phrase,
    query::{NavPath, PathRequest, PathStatus},
    route::{
        KnownBreak, PathFixes, RouteAnswer, RouteBreak, RouteDepth, RouteQuestion, WhyNoPath,
        explain_path, find_path_fixes,
    },
    tile_cache::Obstacle,
};

use crate::{document::Finish, layered::Layered, limits, path_terms::PathTerms};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PathWhyRequest {
    /// The bake; `None` for an imported navmesh.
    pub plan: Option<Arc<BakePlan>>,
    pub navmesh: Arc<NavMesh>,
    pub terms: PathTerms,
    pub finish: Finish,
    pub obstacles: Option<Vec<Obstacle>>,
}

impl PathWhyRequest {
    /// Searches the path and explains the result to this `depth`.
    pub fn answer(
        &self,
        depth: RouteDepth,
        monitor: &dyn Monitor,
    ) -> anyhow::Result<(NavPath, RouteAnswer)> {
        let request = self.terms.request();
        let path = self.terms.search(&self.navmesh, &request)?;
        let plan = self.plan.as_deref();
        if let (Some(plan), Some(obstacles)) = (plan, &self.obstacles)
            && path.status != PathStatus::Complete
            && let Some(first) = self.obstacle_in_the_way(plan, obstacles, monitor)
        {
            return Ok((path, RouteAnswer { first: Some(first), ..RouteAnswer::default() }));
        }
        let answer = explain_path(plan, &self.navmesh, (&request, &path), depth, monitor)?;
        Ok((path, answer))
    }

    /// Explains the path, and searches for fixes until `fixes` cancels.
    pub fn why_no_path(
        &self,
        fixes: Option<&dyn Monitor>,
        monitor: &dyn Monitor,
    ) -> anyhow::Result<WhyNoPath> {
        let (path, answer) = self.answer(RouteDepth::Alternatives, monitor)?;
        let fixes = answer.first.as_ref().zip(fixes).map(|(first, monitor)| {
            let mut verified = Vec::new();
            let ended = self.find_fixes(first, &mut |fix| verified.push(fix), monitor);
            ended.unwrap_or_else(|_cancelled| PathFixes {
                fixes: verified,
                is_cut_short: true,
                ..PathFixes::default()
            })
        });
        Ok(WhyNoPath { path, answer, fixes: fixes.unwrap_or_default() })
    }

    /// Returns the first of `obstacles` on the path that is found without them; `None` if there is no such path.
    fn obstacle_in_the_way(
        &self,
        plan: &BakePlan,
        obstacles: &[Obstacle],
        monitor: &dyn Monitor,
    ) -> Option<RouteBreak> {
        let mut layered = Layered::bake(plan, &[], monitor).ok()?;
        let mut mesh = layered.nav_mesh(&self.finish, &mut 0).ok()?;
        self.finish.prune(&mut mesh);
        let path = self.terms.search(&mesh, &self.terms.request()).ok()?;
        if path.status != PathStatus::Complete {
            return None;
        }
        layered.put(obstacles);
        let stride = plan.params().cell_size;
        let mut points = path.points.windows(2).flat_map(|leg| points_between(leg, stride));
        let place = points.find(|at| !layered.obstacles_at(*at).is_empty())?;
        let text = phrase!("an obstacle stands in the way");
        let advice = Some(phrase!("move or remove this obstacle"));
        Some(RouteBreak { advice, ..RouteBreak::plain(Cause::Obstacle, place, text) })
    }

    /// Finds fixes for the obstacle `first`, and calls `found` with each fix as soon as it is verified.
    pub fn find_fixes(
        &self,
        first: &RouteBreak,
        found: &mut dyn FnMut(Fix),
        monitor: &dyn Monitor,
    ) -> Result<PathFixes, BakeError> {
        let Some(plan) = self.plan.as_deref() else { return Ok(PathFixes::default()) };
        let assemble =
            |plan: &BakePlan, tiles: Vec<(TileCoord, Arc<Tile>)>| self.assembled(plan, &tiles);
        let search = |mesh: &NavMesh, request: &PathRequest<'_>| self.terms.search(mesh, request);
        let question = RouteQuestion {
            request: self.terms.request(),
            assemble: &assemble,
            search: &search,
            known: Some(KnownBreak { plan, found: first }),
            spent: Cell::default(),
        };
        find_path_fixes(&question, &self.navmesh, limits::of_bakes(), found, monitor)
    }

    /// Returns the navmesh of `tiles` after all changes of the document. With runtime obstacles, returns the navmesh of
    /// the layers of `plan`; if these cannot be baked, it is empty, so that no path is found on it.
    fn assembled(
        &self,
        plan: &BakePlan,
        tiles: &[(TileCoord, Arc<Tile>)],
    ) -> Result<NavMesh, NavMeshError> {
        let mut mesh = match &self.obstacles {
            None => self.finish.link(plan, tiles)?,
            Some(obstacles) => {
                let layered = Layered::bake(plan, obstacles, &Unmonitored);
                match layered {
                    Ok(mut layered) => layered.nav_mesh(&self.finish, &mut 0)?,
                    Err(_unusable) => plan.empty_nav_mesh()?,
                }
            }
        };
        self.finish.prune(&mut mesh);
        Ok(mesh)
    }
}

/// Returns points from the start to the end of `leg`, `stride` apart.
fn points_between(leg: &[Vec3], stride: f32) -> impl Iterator<Item = Vec3> + use<> {
    let (start, end) = (leg[0], leg[1]);
    let length = start.distance(end);
    let strides = (0_u16..).map(move |n| f32::from(n) * stride);
    let on_leg = strides.take_while(move |along| *along < length);
    on_leg.map(move |along| start.lerp(end, along / length)).chain([end])
}
