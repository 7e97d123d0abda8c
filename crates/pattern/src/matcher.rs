//! The public face: which engine answers for which line.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use memchr::memchr;

use crate::ast::Flags;
use crate::auto::{Cache, Verdict};
use crate::budget::{Budget, Fuel, Stopped};
use crate::error::PatternError;
use crate::exact::{Exact, Guide, Memory};
use crate::lines::{decoded, line_around, window_end, without_return};
use crate::parse::parse;
use crate::properties::Properties;
use crate::scanner::Scanner;

/// Bytes that a search of a buffer looks at first; doubled as long as there is no match, so that a search
/// costs no more than a few times what it passes over.
const FIRST_WINDOW: usize = 2048;

/// A compiled pattern. Share it between threads, and give each thread a [`Scratch`].
#[derive(Debug)]
pub struct Pattern {
    /// Tells the patterns of a process apart.
    id: u64,
    scanner: Option<Scanner>,
    exact: Exact,
    /// Where a match ends depends on the rule for empty iterations, which the scanner does not know.
    has_nullable_loop: bool,
}

/// Memory that the searches of one thread reuse: a few KiB as a rule, but lazy DFAs may take up to 12 MiB, a
/// backtracking search 32 MiB, lookarounds 32 MiB, nested loops that may take nothing 8 MiB and a decoded line
/// four bytes a character. It belongs to the pattern that made it; given to another it is made anew.
#[derive(Debug, Default)]
pub struct Scratch {
    pattern: u64,
    /// Steps left until the next checkpoint.
    fuel: usize,
    scanner: Vec<Cache>,
    exact: Memory,
}

/// A line that a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchingLine {
    /// Where it stands in the buffer, without its line end.
    pub range: Range<usize>,
    /// The first match in the decoded line, if that was found on the way.
    first: Option<Range<usize>>,
}

/// What a part of a buffer gave.
enum Progress {
    /// A matching line.
    Match(MatchingLine),
    /// None before this line start.
    NoneBefore(usize),
}

impl Pattern {
    /// Compiles `source`, which V8's `RegExp` constructor accepted with `flags`; it may hold lone
    /// surrogates. `properties` holds the sets of all properties that
    /// [`property_names`](crate::property_names) tells.
    ///
    /// # Errors
    ///
    /// A cap of [`limits`](crate::limits) is exceeded, a property is missing, or the source is no pattern.
    pub fn compile(
        source: &[u16],
        flags: Flags,
        properties: &Properties,
    ) -> Result<Self, PatternError> {
        static NEXT_ID: AtomicU64 = AtomicU64::new(1);
        let ast = parse(source, flags, properties)?;
        Ok(Self {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            exact: Exact::new(&ast)?,
            scanner: Scanner::new(&ast),
            has_nullable_loop: ast.root.has_nullable_loop(),
        })
    }

    /// Heap bytes that it holds, roughly.
    #[must_use]
    pub fn memory_usage(&self) -> usize {
        let scanner = self.scanner.as_ref().map_or(0, Scanner::memory_usage);
        scanner + self.exact.memory_usage()
    }

    /// Fresh memory for searches with this pattern.
    pub fn scratch(&self) -> Scratch {
        let conditions = self.scanner.as_ref().map_or(0, Scanner::conditions);
        let mut scratch = Scratch { pattern: self.id, ..Scratch::default() };
        scratch.scanner.resize_with(conditions, Cache::default);
        scratch
    }

    /// Makes sure that `scratch` is one of this pattern.
    fn adopt(&self, scratch: &mut Scratch) {
        if scratch.pattern != self.id {
            *scratch = Scratch { fuel: scratch.fuel, ..self.scratch() };
        }
    }

    /// Does the pattern match anywhere in this one line, which holds no line end? What
    /// `RegExp.prototype.test` says.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `budget` ended the search.
    pub fn is_match(
        &self,
        scratch: &mut Scratch,
        line: &str,
        budget: &mut dyn Budget,
    ) -> Result<bool, Stopped> {
        self.adopt(scratch);
        let Scratch { fuel, scanner, exact, .. } = scratch;
        self.test(line, scanner, exact, &mut Fuel::new(fuel, budget))
    }

    /// The first match in the line, as a range of bytes; where a pattern without flag `u` splits a surrogate
    /// pair, the whole character is in the range.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `budget` ended the search.
    pub fn find(
        &self,
        scratch: &mut Scratch,
        line: &str,
        budget: &mut dyn Budget,
    ) -> Result<Option<Range<usize>>, Stopped> {
        self.adopt(scratch);
        let Scratch { fuel, scanner: caches, exact, .. } = scratch;
        let mut fuel = Fuel::new(fuel, budget);
        if let Some(scanner) = &self.scanner
            && !self.has_nullable_loop
            && scanner.is_exact(line)
            && !scanner.guards().hold(line)
            && let Some(found) = scanner.find(line.as_bytes(), caches, &mut fuel)?
        {
            return Ok(found);
        }
        // Settles hopeless lines in linear time wherever that is possible.
        if !self.test(line, caches, exact, &mut fuel)? {
            return Ok(None);
        }
        self.exact.find(line, self.guide(caches), exact, &mut fuel)
    }

    /// The first match in the text of a line that [`next_matching_line`](Self::next_matching_line) gave, as
    /// [`find`](Self::find) tells it.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `budget` ended the search.
    pub fn first_match(
        &self,
        scratch: &mut Scratch,
        matching: &MatchingLine,
        text: &str,
        budget: &mut dyn Budget,
    ) -> Result<Option<Range<usize>>, Stopped> {
        match &matching.first {
            Some(first) => Ok(Some(first.clone())),
            None => self.find(scratch, text, budget),
        }
    }

    fn guide<'g>(&'g self, caches: &'g mut [Cache]) -> Guide<'g> {
        Guide { scanner: self.scanner.as_ref(), caches }
    }

    /// The next line of `buffer`, at or after the line start `from`, that the pattern matches. Lines end with `\n` or `\r\n`; the last may lack its end. Bytes that are not UTF-8 are read
    /// as U+FFFD, as [`String::from_utf8_lossy`] does.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `budget` ended the search.
    pub fn next_matching_line(
        &self,
        scratch: &mut Scratch,
        buffer: &[u8],
        from: usize,
        budget: &mut dyn Budget,
    ) -> Result<Option<MatchingLine>, Stopped> {
        self.adopt(scratch);
        let Scratch { fuel, scanner: caches, exact, .. } = scratch;
        let mut fuel = Fuel::new(fuel, budget);
        let mut at = from;
        // Without guards a search ends at the first match.
        let first_window = match &self.scanner {
            Some(scanner) if scanner.guards().are_none() => scanner.window(),
            _ => FIRST_WINDOW,
        };
        let mut window = first_window;
        while at < buffer.len() {
            let end = window_end(buffer, at, window);
            let progress = match &self.scanner {
                Some(scanner) => {
                    self.next_in_window(scanner, buffer, at..end, caches, exact, &mut fuel)?
                }
                None => self.next_tested(buffer, at..end, caches, exact, &mut fuel)?,
            };
            match progress {
                Progress::Match(line) => return Ok(Some(line)),
                Progress::NoneBefore(next) => {
                    let most = self.scanner.as_ref().map_or(FIRST_WINDOW, Scanner::window);
                    window = if next > end { (2 * window).min(most) } else { first_window };
                    at = next;
                }
            }
        }
        Ok(None)
    }

    /// Searches the whole lines in `window`, whose end is that of its last line, with the scanner.
    fn next_in_window(
        &self,
        scanner: &Scanner,
        buffer: &[u8],
        window: Range<usize>,
        caches: &mut [Cache],
        exact: &mut Memory,
        fuel: &mut Fuel<'_>,
    ) -> Result<Progress, Stopped> {
        let guard = scanner.guards().first(&buffer[window.clone()]);
        let guarded = guard.map(|offset| line_around(buffer, &window, window.start + offset));
        // What the scanner may search: the whole lines before the guarded one.
        let trusted = guarded.as_ref().map_or(window.end + 1, |line| line.start);
        let mut at = window.start;
        while at < trusted {
            let text = &buffer[at..trusted - 1];
            let end = match scanner.search(text, caches, fuel)? {
                Verdict::Absent => break,
                Verdict::Present(end) => at + end,
                Verdict::Unknown => {
                    let lines = at..trusted - 1;
                    match self.next_tested(buffer, lines, caches, exact, fuel)? {
                        Progress::Match(line) => return Ok(Progress::Match(line)),
                        Progress::NoneBefore(_) => break,
                    }
                }
            };
            let whole = line_around(buffer, &(at..trusted - 1), end);
            at = whole.end + 1;
            if let Some(matching) = self.confirm(scanner, buffer, whole, caches, exact, fuel)? {
                return Ok(Progress::Match(matching));
            }
        }
        let Some(guarded) = guarded else { return Ok(Progress::NoneBefore(window.end + 1)) };
        self.next_tested(buffer, guarded, caches, exact, fuel)
    }

    /// Is a candidate of the scanner, which saw the `whole` line with its `\r`, a match?
    fn confirm(
        &self,
        scanner: &Scanner,
        buffer: &[u8],
        whole: Range<usize>,
        caches: &mut [Cache],
        exact: &mut Memory,
        fuel: &mut Fuel<'_>,
    ) -> Result<Option<MatchingLine>, Stopped> {
        let range = without_return(buffer, whole.clone());
        let is_doubtful = range != whole && scanner.touches_return();
        if !is_doubtful && scanner.is_exact_everywhere() {
            return Ok(Some(MatchingLine { range, first: None }));
        }
        let text = decoded(&buffer[range.clone()]);
        let matches = if is_doubtful {
            self.test(&text, caches, exact, fuel)?
        } else if !scanner.holds(text.as_bytes(), caches, fuel)? {
            false
        } else if scanner.is_exact(&text) {
            true
        } else {
            let first = self.exact.find(&text, self.guide(caches), exact, fuel)?;
            return Ok(first.map(|first| MatchingLine { range, first: Some(first) }));
        };
        Ok(matches.then_some(MatchingLine { range, first: None }))
    }

    /// Tests the lines in `window` one by one.
    fn next_tested(
        &self,
        buffer: &[u8],
        window: Range<usize>,
        caches: &mut [Cache],
        exact: &mut Memory,
        fuel: &mut Fuel<'_>,
    ) -> Result<Progress, Stopped> {
        let mut at = window.start;
        while at <= window.end {
            let end = memchr(b'\n', &buffer[at..window.end]).map_or(window.end, |found| at + found);
            let range = without_return(buffer, at..end);
            let text = decoded(&buffer[range.clone()]);
            if self.test(&text, caches, exact, fuel)? {
                return Ok(Progress::Match(MatchingLine { range, first: None }));
            }
            fuel.spend((end - at) / 16 + 1)?;
            at = end + 1;
        }
        Ok(Progress::NoneBefore(at))
    }

    fn test(
        &self,
        line: &str,
        caches: &mut [Cache],
        exact: &mut Memory,
        fuel: &mut Fuel<'_>,
    ) -> Result<bool, Stopped> {
        if let Some(scanner) = &self.scanner
            && !scanner.guards().hold(line)
        {
            match scanner.search(line.as_bytes(), caches, fuel)? {
                Verdict::Absent => return Ok(false),
                Verdict::Present(_) if !scanner.holds(line.as_bytes(), caches, fuel)? => {
                    return Ok(false);
                }
                Verdict::Present(_) if scanner.is_exact(line) => return Ok(true),
                _ => {}
            }
        }
        self.exact.test(line, self.guide(caches), exact, fuel)
    }
}
