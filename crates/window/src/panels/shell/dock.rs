//! The docking layout of the panels, in which the user can rearrange the tabs.

use std::collections::BTreeMap;

use eframe::egui::{
    self, Align2, Frame, Margin, Rect, Sense, Vec2, WidgetInfo, WidgetText, accesskit::Role, vec2,
};
use egui_tiles::{
    Behavior, Container, Linear, LinearDir, SimplificationOptions, TabState, Tabs, Tile, TileId,
    Tiles, Tree, UiResponse,
};
use serde::{Deserialize, Serialize};
use walkable_editor::{
    command::{Home, Pane, variant_id},
    ranges::{self, Corrected, NumberKind, NumberRange},
};
use walkable_workspace::lang::tr;

use crate::{
    icons,
    theme::Theme,
    widgets::{author_id::AuthorId as _, buttons},
};

/// Initial sizes, in points.
const LEFT: f32 = 280.0;
const RIGHT: f32 = 290.0;
const LEVEL: f32 = 320.0;
const DRAWER: f32 = 184.0;
/// Lengths in a saved layout, in points.
const LENGTHS: NumberKind = NumberKind::Real(0.0, 10_000.0);
/// Ranges of the numbers in a saved layout.
const RANGES: [NumberRange; 9] = {
    const fn range(path: &'static str, kind: NumberKind) -> NumberRange {
        NumberRange { path, kind }
    }
    [
        range("tree.id", NumberKind::Id),
        range("tree.root", NumberKind::Id),
        range("tree.tiles.next_tile_id", NumberKind::Id),
        range("tree.tiles.tiles.*.Container.*.children.*", NumberKind::Id),
        range("tree.tiles.tiles.*.Container.Tabs.active", NumberKind::Id),
        range("tree.tiles.tiles.*.Container.Linear.shares.shares.*", LENGTHS),
        range("tree.tiles.invisible.*", NumberKind::Id),
        range("drawer", NumberKind::Id),
        range("drawer_height", LENGTHS),
    ]
};
/// Maximum number of tiles in a saved layout, and how deep they are nested.
const MAX_TILES: usize = 1000;
const MAX_DEPTH: usize = 64;
/// Maximum id of a tile in a saved layout. New tiles get the ids after it.
const MAX_ID: u64 = 1 << 32;
const TREE: &str = "dock";
/// Minimum size of a panel, along either axis.
const SMALLEST: f32 = 90.0;
const TAB_BAR: f32 = 26.0;
/// Minimum width of the side panels, before they are folded.
const SMALLEST_SIDE: f32 = 230.0;
/// Minimum share of the width of the 3D view. Side panels are made narrower to leave it, then all are folded but the one
/// that was used last.
const VIEW_SHARE: f32 = 0.45;
/// Space between the border of a tab and its contents.
const TAB_MARGIN: f32 = 8.0;
const CROSS: f32 = 9.0;
const CROSS_GAP: f32 = 4.0;
const GAP: f32 = 1.0;

/// All panels and the 3D view, as a tree of rows, columns and tabs. The shares of rows and columns are lengths in
/// points. The 3D view takes the remaining space, so panels keep their sizes when the window grows.
#[derive(Debug, Serialize, Deserialize)]
pub struct Dock {
    tree: Tree<Pane>,
    /// The tab group under the 3D view.
    drawer: TileId,
    is_drawer_open: bool,
    /// Height of the open drawer, in points.
    drawer_height: f32,
    /// Side panels that are folded to a strip of titles, because the window is narrow.
    #[serde(skip)]
    folded: Vec<TileId>,
    #[serde(skip)]
    used: Option<TileId>,
    /// Widths of the side panels where there is room, by tile; the user sets them.
    #[serde(skip)]
    widths: BTreeMap<u64, f32>,
    /// Widths of side panels in this frame, as far as there is room.
    #[serde(skip)]
    fitted: BTreeMap<u64, f32>,
}

impl Default for Dock {
    fn default() -> Self {
        let mut tiles = Tiles::default();
        let mut tabs = |home: Home| {
            let here = Pane::ALL.iter().filter(|pane| pane.home() == home);
            let panes = here.map(|&pane| tiles.insert_pane(pane)).collect();
            tiles.insert_tab_tile(panes)
        };
        let (level, settings) = (tabs(Home::LeftAbove), tabs(Home::LeftBelow));
        let (view, drawer, right) = (tabs(Home::Center), tabs(Home::Drawer), tabs(Home::Right));
        let left = line(&mut tiles, LinearDir::Vertical, &[(level, LEVEL), (settings, 400.0)]);
        let middle = [(view, 600.0), (drawer, DRAWER)];
        let middle = line(&mut tiles, LinearDir::Vertical, &middle);
        let sides = [(left, LEFT), (middle, 800.0), (right, RIGHT)];
        let root = line(&mut tiles, LinearDir::Horizontal, &sides);
        let tree = Tree::new(egui::Id::unique(TREE), root, tiles);
        Self {
            tree,
            drawer,
            is_drawer_open: false,
            drawer_height: DRAWER,
            folded: Vec::new(),
            used: None,
            widths: BTreeMap::new(),
            fitted: BTreeMap::new(),
        }
    }
}

fn line(tiles: &mut Tiles<Pane>, dir: LinearDir, children: &[(TileId, f32)]) -> TileId {
    let mut linear = Linear::new(dir, children.iter().map(|&(child, _)| child).collect());
    for &(child, share) in children {
        linear.shares.set_share(child, share);
    }
    tiles.insert_container(linear)
}

impl Dock {
    /// Restores the layout that [`Dock::to_text`] wrote, with its lengths brought into their ranges; returns `None` if it
    /// cannot be shown, for example because another program wrote it.
    pub fn from_text(text: &str) -> Option<(Self, Corrected)> {
        let (dock, corrected) = ranges::read::<Self>(text, &RANGES).ok()?;
        Some((dock.checked()?, corrected))
    }

    /// Returns a layout that was read, with a tree of those tiles that belong to it.
    fn checked(self) -> Option<Self> {
        let (mut unchecked, root) = (self.tree.tiles, self.tree.root?);
        let mut tiles = Tiles::default();
        let mut n_panes = 0;
        take_tile(&mut unchecked, root, &mut tiles, &mut n_panes, MAX_DEPTH)?;
        let view = tiles.find_pane(&Pane::View)?;
        let is_whole = n_panes == Pane::ALL.len()
            && Pane::ALL.iter().all(|pane| tiles.find_pane(pane).is_some());
        let in_drawer =
            |drawer: &Container| matches!(drawer, Container::Tabs(_)) && !drawer.has_child(view);
        let is_usable = is_whole
            && unchecked.is_empty()
            && tiles.is_visible_in_layout(view)
            && tiles
                .get(self.drawer)
                .is_none_or(|tile| matches!(tile, Tile::Container(drawer) if in_drawer(drawer)));
        let tree = Tree::new(egui::Id::unique(TREE), root, tiles);
        is_usable.then_some(Self { tree, ..self })
    }

    pub fn to_text(&self) -> Option<String> {
        serde_json::to_string(self).ok()
    }

    pub fn is_in_front(&self, pane: Pane) -> bool {
        self.in_front().contains(&pane)
    }

    /// Returns the panes that are open and the active tabs of their groups, in the order of [`Pane::panels`].
    pub fn panels_in_front(&self) -> Vec<Pane> {
        let in_front = self.in_front();
        Pane::panels().filter(|pane| in_front.contains(pane)).collect()
    }

    /// Returns the panes that are open and the active tabs of their groups, and the 3D view.
    fn in_front(&self) -> Vec<Pane> {
        let is_shown = |id: TileId| {
            let is_folded = self.is_in_drawer(id) && !self.is_drawer_open;
            let is_in_strip = self.side_of(id).is_some_and(|side| self.folded.contains(&side));
            !is_folded && !is_in_strip
        };
        let pane = |id: &TileId| self.tree.tiles.get_pane(id).copied();
        let active = self.tree.active_tiles().into_iter().filter(|&id| is_shown(id));
        active.filter_map(|id| pane(&id)).collect()
    }

    fn is_in_drawer(&self, pane: TileId) -> bool {
        self.tree.tiles.parent_of(pane) == Some(self.drawer)
    }

    fn in_drawer(&self) -> Vec<TileId> {
        let drawer = self.tree.tiles.get_container(self.drawer);
        drawer.map(|drawer| drawer.children().copied().collect()).unwrap_or_default()
    }

    /// Returns the rectangle of `pane` in the last frame; `None` if it was not visible.
    pub fn rect_of(&self, pane: Pane) -> Option<Rect> {
        let id = self.tree.tiles.find_pane(&pane)?;
        self.is_in_front(pane).then(|| self.tree.tiles.rect(id)).flatten()
    }

    /// Returns the rectangle of the tab group of `pane` in the last frame; `None` if it was not visible.
    pub fn rect_of_group(&self, pane: Pane) -> Option<Rect> {
        let id = self.tree.tiles.find_pane(&pane)?;
        self.tree.tiles.rect(self.tree.tiles.parent_of(id)?)
    }

    pub fn bring(&mut self, pane: Pane) {
        let Some(id) = self.tree.tiles.find_pane(&pane) else { return };
        self.tree.set_visible(id, true);
        self.tree.make_active(|tile, _| tile == id);
        self.is_drawer_open |= self.is_in_drawer(id);
        let view = self.tree.tiles.find_pane(&Pane::View);
        let center = view.and_then(|view| self.side_of(view));
        self.use_side(self.side_of(id).filter(|&side| Some(side) != center));
    }

    /// Brings `pane` to the front, or closes it if it is already in front; the drawer is closed as a whole.
    pub fn toggle(&mut self, pane: Pane) {
        if pane == Pane::View || !self.is_in_front(pane) {
            return self.bring(pane);
        }
        let Some(id) = self.tree.tiles.find_pane(&pane) else { return };
        if self.is_in_drawer(id) {
            self.is_drawer_open = false;
        } else {
            self.tree.set_visible(id, false);
        }
    }

    /// Selects the tab of `pane` in its group. A panel that is closed or folded stays so.
    pub fn select(&mut self, pane: Pane) {
        let id = self.tree.tiles.find_pane(&pane);
        if let Some(id) = id.filter(|&id| self.tree.tiles.is_visible(id)) {
            self.tree.make_active(|tile, _| tile == id);
        }
    }

    /// Draws all open panes with `body`; returns the rectangle of the 3D view. `title` returns the text of a tab.
    pub fn ui(
        &mut self,
        ui: &mut egui::Ui,
        title: &dyn Fn(Pane) -> WidgetText,
        body: &mut dyn FnMut(&mut egui::Ui, Pane),
    ) -> Option<Rect> {
        let view = self.tree.tiles.find_pane(&Pane::View)?;
        self.fold(view, ui.available_width());
        let rect = self.strips_ui(ui, view);
        for &side in &self.folded {
            self.tree.tiles.set_visible(side, false);
        }
        self.fit(view, rect.size());
        let mut panes = Panes {
            title,
            body,
            view,
            in_groups: self.in_groups(),
            drawer: self.drawer,
            in_drawer: self.in_drawer(),
            is_drawer_open: self.is_drawer_open,
            clicked: None,
            toggles_drawer: false,
        };
        let front = self.tree.active_tiles();
        let dragged = self.tree.dragged_id(ui.ctx());
        ui.scope_builder(egui::UiBuilder::new().max_rect(rect), |ui| {
            self.tree.ui(&mut panes, ui);
        });
        let Panes { clicked, mut toggles_drawer, .. } = panes;
        if let Some(dragged) = dragged {
            self.lift_split(dragged);
        }
        if let Some(tab) = clicked.filter(|&tab| self.is_in_drawer(tab)) {
            // A click on the active tab closes the drawer.
            toggles_drawer |= front.contains(&tab) || !self.is_drawer_open;
        }
        self.measure();
        for &side in &self.folded {
            self.tree.tiles.set_visible(side, true);
        }
        if let Some(at) = ui.input(|input| input.pointer.press_origin()) {
            let is_at = |side: &TileId| {
                let rect = self.tree.tiles.rect(*side);
                !self.folded.contains(side) && rect.is_some_and(|rect| rect.contains(at))
            };
            self.use_side(self.sides(view).into_iter().find(is_at));
        }
        self.is_drawer_open ^= toggles_drawer;
        self.tree.tiles.rect(view)
    }

    /// Moves `dropped` out of its tab group if it was dropped beside a pane within the group, so that the whole
    /// group is split instead of one of its tabs.
    fn lift_split(&mut self, dropped: TileId) -> Option<()> {
        let tiles = &mut self.tree.tiles;
        let split = tiles.parent_of(dropped)?;
        let group = tiles.parent_of(split)?;
        let Container::Linear(linear) = tiles.get_container(split)? else { return None };
        let Container::Tabs(_) = tiles.get_container(group)? else { return None };
        let (dir, is_first) = (linear.dir, linear.children.first() == Some(&dropped));
        let line = tiles.parent_of(group)?;
        let Container::Linear(around) = tiles.get_container(line)? else { return None };
        let index = around.children.iter().position(|&child| child == group)?;
        let share = around.shares[group];
        if around.dir == dir {
            let index = if is_first { index } else { index + 1 };
            self.tree.move_tile_to_container(dropped, line, index, false);
            return Some(());
        }
        let both = tiles.insert_container(Linear::new(dir, Vec::new()));
        if let Some(Tile::Container(Container::Linear(around))) = tiles.get_mut(line) {
            around.shares.set_share(both, share);
        }
        self.tree.move_tile_to_container(both, line, index, false);
        self.tree.move_tile_to_container(group, both, 0, false);
        let index = usize::from(!is_first);
        self.tree.move_tile_to_container(dropped, both, index, false);
        Some(())
    }

    fn in_groups(&self) -> Vec<TileId> {
        let tiles = &self.tree.tiles;
        let groups = tiles.tiles().filter_map(|tile| match tile {
            Tile::Container(Container::Tabs(tabs)) => Some(&tabs.children),
            _ => None,
        });
        let open = groups.map(|group| group.iter().copied().filter(|&pane| tiles.is_visible(pane)));
        open.filter(|group| group.clone().count() > 1).flatten().collect()
    }

    /// Returns the open panels beside the column of the 3D view, from left to right.
    fn sides(&self, view: TileId) -> Vec<TileId> {
        let tiles = &self.tree.tiles;
        let root = self.tree.root().and_then(|root| tiles.get_container(root));
        let Some(Container::Linear(row)) = root else { return Vec::new() };
        let center = self.side_of(view);
        let open = row.children.iter().copied().filter(|&child| tiles.is_visible_in_layout(child));
        let beside = open.filter(|&child| Some(child) != center);
        if row.dir == LinearDir::Horizontal { beside.collect() } else { Vec::new() }
    }

    fn side_of(&self, tile: TileId) -> Option<TileId> {
        let parent = |&tile: &TileId| self.tree.tiles.parent_of(tile);
        let mut way = std::iter::successors(Some(tile), parent);
        way.find(|tile| self.tree.tiles.parent_of(*tile) == self.tree.root())
    }

    fn is_left_of(&self, side: TileId, view: TileId) -> bool {
        let root = self.tree.root().and_then(|root| self.tree.tiles.get_container(root));
        let center = self.side_of(view);
        let first = root.and_then(|root| {
            root.children().copied().find(|&child| child == side || Some(child) == center)
        });
        first == Some(side)
    }

    fn use_side(&mut self, side: Option<TileId>) {
        self.used = side.or(self.used);
    }

    /// Decides which side panels are folded in a window of this width: as few as possible, never the one used last.
    fn fold(&mut self, view: TileId, width: f32) {
        let mut sides = self.sides(view);
        sides.sort_by_key(|&side| Some(side) == self.used);
        let n = sides.len();
        let rest = |n_folded: usize| {
            let (open, folded) = (count(n - n_folded), count(n_folded));
            width - open * (SMALLEST_SIDE + GAP) - folded * TAB_BAR
        };
        let enough = (0..n).find(|&n_folded| rest(n_folded) >= VIEW_SHARE * width);
        sides.truncate(enough.unwrap_or_else(|| n.saturating_sub(1)));
        self.folded = sides;
    }

    /// Draws the folded side panels as strips of titles. Returns the rectangle that remains for the rest.
    fn strips_ui(&mut self, ui: &egui::Ui, view: TileId) -> Rect {
        let mut rect = ui.available_rect_before_wrap();
        let mut clicked = None;
        for &side in &self.folded {
            let strip = if self.is_left_of(side, view) {
                let strip = rect.with_max_x(rect.left() + TAB_BAR);
                rect.min.x = strip.max.x;
                strip
            } else {
                let strip = rect.with_min_x(rect.right() - TAB_BAR);
                rect.max.x = strip.min.x;
                strip
            };
            let is_here = |pane: &Pane| {
                let id = self.tree.tiles.find_pane(pane);
                let open = id.filter(|&id| self.tree.tiles.is_visible(id));
                open.is_some_and(|id| self.side_of(id) == Some(side))
            };
            let panes: Vec<Pane> = Pane::ALL.iter().copied().filter(is_here).collect();
            let here = strip_ui(ui, strip, &panes);
            clicked = clicked.or(here);
        }
        if let Some(pane) = clicked {
            self.bring(pane);
        }
        rect
    }

    /// Assigns to the 3D view the part of `size` that the other panes leave free.
    fn fit(&mut self, view: TileId, mut size: Vec2) {
        let root = self.tree.root();
        let tiles = &mut self.tree.tiles;
        let mut way = vec![view];
        while let Some(parent) = way.last().and_then(|&child| tiles.parent_of(child)) {
            way.push(parent);
        }
        for pair in way.windows(2).rev() {
            let (child, parent) = (pair[0], pair[1]);
            let Some(Container::Linear(linear)) = tiles.get_container(parent) else { continue };
            let axis = usize::from(linear.dir == LinearDir::Vertical);
            let are_sides = axis == 0 && Some(parent) == root;
            let shown = linear.children.iter().copied();
            let others: Vec<_> =
                shown.filter(|&c| c != child && tiles.is_visible_in_layout(c)).collect();
            let n = count(others.len());
            let room = size[axis] - GAP * n;
            let length = |&other: &TileId| {
                let own = sensible(linear.shares[other], axis);
                if are_sides {
                    return *self.widths.entry(other.0).or_insert(own);
                }
                match (other == self.drawer && axis == 1, self.is_drawer_open) {
                    (true, true) => self.drawer_height.max(SMALLEST),
                    (true, false) => TAB_BAR,
                    (false, _) => own,
                }
            };
            let wanted: Vec<_> = others.iter().map(length).collect();
            // In a small window, panels shrink before the view disappears.
            let (view_wants, smallest) = if are_sides {
                (VIEW_SHARE * size[axis], SMALLEST_SIDE)
            } else {
                (SMALLEST * 2.0, SMALLEST)
            };
            let most =
                (room - view_wants).max(smallest * n).min((room - SMALLEST).max(SMALLEST * n));
            let shrink = (most / wanted.iter().sum::<f32>().max(1.0)).min(1.0);
            let kept: Vec<_> = others.into_iter().zip(wanted.iter().map(|w| w * shrink)).collect();
            size[axis] = (room - kept.iter().map(|(_, share)| share).sum::<f32>()).max(SMALLEST);
            let Some(Tile::Container(Container::Linear(linear))) = tiles.get_mut(parent) else {
                continue;
            };
            for (other, share) in kept {
                linear.shares.set_share(other, share);
                if are_sides {
                    self.fitted.insert(other.0, share);
                }
            }
            linear.shares.set_share(child, size[axis]);
        }
    }

    /// Converts the shares of rows and columns to lengths.
    fn measure(&mut self) {
        let tiles = &mut self.tree.tiles;
        let ids: Vec<_> = tiles.tile_ids().collect();
        for id in ids {
            let Some(rect) = tiles.rect(id) else { continue };
            let Some(Container::Linear(linear)) = tiles.get_container(id) else { continue };
            let axis = usize::from(linear.dir == LinearDir::Vertical);
            let children = linear.children.iter().copied();
            let shown: Vec<_> = children.filter(|&c| tiles.is_visible_in_layout(c)).collect();
            let room = rect.size()[axis] - GAP * count(shown.len().saturating_sub(1));
            let lengths = linear.shares.split(&shown, room);
            if let Some(Tile::Container(Container::Linear(linear))) = tiles.get_mut(id) {
                for (child, length) in shown.into_iter().zip(lengths) {
                    linear.shares.set_share(child, length);
                    // The user dragged its border.
                    if self.fitted.get(&child.0).is_some_and(|fitted| (fitted - length).abs() > 0.5)
                    {
                        self.widths.insert(child.0, length);
                    }
                    if child == self.drawer && self.is_drawer_open {
                        self.drawer_height = length;
                    }
                }
            }
        }
    }
}

/// Draws the titles of `panes` on their sides, from top to bottom; returns the one that was clicked.
fn strip_ui(ui: &egui::Ui, strip: Rect, panes: &[Pane]) -> Option<Pane> {
    let theme = Theme::of(ui.ctx().theme());
    let mut top = strip.top() + TAB_MARGIN / 2.0;
    let mut clicked = None;
    for &pane in panes {
        let font = egui::TextStyle::Button.resolve(ui.style());
        let galley = ui.painter().layout_no_wrap(pane.name().to_owned(), font, theme.text_weak);
        let [width, height] = [galley.size().x, galley.size().y];
        let rect = Rect::from_min_size(
            egui::pos2(strip.left(), top),
            vec2(strip.width(), width + 2.0 * TAB_MARGIN),
        );
        top = rect.bottom();
        let id = ui.scope_id().with(("strip", variant_id(pane)));
        let title = ui.interact(rect.shrink(1.0), id, Sense::click());
        title.widget_info(|| WidgetInfo::labeled(Role::Button, true, pane.name()));
        let title = title.author_id(format_args!("strip.{}", variant_id(pane)));
        if title.hovered() || title.has_focus() {
            ui.painter().rect_filled(rect.shrink(1.0), 2.0, ui.visuals().widgets.hovered.bg_fill);
        }
        // Turned by a quarter around its upper left corner.
        let at = egui::pos2(rect.center().x + height / 2.0, rect.top() + TAB_MARGIN);
        let text = egui::epaint::TextShape::new(at, galley, theme.text_weak);
        ui.painter().add(text.with_angle(std::f32::consts::FRAC_PI_2));
        if title.on_hover_text(pane.name()).clicked() {
            clicked = Some(pane);
        }
    }
    clicked
}

/// Returns the length of a panel. A panel that was just dropped has no length yet and gets a default.
fn sensible(share: f32, axis: usize) -> f32 {
    if share < SMALLEST / 2.0 { [RIGHT, DRAWER][axis] } else { share.max(SMALLEST) }
}

#[expect(clippy::cast_precision_loss, reason = "a handful of panels")]
fn count(n: usize) -> f32 {
    n as f32
}

/// Draws the button that closes `tab`, visible while the pointer is over the tab. Returns whether it was clicked.
fn cross_ui(ui: &egui::Ui, tab: &egui::Response) -> bool {
    let rect = Align2::RIGHT_CENTER
        .align_size_within_rect(Vec2::splat(CROSS), tab.rect.shrink(TAB_MARGIN));
    let id = ui.auto_id_with("close");
    // Tab does not stop here: panels are closed from the menu, too.
    let cross = ui.interact(rect.expand(2.0), id, Sense::CLICK | Sense::DRAG);
    cross.widget_info(|| WidgetInfo::labeled(Role::Button, true, tr!("Close")));
    if tab.hovered() || cross.hovered() {
        let stroke = ui.style().interact(&cross).fg_stroke;
        let rect = rect.shrink(1.5);
        ui.painter().line_segment([rect.left_top(), rect.right_bottom()], stroke);
        ui.painter().line_segment([rect.right_top(), rect.left_bottom()], stroke);
    }
    cross.clicked()
}

/// Moves the tile `id` and all tiles below it from `from` to `to`, and counts the panes among them. `None` if the tree
/// is damaged or too large.
fn take_tile(
    from: &mut Tiles<Pane>,
    id: TileId,
    to: &mut Tiles<Pane>,
    n_panes: &mut usize,
    depth: usize,
) -> Option<()> {
    // A tile that belongs to two others is gone the second time.
    let mut tile =
        from.remove(id).filter(|_| depth > 0 && id.0 <= MAX_ID && to.len() < MAX_TILES)?;
    match &mut tile {
        Tile::Pane(_) => *n_panes += 1,
        Tile::Container(container) => {
            match container {
                Container::Tabs(tabs) => {
                    tabs.active = tabs.active.filter(|active| tabs.children.contains(active));
                }
                Container::Linear(_) => {}
                // The window never makes one.
                Container::Grid(_) => return None,
            }
            for &child in container.children() {
                take_tile(from, child, to, n_panes, depth - 1)?;
            }
        }
    }
    to.set_visible(id, from.is_visible(id));
    to.insert(id, tile);
    Some(())
}

struct Panes<'a> {
    title: &'a dyn Fn(Pane) -> WidgetText,
    body: &'a mut dyn FnMut(&mut egui::Ui, Pane),
    view: TileId,
    in_groups: Vec<TileId>,
    drawer: TileId,
    in_drawer: Vec<TileId>,
    is_drawer_open: bool,
    clicked: Option<TileId>,
    toggles_drawer: bool,
}

impl Behavior<Pane> for Panes<'_> {
    fn pane_ui(&mut self, ui: &mut egui::Ui, id: TileId, pane: &mut Pane) -> UiResponse {
        if self.in_drawer.contains(&id) && !self.is_drawer_open {
            return UiResponse::None;
        }
        if *pane == Pane::View {
            (self.body)(ui, *pane);
            return UiResponse::None;
        }
        Frame::new().inner_margin(Margin::symmetric(8, 4)).show(ui, |ui| {
            ui.take_available_space();
            (self.body)(ui, *pane);
        });
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        (self.title)(*pane)
    }

    fn tab_ui(
        &mut self,
        tiles: &mut Tiles<Pane>,
        ui: &mut egui::Ui,
        id: egui::Id,
        tile: TileId,
        state: &TabState,
    ) -> egui::Response {
        let theme = Theme::of(ui.ctx().theme());
        let color = if state.active { theme.text } else { theme.text_weak };
        let text = self.tab_title_for_tile(tiles, tile);
        let font = egui::TextStyle::Button;
        let galley = text.into_galley(ui, Some(egui::TextWrapMode::Extend), f32::INFINITY, font);
        let closing = if state.closable { CROSS_GAP + CROSS } else { 0.0 };
        let size = vec2(galley.size().x + 2.0 * TAB_MARGIN + closing, ui.available_height());
        let (_, rect) = ui.allocate_space(size);
        let is_draggable = self.is_tile_draggable(tiles, tile);
        let sense = if is_draggable { Sense::click_and_drag() } else { Sense::click() };
        let tab = ui.interact(rect, id, sense);
        let tab = match tiles.get(tile) {
            Some(Tile::Pane(pane)) => {
                let name = pane.name();
                tab.widget_info(|| WidgetInfo::selected(Role::Button, true, state.active, name));
                tab.author_id(format_args!("tab.{}", variant_id(pane)))
            }
            Some(Tile::Container(_)) | None => tab,
        };
        if tab.clicked() {
            self.clicked = Some(tile);
        }
        if !ui.is_rect_visible(rect) || state.is_being_dragged {
            return tab;
        }
        // A single panel needs no mark for the active tab.
        let is_folded = self.in_drawer.contains(&tile) && !self.is_drawer_open;
        if state.active && self.in_groups.contains(&tile) && !is_folded {
            ui.painter().rect_filled(rect.shrink(0.5), 0.0, ui.visuals().selection.bg_fill);
        }
        let at = Align2::LEFT_CENTER.align_size_within_rect(galley.size(), rect.shrink(TAB_MARGIN));
        ui.painter().galley(at.min, galley, color);
        let closes = state.closable && (cross_ui(ui, &tab) || tab.middle_clicked());
        if closes {
            self.on_tab_close(tiles, tile);
        }
        tab
    }

    fn top_bar_right_ui(
        &mut self,
        _: &Tiles<Pane>,
        ui: &mut egui::Ui,
        group: TileId,
        _: &Tabs,
        _: &mut f32,
    ) {
        if group == self.drawer {
            let (icon, name) = if self.is_drawer_open {
                (icons::ICON_KEYBOARD_ARROW_DOWN, tr!("Close the drawer"))
            } else {
                (icons::ICON_KEYBOARD_ARROW_UP, tr!("Open the drawer"))
            };
            let button = buttons::icon(ui, icon, name).author_id("drawer.toggle");
            self.toggles_drawer |= button.clicked();
        }
    }

    fn is_tab_closable(&self, _: &Tiles<Pane>, tile: TileId) -> bool {
        tile != self.view
    }

    fn on_tab_close(&mut self, tiles: &mut Tiles<Pane>, tile: TileId) -> bool {
        // Hidden instead of removed, so that it reappears at the same position.
        tiles.set_visible(tile, false);
        false
    }

    fn is_tab_bar_visible(&self, _: TileId, tabs: &Tabs) -> bool {
        tabs.children != [self.view]
    }

    fn is_tile_draggable(&self, _: &Tiles<Pane>, tile: TileId) -> bool {
        tile != self.view
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: true, ..SimplificationOptions::default() }
    }

    fn min_size(&self) -> f32 {
        SMALLEST
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        GAP
    }

    fn tab_bar_height(&self, _: &egui::Style) -> f32 {
        TAB_BAR
    }

    fn tab_bar_color(&self, _: &egui::Visuals) -> egui::Color32 {
        egui::Color32::TRANSPARENT
    }

    fn tab_bar_hline_stroke(&self, _: &egui::Visuals) -> egui::Stroke {
        egui::Stroke::NONE
    }

    fn resize_stroke(&self, style: &egui::Style, state: egui_tiles::ResizeState) -> egui::Stroke {
        match state {
            egui_tiles::ResizeState::Idle => style.visuals.widgets.noninteractive.bg_stroke,
            egui_tiles::ResizeState::Hovering => style.visuals.widgets.hovered.fg_stroke,
            egui_tiles::ResizeState::Dragging => style.visuals.selection.stroke,
        }
    }
}

#[cfg(test)]
mod tests {
    use egui_tiles::GridLayout;
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_layout_is_read_as_it_was_written() {
        let mut dock = Dock::default();
        dock.toggle(Pane::Log);
        dock.toggle(Pane::Inspector);
        let (read, corrected) = Dock::from_text(&dock.to_text().unwrap()).unwrap();
        assert!(corrected.is_empty());
        assert_eq!(read.tree, dock.tree);
        assert_eq!(read.is_drawer_open, dock.is_drawer_open);
    }

    #[test]
    fn a_layout_without_a_pane_or_in_pieces_is_refused() {
        let mut dock = Dock::default();
        let log = dock.tree.tiles.find_pane(&Pane::Log).unwrap();
        let text = dock.to_text().unwrap();
        assert!(Dock::from_text(&text).is_some());
        dock.tree.remove_recursively(log);
        assert!(Dock::from_text(&dock.to_text().unwrap()).is_none());
        assert!(Dock::from_text(&text.replacen("\"root\":", "\"wood\":", 1)).is_none());
        let mut loose = Dock::default();
        let _ = loose.tree.tiles.insert_tab_tile(Vec::new());
        assert!(Dock::from_text(&loose.to_text().unwrap()).is_none());
    }

    #[test]
    fn a_pane_comes_to_the_front_and_closes() {
        let mut dock = Dock::default();
        dock.toggle(Pane::Log);
        assert!(dock.is_in_front(Pane::Log) && !dock.is_in_front(Pane::Lab));
        dock.toggle(Pane::Log);
        assert!(!dock.is_in_front(Pane::Log));
        dock.toggle(Pane::Log);
        assert!(dock.is_in_front(Pane::Log));
        dock.toggle(Pane::View);
        assert!(dock.is_in_front(Pane::View));
    }

    #[test]
    fn side_panels_shrink_and_then_fold_for_the_view() {
        let mut dock = Dock::default();
        let tiles = &dock.tree.tiles;
        let view = tiles.find_pane(&Pane::View).unwrap();
        let [left, right] = dock.sides(view)[..] else { panic!("two sides") };
        let center = dock.side_of(view).unwrap();
        // Default widths, narrower ones, one folded, one folded although the view has less than it wants.
        for (width, n_folded) in [(1600.0, 0), (1040.0, 0), (853.0, 0), (800.0, 1), (420.0, 1)] {
            dock.fold(view, width);
            assert_eq!(dock.folded.len(), n_folded, "{width}");
            let room = width - count(n_folded) * TAB_BAR;
            dock.folded.iter().for_each(|&side| dock.tree.tiles.set_visible(side, false));
            dock.fit(view, Vec2::new(room, 700.0));
            dock.folded.iter().for_each(|&side| dock.tree.tiles.set_visible(side, true));
            let Some(Container::Linear(row)) =
                dock.tree.tiles.get_container(dock.tree.root().unwrap())
            else {
                panic!("a row")
            };
            let share = row.shares[center] / width;
            assert!(share >= 0.42 || width < 500.0, "{width}: {share}");
            let [of_left, of_right] = [left, right].map(|side| row.shares[side]);
            assert!(width < 1500.0 || (of_left, of_right) == (LEFT, RIGHT), "{of_left} {of_right}");
        }
        for (pane, folded) in [(Pane::Level, right), (Pane::Inspector, left)] {
            dock.bring(pane);
            dock.fold(view, 700.0);
            assert_eq!(dock.folded, [folded]);
            assert!(dock.is_in_front(pane));
        }
        assert!(!dock.is_in_front(Pane::Level), "its panel is folded");
    }

    #[test]
    fn the_view_takes_what_the_window_gains() {
        let mut dock = Dock::default();
        let view = dock.tree.tiles.find_pane(&Pane::View).unwrap();
        let group = dock.tree.tiles.parent_of(view).unwrap();
        let column = dock.tree.tiles.parent_of(group).unwrap();
        let row = dock.tree.tiles.parent_of(column).unwrap();
        for width in [1200.0, 3000.0, 640.0] {
            dock.fit(view, Vec2::new(width, 900.0));
            let Some(Container::Linear(linear)) = dock.tree.tiles.get_container(row) else {
                panic!("the view stands in a row")
            };
            let sum: f32 = linear.children.iter().map(|&child| linear.shares[child]).sum();
            assert!((sum + 2.0 * GAP - width).abs() < 0.01, "{width}: {sum}");
            if width > 1000.0 {
                assert!((linear.shares[linear.children[0]] - LEFT).abs() < 0.01, "{width}");
            }
        }
    }

    /// Draws some frames of a layout.
    fn draw(ctx: &egui::Context, dock: &mut Dock) {
        let screen = Rect::from_min_size(egui::Pos2::ZERO, vec2(1280.0, 720.0));
        for _ in 0..3 {
            let input = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
            ctx.run_ui(input, |ui| {
                dock.ui(ui, &|pane| pane.name().into(), &mut |_, _| ());
            })
            .textures_delta
            .clear();
        }
    }

    fn default_value() -> Value {
        let mut dock = Dock::default();
        dock.toggle(Pane::Log);
        dock.toggle(Pane::Inspector);
        serde_json::from_str(&dock.to_text().unwrap()).unwrap()
    }

    /// Returns the places of all values in `value` that `is_sought`.
    fn places(value: &Value, is_sought: &dyn Fn(&Value) -> bool, at: &str, out: &mut Vec<String>) {
        if is_sought(value) {
            out.push(at.to_owned());
        }
        match value {
            Value::Array(all) => all.iter().enumerate().for_each(|(n, value)| {
                places(value, is_sought, &format!("{at}/{n}"), out);
            }),
            Value::Object(all) => all.iter().for_each(|(key, value)| {
                places(value, is_sought, &format!("{at}/{key}"), out);
            }),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    #[test]
    fn a_layout_with_any_value_replaced_is_drawn_or_refused() {
        let whole = default_value();
        let mut all = Vec::new();
        places(&whole, &|_| true, "", &mut all);
        let (ctx, mut n_drawn, mut n_refused) = (egui::Context::default(), 0, 0);
        for place in all {
            for by in [
                "0",
                "-1",
                "1e38",
                "1e300",
                "9223372036854775808",
                "18446744073709551615",
                "null",
                "[]",
                "{}",
                "\"View\"",
                "true",
            ] {
                let mut hostile = whole.clone();
                *hostile.pointer_mut(&place).unwrap() = serde_json::from_str(by).unwrap();
                match Dock::from_text(&hostile.to_string()) {
                    Some((mut dock, _)) => {
                        n_drawn += 1;
                        draw(&ctx, &mut dock);
                        assert!(
                            Dock::from_text(&dock.to_text().unwrap()).is_some(),
                            "{place} {by}"
                        );
                    }
                    None => n_refused += 1,
                }
            }
        }
        assert!(n_drawn > 100 && n_refused > 100, "{n_drawn} drawn, {n_refused} refused");
    }

    #[test]
    fn lengths_out_of_range_are_corrected() {
        let mut hostile = default_value();
        let mut shares = Vec::new();
        let is_length = |value: &Value| value.is_number();
        places(&hostile, &is_length, "", &mut shares);
        shares.retain(|place| place.contains("/shares/shares/") || place.ends_with("_height"));
        for (place, by) in shares.iter().zip([-7.0, 1e38, 0.0].into_iter().cycle()) {
            *hostile.pointer_mut(place).unwrap() = by.into();
        }
        let (mut dock, corrected) = Dock::from_text(&hostile.to_string()).unwrap();
        assert!(
            corrected.phrase().to_string().contains("1e+38 -> 10000.0"),
            "{}",
            corrected.phrase()
        );
        draw(&egui::Context::default(), &mut dock);
    }

    #[test]
    fn a_layout_that_the_window_never_makes_is_refused() {
        let ctx = egui::Context::default();
        let change = |change: &dyn Fn(&mut Dock)| {
            let mut dock = Dock::default();
            change(&mut dock);
            Dock::from_text(&dock.to_text().unwrap()).map(|(mut dock, _)| draw(&ctx, &mut dock))
        };
        assert!(change(&|_| ()).is_some());
        let grid = |dock: &mut Dock, layout: GridLayout| {
            let root = dock.tree.root.unwrap();
            let mut grid = egui_tiles::Grid::new(vec![root]);
            grid.layout = layout;
            dock.tree.root = Some(dock.tree.tiles.insert_container(grid));
        };
        assert!(change(&|dock| grid(dock, GridLayout::Columns(1 << 63))).is_none());
        assert!(change(&|dock| grid(dock, GridLayout::Auto)).is_none());
        // The 3D view in the drawer, which can be closed.
        let view = |dock: &Dock| dock.tree.tiles.find_pane(&Pane::View).unwrap();
        assert!(
            change(&|dock| dock.drawer = dock.tree.tiles.parent_of(view(dock)).unwrap()).is_none()
        );
        assert!(change(&|dock| dock.drawer = dock.tree.root.unwrap()).is_none());
        assert!(change(&|dock| dock.drawer = view(dock)).is_none());
        // A drawer whose panes were all moved is gone.
        assert!(change(&|dock| dock.drawer = TileId(1 << 40)).is_some());
        for depth in [MAX_DEPTH, 200_000] {
            let nest = |dock: &mut Dock| {
                for _ in 0..depth {
                    let root = dock.tree.root.unwrap();
                    dock.tree.root = Some(dock.tree.tiles.insert_tab_tile(vec![root]));
                }
            };
            assert!(change(&nest).is_none(), "{depth}");
        }
        // A tile that belongs to two groups, and one that contains itself.
        let adopt = |dock: &mut Dock, child: TileId| {
            let drawer = dock.drawer;
            if let Some(Tile::Container(drawer)) = dock.tree.tiles.get_mut(drawer) {
                drawer.add_child(child);
            }
        };
        assert!(change(&|dock| adopt(dock, view(dock))).is_none());
        assert!(change(&|dock| adopt(dock, dock.drawer)).is_none());
        assert!(change(&|dock| adopt(dock, TileId(77_777))).is_none());
        assert!(change(&|dock| dock.tree.root = None).is_none());
        assert!(change(&|dock| dock.tree.set_visible(view(dock), false)).is_none());
        let text = Dock::default().to_text().unwrap();
        for text in
            [&text.replacen("\"Log\"", "\"Nothing\"", 1), "", "[", "{}", &"[".repeat(1 << 20)]
        {
            assert!(Dock::from_text(text).is_none());
        }
    }
}
