//! Rules for the triangles of objects and materials.

use std::{
    collections::{BTreeMap, BTreeSet},
    str::Chars,
};

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
/// The name can be a pattern, in which `*` stands for any characters and `?` for one character. A rule for an object
/// takes precedence over a rule for a material. Among the rules for objects, and among those for materials, a rule with
/// the exact name takes precedence over patterns; of several such rules, the last one applies. If triangles of
/// different areas share a span, and their tops are at most the agent's climb apart, the span gets the larger area
/// number, and plain ground has the largest; otherwise it gets that of the higher triangle, or that of a lower one that is
/// larger and comes later: see [`AreaFromBelow`](walkable_runtime::diagnostic::Finding::AreaFromBelow).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurfaceRule {
    /// Whether `name` is the name of an object or of a material.
    pub source: SurfaceSource,
    /// The name, as in the level's file, or a pattern; empty for triangles without a name.
    pub name: String,
    /// The effect on the triangles.
    pub becomes: SurfaceUse,
}

impl SurfaceRule {
    /// Maximum length of all patterns together, in bytes. The time to compare them with the names of a level grows with
    /// it.
    pub const MAX_PATTERN_BYTES: usize = 4096;

    /// Returns whether the name is a pattern: whether it contains `*` or `?`.
    pub fn is_pattern(&self) -> bool {
        self.name.contains(['*', '?'])
    }

    /// Returns the rule that applies to the triangles of an object and a material.
    pub fn applying<'a>(rules: &'a [Self], object: &str, material: &str) -> Option<&'a Self> {
        SurfaceSource::ALL.into_iter().find_map(|source| {
            let name = match source {
                SurfaceSource::Object => object,
                SurfaceSource::Material => material,
            };
            let mut own = rules.iter().rev().filter(|rule| rule.source == source);
            own.clone().find(|rule| rule.name == name).or_else(|| own.find(|rule| rule.fits(name)))
        })
    }

    /// Returns whether the pattern fits `name`.
    fn fits(&self, name: &str) -> bool {
        self.is_pattern() && fits(&self.name, name)
    }
}

/// Returns whether `pattern` fits `name` as a whole.
fn fits(pattern: &str, name: &str) -> bool {
    let (mut pattern, mut name) = (pattern.chars(), name.chars());
    // After the last `*`: the rest of the pattern, and the rest of the name that it was compared with.
    let mut retry: Option<(Chars<'_>, Chars<'_>)> = None;
    loop {
        let (mut pattern_rest, mut name_rest) = (pattern.clone(), name.clone());
        match (pattern_rest.next(), name_rest.next()) {
            (Some('*'), _) => {
                retry = Some((pattern_rest.clone(), name.clone()));
                pattern = pattern_rest;
            }
            (Some(wanted), Some(found)) if wanted == '?' || wanted == found => {
                (pattern, name) = (pattern_rest, name_rest);
            }
            (None, None) => return true,
            _differ => {
                // The `*` stands for one more character.
                let Some((after_star, compared)) = &mut retry else { return false };
                if compared.next().is_none() {
                    return false;
                }
                (pattern, name) = (after_star.clone(), compared.clone());
            }
        }
    }
}

/// The names to which a rule with a pattern applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternUse<'a> {
    /// The rule.
    pub rule: &'a SurfaceRule,
    /// Number of different names.
    pub n_names: usize,
    /// The first of them in alphabetical order.
    pub first: &'a str,
}

/// The effects of the rules on each part of a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PartUses {
    /// Per part, its end and the effect on it; `None` if no rule applies.
    parts: Vec<(u32, Option<SurfaceUse>)>,
}

impl PartUses {
    pub(super) fn new(mesh: &TriMesh, rules: &[SurfaceRule]) -> Self {
        let mut rules = Rules::new(rules);
        let parts = mesh.parts().iter().map(|part| (part.triangles.end, rules.use_of(part)));
        let parts: Vec<_> = parts.collect();
        let any = parts.iter().any(|(_, becomes)| becomes.is_some());
        Self { parts: if any { parts } else { Vec::new() } }
    }

    /// Returns the effect of the rules on a triangle.
    pub(super) fn of(&self, triangle: u32) -> Option<SurfaceUse> {
        let part = self.parts.partition_point(|(end, _)| *end <= triangle);
        self.parts.get(part).and_then(|(_, becomes)| *becomes)
    }

    /// Returns `triangles` without those that are excluded.
    pub(super) fn without_left_out(&self, mut triangles: Vec<u32>) -> Vec<u32> {
        if !self.parts.is_empty() {
            triangles.retain(|&triangle| self.of(triangle) != Some(SurfaceUse::LeftOut));
        }
        triangles
    }

    /// Sets the areas of walkable triangles.
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
    by_source: [NamedRules<'a>; 2],
}

impl<'a> Rules<'a> {
    fn new(rules: &'a [SurfaceRule]) -> Self {
        Self { by_source: SurfaceSource::ALL.map(|source| NamedRules::new(rules, source)) }
    }

    fn use_of(&mut self, part: &'a MeshPart) -> Option<SurfaceUse> {
        let sources = SurfaceSource::ALL.into_iter().zip(&mut self.by_source);
        let rule = sources.into_iter().find_map(|(source, own)| own.rule_of(source.name_in(part)));
        rule.map(|rule| rule.becomes)
    }
}

/// The rules for objects, or those for materials.
struct NamedRules<'a> {
    by_name: BTreeMap<&'a str, &'a SurfaceRule>,
    /// The rules with patterns; the first one that matches applies.
    patterns: Vec<&'a SurfaceRule>,
    /// Matching patterns of the names that were looked up so far, since many parts share a name.
    fitting: BTreeMap<&'a str, Option<&'a SurfaceRule>>,
}

impl<'a> NamedRules<'a> {
    fn new(rules: &'a [SurfaceRule], source: SurfaceSource) -> Self {
        let own = rules.iter().filter(|rule| rule.source == source);
        // Of rules with the same name, the last one is kept.
        let by_name = own.clone().map(|rule| (&*rule.name, rule)).collect();
        let patterns = own.rev().filter(|rule| rule.is_pattern()).collect();
        Self { by_name, patterns, fitting: BTreeMap::new() }
    }

    fn rule_of(&mut self, name: &'a str) -> Option<&'a SurfaceRule> {
        if let Some(rule) = self.by_name.get(name) {
            return Some(rule);
        }
        if self.patterns.is_empty() {
            return None;
        }
        let fitting = || self.patterns.iter().copied().find(|rule| fits(&rule.name, name));
        *self.fitting.entry(name).or_insert_with(fitting)
    }
}

/// Returns the names of all objects, or of all materials.
fn names(mesh: &TriMesh, source: SurfaceSource) -> BTreeSet<&str> {
    mesh.parts().iter().map(|part| source.name_in(part)).collect()
}

/// Returns the rules that apply to neither objects nor materials of `mesh`.
pub(super) fn unused<'a>(mesh: &TriMesh, rules: &'a [SurfaceRule]) -> Vec<&'a SurfaceRule> {
    if rules.is_empty() {
        return Vec::new();
    }
    let [objects, materials] = SurfaceSource::ALL.map(|source| names(mesh, source));
    let is_unused = |rule: &&SurfaceRule| {
        let names = match rule.source {
            SurfaceSource::Object => &objects,
            SurfaceSource::Material => &materials,
        };
        // There can be as many rules as names, but few patterns.
        let fits_any = rule.is_pattern() && names.iter().any(|name| fits(&rule.name, name));
        !names.contains(&*rule.name) && !fits_any
    };
    rules.iter().filter(is_unused).collect()
}

/// Returns the rules with patterns that apply to objects or materials of `mesh`, in the order of the first name.
pub(super) fn pattern_uses<'a>(mesh: &'a TriMesh, rules: &'a [SurfaceRule]) -> Vec<PatternUse<'a>> {
    let mut uses: Vec<PatternUse<'a>> = Vec::new();
    for source in SurfaceSource::ALL {
        let mut own = NamedRules::new(rules, source);
        if own.patterns.is_empty() {
            continue;
        }
        for first in names(mesh, source) {
            let Some(rule) = own.rule_of(first).filter(|rule| rule.is_pattern()) else { continue };
            match uses.iter_mut().find(|known| std::ptr::eq(known.rule, rule)) {
                Some(known) => known.n_names += 1,
                None => uses.push(PatternUse { rule, n_names: 1, first }),
            }
        }
    }
    uses
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    const PARTS: [(&str, &str); 4] =
        [("floor", "stone"), ("pond", "water"), ("fence", "wood"), ("gate", "wood")];

    /// Creates a mesh with a triangle for each of [`PARTS`].
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
        let without_left_out = uses.without_left_out(vec![0, 1, 2, 3]);
        // The last triangle is too steep.
        let slope = |&triangle: &u32| if triangle == 3 { RawArea::NULL } else { RawArea::WALKABLE };
        let mut slopes = TriangleSlopes {
            areas: without_left_out.iter().map(slope).collect(),
            triangles: without_left_out,
        };
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
    fn patterns_fit_whole_names() {
        for (pattern, names, others) in [
            ("Wall*", &["Wall", "Wall1", "Wall "][..], &["wall", "aWall", ""][..]),
            ("*Wall", &["Wall", "1Wall", "WallWall"], &["Wall1", "Wal"]),
            ("W?ll", &["Wall", "W\u{e4}ll", "W?ll"], &["Wll", "Waall"]),
            ("*", &["", "a", "*"], &[]),
            ("?", &["a", "\u{1f600}"], &["", "ab"]),
            ("a*b*c", &["abc", "aXbXc", "abcbc", "a*b*c"], &["ab", "abcd", "acb"]),
            ("**x", &["x", "axx"], &["xa"]),
            ("*?", &["a", "ab"], &[""]),
        ] {
            for name in names {
                assert!(fits(pattern, name), "{pattern} {name}");
            }
            for name in others {
                assert!(!fits(pattern, name), "{pattern} {name}");
            }
        }
        // A search with backtracking would not end.
        let (pattern, name) = (format!("{}b", "a*".repeat(2000)), "a".repeat(4000));
        assert!(!fits(&pattern, &name));
    }

    #[test]
    fn exact_names_go_before_patterns_and_later_patterns_before_earlier() {
        use SurfaceSource::{Material, Object};
        use SurfaceUse::{Area, LeftOut};
        let all = rule(Object, "*", Area(RawArea(5)));
        check(std::slice::from_ref(&all), &[0, 1, 2, 3], &[5, 5, 5, 0]);
        let with_e = rule(Object, "*e", LeftOut);
        check(&[all.clone(), with_e.clone()], &[0, 1], &[5, 5]);
        check(&[with_e.clone(), all.clone()], &[0, 1, 2, 3], &[5, 5, 5, 0]);
        let fence = rule(Object, "fence", Area(RawArea(7)));
        check(&[fence.clone(), all.clone(), with_e.clone()], &[0, 1, 2], &[5, 5, 7]);
        // Rules for objects take precedence over those for materials, even with a pattern.
        let wood = rule(Material, "wood", LeftOut);
        check(&[all.clone(), wood.clone()], &[0, 1, 2, 3], &[5, 5, 5, 0]);
        check(&[rule(Material, "w*", Area(RawArea(2))), wood.clone()], &[0, 1], &[63, 2]);
        let rules = [fence, all, with_e, wood];
        for part in mesh().parts() {
            let applying = SurfaceRule::applying(&rules, &part.object, &part.material);
            let prepared = Rules::new(&rules).use_of(part);
            assert_eq!(applying.map(|rule| rule.becomes), prepared, "{part:?}");
        }
        let (mesh, none) = (mesh(), rule(Object, "x*", LeftOut));
        let uses = pattern_uses(&mesh, &rules);
        let found: Vec<_> = uses.iter().map(|of| (&*of.rule.name, of.n_names, of.first)).collect();
        assert_eq!(found, [("*", 2, "floor"), ("*e", 1, "gate")]);
        assert_eq!(unused(&mesh, std::slice::from_ref(&none)), [&none]);
        assert!(pattern_uses(&mesh, std::slice::from_ref(&none)).is_empty());
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
