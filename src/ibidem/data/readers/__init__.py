"""Readers of public datasets: one small file per format, each a generator of `Example` and `Malformed`.

A reader gives the labels as the dataset has them; `ibidem.labels.label_mapping` turns them into our own schema.
"""
