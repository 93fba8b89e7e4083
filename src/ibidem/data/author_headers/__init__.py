"""Author and affiliation lines as examples: cut out of annotated headers, or rendered from records."""
