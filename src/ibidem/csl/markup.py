"""Fonts of rendered text: italics and the like as pairs of private-use characters, shown as HTML or Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape

# The attributes of CSL and their values; the first of each is the default.
_VALUES = {
    "font-style": ("normal", "italic", "oblique"),
    "font-weight": ("normal", "bold", "light"),
    "font-variant": ("normal", "small-caps"),
    "text-decoration": ("none", "underline"),
    "vertical-align": ("baseline", "sup", "sub"),
}
_PAIRS = [(attribute, value) for attribute, values in _VALUES.items() for value in values]
_FIRST = 0xF000  # the labels of fields use the private-use characters below
_OPEN = {pair: chr(_FIRST + 2 * number) for number, pair in enumerate(_PAIRS)}
_CLOSE = {pair: chr(_FIRST + 2 * number + 1) for number, pair in enumerate(_PAIRS)}
_MARKERS = {
    **{character: (pair, True) for pair, character in _OPEN.items()},
    **{character: (pair, False) for pair, character in _CLOSE.items()},
}
_PIECES = re.compile("([\ue000-\uf8ff])")
_FONTS = re.compile("[\uf000-\uf8ff]")
_WHITESPACE = re.compile(r"[ \t\r\n]+")
_TAGS = {
    "italic": ("<i>", "</i>"),
    "oblique": ("<i>", "</i>"),
    "bold": ("<b>", "</b>"),
    "small-caps": ('<span style="font-variant:small-caps">', "</span>"),
    "underline": ("<u>", "</u>"),
    "sup": ("<sup>", "</sup>"),
    "sub": ("<sub>", "</sub>"),
}
_STARS = {"italic": "*", "oblique": "*", "bold": "**"}
_SPECIAL = re.compile(r"[`*_\[\]\\#|~$<]|&(?=#?\w+;)")  # to Markdown; an ampersand only where it begins an entity

Run = tuple[str, tuple[str, ...]]


def font_of(attributes: Mapping[str, str]) -> tuple[str, str]:
    """Return the characters before and after text in the font that the attributes of a CSL element ask for.

    >>> before, after = font_of({"font-style": "italic"})
    >>> as_html(f"On {before}things{after}")
    'On <i>things</i>'
    """
    pairs = [(one, attributes[one]) for one in _VALUES if attributes.get(one) in _VALUES[one]]
    return "".join(_OPEN[pair] for pair in pairs), "".join(_CLOSE[pair] for pair in reversed(pairs))


def strip_fonts(rendered: str) -> str:
    """Return the rendered text with its labels alone."""
    return _FONTS.sub("", rendered)


def runs(rendered: str) -> list[Run]:
    """Return the text in stretches of one font each, whitespace collapsed; labels are left out."""
    found: list[tuple[list[str], tuple[str, ...]]] = []
    open_values: dict[str, list[str]] = {attribute: [] for attribute in _VALUES}
    after_space = True
    for piece in _PIECES.split(rendered):
        if piece in _MARKERS:
            (attribute, value), opens = _MARKERS[piece]
            if opens:
                open_values[attribute].append(value)
            elif open_values[attribute]:
                open_values[attribute].pop()
        elif piece and not _PIECES.match(piece):
            text = _WHITESPACE.sub(" ", piece)
            text = text[1:] if after_space and text[0] == " " else text
            if text:
                after_space = text[-1] == " "
                inner = [(one, values[-1]) for one, values in open_values.items() if values]
                font = tuple(value for one, value in inner if value != _VALUES[one][0])
                if found and found[-1][1] == font:
                    found[-1][0].append(text)
                else:
                    found.append(([text], font))
    joined = [("".join(texts), font) for texts, font in found]
    if joined:
        text, font = joined.pop()
        joined += [(text.rstrip(" "), font)] if text.rstrip(" ") else []
    return joined


def as_text(rendered: str) -> str:
    """Return the rendered text without fonts."""
    return "".join(text for text, _ in runs(rendered))


def as_html(rendered: str) -> str:
    """Return the rendered text in HTML; what it holds of `<`, `>`, `&` and quotes is escaped."""
    pieces = []
    for text, font in runs(rendered):
        tags = [_TAGS[one] for one in font if one in _TAGS]
        before, after = "".join(tag[0] for tag in tags), "".join(tag[1] for tag in reversed(tags))
        pieces.append(before + escape(text, quote=False).replace('"', "&quot;") + after)
    return "".join(pieces)


def as_markdown(rendered: str) -> str:
    """Return the rendered text in Markdown; whatever in it could be taken for markup is escaped."""
    found = runs(rendered)
    made = ""
    for place, (text, font) in enumerate(found):
        stars = "".join(_STARS.get(one, "") for one in font)
        core = text.strip(" ")
        if not stars or not core:
            made += _escape(text)
            continue
        start = text.index(core)
        made += text[:start]
        following = text[start + len(core) :] or (found[place + 1][0] if place + 1 < len(found) else "")
        starred = _can_be_starred(made[-1:], core, following[:1])
        tags = [_TAGS[one] for one in font if one in _STARS]
        before = stars if starred else "".join(tag[0] for tag in tags)
        after = stars if starred else "".join(tag[1] for tag in reversed(tags))
        made += before + _escape(core) + after + text[start + len(core) :]
    return made


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def _can_be_starred(before: str, core: str, after: str) -> bool:
    """Whether Markdown takes stars around a text for emphasis; where it does not, tags of HTML do."""
    opens = core[0].isalnum() or not before.isalnum()
    closes = core[-1].isalnum() or not after.isalnum()
    return opens and closes and before != "*" and after != "*"


RENDERERS: dict[str, Callable[[str], str]] = {"html": as_html, "markdown": as_markdown, "text": as_text}
"""The forms in which rendered text can be shown."""
