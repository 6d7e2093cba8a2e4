//! Drives the real binary in temporary folders: every command, every bad input, signals, kills, full disks.

mod bad_input;
mod commands;
mod escalations;
mod faults;
mod files;
mod harness;
mod kills;
mod sessions;
mod signals;
mod start;
