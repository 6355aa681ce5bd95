//! Writes the JavaScript module NAME.js and NAME_bg.wasm of a WebAssembly program, for browsers, into the folder OUT:
//! `walkable-wasm-bindgen PROGRAM.wasm NAME OUT [--typescript]`.

use anyhow::Context as _;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let has_types = args.get(3).is_some_and(|option| option == "--typescript");
    let [program, name, out] = args.get(..3).context("give PROGRAM.wasm, NAME and OUT")? else {
        unreachable!("there are three")
    };
    Bindgen::new().input_path(program).out_name(name).web(true)?.typescript(has_types).generate(out)
}
