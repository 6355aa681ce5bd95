//! The files of a web page: in memory, by name. The page itself stores them in the browser and downloads them.

use std::{
    collections::BTreeMap,
    io::{self, ErrorKind},
    path::{Component, Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use anyhow::Context as _;

/// Called with the name of each file that the program writes, and its contents; `None` if it was removed. Returns why
/// the page cannot store or download it.
pub type Listener = fn(&Path, Option<&[u8]>) -> Result<(), String>;

#[derive(Debug, Default)]
struct Store {
    files: BTreeMap<PathBuf, Arc<[u8]>>,
    listener: Option<Listener>,
}

static STORE: Mutex<Store> = Mutex::new(Store { files: BTreeMap::new(), listener: None });

fn store() -> MutexGuard<'static, Store> {
    STORE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes `.` and `..`, so that each file has one name.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::ParentDir => drop(plain.pop()),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    plain
}

/// Calls `listener` for all changes by the program from now on.
pub fn listen(listener: Listener) {
    store().listener = Some(listener);
}

/// Adds a file that the user gave to the page. The listener is not called.
pub fn add(path: &Path, bytes: &[u8]) {
    store().files.insert(plain(path), bytes.into());
}

/// Writes a file.
///
/// # Errors
/// Returns the error of the listener.
pub(super) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let path = plain(path);
    let listener = {
        let mut store = store();
        store.files.insert(path.clone(), bytes.into());
        store.listener
    };
    let context = || format!("cannot write {}", path.display());
    let told = listener.map_or(Ok(()), |listener| listener(&path, Some(bytes)));
    told.map_err(anyhow::Error::msg).with_context(context)
}

/// Returns the contents of a file.
///
/// # Errors
/// Returns an error if there is no such file.
pub(super) fn read(path: &Path) -> io::Result<Arc<[u8]>> {
    let found = store().files.get(&plain(path)).cloned();
    found.ok_or_else(|| {
        let text = "this page has no such file: drop it on the page together with the others";
        io::Error::new(ErrorKind::NotFound, text)
    })
}

/// Returns the paths of the files in `folder`.
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let folder = plain(folder);
    store().files.keys().filter(|path| path.parent() == Some(&folder)).cloned().collect()
}

/// Returns false: files of a page are in no folders.
pub fn is_folder(_path: &Path) -> bool {
    false
}

/// Returns whether `path` is a file.
pub fn is_file(path: &Path) -> bool {
    store().files.contains_key(&plain(path))
}

/// Returns whether there is a file at `path`.
pub fn exists(path: &Path) -> bool {
    is_file(path)
}

/// Removes a file.
///
/// # Errors
/// Returns an error if there is none.
pub fn remove(path: &Path) -> io::Result<()> {
    let path = plain(path);
    let listener = {
        let mut store = store();
        store.files.remove(&path).ok_or(ErrorKind::NotFound)?;
        store.listener
    };
    if let Some(listener) = listener {
        listener(&path, None).map_err(io::Error::other)?;
    }
    Ok(())
}

/// Does nothing: names need no folder.
///
/// # Errors
/// None.
#[expect(clippy::unnecessary_wraps, reason = "as on a disk")]
pub const fn create_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_name_and_changes_are_reported() {
        static SEEN: Mutex<Vec<(PathBuf, Option<usize>)>> = Mutex::new(Vec::new());

        add(Path::new("/a/given"), b"abc");
        listen(|path, bytes| {
            SEEN.lock().unwrap().push((path.to_owned(), bytes.map(<[u8]>::len)));
            if path.ends_with("full") { Err("no room".to_owned()) } else { Ok(()) }
        });
        assert_eq!(*read(Path::new("/a/b/../given")).unwrap(), *b"abc");
        write(Path::new("./a/written"), b"four").unwrap();
        assert_eq!(files_in(Path::new("/a")), ["/a/given", "/a/written"].map(PathBuf::from));
        assert_eq!(files_in(Path::new("/")), [""; 0].map(PathBuf::from));
        remove(Path::new("/a/given")).unwrap();
        assert!(!exists(Path::new("/a/given")) && is_file(Path::new("/a/written")));
        let why = format!("{:#}", write(Path::new("full"), b"").unwrap_err());
        assert_eq!(why, "cannot write /full: no room");
        assert!(remove(Path::new("/a/given")).is_err() && read(Path::new("/b")).is_err());
        let seen = [("/a/written", Some(4)), ("/a/given", None), ("/full", Some(0))];
        assert_eq!(*SEEN.lock().unwrap(), seen.map(|(path, n)| (PathBuf::from(path), n)));
    }
}
