"""Parsing beyond the papers: open data sets, GROBID's corpus, synthetic training data, chain beside semi-CRF."""
