#![no_main]

walkable_fuzz::target!("links");
