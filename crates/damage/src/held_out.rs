//! The kinds that nobody who writes the reader has read: run them, do not open them.
//! Guesses at what else models do, one damage each; the families hand in their kinds here.

mod fields;
mod form;
mod refuse;
mod wrap;
mod yaml;

use crate::kinds::Kind;

/// The held-out kinds.
pub(crate) fn kinds() -> Vec<&'static Kind> {
    let all = [wrap::KINDS, form::KINDS, yaml::KINDS, fields::KINDS, refuse::KINDS];
    all.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::kinds;
    use crate::Truth;
    use crate::make::replies;

    #[test]
    fn sixty_four_kinds_of_their_own_make_replies() {
        let kinds = kinds();
        let mut names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!((kinds.len(), names.len()), (64, 64));
        assert!(kinds.iter().all(|kind| replies(kind, 3, 12).len() == 12), "a kind finds no value to damage");
    }

    #[test]
    fn one_in_eight_must_be_refused() {
        let refuses = |truth: &Truth| *truth == Truth::MustRefuse;
        let all = kinds();
        let count = all.iter().filter(|kind| replies(kind, 4, 6).iter().all(|reply| refuses(&reply.truth))).count();
        assert_eq!(count, 8);
    }
}
