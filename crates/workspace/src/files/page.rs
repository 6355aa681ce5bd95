//! The files of a web page: in memory, by name. The page itself stores them in the browser and downloads them.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, ErrorKind},
    iter,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use anyhow::Context as _;

use super::{
    endings,
    space::{PageFile, Space},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change<'a> {
    /// Stores it in the browser; if it is a file of the user, downloads it, too.
    Written(&'a [u8]),
    Stored(&'a [u8]),
    Removed,
}

/// Called with each change by the program. Returns why the page cannot carry it out.
pub type Listener = fn(&PageFile, Change<'_>) -> Result<(), String>;

#[derive(Debug, Default)]
struct Store {
    files: BTreeMap<PageFile, Arc<[u8]>>,
    /// Levels of links in saved projects, and the files of the user that they were copied to.
    copies: BTreeMap<PageFile, PageFile>,
    stored_links: BTreeSet<u128>,
    listener: Option<Listener>,
}

static STORE: Mutex<Store> = Mutex::new(Store {
    files: BTreeMap::new(),
    copies: BTreeMap::new(),
    stored_links: BTreeSet::new(),
    listener: None,
});

fn files() -> MutexGuard<'static, Store> {
    STORE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `listener` for all changes by the program from now on.
pub fn listen(listener: Listener) {
    files().listener = Some(listener);
}

/// Adds a file that the page was given or has stored. The listener is not called.
pub fn add(file: PageFile, bytes: &[u8]) {
    files().files.insert(file, bytes.into());
}

/// Stores an added file in the browser.
pub fn store(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    tell(&PageFile::at(path), Change::Stored(bytes))
}

fn tell(file: &PageFile, change: Change<'_>) -> anyhow::Result<()> {
    // The listener may call functions of this module.
    let listener = files().listener;
    let told = listener.map_or(Ok(()), |listener| listener(file, change));
    told.map_err(anyhow::Error::msg)
}

/// Writes a file and tells the listener. Fails for a file of a link, because these are not changed.
pub(super) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let context = || format!("cannot write {}", path.display());
    let file = PageFile::at(path);
    if matches!(file.space(), Space::Link(_)) {
        return Err(anyhow::anyhow!("files of a link are not changed")).with_context(context);
    }
    files().files.insert(file.clone(), bytes.into());
    tell(&file, Change::Written(bytes)).with_context(context)
}

pub(super) fn read(path: &Path) -> io::Result<Arc<[u8]>> {
    let found = files().files.get(&PageFile::at(path)).cloned();
    found.ok_or_else(|| {
        let text = "this page has no such file: drop it on the page together with the others";
        io::Error::new(ErrorKind::NotFound, text)
    })
}

pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let folder = PageFile::at(folder).path();
    files_below(&folder).into_iter().filter(|path| path.parent() == Some(&folder)).collect()
}

pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let folder = PageFile::at(folder).path();
    files().files.keys().map(PageFile::path).filter(|path| path.starts_with(&folder)).collect()
}

/// Returns false: files of a page are in no folders.
pub fn is_folder(_path: &Path) -> bool {
    false
}

pub fn is_file(path: &Path) -> bool {
    files().files.contains_key(&PageFile::at(path))
}

pub fn exists(path: &Path) -> bool {
    is_file(path)
}

pub fn remove(path: &Path) -> io::Result<()> {
    let file = PageFile::at(path);
    files().files.remove(&file).ok_or(ErrorKind::NotFound)?;
    tell(&file, Change::Removed).map_err(io::Error::other)
}

/// Does nothing: names need no folder.
#[expect(clippy::unnecessary_wraps, reason = "as on a disk")]
pub const fn create_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Returns the path of the file that a file in `folder` calls `name`: in the same space.
pub fn named_in(folder: &Path, name: &Path) -> PathBuf {
    PageFile::at(folder).named_here(name)
}

/// Returns the folder of names that are not relative to the file in `folder` that has them.
pub fn working_folder(folder: &Path) -> PathBuf {
    named_in(folder, Path::new("/"))
}

fn is_project(name: &Path) -> bool {
    name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(endings::PROJECT))
}

/// Returns the path of the file of the user that is saved as `name`. A project gets a number if there is another one.
pub fn path_to_save(name: &Path) -> PathBuf {
    let path = |name: &Path| PageFile::named(Space::User, name).path();
    let is_project = is_project(name);
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    let ending = name.extension().unwrap_or_default().to_string_lossy();
    let numbered = (1..).map(|n: u32| path(Path::new(&format!("{stem}-{n}.{ending}"))));
    let mut all = iter::once(path(name)).chain(numbered);
    all.find(|path| !is_project || !is_file(path)).unwrap_or_else(|| path(name))
}

/// Returns whether recovery files may be in `folder`: only the program writes them.
pub fn may_have_recovery_files(folder: &Path) -> bool {
    PageFile::at(folder).space() == Space::Program
}

/// Returns whether `path` is a file of a link, which is in memory only.
pub fn is_of_link(path: &Path) -> bool {
    matches!(PageFile::at(path).space(), Space::Link(_))
}

/// Stores the files of a link, of which the level at `path` is one, until no unsaved work needs them.
pub(crate) fn store_link_of(path: &Path) -> anyhow::Result<()> {
    let Space::Link(link) = PageFile::at(path).space() else { return Ok(()) };
    if !files().stored_links.insert(link) {
        return Ok(());
    }
    let all: Vec<_> = {
        let store = files();
        let of_link = store.files.iter().filter(|(file, _)| file.space() == Space::Link(link));
        of_link.map(|(file, bytes)| (file.clone(), Arc::clone(bytes))).collect()
    };
    all.iter().try_for_each(|(file, bytes)| tell(file, Change::Stored(bytes)))
}

/// Copies the level at `path` to the files of the user if it is of a link, with the files in its folder and below.
/// Replaces no file with other content.
pub fn copy_level(path: &Path) -> anyhow::Result<()> {
    let level = PageFile::at(path);
    if !is_of_link(path) || files().copies.contains_key(&level) {
        return Ok(());
    }
    let level_folder = level.name().parent().unwrap_or_else(|| Path::new("")).to_owned();
    let level_name = level.name().file_name().unwrap_or_default().to_owned();
    let (folder, found) = {
        let store = files();
        let of_level = store.files.iter().filter_map(|(file, bytes)| {
            let is_project = is_project(file.name());
            let name = file.name().strip_prefix(&level_folder).ok()?;
            let is_wanted = file.space() == level.space() && !is_project;
            is_wanted.then(|| (name.to_owned(), Arc::clone(bytes)))
        });
        let found: Vec<_> = of_level.collect();
        let is_free = |folder: &PathBuf| {
            let old = |name| store.files.get(&PageFile::named(Space::User, &folder.join(name)));
            found.iter().all(|(name, bytes)| old(name).is_none_or(|old| old == bytes))
        };
        let stem = Path::new(&level_name).file_stem().unwrap_or_default().to_string_lossy();
        let numbered = (1..).map(|n: u32| PathBuf::from(format!("{stem}-{n}")));
        let folder = iter::once(PathBuf::new()).chain(numbered).find(is_free);
        (folder.unwrap_or_default(), found)
    };
    for (name, bytes) in found {
        let copy = PageFile::named(Space::User, &folder.join(name));
        files().files.insert(copy.clone(), Arc::clone(&bytes));
        tell(&copy, Change::Stored(&bytes))?;
    }
    let copy = PageFile::named(Space::User, &folder.join(level_name));
    files().copies.insert(level, copy);
    Ok(())
}

/// Returns where [`copy_level`] has copied the level at `path`, or else `path`.
pub fn copy_of_level(path: &Path) -> PathBuf {
    let copy = files().copies.get(&PageFile::at(path)).map(PageFile::path);
    copy.unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the page was told: the space, the name, the change, and the number of bytes.
    type Told = (Space, PathBuf, &'static str, usize);

    static TOLD: Mutex<Vec<Told>> = Mutex::new(Vec::new());

    /// The files of the page belong to the process, so one test does everything.
    #[test]
    fn files_are_in_spaces_and_changes_are_told() {
        let at = |space, name: &str| PageFile::named(space, Path::new(name));
        let user = |name: &str| at(Space::User, name).path();
        let (link, other) = (Space::Link(1), Space::Link(2));
        listen(|file, change| {
            let (what, n_bytes) = match change {
                Change::Written(bytes) => ("written", bytes.len()),
                Change::Stored(bytes) => ("stored", bytes.len()),
                Change::Removed => ("removed", 0),
            };
            let told = (file.space(), file.name().to_owned(), what, n_bytes);
            TOLD.lock().unwrap().push(told);
            if file.name().ends_with("full") { Err("no room".to_owned()) } else { Ok(()) }
        });
        let told = |expected: &[(Space, &str, &'static str, usize)]| {
            let expected =
                expected.iter().map(|&(space, name, what, n)| (space, name.into(), what, n));
            assert_eq!(std::mem::take(&mut *TOLD.lock().unwrap()), expected.collect::<Vec<_>>());
        };
        add(at(Space::User, "a/given"), b"abc");
        assert_eq!(*read(&user("a/b/../given")).unwrap(), *b"abc");
        write(Path::new("./a/written"), b"four").unwrap();
        assert_eq!(files_in(&user("a")), ["a/given", "a/written"].map(user));
        assert_eq!(files_in(&user("")), [""; 0].map(PathBuf::from));
        remove(&user("a/given")).unwrap();
        assert!(!exists(&user("a/given")) && is_file(&user("a/written")));
        let why = format!("{:#}", write(&user("full"), b"").unwrap_err());
        assert_eq!(why, "cannot write /files/full: no room");
        assert!(remove(&user("a/given")).is_err() && read(&user("b")).is_err());
        let user_told =
            [("a/written", "written", 4), ("a/given", "removed", 0), ("full", "written", 0)];
        told(&user_told.map(|(name, what, n)| (Space::User, name, what, n)));

        // The same name in four spaces is four files.
        let work = "unsaved-0/running.walkable";
        let all = [Space::Program, Space::User, link, other];
        for (n, space) in all.into_iter().enumerate() {
            add(at(space, work), &vec![0; n + 1]);
        }
        for (n, space) in all.into_iter().enumerate() {
            assert_eq!(read(&at(space, work).path()).unwrap().len(), n + 1);
        }
        assert!(is_of_link(&at(link, work).path()) && !is_of_link(&user(work)));
        assert!(write(&at(link, work).path(), b"").is_err(), "files of a link stay as they came");
        assert_eq!(read(&at(link, work).path()).unwrap().len(), 3);
        told(&[]);

        // A level of a link is copied with what is beside it, and replaces no file of the user.
        let level = at(link, "levels/yard.gltf").path();
        for name in ["levels/yard.gltf", "levels/bins/yard.bin", "levels/yard.walkable", "up.obj"] {
            add(at(link, name), b"linked");
        }
        add(at(Space::User, "yard.gltf"), b"another yard");
        copy_level(&level).unwrap();
        assert_eq!(copy_of_level(&level), user("yard-1/yard.gltf"));
        let copies = ["yard-1/bins/yard.bin", "yard-1/yard.gltf"];
        told(&copies.map(|name| (Space::User, name, "stored", 6)));
        assert_eq!(*read(&user("yard.gltf")).unwrap(), *b"another yard");
        add(at(Space::User, "yard.walkable"), b"a project");
        let names = ["yard.walkable", "yard.gltf", "new.walkable", "../program-0/x"].map(Path::new);
        let paths = ["yard-1.walkable", "yard.gltf", "new.walkable", "program-0/x"].map(user);
        assert_eq!(names.map(path_to_save), paths);
        copy_level(&level).unwrap();
        copy_level(&user("yard.gltf")).unwrap();
        told(&[]);
        assert_eq!(copy_of_level(&user("yard.gltf")), user("yard.gltf"));

        add(at(other, "a.obj"), b"a");
        for _ in 0..2 {
            store_link_of(&at(other, "a.obj").path()).unwrap();
        }
        store_link_of(&user("yard.gltf")).unwrap();
        told(&[(other, "a.obj", "stored", 1), (other, work, "stored", 4)]);
    }
}
