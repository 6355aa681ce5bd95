//! Pictures of the obstacles on the path.

use std::sync::Arc;

use walkable::{debug_draw::DrawList, route::RouteBreak};

use super::{Batch, DrawnPictures, PictureId, Pictures, STALE_OPACITY, ViewHalf, undivided};
use crate::session::{PathBreaks, Session, break_picture};

/// Opacity of the obstacles on the second and third best crossings.
const OTHERS_OPACITY: f32 = 0.5;
/// Line widths for the best crossing and for the others, in points.
const WIDTHS: [f32; 2] = [4.0, 2.5];

#[derive(Debug)]
pub(super) struct BreakPictures {
    serial: u64,
    lists: [Arc<DrawList>; 2],
}

impl BreakPictures {
    fn new(serial: u64, breaks: &PathBreaks<'_>) -> Self {
        let list = |breaks: &[&RouteBreak], width| {
            breaks.iter().fold(DrawList::default(), |mut list, found| {
                list.append(break_picture(found, width));
                list
            })
        };
        let lists = [list(&breaks.first, WIDTHS[0]), list(&breaks.others, WIDTHS[1])];
        Self { serial, lists: lists.map(Arc::new) }
    }
}

impl Pictures {
    /// Draws the obstacles on the path, paler if they are out of date.
    pub(super) fn draw_breaks(&mut self, session: &Session, drawn: &mut DrawnPictures) {
        let Some(breaks) = session.path_breaks() else {
            self.breaks = None;
            return;
        };
        let serial = session.path_why.serial;
        let kept = self.breaks.take().filter(|kept| kept.serial == serial);
        let kept = kept.unwrap_or_else(|| BreakPictures::new(serial, &breaks));
        let stale = if breaks.is_stale { STALE_OPACITY } else { 1.0 };
        let named = [(PictureId::OtherBreaks, OTHERS_OPACITY, 1), (PictureId::Breaks, 1.0, 0)];
        for (id, opacity, index) in named {
            let list = Arc::clone(&kept.lists[index]);
            let opacity = opacity * stale;
            let half = ViewHalf::of_current(session);
            if !list.is_empty() {
                drawn.batches.push(Batch { opacity, half, ..undivided(id, serial, list) });
            }
        }
        self.breaks = Some(kept);
    }
}
