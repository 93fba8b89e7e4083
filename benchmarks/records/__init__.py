"""Records: normalised dates, names and fields, document types, and rendering in CSL styles."""
