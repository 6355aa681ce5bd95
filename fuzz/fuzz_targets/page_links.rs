#![no_main]

walkable_fuzz::target!("page_links");
