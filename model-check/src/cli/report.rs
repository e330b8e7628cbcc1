//! `report`: the site for reviewers.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::{CheckArgs, Console, Failure, ReportArgs, check, defaults, names};
use crate::exit::Exit;
use crate::report::checked::Checked;
use crate::report::links::Links;
use crate::report::site::{INDEX, Page, Searches, site};
use crate::report::subject::Subject;

/// What shows that a folder is the root of the repository.
const SIGN: &str = "docs/requirements";

pub(super) fn run(args: &ReportArgs, console: &mut Console) -> Result<Exit, Failure> {
    let every_variant = CheckArgs {
        protocols: args.protocols.clone(),
        profile: args.profile,
        threads: args.threads,
        ..defaults(&["--all-variants"])
    };
    // Before the search: whoever cannot write finds that out at once.
    let links = make_links(&args.out_dir, args.repository.as_deref())?;
    let report = check::search(&every_variant, console)?;
    let protocols = searches(&report.checked, args)?;
    let pages = site(&protocols, &links).map_err(|error| Failure::Internal(error.to_string()))?;
    for Page { name, text } in &pages {
        write(&args.out_dir.join(name), text)?;
    }
    let index = args.out_dir.join(INDEX);
    console.show(&report, Some(check::findings(&report, &every_variant)), |out, style| match style.quiet {
        true => Ok(()),
        false => writeln!(out, "{} files; begin with {}", pages.len(), index.display()),
    })?;
    Ok(Exit::of_code(report.exit))
}

fn searches(checked: &[Checked], args: &ReportArgs) -> Result<Vec<Searches>, Failure> {
    let of_protocol = |rows: &[Checked]| {
        let family = names::protocol(&rows[0].protocol)?;
        let subject = |checked: &Checked| {
            let variant = names::variant(family, &checked.variant)?;
            let searched = family.subject(variant, args.profile);
            let states_endless = checked.endless.as_ref().map(|endless| endless.states);
            Ok((checked.clone(), Subject { states: Some(checked.states), states_endless, ..searched }))
        };
        let differences = check::differences(family, args.profile, rows)?;
        let rows: Result<_, Failure> = rows.iter().map(subject).collect();
        Ok(Searches { rows: rows?, differences })
    };
    checked.chunk_by(|one, other| one.protocol == other.protocol).map(of_protocol).collect()
}

/// Makes the folder of a page, and the way from it to the repository: to where somebody says that it is, or to the
/// current folder if that is it.
pub(super) fn make_links(folder: &Path, repository: Option<&str>) -> Result<Links, Failure> {
    fs::create_dir_all(folder).map_err(|source| Failure::Write { path: folder.to_owned(), source })?;
    let here = Path::new(".");
    match repository {
        Some(address) if address.contains("://") => Ok(Links::below(address)),
        Some(root) => way(folder, Path::new(root)).map(|way| Links::below(&way)),
        None if here.join(SIGN).is_dir() => way(folder, here).map(|way| Links::below(&way)),
        None => Ok(Links::nowhere()),
    }
}

/// The way from one folder to another, as a link says it.
fn way(from: &Path, to: &Path) -> Result<String, Failure> {
    let absolute = |path: &Path| {
        path.canonicalize().map_err(|error| Failure::Usage(format!("there is no {}: {error}", path.display())))
    };
    let (from, to) = (absolute(from)?, absolute(to)?);
    let common = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(to.components().skip(common)).collect();
    let way = if way.as_os_str().is_empty() { ".".to_owned() } else { way.to_string_lossy().replace('\\', "/") };
    Ok(way.split('/').map(escape).collect::<Vec<_>>().join("/"))
}

/// A folder's name may have what means something else in an address.
fn escape(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    name.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|source| Failure::Write { path: path.to_owned(), source })
}
