//! The command line. Results go to standard output, progress to standard error.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::exit::Exit;
use crate::generate::Cover;
use crate::registry::Profile;

pub mod check;
pub mod conform;
pub mod console;
#[cfg(feature = "demo")]
pub mod demo;
pub mod doctor;
mod explain;
mod explore;
mod forms;
mod generate;
mod induct;
mod list;
#[cfg(feature = "demo")]
pub mod main_job;
mod names;
mod progress;
mod replay;
mod report;
pub mod schema;
mod simulate;
pub mod target;

pub use console::{Console, Failure, Style};
pub use target::{Format, Target};

/// Searches the models of Outlive exhaustively, and checks traces of implementations against them.
///
/// Without a command it does everything: every model and variant, the reference under load, and the check of the trace
/// that it leaves.
#[derive(Parser, Debug)]
#[command(name = "model-check", version, max_term_width = 110)]
struct Command {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    global: Global,
}

/// What holds for every command.
#[derive(Args, Clone, Debug)]
pub struct Global {
    /// How to write results: text, json, github, sarif or junit. FORMAT=FILE writes a file; may be given several times.
    ///
    /// `github` writes annotations, and appends a summary to the file that GITHUB_STEP_SUMMARY names, if it is set.
    #[arg(long, global = true, value_name = "FORMAT[=FILE]", value_parser = Target::parse)]
    pub format: Vec<Target>,
    /// Print less: no progress, and of the results only what is wrong.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print more: what was counted.
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// When to use colour. NO_COLOR is honoured.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub color: Color,
}

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[derive(Subcommand, Debug)]
enum Task {
    /// Protocols, variants, properties, bounds and limits.
    List,
    /// Search models exhaustively.
    Check(CheckArgs),
    /// Try whether an invariant is kept by every step from every state of which it is true, reachable or not.
    Induct(InductArgs),
    /// Walk through a model at random, far beyond what a search can visit.
    Simulate(SimulateArgs),
    /// Check recorded traces against the models.
    Conform(ConformArgs),
    /// Say what a recorded trace could be checked for, and what it lacks.
    Doctor(DoctorArgs),
    /// Drive the reference under load, kill it, and check its trace.
    Demo(DemoArgs),
    /// Write scripts that take an implementation along every edge of a model.
    Generate(GenerateArgs),
    /// Play a counterexample back.
    Replay(ReplayArgs),
    /// Search every variant, and write a site for reviewers.
    Report(ReportArgs),
    /// Look around in a model with stateright's Explorer.
    Explore(ExploreArgs),
    /// Say what a name or an id means: a requirement, a guard, a variant, a property, an action, or an exit code.
    Explain(ExplainArgs),
    /// Print the JSON Schema of a format.
    Schema(SchemaArgs),
}

/// The arguments of `check`.
#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    /// The protocols; all of them if none is named.
    pub protocols: Vec<String>,
    /// The rules to search instead of the right ones.
    #[arg(long, conflicts_with = "all_variants")]
    pub variant: Option<String>,
    /// Search every variant, and compare what is found with the reviewed table.
    #[arg(long)]
    pub all_variants: bool,
    /// How far to go.
    #[arg(long, value_enum, default_value_t = Profile::Ci)]
    pub profile: Profile,
    /// Look at this property only; may be given several times. A name, or the id of a requirement.
    #[arg(long, value_name = "ID")]
    pub property: Vec<String>,
    /// How many threads to use: one for each of several variants, or all of them for a single one.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: u16,
    /// Search only one of all states that differ in names alone: gateways that could change places, and numbers that no
    /// state mentions any more. The bounds then limit what a state mentions at once, and not how much there was before.
    #[arg(long)]
    pub symmetry: bool,
    /// How long each search may take, for instance 60s, 500ms or 5m.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// How many states each search may find.
    #[arg(long, value_name = "N")]
    pub max_states: Option<usize>,
    /// How deep each search may go.
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u32>,
    /// Fail if an action of the right rules is never taken, or a guard never refuses.
    #[arg(long)]
    pub deny_unreached: bool,
    /// Where to write counterexamples as files.
    #[arg(long, value_name = "DIR")]
    pub out_dir: Option<PathBuf>,
}

/// The arguments of `conform`.
#[derive(Args, Clone, Debug)]
pub struct ConformArgs {
    /// The traces, merged by their commit sequence; `-` is standard input.
    #[arg(required = true, value_name = "TRACE")]
    pub traces: Vec<PathBuf>,
    /// The protocol that the traces must be of.
    #[arg(long)]
    pub protocol: Option<String>,
    /// Fail if one of these never occurred.
    #[arg(long, value_enum)]
    pub require: Option<Require>,
    /// Where to write reports as files.
    #[arg(long, value_name = "DIR")]
    pub out_dir: Option<PathBuf>,
}

/// The arguments of `induct`.
#[derive(Args, Clone, Debug)]
struct InductArgs {
    /// The protocol.
    protocol: String,
    /// The rules, if not the right ones.
    #[arg(long)]
    variant: Option<String>,
    /// How large the world is.
    #[arg(long, value_enum, default_value_t = Profile::Ci)]
    profile: Profile,
}

/// The arguments of `simulate`.
#[derive(Args, Clone, Debug)]
struct SimulateArgs {
    /// The protocol.
    protocol: String,
    /// The rules, if not the right ones.
    #[arg(long)]
    variant: Option<String>,
    /// Of the first walk; each further one has the next.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many walks.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    walks: u64,
    /// How many steps each takes at most.
    #[arg(long, value_name = "M", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,
}

/// The arguments of `doctor`.
#[derive(Args, Clone, Debug)]
pub struct DoctorArgs {
    /// The traces, merged by their commit sequence; `-` is standard input.
    #[arg(required = true, value_name = "TRACE")]
    pub traces: Vec<PathBuf>,
}

/// What a trace must have seen in order to prove anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Require {
    /// The situations in which the historic bugs struck.
    DangerWindows,
}

/// The arguments of `demo`.
#[derive(Args, Clone, Debug)]
pub struct DemoArgs {
    /// The SQLite file; a temporary one if none is named.
    #[arg(long, value_name = "PATH")]
    pub database: Option<PathBuf>,
    /// The seed of every random choice: the same seed makes the same choices.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many computers.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub computers: u32,
    /// How many concurrent tasks.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    pub tasks: u32,
    /// How many rounds each task goes, once before the kill and once after it.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Be the process under load, until it is killed.
    #[arg(long, hide = true)]
    pub under_load: bool,
}

/// The arguments of `generate`.
#[derive(Args, Clone, Debug)]
struct GenerateArgs {
    /// The protocol.
    protocol: String,
    /// What the scripts cover together.
    #[arg(long, value_enum, default_value_t = Cover::Edges)]
    cover: Cover,
    /// Where to write `scripts.jsonl`.
    #[arg(short, long, value_name = "DIR")]
    out_dir: PathBuf,
}

/// The arguments of `replay`.
#[derive(Args, Clone, Debug)]
struct ReplayArgs {
    /// A file that `check --out-dir` or `report` wrote.
    counterexample: PathBuf,
    /// Write a page; `-` is standard output, here and below.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a sequence diagram as a picture.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a Mermaid sequence diagram.
    #[arg(long, value_name = "FILE")]
    mermaid: Option<PathBuf>,
    /// Write the states in the Informal Trace Format of Apalache and Quint.
    #[arg(long, value_name = "FILE")]
    itf: Option<PathBuf>,
    /// Write a JSON object a line: the counterexample without its steps, and then each step.
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
}

/// The arguments of `report`.
#[derive(Args, Clone, Debug)]
struct ReportArgs {
    /// The protocols; all of them if none is named.
    protocols: Vec<String>,
    /// Where to write the pages.
    #[arg(short, long, value_name = "DIR")]
    out_dir: PathBuf,
    /// How far to go.
    #[arg(long, value_enum, default_value_t = Profile::Ci)]
    profile: Profile,
    /// How many variants to search at once.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Where the repository is, for links to the documentation and the code: a folder or an address. Without it links
    /// lead to the current folder if that is the repository, and else paths stand as text.
    #[arg(long, value_name = "WHERE")]
    repository: Option<String>,
}

/// The arguments of `explore`.
#[derive(Args, Clone, Debug)]
struct ExploreArgs {
    /// The protocol.
    protocol: String,
    /// The rules, if not the right ones.
    #[arg(long)]
    variant: Option<String>,
    /// How far the model goes.
    #[arg(long, value_enum, default_value_t = Profile::Smoke)]
    profile: Profile,
    /// Where to listen.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:3000")]
    bind: std::net::SocketAddr,
}

/// The arguments of `explain`.
#[derive(Args, Clone, Debug)]
struct ExplainArgs {
    /// For instance SAVE-3, generation-only, send-wipe, or 12.
    id: String,
}

/// The arguments of `schema`.
#[derive(Args, Clone, Debug)]
pub struct SchemaArgs {
    /// The format.
    #[arg(value_enum)]
    pub of: SchemaOf,
}

/// A format with a schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SchemaOf {
    /// A line of a trace.
    Trace,
    /// The JSON that the commands print.
    Report,
    /// A script that `generate` writes.
    Script,
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let command = match Command::try_parse() {
        Ok(command) => command,
        Err(error) => {
            // Asking for help is no mistake; anything else is, and a closed pipe is neither.
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Holds };
            let _ = error.print();
            return exit.code().into();
        }
    };
    let mut console = Console::of_process(&command.global);
    let end = console.accept(&command.global.format).and_then(|()| run(command.task, &mut console));
    let end = end.and_then(|exit| console.flush().map(|()| exit).map_err(Failure::from));
    let exit = end.unwrap_or_else(|failure| console.fail(&failure));
    exit.code().into()
}

fn run(task: Option<Task>, console: &mut Console) -> Result<Exit, Failure> {
    match task {
        None => run_everything(console),
        Some(Task::List) => list::run(console),
        Some(Task::Check(args)) => check::run(&args, console),
        Some(Task::Induct(args)) => induct::run(&args, console),
        Some(Task::Simulate(args)) => simulate::run(&args, console),
        Some(Task::Conform(args)) => conform::run(&args, console),
        Some(Task::Doctor(args)) => doctor::run(&args, console),
        Some(Task::Demo(args)) => run_demo(&args, console),
        Some(Task::Generate(args)) => generate::run(&args, console),
        Some(Task::Replay(args)) => replay::run(&args, console),
        Some(Task::Report(args)) => report::run(&args, console),
        Some(Task::Explore(args)) => explore::run(&args, console),
        Some(Task::Explain(args)) => explain::run(&args, console),
        Some(Task::Schema(args)) => schema::run(&args, console),
    }
}

#[cfg(feature = "demo")]
fn run_everything(console: &mut Console) -> Result<Exit, Failure> {
    main_job::run(console)
}

#[cfg(feature = "demo")]
fn run_demo(args: &DemoArgs, console: &mut Console) -> Result<Exit, Failure> {
    demo::run(args, console)
}

#[cfg(not(feature = "demo"))]
fn run_everything(_: &mut Console) -> Result<Exit, Failure> {
    Err(Failure::Usage("this build has no demo; name a command".to_owned()))
}

#[cfg(not(feature = "demo"))]
fn run_demo(_: &DemoArgs, _: &mut Console) -> Result<Exit, Failure> {
    Err(Failure::Usage("this build has no demo".to_owned()))
}

/// The arguments of a command that is not on the command line. Their defaults are written once, with them.
fn defaults<A: Args>(words: &[&str]) -> A {
    #[derive(Parser)]
    struct Defaults<A: Args> {
        #[command(flatten)]
        args: A,
    }
    Defaults::parse_from([""].iter().chain(words)).args
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let number: f64 = digits.parse().map_err(|_| "not a number with a unit, for instance 60s".to_owned())?;
    let seconds = match &text[digits.len()..] {
        "ms" => number / 1000.0,
        "s" | "" => number,
        "m" => number * 60.0,
        "h" => number * 3600.0,
        unit => return Err(format!("unknown unit `{unit}`: use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}
