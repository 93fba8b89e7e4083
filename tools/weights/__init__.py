"""Training of the default weights of the matcher, the entity potentials and the document types."""
