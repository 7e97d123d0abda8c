//! Windows paths.
