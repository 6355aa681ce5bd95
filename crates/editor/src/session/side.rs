//! The sides from which the 3D view looks along an axis.

use walkable_workspace::{lang::tr, table, text};

struct Row {
    name: &'static str,
    what: &'static str,
    /// The key that looks from there, together with Ctrl.
    key: char,
}

table! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Side of Row {
        Front {
            name: text!("Front view"),
            what: text!("Looks from +z at the center of the view"),
            key: '1',
        }
        Back {
            name: text!("Back view"),
            what: text!("Looks from −z at the center of the view"),
            key: '2',
        }
        Right {
            name: text!("Right view"),
            what: text!("Looks from +x at the center of the view"),
            key: '3',
        }
        Left {
            name: text!("Left view"),
            what: text!("Looks from −x at the center of the view"),
            key: '4',
        }
        Top {
            name: text!("View from above"),
            what: text!("Looks from above at the center of the view"),
            key: '7',
        }
        Bottom {
            name: text!("View from below"),
            what: text!("Looks from below at the center of the view"),
            key: '8',
        }
    }
}

impl Side {
    pub fn name(self) -> &'static str {
        tr(self.row().name)
    }

    pub fn what(self) -> &'static str {
        tr(self.row().what)
    }

    pub const fn key(self) -> char {
        self.row().key
    }
}
