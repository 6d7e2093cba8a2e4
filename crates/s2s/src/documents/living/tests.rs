//! Generated parts over edits: what is renewed, kept, placed, dropped, and refused.
