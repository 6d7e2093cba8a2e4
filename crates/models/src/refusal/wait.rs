//! How long a provider asks us to wait.
//! Given headers; hands on a duration, or nothing where they make no sense. Deliberately absent: whether we wait.

use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// The longest wait that is taken at its word.
const LONGEST: Duration = Duration::from_secs(3600);

/// The wait that the headers ask for; else the one the body asked for.
pub(crate) fn retry_after(headers: &HeaderMap, said: Option<Duration>) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let millis = text("retry-after-ms").and_then(|value| seconds(value, 1000.0));
    let plain = || text(RETRY_AFTER.as_str()).and_then(|value| seconds(value, 1.0).or_else(|| until(value, headers)));
    millis.or_else(plain).or(said).map(|wait| wait.min(LONGEST))
}

/// A number of seconds, or of parts of them.
fn seconds(value: &str, parts: f64) -> Option<Duration> {
    let number = value.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0)?;
    Some(Duration::try_from_secs_f64(number / parts).unwrap_or(LONGEST))
}

/// The time up to a date. The server's own clock is used where it tells it: ours may differ.
fn until(value: &str, headers: &HeaderMap) -> Option<Duration> {
    let date = |text: &str| {
        let text = text.strip_suffix("GMT").map_or_else(|| text.to_owned(), |start| format!("{start}+0000"));
        jiff::fmt::rfc2822::parse(&text).ok().map(|zoned| zoned.timestamp())
    };
    let then = date(value)?;
    let now = headers.get(DATE).and_then(|value| date(value.to_str().ok()?)).unwrap_or_else(Timestamp::now);
    Some(Duration::try_from(then.duration_since(now)).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(pairs: &[(&'static str, &'static str)]) -> Option<f64> {
        let headers = pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        retry_after(&headers, None).map(|wait| wait.as_secs_f64())
    }

    #[test]
    fn waits_are_read_in_every_form() {
        let date = ("date", "Sun, 15 Nov 2026 08:00:00 GMT");
        assert_eq!(wait(&[("retry-after", "7")]), Some(7.0));
        assert_eq!(wait(&[("retry-after", " 1.5 ")]), Some(1.5));
        assert_eq!(wait(&[("retry-after-ms", "250"), ("retry-after", "7")]), Some(0.25));
        assert_eq!(wait(&[date, ("retry-after", "Sun, 15 Nov 2026 08:00:30 GMT")]), Some(30.0));
        assert_eq!(wait(&[date, ("retry-after", "Sun, 15 Nov 2026 07:00:00 GMT")]), Some(0.0));
        assert_eq!(wait(&[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")]), Some(0.0));
    }

    #[test]
    fn odd_waits_are_none_and_long_ones_capped() {
        for odd in ["", "soon", "-3", "NaN", "inf", "7 s", "Sun, 99 Nov 2026 08:00:00 GMT", "1e"] {
            let headers = [(RETRY_AFTER, odd.parse().unwrap())].into_iter().collect();
            assert_eq!(retry_after(&headers, None), None, "{odd:?}");
        }
        assert_eq!(wait(&[("retry-after", "86400")]), Some(3600.0));
        assert_eq!(wait(&[("retry-after", "1e300")]), Some(3600.0));
        assert_eq!(retry_after(&HeaderMap::new(), Some(Duration::from_secs(9))), Some(Duration::from_secs(9)));
    }
}
