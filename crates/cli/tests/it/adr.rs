//! `s2s adr`
