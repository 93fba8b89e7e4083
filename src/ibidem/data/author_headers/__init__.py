"""Author and affiliation lines as examples: cut out of headers, divided by rule, and rendered from records."""
