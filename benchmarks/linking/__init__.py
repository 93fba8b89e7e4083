"""Linking beyond the paper: eLife's references, pairs of DBLP and Google Scholar, a million records."""
