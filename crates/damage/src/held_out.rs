//! The kinds that are held out: who writes the reader runs them and does not read them.

use crate::kinds::Kind;
use crate::{
    held_out_envelope, held_out_fields, held_out_form, held_out_markdown, held_out_refuse, held_out_wrap, held_out_yaml,
};

/// All of them.
pub(crate) fn kinds() -> Vec<&'static Kind> {
    let all = [
        held_out_wrap::KINDS,
        held_out_envelope::KINDS,
        held_out_form::KINDS,
        held_out_yaml::KINDS,
        held_out_markdown::KINDS,
        held_out_fields::KINDS,
        held_out_refuse::KINDS,
    ];
    all.into_iter().flatten().collect()
}
