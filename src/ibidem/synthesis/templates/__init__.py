"""Hand-written templates of references for kinds, languages and forms that CSL styles lack."""

from ibidem.synthesis.templates.collection import read_weights, templates, weights_of
from ibidem.synthesis.templates.make import make_from_template

__all__ = ["make_from_template", "read_weights", "templates", "weights_of"]
