//! The page of settings says what the program knows. `UPDATE_DOCS=1` writes it anew.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the page should fail")]

use std::{fmt::Write as _, fs, path::Path};

use walkable::bake::{PARAMS, Param, ParamGroup, ParamKind};

/// What a setting may be, and how much of that its slider offers.
fn values(param: &Param) -> String {
    match param.kind {
        ParamKind::Float { limits: [low, high], .. } => format!("{low} to {high}"),
        ParamKind::Integer { limits: [low, high], .. } => format!("{low} to {high}"),
        ParamKind::Choice(choices) => {
            choices.iter().map(|choice| choice.key).collect::<Vec<_>>().join(", ")
        }
        ParamKind::Switch => "0, 1".to_owned(),
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

#[test]
fn the_page_of_settings_is_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/settings.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&file, page()).unwrap();
    }
    assert_eq!(fs::read_to_string(&file).unwrap_or_default(), page());
}
