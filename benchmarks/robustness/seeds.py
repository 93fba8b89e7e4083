"""Small valid files of every kind that Ibidem reads, made by its own writers: what the damaged ones are made of."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import ibidem
from ibidem.records.formats import write
from ibidem.types import Annotation, Example

REFERENCES = (
    "[1] K. Aldersey and M. Vuorinen, “A model for sluice gates,” J. Tidal Eng., vol. 12, pp. 211–229, Mar. 2011.",
    "Farrowgate, D. M. (1987). Slow Rivers: A History of Lock-Keeping. 2nd ed. Edinburgh: Caldmoor Press.",
    "Pellworth JS, van der Lock OT, et al. Salivary markers & crews. Ann Coast Med. 2019;14(3):153-60. doi:10.9907/a.b",
    "Müller, Ö. (1999/2000). Über Röhricht. In: E. Marsh (ed.), Handbuch. http://example.org/a?b=1",
)
CITATIONS = [
    f"{who}. On {what}, {year}"
    for who in ("Reed", "Marsh", "Fenn")
    for what in ("bells", "tides")
    for year in range(1990, 1998)
]
_RECIPE = b"""name = "mine"
about = "my references"
output = "mine.ibidem"
label_min_count = 1
[[data]]
file = "mine.jsonl"
repeat = 2
[[dev]]
file = "dev.jsonl"
[training]
iterations = 10
[by_hand]
"count(title) <= 1" = 4.0
"""
_CONSTRAINTS = (
    b'[constraints]\n"count(title) <= 1" = 4.0\n"count(date) <= 1" = inf\n"count(editor) - count(title) <= 0" = 0.5\n'
)
_SEED_WORDS = b"""[[seed_words]]
name = "year"
patterns = ["(19|20)[0-9]{2}", "[0-9]+"]
weight = 2.0
[[seed_words]]
name = "title"
words = ["on", "of", "bells"]
"""
_STYLE = b"""<?xml version="1.0" encoding="utf-8"?>
<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0" default-locale="en-US">
<info><title>Mine</title><id>mine</id></info>
<macro name="who"><names variable="author"><name initialize-with=". " and="symbol" delimiter=", "/>
<et-al font-style="italic"/><substitute><names variable="editor"/><text variable="title"/></substitute></names></macro>
<citation><layout><text macro="who"/></layout></citation>
<bibliography et-al-min="4" et-al-use-first="2" hanging-indent="true"><sort><key macro="who"/></sort>
<layout suffix="."><text macro="who" suffix=" "/>
<date variable="issued" prefix="(" suffix="). "><date-part name="year"/>
</date><choose><if type="book" match="any"><text variable="title" font-style="italic"/></if>
<else><text variable="title"/></else></choose>
<group delimiter=", " prefix=" "><text variable="container-title"/><number variable="volume" form="ordinal"/>
<label variable="page" form="short"/><text variable="page"/></group></layout></bibliography></style>
"""


def record_file(name: str) -> list[bytes]:
    """Return two files of records in a format."""
    records = [parsed.record for parsed in ibidem.parse_many(REFERENCES)]
    found = []
    for some in (records, records[:1]):
        out = BytesIO()
        write(some, out, name)
        found.append(out.getvalue())
    return found


def _examples() -> list[Example]:
    return [
        Example(one.text, tuple(Annotation(field.label, field.start, field.end) for field in one.fields), "mine")
        for one in ibidem.parse_many(REFERENCES)
    ]


def labelled_file(form: str) -> list[bytes]:
    """Return a file of labelled strings."""
    return [_write_labelled(_examples(), form)]


def tiny_file(numbers: range) -> bytes:
    """Return invented references of five fields as labelled strings, to train on."""
    return _write_labelled([_tiny_example(number) for number in numbers], "jsonl")


def _write_labelled(examples: list[Example], form: str) -> bytes:
    from ibidem.data.writers import write as write_labelled

    out = BytesIO()
    list(write_labelled(examples, out, form))
    return out.getvalue()


def model_file(folder: Path) -> list[bytes]:
    """Return a model of five fields, trained on twenty invented references."""
    import numpy as np
    from numpy.typing import NDArray

    from ibidem.features import Lexicons
    from ibidem.models.storage import save
    from ibidem.models.training import CRFConfig, Trainer, labels_seen, training_set

    examples = [_tiny_example(number) for number in range(20)]
    nothing: dict[str, NDArray[Any]] = {
        "statistics/prints": np.zeros(0, np.uint32),
        "statistics/codes": np.zeros(0, np.uint8),
    }
    data = training_set([(example, False) for example in examples], labels_seen(examples))
    trainer = Trainer.prepare(data, Lexicons.from_arrays(nothing), CRFConfig(iterations=10))
    path = folder / "tiny.ibidem"
    save(trainer.model(trainer.run(lambda *_: False), {"name": "tiny"}), path)
    return [path.read_bytes()]


def _tiny_example(number: int) -> Example:
    text, annotations = "", []
    for label, words, after in (
        ("author", f"{('Reed', 'Marsh', 'Sedge')[number % 3]}, {'ABCDE'[number % 5]}.", " ("),
        ("date", str(1980 + number), "). "),
        ("title", f"The drift of {('reeds', 'bells', 'ferries')[number % 3]}", ". "),
        ("journal", ("River Letters", "Bog Review")[number % 2], ", "),
        ("volume", str(number + 2), "."),
    ):
        annotations.append(Annotation(label, len(text), len(text) + len(words)))
        text += words + after
    return Example(text, tuple(annotations), "tiny")


def store_file(folder: Path) -> list[bytes]:
    """Return a database of linked references."""
    path = folder / "works.duckdb"
    ibidem.link(REFERENCES[:3], database=path)
    return [path.read_bytes()]


def checkpoint_file(folder: Path) -> list[bytes]:
    """Return the checkpoint of a short run of `ibidem segment`."""
    path = folder / "run.checkpoint"
    ibidem.segment(CITATIONS, fields=3, sweeps=2, checkpoint=path)
    return [path.read_bytes()]


def fixed(*files: bytes) -> Callable[[Path], list[bytes]]:
    """Return what makes files that are always the same."""
    return lambda _folder: list(files)


recipe_file, constraints_file = fixed(_RECIPE), fixed(_CONSTRAINTS)
seed_words_file, style_file = fixed(_SEED_WORDS), fixed(_STYLE)
