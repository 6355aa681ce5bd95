//! Levels made by the program: a seeded generator and the built-in samples.
