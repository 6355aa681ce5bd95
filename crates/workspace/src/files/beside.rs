//! The files that a file refers to, found in its content: a web page fetches them before it opens the file.

use std::path::Path;

use serde_json::Value;
use walkable::{
    bake::Gset,
    mesh::{LevelFormat, material_files, texture_files},
};

use super::FileKind;
use crate::searches::map_of_scenario;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileReference {
    /// The other file as a URI relative to the first.
    pub uri: String,
    /// Whether the first file cannot be opened without it.
    pub is_required: bool,
}

/// Returns the files that the file at `path` refers to: levels of projects and scenes, maps of scenarios, buffers and
/// images of glTF files, materials and textures of OBJ files. A damaged file has none.
pub fn references(path: &Path, content: &[u8]) -> Vec<FileReference> {
    let of_name =
        |is_required| move |name: String| FileReference { uri: to_uri(&name), is_required };
    let of_uri = |is_required| move |uri: String| FileReference { uri, is_required };
    let json = || serde_json::from_slice::<Value>(content).unwrap_or_default();
    let is_material = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("mtl"));
    match FileKind::of_name(path) {
        _ if is_material => texture_files(content).into_iter().map(of_name(false)).collect(),
        Some(FileKind::Project) => {
            let name = json()["level"]["file"].as_str().map(str::to_owned);
            name.into_iter().map(of_name(true)).collect()
        }
        Some(FileKind::Level(LevelFormat::Gltf)) => {
            let json = json();
            let uris = |list: &str| {
                let list = json[list].as_array().into_iter().flatten();
                let uris = list.filter_map(|one| one["uri"].as_str());
                uris.filter(|uri| !uri.starts_with("data:")).map(str::to_owned).collect::<Vec<_>>()
            };
            let buffers = uris("buffers").into_iter().map(of_uri(true));
            buffers.chain(uris("images").into_iter().map(of_uri(false))).collect()
        }
        Some(FileKind::Level(LevelFormat::Obj)) => {
            material_files(content).into_iter().map(of_name(false)).collect()
        }
        Some(FileKind::Scene) => {
            let scene = Gset::parse(&String::from_utf8_lossy(content));
            scene.into_iter().map(|scene| of_name(true)(scene.mesh)).collect()
        }
        Some(FileKind::GridScenario | FileKind::VolumeScenario) => {
            let map = map_of_scenario(path);
            let name = map.file_name().map(|name| name.to_string_lossy().into_owned());
            name.into_iter().map(of_name(true)).collect()
        }
        None
        | Some(
            FileKind::Repro
            | FileKind::Level(LevelFormat::Ply | LevelFormat::Stl)
            | FileKind::Suite
            | FileKind::TestCases
            | FileKind::Settings
            | FileKind::Triangles
            | FileKind::Navmesh
            | FileKind::TileStore
            | FileKind::Layers
            | FileKind::GridMap
            | FileKind::VolumeMap
            | FileKind::PolygonMesh,
        ) => Vec::new(),
    }
}

impl FileReference {
    pub fn name(&self) -> String {
        let mut bytes = Vec::with_capacity(self.uri.len());
        let mut rest = self.uri.as_bytes();
        while let [first, after @ ..] = rest {
            let digits = after.get(..2).filter(|_| *first == b'%');
            let byte = digits.and_then(|digits| std::str::from_utf8(digits).ok());
            let byte = byte.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            bytes.push(byte.unwrap_or(*first));
            rest = if byte.is_some() { &after[2..] } else { after };
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

fn to_uri(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let name = name.replace('\\', "/");
    let characters = name.bytes().map(|byte| {
        if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    });
    characters.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path, the content of the file, and the references in it.
    type Case = (&'static str, &'static [u8], &'static [(&'static str, bool)]);

    #[test]
    fn references_are_found_by_the_kind_of_file() {
        let project = br#"{"walkable_project": 1, "level": {"file": "my level.glb"}}"#;
        let gltf = br#"{"buffers": [{"uri": "a%20b.bin"}, {"uri": "data:,"}], "images": [{"uri": "c.png"}, {}]}"#;
        let mtl =
            b"newmtl a\nmap_Kd -s 1 1 1 wood\\a.png\nmap_d a.png\nnewmtl b\nmap_Kd wood/a.png\n";
        let cases: [Case; 9] = [
            ("a.walkable", project, &[("my%20level.glb", true)]),
            ("a.walkable", b"{", &[]),
            ("a.gltf", gltf, &[("a%20b.bin", true), ("c.png", false)]),
            ("a.glb", b"glTF", &[]),
            ("a.obj", b"mtllib a.mtl\nv 0 0 0\n", &[("a.mtl", false)]),
            ("A.MTL", mtl, &[("a.png", false), ("wood/a.png", false)]),
            ("a.gset", b"f Meshes\\dungeon.obj\n", &[("Meshes/dungeon.obj", true)]),
            ("dir/a.map.scen", b"version 1\n", &[("a.map", true)]),
            ("a.3dscen", b"", &[("a.3dmap", true)]),
        ];
        for (path, content, expected) in cases {
            let found = references(Path::new(path), content);
            let found: Vec<_> = found.iter().map(|one| (&*one.uri, one.is_required)).collect();
            assert_eq!(found, expected, "{path}");
        }
        for (uri, name) in [("a%20b.bin", "a b.bin"), ("%C3%a4/%2", "ä/%2"), ("%zz%", "%zz%")] {
            let reference = FileReference { uri: uri.to_owned(), is_required: false };
            assert_eq!(reference.name(), name);
        }
    }
}
