"""Anzaroot et al. 2014: soft constraints by dual decomposition, on UMass; and what else is measured on its strings."""
