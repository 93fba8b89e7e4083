from __future__ import annotations

from ibidem.labels.mapping import tables_tagged  # noqa: F401
from ibidem.labels.mapping.tables import TABLES
from ibidem.labels.schema import SCHEMA, UNKNOWN, WITH_PARTS, children, parent


def test_every_label_has_a_meaning_and_its_parent_before_it():
    seen: set[str] = set()
    for label, meaning in SCHEMA.items():
        assert meaning and (not parent(label) or parent(label) in seen)
        seen.add(label)
    assert {"author", "author/person", "editor", "editor/person", "date", "pages"} == WITH_PARTS
    assert children("pages") == ("pages/first", "pages/last")


def test_the_tables_know_only_labels_of_the_schema():
    for table in TABLES.values():
        for target in table.values():
            for label in target.replace("~", "author").split("|") if isinstance(target, str) else ():
                assert label in SCHEMA or label in ("", UNKNOWN), label
