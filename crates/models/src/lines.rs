//! Bytes as they arrive, into the pieces of data they carry: one JSON document per line, or server-sent events.
//! Given chunks cut anywhere; hands on whole pieces. Linear in what arrives, and without an allocation for a piece
//! once its buffers have grown. Deliberately absent: what the pieces say, and any bound on how much may come
//! (whoever reads the connection counts).

/// How pieces are marked off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Server-sent events: `data:` lines up to an empty line.
    Events,
    /// One piece per line.
    Lines,
}

/// What stands between chunks.
#[derive(Debug)]
pub(crate) struct Pieces {
    framing: Framing,
    /// The start of a line whose end has not come.
    line: Vec<u8>,
    /// The data of an event whose end has not come.
    data: Vec<u8>,
    /// Whether the event has data, be it empty.
    has_data: bool,
}

impl Pieces {
    /// Nothing yet.
    pub(crate) fn new(framing: Framing) -> Self {
        Self { framing, line: Vec::new(), data: Vec::new(), has_data: false }
    }

    /// Takes a chunk in, and hands every piece that is whole now to `take`; stops at its first error.
    pub(crate) fn feed<E>(&mut self, chunk: &[u8], mut take: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut rest = chunk;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (head, tail) = rest.split_at(end);
            rest = &tail[1..];
            if self.line.is_empty() {
                self.line_done(head, &mut take)?;
            } else {
                let mut line = std::mem::take(&mut self.line);
                line.extend_from_slice(head);
                let done = self.line_done(&line, &mut take);
                line.clear();
                self.line = line;
                done?;
            }
        }
        self.line.extend_from_slice(rest);
        Ok(())
    }

    /// The stream has ended: what was begun and never marked as done. It may be whole, or cut anywhere.
    pub(crate) fn rest<E>(mut self, mut take: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.line_done(&line, &mut take)?;
        }
        self.line_done(b"", &mut take)
    }

    fn line_done<E>(&mut self, line: &[u8], take: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match self.framing {
            Framing::Lines if line.trim_ascii().is_empty() => Ok(()),
            Framing::Lines => take(line),
            Framing::Events if line.is_empty() => {
                if !std::mem::take(&mut self.has_data) {
                    return Ok(());
                }
                let done = take(&self.data);
                self.data.clear();
                done
            }
            Framing::Events => {
                if let Some(value) = line.strip_prefix(b"data:") {
                    if std::mem::replace(&mut self.has_data, true) {
                        self.data.push(b'\n');
                    }
                    self.data.extend_from_slice(value.strip_prefix(b" ").unwrap_or(value));
                } else if line.first() == Some(&b'{') {
                    // Not an event at all: servers that fail say so in plain JSON.
                    return take(line);
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(framing: Framing, chunks: &[&[u8]]) -> (Vec<String>, Vec<String>) {
        let mut pieces = Pieces::new(framing);
        let (mut whole, mut rest) = (Vec::new(), Vec::new());
        let keep = |kept: &mut Vec<String>, piece: &[u8]| -> Result<(), ()> {
            kept.push(String::from_utf8_lossy(piece).into_owned());
            Ok(())
        };
        for chunk in chunks {
            pieces.feed(chunk, |piece| keep(&mut whole, piece)).unwrap();
        }
        pieces.rest(|piece| keep(&mut rest, piece)).unwrap();
        (whole, rest)
    }

    #[test]
    fn events_come_out_whole_wherever_they_are_cut() {
        let text = "event: a\r\ndata: {\"t\":\"é—日本\"}\r\n\r\n: ping\n\ndata:one\ndata: two\n\nid: 7\nretry: 3\n\ndata: [DONE]\n\n";
        let expected = ["{\"t\":\"é—日本\"}", "one\ntwo", "[DONE]"];
        for size in 1..=text.len() {
            let chunks: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            let (whole, rest) = pieces(Framing::Events, &chunks);
            assert_eq!(whole, expected, "chunks of {size}");
            assert_eq!(rest, Vec::<String>::new(), "chunks of {size}");
        }
    }

    #[test]
    fn lines_come_out_whole_wherever_they_are_cut() {
        let text = "{\"a\":\"ü\"}\n\r\n{\"b\":1}\r\n";
        for size in 1..=text.len() {
            let chunks: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            assert_eq!(pieces(Framing::Lines, &chunks).0, ["{\"a\":\"ü\"}", "{\"b\":1}"], "chunks of {size}");
        }
    }

    #[test]
    fn what_was_begun_is_kept_apart() {
        let (whole, rest) = pieces(Framing::Events, &[b"data: a\n\ndata: b\nda", b"ta: c"]);
        assert_eq!((whole, rest), (vec!["a".to_owned()], vec!["b\nc".to_owned()]));
        let (whole, rest) = pieces(Framing::Lines, &[b"a\nb"]);
        assert_eq!((whole, rest), (vec!["a".to_owned()], vec!["b".to_owned()]));
    }

    #[test]
    fn an_error_in_plain_json_is_a_piece_of_its_own() {
        assert_eq!(pieces(Framing::Events, &[b"{\"error\":1}\n"]).0, ["{\"error\":1}"]);
    }

    #[test]
    fn an_error_stops_the_reading() {
        let mut seen = 0;
        let done = Pieces::new(Framing::Lines).feed(b"a\nb\nc\n", |piece| {
            seen += 1;
            if piece == b"b" { Err("stop") } else { Ok(()) }
        });
        assert_eq!((done, seen), (Err("stop"), 2));
    }
}
