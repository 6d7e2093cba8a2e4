//! The providers over real sockets: what they send, what they make of the answers, and what goes wrong on the way.

mod faults;
mod reading;
mod replies;
mod requests;
mod samples;
mod secrets;
mod server;
mod statuses;
