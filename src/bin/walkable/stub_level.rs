//! Stand-in until the generator lands.
use glam::Vec3;
use walkable::{bake::BakeConfig, mesh::TriMesh};
pub(crate) struct BuiltinLevel { pub(crate) name: &'static str, pub(crate) description: &'static str }
pub(crate) struct GeneratedLevel { pub(crate) mesh: TriMesh, pub(crate) config: BakeConfig, pub(crate) start: Vec3, pub(crate) end: Vec3 }
pub(crate) const BUILTIN_LEVELS: &[BuiltinLevel] = &[BuiltinLevel { name: "sample", description: "A floor with a few boxes" }, BuiltinLevel { name: "town", description: "The same" }];
pub(crate) fn builtin(name: &str) -> Option<&'static BuiltinLevel> { BUILTIN_LEVELS.iter().find(|l| l.name == name) }
impl BuiltinLevel {
    pub(crate) fn read(&self) -> Result<GeneratedLevel, String> {
        let (mut v, mut t) = (Vec::new(), Vec::new());
        let mut quad = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| { let n = v.len() as u32; v.extend([a, b, c, d]); t.push([n, n + 1, n + 2]); t.push([n, n + 2, n + 3]); };
        let p = Vec3::new;
        quad(p(0., 0., 0.), p(0., 0., 30.), p(30., 0., 30.), p(30., 0., 0.));
        for (x, z, w, h) in [(5., 5., 4., 1.5), (14., 8., 6., 3.), (20., 20., 5., 0.6)] {
            let (a, b) = (p(x, 0., z), p(x + w, h, z + w));
            quad(p(a.x, b.y, a.z), p(a.x, b.y, b.z), p(b.x, b.y, b.z), p(b.x, b.y, a.z));
            quad(p(a.x, 0., b.z), p(b.x, 0., b.z), p(b.x, b.y, b.z), p(a.x, b.y, b.z));
            quad(p(b.x, 0., a.z), p(a.x, 0., a.z), p(a.x, b.y, a.z), p(b.x, b.y, a.z));
            quad(p(b.x, 0., b.z), p(b.x, 0., a.z), p(b.x, b.y, a.z), p(b.x, b.y, b.z));
            quad(p(a.x, 0., a.z), p(a.x, 0., b.z), p(a.x, b.y, b.z), p(a.x, b.y, a.z));
        }
        let mesh = TriMesh::new(v, t).map_err(|e| e.to_string())?;
        let mut config = BakeConfig::default();
        config.settings.tile_size = 32;
        Ok(GeneratedLevel { mesh, config, start: p(2., 0., 2.), end: p(27., 0., 27.) })
    }
}
