"""Pictures of the documentation as SVG: a parsed reference, a reliability diagram, and run times.

Letters have a fixed width, so that the layout does not depend on the reader's fonts.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from ibidem.cli.pretty import _COLOURS, _SPARE
from ibidem.types import Parsed

EXAMPLE = 3  # the line of examples/references.txt that is drawn, counted from 0
_WIDTH, _LETTER, _SMALL, _LINE, _EDGE = 900, 8.4, 6.6, 46, 16
_LEVELS = (0, 95, 135, 175, 215, 255)
_TEXT = 'font-family="ui-monospace, Menlo, Consolas, monospace"'


class Piece(NamedTuple):
    """Words on one line, outside of all fields where the label is empty; `caption` is written below them."""

    text: str
    label: str
    caption: str


def draw_all(root: Path) -> None:
    """Draw every picture, with the default model."""
    import ibidem

    folder = root / "docs" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    texts = (root / "examples" / "references.txt").read_text("utf-8").splitlines()
    parser = ibidem.load()
    (folder / "parsed.svg").write_text(draw(parser.parse(texts[EXAMPLE])), "utf-8", newline="\n")
    calibration = parser.model.card.get("calibration")
    if calibration:
        (folder / "reliability.svg").write_text(draw_reliability(calibration["all"]["bins"]), "utf-8", newline="\n")
    timed = root / "benchmarks" / "results" / "semi-crf-speed.json"
    if timed.exists():
        rows = json.loads(timed.read_text("utf-8"))["rows"]
        (folder / "extensible.svg").write_text(draw_growth(_lengths(rows)), "utf-8", newline="\n")


def _lengths(rows: Sequence[dict[str, Any]]) -> list[tuple[int, float, float]]:
    """Return the words of each string, and the seconds without and with extensible features."""
    found = ((re.match(r"a string of (\d+) words", row["row"]), row) for row in rows)
    return [(int(words[1]), row["reference"], row["ours"]) for words, row in found if words]


def draw(parsed: Parsed) -> str:
    """Draw a parsed reference: top-level fields on a coloured background, label and confidence below each."""
    body: list[str] = []
    x, y = float(_EDGE), 34
    for piece in _pieces(parsed):
        width = max(len(piece.text) * _LETTER, len(piece.caption) * _SMALL)
        if x + width > _WIDTH - _EDGE and x > _EDGE:
            x, y = float(_EDGE), y + _LINE
        body += _box(piece, x, y, width)
        x += width + (5 if piece.label else 1)
    return _svg(_WIDTH, y + 30, body)


def _pieces(parsed: Parsed) -> Iterator[Piece]:
    """Yield the text in order, with fields split into lines that fit."""
    place = 0
    for field in sorted(parsed.fields, key=lambda field: (field.start, -field.end)):
        if "/" in field.label or field.start < place:
            continue
        yield from _outside(parsed.text[place : field.start])
        caption = f"{field.label} {field.confidence:.2f}"
        for number, part in enumerate(_wrap(field.text)):
            yield Piece(part, field.label, "" if number else caption)
        place = field.end
    yield from _outside(parsed.text[place:])


def _outside(text: str) -> Iterator[Piece]:
    if text.strip():
        yield Piece(text.strip(), "", "")


def _wrap(text: str) -> list[str]:
    """Split a text at whitespace into pieces of some sixty letters."""
    return re.findall(r"\S.{0,59}(?=\s|$)|\S+", " ".join(text.split()))


def _box(piece: Piece, x: float, y: float, width: float) -> Iterator[str]:
    fill = "#57606a"
    if piece.label:
        colour = _rgb(_COLOURS.get(piece.label) or _SPARE[len(piece.label) % len(_SPARE)])
        yield (
            f'<rect x="{x - 2:.1f}" y="{y - 15}" width="{width + 4:.1f}" height="21" rx="3" '
            f'fill="{colour}" fill-opacity="0.16"/>'
        )
        fill = "#1f2328"
        if piece.caption:
            yield _letters(piece.caption, x, y + 18, _SMALL, 11, colour)
    yield _letters(piece.text, x, y, _LETTER, 14, fill)


def _letters(text: str, x: float, y: float, letter: float, size: int, fill: str) -> str:
    length = f'textLength="{len(text) * letter:.1f}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {_TEXT} font-size="{size}" fill="{fill}" {length}>{escape(text)}</text>'


def _rgb(code: int) -> str:
    """Return one of the 256 colours of a terminal."""
    if code >= 232:
        return "#" + f"{8 + 10 * (code - 232):02x}" * 3
    red, green, blue = (code - 16) // 36, (code - 16) // 6 % 6, (code - 16) % 6
    return "#" + "".join(f"{_LEVELS[part]:02x}" for part in (red, green, blue))


def draw_reliability(bins: Sequence[Sequence[float]]) -> str:
    """Draw a reliability diagram of bins (mean confidence, share right, count)."""
    size, left, top = 320, 60, 16
    body = [
        f'<rect x="{left}" y="{top}" width="{size}" height="{size}" fill="none" stroke="#d0d7de"/>',
        f'<line x1="{left}" y1="{top + size}" x2="{left + size}" y2="{top}" stroke="#8c959f" stroke-dasharray="4 4"/>',
    ]
    for tenth in range(0, 11, 2):
        share = tenth / 10
        body.append(_letters(f"{share:.1f}", left - 28, top + size * (1 - share) + 4, _SMALL, 11, "#57606a"))
        body.append(_letters(f"{share:.1f}", left + size * share - 10, top + size + 18, _SMALL, 11, "#57606a"))
    most = max((count for _, _, count in bins), default=1)
    for confidence, right, count in bins:
        radius = 3 + 9 * (count / most) ** 0.5
        cx, cy = left + size * confidence, top + size * (1 - right)
        title = f"<title>{count:,.0f} fields: confidence {confidence:.3f}, right {right:.3f}</title>"
        body.append(
            f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{radius:.1f}" fill="#0969da" fill-opacity="0.6">{title}</circle>'
        )
    body.append(_letters("confidence", left + size / 2 - 33, top + size + 38, _SMALL, 11, "#1f2328"))
    turned = _letters("share right", 0, 0, _SMALL, 11, "#1f2328")
    body.append(f'<g transform="translate(18 {top + size / 2 + 36:.0f}) rotate(-90)">{turned}</g>')
    return _svg(left + size + 24, top + size + 52, body)


def draw_growth(points: Sequence[tuple[int, float, float]]) -> str:
    """Draw run times (words, seconds without and with extensible features) on logarithmic scales."""
    size, left, top = 320, 76, 16
    seconds = [value for _, slow, quick in points for value in (slow, quick)]
    low, high = math.floor(math.log10(min(seconds))), math.ceil(math.log10(max(seconds)))
    first, last = math.log2(points[0][0]), math.log2(points[-1][0])

    def place(words: int, value: float) -> tuple[float, float]:
        across = (math.log2(words) - first) / max(last - first, 1)
        return left + size * across, top + size * (high - math.log10(value)) / max(high - low, 1)

    body = [f'<rect x="{left}" y="{top}" width="{size}" height="{size}" fill="none" stroke="#d0d7de"/>']
    for power in range(low, high + 1):
        y = place(points[0][0], 10.0**power)[1]
        body.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + size}" y2="{y:.1f}" stroke="#eaeef2"/>')
        body.append(_letters(f"{10.0**power:g}", left - 52, y + 4, _SMALL, 11, "#57606a"))
    for words, _, _ in points:
        body.append(_letters(str(words), place(words, 1.0)[0] - 10, top + size + 18, _SMALL, 11, "#57606a"))
    for column, name, colour in ((1, "without", "#cf222e"), (2, "with extensible features", "#0969da")):
        line = [place(point[0], point[column]) for point in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in line)
        body.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        body += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in line]
        body.append(_letters(name, left + 12, top + 4 + 16 * column, _SMALL, 11, colour))
    body.append(_letters("words in the string", left + size / 2 - 62, top + size + 38, _SMALL, 11, "#1f2328"))
    turned = _letters("seconds", 0, 0, _SMALL, 11, "#1f2328")
    body.append(f'<g transform="translate(14 {top + size / 2 + 24:.0f}) rotate(-90)">{turned}</g>')
    return _svg(left + size + 24, top + size + 52, body)


def _svg(width: int, height: int, body: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    background = f'<rect width="{width}" height="{height}" rx="6" fill="#ffffff"/>'
    return "\n".join([head, background, *body, "</svg>"]) + "\n"
