//! No pattern runs away: in time, in memory or in stack.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use llm_chat_file_pattern::{
    Flags, Pattern, PatternErrorKind, Properties, Stopped, limits, property_names,
};

fn compile(source: &str) -> Result<Pattern, PatternErrorKind> {
    let units: Vec<u16> = source.encode_utf16().collect();
    let flags = Flags { ignore_case: true, unicode: true, ..Flags::default() };
    Pattern::compile(&units, flags, &Properties::default()).map_err(|error| error.kind)
}

/// Patterns that make one engine or another take exponential, cubic or just too much time.
const HOSTILE: &[&str] = &[
    "(a+)+$",
    "(a|a)*b",
    "(.*)*=",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(x+x+)+y",
    ".*.*.*.*.*=",
    "(?:a?){50}a{50}b",
    "(a{0,100}){0,100}b",
    r"(\w{1,500}){1,20}\d!",
    r"[\s\S]{0,5000}x!",
    r"(?:[\w ]{0,500}x){0,3}q!",
    "((a{0,100}){0,100}){0,100}b",
    "(a{1000}){1000}",
    r"\b(\w+\s?){1,200}#",
    "(?=(a+)+$)b",
    "(?<=(a+)+)b",
    "(?!(a|a)*b)c",
    "^(?=.*(a+)+b)(?=.*(a|aa)+c)",
    "(?:(?=.*z)a)*b",
    "(?:a(?=a*b))*c",
    r"(a*)*\1b",
    r"(a+)+\1b",
    r"(\w+)(\w+)(\w+)\1\2\3!",
    r"(.*)(.*)(.*)\1\2\3=",
    r"(?:(a)|b\1)*c\1d",
    r"((a*)*)*\2#",
    r"(?=(\w+)+\1#)",
    "[ab]{0,40}a[ab]{300}c",
    "(?:(?:){1000000}){1000000}",
    "a{0,2147483647}b",
];

#[test]
fn hostile_patterns_end_with_the_deadline() {
    let lines = ["a".repeat(5000) + "!", "the quick aab ".repeat(8000)];
    let deadline = Duration::from_millis(10);
    for source in HOSTILE {
        let pattern = compile(source).expect("within the caps");
        let mut scratch = pattern.scratch();
        for line in &lines {
            let start = Instant::now();
            let mut budget = || {
                if start.elapsed() > deadline {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            let _ = pattern.is_match(&mut scratch, line, &mut budget);
            let _ = pattern.find(&mut scratch, line, &mut budget);
            let _ = pattern.next_matching_line(&mut scratch, line.as_bytes(), 0, &mut budget);
            // Generous: the tests run unoptimised and beside others.
            assert!(start.elapsed() < Duration::from_secs(10), "{source}");
        }
    }
}

#[test]
fn lookarounds_without_backreferences_are_linear() {
    for source in ["(?=(a+)+$)b|c", "(?<!(a|a)*b)c", "^(?=.*(a+)+b)(?=.*(a|aa)+c)", "(?=(a|aa)+$)a"]
    {
        let pattern = compile(source).expect("within the caps");
        let mut scratch = pattern.scratch();
        let mut checkpoints = 0;
        let mut budget = || {
            checkpoints += 1;
            ControlFlow::Continue(())
        };
        let line = "a".repeat(20_000) + "c";
        pattern.is_match(&mut scratch, &line, &mut budget).expect("no stop");
        assert!(checkpoints <= 4, "{source}: {checkpoints}");
    }
}

#[test]
fn loops_that_may_take_nothing_are_linear() {
    let (short, middle) = ("a".repeat(40) + "!", "a".repeat(5000));
    for (source, in_short, in_middle) in [
        ("^(a?){40}a{40}!$", Some(0..41), None),
        ("(a*)*b", None, None),
        ("(a|a?)+$", Some(41..41), Some(0..5000)),
        ("(?:(?:a?)*)*b", None, None),
        ("((a?){20}){20}b", None, None),
        ("((a?){20}){20}", Some(0..40), Some(0..400)),
        ("((a??){0,20}){0,20}?!", Some(0..41), None),
        ("(?<=((a*)*)*b)c|(?=(a|a?)+!)a", Some(0..1), None),
    ] {
        let pattern = compile(source).expect("within the caps");
        let mut scratch = pattern.scratch();
        for (line, expected) in [(&short, in_short), (&middle, in_middle)] {
            let mut checkpoints = 0;
            let mut budget = || {
                checkpoints += 1;
                ControlFlow::Continue(())
            };
            let found = pattern.find(&mut scratch, line, &mut budget);
            assert_eq!(found, Ok(expected), "{source}");
            assert!(checkpoints <= 50, "{source}: {checkpoints}");
        }
    }
}

#[test]
fn a_stopped_search_can_be_followed_by_another() {
    let pattern = compile(r"(\w+)(\w+)(\w+)\1\2\3!").expect("within the caps");
    let mut scratch = pattern.scratch();
    let line = "a".repeat(5000) + "!";
    let stopped = pattern.is_match(&mut scratch, &line, &mut || ControlFlow::Break(()));
    assert_eq!(stopped, Err(Stopped));
    let found = pattern.is_match(&mut scratch, "abcabc!", &mut || ControlFlow::Continue(()));
    assert_eq!(found, Ok(true));
}

#[test]
fn long_sources_are_refused() {
    let longest = "a".repeat(limits::SOURCE_UNITS);
    assert!(compile(&longest).is_ok());
    assert_eq!(compile(&(longest + "a")).err(), Some(PatternErrorKind::TooLong));
}

/// The stack of the least generous thread pools, times the size of unoptimised frames.
const STACK: usize = if cfg!(debug_assertions) { 8 << 20 } else { 512 << 10 };

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn deep_nesting_is_refused_and_the_deepest_fits_the_stack() {
    on_a_small_stack(|| {
        for (open, close) in
            [("(", ")"), ("(?:a|", ")*"), ("(?=", ")"), ("(?<!a", ")"), ("(?:b|(?<=", "))+")]
        {
            let levels = open.matches('(').count();
            let nest = |depth: usize| {
                let depth = depth / levels;
                format!("{}a{}", open.repeat(depth), close.repeat(depth))
            };
            let pattern = compile(&nest(limits::NESTING - levels)).expect("within the caps");
            let mut scratch = pattern.scratch();
            let mut left = 3;
            let mut budget = || {
                left -= 1;
                if left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let _ = pattern.is_match(&mut scratch, "aab", &mut budget);
            let _ = pattern.find(&mut scratch, "aab", &mut budget);
            drop(pattern);
            assert_eq!(
                compile(&nest(limits::NESTING + levels)).err(),
                Some(PatternErrorKind::TooDeep)
            );
        }
    });
}

/// `count` different classes, each of which begins with `start`.
fn classes(start: &str, count: u32) -> String {
    (0x4e00..0x4e00 + count)
        .filter_map(char::from_u32)
        .map(|last| format!("[{start}{last}]"))
        .collect()
}

#[test]
fn every_cap_is_named_by_its_refusal() {
    let mut properties = Properties::default();
    properties.insert("L".to_owned(), (0..2000).map(|index| (3 * index, 3 * index)).collect());
    for (kind, cap, source) in [
        (PatternErrorKind::TooLong, limits::SOURCE_UNITS, "a".repeat(limits::SOURCE_UNITS + 1)),
        (PatternErrorKind::TooDeep, limits::NESTING, "(".repeat(250) + &")".repeat(250)),
        (PatternErrorKind::TooLarge, limits::FOLD_STEPS, classes("0-", 9000)),
        (PatternErrorKind::TooLarge, limits::SET_RANGES, classes(r"\p{L}", 300)),
        (PatternErrorKind::TooLarge, limits::TRAIL_ENTRIES, "(a?){1000000}".to_owned()),
        (
            PatternErrorKind::TooLarge,
            limits::TRAIL_ENTRIES,
            r"x|(?:(?:){9999}){9999}(b)\1".to_owned(),
        ),
    ] {
        let units: Vec<u16> = source.encode_utf16().collect();
        let flags = Flags { ignore_case: true, unicode: true, ..Flags::default() };
        let error = Pattern::compile(&units, flags, &properties).expect_err("a refusal");
        assert_eq!(error.kind, kind, "{error}");
        assert!(error.message.contains(&cap.to_string()), "{error}");
    }
    let escapes: Vec<u16> = r"\p{L}".repeat(limits::PROPERTY_ESCAPES + 1).encode_utf16().collect();
    let flags = Flags { unicode: true, ..Flags::default() };
    let error = property_names(&escapes, flags).expect_err("a refusal");
    assert_eq!(error.kind, PatternErrorKind::TooLarge);
    assert!(error.message.contains(&limits::PROPERTY_ESCAPES.to_string()), "{error}");
}

#[test]
fn counted_loops_that_fit_are_accepted() {
    for source in
        ["(a?){300000}", "(a{65535}){65535}", "a{2147483647}", "(?:(?:){1000000}){1000000}"]
    {
        assert!(compile(source).is_ok(), "{source}");
    }
}

#[test]
fn large_patterns_compile_quickly() {
    let names: Vec<String> = (0..9000).map(|index| format!("a{index:05}")).collect();
    let start = Instant::now();
    let pattern = compile(&names.join("|")).expect("within the caps");
    assert!(start.elapsed() < Duration::from_secs(10));
    let mut scratch = pattern.scratch();
    let mut budget = || ControlFlow::Continue(());
    assert_eq!(pattern.find(&mut scratch, "xA08999", &mut budget), Ok(Some(1..7)));
}
