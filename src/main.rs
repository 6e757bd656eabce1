use std::process::ExitCode;

fn main() -> ExitCode {
    kifu::cli::main()
}
