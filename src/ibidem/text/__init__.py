"""A string becomes tokens with character offsets; nothing is lost, everything maps back."""

from ibidem.text.tokens import reference_of, tokenise

__all__ = ["reference_of", "tokenise"]
