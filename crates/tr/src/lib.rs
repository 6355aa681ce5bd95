//! The macro [`tr!`], which translates the texts of Walkable's editor. `walkable_workspace::lang` contains the rest.

use proc_macro::TokenStream;
use quote::quote;
use syn::{
    Expr, Ident, LitStr, Token,
    parse::{Parse, ParseStream},
    parse_macro_input,
};

/// Translates a text into the language of the thread.
///
/// Without placeholders the result is a `&'static str`. Otherwise the arguments are those of `format!`, and the result
/// is a `String`; a translation contains the placeholders as `{name}`, or as `{0}` without a name, and without the
/// format after the colon.
#[proc_macro]
pub fn tr(input: TokenStream) -> TokenStream {
    let text = parse_macro_input!(input as Text);
    expand(&text).unwrap_or_else(syn::Error::into_compile_error).into()
}

struct Text {
    template: LitStr,
    arguments: Vec<(Option<Ident>, Expr)>,
}

impl Parse for Text {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let template = input.parse()?;
        let mut arguments = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let is_named = input.peek(Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
            let name = if is_named { Some(input.parse()?) } else { None };
            if is_named {
                input.parse::<Token![=]>()?;
            }
            arguments.push((name, input.parse()?));
        }
        Ok(Self { template, arguments })
    }
}

fn expand(text: &Text) -> syn::Result<proc_macro2::TokenStream> {
    let Text { template, arguments } = text;
    let value = template.value();
    if arguments.is_empty() && !value.contains(['{', '}']) {
        return Ok(quote!(::walkable_workspace::lang::tr(#template)));
    }
    let mut pairs = Vec::new();
    let mut n_unnamed = 0;
    for (name, format) in placeholders(&value) {
        let name = if name.is_empty() {
            n_unnamed += 1;
            (n_unnamed - 1).to_string()
        } else {
            name.to_owned()
        };
        let index = name.parse::<usize>().ok();
        let argument = if let Some(index) = index {
            arguments.get(index)
        } else {
            arguments.iter().find(|(n, _)| n.as_ref().is_some_and(|n| *n == name))
        };
        let spec = format!("{{{format}}}");
        let value = match (argument, index) {
            (Some((_, value)), _) => quote!(#value),
            (None, None) => {
                let name_here = Ident::new(&name, template.span());
                quote!(#name_here)
            }
            (None, Some(_)) => {
                return Err(syn::Error::new_spanned(template, "an argument is missing"));
            }
        };
        pairs.push(quote!((#name, ::std::format!(#spec, #value))));
    }
    let given = arguments.iter().map(|(name, value)| {
        if let Some(name) = name { quote!(#name = #value) } else { quote!(#value) }
    });
    Ok(quote! {
        match ::walkable_workspace::lang::translation(#template) {
            ::std::option::Option::None => ::std::format!(#template, #(#given),*),
            ::std::option::Option::Some(translation) => {
                ::walkable_workspace::lang::fill(translation, &[#(#pairs),*])
            }
        }
    })
}

/// Returns name and format of each placeholder: `("n", ":.1")` for `{n:.1}`.
fn placeholders(template: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = template;
    while let Some(start) = rest.find('{') {
        rest = &rest[start + 1..];
        if let Some(after) = rest.strip_prefix('{') {
            rest = after;
            continue;
        }
        let Some(end) = rest.find('}') else { break };
        let inside = &rest[..end];
        found.push(inside.split_at(inside.find(':').unwrap_or(inside.len())));
        rest = &rest[end + 1..];
    }
    found
}
