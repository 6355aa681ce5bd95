//! Generates the JavaScript bindings of a WebAssembly module for browsers, NAME.js and NAME_bg.wasm, in the folder OUT:
//! `walkable-wasm-bindgen MODULE.wasm NAME OUT [--typescript]`.

use anyhow::bail;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [module, name, out, options @ ..] = &args[..] else {
        bail!("usage: MODULE.wasm NAME OUT [--typescript]")
    };
    let has_types = options.iter().any(|option| option == "--typescript");
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).web(true)?.typescript(has_types);
    // `init()` finds the module beside the script.
    bindgen.omit_default_module_path(false).generate(out)
}
