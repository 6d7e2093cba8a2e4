//! Tests of the YAML room: what is written is read again, what is hostile is refused.

mod hostile;
mod round_trip;
