//! Many files at once, in order, in little memory.
//!
//! [`run`] hands every file of a [`Stream`] to a function on the threads of a rayon pool and
//! gives the results to a sink in the order of the input, so that the output is the same whatever
//! the number of threads. A large file is cut into [`Part`]s, which are worked on at the same time
//! as well.
//!
//! One thread of the pool is the dispatcher. It asks the stream what comes next, spawns a job
//! for it, and hands the results at the front of the row to the sink; when it is far enough ahead
//! it takes a job itself, like any other thread. No thread ever waits for the end of a batch, and
//! one slow file holds nobody up until the look-ahead is used up.
//!
//! Files are read by the job that works on them, where they can be. A job that finds its file
//! large gives it back, and the dispatcher puts the parts of it in its place.
//!
//! Memory is bounded whatever the input. The look-ahead has a limit in files and one in bytes,
//! which counts everything that waits: names, what was unpacked or cut and not worked on yet, and
//! results whose turn has not come. Of single games that are large, one is worked on at a time.
//!
//! A part whose work panics does not end the run: it is handed to the function once more,
//! without its content and with a finding that says so.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};

use rayon::{ScopeFifo, ThreadPoolBuilder, Yield};

use super::part::{LargeInput, Part};
use crate::finding::Finding;
use crate::input::{Entry, LARGE, Limits, Stream};
use crate::sgf;

/// How many files, or parts of files, may be under way or waiting for each thread.
const AHEAD_PER_THREAD: usize = 256;

/// How many bytes may wait, in all: for a thread, or for their turn at the sink.
const MOST_BYTES: usize = 16 << 20;

/// What waits costs this much beyond its own bytes.
const OVERHEAD: usize = 512;

/// A file with more parentheses than this is cut even if it is not large: it may hold so many
/// games that what comes of them is. Each game of a file is kept with its verdict until the last
/// is judged.
const MANY_PARENTHESES: usize = 512;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every file was worked on.
    Completed,
    /// Someone asked to stop; the sink has got the results of all files up to some point.
    Interrupted,
}

/// Why a run came to no end of its own.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunError {
    /// The operating system would not start the threads.
    Threads(String),
    /// The sink could not take a result.
    Sink(io::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Threads(reason) => write!(f, "the threads can't be started: {reason}"),
            RunError::Sink(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}

/// What the work on a file comes to, or on a part of one.
#[derive(Debug)]
#[non_exhaustive]
pub struct Report<T> {
    /// The rows for the output, whole.
    pub rows: Vec<u8>,
    /// What counts towards the summary.
    pub tally: T,
    /// How many bytes the tally holds in memory, if they are many.
    pub held: usize,
}

impl<T> Report<T> {
    /// A report whose tally is small.
    pub fn new(rows: Vec<u8>, tally: T) -> Report<T> {
        let held = 0;
        Report { rows, tally, held }
    }
}

/// How far the input has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputProgress {
    /// How many bytes of the disk were read for a report.
    pub consumed: u64,
    /// Whether a file ends with it.
    pub ends_file: bool,
}

/// Works on every file of a stream and gives the reports to the sink in the stream's order, large
/// files as several reports. Files are cut with regard to `limits`.
///
/// The run ends early when `stop` becomes true, and with an error when the sink gives one.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use kifu::input::Inputs;
/// use kifu::pipeline::batch::{self, Report};
/// use kifu::sgf::Limits;
///
/// let inputs = Inputs::new(["src"]);
/// let mut names = Vec::new();
/// batch::run(
///     inputs.open(),
///     &Limits::default(),
///     2.try_into().unwrap(),
///     &AtomicBool::new(false),
///     |part| Report::new(Vec::new(), part.name),
///     |report, _| Ok(names.push(report.tally)),
/// )?;
/// assert_eq!(names, ["src"]); // with a finding that there is no record in it
/// # Ok::<(), batch::RunError>(())
/// ```
pub fn run<T: Send>(
    stream: Stream,
    limits: &sgf::Limits,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    work: impl Fn(Part) -> Report<T> + Sync,
    sink: impl FnMut(Report<T>, InputProgress) -> io::Result<()> + Send,
) -> Result<Ended, RunError> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads.get())
        .build()
        .map_err(|error| RunError::Threads(error.to_string()))?;
    let worker = Worker {
        limits: stream.limits().clone(),
        record_limits: limits.clone(),
        stop,
        failed: AtomicBool::new(false),
        waiting: AtomicUsize::new(0),
        work,
    };
    let failure =
        pool.scope_fifo(|scope| Dispatcher::new(stream, threads, &worker, sink).run(scope));
    match failure {
        Some(Abort::Sink(error)) => Err(RunError::Sink(error)),
        Some(Abort::Panic(panic)) => resume_unwind(panic),
        None if stop.load(Ordering::Relaxed) => Ok(Ended::Interrupted),
        None => Ok(Ended::Completed),
    }
}

enum Abort {
    Sink(io::Error),
    Panic(Box<dyn Any + Send>),
}

/// Something to work on.
enum Job {
    /// A file that is still to be read.
    File(Entry),
    /// What was read of a file, and how many bytes of the disk were read for it.
    Part(Part, u64),
}

impl Job {
    /// How many bytes it holds in memory.
    fn held(&self) -> usize {
        OVERHEAD
            + match self {
                Job::File(found) => found.held(),
                Job::Part(part, _) => part.held(),
            }
    }

    /// Whether it is so large that only one such may be under way.
    fn is_large(&self) -> bool {
        matches!(self, Job::Part(..)) && self.held() > LARGE as usize
    }
}

/// What became of a job.
enum JobResult<T> {
    Done(Report<T>, InputProgress),
    /// Not yet: too much waits already.
    Postponed(Job),
    /// The file is large and has to be cut.
    Large(Entry),
    /// The run was over before the job began.
    Skipped,
    Panicked(Box<dyn Any + Send>),
}

/// What every job shares.
struct Worker<'a, W> {
    limits: Limits,
    record_limits: sgf::Limits,
    stop: &'a AtomicBool,
    /// Set when the run has failed and what is still to be done does not matter any more.
    failed: AtomicBool,
    /// The bytes of everything that waits, before its job or after it.
    waiting: AtomicUsize,
    work: W,
}

impl<T, W: Fn(Part) -> Report<T>> Worker<'_, W> {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.failed.load(Ordering::Relaxed)
    }

    fn has_room(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) < MOST_BYTES
    }

    /// Does a job, if that can be done now.
    fn work_on(&self, job: Job, is_urgent: bool) -> JobResult<T> {
        if self.is_over() {
            return JobResult::Skipped;
        }
        if !is_urgent && !self.has_room() {
            return JobResult::Postponed(job);
        }
        // What is worked on does not wait.
        self.waiting.fetch_sub(job.held(), Ordering::Relaxed);
        let read = match job {
            Job::Part(part, consumed) => Ok((part, consumed)),
            Job::File(found) => self.read(found),
        };
        let outcome = match read {
            Ok((part, consumed)) => self.report(part, consumed),
            Err(found) => JobResult::Large(found),
        };
        let held = match &outcome {
            JobResult::Done(report, _) => held_by(report),
            JobResult::Large(found) => OVERHEAD + found.held(),
            _ => 0,
        };
        self.waiting.fetch_add(held, Ordering::Relaxed);
        outcome
    }

    /// Reads a file unless it is large.
    fn read(&self, found: Entry) -> Result<(Part, u64), Entry> {
        let name = found.name().to_owned();
        // A decoder that meets bytes its author never thought of must not end the run.
        let read = catch_unwind(AssertUnwindSafe(|| found.read_small(&self.limits)));
        let file = read.unwrap_or_else(|panic| Ok(Entry::failed(name, &*panic)))?;
        let parentheses = |bytes: &[u8]| memchr::memchr_iter(b'(', bytes).count();
        match &file.bytes {
            Some(bytes) if parentheses(bytes) > MANY_PARENTHESES => Err(file.unread()),
            _ => {
                let consumed = file.consumed;
                Ok((Part::from(file), consumed))
            }
        }
    }

    fn report(&self, part: Part, consumed: u64) -> JobResult<T> {
        let step = InputProgress {
            consumed,
            ends_file: part.is_last(),
        };
        let spare = part.without_content();
        let work = |part| catch_unwind(AssertUnwindSafe(|| (self.work)(part)));
        let report = work(part).or_else(|panic| {
            let finding = Finding::internal_error(&*panic);
            work(spare.with_finding(finding))
        });
        match report {
            // The work may have been left between two games: a file counts as a whole or not at all.
            Ok(_) if self.stop.load(Ordering::Relaxed) => JobResult::Skipped,
            Ok(report) => JobResult::Done(report, step),
            Err(panic) => JobResult::Panicked(panic),
        }
    }
}

/// How many bytes a report holds while it waits.
fn held_by<T>(report: &Report<T>) -> usize {
    OVERHEAD + report.rows.capacity() + report.held
}

/// Where something stands in the order of the input: the number of its file, and of the part.
type Position = (u64, u64);

/// Hands out jobs and collects what becomes of them.
struct Dispatcher<'a, T, W, S> {
    worker: &'a Worker<'a, W>,
    stream: Stream,
    sink: S,
    sender: Sender<(Position, JobResult<T>)>,
    receiver: Receiver<(Position, JobResult<T>)>,
    /// Everything that has left the stream and not come to the sink, in order.
    row: BTreeMap<Position, Slot<T>>,
    /// How much of that there may be.
    most_places: usize,
    /// The number of the next file.
    next_file: u64,
    /// How many jobs are with the pool.
    under_way: usize,
    /// Jobs that came back because too much waits.
    postponed: BTreeSet<Position>,
    /// Large files that are being cut, or wait for it.
    cutting: BTreeSet<Position>,
    /// Large parts, and the one of them that is with the pool.
    large: BTreeSet<Position>,
    large_under_way: Option<Position>,
    failure: Option<Abort>,
}

/// A place in the row.
enum Slot<T> {
    /// With the pool.
    UnderWay,
    /// Postponed, or large.
    Waiting(Job),
    /// The parts of a file that have not been cut yet.
    Uncut(Box<LargeInput>),
    Done(Report<T>, InputProgress),
    Skipped,
}

impl<'a, T, W, S> Dispatcher<'a, T, W, S>
where
    T: Send + 'a,
    W: Fn(Part) -> Report<T> + Sync,
    S: FnMut(Report<T>, InputProgress) -> io::Result<()>,
{
    fn new(
        stream: Stream,
        threads: NonZeroUsize,
        worker: &'a Worker<'a, W>,
        sink: S,
    ) -> Dispatcher<'a, T, W, S> {
        let (sender, receiver) = mpsc::channel();
        Dispatcher {
            worker,
            stream,
            sink,
            sender,
            receiver,
            row: BTreeMap::new(),
            // A single thread has nobody to be ahead for.
            most_places: match threads.get() {
                1 => 1,
                threads => threads.saturating_mul(AHEAD_PER_THREAD),
            },
            next_file: 0,
            under_way: 0,
            postponed: BTreeSet::new(),
            cutting: BTreeSet::new(),
            large: BTreeSet::new(),
            large_under_way: None,
            failure: None,
        }
    }

    fn run(mut self, scope: &ScopeFifo<'a>) -> Option<Abort> {
        loop {
            while let Ok((position, outcome)) = self.receiver.try_recv() {
                self.take(position, outcome);
            }
            self.deliver();
            if self.hand_out(scope) {
                continue;
            }
            if self.under_way == 0 {
                return self.failure;
            }
            // Nothing more to hand out: do a job, or wait for those who do the last ones.
            if rayon::yield_now() != Some(Yield::Executed)
                && let Ok((position, outcome)) = self.receiver.recv()
            {
                self.take(position, outcome);
            }
        }
    }

    /// Hands out one more job; false if there is none, or no room for it.
    fn hand_out(&mut self, scope: &ScopeFifo<'a>) -> bool {
        if self.worker.is_over() {
            return false;
        }
        let front = self.row.keys().next().copied();
        let has_room = self.worker.has_room();
        if let Some(&position) = self.postponed.first() {
            let is_front = front == Some(position);
            if has_room || is_front {
                self.postponed.remove(&position);
                self.hand_out_again(scope, position, is_front);
                return true;
            }
            return false;
        }
        if self.large_under_way.is_none()
            && let Some(position) = self.large.pop_first()
        {
            self.hand_out_again(scope, position, true);
            return true;
        }
        // What is uncut takes a place too.
        let has_room = has_room && self.row.len() < self.most_places + self.cutting.len();
        if let Some(&position) = self.cutting.first() {
            if has_room || front == Some(position) {
                self.cut(scope, position);
                return true;
            }
            return false;
        }
        if !has_room && front.is_some() {
            return false;
        }
        let Some(found) = self.stream.next() else {
            return false;
        };
        let position = (self.next_file, 0);
        self.next_file += 1;
        if found.is_open() {
            let held = OVERHEAD + found.held();
            self.worker.waiting.fetch_add(held, Ordering::Relaxed);
            self.put_uncut(position, found);
        } else {
            self.hand_out_new(scope, position, Job::File(found));
        }
        true
    }

    /// Cuts the next part off a large file.
    fn cut(&mut self, scope: &ScopeFifo<'a>, position: Position) {
        self.cutting.remove(&position);
        let Some(Slot::Uncut(mut input)) = self.row.remove(&position) else {
            return;
        };
        let held = OVERHEAD + input.held();
        let next = input.next(|| self.worker.is_over());
        let left = match &next {
            Some(_) => OVERHEAD + input.held(),
            None => 0,
        };
        self.worker.waiting.fetch_add(left, Ordering::Relaxed);
        self.worker.waiting.fetch_sub(held, Ordering::Relaxed);
        if let Some((part, consumed)) = next {
            self.hand_out_new(scope, position, Job::Part(part, consumed));
            let rest = (position.0, position.1 + 1);
            self.row.insert(rest, Slot::Uncut(input));
            self.cutting.insert(rest);
        }
    }

    fn hand_out_new(&mut self, scope: &ScopeFifo<'a>, position: Position, job: Job) {
        self.worker.waiting.fetch_add(job.held(), Ordering::Relaxed);
        if job.is_large() {
            self.large.insert(position);
            self.row.insert(position, Slot::Waiting(job));
        } else {
            self.row.insert(position, Slot::UnderWay);
            self.spawn(scope, position, job, false);
        }
    }

    fn hand_out_again(&mut self, scope: &ScopeFifo<'a>, position: Position, is_urgent: bool) {
        if let Some(place) = self.row.get_mut(&position)
            && let Slot::Waiting(job) = std::mem::replace(place, Slot::UnderWay)
        {
            self.spawn(scope, position, job, is_urgent);
        }
    }

    fn spawn(&mut self, scope: &ScopeFifo<'a>, position: Position, job: Job, is_urgent: bool) {
        if job.is_large() {
            self.large_under_way = Some(position);
        }
        let (worker, sender) = (self.worker, self.sender.clone());
        self.under_way += 1;
        scope.spawn_fifo(move |_| {
            let outcome = worker.work_on(job, is_urgent);
            // The dispatcher waits for every job that it has handed out.
            let _ = sender.send((position, outcome));
        });
    }

    /// Puts what became of a job in its place in the row.
    fn take(&mut self, position: Position, outcome: JobResult<T>) {
        self.under_way -= 1;
        if self.large_under_way == Some(position) {
            self.large_under_way = None;
        }
        let place = match outcome {
            JobResult::Done(report, step) => Slot::Done(report, step),
            JobResult::Postponed(job) => {
                self.postponed.insert(position);
                Slot::Waiting(job)
            }
            JobResult::Large(found) => return self.put_uncut(position, found),
            JobResult::Skipped => Slot::Skipped,
            JobResult::Panicked(panic) => {
                self.fail(Abort::Panic(panic));
                Slot::Skipped
            }
        };
        self.row.insert(position, place);
    }

    fn put_uncut(&mut self, position: Position, found: Entry) {
        let Worker {
            limits,
            record_limits,
            ..
        } = self.worker;
        let input = LargeInput::new(found, limits, record_limits);
        self.cutting.insert(position);
        self.row.insert(position, Slot::Uncut(Box::new(input)));
    }

    /// Gives the sink what has come to the front.
    fn deliver(&mut self) {
        while self.failure.is_none()
            && let Some(front) = self.row.first_entry()
            && let Slot::Done(..) = front.get()
            && let Slot::Done(report, step) = front.remove()
        {
            let held = held_by(&report);
            self.worker.waiting.fetch_sub(held, Ordering::Relaxed);
            if let Err(error) = (self.sink)(report, step) {
                self.fail(Abort::Sink(error));
            }
        }
    }

    fn fail(&mut self, failure: Abort) {
        self.worker.failed.store(true, Ordering::Relaxed);
        self.failure.get_or_insert(failure);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;
    use crate::input::Inputs;
    use std::fs;
    use std::time::Duration;
    use tempfile::TempDir;

    /// A folder of files whose content is their number.
    fn folder(count: usize) -> (TempDir, Inputs) {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..count {
            let path = folder.path().join(format!("{number:04}.sgf"));
            fs::write(path, number.to_string()).unwrap();
        }
        let inputs = Inputs::new([folder.path()]);
        (folder, inputs)
    }

    /// The number of a file, if it has any content.
    fn number(part: &Part) -> Option<usize> {
        part.parse(&sgf::Limits::default())?;
        let name = part.name.strip_suffix(".sgf")?;
        name[name.len() - 4..].parse().ok()
    }

    fn report<T>(tally: T) -> Report<T> {
        Report::new(Vec::new(), tally)
    }

    fn threads(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    #[test]
    fn results_come_in_the_order_of_the_input() {
        let (_folder, inputs) = folder(1500);
        for count in [1, 2, 8] {
            let mut numbers = Vec::new();
            let ended = run(
                inputs.open(),
                &sgf::Limits::default(),
                threads(count),
                &AtomicBool::new(false),
                |part| {
                    let number = number(&part).unwrap();
                    // The first file holds up the row until all the others have to wait.
                    if number == 0 {
                        std::thread::sleep(Duration::from_millis(50));
                    }
                    report(number)
                },
                |report, _| {
                    numbers.push(report.tally);
                    Ok(())
                },
            );
            assert_eq!(ended.unwrap(), Ended::Completed);
            assert!(numbers.iter().copied().eq(0..1500), "with {count} threads");
        }
    }

    #[test]
    fn large_files_among_small_ones_are_worked_on_one_at_a_time() {
        let (folder, inputs) = folder(300);
        let is_large = |number: usize| number % 50 == 7;
        for number in (0..300).filter(|&number| is_large(number)) {
            let path = folder.path().join(format!("{number:04}.sgf"));
            fs::write(path, format!("{number}{}", " ".repeat(2 << 20))).unwrap();
        }
        let (large, most_large) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut numbers = Vec::new();
        run(
            inputs.open(),
            &sgf::Limits::default(),
            threads(4),
            &AtomicBool::new(false),
            |part| {
                let number = number(&part).unwrap();
                if is_large(number) {
                    let at_once = large.fetch_add(1, Ordering::SeqCst) + 1;
                    most_large.fetch_max(at_once, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(5));
                    large.fetch_sub(1, Ordering::SeqCst);
                }
                report(number)
            },
            |report, _| {
                numbers.push(report.tally);
                Ok(())
            },
        )
        .unwrap();
        assert!(numbers.into_iter().eq(0..300));
        assert_eq!(most_large.into_inner(), 1);
    }

    #[test]
    fn a_collection_comes_in_parts_and_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let game = |number: usize| format!("(;GM[1]SZ[9]PB[{number}];B[ee]\n;W[aa])\n");
        let games: String = (1..=40_000).map(game).collect();
        assert!(games.len() > LARGE as usize);
        fs::write(folder.path().join("0.sgf"), game(0)).unwrap();
        fs::write(folder.path().join("1.sgfs"), &games).unwrap();
        fs::write(folder.path().join("2.sgf"), game(40_001)).unwrap();
        let inputs = Inputs::new([folder.path()]);
        for count in [1, 2, 8] {
            let (mut players, mut steps) = (Vec::new(), Vec::new());
            run(
                inputs.open(),
                &sgf::Limits::default(),
                threads(count),
                &AtomicBool::new(false),
                |part| {
                    let collection = part.parse(&sgf::Limits::default()).unwrap();
                    let games = collection.games.into_iter();
                    report(
                        games
                            .map(|game| (game.number, game.header.black, game.main_line[1].place))
                            .collect::<Vec<_>>(),
                    )
                },
                |report, step| {
                    players.extend(report.tally);
                    steps.push(step);
                    Ok(())
                },
            )
            .unwrap();
            assert_eq!(players.len(), 40_002);
            for (i, (number, player, place)) in players.iter().enumerate() {
                assert_eq!(*player, i.to_string());
                let (game, line) = match i {
                    0 | 40_001 => (1, 2),
                    i => (i as u32, 2 * i as u32),
                };
                assert_eq!((*number, place.line), (game, line));
            }
            let ended = steps.iter().filter(|step| step.ends_file).count();
            assert_eq!(ended, 3);
            assert!(steps.len() > 20);
            let consumed: u64 = steps.iter().map(|step| step.consumed).sum();
            let on_disk = inputs.size_on_disk().unwrap();
            assert_eq!(consumed, on_disk);
        }
    }

    #[test]
    fn a_file_of_very_many_games_comes_in_parts_although_it_is_small() {
        let folder = tempfile::tempdir().unwrap();
        let games = "(;SZ[9];B[ee];W[cc])".repeat(9_000);
        assert!(games.len() < LARGE as usize);
        fs::write(folder.path().join("games.sgf"), games).unwrap();
        let inputs = Inputs {
            named: vec![folder.path().into()],
            ..Inputs::default()
        };
        let mut parts = Vec::new();
        run(
            inputs.open(),
            &sgf::Limits::default(),
            threads(2),
            &AtomicBool::new(false),
            |part| {
                let parsed = part.parse(&sgf::Limits::default()).unwrap();
                report(parsed.games.len())
            },
            |report, _| {
                parts.push(report.tally);
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(parts.iter().sum::<usize>(), 9_000);
        assert!(parts.iter().all(|&games| games <= MANY_PARENTHESES));
    }

    #[test]
    fn what_waits_is_bounded_in_bytes() {
        let (_folder, inputs) = folder(400);
        const ROWS: usize = 1 << 20;
        let (waiting, most_waiting) = (AtomicUsize::new(0), AtomicUsize::new(0));
        run(
            inputs.open(),
            &sgf::Limits::default(),
            threads(2),
            &AtomicBool::new(false),
            |part| {
                if number(&part) == Some(0) {
                    std::thread::sleep(Duration::from_millis(300));
                }
                let now = waiting.fetch_add(1, Ordering::SeqCst) + 1;
                most_waiting.fetch_max(now, Ordering::SeqCst);
                Report::new(Vec::with_capacity(ROWS), ())
            },
            |_, _| {
                waiting.fetch_sub(1, Ordering::SeqCst);
                Ok(())
            },
        )
        .unwrap();
        // Each thread may have begun one more when the limit was reached.
        let most = MOST_BYTES / ROWS + 2;
        assert!(most_waiting.into_inner() <= most);
    }

    #[test]
    fn a_panic_becomes_a_finding_and_the_run_goes_on() {
        let (_folder, inputs) = folder(20);
        let mut failed = Vec::new();
        let mut count = 0;
        run(
            inputs.open(),
            &sgf::Limits::default(),
            threads(2),
            &AtomicBool::new(false),
            |part| {
                assert_ne!(number(&part), Some(7), "seven is a bad number");
                report((part.name, part.findings))
            },
            |report, _| {
                let (name, findings) = report.tally;
                count += 1;
                failed.extend(findings.into_iter().map(|finding| (name.clone(), finding)));
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(count, 20);
        let [(name, finding)] = &failed[..] else {
            panic!("{failed:?}")
        };
        assert!(name.ends_with("0007.sgf"));
        assert_eq!(finding.code, Code::InternalError);
        assert!(
            finding.message.contains("seven is a bad number"),
            "{}",
            finding.message
        );
    }

    #[test]
    fn a_panic_over_a_panic_ends_the_run() {
        let (_folder, inputs) = folder(20);
        let ended = catch_unwind(AssertUnwindSafe(|| {
            run(
                inputs.open(),
                &sgf::Limits::default(),
                threads(2),
                &AtomicBool::new(false),
                |part| match number(&part) {
                    Some(number) if number != 7 => report(()),
                    _ => panic!("seven is a bad number"),
                },
                |_, _| Ok(()),
            )
        }));
        assert!(ended.is_err());
    }

    #[test]
    fn stopping_leaves_an_unbroken_row() {
        // More than can be under way when the stop comes.
        const THREADS: usize = 2;
        let files = 200 + AHEAD_PER_THREAD * THREADS;
        let (_folder, inputs) = folder(files);
        let stop = AtomicBool::new(false);
        let mut numbers = Vec::new();
        let ended = run(
            inputs.open(),
            &sgf::Limits::default(),
            threads(THREADS),
            &stop,
            |part| report(number(&part).unwrap()),
            |report, _| {
                numbers.push(report.tally);
                stop.store(report.tally >= 100, Ordering::Relaxed);
                Ok(())
            },
        );
        assert_eq!(ended.unwrap(), Ended::Interrupted);
        assert!(numbers.len() > 100 && numbers.len() < files);
        assert!(numbers.iter().copied().eq(0..numbers.len()));
    }

    #[test]
    fn a_sink_that_fails_ends_the_run() {
        let (_folder, inputs) = folder(500);
        let ended = run(
            inputs.open(),
            &sgf::Limits::default(),
            threads(4),
            &AtomicBool::new(false),
            |part| report(number(&part).unwrap()),
            |report, _| match report.tally {
                100 => Err(io::Error::from(io::ErrorKind::BrokenPipe)),
                number => {
                    assert!(number < 100);
                    Ok(())
                }
            },
        );
        let Err(RunError::Sink(error)) = ended else {
            panic!("{ended:?}")
        };
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
