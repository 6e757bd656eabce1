//! The progress bar, on a terminal only.
//!
//! It measures bytes read from the disk, because files differ in size and an archive is one of
//! them; a thread adds up how many there will be while the work has already begun. What it shows
//! is files, their rate and the time left.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::input::Inputs;
use crate::output::printable;
use crate::pipeline::batch::InputProgress;

pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
    shown: Mutex<Shown>,
    /// Rows go to the same terminal, so the bar has to make room for them.
    shares_terminal: bool,
}

struct Shown {
    files: u64,
    at: Instant,
}

/// How often the text beside the bar changes.
const REFRESH: Duration = Duration::from_millis(100);

impl Progress {
    pub(super) fn new(inputs: &Inputs, quiet: bool) -> Progress {
        let visible = !quiet && io::stderr().is_terminal();
        let bar = if visible {
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10))
        } else {
            ProgressBar::hidden()
        };
        if visible {
            animate(&bar, inputs, thread::Builder::new);
        }
        let started = Instant::now();
        Progress {
            bar,
            started,
            shown: Mutex::new(Shown {
                files: 0,
                at: started,
            }),
            shares_terminal: visible && io::stdout().is_terminal(),
        }
    }

    /// A file is done, or a part of one.
    pub(super) fn advance(&self, step: InputProgress) {
        if self.bar.is_hidden() {
            return;
        }
        self.bar.inc(step.consumed);
        let Ok(mut shown) = self.shown.lock() else {
            return;
        };
        shown.files += u64::from(step.ends_file);
        if shown.at.elapsed() >= REFRESH {
            shown.at = Instant::now();
            let rate = shown.files as f64 / self.started.elapsed().as_secs_f64();
            let (files, rate) = (HumanCount(shown.files), HumanCount(rate as u64));
            self.bar.set_message(format!("{files} files, {rate}/s"));
        }
    }

    /// Does something to the terminal while the bar is out of the way.
    pub(super) fn pausing<R>(&self, act: impl FnOnce() -> R) -> R {
        if self.shares_terminal {
            self.bar.suspend(act)
        } else {
            act()
        }
    }

    /// All files are done, and what came of them is put into one.
    pub(super) fn writing(&self, output: Option<&Path>) {
        let name = output.and_then(Path::file_name).unwrap_or_default();
        let name = name.to_string_lossy();
        self.bar.set_style(style("{spinner} {msg}"));
        self.bar
            .set_message(format!("writing {}", printable(&name)));
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Keeps the bar moving, and finds out how far it has to go. Without a thread to spare it moves
/// when files are done, and does not know how many there are.
fn animate(bar: &ProgressBar, inputs: &Inputs, thread: impl Fn() -> thread::Builder) {
    bar.set_style(style("{spinner} {msg}"));
    let ticking = bar.clone();
    let _ = thread().spawn(move || {
        while !ticking.is_finished() {
            ticking.tick();
            thread::sleep(REFRESH);
        }
    });
    let (sized, inputs) = (bar.clone(), inputs.clone());
    let _ = thread().spawn(move || {
        if let Some(size) = inputs.size_on_disk() {
            sized.set_style(style("{bar:30} {percent:>3}%  {msg}, {eta} left"));
            sized.set_length(size);
        }
    });
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates are our own")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_without_threads_does_not_stop_the_run() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("game.sgf"), "(;B[aa])").unwrap();
        let inputs = Inputs::new([folder.path()]);

        // No machine has room for such a stack.
        let too_large = || thread::Builder::new().stack_size(1 << 56);
        assert!(too_large().spawn(|| ()).is_err());
        let bar = ProgressBar::hidden();
        animate(&bar, &inputs, too_large);
        bar.inc(8);
        assert_eq!((bar.position(), bar.length()), (8, None));

        // With threads it gets to know how far it has to go.
        let bar = ProgressBar::no_length();
        bar.set_draw_target(ProgressDrawTarget::hidden());
        animate(&bar, &inputs, thread::Builder::new);
        let started = Instant::now();
        while bar.length().is_none() {
            assert!(started.elapsed() < Duration::from_secs(60));
            thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(bar.length(), Some(8));
        bar.finish();
    }
}
