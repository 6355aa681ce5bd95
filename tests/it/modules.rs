//! Finds which modules of a crate use each other, from their syntax. Unit tests are ignored, since they may use
//! anything.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the sources should fail")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use syn::{
    Attribute, File, Ident, Item, ItemMod, ItemUse, Meta, UseTree, Visibility,
    visit::{self, Visit},
};

/// A path, as a list of names.
pub(crate) type Names = Vec<String>;

/// The paths that a file uses and re-exports.
#[derive(Debug, Default)]
struct Module {
    /// Paths that the file uses.
    uses: Vec<Names>,
    /// Names that the file re-exports, and the paths they refer to.
    passed_on: BTreeMap<String, Names>,
}

/// The modules of a crate by their path; the path of the root is empty.
#[derive(Debug, Default)]
pub(crate) struct Modules(BTreeMap<Names, Module>);

impl Modules {
    /// Reads the crate whose root file is in `folder`.
    pub(crate) fn read(folder: &Path) -> Self {
        let mut modules = Self::default();
        modules.add(&root_file(folder), folder, &[]);
        modules
    }

    /// Adds a file, and the files of its child modules, which are in `folder`.
    fn add(&mut self, file: &Path, folder: &Path, name: &[String]) {
        let text = fs::read_to_string(file).unwrap();
        self.add_text(&text, name.to_vec());
        for item in &parsed(&text).items {
            let Item::Mod(ItemMod { ident, content: None, attrs, .. }) = item else { continue };
            if attrs.iter().any(is_for_tests) {
                continue;
            }
            let inner = folder.join(ident.to_string());
            let beside = inner.with_extension("rs");
            let file = if beside.is_file() { beside } else { inner.join("mod.rs") };
            self.add(&file, &inner, &[name, &[ident.to_string()]].concat());
        }
    }

    fn add_text(&mut self, text: &str, name: Names) {
        let mut module = Module::default();
        module.visit_file(&parsed(text));
        self.0.insert(name, module);
    }

    /// Returns whether there is such a module.
    pub(crate) fn has(&self, name: &Names) -> bool {
        self.0.contains_key(name)
    }

    /// Returns all uses, as the module and the path that it uses.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&Names, &Names)> {
        self.0.iter().flat_map(|(name, module)| module.uses.iter().map(move |path| (name, path)))
    }

    /// Returns the module that defines the item to which `path` resolves in the module `from`; `None` for items of
    /// other crates.
    fn home(&self, from: &[String], path: &[String]) -> Option<Names> {
        let (mut at, mut rest) = match path.first()?.as_str() {
            "crate" => (Names::new(), &path[1..]),
            "super" | "self" => (from.to_vec(), path),
            first => {
                let inner = [from, &[first.to_owned()]].concat();
                self.0.contains_key(&inner).then_some((inner, &path[1..]))?
            }
        };
        while let Some((first, after)) = rest.split_first() {
            match first.as_str() {
                "self" => {}
                "super" => drop(at.pop()),
                name => {
                    let inner = [&at[..], &[name.to_owned()]].concat();
                    if self.0.contains_key(&inner) {
                        at = inner;
                    } else if let Some(meant) = self.0.get(&at)?.passed_on.get(name) {
                        let meant = [meant, after].concat();
                        return self.home(&at, &meant).or(Some(at));
                    } else {
                        return Some(at);
                    }
                }
            }
            rest = after;
        }
        self.0.contains_key(&at).then_some(at)
    }

    /// Returns all uses of other modules, as the module, the path that it uses, and the module that defines the item.
    /// Ancestors and descendants are not included, because they belong together.
    pub(crate) fn uses_of_others(&self) -> impl Iterator<Item = (&Names, &Names, Names)> {
        self.paths().filter_map(|(from, path)| {
            let to = self.home(from, path)?;
            let is_other = !to.starts_with(from) && !from.starts_with(&to);
            is_other.then_some((from, path, to))
        })
    }

    /// Returns the other modules that each module uses.
    fn uses(&self) -> BTreeMap<&Names, BTreeSet<Names>> {
        let mut uses: BTreeMap<&Names, BTreeSet<Names>> = BTreeMap::new();
        for (from, _, to) in self.uses_of_others() {
            uses.entry(from).or_default().insert(to);
        }
        uses
    }
}

/// Returns the root file of the crate in `folder`.
fn root_file(folder: &Path) -> PathBuf {
    let library = folder.join("lib.rs");
    if library.is_file() { library } else { folder.join("main.rs") }
}

/// Returns the modules that use each other in a cycle, one line each.
pub(crate) fn circles(modules: &Modules) -> Vec<String> {
    let uses = modules.uses();
    let mut lines = Vec::new();
    for (module, used) in &uses {
        let back = used.iter().filter(|used| reaches(&uses, used, module));
        let back: Vec<String> = back.map(|used| used.join("::")).collect();
        if !back.is_empty() {
            lines.push(format!("{} and {} use each other", module.join("::"), back.join(", ")));
        }
    }
    lines
}

fn reaches(uses: &BTreeMap<&Names, BTreeSet<Names>>, from: &Names, to: &Names) -> bool {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![from]);
    while let Some(name) = waiting.pop() {
        if name == to {
            return true;
        }
        if seen.insert(name) {
            waiting.extend(uses.get(name).into_iter().flatten());
        }
    }
    false
}

fn parsed(text: &str) -> File {
    syn::parse_file(text).unwrap()
}

/// Returns whether an item is compiled only for tests.
pub(crate) fn is_for_tests(attribute: &Attribute) -> bool {
    match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => {
            list.parse_args::<Ident>().is_ok_and(|only| only == "test" || only == "doctest")
        }
        _ => false,
    }
}

/// Calls `each` with every path of a `use` tree, and the name it is bound to.
pub(crate) fn leaves(
    tree: &UseTree,
    before: &[String],
    each: &mut impl FnMut(Names, Option<String>),
) {
    let longer = |name: &Ident| [before, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => leaves(&path.tree, &longer(&path.ident), each),
        UseTree::Name(name) => each(longer(&name.ident), Some(name.ident.to_string())),
        UseTree::Rename(name) => each(longer(&name.ident), Some(name.rename.to_string())),
        UseTree::Glob(_) => each(before.to_vec(), None),
        UseTree::Group(group) => {
            group.items.iter().for_each(|tree| leaves(tree, before, each));
        }
    }
}

/// Returns the paths of all uses in a file, tests included. A glob ends with `*`.
pub(crate) fn used_paths(text: &str) -> Vec<Names> {
    struct UsedPaths(Vec<Names>);
    impl<'ast> Visit<'ast> for UsedPaths {
        fn visit_item_use(&mut self, item: &'ast ItemUse) {
            leaves(&item.tree, &[], &mut |mut path, name| {
                path.extend(name.is_none().then(|| "*".to_owned()));
                self.0.push(path);
            });
        }
    }
    let mut uses = UsedPaths(Vec::new());
    uses.visit_file(&parsed(text));
    uses.0
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !attributes.iter().any(is_for_tests) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let is_passed_on = !matches!(item.vis, Visibility::Inherited);
        leaves(&item.tree, &[], &mut |path, name| match name {
            Some(name) if is_passed_on => drop(self.passed_on.insert(name, path)),
            _ => self.uses.push(path),
        });
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            self.uses.push(path.segments.iter().map(|part| part.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modules(files: &[(&str, &str)]) -> Modules {
        let mut modules = Modules::default();
        for (name, text) in files {
            let name = name.split("::").filter(|part| !part.is_empty()).map(str::to_owned);
            modules.add_text(text, name.collect());
        }
        modules
    }

    #[test]
    fn cycles_are_found_through_reexports() {
        let root = ("", "mod a; mod b; mod c; pub use b::{B, inner as other};");
        let a = ("a", "use crate::{B, c};");
        let b = ("b", "fn f() -> super::a::A { let x: u8 = 0; }");
        let c = ("c", "#[cfg(test)] mod tests { use crate::a::A; }");
        assert_eq!(
            circles(&modules(&[root, a, b, c])),
            ["a and b use each other", "b and a use each other"]
        );
        let b = ("b", "fn f() { super::c::g() }");
        assert_eq!(circles(&modules(&[root, a, b, c])), [""; 0]);
    }

    #[test]
    fn use_between_parent_and_child_is_not_a_cycle() {
        let root = ("", "mod a; mod b; pub struct R;");
        let a = ("a", "mod inner; use inner::I; pub struct A;");
        let inner = ("a::inner", "use super::A; use crate::{R, b::B};");
        let back = ("b", "use crate::a::A;");
        assert_eq!(circles(&modules(&[root, a, inner, back])), [""; 0]);
        let back = ("b", "use crate::a::inner::I;");
        assert_eq!(circles(&modules(&[root, a, inner, back])).len(), 2);
    }
}
