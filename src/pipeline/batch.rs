//! Many files at once, in order, in little memory.
//!
//! [`run`] hands every file of a [`Stream`] to a function on the threads of a rayon pool and
//! gives the results to a sink in the order of the input, so that the output is the same whatever
//! the number of threads.
//!
//! One thread of the pool is the dispatcher. It asks the stream what comes next, spawns a job
//! for it, and hands the results at the front of the row to the sink; when it is far enough ahead
//! it takes a job itself, like any other thread. No thread ever waits for the end of a batch, and
//! one slow file holds nobody up until the look-ahead is used up.
//!
//! Memory is bounded whatever the input. The look-ahead has a limit in files and one in bytes,
//! which counts everything that waits: names, what was unpacked from an archive and not worked on
//! yet, and results whose turn has not come. Files are read by the job that works on them. One of
//! more than a megabyte goes back to the dispatcher, which lets only one of those into the pool
//! at a time.
//!
//! A file whose work panics does not end the run: it is handed to the function once more,
//! without its bytes and with a finding that says so.

use std::any::Any;
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};

use rayon::{ScopeFifo, ThreadPoolBuilder, Yield};

use crate::finding::Finding;
use crate::input::{Found, InputFile, Limits, Stream};

/// How many files may be under way or waiting for each thread.
const AHEAD_PER_THREAD: usize = 256;

/// How many bytes may wait, in all: for a thread, or for their turn at the sink.
const MOST_BYTES: usize = 16 << 20;

/// What waits costs this much beyond its own bytes.
const OVERHEAD: usize = 512;

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

/// What the work on one file comes to.
#[derive(Debug)]
pub struct Report<T> {
    /// The rows for the output, whole.
    pub rows: Vec<u8>,
    /// What counts towards the summary.
    pub tally: T,
}

/// Works on every file of a stream and gives the reports to the sink in the stream's order, each
/// with the number of bytes of the disk that were read for it.
///
/// The run ends early when `stop` becomes true, and with an error when the sink gives one.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use kifu::input::Inputs;
/// use kifu::pipeline::batch::{self, Report};
///
/// let inputs = Inputs { named: vec!["src".into()], ..Inputs::default() };
/// let mut names = Vec::new();
/// batch::run(
///     inputs.open(),
///     2.try_into().unwrap(),
///     &AtomicBool::new(false),
///     |file| Report { rows: Vec::new(), tally: file.name },
///     |report, _| Ok(names.push(report.tally)),
/// )?;
/// assert_eq!(names, ["src"]); // with a finding that there is no record in it
/// # Ok::<(), batch::RunError>(())
/// ```
pub fn run<T: Send>(
    stream: Stream,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    work: impl Fn(InputFile) -> Report<T> + Sync,
    sink: impl FnMut(Report<T>, u64) -> io::Result<()> + Send,
) -> Result<Ended, RunError> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads.get())
        .build()
        .map_err(|error| RunError::Threads(error.to_string()))?;
    let worker = Worker {
        limits: stream.limits().clone(),
        stop,
        failed: AtomicBool::new(false),
        waiting: AtomicUsize::new(0),
        work,
    };
    let failure =
        pool.scope_fifo(|scope| Dispatcher::new(stream, threads, &worker, sink).run(scope));
    match failure {
        Some(Failure::Sink(error)) => Err(RunError::Sink(error)),
        Some(Failure::Panic(panic)) => resume_unwind(panic),
        None if stop.load(Ordering::Relaxed) => Ok(Ended::Interrupted),
        None => Ok(Ended::Completed),
    }
}

enum Failure {
    Sink(io::Error),
    Panic(Box<dyn Any + Send>),
}

/// What every job shares.
struct Worker<'a, W> {
    limits: Limits,
    stop: &'a AtomicBool,
    /// Set when the run has failed and what is still to be done does not matter any more.
    failed: AtomicBool,
    /// The bytes of everything that waits, before its job or after it.
    waiting: AtomicUsize,
    work: W,
}

/// How urgent a job is, and what it may take.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// One of many.
    Usual,
    /// All others wait for this one.
    Front,
    /// The one large file that may be worked on.
    Large,
}

/// What became of a job.
enum Outcome<T> {
    Done(Done<T>),
    /// Not yet: too much waits already.
    Postponed(Found),
    /// Not yet: the file is large.
    Large(Found),
    /// The run was over before the job began.
    Skipped,
    Panicked(Box<dyn Any + Send>),
}

struct Done<T> {
    report: Report<T>,
    consumed: u64,
}

impl<T> Done<T> {
    fn bytes(&self) -> usize {
        OVERHEAD + self.report.rows.capacity()
    }
}

impl<T, W: Fn(InputFile) -> Report<T>> Worker<'_, W> {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.failed.load(Ordering::Relaxed)
    }

    fn has_room(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) < MOST_BYTES
    }

    /// Reads a file and works on it, if that can be done now.
    fn job(&self, found: Found, turn: Turn) -> Outcome<T> {
        if self.is_over() {
            return Outcome::Skipped;
        }
        if turn == Turn::Usual && !self.has_room() {
            return Outcome::Postponed(found);
        }
        let (name, held) = (found.name().to_owned(), found.held());
        let attempt = || {
            let file = match turn {
                Turn::Large => found.read(&self.limits),
                _ => match found.read_small(&self.limits) {
                    Ok(file) => file,
                    Err(found) => return Outcome::Large(found),
                },
            };
            self.work(file)
        };
        let outcome = catch_unwind(AssertUnwindSafe(attempt))
            .or_else(|panic| {
                let file = InputFile {
                    name,
                    bytes: None,
                    findings: vec![Finding::internal_error(&*panic)],
                    consumed: 0,
                };
                catch_unwind(AssertUnwindSafe(|| self.work(file)))
            })
            .unwrap_or_else(Outcome::Panicked);
        if let Outcome::Done(done) = &outcome {
            self.waiting.fetch_add(done.bytes(), Ordering::Relaxed);
            self.waiting.fetch_sub(held, Ordering::Relaxed);
        }
        outcome
    }

    fn work(&self, file: InputFile) -> Outcome<T> {
        let consumed = file.consumed;
        let report = (self.work)(file);
        Outcome::Done(Done { report, consumed })
    }
}

/// Hands out jobs and collects what becomes of them.
struct Dispatcher<'a, T, W, S> {
    worker: &'a Worker<'a, W>,
    stream: Stream,
    sink: S,
    sender: Sender<(u64, Outcome<T>)>,
    receiver: Receiver<(u64, Outcome<T>)>,
    /// Every file that has left the stream and not come to the sink, in order.
    row: VecDeque<Place<T>>,
    /// The number of the first file of the row.
    front: u64,
    /// How long the row may be.
    most_files: usize,
    /// How many jobs are with the pool.
    under_way: usize,
    /// Files whose jobs came back because too much waits.
    postponed: BTreeSet<u64>,
    /// Large files, and the one of them that is with the pool.
    large: BTreeSet<u64>,
    large_under_way: Option<u64>,
    failure: Option<Failure>,
}

/// A file in the row.
enum Place<T> {
    /// With the pool.
    UnderWay,
    /// Postponed or large.
    Returned(Found),
    Done(Done<T>),
    Skipped,
}

impl<'a, T, W, S> Dispatcher<'a, T, W, S>
where
    T: Send + 'a,
    W: Fn(InputFile) -> Report<T> + Sync,
    S: FnMut(Report<T>, u64) -> io::Result<()>,
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
            row: VecDeque::new(),
            front: 0,
            // A single thread has nobody to be ahead for.
            most_files: match threads.get() {
                1 => 1,
                threads => threads.saturating_mul(AHEAD_PER_THREAD),
            },
            under_way: 0,
            postponed: BTreeSet::new(),
            large: BTreeSet::new(),
            large_under_way: None,
            failure: None,
        }
    }

    fn run(mut self, scope: &ScopeFifo<'a>) -> Option<Failure> {
        loop {
            while let Ok((number, outcome)) = self.receiver.try_recv() {
                self.take(number, outcome);
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
                && let Ok((number, outcome)) = self.receiver.recv()
            {
                self.take(number, outcome);
            }
        }
    }

    /// Hands out one more job; false if there is none, or no room for it.
    fn hand_out(&mut self, scope: &ScopeFifo<'a>) -> bool {
        if self.worker.is_over() {
            return false;
        }
        let has_room = self.worker.has_room();
        if let Some(&number) = self.postponed.first() {
            let turn = match number == self.front {
                true => Turn::Front,
                false if has_room => Turn::Usual,
                false => return false,
            };
            self.postponed.remove(&number);
            self.hand_out_again(scope, number, turn);
            return true;
        }
        if self.large_under_way.is_none()
            && let Some(number) = self.large.pop_first()
        {
            self.large_under_way = Some(number);
            self.hand_out_again(scope, number, Turn::Large);
            return true;
        }
        if !self.row.is_empty() && (self.row.len() >= self.most_files || !has_room) {
            return false;
        }
        let Some(found) = self.stream.next() else {
            return false;
        };
        self.worker
            .waiting
            .fetch_add(found.held(), Ordering::Relaxed);
        let number = self.front + self.row.len() as u64;
        if found.is_large() {
            self.large.insert(number);
            self.row.push_back(Place::Returned(found));
        } else {
            self.row.push_back(Place::UnderWay);
            self.spawn(scope, number, found, Turn::Usual);
        }
        true
    }

    fn hand_out_again(&mut self, scope: &ScopeFifo<'a>, number: u64, turn: Turn) {
        let place = &mut self.row[(number - self.front) as usize];
        if let Place::Returned(found) = std::mem::replace(place, Place::UnderWay) {
            self.spawn(scope, number, found, turn);
        }
    }

    fn spawn(&mut self, scope: &ScopeFifo<'a>, number: u64, found: Found, turn: Turn) {
        let (worker, sender) = (self.worker, self.sender.clone());
        self.under_way += 1;
        scope.spawn_fifo(move |_| {
            let outcome = worker.job(found, turn);
            // The dispatcher waits for every job that it has handed out.
            let _ = sender.send((number, outcome));
        });
    }

    /// Puts what became of a job in its place in the row.
    fn take(&mut self, number: u64, outcome: Outcome<T>) {
        self.under_way -= 1;
        if self.large_under_way == Some(number) {
            self.large_under_way = None;
        }
        let place = match outcome {
            Outcome::Done(done) => Place::Done(done),
            Outcome::Postponed(found) => {
                self.postponed.insert(number);
                Place::Returned(found)
            }
            Outcome::Large(found) => {
                self.large.insert(number);
                Place::Returned(found)
            }
            Outcome::Skipped => Place::Skipped,
            Outcome::Panicked(panic) => {
                self.fail(Failure::Panic(panic));
                Place::Skipped
            }
        };
        self.row[(number - self.front) as usize] = place;
    }

    /// Gives the sink what has come to the front.
    fn deliver(&mut self) {
        while self.failure.is_none()
            && let Some(Place::Done(_)) = self.row.front()
            && let Some(Place::Done(done)) = self.row.pop_front()
        {
            self.front += 1;
            self.worker
                .waiting
                .fetch_sub(done.bytes(), Ordering::Relaxed);
            if let Err(error) = (self.sink)(done.report, done.consumed) {
                self.fail(Failure::Sink(error));
            }
        }
    }

    fn fail(&mut self, failure: Failure) {
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
        let inputs = Inputs {
            named: vec![folder.path().into()],
            ..Inputs::default()
        };
        (folder, inputs)
    }

    fn number(file: &InputFile) -> Option<usize> {
        let bytes = file.bytes.as_deref()?;
        std::str::from_utf8(bytes).ok()?.trim().parse().ok()
    }

    fn report<T>(tally: T) -> Report<T> {
        let rows = Vec::new();
        Report { rows, tally }
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
                threads(count),
                &AtomicBool::new(false),
                |file| {
                    let number = number(&file).unwrap();
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
            threads(4),
            &AtomicBool::new(false),
            |file| {
                let number = number(&file).unwrap();
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
    fn what_waits_is_bounded_in_bytes() {
        let (_folder, inputs) = folder(400);
        const ROWS: usize = 1 << 20;
        let (waiting, most_waiting) = (AtomicUsize::new(0), AtomicUsize::new(0));
        run(
            inputs.open(),
            threads(2),
            &AtomicBool::new(false),
            |file| {
                if number(&file) == Some(0) {
                    std::thread::sleep(Duration::from_millis(300));
                }
                let now = waiting.fetch_add(1, Ordering::SeqCst) + 1;
                most_waiting.fetch_max(now, Ordering::SeqCst);
                let rows = Vec::with_capacity(ROWS);
                Report { rows, tally: () }
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
            threads(2),
            &AtomicBool::new(false),
            |file| {
                assert_ne!(number(&file), Some(7), "seven is a bad number");
                report((file.name, file.findings))
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
                threads(2),
                &AtomicBool::new(false),
                |file| match number(&file) {
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
            threads(THREADS),
            &stop,
            |file| report(number(&file).unwrap()),
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
            threads(4),
            &AtomicBool::new(false),
            |file| report(number(&file).unwrap()),
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
