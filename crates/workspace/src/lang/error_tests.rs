use std::{collections::BTreeSet, fs, path::Path};

use anyhow::Context as _;
use proc_macro2::{Group, TokenStream, TokenTree};
use walkable::{bake::BakeSettings, diagnostic::Phrase, mesh::MeshError};

use super::{errors::parts, tests::translated, *};

/// Crates whose errors the window shows.
const CRATES: [&str; 12] = [
    "bake",
    "editor",
    "export",
    "level-files",
    "mesh",
    "runtime",
    "search",
    "store",
    "tools",
    "web",
    "window",
    "workspace",
];

/// Files whose errors the window never shows. The command line shows those of shards of a bake, recorded crowds, pictures
/// without a window, and opening the window; scripts of the page get those of `hooks.rs`; those of `catalog.rs` are about
/// the translations themselves.
const NOT_SHOWN: [&str; 7] =
    ["shard.rs", "crowd_scene", "shot.rs", "screenshots.rs", "editor.rs", "hooks.rs", "catalog.rs"];

#[derive(Default)]
struct Texts {
    errors: BTreeSet<String>,
    all: BTreeSet<String>,
}

impl Texts {
    fn of_crates() -> Self {
        let mut texts = Self::default();
        for name in CRATES {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
            texts.read_folder(&folder);
        }
        texts.errors.retain(|text| has_words(text));
        texts
    }

    fn read_folder(&mut self, folder: &Path) {
        for entry in fs::read_dir(folder).expect("the sources are there") {
            let path = entry.expect("the folder can be read").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let stem = name.trim_end_matches(".rs");
            if stem.ends_with("tests") || stem == "testing" || NOT_SHOWN.contains(&name) {
                continue;
            }
            if path.is_dir() {
                self.read_folder(&path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let source = fs::read_to_string(&path).expect("sources are text");
                self.read(source.parse().expect("sources are Rust"));
            }
        }
    }

    fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        for (index, token) in tokens.iter().enumerate() {
            if let TokenTree::Literal(literal) = token {
                // Workers send texts as bytes.
                self.all.extend(text_of(literal.to_string().trim_start_matches('b')));
            }
            let TokenTree::Group(group) = token else { continue };
            let before = |back: usize| {
                let token = index.checked_sub(back).and_then(|at| tokens.get(at));
                token.map(TokenTree::to_string).unwrap_or_default()
            };
            if before(2) == "mod" && before(1) == "tests" {
                continue;
            }
            let is_macro = before(1) == "!" && ["bail", "anyhow", "ensure"].contains(&&*before(2));
            let is_call = ["error", "context", "Err", "ok_or"].contains(&&*before(1))
                || before(1) == "other" && before(2) == ":";
            if is_macro || is_call {
                self.errors.extend(first_text(group));
            }
            self.read(group.stream());
        }
    }
}

/// Returns the first argument of a macro or a function that is a text, also one of `format!`.
fn first_text(group: &Group) -> Option<String> {
    let tokens: Vec<_> = group.stream().into_iter().collect();
    let starts_argument = |at: usize| at == 0 || tokens[at - 1].to_string() == ",";
    (0..tokens.len()).filter(|&at| starts_argument(at)).find_map(|at| match &tokens[at..] {
        [TokenTree::Ident(name), _, TokenTree::Group(inner), ..] if name == "format" => {
            first_text(inner)
        }
        [text, ..] => text_of(&text.to_string()),
        [] => None,
    })
}

fn text_of(literal: &str) -> Option<String> {
    syn::parse_str::<syn::LitStr>(literal).ok().map(|text| text.value())
}

/// Returns whether the text has a word outside of its placeholders.
fn has_words(text: &str) -> bool {
    let (literals, _) = parts(text);
    literals.iter().any(|literal| literal.contains(|c: char| c.is_ascii_alphabetic()))
}

#[test]
fn each_error_is_translated_and_each_translation_is_of_a_text() {
    let texts = Texts::of_crates();
    assert!(texts.errors.len() > 400, "only {} errors were found", texts.errors.len());
    for (language, catalog) in translated() {
        let known: BTreeSet<_> = catalog.errors().map(|(text, _)| text).collect();
        let missing: Vec<_> =
            texts.errors.iter().filter(|text| !known.contains(&***text)).collect();
        assert!(missing.is_empty(), "{} does not translate {missing:#?}", language.tag());
        let unused: Vec<_> =
            known.into_iter().filter(|&text| text != ": " && !texts.all.contains(text)).collect();
        assert!(unused.is_empty(), "{} translates what is no text: {unused:#?}", language.tag());
    }
}

#[test]
fn the_text_of_each_template_is_translated_with_its_values() {
    let samples = ["7", "-1.5", "0x1f", "C:\\maps\\town.obj", "\"two_words\"", "12,-3"];
    for (language, catalog) in translated() {
        for (template, translation) in catalog.errors() {
            let (literals, names) = parts(template);
            for start in 0..samples.len() {
                let value = |index: usize| samples[(start + index) % samples.len()];
                let mut text = literals[0].clone();
                for (index, literal) in literals[1..].iter().enumerate() {
                    text += value(index);
                    text += literal;
                }
                let values = names.iter().enumerate().map(|(index, name)| (name, value(index)));
                let expected = fill(translation, &values.collect::<Vec<_>>());
                let found = catalog.error(&text).unwrap_or_default();
                if template.trim() == template {
                    assert_eq!(found, expected, "{}: {template:?}, {text:?}", language.tag());
                }
            }
        }
    }
}

#[test]
fn errors_are_in_the_language_of_the_thread() {
    let cases = [
        (
            "line 5: the facet has 2 vertices, but needs three",
            "第 5 行：面片有 2 个顶点，但需要三个",
        ),
        // With what they are about, and causes within each other.
        (
            "C:\\maps: 1\\town.obj: line 5: \"x: y\" is not a number",
            "C:\\maps: 1\\town.obj：第 5 行：\"x: y\" 不是数字",
        ),
        (
            "tile 3,4 layer 1 of the tile store is damaged: its checksum is wrong; bake it again",
            "瓦片存储的瓦片 3,4 层 1 已损坏：其检查码错误；请重新烘焙",
        ),
        ("cannot write /a/b: it is a folder", "无法写入 /a/b：它是文件夹"),
        (
            "cannot write /a/b: Permission denied (os error 13)",
            "无法写入 /a/b: Permission denied (os error 13)",
        ),
        ("line 3: vertex 5: \"a\" is not a number", "第 3 行：顶点 5：\"a\" 不是数字"),
        (
            "line 4: the area is `99`, but must be a whole number up to 63",
            "第 4 行：区域类型为“99”，应为：不超过 63 的整数",
        ),
        (
            "off-mesh link 3 has area 70, but areas go from 0 to 63",
            "网格外连接 3 的区域类型为 70，但区域类型为 0 到 63",
        ),
        // Names that contain texts of errors.
        (
            "object \"the file is missing\": the mesh has no triangles",
            "对象 \"the file is missing\"：网格没有三角形",
        ),
        ("\"cancelled\" is not a key", "\"cancelled\" 不是按键"),
        // Lists of remedies.
        (
            "the bake takes 3 h, more than the limit of 2 h; set tile_size=64 (about 2.1 GB, 20 min), or leave out \
             distant geometry",
            "烘焙需要 3 h，超过上限 2 h；设置 tile_size=64（约 2.1 GB，20 min），或排除远处的几何体",
        ),
        // Not texts of the program.
        ("No such file or directory (os error 2)", "No such file or directory (os error 2)"),
        ("town is large: 5", "town is large: 5"),
        ("", ""),
    ];
    for (english, chinese) in cases {
        assert_eq!(error_text(english), english);
        set_language(Language::Chinese);
        assert_eq!(error_text(english), chinese);
        assert_eq!(in_english(|| error_text(english)), english);
        set_language(Language::English);
    }
}

#[test]
fn errors_within_texts_of_the_window_are_translated() {
    let empty = Err::<(), _>(MeshError::Empty).context("cannot read town.obj");
    let chain = empty.expect_err("it is an error");
    let setting = BakeSettings::default().set("cell_size", "x").expect_err("it is no number");
    let why = walkable::phrase!("Cannot bake: {why}", why = setting.to_string());
    // The name of an item, which stays as it is.
    let item = walkable::phrase!("Change {name}", name = "cancelled");
    let texts = || [&error(&chain), &why, &item, &Phrase::verbatim("cancelled")].map(phrase);
    let english = [
        "cannot read town.obj: the mesh has no triangles",
        "Cannot bake: cell_size takes a number, not `x`",
        "Change cancelled",
        "cancelled",
    ];
    assert_eq!(texts(), english);
    set_language(Language::Chinese);
    let chinese = [
        "无法读取 town.obj：网格没有三角形",
        "无法烘焙：cell_size 应为：数字；实际为“x”",
        "更改cancelled",
        "已取消",
    ];
    assert_eq!(texts(), chinese);
    set_language(Language::English);
}
