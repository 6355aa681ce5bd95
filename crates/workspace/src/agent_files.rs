//! The files of an export that writes one file per agent.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// Returns a path per agent: `path` with the agent's name appended to the file name, as in `yard_knight.bin`. The name
/// is in lowercase, with `_` for all characters other than letters, digits and `-`. It gets a number if another agent
/// already has the same path.
pub fn agent_files<'a>(path: &Path, names: impl IntoIterator<Item = &'a str>) -> Vec<PathBuf> {
    let mut taken = BTreeSet::new();
    let mut free = |name: &str| {
        let name = file_word(name);
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut all = std::iter::once(name.clone()).chain(numbered);
        all.find(|name| taken.insert(name.clone())).unwrap_or(name)
    };
    names.into_iter().map(|name| with_word(path, &free(name))).collect()
}

fn file_word(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
    let word: String = name.to_lowercase().chars().map(plain).collect();
    let word = word.trim_matches('_');
    if word.is_empty() { "agent".to_owned() } else { word.to_owned() }
}

/// Appends `_` and `word` to the file name of `path`, before the extension.
fn with_word(path: &Path, word: &str) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push("_");
    name.push(word);
    if let Some(ending) = path.extension() {
        name.push(".");
        name.push(ending);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_agent_has_a_file_of_its_own() {
        let names = ["Knight", "Big  ogre!", "knight", "…", "Knight 2", "小精灵"];
        let files = agent_files(Path::new("out/old.town.bin"), names);
        let expected = ["knight", "big__ogre", "knight_2", "agent", "knight_2_2", "小精灵"];
        let expected = expected.map(|name| PathBuf::from(format!("out/old.town_{name}.bin")));
        assert_eq!(files, expected);
        assert_eq!(agent_files(Path::new("yard"), ["A"]), [PathBuf::from("yard_a")]);
    }
}
