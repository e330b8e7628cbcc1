//! `generate`: scripts for tests of an implementation, in any language.

use std::fs::{self, File};
use std::io::{BufWriter, Write};

use super::{Console, Failure, GenerateArgs};
use crate::exit::Exit;
use crate::generate::{SCRIPTS, Scripts, Summary};

pub(super) fn run(args: &GenerateArgs, console: &mut Console) -> Result<Exit, Failure> {
    let Some(scripts) = Scripts::named(&args.protocol) else {
        let known: Vec<String> = SCRIPTS.iter().map(|it| format!("`{}`", it.protocol)).collect();
        let message = format!("unknown protocol `{}`: scripts are generated of {}", args.protocol, known.join(", "));
        return Err(Failure::Usage(message));
    };
    let path = args.out_dir.join("scripts.jsonl");
    let failed = |source| Failure::Write { path: path.clone(), source };
    fs::create_dir_all(&args.out_dir).map_err(failed)?;
    let mut file = BufWriter::new(File::create(&path).map_err(failed)?);
    let summary = scripts.generate(args.cover, &mut |line| {
        let text = serde_json::to_string(line).map_err(std::io::Error::other)?;
        writeln!(file, "{text}")
    });
    let summary = summary.and_then(|summary| file.flush().map(|()| summary)).map_err(failed)?;
    console.show(&summary, None, |out, _| {
        let Summary { scripts, steps, states, edges, unscripted } = &summary;
        writeln!(
            out,
            "{}: {scripts} scripts of {steps} steps cover {edges} edges of {states} states; {unscripted} cannot be told in \
             a script",
            path.display()
        )
    })?;
    Ok(Exit::Holds)
}
