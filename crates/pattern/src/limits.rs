//! Caps on what a pattern may cost to compile, to hold and to run.

/// Longest pattern, in UTF-16 units.
pub const SOURCE_UNITS: usize = 65_536;

/// Most `\p{…}` escapes of a pattern. V8 needs about 50 us to check each, on the thread that validates.
pub const PROPERTY_ESCAPES: usize = 128;

/// Deepest nesting of groups and lookarounds; bounds every recursion over the tree, its drop included.
pub const NESTING: usize = 200;

/// Most ranges in all distinct character sets of a pattern together (8 bytes each).
pub const SET_RANGES: usize = 500_000;

/// Most case variants looked up while the sets of a pattern are closed under case.
pub const FOLD_STEPS: usize = 4_000_000;

/// Most instructions of the linear engine, which unrolls counted repetitions; larger patterns are run by
/// the backtracking engine.
pub(crate) const LINEAR_INSTRUCTIONS: usize = 50_000;

/// Most slots of the linear engine (8 bytes each): an instruction has one, and one more for each loop around
/// it whose body may match the empty text.
pub(crate) const LINEAR_SLOTS: usize = 1_000_000;

/// Heap bytes of one NFA; larger patterns are run by the exact engines alone.
pub(crate) const NFA_BYTES: usize = 2 << 20;

/// Heap bytes of one lazy DFA cache.
pub(crate) const DFA_CACHE_BYTES: usize = 1 << 20;

/// Most NFA states for which the meta engine is built. It may fall back to a simulation that costs about
/// 15 ns for each state and byte and cannot be interrupted, so the more states, the shorter the texts that it
/// is given.
pub(crate) const META_STATES: usize = 8_000;

/// Most entries of the backtracking engine's trail (16 bytes each). A pattern that only this engine can run is
/// refused if its required repetitions alone need more.
pub const TRAIL_ENTRIES: usize = 2_000_000;

/// Steps of work between two checkpoints of the budget: 5 to 15 ms.
pub(crate) const REFILL: usize = 1_000_000;
