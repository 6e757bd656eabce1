//! Many files at once, in order, in little memory.
//!
//! [`run`] hands every file of a [`Stream`] to a function on one of several threads and gives
//! the results to a sink in the order of the input, so that the output is the same whatever the
//! number of threads. Each thread asks the stream for the next file, reads it, works on it and
//! puts the result in its place in the row; whoever completes the front of the row hands it to
//! the sink.
//!
//! Memory is bounded three ways: a thread holds one file at a time, only one file of more than a
//! megabyte is worked on at any moment, and no thread runs further ahead of the front than a
//! fixed number of files.
//!
//! A file whose work panics does not end the run: it is handed to the function once more,
//! without its bytes and with a finding that says so.

use std::collections::VecDeque;
use std::io;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::finding::Finding;
use crate::input::{InputFile, Limits, Stream};

/// How many results a thread may be ahead of the slowest file.
const AHEAD_PER_THREAD: u64 = 256;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every file was worked on.
    Completed,
    /// Someone asked to stop; the sink has got the results of all files up to some point.
    Interrupted,
}

/// Works on every file of a stream and gives the results to the sink in the stream's order.
///
/// The run ends early when `stop` becomes true, and with an error when the sink gives one.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use kifu::input::Inputs;
/// use kifu::pipeline::batch;
///
/// let inputs = Inputs { named: vec!["src".into()], ..Inputs::default() };
/// let mut names = Vec::new();
/// batch::run(
///     inputs.open(),
///     2.try_into().unwrap(),
///     &AtomicBool::new(false),
///     |file| file.name,
///     |name| Ok(names.push(name)),
/// )?;
/// assert_eq!(names, ["src"]); // with a finding that there is no record in it
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn run<T: Send>(
    stream: Stream,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    work: impl Fn(InputFile) -> T + Sync,
    sink: impl FnMut(T) -> io::Result<()> + Send,
) -> io::Result<Ended> {
    let limits = stream.limits().clone();
    let run = Run {
        source: Mutex::new(Source { stream, next: 0 }),
        row: Mutex::new(Row {
            front: 0,
            waiting: VecDeque::new(),
            sink,
            failure: None,
        }),
        row_moved: Condvar::new(),
        large_lane: Mutex::new(()),
        ahead: AHEAD_PER_THREAD * threads.get() as u64,
        limits,
        stop,
        work,
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.get() {
            scope.spawn(|| run.work_through());
        }
        run.work_through();
    });
    let row = run.row.into_inner().unwrap_or_else(PoisonError::into_inner);
    match row.failure {
        Some(Failure::Sink(error)) => Err(error),
        Some(Failure::Panic(panic)) => resume_unwind(panic),
        None if stop.load(Ordering::Relaxed) => Ok(Ended::Interrupted),
        None => Ok(Ended::Completed),
    }
}

struct Run<'a, T, W, S> {
    source: Mutex<Source>,
    row: Mutex<Row<T, S>>,
    row_moved: Condvar,
    /// Held by the one thread that works on a large file.
    large_lane: Mutex<()>,
    ahead: u64,
    limits: Limits,
    stop: &'a AtomicBool,
    work: W,
}

struct Source {
    stream: Stream,
    next: u64,
}

/// The results that are not at the sink yet.
struct Row<T, S> {
    /// The number of the file whose result the sink gets next.
    front: u64,
    /// Results from the front on; `None` where one is still being worked on.
    waiting: VecDeque<Option<T>>,
    sink: S,
    failure: Option<Failure>,
}

enum Failure {
    Sink(io::Error),
    Panic(Box<dyn std::any::Any + Send>),
}

impl<T, W, S> Run<'_, T, W, S>
where
    W: Fn(InputFile) -> T,
    S: FnMut(T) -> io::Result<()>,
{
    /// What each thread does, until there is nothing left to do.
    fn work_through(&self) {
        while !self.stop.load(Ordering::Relaxed) {
            let mut lane: Option<MutexGuard<()>> = None;
            let (number, found) = {
                let mut source = lock(&self.source);
                let number = source.next;
                if !self.wait_for_room(number) {
                    return;
                }
                let Some(found) = source.stream.next() else {
                    return;
                };
                source.next += 1;
                // Taken while nobody else can ask for another large one.
                if found.is_large() {
                    lane = Some(lock(&self.large_lane));
                }
                (number, found)
            };
            let file = found.read_pausing(&self.limits, || lane = Some(lock(&self.large_lane)));
            let outcome = self.work_guarded(file);
            drop(lane);
            if !self.put(number, outcome) {
                return;
            }
        }
    }

    /// Waits until the front is near enough to `number`; false if the run is over.
    fn wait_for_room(&self, number: u64) -> bool {
        let mut row = lock(&self.row);
        while row.failure.is_none() && number >= row.front + self.ahead {
            row = self
                .row_moved
                .wait(row)
                .unwrap_or_else(PoisonError::into_inner);
        }
        row.failure.is_none()
    }

    fn work_guarded(&self, file: InputFile) -> Result<T, Failure> {
        let name = file.name.clone();
        let consumed = file.consumed;
        let attempt = |file| catch_unwind(AssertUnwindSafe(|| (self.work)(file)));
        attempt(file)
            .or_else(|panic| {
                let findings = vec![Finding::internal_error(&*panic)];
                attempt(InputFile {
                    name,
                    bytes: None,
                    findings,
                    consumed,
                })
            })
            .map_err(Failure::Panic)
    }

    /// Puts a result into the row and gives the sink what has come to the front; false if the
    /// run is over.
    fn put(&self, number: u64, outcome: Result<T, Failure>) -> bool {
        let mut row = lock(&self.row);
        let row = &mut *row;
        match outcome {
            Err(failure) => {
                row.failure.get_or_insert(failure);
            }
            Ok(result) => {
                let place = (number - row.front) as usize;
                if row.waiting.len() <= place {
                    row.waiting.resize_with(place + 1, || None);
                }
                row.waiting[place] = Some(result);
            }
        }
        while row.failure.is_none()
            && let Some(Some(_)) = row.waiting.front()
        {
            let result = row.waiting.pop_front().flatten().expect("just seen");
            row.front += 1;
            row.failure = (row.sink)(result).err().map(Failure::Sink);
        }
        self.row_moved.notify_all();
        row.failure.is_none()
    }
}

/// Panics are caught where they happen, so a lock never guards half a change.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Code;
    use crate::input::Inputs;
    use std::fs;
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
        std::str::from_utf8(bytes).ok()?.parse().ok()
    }

    #[test]
    fn results_come_in_the_order_of_the_input() {
        let (_folder, inputs) = folder(1500);
        for threads in [1, 2, 8] {
            let mut numbers = Vec::new();
            let ended = run(
                inputs.open(),
                NonZeroUsize::new(threads).unwrap(),
                &AtomicBool::new(false),
                |file| {
                    let number = number(&file).unwrap();
                    // The first file holds up the row until all the others have to wait.
                    if number == 0 {
                        std::thread::sleep(std::time::Duration::from_millis(50));
                    }
                    number
                },
                |number| {
                    numbers.push(number);
                    Ok(())
                },
            );
            assert_eq!(ended.unwrap(), Ended::Completed);
            assert!(
                numbers.iter().copied().eq(0..1500),
                "with {threads} threads"
            );
        }
    }

    #[test]
    fn a_panic_becomes_a_finding_and_the_run_goes_on() {
        let (_folder, inputs) = folder(20);
        let mut failed = Vec::new();
        let mut count = 0;
        run(
            inputs.open(),
            NonZeroUsize::new(2).unwrap(),
            &AtomicBool::new(false),
            |file| {
                assert_ne!(number(&file), Some(7), "seven is a bad number");
                (file.name, file.findings)
            },
            |(name, findings)| {
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
    fn stopping_leaves_an_unbroken_row() {
        // More than can be under way when the stop comes.
        const THREADS: NonZeroUsize = NonZeroUsize::new(2).unwrap();
        let files = 200 + AHEAD_PER_THREAD as usize * THREADS.get();
        let (_folder, inputs) = folder(files);
        let stop = AtomicBool::new(false);
        let mut numbers = Vec::new();
        let ended = run(
            inputs.open(),
            THREADS,
            &stop,
            |file| number(&file).unwrap(),
            |number| {
                numbers.push(number);
                stop.store(number >= 100, Ordering::Relaxed);
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
            NonZeroUsize::new(4).unwrap(),
            &AtomicBool::new(false),
            |file| number(&file).unwrap(),
            |number| match number {
                100 => Err(io::Error::from(io::ErrorKind::BrokenPipe)),
                _ => Ok(()),
            },
        );
        assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
