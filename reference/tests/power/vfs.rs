//! SQLite's file system on a [`Disk`]: the place where it calls into this language.
//!
//! A file is named `/power-cut/<disk>/<name>`. The file system is the default one of the process, so a store is opened
//! as it always is; whatever is named otherwise cannot be opened.
//!
//! # Ground rules
//!
//! Nothing is decided here. Each function turns pointers into references and lengths into slices, asks the disk or the
//! locks, and turns the answer into a code of SQLite.

#![expect(
    unsafe_code,
    reason = "SQLite asks a file system through pointers to functions, and no safe crate offers that"
)]

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, Once, PoisonError};

use rusqlite::ffi;

use super::disk::{Disk, Failed};
use super::locks::{Level, Locks, REGION_BYTES};

const FOLDER: &str = "/power-cut/";

/// A disk that SQLite can reach; it cannot any more once this is dropped.
pub(crate) struct Mounted {
    number: u64,
    pub(crate) disk: Arc<Disk>,
}

static MOUNTS: LazyLock<Mutex<BTreeMap<u64, Arc<Disk>>>> = LazyLock::new(Mutex::default);
static NEXT: AtomicU64 = AtomicU64::new(1);

fn mounts() -> MutexGuard<'static, BTreeMap<u64, Arc<Disk>>> {
    MOUNTS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Mounted {
    pub(crate) fn new(disk: Disk) -> Mounted {
        register();
        let (number, disk) = (NEXT.fetch_add(1, Ordering::Relaxed), Arc::new(disk));
        mounts().insert(number, disk.clone());
        Mounted { number, disk }
    }

    /// What to call the database on it.
    pub(crate) fn path(&self) -> String {
        format!("{FOLDER}{}/store.db", self.number)
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        mounts().remove(&self.number);
    }
}

/// Makes this the file system of the process.
fn register() {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        let vfs = Box::leak(Box::new(ffi::sqlite3_vfs {
            iVersion: 1,
            szOsFile: size_of::<File>() as c_int,
            mxPathname: 512,
            pNext: std::ptr::null_mut(),
            zName: c"power-cut".as_ptr(),
            pAppData: std::ptr::null_mut(),
            xOpen: Some(open),
            xDelete: Some(delete),
            xAccess: Some(access),
            xFullPathname: Some(full_path_name),
            xDlOpen: None,
            xDlError: None,
            xDlSym: None,
            xDlClose: None,
            xRandomness: Some(randomness),
            xSleep: Some(sleep),
            xCurrentTime: Some(current_time),
            xGetLastError: None,
            xCurrentTimeInt64: None,
            xSetSystemCall: None,
            xGetSystemCall: None,
            xNextSystemCall: None,
        }));
        // SAFETY: it is leaked, so it stays where it is for as long as SQLite may use it.
        assert_eq!(unsafe { ffi::sqlite3_vfs_register(vfs, 1) }, ffi::SQLITE_OK);
    });
}

// ------------------------------------------------------------------------------------------------- the file system

/// What SQLite holds for an open file: the methods that it looks for first, and what is ours.
#[repr(C)]
struct File {
    methods: *const ffi::sqlite3_io_methods,
    handle: *mut Handle,
}

struct Handle {
    disk: Arc<Disk>,
    name: String,
    number: u64,
}

/// The disk of a path, and the name of the file on it; none if it is none of ours.
///
/// # Safety
/// It is null, or a string of C that outlives the reference.
unsafe fn find<'a>(path: *const c_char) -> Option<(Arc<Disk>, &'a str)> {
    if path.is_null() {
        return None;
    }
    // SAFETY: the caller's promise.
    let path = unsafe { CStr::from_ptr(path) }.to_str().ok()?;
    let (number, name) = path.strip_prefix(FOLDER)?.split_once('/')?;
    Some((mounts().get(&number.parse().ok()?)?.clone(), name))
}

unsafe extern "C" fn open(
    _: *mut ffi::sqlite3_vfs,
    path: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: SQLite hands out room for a file of the size that was registered.
    let file = unsafe { &mut *file.cast::<File>() };
    // If it fails there is nothing to close.
    file.methods = std::ptr::null();
    // SAFETY: a name is a string of C that stays until the file is closed.
    let Some((disk, name)) = (unsafe { find(path) }) else {
        return ffi::SQLITE_CANTOPEN;
    };
    let is_there = match disk.exists(name) {
        Ok(false) if flags & ffi::SQLITE_OPEN_CREATE != 0 => disk.create(name).map(|()| true),
        found => found,
    };
    if is_there != Ok(true) {
        return ffi::SQLITE_CANTOPEN;
    }
    let handle = Handle { disk, name: name.to_owned(), number: NEXT.fetch_add(1, Ordering::Relaxed) };
    file.handle = Box::into_raw(Box::new(handle));
    file.methods = &raw const METHODS;
    if !out_flags.is_null() {
        // SAFETY: it is not null, so it is room for an answer.
        unsafe { *out_flags = flags };
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn delete(_: *mut ffi::sqlite3_vfs, path: *const c_char, is_synced: c_int) -> c_int {
    // SAFETY: SQLite names files by strings of C.
    let Some((disk, name)) = (unsafe { find(path) }) else {
        return ffi::SQLITE_IOERR_DELETE;
    };
    match disk.exists(name) {
        Ok(true) => code(disk.remove(name, is_synced != 0), ffi::SQLITE_IOERR_DELETE),
        Ok(false) => ffi::SQLITE_IOERR_DELETE_NOENT,
        Err(Failed) => ffi::SQLITE_IOERR_DELETE,
    }
}

unsafe extern "C" fn access(_: *mut ffi::sqlite3_vfs, path: *const c_char, _: c_int, found: *mut c_int) -> c_int {
    // SAFETY: SQLite names files by strings of C.
    let exists = unsafe { find(path) }.and_then(|(disk, name)| disk.exists(name).ok());
    // SAFETY: SQLite hands out room for the answer.
    unsafe { *found = c_int::from(exists == Some(true)) };
    if exists.is_some() { ffi::SQLITE_OK } else { ffi::SQLITE_IOERR_ACCESS }
}

unsafe extern "C" fn full_path_name(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    room: c_int,
    out: *mut c_char,
) -> c_int {
    // SAFETY: SQLite names files by strings of C.
    let length = unsafe { CStr::from_ptr(name) }.to_bytes_with_nul().len();
    if length > room as usize {
        return ffi::SQLITE_CANTOPEN;
    }
    // SAFETY: both are at least that long, and are different buffers.
    unsafe { std::ptr::copy_nonoverlapping(name, out, length) };
    ffi::SQLITE_OK
}

unsafe extern "C" fn randomness(_: *mut ffi::sqlite3_vfs, length: c_int, out: *mut c_char) -> c_int {
    // SAFETY: SQLite hands out a buffer of this length.
    unsafe { std::ptr::write_bytes(out, 0x5a, length as usize) };
    length
}

unsafe extern "C" fn sleep(_: *mut ffi::sqlite3_vfs, microseconds: c_int) -> c_int {
    std::thread::sleep(std::time::Duration::from_micros(microseconds as u64));
    microseconds
}

unsafe extern "C" fn current_time(_: *mut ffi::sqlite3_vfs, out: *mut f64) -> c_int {
    // SAFETY: SQLite hands out room for the answer. 1970-01-01, in days as SQLite counts them.
    unsafe { *out = 2_440_587.5 };
    ffi::SQLITE_OK
}

// --------------------------------------------------------------------------------------------------------- a file

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: None,
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

fn code(done: Result<(), Failed>, otherwise: c_int) -> c_int {
    if done.is_ok() { ffi::SQLITE_OK } else { otherwise }
}

/// # Safety
/// It is a file that [`open`] has opened and that is not closed.
unsafe fn handle<'a>(file: *mut ffi::sqlite3_file) -> &'a Handle {
    // SAFETY: the caller's promise; the handle was boxed by `open`.
    unsafe { &*(*file.cast::<File>()).handle }
}

fn with_locks<T>(handle: &Handle, ask: impl FnOnce(&mut Locks) -> T) -> T {
    handle.disk.with_locks(&handle.name, ask)
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    // SAFETY: it was boxed by `open`, and SQLite closes a file once.
    let handle = unsafe { Box::from_raw((*file.cast::<File>()).handle) };
    with_locks(&handle, |locks| locks.forget(handle.number));
    ffi::SQLITE_OK
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    into: *mut c_void,
    length: c_int,
    at: ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite reads open files only, into a buffer of this length.
    let (handle, into) = unsafe { (handle(file), std::slice::from_raw_parts_mut(into.cast::<u8>(), length as usize)) };
    match handle.disk.read(&handle.name, at as usize, into) {
        Ok(read) if read == into.len() => ffi::SQLITE_OK,
        Ok(read) => {
            into[read..].fill(0);
            ffi::SQLITE_IOERR_SHORT_READ
        }
        Err(Failed) => ffi::SQLITE_IOERR_READ,
    }
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    from: *const c_void,
    length: c_int,
    at: ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite writes open files only, from a buffer of this length.
    let (handle, from) = unsafe { (handle(file), std::slice::from_raw_parts(from.cast::<u8>(), length as usize)) };
    code(handle.disk.write(&handle.name, at as usize, from), ffi::SQLITE_IOERR_WRITE)
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, length: ffi::sqlite3_int64) -> c_int {
    // SAFETY: SQLite truncates open files only.
    let handle = unsafe { handle(file) };
    code(handle.disk.truncate(&handle.name, length as usize), ffi::SQLITE_IOERR_TRUNCATE)
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    // SAFETY: SQLite syncs open files only.
    let handle = unsafe { handle(file) };
    code(handle.disk.sync(&handle.name), ffi::SQLITE_IOERR_FSYNC)
}

unsafe extern "C" fn file_size(file: *mut ffi::sqlite3_file, out: *mut ffi::sqlite3_int64) -> c_int {
    // SAFETY: SQLite asks open files only, and hands out room for the answer.
    let (handle, out) = unsafe { (handle(file), &mut *out) };
    code(handle.disk.length(&handle.name).map(|length| *out = length as i64), ffi::SQLITE_IOERR_FSTAT)
}

unsafe extern "C" fn lock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: SQLite locks open files only.
    let handle = unsafe { handle(file) };
    let is_locked = with_locks(handle, |locks| locks.lock(handle.number, level as Level));
    if is_locked { ffi::SQLITE_OK } else { ffi::SQLITE_BUSY }
}

unsafe extern "C" fn unlock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: SQLite unlocks open files only.
    let handle = unsafe { handle(file) };
    with_locks(handle, |locks| locks.unlock(handle.number, level as Level));
    ffi::SQLITE_OK
}

unsafe extern "C" fn check_reserved_lock(file: *mut ffi::sqlite3_file, out: *mut c_int) -> c_int {
    // SAFETY: SQLite asks open files only, and hands out room for the answer.
    let (handle, out) = unsafe { (handle(file), &mut *out) };
    *out = c_int::from(with_locks(handle, |locks| locks.is_reserved()));
    ffi::SQLITE_OK
}

unsafe extern "C" fn file_control(_: *mut ffi::sqlite3_file, _: c_int, _: *mut c_void) -> c_int {
    ffi::SQLITE_NOTFOUND
}

unsafe extern "C" fn device_characteristics(_: *mut ffi::sqlite3_file) -> c_int {
    // As on a real disk by default: a write that is cut short leaves the bytes beside it alone.
    ffi::SQLITE_IOCAP_POWERSAFE_OVERWRITE
}

unsafe extern "C" fn shm_map(
    file: *mut ffi::sqlite3_file,
    region: c_int,
    size: c_int,
    is_made: c_int,
    out: *mut *mut c_void,
) -> c_int {
    assert_eq!(size as usize, REGION_BYTES, "SQLite shares memory in other pieces now");
    // SAFETY: SQLite asks open files only, and hands out room for the answer.
    let (handle, out) = unsafe { (handle(file), &mut *out) };
    let address = with_locks(handle, |locks| locks.map(handle.number, region as usize, is_made != 0));
    *out = address.map_or(std::ptr::null_mut(), <*mut u64>::cast);
    ffi::SQLITE_OK
}

unsafe extern "C" fn shm_lock(file: *mut ffi::sqlite3_file, from: c_int, count: c_int, flags: c_int) -> c_int {
    // SAFETY: SQLite locks open files only.
    let handle = unsafe { handle(file) };
    let slots = from as usize..(from + count) as usize;
    let is_done = with_locks(handle, |locks| {
        if flags & ffi::SQLITE_SHM_UNLOCK != 0 {
            locks.release(handle.number, slots);
            true
        } else if flags & ffi::SQLITE_SHM_SHARED != 0 {
            locks.take_shared(handle.number, slots)
        } else {
            locks.take_exclusive(handle.number, slots)
        }
    });
    if is_done { ffi::SQLITE_OK } else { ffi::SQLITE_BUSY }
}

unsafe extern "C" fn shm_barrier(_: *mut ffi::sqlite3_file) {
    fence(Ordering::SeqCst);
}

unsafe extern "C" fn shm_unmap(file: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    // SAFETY: SQLite unmaps open files only.
    let handle = unsafe { handle(file) };
    with_locks(handle, |locks| locks.unmap(handle.number));
    ffi::SQLITE_OK
}
