//! Lines to a client.

use std::sync::Arc;

use serde::Serialize;
use serde_json::json;

#[derive(Serialize)]
struct Line<'a, T> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    #[serde(flatten)]
    content: &'a T,
}

/// Returns a line of this type with the fields of `content`. `id` is that of the message, if it is a reply to one.
pub fn line(kind: &'static str, id: Option<u64>, content: &impl Serialize) -> Arc<str> {
    let line = serde_json::to_string(&Line { kind, id, content });
    line.map_or_else(|error| error_line(id, &error.to_string()), Into::into)
}

/// Returns the error reply to the message `id`, as JSON; `id` is `None` if the message has none.
pub fn error_line(id: Option<u64>, error: &str) -> Arc<str> {
    json!({ "type": "error", "id": id, "error": error }).to_string().into()
}
