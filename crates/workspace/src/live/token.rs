//! The token that a client must know.

use anyhow::anyhow;

/// Returns 32 random hexadecimal digits. Fails if the system has no source of random numbers, and in a web page.
pub fn random_token() -> anyhow::Result<String> {
    let mut bytes = [0; 16];
    fill(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

#[cfg(not(target_family = "wasm"))]
fn fill(bytes: &mut [u8]) -> anyhow::Result<()> {
    getrandom::fill(bytes).map_err(|error| anyhow!("the system has no random numbers: {error}"))
}

#[cfg(target_family = "wasm")]
fn fill(_: &mut [u8]) -> anyhow::Result<()> {
    Err(anyhow!("a web page cannot listen for games"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ() {
        let tokens = [random_token().unwrap(), random_token().unwrap()];
        assert!(tokens.iter().all(|token| token.len() == 32), "{tokens:?}");
        assert_ne!(tokens[0], tokens[1]);
    }
}
