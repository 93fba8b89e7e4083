"""A recurrent network that scores the labels of tokens, where a chain CRF weighs features."""
