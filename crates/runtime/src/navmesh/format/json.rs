//! Serialization of navmeshes with serde.
//!
//! Text formats, such as JSON, get an object with the fields of [`NavMeshParams`] under `params`, the width of references,
//! and the tiles by slot, each with its reference. Binary formats get the bytes of a navmesh file. Input is validated as
//! that of files.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_bytes::ByteBuf;

use super::RefWidth;
use crate::navmesh::{NavMesh, NavMeshError, NavMeshParams, Tile, mesh::check_sound, seams::Seams};

/// The serialized fields of a navmesh.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts<T> {
    params: NavMeshParams,
    width: RefWidth,
    tiles: Vec<NamedTile<T>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedTile<T> {
    /// Salt and slot; polygon 0.
    reference: u64,
    tile: T,
}

impl Serialize for NavMesh {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return serializer.serialize_bytes(&self.to_bytes());
        }
        let tiles = self.live_tiles().map(|live| {
            let tile: &Tile = &live.tile;
            NamedTile { reference: live.poly_ref(0).0.get(), tile }
        });
        let parts = Parts { params: *self.params(), width: self.width(), tiles: tiles.collect() };
        parts.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for NavMesh {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            let bytes = ByteBuf::deserialize(deserializer)?;
            return Self::from_bytes(&bytes).map_err(D::Error::custom);
        }
        Self::from_parts(Parts::<Tile>::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// An error of serialized fields.
#[derive(Debug, thiserror::Error)]
enum PartsError {
    #[error(transparent)]
    Mesh(#[from] NavMeshError),
    #[error("tile {index}: its reference {reference:#x} names a polygon or has no salt")]
    BadReference { index: usize, reference: u64 },
    #[error("tile {index}: {error}")]
    BadTile { index: usize, error: NavMeshError },
}

impl NavMesh {
    fn from_parts(parts: Parts<Tile>) -> Result<Self, PartsError> {
        let mut mesh = Self::with_width(parts.params, parts.width)?;
        let mut seams = Seams::new();
        for (index, NamedTile { reference, tile }) in parts.tiles.into_iter().enumerate() {
            let name = mesh.tile_name(reference);
            let name = name.ok_or(PartsError::BadReference { index, reference })?;
            let added = check_sound(&tile)
                .and_then(|()| mesh.insert(Arc::new(tile), Some(name), &mut seams));
            added.map_err(|error| PartsError::BadTile { index, error })?;
        }
        mesh.settle(&seams);
        Ok(mesh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::navmesh::sample::{mesh, tile};

    #[test]
    fn json_gives_the_same_mesh_back() {
        let mut before = mesh([tile(0, 0, &["..", ".7"]), tile(1, 0, &["..", ".."])]);
        before.set_flags(before.poly_ref(1, 2).unwrap(), 9);
        let text = serde_json::to_string(&before).unwrap();
        let after: NavMesh = serde_json::from_str(&text).unwrap();
        assert_eq!(after.to_bytes(), before.to_bytes());
        assert_eq!((after.width(), after.stats()), (before.width(), before.stats()));
        assert!(
            text.starts_with(r#"{"params":{"origin":[0.0,0.0,0.0],"tile_width":2.0"#),
            "{text}"
        );
    }

    #[track_caller]
    fn check_error(from: &str, to: &str, expected: &str) {
        let text = serde_json::to_string(&mesh([tile(0, 0, &["..", ".."])])).unwrap();
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "nothing to change");
        let error = serde_json::from_str::<NavMesh>(&changed).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn json_is_validated() {
        check_error("\"tile_width\":2.0", "\"tile_width\":-2.0", "the tile width of the mesh");
        check_error(
            "\"vertices\":[0,3,4,1,",
            "\"vertices\":[0,3,400,1,",
            "polygon 0: corner is 400",
        );
        check_error("\"reference\":", "\"reference\":1", "tile 0: ");
        check_error("\"params\":", "\"extra\":1,\"params\":", "unknown field");
        check_error("\"area\":0", "\"area\":64", "polygon 0: area is 64");
    }
}
