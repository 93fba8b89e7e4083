"""A string becomes tokens with character offsets; nothing is lost, everything maps back."""

from ibidem.text.tokens import read, tokenise

__all__ = ["read", "tokenise"]
