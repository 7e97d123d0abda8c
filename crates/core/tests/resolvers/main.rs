//! Random plans on random trees with links, run once with `openat2` and once, in a process that is
//! refused `openat2`, by walking component for component: both must answer the same and leave the
//! same behind, and nothing outside may be seen or changed.
//!
//! `PLANS=1000000 SEED=1 cargo test --release -p llm-chat-file-core --test resolvers`
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "the test makes real files and tells how many plans it ran"
)]

#[cfg(target_os = "linux")]
mod plan;
#[cfg(target_os = "linux")]
mod world;

#[cfg(target_os = "linux")]
fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("--resolver") => runner::run(),
        // What test runners ask first.
        Some("--list") => println!("resolvers_agree: test"),
        _ => runner::compare(),
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("only Linux has two resolvers");
}

#[cfg(target_os = "linux")]
mod runner {
    use std::collections::BTreeMap;
    use std::io::{BufRead, BufReader, BufWriter, Write};
    use std::path::Path;
    use std::process::{Child, ChildStdout, Command, Stdio};

    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};

    use crate::plan::Plan;
    use crate::world::World;

    /// Plans that every run of the tests takes.
    const SHARE: u64 = 2_000;

    /// Says what each plan led to, a line for each plan, its line ends escaped.
    pub(crate) fn run() {
        let [resolver, base, seed, plans] = arguments();
        if resolver == "walk" {
            refuse_openat2();
        }
        let world = World::new(Path::new(&base));
        let mut out = BufWriter::new(std::io::stdout().lock());
        for number in 0..plans.parse().unwrap() {
            world.lay_out();
            let mut said = Plan::new(seed.parse().unwrap(), number).run(&world);
            said.push_str(&world.left());
            let said = said.replace(world.base(), "$").replace('\n', "\\n");
            let is_contained = !world.is_outside_changed() && !said.contains(World::SECRET);
            assert!(is_contained, "plan {number} reached outside: {said}");
            writeln!(out, "{said}").unwrap();
        }
    }

    fn arguments() -> [String; 4] {
        let arguments: Vec<_> = std::env::args().skip(2).collect();
        arguments.try_into().unwrap()
    }

    /// From here on the kernel answers `openat2` as one that does not know it.
    fn refuse_openat2() {
        let arch = TargetArch::try_from(std::env::consts::ARCH).unwrap();
        let nosys = u32::try_from(rustix::io::Errno::NOSYS.raw_os_error()).unwrap();
        // The number is the same on every architecture (asm-generic/unistd.h).
        let rules = BTreeMap::from([(437, Vec::new())]);
        let filter =
            SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(nosys), arch);
        let program: BpfProgram = filter.unwrap().try_into().unwrap();
        seccompiler::apply_filter(&program).unwrap();
        let flags = rustix::fs::OFlags::PATH;
        let tried = rustix::fs::openat2(
            rustix::fs::CWD,
            "/",
            flags,
            rustix::fs::Mode::empty(),
            rustix::fs::ResolveFlags::empty(),
        );
        assert_eq!(tried.unwrap_err(), rustix::io::Errno::NOSYS);
    }

    /// Runs the same plans both ways, side by side.
    pub(crate) fn compare() {
        let number = |name: &str| std::env::var(name).ok().map(|value| value.parse().unwrap());
        let plans: u64 = number("PLANS").unwrap_or(SHARE);
        let seed: u64 = number("SEED").unwrap_or(1);
        let scratch = tempfile::tempdir_in(fastest_disk()).unwrap();
        let mut kernel = start("openat2", scratch.path(), seed, plans);
        let mut walk = start("walk", scratch.path(), seed, plans);
        let mut answers = 0;
        for plan in 0..plans {
            let (one, other) = (next_line(&mut kernel.1), next_line(&mut walk.1));
            assert_eq!(one, other, "seed {seed}, plan {plan}: openat2 and the walk disagree");
            assert!(!one.is_empty(), "seed {seed}, plan {plan}: the run ended");
            answers += one.matches("\\n").count();
        }
        for (mut child, _) in [kernel, walk] {
            assert!(child.wait().unwrap().success());
        }
        println!("{plans} plans, {answers} answers and entries: 0 disagreements, 0 escapes");
    }

    fn start(
        resolver: &str,
        scratch: &Path,
        seed: u64,
        plans: u64,
    ) -> (Child, BufReader<ChildStdout>) {
        // Of one length, so that no path is longer than the other's.
        let base = scratch.join(if resolver == "walk" { "w" } else { "o" });
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--resolver", resolver])
            .arg(base)
            .args([seed.to_string(), plans.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        (child, out)
    }

    fn next_line(out: &mut BufReader<ChildStdout>) -> String {
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        line
    }

    /// A directory in memory, where there is one.
    fn fastest_disk() -> std::path::PathBuf {
        let shared = Path::new("/dev/shm");
        if shared.is_dir() { shared.to_path_buf() } else { std::env::temp_dir() }
    }
}
