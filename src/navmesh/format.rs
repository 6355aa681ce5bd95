//! Bytes in and out: single Detour tiles (`DNAV`) and RecastDemo's tile sets (`MSET`).
