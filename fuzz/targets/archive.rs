//! Archives of every kind: whatever the bytes, they come to an end, within the limits, and what
//! can't be read has a finding.
//!
//! The first byte chooses the kind.

#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use kifu::input::{Inputs, Limits};
use libfuzzer_sys::fuzz_target;

const NAMES: [&str; 11] = [
    "a.zip", "a.tar", "a.tar.gz", "a.tar.bz2", "a.tar.xz", "a.tar.zst", "a.sgf.gz", "a.sgf.bz2",
    "a.sgf.xz", "a.sgf.zst", "a.tgz",
];

/// Where the archives are written: a folder of this process.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("kifu-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the archives");
    folder
});

fuzz_target!(|data: &[u8]| {
    let Some((&kind, bytes)) = data.split_first() else {
        return;
    };
    let path = FOLDER.join(NAMES[usize::from(kind) % NAMES.len()]);
    fs::write(&path, bytes).expect("the archive is written");
    let mut limits = Limits::default();
    limits.max_game_size = 1 << 20;
    limits.max_unpacked_size = 4 << 20;
    limits.max_members = 1000;
    let mut inputs = Inputs::default();
    inputs.named = vec![path.clone().into()];
    inputs.limits = limits.clone();
    let mut unpacked = 0;
    let mut any = false;
    for entry in inputs.open() {
        let file = entry.read(&limits);
        any = true;
        assert!(
            file.bytes.is_some() || !file.findings.is_empty(),
            "{} was passed over without a word",
            file.name
        );
        unpacked += file.bytes.map_or(0, |bytes| bytes.len() as u64);
    }
    assert!(any, "an input was passed over without a word");
    assert!(unpacked <= limits.max_unpacked_size + limits.max_game_size);
    fs::remove_file(&path).expect("the archive is removed");
});
