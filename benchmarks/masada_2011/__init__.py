"""Masada et al. 2011: unsupervised segmentation of citations with latent permutations."""
