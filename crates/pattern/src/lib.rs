//! ECMAScript regular expressions on linear-time engines, bounded in time and memory.
