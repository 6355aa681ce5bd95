//! Checks that the pages of settings, diagnostics and engines agree with the program. `UPDATE_DOCS=1` writes them
//! again.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the page should fail")]

use std::{fmt::Write as _, fs, path::Path};

use walkable::{
    bake::{PARAMS, Param, ParamGroup, ParamKind},
    diagnostic::{Code, CodePage},
    export::ExportFormat,
};

/// Returns the valid values of a setting, and the range of its slider.
fn values(param: &Param) -> String {
    match param.kind {
        ParamKind::Float { limits: [low, high], .. } => format!("{low} to {high}"),
        ParamKind::Integer { limits: [low, high], .. } => format!("{low} to {high}"),
        ParamKind::Choice(choices) => {
            choices.iter().map(|choice| choice.key).collect::<Vec<_>>().join(", ")
        }
        ParamKind::Switch => "0, 1".to_owned(),
        ParamKind::Place { .. } => "auto, or x,y,z".to_owned(),
    }
}

fn page() -> String {
    let mut page =
        "# Settings\n\nMade from the program's own table by `tests/it/docs.rs`. The same keys \
                    serve `--set key=value`, settings files (`key=value` a line) and the editor's \
                    panel. What a file leaves out has its default, RecastDemo's.\n"
            .to_owned();
    for group in ParamGroup::ALL {
        let title = group.label();
        write!(page, "\n## {title}\n\n| key | unit | values | default | meaning |\n").unwrap();
        page.push_str("|---|---|---|---|---|\n");
        for param in PARAMS.iter().filter(|param| param.group == group) {
            let Param { key, unit, tooltip, .. } = param;
            let (values, default) = (values(param), param.format(param.default_value()));
            let meaning = tooltip.replace('\n', " ");
            writeln!(page, "| `{key}` | {unit} | {values} | {default} | {meaning} |").unwrap();
        }
    }
    page
}

fn page_of_diagnostics() -> String {
    let mut page = "# Diagnostics\n\nMade from the program's own table by `tests/it/docs.rs`. Messages of the \
                    command line end in their code, `walkable explain CODE` prints its entry, and JSON has \
                    it as `code`, with `severity`, `text`, `locations`, `arguments` and `count`. With \
                    `--strict`, warnings and errors are refused; notes are not.\n"
        .to_owned();
    for code in Code::ALL {
        let CodePage { severity, title, text, cause, remedy, arguments } = code.page();
        write!(page, "\n## `{code}`\n\n{title} ({severity}).\n\n```text\n{text}\n```\n\n").unwrap();
        writeln!(page, "**Cause:** {cause}\n\n**Remedy:** {remedy}").unwrap();
        if !arguments.is_empty() {
            let shown = arguments.iter().map(|one| format!("`{}` ({})", one.name, one.unit));
            let shown: Vec<_> = shown.collect();
            writeln!(page, "\n**Arguments:** {}", shown.join(", ")).unwrap();
        }
    }
    page
}

#[track_caller]
fn check_current(name: &str, page: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&file, page).unwrap();
    }
    assert_eq!(fs::read_to_string(&file).unwrap_or_default(), page, "UPDATE_DOCS=1 writes it anew");
}

/// Returns the page of engines, with the tables of formats between their markers.
fn page_of_engines() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/engines.md");
    let page = fs::read_to_string(file).unwrap();
    let mut table =
        "| `--format` | file | read by | keeps | loses |\n|---|---|---|---|---|\n".to_owned();
    for format in ExportFormat::ALL {
        let (key, name, ending) = (format.key(), format.name(), format.ending());
        let (readers, keeps, loses) = (format.readers(), format.keeps(), format.loses());
        writeln!(table, "| `{key}` | {name} (`.{ending}`) | {readers} | {keeps} | {loses} |")
            .unwrap();
    }
    let mut stages = "| `--format` | keeps | loses |\n|---|---|---|\n".to_owned();
    for format in ExportFormat::of_stages() {
        let stage = format.stage().unwrap();
        writeln!(stages, "| `{}` | {} | {} |", format.key(), stage.keeps, stage.loses).unwrap();
    }
    with_table(&with_table(&page, "formats", &table), "stages", &stages)
}

/// Returns the page with `table` between the markers of that name.
fn with_table(page: &str, name: &str, table: &str) -> String {
    let markers = [format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->\n")];
    let (before, after) = page.split_once(&markers[0]).unwrap();
    let (_, after) = after.split_once(&markers[1]).unwrap();
    [before, &markers[0], table, &markers[1], after].concat()
}

#[test]
fn the_table_of_export_formats_is_current() {
    check_current("docs/engines.md", &page_of_engines());
}

#[test]
fn the_page_of_settings_is_current() {
    check_current("docs/settings.md", &page());
}

#[test]
fn the_page_of_diagnostics_is_current() {
    check_current("docs/diagnostics.md", &page_of_diagnostics());
}

/// Returns what a translation of a page has in common with it: the levels of its headings, its pictures and its code.
fn outline(page: &str) -> Vec<String> {
    let mut is_code = false;
    let mut outline = Vec::new();
    for line in page.lines() {
        let fence = line.starts_with("```");
        if is_code || fence {
            outline.push(line.to_owned());
            is_code ^= fence;
        } else if line.starts_with('#') {
            outline.push("#".repeat(line.len() - line.trim_start_matches('#').len()));
        } else if let Some((_, picture)) = line.split_once("](").filter(|_| line.starts_with("!["))
        {
            // Some pictures show the window in the language of the page.
            outline.push(picture.replace("-zh-CN", ""));
        }
    }
    outline
}

#[test]
fn the_chinese_guide_has_the_sections_pictures_and_commands_of_the_english_one() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let [english, chinese] =
        ["guide.md", "guide.zh-CN.md"].map(|name| fs::read_to_string(docs.join(name)).unwrap());
    assert_eq!(outline(&english), outline(&chinese));
}
