//! What only the program as a whole can show: manual pages, completions, time.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The standard output of a run that must succeed.
fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kifu"))
        .args(arguments)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands that `kifu help` lists.
fn commands() -> Vec<String> {
    let help = printed(&["help"]);
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let commands: Vec<String> = list
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .map(str::to_owned)
        .collect();
    for expected in ["check", "score", "show", "man", "completions"] {
        assert!(commands.iter().any(|command| command == expected));
    }
    commands
}

/// The long options that the help of a command lists, without their `--`.
fn options(command: &str) -> Vec<String> {
    let help = printed(&["help", command]);
    let lines = help.lines().map(str::trim_start);
    let words = lines
        .filter(|line| line.starts_with('-'))
        .flat_map(str::split_whitespace);
    let options: Vec<String> = words
        .filter_map(|word| word.strip_prefix("--"))
        .map(str::to_owned)
        .collect();
    assert!(options.iter().any(|option| option == "help"));
    options
}

/// Gives a text to another program. `None` if that is not at hand, else whether it is content and
/// what it complains about.
fn fed(program: &str, arguments: &[&str], text: &str) -> Option<(bool, String)> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let _ = child.stdin.take()?.write_all(text.as_bytes());
    let output = child.wait_with_output().ok()?;
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    Some((output.status.success(), complaints))
}

#[test]
fn every_command_has_a_manual_page_with_all_its_options() {
    let overview = printed(&["man"]);
    assert!(overview.contains(".TH kifu 1"), "{overview}");
    for command in commands() {
        assert!(
            overview.contains(&format!("kifu\\-{command}(1)")),
            "{command}"
        );
        let page = printed(&["man", &command]);
        assert!(page.contains(&format!(".TH kifu-{command} 1")), "{page}");
        for option in options(&command) {
            let written = format!("\\-\\-{}", option.replace('-', "\\-"));
            assert!(page.contains(&written), "{command} --{option}");
        }
        if let Some(outcome) = fed("groff", &["-man", "-Tutf8"], &page) {
            assert_eq!(outcome, (true, String::new()), "{command}");
        }
    }
}

#[test]
fn every_shell_completes_all_commands_and_options() {
    let (commands, shells) = (commands(), ["bash", "elvish", "fish", "powershell", "zsh"]);
    for shell in shells {
        let script = printed(&["completions", shell]);
        for command in &commands {
            assert!(script.contains(command.as_str()), "{shell}: {command}");
            for option in options(command) {
                // fish names them without their hyphens.
                assert!(script.contains(&option), "{shell}: {command} --{option}");
            }
        }
        // These can check a script without running it.
        if ["bash", "fish", "zsh"].contains(&shell)
            && let Some(outcome) = fed(shell, &["-n"], &script)
        {
            assert_eq!(outcome, (true, String::new()), "{shell}");
        }
    }
}

/// A place is found by going on from the one before, in a file of one line as well as of many.
/// Searched for from the top each time, these take a hundred times as long as they do as CSV.
#[test]
fn findings_as_text_take_time_in_proportion_to_the_file() {
    let folder = tempfile::tempdir().unwrap();
    for separator in ["", "\n"] {
        let mut sgf = String::new();
        for game in 0..40_000 {
            let start = format!("(;GM[1]SZ[9]PB[棋{game}];B[ee];W[ee]");
            let _ = write!(sgf, "{start}{separator};B[ee]){separator}");
        }
        let path = folder.path().join("games.sgf");
        fs::write(&path, sgf).unwrap();
        let timed = |format: &str, lines: usize| {
            let started = Instant::now();
            let output = Command::new(env!("CARGO_BIN_EXE_kifu"))
                .args(["check", "--format", format])
                .arg(&path)
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(1));
            let breaks = output.stdout.iter().filter(|&&byte| byte == b'\n');
            assert_eq!(breaks.count(), lines);
            started.elapsed()
        };
        let csv = timed("csv", 1 + 80_000);
        let text = timed("text", 3 * 80_000);
        assert!(
            text < 10 * csv + Duration::from_secs(1),
            "{text:?}, {csv:?}"
        );
    }
}
