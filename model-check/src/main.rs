//! The command `model-check`.

fn main() -> std::process::ExitCode {
    outlive_model_check::cli::main()
}
