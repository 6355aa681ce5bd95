//! Finds `_ =>` arms over our own enums, which would give a new variant a meaning that nobody chose.
//!
//! Clippy's `wildcard_enum_match_arm` does not distinguish our enums from those of dependencies. Not considered are arms
//! over pairs, and enums of other crates that are `#[non_exhaustive]`, for which the compiler requires such an arm.

use std::collections::BTreeMap;

use syn::{
    Arm, ExprMatch, File, Item, ItemEnum, ItemFn, ItemImpl, ItemMod, Macro, Pat, Path, Type,
    Visibility,
    visit::{self, Visit},
};

use crate::modules::{Names, is_for_tests, leaves};

/// An enum of the workspace.
#[derive(Debug)]
struct OwnEnum {
    folder: String,
    is_public: bool,
    is_open: bool,
}

/// The enums of the workspace, by name.
#[derive(Debug, Default)]
pub(crate) struct Enums(BTreeMap<String, Vec<OwnEnum>>);

impl Enums {
    /// Adds the enums of a file of the crate in `folder`.
    pub(crate) fn add(&mut self, folder: &str, file: &File) {
        struct Found<'a>(&'a mut Enums, &'a str);
        impl<'ast> Visit<'ast> for Found<'_> {
            fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
                let found = OwnEnum {
                    folder: self.1.to_owned(),
                    is_public: matches!(item.vis, Visibility::Public(_)),
                    is_open: item.attrs.iter().any(|one| one.path().is_ident("non_exhaustive")),
                };
                self.0.0.entry(item.ident.to_string()).or_default().push(found);
            }

            /// Finds the enums in a call of a macro, such as `table!`, where they have the same form.
            fn visit_macro(&mut self, call: &'ast Macro) {
                let text = call.tokens.to_string();
                let words: Vec<_> = text.split_whitespace().collect();
                for triple in words.windows(3).filter(|triple| triple[1] == "enum") {
                    let (folder, is_public) = (self.1.to_owned(), triple[0] == "pub");
                    let found = OwnEnum { folder, is_public, is_open: false };
                    self.0.0.entry(triple[2].to_owned()).or_default().push(found);
                }
            }
        }
        Found(self, folder).visit_file(file);
    }

    /// Returns the enums over which a match in a file of the crate in `folder` has a `_ =>` arm.
    pub(crate) fn with_wildcards(&self, folder: &str, file: &File) -> Vec<String> {
        let mut uses = BTreeMap::new();
        for item in &file.items {
            if let Item::Use(item) = item {
                leaves(&item.tree, &[], &mut |path, name| {
                    drop(name.map(|it| uses.insert(it, path)));
                });
            }
        }
        let mut matches =
            Matches { enums: self, folder, uses, this: Vec::new(), found: Vec::new() };
        matches.visit_file(file);
        matches.found
    }
}

struct Matches<'a> {
    enums: &'a Enums,
    folder: &'a str,
    /// The paths to which imported names of the file refer.
    uses: BTreeMap<String, Names>,
    /// The types whose `impl` blocks are around the current item.
    this: Vec<String>,
    found: Vec<String>,
}

impl Matches<'_> {
    /// Returns the own enum whose variant `pattern` names.
    fn own_enum(&self, pattern: &Pat) -> Option<String> {
        match pattern {
            Pat::Or(any) => any.cases.iter().find_map(|one| self.own_enum(one)),
            Pat::Reference(inner) => self.own_enum(&inner.pat),
            Pat::Paren(inner) => self.own_enum(&inner.pat),
            Pat::Ident(name) => self.own_enum(&name.subpat.as_ref()?.1),
            Pat::Path(variant) => self.enum_of(&variant.path),
            Pat::TupleStruct(variant) => {
                let within = || variant.elems.first().and_then(|inner| self.own_enum(inner));
                self.enum_of(&variant.path).or_else(within)
            }
            Pat::Struct(variant) => self.enum_of(&variant.path),
            _ => None,
        }
    }

    fn enum_of(&self, variant: &Path) -> Option<String> {
        let names: Names = variant.segments.iter().map(|part| part.ident.to_string()).collect();
        let [.., name, _] = &names[..] else { return None };
        let name = if name == "Self" { self.this.last()? } else { name };
        let root = self.uses.get(&names[0]).map_or("self", |path| &path[0]);
        let is_ours = |one: &OwnEnum| match root {
            "crate" | "self" | "super" => one.folder == self.folder,
            root => root.starts_with("walkable") && one.is_public && !one.is_open,
        };
        self.enums.0.get(name)?.iter().any(is_ours).then(|| name.clone())
    }
}

impl<'ast> Visit<'ast> for Matches<'_> {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !item.attrs.iter().any(is_for_tests) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if !item.attrs.iter().any(is_for_tests) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let path = if let Type::Path(of) = &*item.self_ty { of.path.segments.last() } else { None };
        self.this.push(path.map(|part| part.ident.to_string()).unwrap_or_default());
        visit::visit_item_impl(self, item);
        self.this.pop();
    }

    fn visit_expr_match(&mut self, item: &'ast ExprMatch) {
        let is_wildcard = |arm: &Arm| arm.guard.is_none() && matches!(arm.pat, Pat::Wild(_));
        if item.arms.iter().any(is_wildcard) {
            self.found.extend(item.arms.iter().find_map(|arm| self.own_enum(&arm.pat)));
        }
        visit::visit_expr_match(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(of: &str, text: &str) -> Vec<String> {
        let mut enums = Enums::default();
        enums.add("shapes", &syn::parse_str("pub enum Shape { A, B } enum Own { A, B }").unwrap());
        enums.add("errors", &syn::parse_str("#[non_exhaustive] pub enum Open { A, B }").unwrap());
        enums.with_wildcards(of, &syn::parse_str(text).unwrap())
    }

    #[test]
    fn wildcards_over_own_enums_are_found() {
        let own = "impl Shape { fn f(self) -> u8 { match self { Self::A => 0, _ => 1 } } }";
        assert_eq!(found("shapes", own), ["Shape"]);
        let used =
            "use walkable::Shape; fn f(s: &Shape) -> u8 { match s { Shape::A => 0, _ => 1 } }";
        assert_eq!(found("window", used), ["Shape"]);
        let open = "fn f(it: Open) -> u8 { match it { Open::A => 0, _ => 1 } }";
        assert_eq!(found("errors", open), ["Open"]);
    }

    #[test]
    fn wildcards_that_are_needed_are_not_found() {
        let open = "use walkable::Open; fn f(it: Open) -> u8 { match it { Open::A => 0, _ => 1 } }";
        assert_eq!(found("window", open), [""; 0]);
        let foreign = "use egui::Shape; fn f(s: Shape) -> u8 { match s { Shape::A => 0, _ => 1 } }";
        assert_eq!(found("window", foreign), [""; 0]);
        let private = "use walkable::Own; fn f(o: Own) -> u8 { match o { Own::A => 0, _ => 1 } }";
        assert_eq!(found("window", private), [""; 0]);
        let pair = "use walkable::Shape;
            fn f(a: Shape, b: Shape) -> u8 { match (a, b) { (Shape::A, Shape::A) => 0, _ => 1 } }";
        assert_eq!(found("window", pair), [""; 0]);
        let test = "use walkable::Shape;
            #[cfg(test)] mod tests { fn f(s: Shape) -> u8 { match s { Shape::A => 0, _ => 1 } } }";
        assert_eq!(found("window", test), [""; 0]);
    }
}
