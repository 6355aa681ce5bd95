#![no_main]

walkable_fuzz::target!("overview");
