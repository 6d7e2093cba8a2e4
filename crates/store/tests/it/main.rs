//! Tests of the store: nothing is lost, nothing is bent, and what does not fit is said.

mod chain;
mod fixture;
mod folder;
mod keeper;
mod legacy;
mod listing;
mod modes;
mod round_trip;
mod tape;
mod validate;
