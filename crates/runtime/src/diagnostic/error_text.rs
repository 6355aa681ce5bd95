use std::error::Error;

/// Returns the text of an error followed by those of its causes, separated by colons. A cause whose text is already part of
/// the text is left out.
pub fn error_text(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !text.contains(&next) {
            text = format!("{text}: {next}");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{text}")]
    struct Caused {
        text: &'static str,
        source: Option<Box<Self>>,
    }

    fn caused(texts: &[&'static str]) -> Caused {
        let source = texts.get(1..).filter(|rest| !rest.is_empty());
        Caused { text: texts[0], source: source.map(|rest| Box::new(caused(rest))) }
    }

    #[test]
    fn each_cause_is_named_once() {
        assert_eq!(error_text(&caused(&["cannot bake"])), "cannot bake");
        let chain = caused(&["cannot bake: no ground", "no ground", "the level is empty"]);
        assert_eq!(error_text(&chain), "cannot bake: no ground: the level is empty");
    }
}
