//! The names of the files of a web page. Each file is in a name space, and what a file names is in the same space.

use std::{
    ffi::OsStr,
    path::{Component, Path, PathBuf},
    sync::OnceLock,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// Preferences, recovery files and pictures of recent levels. Files in it may name files of all spaces.
    Program,
    User,
    /// Files of the link with this number. They are in memory only.
    Link(u128),
}

/// Names the folder of [`Space::Program`]. The page sets a random number, so that no text of a file can be a path into it.
static PROGRAM: OnceLock<u128> = OnceLock::new();

/// Sets the number in the name of the program's folder. The first call counts.
pub fn set_program_number(number: u128) {
    PROGRAM.set(number).ok();
}

impl Space {
    fn folder(self) -> String {
        match self {
            Self::Program => format!("program-{:032x}", PROGRAM.get().copied().unwrap_or(0)),
            Self::User => "files".to_owned(),
            Self::Link(number) => format!("link-{number:032x}"),
        }
    }

    fn of_folder(folder: &OsStr) -> Option<Self> {
        let folder = folder.to_str()?;
        let link = || u128::from_str_radix(folder.strip_prefix("link-")?, 16).ok().map(Self::Link);
        let spaces = [Some(Self::Program), Some(Self::User), link()];
        spaces.into_iter().flatten().find(|space| space.folder() == folder)
    }
}

/// A file of a page: a name in a space. The name has no root, `.` or `..`, so it does not leave the space.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PageFile {
    space: Space,
    name: PathBuf,
}

impl PageFile {
    pub fn named(space: Space, name: &Path) -> Self {
        Self { space, name: followed(PathBuf::new(), name.components()) }
    }

    /// Returns the file for a path of [`PageFile::path`]. Any other path is a name in [`Space::User`], because earlier
    /// versions stored such paths.
    pub fn at(path: &Path) -> Self {
        let is_name = |part: &Component<'_>| matches!(part, Component::Normal(_));
        let mut parts = path.components().skip_while(|part| !is_name(part)).peekable();
        let space = parts.peek().and_then(|folder| Space::of_folder(folder.as_os_str()));
        if space.is_some() {
            parts.next();
        }
        Self { space: space.unwrap_or(Space::User), name: followed(PathBuf::new(), parts) }
    }

    /// Returns the path of the file that files in the folder `self` call `name`.
    pub fn named_here(&self, name: &Path) -> PathBuf {
        match self.space {
            Space::Program => {
                let folder = self.path();
                let folder = folder.strip_prefix("/").unwrap_or(&folder).to_owned();
                Self::at(&followed(folder, name.components())).path()
            }
            Space::User | Space::Link(_) => {
                let name = followed(self.name.clone(), name.components());
                Self { space: self.space, name }.path()
            }
        }
    }

    pub fn space(&self) -> Space {
        self.space
    }

    pub fn name(&self) -> &Path {
        &self.name
    }

    pub fn path(&self) -> PathBuf {
        Path::new("/").join(self.space.folder()).join(&self.name)
    }
}

/// Returns the name, in the same space, of the file that the file `name` calls `other`.
pub fn name_beside(name: &Path, other: &Path) -> PathBuf {
    let mut folder = followed(PathBuf::new(), name.components());
    folder.pop();
    followed(folder, other.components())
}

/// Follows `parts` from `folder`. A root leads to the empty path, and `..` does not leave it.
fn followed<'a>(mut folder: PathBuf, parts: impl Iterator<Item = Component<'a>>) -> PathBuf {
    for part in parts {
        match part {
            Component::Normal(part) => folder.push(part),
            Component::ParentDir => drop(folder.pop()),
            Component::RootDir | Component::Prefix(_) => folder.clear(),
            Component::CurDir => {}
        }
    }
    folder
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACES: [Space; 4] =
        [Space::Program, Space::User, Space::Link(7), Space::Link(u128::MAX)];

    /// Names by which the files of one space could be meant in another, and names that say nothing.
    fn names() -> Vec<String> {
        let folders = SPACES.map(Space::folder);
        let into = folders.iter().flat_map(|folder| {
            let file = format!("{folder}/preferences.json");
            let starts =
                ["", "/", "//", "../", "../../../", "/../", "./", "a/../../", "\\", "..\\"];
            starts.map(|start| format!("{start}{file}"))
        });
        let odd = [
            "",
            ".",
            "..",
            "/",
            "//",
            "a//b",
            "%2e%2e/x",
            "%252e%252e%252fx",
            "..%2fx",
            "\u{ff0e}\u{ff0e}/x",
            "\u{2025}/x",
            "a\u{2215}..\u{2215}b",
            "a\0/../b",
            ".walkable/unsaved-0/running.walkable",
            "link-7/x",
            "link-+7/x",
            "LINK-00000000000000000000000000000007/x",
        ];
        into.chain(odd.map(str::to_owned)).collect()
    }

    #[test]
    fn a_name_stays_in_the_space_of_the_file_that_has_it() {
        for space in SPACES {
            for name in names() {
                let file = PageFile::named(space, Path::new(&name));
                assert_eq!(
                    (file.space(), PageFile::at(&file.path())),
                    (space, file.clone()),
                    "{name:?}"
                );
                for other in names().iter().filter(|_| space != Space::Program) {
                    let found =
                        PageFile::at(&PageFile::at(&file.path()).named_here(Path::new(other)));
                    assert_eq!(found.space(), space, "{name:?} names {other:?}");
                }
            }
        }
    }

    #[test]
    fn files_name_others_relative_to_their_folder_or_to_the_root_of_the_space() {
        let folder = PageFile::named(Space::Link(7), Path::new("levels/a"));
        let of_link = |name: &str| PageFile::named(Space::Link(7), Path::new(name)).path();
        for (name, expected) in [
            ("b.obj", "levels/a/b.obj"),
            ("../b.obj", "levels/b.obj"),
            ("../../../b.obj", "b.obj"),
            ("/b.obj", "b.obj"),
            ("/files/b.obj", "files/b.obj"),
        ] {
            assert_eq!(folder.named_here(Path::new(name)), of_link(expected), "{name}");
        }
        // The program's own files name any file.
        let folder = PageFile::named(Space::Program, Path::new("unsaved-0"));
        let user = PageFile::named(Space::User, Path::new("b.obj")).path();
        for name in ["../../files/b.obj", "/files/b.obj", "../../b.obj", "/b.obj"] {
            assert_eq!(folder.named_here(Path::new(name)), user, "{name}");
        }
        assert_eq!(PageFile::at(Path::new("/b.obj")).path(), user, "a path of an earlier version");
    }
}
