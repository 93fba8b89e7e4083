"""Linking references of any kind: in memory, continuing earlier works, with n-best labellings, or in a database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from ibidem.errors import ConfigError
from ibidem.linking.clustering import log_odds
from ibidem.linking.inputs import Item, ReferenceInput, items_by_source, records_of, references_of
from ibidem.linking.matcher import load_matcher
from ibidem.linking.works import Progress, Works, link_records, works_of
from ibidem.types import Parsed


def link_references(
    references: Iterable[ReferenceInput | Item], parse: Callable[..., Iterator[Parsed]], *,
    threshold: float | None = None, pair_model: str | Path | None = None, existing: Works | None = None,
    nbest: int = 1, progress: Progress | None = None, database: str | Path | None = None,
) -> Works:  # fmt: skip
    """Return the works of references; `ibidem.link` says what the arguments mean, `parse` parses strings."""
    _check_combination(existing, nbest, database)
    matcher = load_matcher(pair_model)
    if threshold is not None:
        log_odds(threshold)
    if database is not None:
        from ibidem.linking.store import Store, StoredWorks

        with Store(Path(database), matcher) as store:
            for source, items in items_by_source(references):
                new = store.add(source, items, parse)
                if progress:
                    progress(f"adding {source}", new, new)
            linked = store.link(threshold, progress)
            return StoredWorks(Path(database), linked, store.counts())
    if nbest != 1:
        from ibidem.linking.joint.loop import link_nbest

        several = partial(parse, alternatives=max(nbest - 1, 0))
        return works_of(link_nbest(references_of(references), several, nbest, matcher=matcher, threshold=threshold))
    before = existing.linked if existing is not None else None
    records = records_of(references_of(references), parse)
    return works_of(link_records(records, matcher=matcher, threshold=threshold, progress=progress, existing=before))


def _check_combination(existing: Works | None, nbest: int, database: str | Path | None) -> None:
    if nbest != 1 and existing is not None:
        raise ConfigError(f"nbest is {nbest} and there are existing works: give one or the other")
    if database is None:
        return
    if nbest != 1:
        raise ConfigError(f"nbest is {nbest}, but a database keeps one labelling of each reference: leave out nbest")
    if existing is not None:
        raise ConfigError("a database already holds the existing works: leave out `existing`")
