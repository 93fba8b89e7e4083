"""Wellner et al. 2004: field extraction and coreference of citations together; feature induction."""
