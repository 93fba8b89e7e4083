"""From a dataset's own labels to the schema: one table per set, and the small steps that every set goes through."""
