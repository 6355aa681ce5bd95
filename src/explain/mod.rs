//! Why an agent cannot walk somewhere: the first stage that lost the place, with its numbers.
