"""Segmenting citations without labels: latent permutations of elements, learnt from the strings alone."""
