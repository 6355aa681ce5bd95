//! Reads input from another program line by line.

use std::io::{self, BufRead, Read as _};

/// Maximum length of a line, in bytes.
const MAX_LINE: u64 = 64 * 1024;

/// Reads a line of raw bytes, including its line break, which the last line may lack. `None` at the end of the input.
pub fn next_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut limited = input.by_ref().take(MAX_LINE + 1);
    let n_bytes = limited.read_until(b'\n', &mut line)?;
    if limited.limit() == 0 && !line.ends_with(b"\n") {
        let text = format!("a line of the standard input is longer than {MAX_LINE} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    Ok((n_bytes > 0).then_some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_until_one_is_too_long() {
        let most = vec![b'x'; 64 * 1024];
        let mut input = &[b"a\n\xff", &b"\n\n"[..], &most, b"\n", &most, b"x\n"].concat()[..];
        let mut next = || next_line(&mut input);
        for line in [&b"a\n"[..], b"\xff\n", b"\n", &[&most, &b"\n"[..]].concat()] {
            assert_eq!(next().unwrap().as_deref(), Some(line));
        }
        assert!(next().unwrap_err().to_string().contains("longer than 65536 bytes"));
        assert_eq!(next_line(&mut &b"last"[..]).unwrap(), Some(b"last".to_vec()));
        assert_eq!(next_line(&mut &b""[..]).unwrap(), None);
    }
}
