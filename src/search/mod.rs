//! Graph search without geometry: the open list and node storage that every search shares.
