"""Generator of the documentation: the manual, tables, outputs of examples, and pictures (`make docs`)."""
