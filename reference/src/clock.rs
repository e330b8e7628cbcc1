//! Wall time, which a trace shows to people; a timer and a deadline, which only end a wait. Nothing is ordered by any
//! of them, and nobody is taken for dead.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::race::{First, first};

/// Tells the time of day.
pub trait Clock: Send + Sync + 'static {
    /// Now, as well as this clock knows it.
    fn now(&self) -> SystemTime;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct WallClock;

impl Clock for WallClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place where the time is read")]
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// A clock that stands still, so that a recorded trace is the same on each run.
#[derive(Clone, Copy, Debug)]
pub struct StillClock(pub SystemTime);

impl Clock for StillClock {
    fn now(&self) -> SystemTime {
        self.0
    }
}

/// A wait that is over by itself.
pub(crate) type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Waits for a stretch of time. It is whatever the runtime of the host has for that, since this crate brings none:
///
/// ```
/// use outlive::clock::Timer;
///
/// let timer = Timer::new(tokio::time::sleep);
/// ```
#[derive(Clone)]
pub struct Timer(Arc<dyn Fn(Duration) -> Sleep + Send + Sync>);

impl Timer {
    /// The function is called for each wait; its future is over after the time that it was given, or later.
    pub fn new<W: Future<Output = ()> + Send + 'static>(
        sleep: impl Fn(Duration) -> W + Send + Sync + 'static,
    ) -> Timer {
        Timer(Arc::new(move |time| Box::pin(sleep(time))))
    }

    pub(crate) fn sleep(&self, time: Duration) -> Sleep {
        (self.0)(time)
    }

    /// What comes of the work, unless the time is over before. Then the work is dropped.
    pub(crate) fn within<T, W: Future<Output = T>>(
        &self,
        time: Duration,
        work: W,
    ) -> impl Future<Output = Option<T>> + use<T, W> {
        let race = first(work, self.sleep(time));
        async move {
            match race.await {
                First::One(done) => Some(done),
                First::Other(()) => None,
            }
        }
    }
}

/// When a wait is over. None means never: the wait is longer than this clock can count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    pub(crate) fn after(wait: Duration) -> Deadline {
        Deadline(Instant::now().checked_add(wait))
    }

    /// Zero once it has passed.
    pub(crate) fn time_left(self) -> Duration {
        self.0.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()))
    }
}

/// As RFC 3339 writes it, in UTC, to the millisecond. Times before 1970 read as its first moment.
pub(crate) fn rfc_3339(time: SystemTime) -> String {
    let since_1970 = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let (days, second_of_day) = (since_1970.as_secs() / 86_400, since_1970.as_secs() % 86_400);
    let (year, month, day) = civil_date(days);
    let (hour, minute, second) = (second_of_day / 3_600, second_of_day / 60 % 60, second_of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", since_1970.subsec_millis())
}

/// The date that lies this many days after 1970-01-01, by counting whole eras of 400 years from a first of March.
fn civil_date(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let written = |seconds| rfc_3339(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(written(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(written(951_782_400), "2000-02-29T00:00:00.000Z");
        assert_eq!(written(1_709_251_199), "2024-02-29T23:59:59.000Z");
        assert_eq!(written(4_107_542_400), "2100-03-01T00:00:00.000Z");
    }
}
