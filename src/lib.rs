//! The addon: conversion and scheduling between JavaScript and the core. It decides nothing.
//!
//! Every export comes in one of two kinds. What takes microseconds and asks no disk runs where it
//! is called, its panics turned into exceptions by `catch_unwind`. Everything else is a
//! [`job`]: it takes plain values from JavaScript, runs on the [`runtime`]'s blocking threads, and
//! settles a promise with plain values. Failures of file operations are data
//! ([`failure::Failure`]); a rejected promise means a caught panic, or the very value that a
//! callback of the host threw.
#![expect(
    unsafe_code,
    reason = "Node-API conversions are unsafe by nature; each says why it holds"
)]

pub mod access;
pub mod call;
pub mod cancel;
pub mod create_directory;
pub mod edit;
pub mod failure;
pub mod gatekeeper;
pub mod guard;
pub mod info;
pub mod is_binary;
pub mod job;
pub mod list;
pub mod number;
pub mod path_text;
pub mod pattern;
pub mod policy;
pub mod pool;
#[cfg(feature = "panic-probe")]
pub mod probe;
pub mod progress;
pub mod read;
pub mod reader;
pub mod remove;
pub mod rename;
pub mod runtime;
pub mod search;
pub mod search_answer;
pub mod search_spec;
pub mod switch_target;
pub mod text;
pub mod walk;
pub mod write;
