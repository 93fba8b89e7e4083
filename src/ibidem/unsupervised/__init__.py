"""Segmenting citations without labels: latent permutations of fields, fitted to the strings alone."""
