//! The mouse buttons and keys that move the camera, as in the programs that users know.

use serde::{Deserialize, Serialize};
use walkable_workspace::{lang::tr, table};

use crate::pointer::{PointerButton, PointerModifiers};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steering {
    Orbit,
    Pan,
    /// Moves the camera towards its target, or away.
    Dolly,
    /// Turns the camera in place; keys fly.
    Look,
}

impl Steering {
    pub fn what(self) -> &'static str {
        match self {
            Self::Orbit => tr!("Orbit around the view's center"),
            Self::Pan => tr!("Pan"),
            Self::Dolly => tr!("Zoom"),
            Self::Look => tr!("Look around; W, A, S, D, Q and E fly, the wheel sets the speed"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CameraDrag {
    pub button: PointerButton,
    /// The keys held when the button goes down; others may be held too.
    pub modifiers: PointerModifiers,
    pub steering: Steering,
}

impl CameraDrag {
    /// Returns the button and the keys in words, such as `Alt+left-drag`.
    pub fn input(self) -> String {
        let PointerModifiers { shift, command, alt } = self.modifiers;
        let keys = [(command, tr!("Ctrl")), (alt, tr!("Alt")), (shift, tr!("Shift"))];
        let button = match self.button {
            PointerButton::Primary => tr!("left-drag"),
            PointerButton::Secondary => tr!("right-drag"),
            PointerButton::Middle => tr!("middle-drag"),
        };
        let held = keys.iter().filter(|(held, _)| *held).map(|(_, name)| *name);
        let words: Vec<_> = held.chain([button]).collect();
        walkable_workspace::format::sentence(&words.join("+"))
    }

    fn n_modifiers(self) -> u8 {
        let PointerModifiers { shift, command, alt } = self.modifiers;
        [shift, command, alt].map(u8::from).iter().sum()
    }
}

const NONE: PointerModifiers = PointerModifiers { shift: false, command: false, alt: false };
const SHIFT: PointerModifiers = PointerModifiers { shift: true, ..NONE };
const CTRL: PointerModifiers = PointerModifiers { command: true, ..NONE };
const ALT: PointerModifiers = PointerModifiers { alt: true, ..NONE };
const ALT_SHIFT: PointerModifiers = PointerModifiers { shift: true, ..ALT };

const fn drag(
    modifiers: PointerModifiers,
    button: PointerButton,
    steering: Steering,
) -> CameraDrag {
    CameraDrag { button, modifiers, steering }
}

const LOOK: CameraDrag = drag(NONE, PointerButton::Secondary, Steering::Look);
const ALT_ORBIT: CameraDrag = drag(ALT, PointerButton::Primary, Steering::Orbit);
const ALT_SHIFT_PAN: CameraDrag = drag(ALT_SHIFT, PointerButton::Primary, Steering::Pan);
const CTRL_DOLLY: CameraDrag = drag(CTRL, PointerButton::Middle, Steering::Dolly);
const ALT_DOLLY: CameraDrag = drag(ALT, PointerButton::Secondary, Steering::Dolly);
const ALT_PAN: CameraDrag = drag(ALT, PointerButton::Middle, Steering::Pan);
const MIDDLE_ORBIT: CameraDrag = drag(NONE, PointerButton::Middle, Steering::Orbit);
const MIDDLE_PAN: CameraDrag = drag(NONE, PointerButton::Middle, Steering::Pan);
const SHIFT_PAN: CameraDrag = drag(SHIFT, PointerButton::Middle, Steering::Pan);

struct Row {
    name: &'static str,
    drags: &'static [CameraDrag],
}

table! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Navigation of Row {
        #[default]
        Walkable {
            name: "Walkable",
            drags: &[
                MIDDLE_ORBIT,
                ALT_ORBIT,
                SHIFT_PAN,
                ALT_SHIFT_PAN,
                ALT_DOLLY,
                LOOK,
            ],
        }
        Blender {
            name: "Blender",
            drags: &[
                MIDDLE_ORBIT,
                ALT_ORBIT,
                SHIFT_PAN,
                CTRL_DOLLY,
                LOOK,
            ],
        }
        Unreal {
            name: "Unreal",
            drags: &[LOOK, ALT_ORBIT, MIDDLE_PAN, ALT_DOLLY],
        }
        Unity {
            name: "Unity",
            drags: &[LOOK, ALT_ORBIT, MIDDLE_PAN, ALT_DOLLY],
        }
        Maya {
            name: "Maya",
            drags: &[ALT_ORBIT, ALT_PAN, ALT_DOLLY, LOOK],
        }
    }
}

impl Navigation {
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    pub const fn drags(self) -> &'static [CameraDrag] {
        self.row().drags
    }

    /// Returns the camera movement of a drag with `button` while the keys `held` are down. Of several matching rows,
    /// the one with the most keys applies. `None` leaves the drag to the tools.
    pub fn steering(self, button: PointerButton, held: PointerModifiers) -> Option<Steering> {
        let matches = |drag: &&CameraDrag| {
            let PointerModifiers { shift, command, alt } = drag.modifiers;
            drag.button == button
                && (held.shift || !shift)
                && (held.command || !command)
                && (held.alt || !alt)
        };
        let found = self.drags().iter().filter(matches);
        found.max_by_key(|drag| drag.n_modifiers()).map(|drag| drag.steering)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_left_drag_is_always_for_the_tools() {
        for navigation in Navigation::ALL {
            for held in [NONE, SHIFT, CTRL] {
                assert_eq!(navigation.steering(PointerButton::Primary, held), None);
            }
        }
    }

    #[test]
    fn every_preset_orbits_pans_and_flies_without_ambiguity() {
        for navigation in Navigation::ALL {
            for wanted in [Steering::Orbit, Steering::Pan, Steering::Look] {
                let drags = navigation.drags();
                assert!(drags.iter().any(|drag| drag.steering == wanted), "{navigation:?}");
            }
            for drag in navigation.drags() {
                let steering = navigation.steering(drag.button, drag.modifiers);
                assert_eq!(steering, Some(drag.steering), "{navigation:?}: {}", drag.input());
            }
        }
    }

    #[test]
    fn more_keys_take_precedence() {
        let walkable = Navigation::Walkable;
        let steering = |button, held| walkable.steering(button, held);
        assert_eq!(steering(PointerButton::Primary, ALT_SHIFT), Some(Steering::Pan));
        assert_eq!(steering(PointerButton::Secondary, SHIFT), Some(Steering::Look));
        assert_eq!(steering(PointerButton::Secondary, ALT), Some(Steering::Dolly));
        assert_eq!(CameraDrag { steering: Steering::Pan, ..ALT_ORBIT }.input(), "Alt+left-drag");
    }
}
