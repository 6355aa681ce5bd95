#![no_main]

walkable_fuzz::target!("mset");
