//! What the built-in files say, each read once in a process: their texts cannot change, and whoever holds many
//! roundtables would read the same roles and the same strategy for every one of them.
//! Given a file's kind and name, and how to read it; hands on a copy of what was read. Deliberately absent: the
//! files of a project, which may change between one roundtable and the next.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crate::{Kind, builtin};

type Kept = BTreeMap<(Kind, &'static str), Arc<dyn Any + Send + Sync>>;

static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);

/// What the built-in file of this kind and name says. `read` must give the same each time.
pub(crate) fn read_once<T, E>(kind: Kind, name: &str, read: impl FnOnce() -> Result<T, E>) -> Result<T, E>
where
    T: Clone + Send + Sync + 'static,
{
    let Some(file) = builtin::find(kind, name) else { return read() };
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let found = kept().get(&(kind, file.name)).cloned();
    if let Some(value) = found.as_ref().and_then(|value| value.downcast_ref::<T>()) {
        return Ok(value.clone());
    }
    let value = read()?;
    kept().insert((kind, file.name), Arc::new(value.clone()));
    Ok(value)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_built_in_file_is_read_once_and_any_other_each_time() {
        let times = Cell::new(0);
        let read = |kind, name| {
            let reading = || -> Result<u32, ()> {
                times.set(times.get() + 1);
                Ok(times.get())
            };
            read_once(kind, name, reading).unwrap()
        };
        // A type of this test's own, so that no other test's entry is found.
        let first = read(Kind::Template, "summary");
        assert_eq!(read(Kind::Template, "summary"), first);
        assert_eq!(times.get(), 1);
        assert_ne!(read(Kind::Template, "no-such"), read(Kind::Template, "no-such"));
    }

    #[test]
    fn a_file_that_could_not_be_read_is_read_again() {
        assert_eq!(read_once(Kind::Template, "architecture", || Err::<u8, &str>("bad")), Err("bad"));
        assert_eq!(read_once(Kind::Template, "architecture", || Ok::<u8, &str>(7)), Ok(7));
    }
}
