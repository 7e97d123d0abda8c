//! A plan: a tree with links, then some operations on it.

use std::fmt::{self, Debug};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

use fastrand::Rng;
use llm_chat_file_core::access::RightKind;
use llm_chat_file_core::edit::Edit;
use llm_chat_file_core::engine::edit_text::{EditOptions, edit_text};
use llm_chat_file_core::engine::list::{ListOptions, list};
use llm_chat_file_core::engine::read_text::{ReadTextOptions, read_text};
use llm_chat_file_core::engine::remove::remove;
use llm_chat_file_core::engine::rename::rename;
use llm_chat_file_core::engine::search::{Dates, EntryKind, Query, search};
use llm_chat_file_core::engine::write_text::{WriteTextOptions, write_text};
use llm_chat_file_core::engine::{Call, create_directory, info, walk};
use llm_chat_file_core::fs::write::{Durability, HardLinks, WriteOptions};
use llm_chat_file_core::pool::Pool;
use llm_chat_file_core::text::lines::LineRange;
use llm_chat_file_pattern::{Flags, Pattern, Properties};

use crate::world::World;

/// Few names, so that they meet.
const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// Where links lead beside what stands in the tree; `$` is the directory of the world.
const TARGETS: [&str; 14] = [
    ".",
    "..",
    "../..",
    "../out",
    "../out/a",
    "../out/sub",
    "../near",
    "../near/a",
    "$/in",
    "$/in/b",
    "$/out",
    "$/near/c",
    "/proc/self/cwd",
    "/",
];

const WRITE: WriteOptions =
    WriteOptions { durability: Durability::None, hard_links: HardLinks::Replace };

/// The choices of one plan.
pub(crate) struct Plan {
    random: Rng,
    /// Paths in the tree, as they were planted.
    planted: Vec<String>,
}

impl Plan {
    pub(crate) fn new(seed: u64, number: u64) -> Self {
        Self { random: Rng::with_seed(seed ^ (number << 20)), planted: Vec::new() }
    }

    /// Makes the tree, runs the operations, and gives what they answered.
    pub(crate) fn run(mut self, world: &World) -> String {
        for _ in 0..self.random.usize(1..16) {
            self.plant(world);
        }
        let (call, pool) = (world.call(), Pool::new());
        let mut said = String::new();
        for _ in 0..self.random.usize(1..7) {
            self.operate(world, &call, &pool, &mut said);
        }
        said
    }

    /// Adds an entry to the tree, if its name is free there.
    fn plant(&mut self, world: &World) {
        let mut path = world.root();
        for _ in 0..self.random.usize(0..3) {
            path.push(self.name());
        }
        let above = path.ancestors().skip(1).take_while(|above| above.starts_with(world.root()));
        if above.into_iter().any(Path::is_symlink) {
            return;
        }
        let made = match self.random.u8(0..8) {
            0 | 1 => fs::create_dir_all(&path),
            2..=4 => fs::File::create_new(&path).and_then(|mut file| file.write_all(b"one\ntwo\n")),
            _ => symlink(self.target(world), &path),
        };
        if made.is_ok() {
            let relative = path.strip_prefix(world.root()).unwrap();
            self.planted.push(relative.display().to_string());
        }
    }

    fn target(&mut self, world: &World) -> String {
        if self.random.bool() {
            return self.relative(3);
        }
        let target = TARGETS[self.random.usize(0..TARGETS.len())];
        target.replace('$', world.base())
    }

    fn name(&mut self) -> &'static str {
        NAMES[self.random.usize(0..NAMES.len())]
    }

    /// Up to `most` components, `.` and `..` among them.
    fn relative(&mut self, most: usize) -> String {
        let mut parts = Vec::new();
        for _ in 0..self.random.usize(1..=most) {
            parts.push(match self.random.u8(0..10) {
                0 => "..",
                1 => ".",
                _ => self.name(),
            });
        }
        parts.join("/")
    }

    /// A path as an agent may give it.
    fn path(&mut self, world: &World) -> String {
        let mut path = match (self.random.choice(&self.planted).cloned(), self.random.u8(0..4)) {
            (Some(planted), 0 | 1) => planted,
            (Some(planted), 2) => format!("{planted}/{}", self.relative(2)),
            _ => self.relative(4),
        };
        match self.random.u8(0..12) {
            0 => path.push('/'),
            1 => path = format!("{}/in/{path}", world.base()),
            2 => path = format!("{}/near/{path}", world.base()),
            3 => path = format!("{}/out/{path}", world.base()),
            _ => {}
        }
        path
    }

    fn operate(&mut self, world: &World, call: &Call, pool: &Pool, said: &mut String) {
        let path = self.path(world);
        let pool = self.random.bool().then_some(pool);
        match self.random.u8(0..11) {
            0 => tell(
                said,
                "read",
                read_text(call, &path, &read_options(), pool).map(|read| (read.path, read.text)),
            ),
            1 => tell(
                said,
                "info",
                info::info(call, &path).map(|entry| {
                    (
                        entry.metadata.kind,
                        entry
                            .link_target
                            .map(|target| String::from_utf8_lossy(&target).into_owned()),
                        entry.permit.path().to_path_buf(),
                    )
                }),
            ),
            2 => self.walk(call, &path, said),
            3 => tell(
                said,
                "list",
                list(
                    call,
                    &path,
                    ListOptions { recursive: self.random.bool(), max_entries: 50, max_shown: 50 },
                ),
            ),
            4 => tell(
                said,
                "search",
                search(call, &path, &query()).map(|answer| {
                    let paths: Vec<_> = answer
                        .results
                        .iter()
                        .map(|found| found.path.display().to_string())
                        .collect();
                    (answer.path, paths, answer.skipped)
                }),
            ),
            5 => tell(
                said,
                "make",
                create_directory::create_directory(call, &path)
                    .map(|made| (made.path, made.created)),
            ),
            6 => {
                let options = WriteTextOptions { create_only: self.random.bool(), write: WRITE };
                tell(
                    said,
                    "write",
                    write_text(call, &path, "new\n", &options, pool)
                        .map(|written| (written.path, written.created)),
                );
            }
            7 => {
                let edits = [Edit::Insert { line: None, content: "three".to_owned() }];
                let options = EditOptions {
                    max_file_size: 1000,
                    max_chars: 1000,
                    dry_run: false,
                    write: WRITE,
                };
                tell(
                    said,
                    "edit",
                    edit_text(call, &path, &edits, &options, pool)
                        .map(|edited| (edited.path, edited.bytes)),
                );
            }
            8 => {
                let answer = remove(call, &path, self.random.bool(), pool);
                tell(
                    said,
                    "remove",
                    answer.map(|answer| {
                        (answer.path, answer.kind, answer.result.map_err(|error| error.to_string()))
                    }),
                );
            }
            9 => {
                let moved = rename(call, &path, &self.path(world), pool);
                tell(said, "move", moved.result.map(|()| (moved.from, moved.to)));
            }
            _ => tell(
                said,
                "explain",
                Ok::<_, llm_chat_file_core::Error>(call.policy.explain(
                    &call.cwd,
                    Path::new(&path),
                    RightKind::Read,
                )),
            ),
        }
    }

    fn walk(&mut self, call: &Call, path: &str, said: &mut String) {
        match walk::open(call, path) {
            Ok(mut walk) => {
                let most = self.random.usize(1..20);
                tell(said, "walk", walk.next_batch(most));
            }
            Err(error) => tell(said, "walk", Err::<(), _>(error)),
        }
    }
}

fn tell<T: Debug, E: Debug>(said: &mut String, what: &str, result: Result<T, E>) {
    fmt::Write::write_fmt(said, format_args!("{what}: {result:?}\n")).unwrap();
}

fn read_options() -> ReadTextOptions {
    ReadTextOptions { range: LineRange::ALL, max_chars: 1000, max_file_size: 1000 }
}

fn query() -> Query {
    let pattern: Vec<u16> = "o".encode_utf16().collect();
    let pattern = Pattern::compile(&pattern, Flags::default(), &Properties::default()).unwrap();
    Query {
        name: None,
        content: Some(Arc::new(pattern)),
        kind: EntryKind::Both,
        dates: Dates::default(),
        max_size: None,
        max_file_size: 1000,
        max_results: 20,
        max_entries: 50,
        timeout_ms: 1e9,
        threads: 1,
        progress: None,
    }
}
