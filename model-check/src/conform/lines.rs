//! Lines of a stream, without ever holding more than one line that is too long to be one.

use std::io::{self, Read};

use outlive_spec::trace::LINE_LIMIT;

/// How much is asked of the stream at once.
const CHUNK: usize = 64 * 1024;

/// Reads lines in place: those that it stands on are borrowed from its buffer.
pub(super) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// What has been read and not yet been stood on.
    unread: std::ops::Range<usize>,
    /// The lines that it stands on.
    current: Vec<std::ops::Range<usize>>,
    /// The number of the last of them.
    number: u64,
    is_terminated: bool,
}

/// Why there is no next line.
#[derive(Debug)]
pub(super) enum LineError {
    /// The stream cannot be read.
    Io(io::Error),
    /// There is no end of the line within [`LINE_LIMIT`]. Reading stopped there.
    TooLong,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Lines { input, buffer: vec![0; CHUNK], unread: 0..0, current: Vec::new(), number: 0, is_terminated: true }
    }

    /// Steps to the next line, and over the lines behind it that are whole in the buffer, up to this many in all. Says
    /// whether there is any. A line that is too long ends a step before it, so that the lines before it are judged
    /// first.
    pub(super) fn advance(&mut self, most: usize) -> Result<bool, LineError> {
        self.current.clear();
        let has_line = self.advance_to_the_first()?;
        while self.current.len() < most && self.advance_in_the_buffer() {}
        Ok(has_line)
    }

    fn advance_to_the_first(&mut self) -> Result<bool, LineError> {
        let mut searched = 0;
        loop {
            let unread = &self.buffer[self.unread.clone()];
            if let Some(at) = memchr::memchr(b'\n', &unread[searched..]) {
                let length = searched + at;
                return self.stand_on(length, true);
            }
            searched = unread.len();
            if searched > LINE_LIMIT {
                self.number += 1;
                return Err(LineError::TooLong);
            }
            if self.fill().map_err(LineError::Io)? == 0 {
                return if searched == 0 { Ok(false) } else { self.stand_on(searched, false) };
            }
        }
    }

    fn stand_on(&mut self, length: usize, is_terminated: bool) -> Result<bool, LineError> {
        self.number += 1;
        if length > LINE_LIMIT {
            return Err(LineError::TooLong);
        }
        self.take(length, is_terminated);
        Ok(true)
    }

    fn advance_in_the_buffer(&mut self) -> bool {
        let end = memchr::memchr(b'\n', &self.buffer[self.unread.clone()]);
        let Some(length) = end.filter(|length| *length <= LINE_LIMIT) else { return false };
        self.number += 1;
        self.take(length, true);
        true
    }

    fn take(&mut self, length: usize, is_terminated: bool) {
        let end = self.unread.start + length;
        self.current.push(self.unread.start..end);
        self.unread.start = end + usize::from(is_terminated);
        self.is_terminated = is_terminated;
    }

    /// Reads one more chunk behind what is unread.
    fn fill(&mut self) -> io::Result<usize> {
        self.buffer.copy_within(self.unread.clone(), 0);
        self.unread = 0..self.unread.len();
        if self.buffer.len() - self.unread.end < CHUNK {
            self.buffer.resize(self.unread.end + CHUNK, 0);
        }
        loop {
            match self.input.read(&mut self.buffer[self.unread.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(count) => {
                    self.unread.end += count;
                    return Ok(count);
                }
            }
        }
    }

    /// The lines that it stands on, with their numbers, from 1.
    pub(super) fn current(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let first = self.number + 1 - self.current.len() as u64;
        (first..).zip(self.current.iter().map(|line| &self.buffer[line.clone()]))
    }

    /// The number of the last line that was come to.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Whether the last line ends as lines do, not with the stream.
    pub(super) fn is_terminated(&self) -> bool {
        self.is_terminated
    }

    /// How much memory the buffer takes.
    #[cfg(test)]
    fn capacity(&self) -> usize {
        self.buffer.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that counts what is taken from it.
    struct Endless<'a>(&'a mut u64);

    impl Read for Endless<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(b'x');
            *self.0 += buffer.len() as u64;
            Ok(buffer.len())
        }
    }

    #[test]
    fn a_line_without_end_is_given_up_at_the_limit() {
        let mut taken = 0;
        let mut lines = Lines::new(Endless(&mut taken));
        assert!(matches!(lines.advance(1), Err(LineError::TooLong)));
        assert!(lines.capacity() <= 4 * LINE_LIMIT, "{} bytes are held", lines.capacity());
        drop(lines);
        assert!(taken <= 4 * LINE_LIMIT as u64, "{taken} bytes were read");
    }

    #[test]
    fn lines_are_found_across_chunks_and_numbered() {
        let long = "y".repeat(3 * CHUNK / 2);
        let text = format!("one\n\n{long}\nlast");
        for most in [1, 2, 16] {
            let mut lines = Lines::new(text.as_bytes());
            let mut seen = Vec::new();
            while lines.advance(most).expect("a slice can be read") {
                assert!(lines.current().count() <= most);
                seen.extend(lines.current().map(|(number, line)| (number, line.len(), lines.is_terminated())));
            }
            assert_eq!(seen, [(1, 3, true), (2, 0, true), (3, long.len(), true), (4, 4, false)], "{most} at once");
        }
    }

    #[test]
    fn a_line_that_is_too_long_hides_none_before_it() {
        let text = format!("one\ntwo\n{}\nlast\n", "y".repeat(LINE_LIMIT + 1));
        let mut lines = Lines::new(text.as_bytes());
        assert!(matches!(lines.advance(16), Ok(true)));
        assert_eq!(lines.current().map(|(number, _)| number).collect::<Vec<u64>>(), [1, 2]);
        assert!(matches!(lines.advance(16), Err(LineError::TooLong)));
        assert_eq!(lines.number(), 3);
    }

    /// Its end is the first byte of a chunk.
    #[test]
    fn a_line_may_be_as_long_as_the_limit_says() {
        for (length, is_read) in [(LINE_LIMIT, true), (LINE_LIMIT + 1, false)] {
            let text = format!("{}\n", "y".repeat(length));
            assert_eq!(Lines::new(text.as_bytes()).advance(1).is_ok(), is_read, "{length} bytes");
        }
    }

    #[test]
    fn the_buffer_does_not_grow_with_the_stream() {
        let text = "a line of some length\n".repeat(500_000);
        let mut lines = Lines::new(text.as_bytes());
        while lines.advance(16).expect("a slice can be read") {}
        assert_eq!(lines.number(), 500_000);
        assert!(lines.capacity() <= 4 * CHUNK);
    }

    /// A stream of which each part comes at the second try.
    struct Interrupted {
        parts: Vec<io::Result<&'static [u8]>>,
        is_ready: bool,
    }

    impl Read for Interrupted {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.is_ready = !self.is_ready;
            if self.is_ready {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let part = self.parts.remove(0)?;
            buffer[..part.len()].copy_from_slice(part);
            Ok(part.len())
        }
    }

    #[test]
    fn a_read_that_was_interrupted_is_tried_again_and_one_that_failed_is_told() {
        let parts = vec![Ok(&b"one\ntw"[..]), Ok(b"o\n"), Err(io::Error::other("gone"))];
        let mut lines = Lines::new(Interrupted { parts, is_ready: false });
        for expected in [&b"one"[..], b"two"] {
            assert!(lines.advance(1).expect("the stream goes on"));
            assert_eq!(lines.current().map(|(_, line)| line).collect::<Vec<_>>(), [expected]);
        }
        assert!(matches!(lines.advance(1), Err(LineError::Io(error)) if error.to_string() == "gone"));
        assert_eq!(lines.number(), 2);
    }
}
