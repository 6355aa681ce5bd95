//! Findings about the displayed navmesh.

use walkable::{
    diagnostic::{Diagnostic, FindingList},
    links::{LinkReport, check_links},
    navmesh::polygons_without_flags,
};

use super::Session;

impl Session {
    /// Returns the state of each off-mesh link; empty while there is no navmesh.
    pub fn link_reports(&self) -> Vec<LinkReport> {
        let navmesh = self.bake.navmesh.as_deref();
        let check = |navmesh| check_links(navmesh, &self.document().config().off_mesh);
        navmesh.map(check).unwrap_or_default()
    }

    /// Returns findings about polygons that no query passes, off-mesh links that no agent can use, wide references, and
    /// a level that exceeds its grid.
    pub fn mesh_findings(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        // Polygons of removed islands have no flags on purpose.
        if let Some(navmesh) = &self.bake.navmesh
            && self.document().islands.keeps_all()
        {
            found.extend(polygons_without_flags(navmesh.tiles()));
        }
        let baked = self.bake.plan.as_deref().zip(self.bake.navmesh.as_deref());
        found.extend(baked.and_then(|(plan, navmesh)| plan.why_wide(navmesh)));
        found.extend(self.bake.plan.as_ref().and_then(|plan| plan.beyond_grid()));
        let links = self.link_reports().into_iter().zip(self.document().off_mesh.iter());
        let is_loaded = |at| self.world().is_none_or(|world| world.is_loaded(at));
        let links = links.filter(|(_, link)| is_loaded(link.start) && is_loaded(link.end));
        let mut of_links = FindingList::default();
        of_links.extend(links.flat_map(|(report, _)| report.findings));
        found.extend(of_links.into_diagnostics());
        found
    }
}
