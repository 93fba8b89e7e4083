"""Readers of public datasets: one small file per format, each a generator of `Example` and `Malformed`.

A reader gives the labels as the dataset has them; `ibidem.tasks.unify` turns them into our own schema.
"""
