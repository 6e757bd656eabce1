//! The program; all of it is in [`kifu::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    kifu::cli::main()
}
