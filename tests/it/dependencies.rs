//! Checks the dependencies against deny.toml: licenses, duplicates and sources. `cargo deny` also knows the advisories,
//! but it need not be installed for this test.

#![expect(clippy::unwrap_used, reason = "a test that cannot read the lists should fail")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

use serde_json::Value;

/// The contents of `deny.toml`.
struct Policy {
    licenses: BTreeSet<String>,
    /// Additional licenses allowed for single crates.
    exceptions: BTreeMap<String, BTreeSet<String>>,
    /// Versions allowed in addition to a newer one, as `name@version`.
    skipped: BTreeSet<String>,
    registries: BTreeSet<String>,
}

fn words(list: &toml::Value) -> BTreeSet<String> {
    list.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

impl Policy {
    fn read() -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("deny.toml");
        let policy: toml::Value = toml::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let crate_of = |entry: &toml::Value| entry["crate"].as_str().unwrap().to_owned();
        let exceptions = policy["licenses"]["exceptions"].as_array().unwrap().iter();
        let skipped = policy["bans"]["skip"].as_array().unwrap().iter();
        let with_reason = |entry: &toml::Value| {
            assert!(entry["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{entry}");
            crate_of(entry)
        };
        Self {
            licenses: words(&policy["licenses"]["allow"]),
            exceptions: exceptions.map(|one| (crate_of(one), words(&one["allow"]))).collect(),
            skipped: skipped.map(with_reason).collect(),
            registries: words(&policy["sources"]["allow-registry"]),
        }
    }

    /// Returns whether `license`, an SPDX expression, can be satisfied. Older crates write `/` instead of `OR`.
    fn allows(&self, name: &str, license: &str) -> bool {
        let own = self.exceptions.get(name);
        let is_met =
            |id: &str| self.licenses.contains(id) || own.is_some_and(|own| own.contains(id));
        let text = license.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
        let mut words = text.split_whitespace().peekable();
        let met = any_of(&mut words, &is_met);
        assert_eq!(words.next(), None, "{name}: {license}");
        met
    }
}

type LicenseWords<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any_of(words: &mut LicenseWords<'_>, is_met: &dyn Fn(&str) -> bool) -> bool {
    let mut met = all_of(words, is_met);
    while words.next_if_eq(&"OR").is_some() {
        met |= all_of(words, is_met);
    }
    met
}

fn all_of(words: &mut LicenseWords<'_>, is_met: &dyn Fn(&str) -> bool) -> bool {
    let mut met = one(words, is_met);
    while words.next_if_eq(&"AND").is_some() {
        met &= one(words, is_met);
    }
    met
}

fn one(words: &mut LicenseWords<'_>, is_met: &dyn Fn(&str) -> bool) -> bool {
    let word = words.next().unwrap();
    if word == "(" {
        let met = any_of(words, is_met);
        assert_eq!(words.next(), Some(")"));
        return met;
    }
    // An exception only grants additional rights, but deny.toml would have to name it.
    let has_exception = words.next_if_eq(&"WITH").is_some() && words.next().is_some();
    !has_exception && is_met(word)
}

/// Returns all packages in the lock file, according to `cargo metadata`.
fn packages() -> Vec<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version", "1", "--locked"]).current_dir(root);
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    all["packages"].as_array().unwrap().clone()
}

#[test]
fn dependencies_are_what_deny_toml_allows() {
    let policy = Policy::read();
    let mut problems = Vec::new();
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages() {
        let [name, version] = ["name", "version"].map(|key| package[key].as_str().unwrap());
        versions.entry(name.to_owned()).or_default().push(version.to_owned());
        let license = package["license"].as_str().unwrap_or("none");
        if !policy.allows(name, license) {
            problems.push(format!("{name} {version} has the license {license}"));
        }
        let source = package["source"].as_str();
        let is_known = |source: &str| {
            source
                .strip_prefix("registry+")
                .is_some_and(|registry| policy.registries.contains(registry))
        };
        if source.is_some_and(|source| !is_known(source)) {
            problems.push(format!("{name} {version} comes from {source:?}"));
        }
    }
    let mut needless = policy.skipped.clone();
    for (name, versions) in versions {
        let n_listed =
            versions.iter().filter(|version| needless.remove(&format!("{name}@{version}"))).count();
        if versions.len() > n_listed + 1 {
            problems.push(format!("{name} is used in versions {}", versions.join(" and ")));
        }
    }
    problems.extend(needless.iter().map(|entry| format!("{entry} is skipped needlessly")));
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn licenses_are_expressions() {
    let policy = Policy::read();
    for license in ["MIT", "GPL-3.0 OR MIT", "MIT/GPL-3.0", "(MIT OR GPL-3.0) AND Zlib"] {
        assert!(policy.allows("any", license), "{license}");
    }
    for license in ["GPL-3.0", "MIT AND GPL-3.0", "(GPL-3.0 OR MPL-2.0) AND MIT", "none", "MPL-2.0"]
    {
        assert!(!policy.allows("any", license), "{license}");
    }
    assert!(policy.allows("colored", "MPL-2.0"));
}
