"""Linking references of any kind: in memory, continuing earlier works, with n-best labellings, or in a database."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from numbers import Integral, Real
from pathlib import Path

from ibidem.errors import ConfigError, InputError
from ibidem.linking.checks import ReferenceInput
from ibidem.linking.clustering import log_odds
from ibidem.linking.inputs import Item, items_by_source, records_of, references_of
from ibidem.linking.joint.nbest import MAX_NBEST
from ibidem.linking.matcher import load_matcher
from ibidem.linking.works import Progress, Works, link_records, works_of
from ibidem.types import Parsed


def link_references(
    references: Iterable[ReferenceInput | Item], parse: Callable[..., Iterator[Parsed]], *,
    threshold: float | None = None, pair_model: str | Path | None = None, existing: Works | None = None,
    nbest: int = 1, progress: Progress | None = None, database: str | Path | None = None,
) -> Works:  # fmt: skip
    """Return the works of references; `ibidem.link` says what the arguments mean, `parse` parses strings."""
    _check_references(references)
    _check_options(threshold, pair_model, existing, nbest, database)
    matcher = load_matcher(pair_model)
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

        several = partial(parse, alternatives=int(nbest) - 1)
        return works_of(link_nbest(references_of(references), several, nbest, matcher=matcher, threshold=threshold))
    before = existing.linked if existing is not None else None
    records = records_of(references_of(references), parse)
    return works_of(link_records(records, matcher=matcher, threshold=threshold, progress=progress, existing=before))


def _check_references(references: object) -> None:
    if isinstance(references, str | bytes):
        raise InputError("link takes a list or another iterable of references, not a single string: put it into a list")
    if not isinstance(references, Iterable):
        raise InputError(f"link takes a list or another iterable of references, not {reprlib.repr(references)}")


def _check_options(threshold: object, pair_model: object, existing: object, nbest: object, database: object) -> None:
    """Raise a `ConfigError` where an option is not of its kind, or does not go with another."""
    if threshold is not None:
        if not isinstance(threshold, Real):
            raise ConfigError(f"the threshold is {reprlib.repr(threshold)}: give a number between 0 and 1, such as 0.5")
        log_odds(float(threshold))
    for name, path in (("pair_model", pair_model), ("database", database)):
        if path is not None and not isinstance(path, str | Path):
            raise ConfigError(f"{name} is {reprlib.repr(path)}: give the path of a file")
    if existing is not None and not isinstance(existing, Works):
        raise ConfigError(f"existing is {reprlib.repr(existing)}: give what an earlier call of link returned")
    if not isinstance(nbest, Integral) or not 1 <= int(nbest) <= MAX_NBEST:
        shown = reprlib.repr(nbest)
        raise ConfigError(f"nbest is {shown}: give a number of labellings per reference, from 1 to {MAX_NBEST}")
    if nbest != 1 and existing is not None:
        raise ConfigError(f"nbest is {nbest} and there are existing works: give one or the other")
    if nbest != 1 and database is not None:
        raise ConfigError(f"nbest is {nbest}, but a database keeps one labelling of each reference: leave out nbest")
    if existing is not None and database is not None:
        raise ConfigError("a database already holds the existing works: leave out `existing`")
