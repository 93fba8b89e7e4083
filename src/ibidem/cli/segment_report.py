"""Segmented citations as JSON Lines, and reports on them: on a terminal, as HTML, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape as escape_html
from itertools import islice
from typing import Any, TextIO

from ibidem.cli.pretty import DOUBTFUL, wants_colour
from ibidem.cli.terminal import escape
from ibidem.labels.schema import WITH_PARTS
from ibidem.unsupervised.segmenting import Segmentation, Segmented

_TERMINAL = (33, 166, 133, 35, 172, 30, 136, 97)
_PAGE = ("#cfe3ff", "#ffdcc2", "#ecd0ec", "#cdeccd", "#fff0b8", "#c8ecec", "#e3d9c6", "#dcd6f7")
_STYLE = """body{font:15px/1.6 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse}
td,th{padding:.3rem .6rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}
mark{padding:.1rem .2rem;border-radius:.2rem;color:inherit}mark.unsure{text-decoration:underline dotted}
li{margin:.4rem 0}"""


def to_json(segmented: Segmented) -> dict[str, Any]:
    """Return the JSON object of a segmented citation, which is also that of a labelled string."""
    element_at = _element_at(segmented)
    fields = [
        {
            "label": field.label,
            "element": element_at[field.start] + 1,
            "text": field.text,
            "start": field.start,
            "end": field.end,
            "confidence": round(field.confidence, 4),
        }
        for field in segmented.fields
    ]
    found: dict[str, Any] = {"text": segmented.text, "fields": fields}
    found["tokens"] = [[token.start, token.end] for token in segmented.tokens]
    found["elements"] = segmented.elements
    found["token_confidence"] = [round(value, 4) for value in segmented.confidence]
    opaque = sorted({field.label for field in segmented.fields} & WITH_PARTS)
    return found | ({"opaque": opaque} if opaque else {})


def make_terminal_report(found: Segmentation, stream: TextIO | None, examples: int = 8) -> str:
    """Return the fields with their typical words, the orders, and some citations, in colour if the stream allows it."""
    colour = wants_colour(stream)
    lines = ["", "fields"]
    for k, words in enumerate(found.typical_words()):
        name = _paint(f"{k + 1} {escape(found.names[k])}", k, colour)
        lines.append(f"  {name}: {escape(' '.join(word for word, _ in words))}")
    lines += ["orders"]
    lines += [f"  {share:6.1%}  {escape(' · '.join(order)) or 'nothing'}" for order, share in found.orders(5)]
    lines += ["examples"]
    lines += [f"  {_mark_fields(segmented, colour)}" for segmented in islice(examples_of(found), examples)]
    return "\n".join(lines)


def make_summary(found: Segmentation) -> bytes:
    """Return the fitted words, lengths and orders as a JSON object."""
    import orjson

    tokens = found.fit.word_counts.sum(axis=0).tolist()
    lengths = found.fit.length_counts
    summary = {
        "citations": len(found) - len(found.errors),
        "errors": len(found.errors),
        "log_likelihood": [round(value, 6) for value in found.log_likelihoods],
        "rho": [round(float(value), 4) for value in found.fit.rho],
        "orders": [{"order": list(order), "share": round(share, 4)} for order, share in found.orders(20)],
        "elements": [
            {
                "element": k + 1,
                "name": found.names[k],
                "tokens": tokens[k],
                "empty": round(float(lengths[k, 0] / max(lengths[k].sum(), 1)), 4),
                "words": [{"word": word, "times": times} for word, times in words],
            }
            for k, words in enumerate(found.typical_words(30))
        ],
    }
    return orjson.dumps(summary, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def make_html(found: Segmentation, examples: int = 60) -> bytes:
    """Return a self-contained page with typical words, orders, and citations coloured by field."""
    rows = [
        f"<tr><td><mark style='background:{_PAGE[k % len(_PAGE)]}'>{k + 1} {escape_html(found.names[k])}</mark></td>"
        f"<td>{escape_html(' '.join(word for word, _ in words))}</td></tr>"
        for k, words in enumerate(found.typical_words(20))
    ]
    orders = [
        f"<tr><td>{share:.1%}</td><td>{escape_html(' · '.join(order)) or 'nothing'}</td></tr>"
        for order, share in found.orders(10)
    ]
    citations = [f"<li>{_html_citation(segmented)}</li>" for segmented in islice(examples_of(found), examples)]
    good, bad = len(found) - len(found.errors), len(found.errors)
    counts = f"{good:,} citations in {len(found.names)} fields; {bad:,} with errors"
    likelihoods = ", ".join(f"{value:.4f}" for value in found.log_likelihoods)
    page = "\n".join(
        [
            "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>Segmented citations</title>",
            f"<style>{_STYLE}</style></head><body><h1>Segmented citations</h1>",
            f"<p>{counts}. Log-likelihood per token after each sweep: {likelihoods}.</p>",
            "<h2>Fields and their typical words</h2><table>", *rows, "</table>",
            "<h2>Orders</h2><table>", *orders, "</table>",
            f"<h2>Citations</h2><p>Underlined: a token is less certain than {DOUBTFUL}.</p><ol>", *citations,
            "</ol></body></html>", "",
        ]
    )  # fmt: skip
    return page.encode("utf-8", "backslashreplace")


def examples_of(found: Segmentation, spread: int = 200) -> Iterator[Segmented]:
    """Return about `spread` citations from all over the corpus, those with errors left out."""
    step = max(1, len(found) // spread)
    return (found[number] for number in range(0, len(found), step) if number not in found.errors)


def _element_at(segmented: Segmented) -> dict[int, int]:
    return {token.start: element - 1 for token, element in zip(segmented.tokens, segmented.elements, strict=True)}


def _mark_fields(segmented: Segmented, colour: bool) -> str:
    number, pieces = _element_at(segmented), []
    for field in segmented.fields:
        text, doubt = escape(field.text), "" if field.confidence >= DOUBTFUL else "?"
        k = number[field.start]
        pieces.append(_paint(text + doubt, k, True) if colour else f"[{k + 1}{doubt} {text}]")
    return " ".join(pieces)


def _paint(text: str, k: int, colour: bool) -> str:
    return f"\x1b[38;5;{_TERMINAL[k % len(_TERMINAL)]}m{text}\x1b[0m" if colour else text


def _html_citation(segmented: Segmented) -> str:
    number, pieces, place = _element_at(segmented), [], 0
    for field in segmented.fields:
        pieces.append(escape_html(segmented.text[place : field.start]))
        unsure = "" if field.confidence >= DOUBTFUL else " class='unsure'"
        title = escape_html(f"{field.label} {field.confidence:.2f}", quote=True)
        paint = _PAGE[number[field.start] % len(_PAGE)]
        pieces.append(f"<mark style='background:{paint}' title=\"{title}\"{unsure}>{escape_html(field.text)}</mark>")
        place = field.end
    return "".join([*pieces, escape_html(segmented.text[place:])])
