from __future__ import annotations

from ibidem.data.decontamination import Blocklist, hash_text, normalise
from ibidem.types import Example, Malformed

LONG = "Quill A, Ink B, Paper C. On the long history of pens and desks in small northern towns. Pens 12, 1999."


def example(text: str) -> Example:
    return Example(text, (), "test")


def test_only_letters_and_digits_count():
    assert normalise("  Élan, vol. 3 ﬁn ") == "elanvol3fin"
    assert normalise("日本 — 3") == "日本3"
    blocked = Blocklist.from_examples([example("Müller, J. (1999)."), Malformed("x", "y"), example("...")])
    assert len(blocked) == 1
    assert blocked.contains("MULLER J 1999") and not blocked.contains("Muller J 1998")
    assert not blocked.contains("") and not blocked.contains("—")


def test_a_long_string_is_found_with_another_number_before_it():
    blocked = Blocklist.from_examples([example(LONG)])
    assert blocked.contains("[17] " + LONG + " In press.")
    assert hash_text(normalise("[17] " + LONG)) not in blocked.strings
    assert not blocked.contains("Quill A, Ink B. A short history of ink in large southern cities. Inks 3, 2001.")
