use std::{collections::BTreeSet, fs, path::Path};

use glam::Vec3;
use proc_macro2::{TokenStream, TokenTree};
use walkable::{
    bake::{AreaTable, PARAMS, Param, ParamGroup, ParamKind, Stage},
    diagnostic::{Code, Diagnostic, Finding, Location, Meters, SquareMeters},
    explain::{Cause, Measure, MeasureUnit, Reason, Verdict},
    export::ExportFormat,
    level::BUILTIN_LEVELS,
    route::RouteBreak,
};

use super::*;
use crate::units::{Units, set_units};

/// Returns the text of all arguments' braces: names in order, `0`, `1`, … for those without one.
fn placeholders(template: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut n_unnamed = 0;
    let template = template.replace("{{", "").replace("}}", "");
    for part in template.split('{').skip(1) {
        let name = part.split(['}', ':']).next().unwrap_or_default();
        if name.is_empty() {
            found.insert(n_unnamed.to_string());
            n_unnamed += 1;
        } else {
            found.insert(name.to_owned());
        }
    }
    found
}

/// Collects the texts of `tr!`, `text!`, `phrase!`, `counted` and `counted_value` from `tokens`.
fn collect(tokens: TokenStream, texts: &mut BTreeSet<String>) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let literals = |group: &proc_macro2::Group| -> Vec<String> {
        let parsed = group.stream().into_iter().filter_map(|token| match token {
            TokenTree::Literal(literal) => syn::parse_str::<syn::LitStr>(&literal.to_string()).ok(),
            TokenTree::Group(_) | TokenTree::Ident(_) | TokenTree::Punct(_) => None,
        });
        parsed.map(|literal| literal.value()).collect()
    };
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let named = |back: usize, name: &str| {
            let token = index.checked_sub(back).and_then(|at| tokens.get(at));
            token.is_some_and(|token| token.to_string() == name)
        };
        if named(1, "!") && ["tr", "text", "phrase"].into_iter().any(|name| named(2, name)) {
            texts.extend(literals(group).into_iter().next());
        }
        if ["counted", "counted_value"].into_iter().any(|name| named(1, name))
            && let [_one, many] = &literals(group)[..]
        {
            texts.insert(format!("{{n}} {many}"));
        }
        collect(group.stream(), texts);
    }
}

fn collect_folder(folder: &Path, texts: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("the folder can be read").path();
        let is_test = path
            .file_stem()
            .is_some_and(|name| name == "tests" || name == "lang" || name == "phrase");
        if is_test {
            continue;
        }
        if path.is_dir() {
            collect_folder(&path, texts);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let source = fs::read_to_string(&path).expect("sources are text");
            let tokens = source.parse().expect("sources are Rust");
            collect(tokens, texts);
        }
    }
}

/// Returns all texts that a catalog must translate: those of the sources, and those of tables in library crates.
fn texts() -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"));
    collect_folder(&workspace.join("src"), &mut texts);
    for other in ["editor", "window", "web", "tools", "bake", "runtime"] {
        collect_folder(&workspace.join("..").join(other).join("src"), &mut texts);
    }
    for own in ["src/lang/mod.rs", "src/lang/messages.rs"] {
        let own = fs::read_to_string(workspace.join(own)).expect("this module is there");
        collect(own.parse().expect("sources are Rust"), &mut texts);
    }
    for param in PARAMS {
        texts.extend([param.label, param.tooltip].map(str::to_owned));
        texts.extend((!param.zero.is_empty()).then(|| param.zero.to_owned()));
        if let ParamKind::Choice(choices) = param.kind {
            texts.extend(choices.iter().map(|choice| choice.label.to_owned()));
        }
    }
    texts.extend(ParamGroup::ALL.map(|group| group.label().to_owned()));
    texts.extend(BUILTIN_LEVELS.iter().map(|level| level.description.to_owned()));
    for page in Code::ALL.iter().map(|code| code.page()) {
        texts.extend([page.title, page.text, page.cause, page.remedy].map(str::to_owned));
    }
    for format in ExportFormat::ALL {
        let shown = [format.name(), format.readers(), format.keeps(), format.loses()];
        texts.extend(shown.map(str::to_owned));
        let stage = format.stage().map(|stage| [stage.keeps, stage.loses]);
        texts.extend(stage.iter().flatten().map(|&text| text.to_owned()));
    }
    texts.extend(AreaTable::default().all_flags().map(|flag| flag.what.to_owned()));
    texts.remove("");
    texts
}

pub(super) fn translated() -> impl Iterator<Item = (Language, Catalog)> {
    let others =
        Language::ALL.iter().copied().filter(|language| !language.row().catalog.is_empty());
    others.map(|language| {
        let catalog = Catalog::read(language.row().catalog);
        (language, catalog.unwrap_or_else(|why| panic!("{}: {why}", language.tag())))
    })
}

#[test]
fn each_text_is_translated_and_each_translation_is_used() {
    let texts = texts();
    assert!(texts.len() > 2000, "only {} texts were found", texts.len());
    for (language, catalog) in translated() {
        let missing: Vec<_> = texts.iter().filter(|text| catalog.get(text).is_none()).collect();
        assert!(missing.is_empty(), "{} does not translate {missing:#?}", language.tag());
        let unused = catalog.texts().filter(|(text, _)| !texts.contains(*text));
        let unused: Vec<_> = unused.map(|(text, _)| text).collect();
        assert!(unused.is_empty(), "{} translates what is not a text: {unused:#?}", language.tag());
    }
}

#[test]
fn translations_have_the_placeholders_of_their_texts() {
    for (language, catalog) in translated() {
        for (text, translation) in catalog.texts().chain(catalog.errors()) {
            let (own, other) = (placeholders(text), placeholders(translation));
            assert_eq!(own, other, "{}: {text:?} as {translation:?}", language.tag());
            assert!(!translation.contains("{}"), "{}: number {translation:?}", language.tag());
        }
    }
}

#[test]
fn locales_select_their_language() {
    for (locale, expected) in [
        ("zh_CN.UTF-8", Language::Chinese),
        ("zh-Hans-CN", Language::Chinese),
        ("en_US", Language::English),
        ("fr", Language::English),
        ("C", Language::English),
        ("", Language::English),
    ] {
        assert_eq!(Language::of_locale(locale), expected, "{locale}");
    }
}

#[test]
fn placeholders_are_filled_by_name() {
    let values = [("n", "3".to_owned()), ("0", "m".to_owned())];
    assert_eq!(fill("{0}：{n}", &values), "m：3");
    assert_eq!(fill("{{n}} {n}", &values), "{n} 3");
    assert_eq!(fill("没有", &values), "没有");
    assert_eq!(fill("{unknown", &values), "{unknown");
}

#[test]
fn the_language_belongs_to_the_thread() {
    set_language(Language::Chinese);
    assert_eq!(tr!("Bake"), "烘焙");
    assert_eq!(crate::format::counted(2, "polygon", "polygons"), "2 个多边形");
    assert_eq!(tr!("length {}", "1.25 m"), "长度 1.25 m");
    let finding = Finding::LevelTiny { side: Meters(0.5), scale: 100.0 };
    let text = diagnostic(&Diagnostic::new(finding).at(Location::Line(3)));
    assert_eq!(text, "关卡宽度仅 0.5 m，对代理来说太小：请尝试缩放 100");
    set_units(Units::Feet);
    let text = diagnostic(&Diagnostic::new(Finding::LevelTiny { side: Meters(0.5), scale: 100.0 }));
    assert_eq!(text, "关卡宽度仅 1.64 ft，对代理来说太小：请尝试缩放 100");
    set_units(Units::Meters);
    let other = std::thread::scope(|scope| scope.spawn(|| tr!("Bake")).join());
    assert_eq!(other.expect("the thread ends"), "Bake");
    set_language(Language::English);
    assert_eq!(tr!("Bake"), "Bake");
}

#[test]
fn explanations_are_in_the_language_and_the_unit_of_the_window() {
    let too_low = Reason::LowCeiling { room: 1.25, room_in_voxels: 1.25, needed: 2.0 };
    let lost = Verdict::Lost { stage: Stage::Filtered, reason: too_low };
    let step = RouteBreak {
        measure: Some(Measure {
            measured: Some(0.62),
            limit: Some(0.5),
            unit: MeasureUnit::Meters,
        }),
        ..RouteBreak::plain(Cause::Step, Vec3::ZERO, walkable::phrase!("no polygon is near"))
    };
    let texts = || [&lost.phrase(), &step.label(), &step.text].map(phrase);
    let english = ["not walkable: head room 1.25 m < 2 m", "step 0.62 m, climb 0.5 m"];
    assert_eq!(texts()[..2], english);
    set_language(Language::Chinese);
    let chinese = ["不可行走：净空 1.25 m < 2 m", "台阶 0.62 m，攀爬高度 0.5 m", "附近没有多边形"];
    assert_eq!(texts(), chinese);
    assert_eq!(in_english(texts)[..2], english);
    set_units(Units::Feet);
    assert_eq!(texts()[0], "不可行走：净空 4.1 ft < 6.56 ft");
    set_language(Language::English);
    assert_eq!(texts()[1], "step 2.03 ft, climb 1.64 ft");
    set_units(Units::Meters);
}

#[test]
fn diagnostics_are_in_the_unit_of_the_window() {
    let found = [
        Finding::LevelTiny { side: Meters(0.5), scale: 100.0 },
        Finding::IslandNotConnected { area: SquareMeters(2.5), n: 3 },
    ];
    let point = Location::Point(Vec3::new(1.5, 0.0, -2.25));
    let lines = || {
        found.clone().map(|found| phrase(&line(Diagnostic::new(found).at(point.clone()).times(2))))
    };
    let cases = [
        (
            Units::Meters,
            [
                "1.5,0,-2.25: the level is only 0.5 m across, too small for the agent: try a scale of 100 \
                 (and 1 more) [level-tiny]",
                "1.5,0,-2.25: an island of 2.5 m² is not connected to the largest one (polygons: 3) (and 1 \
                 more) [island-not-connected]",
            ],
        ),
        (
            Units::Centimeters,
            [
                "150,0,-225: the level is only 50 cm across, too small for the agent: try a scale of 100 \
                 (and 1 more) [level-tiny]",
                "150,0,-225: an island of 2.5 m² is not connected to the largest one (polygons: 3) (and 1 \
                 more) [island-not-connected]",
            ],
        ),
        (
            Units::Feet,
            [
                "4.92,0,-7.38: the level is only 1.64 ft across, too small for the agent: try a scale of \
                 100 (and 1 more) [level-tiny]",
                "4.92,0,-7.38: an island of 26.9 ft² is not connected to the largest one (polygons: 3) (and \
                 1 more) [island-not-connected]",
            ],
        ),
    ];
    for (units, expected) in cases {
        set_units(units);
        assert_eq!(lines(), expected);
        // Text and JSON of the command line.
        let text = Diagnostic::new(found[0].clone()).to_string();
        assert_eq!(
            text,
            "the level is only 0.5 m across, too small for the agent: try a scale of 100"
        );
    }
    set_units(Units::Meters);
}

/// A remedy that names a setting helps only if there is a setting with that name.
#[test]
fn remedies_name_settings_that_exist() {
    let is_key = |c: char| c.is_ascii_lowercase() || c == '_';
    for code in Code::ALL {
        let page = code.page();
        let words =
            [page.cause, page.remedy].into_iter().flat_map(|text| text.split(|c| !is_key(c)));
        let of_library = ["with_off_mesh"];
        let is_name =
            |word: &&str| word.contains('_') && word.split('_').all(|part| !part.is_empty());
        for key in words.filter(is_name).filter(|word| !of_library.contains(word)) {
            assert!(Param::find(key).is_ok(), "{code:?}: {key} is no setting");
        }
    }
}
