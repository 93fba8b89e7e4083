from __future__ import annotations

from ibidem.data.catalogue import DATASETS
from ibidem.labels.schema import SCHEMA, UNKNOWN, WITH_PARTS, children, parent
from ibidem.labels.tasks import TASKS


def test_every_label_has_a_meaning_and_its_parent_before_it():
    seen: set[str] = set()
    for label, meaning in SCHEMA.items():
        assert meaning and (not parent(label) or parent(label) in seen)
        seen.add(label)
    assert {"author", "author/person", "editor", "editor/person", "date", "pages"} == WITH_PARTS
    assert children("pages") == ("pages/first", "pages/last")


def test_label_tables_have_only_labels_of_the_schema():
    for data in DATASETS.values():
        for target in data.labels.targets.values() if data.labels else ():
            for label in target.replace("~", "author").split("|") if isinstance(target, str) else ():
                assert label in TASKS[data.task].schema or label in ("", UNKNOWN), label
