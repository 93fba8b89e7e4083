"""One file per dataset or family of datasets: its readers, its label table and its entries in the catalogue.

A reader is a generator of `Example` and `Malformed` that keeps the dataset's own labels; the label table maps them to
the schema. To add a dataset, add a file here and a line to `ibidem.data.catalogue`.
"""
