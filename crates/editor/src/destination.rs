//! Finds a place from typed text: coordinates, a tile, a polygon reference, or the name of a saved place.

use std::num::NonZeroU64;

use glam::{Vec3, Vec3Swizzles as _};
use walkable::{ids::TileCoord, navmesh::PolyRef};
use walkable_workspace::lang::tr;

use crate::{
    answer::parse_coordinates,
    session::{LogPlace, Session, SessionView, middle_of},
};

/// Returns the place that `text` names, or a message for the user if it names none.
pub fn destination(text: &str, view: &SessionView<'_>) -> Result<Vec3, String> {
    let text = text.trim();
    let places = &view.document().places;
    if let Some(place) = places.iter().find(|place| place.name.eq_ignore_ascii_case(text)) {
        return Ok(place.at);
    }
    let lower = text.to_lowercase();
    if let Some(tile) = lower.strip_prefix("tile") {
        return tile_at(tile, view);
    }
    let reference = ["polygon", "ref"].iter().find_map(|word| lower.strip_prefix(word));
    if let Some(reference) = reference.or_else(|| lower.starts_with("0x").then_some(&lower)) {
        return polygon_at(reference, view);
    }
    parse_coordinates(text, view).ok_or_else(|| {
        tr!(
            "Expected three numbers, tile and two numbers, ref and a number, or the name of a place"
        )
        .to_owned()
    })
}

/// Returns the point of the open level that a log line refers to; `None` if the place is not there or is a file.
pub fn place_in_level(place: &LogPlace, session: &Session) -> Option<Vec3> {
    match place {
        LogPlace::Tile(coord) => ground_of(*coord, session).ok(),
        LogPlace::Polygon(reference) => middle_of_polygon(*reference, session),
        LogPlace::Point(point) => Some(*point),
        LogPlace::SceneItem(item) => {
            item.bounds_in(session.document()).map(|bounds| bounds.center())
        }
        LogPlace::File(_) => None,
    }
}

/// Returns a point on the ground of the tile whose column and row are in `text`, near the tile's center.
fn tile_at(text: &str, view: &SessionView<'_>) -> Result<Vec3, String> {
    let mut words = text.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
    let mut number = || words.next()?.parse().ok();
    let (Some(x), Some(z), None) = (number(), number(), number()) else {
        return Err(tr!("A tile has a column and a row: tile 3,4").to_owned());
    };
    ground_of(TileCoord::new(x, z), view)
}

/// Returns a point on the ground of a tile, near its center.
fn ground_of(coord: TileCoord, view: &Session) -> Result<Vec3, String> {
    if let Some(store) = &view.opened.store {
        let middle = store.middle_of(coord).ok_or_else(|| tr!("There is no tile {coord}"))?;
        let map = view.opened.overview.made.as_ref().map(|overview| &overview.map);
        let height = map.and_then(|map| map.height_at(middle.xz()));
        return Ok(middle.with_y(height.unwrap_or_else(|| view.bounds().center().y)));
    }
    let known = view.bake.plan.as_deref().filter(|_| view.bake.tiles.contains_key(&coord));
    let Some(plan) = known else { return Err(tr!("There is no tile {coord}")) };
    let middle = plan.tile_bounds(coord).center();
    let ground = view.bake.tiles.get(&coord).and_then(|result| result.baked.as_deref());
    let centers = ground
        .into_iter()
        .flat_map(|tile| tile.polys.iter().map(|poly| middle_of(&tile.corners(poly))));
    let off = |at: &Vec3| at.with_y(0.0).distance_squared(middle.with_y(0.0));
    Ok(centers.min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(middle))
}

/// Returns the center of the polygon whose reference is `text`, in decimal or hexadecimal.
fn polygon_at(text: &str, view: &SessionView<'_>) -> Result<Vec3, String> {
    let text = text.trim();
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    let Some(number) = number.ok().filter(|number| *number > 0) else {
        return Err(tr!("A reference is one number: ref 4194306, or 0x400002").to_owned());
    };
    middle_of_polygon(number, view).ok_or_else(|| tr!("No polygon has the reference {number}"))
}

fn middle_of_polygon(reference: u64, session: &Session) -> Option<Vec3> {
    let navmesh = session.bake.navmesh.as_deref()?;
    let (tile, index) = navmesh.resolve(PolyRef(NonZeroU64::new(reference)?))?;
    Some(middle_of(&tile.corners(tile.polys.get(index)?)))
}

#[cfg(test)]
mod tests {
    use walkable::diagnostic::Phrase;

    use super::*;
    use crate::{
        session::{Edit, Named, SavedPlace},
        testing,
    };

    #[test]
    fn places_are_found_by_what_users_type() {
        let mut session = testing::baked();
        let well = Named { name: "The well".to_owned(), ..SavedPlace { at: Vec3::X }.into() };
        session
            .history
            .change(Phrase::verbatim("Keep"), |document| Edit::Places(vec![well]).apply(document));
        let navmesh = session.bake.navmesh.clone().unwrap();
        let (slot, _) = navmesh.slots().next().unwrap();
        let first = navmesh.poly_ref(slot, 0).unwrap();
        let (tile, _) = navmesh.resolve(first).unwrap();
        let first_at = middle_of(&tile.corners(&tile.polys[0]));
        let view = SessionView { session: &session, auto_bake: true };
        let found = |text: &str| destination(text, &view);
        assert_eq!(found(" 1.5, -2 30 "), Ok(Vec3::new(1.5, -2.0, 30.0)));
        assert_eq!(found("the WELL"), Ok(Vec3::X));
        for text in [
            format!("ref {}", first.0),
            format!("0x{:x}", first.0),
            format!("Polygon 0x{:X}", first.0),
        ] {
            assert_eq!(found(&text), Ok(first_at), "{text}");
        }
        for text in ["tile 2,1", "Tile 2 1", "tile (2, 1)"] {
            let at = found(text).unwrap();
            assert!((19.2..24.0).contains(&at.x) && (9.6..19.2).contains(&at.z), "{text}: {at}");
        }
        for (text, why) in [
            ("tile 9,9", "no tile 9,9"),
            ("tile 2", "column and a row"),
            ("tile 1,2,3", "column and a row"),
            ("ref x", "one number"),
            ("0x7fffffff", "No polygon has"),
            ("1 2", "three numbers"),
            ("", "three numbers"),
        ] {
            let said = found(text).unwrap_err();
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}
