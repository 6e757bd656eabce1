//! A panic that was caught, as a finding.
//!
//! A panic is a mistake of kifu and never the fault of a record, but it must not end a run over
//! a hundred thousand others. The finding says where it happened, for whoever will fix it.

use std::any::Any;
use std::cell::RefCell;

use super::{Code, Finding};

thread_local! {
    /// Where this thread panicked last.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// From now on a panic prints nothing, but is remembered until it is caught.
#[cfg(feature = "cli")]
pub(crate) fn remember_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map(|at| format!("{}:{}", at.file(), at.line()));
        PLACE.set(place);
    }));
}

impl Finding {
    /// The finding for a panic that was caught.
    pub(crate) fn internal_error(panic: &(dyn Any + Send)) -> Finding {
        let reason = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no reason given");
        let place = PLACE
            .take()
            .map(|place| format!(" at {place}"))
            .unwrap_or_default();
        Finding::new(
            Code::InternalError,
            format!("kifu failed on this file; please report it: {reason}{place}."),
        )
    }
}
