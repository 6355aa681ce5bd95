//! Rules for the triangles of objects and materials.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use walkable_mesh::{MeshPart, TriMesh};

use crate::bake::{RawArea, TriangleSlopes};

/// The name of a triangle that a [`SurfaceRule`] refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SurfaceSource {
    /// The name of the object.
    Object,
    /// The name of the material.
    Material,
}

impl SurfaceSource {
    /// Both; the one with precedence is the first.
    pub const ALL: [Self; 2] = [Self::Object, Self::Material];

    /// Returns the name in settings files.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Material => "material",
        }
    }

    fn name_in(self, part: &MeshPart) -> &str {
        match self {
            Self::Object => &part.object,
            Self::Material => &part.material,
        }
    }
}

/// The effect of a [`SurfaceRule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SurfaceUse {
    /// Triangles that are walkable by their slope get this area, [`RawArea::NULL`] for "not walkable". The others
    /// remain obstacles.
    Area(RawArea),
    /// The triangles are not baked, as if the level did not have them. They still count for the bounds of the level.
    LeftOut,
}

/// Gives the triangles of an object or a material an area, or excludes them.
///
/// A rule for an object takes precedence over a rule for a material; among rules for the same name, the last one
/// counts. If triangles of different areas share a span, and their tops are at most the agent's climb apart, the larger
/// area number counts, and ordinary ground is the largest; otherwise that of the higher triangle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurfaceRule {
    /// Whether `name` is the name of an object or of a material.
    pub source: SurfaceSource,
    /// The name, as the level's file has it; empty for what has none.
    pub name: String,
    /// What becomes of them.
    pub becomes: SurfaceUse,
}

/// What the rules say of each part of a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PartUses {
    /// Per part its end and what becomes of it; empty where no rule says anything.
    parts: Vec<(u32, Option<SurfaceUse>)>,
}

impl PartUses {
    pub(super) fn new(mesh: &TriMesh, rules: &[SurfaceRule]) -> Self {
        let rules = Rules::new(rules);
        let parts = mesh.parts().iter().map(|part| (part.triangles.end, rules.use_of(part)));
        let parts: Vec<_> = parts.collect();
        let any = parts.iter().any(|(_, becomes)| becomes.is_some());
        Self { parts: if any { parts } else { Vec::new() } }
    }

    /// What the rules say of a triangle.
    pub(super) fn of(&self, triangle: u32) -> Option<SurfaceUse> {
        let part = self.parts.partition_point(|(end, _)| *end <= triangle);
        self.parts.get(part).and_then(|(_, becomes)| *becomes)
    }

    /// `triangles` without those that are left out.
    pub(super) fn kept(&self, mut triangles: Vec<u32>) -> Vec<u32> {
        if !self.parts.is_empty() {
            triangles.retain(|&triangle| self.of(triangle) != Some(SurfaceUse::LeftOut));
        }
        triangles
    }

    /// Gives walkable triangles their areas.
    pub(super) fn paint(&self, slopes: &mut TriangleSlopes) {
        if self.parts.is_empty() {
            return;
        }
        for (&triangle, area) in slopes.triangles.iter().zip(&mut slopes.areas) {
            if let (true, Some(SurfaceUse::Area(painted))) = (area.is_walkable(), self.of(triangle))
            {
                *area = painted;
            }
        }
    }
}

/// Rules by name, since there can be as many as parts.
struct Rules<'a> {
    /// By source, in the order of [`SurfaceSource::ALL`].
    by_name: [BTreeMap<&'a str, SurfaceUse>; 2],
}

impl<'a> Rules<'a> {
    fn new(rules: &'a [SurfaceRule]) -> Self {
        let by_name = SurfaceSource::ALL.map(|source| {
            // Of rules with the same name the last one stays.
            let own = rules.iter().filter(|rule| rule.source == source);
            own.map(|rule| (&*rule.name, rule.becomes)).collect()
        });
        Self { by_name }
    }

    fn use_of(&self, part: &MeshPart) -> Option<SurfaceUse> {
        let sources = SurfaceSource::ALL.into_iter().zip(&self.by_name);
        sources.into_iter().find_map(|(source, rules)| rules.get(source.name_in(part)).copied())
    }
}

/// Those of `rules` for which `mesh` has neither object nor material.
pub(super) fn unused<'a>(mesh: &TriMesh, rules: &'a [SurfaceRule]) -> Vec<&'a SurfaceRule> {
    if rules.is_empty() {
        return Vec::new();
    }
    let names = |source: SurfaceSource| {
        mesh.parts().iter().map(move |part| source.name_in(part)).collect::<BTreeSet<_>>()
    };
    let [objects, materials] = SurfaceSource::ALL.map(names);
    let is_unused = |rule: &&SurfaceRule| match rule.source {
        SurfaceSource::Object => !objects.contains(&*rule.name),
        SurfaceSource::Material => !materials.contains(&*rule.name),
    };
    rules.iter().filter(is_unused).collect()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    const PARTS: [(&str, &str); 4] =
        [("floor", "stone"), ("pond", "water"), ("fence", "wood"), ("gate", "wood")];

    /// A triangle for each of [`PARTS`].
    fn mesh() -> TriMesh {
        let vertices = vec![Vec3::ZERO, Vec3::Z, Vec3::X];
        let part = |((object, material), at): (&(&str, &str), u32)| MeshPart {
            object: (*object).into(),
            material: (*material).into(),
            triangles: at..at + 1,
        };
        let parts = PARTS.iter().zip(0..).map(part).collect();
        TriMesh::with_parts(vertices, vec![[0, 1, 2]; PARTS.len()], parts).unwrap()
    }

    fn rule(source: SurfaceSource, name: &str, becomes: SurfaceUse) -> SurfaceRule {
        SurfaceRule { source, name: name.to_owned(), becomes }
    }

    #[track_caller]
    fn check(rules: &[SurfaceRule], triangles: &[u32], areas: &[u8]) {
        let uses = PartUses::new(&mesh(), rules);
        let kept = uses.kept(vec![0, 1, 2, 3]);
        // The last triangle is too steep.
        let slope = |&triangle: &u32| if triangle == 3 { RawArea::NULL } else { RawArea::WALKABLE };
        let mut slopes =
            TriangleSlopes { areas: kept.iter().map(slope).collect(), triangles: kept };
        uses.paint(&mut slopes);
        assert_eq!(slopes.triangles, triangles);
        assert_eq!(slopes.areas, areas.iter().copied().map(RawArea).collect::<Vec<_>>());
    }

    #[test]
    fn objects_go_before_materials_and_later_rules_before_earlier() {
        use SurfaceSource::{Material, Object};
        use SurfaceUse::{Area, LeftOut};
        check(&[], &[0, 1, 2, 3], &[63, 63, 63, 0]);
        let water = rule(Material, "water", Area(RawArea(1)));
        check(std::slice::from_ref(&water), &[0, 1, 2, 3], &[63, 1, 63, 0]);
        check(&[water.clone(), rule(Material, "water", LeftOut)], &[0, 2, 3], &[63, 63, 0]);
        let pond = rule(Object, "pond", Area(RawArea::NULL));
        check(&[pond, water], &[0, 1, 2, 3], &[63, 0, 63, 0]);
        let wood = rule(Material, "wood", LeftOut);
        check(std::slice::from_ref(&wood), &[0, 1], &[63, 63]);
        let gate = rule(Object, "gate", Area(RawArea(3)));
        check(&[gate, wood], &[0, 1, 3], &[63, 63, 0]);
    }

    #[test]
    fn rules_without_triangles_are_reported() {
        let rules = [
            rule(SurfaceSource::Object, "water", SurfaceUse::LeftOut),
            rule(SurfaceSource::Object, "pond", SurfaceUse::LeftOut),
            rule(SurfaceSource::Material, "", SurfaceUse::LeftOut),
        ];
        assert_eq!(unused(&mesh(), &rules), [&rules[0], &rules[2]]);
    }
}
