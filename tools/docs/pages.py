"""The tables of the documentation that come out of the code: datasets, labels, recipes, the card of the model.

`TABLES` has a function for each; `tools.docs.figures` puts what it returns where a page asks for it.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable
from typing import Any, cast

from benchmarks.recurrent.learning import TrainingConfig
from ibidem.data.catalogue import DATASETS
from ibidem.data.registry import Dataset
from ibidem.errors import IbidemError
from ibidem.labels.schema import SCHEMA
from ibidem.models.crf import CRF
from ibidem.models.induction import InductionConfig
from ibidem.models.penalties import PenaltyConfig
from ibidem.models.recipes import Recipe, Source
from ibidem.models.shipped import DEFAULT
from ibidem.models.training import CRFConfig
from tools.docs.format_pages import FORMAT_TABLES
from tools.docs.markdown import table
from tools.docs.reference import api
from tools.docs.task_pages import TASK_TABLES, calibration_of

_FIELD = re.compile(r"^    (?P<name>\w+): (?P<kind>[^=#]+?)(?: = (?P<default>.+?))?(?:  # (?P<meaning>.*))?$")
# What the classes leave to their docstrings.
_MEANINGS = {
    "Source.name": "the dataset, by its name in the table of datasets",
    "Source.limit": "at most so many strings, drawn at random; all when it is not given",
    "Source.repeat": "how often each string is trained on in a pass",
    "Recipe.name": "the name of the model, for its card",
    "Recipe.about": "one line for its card",
    "Recipe.output": "the file to write, relative to the recipe",
    "Recipe.data": "what to train on: one table `[[data]]` for each source",
    "Recipe.label_min_count": "tokens that must have a label for the model to know it",
    "Recipe.training": "the table `[training]`",
    "CRFConfig.optimiser": "`lbfgs`, or `adagrad` for corpora that are large",
    "CRFConfig.l2": "regularisation: l2 times the sum of the squared weights",
    "CRFConfig.batch": "strings in a step of AdaGrad",
    "CRFConfig.learning_rate": "the size of the first steps of AdaGrad",
    "CRFConfig.seed": "of everything that is drawn at random",
    "PenaltyConfig.passes": "over all strings",
    "PenaltyConfig.learning_rate": "the size of a step",
    "PenaltyConfig.iterations": "steps of the dual for a string",
    "PenaltyConfig.seed": "of the order of the strings",
    "CRFConfig.threads": "of the compiled kernels; the result does not depend on it",
}


def datasets(wanted: Callable[[Dataset], bool]) -> str:
    """The datasets that are wanted: what each is, how large, where it is had, under which licence."""
    header = ("name", "what it is", "items", "splits", "use", "licence", "where")
    return table(header, [_dataset(one) for one in DATASETS.values() if wanted(one)])


def _of_references(one: Dataset) -> bool:
    return one.unified and one.task == "references"


def _dataset(one: Dataset) -> list[str]:
    known = [file.expected for file in one.files if file.expected is not None]
    items = " + ".join(f"{count:,}" for count in known) if len(known) < 4 else f"{sum(known):,}"
    where = re.sub(r"(https?://[^\s()]+)", r"<\1>", one.home)
    about = (f"{one.about} ({one.remark})" if one.remark else one.about).replace("<", "&lt;")
    return [f"`{one.name}`", about, items or "–", ", ".join(one.splits) or "–", one.use, one.licence, where]


def edges() -> str:
    """Which sets keep punctuation inside their fields."""
    inside = [f"`{one.name}`" for one in DATASETS.values() if _of_references(one) and one.loose_edges]
    outside = [f"`{one.name}`" for one in DATASETS.values() if _of_references(one) and not one.loose_edges]
    return table(
        ("punctuation after a field", "sets"), [("inside", ", ".join(inside)), ("outside", ", ".join(outside))]
    )


def schema() -> str:
    """Every label with its meaning."""
    return table(("label", "meaning"), [(f"`{label}`", meaning) for label, meaning in SCHEMA.items()])


def settings_of(cls: type) -> str:
    """The keys of a configuration: type, default and meaning, from the class and the comments in it."""
    rows = []
    for line in _lines(cls):
        found = _FIELD.match(line)
        if found:
            meaning = found["meaning"] or _MEANINGS.get(f"{cls.__name__}.{found['name']}", "")
            if not meaning:
                raise IbidemError(f"{cls.__name__}.{found['name']} has no meaning: write a comment after it")
            rows.append((f"`{found['name']}`", _toml(found["kind"]), _default(found["default"]), meaning))
    return table(("key", "type", "default", "meaning"), rows)


def _toml(kind: str) -> str:
    names = {"str": "string", "int": "whole number", "float": "number", "bool": "true or false"}
    kind = kind.strip().removesuffix(" | None")
    if kind.startswith("dict[") or kind.endswith("Config"):
        return "table"
    if kind.startswith("tuple["):
        inner = kind[6:].partition(",")[0]
        return "list of " + ("strings" if inner == "str" else "tables")
    return names[kind]


def _default(given: str | None) -> str:
    if given is None:
        return "required"
    plain = {"None": "none", "True": "`true`", "False": "`false`", "()": "`[]`"}
    return plain.get(given, "its defaults" if "factory" in given else f"`{given}`")


def _noise() -> str:
    """The kinds of noise: what each is a share of, and how much of it the presets have."""
    from ibidem.synthesis.noise import PRESETS, Noise

    meanings = {found["name"]: found["meaning"] for line in _lines(Noise) if (found := _FIELD.match(line))}
    amounts = {name: dataclasses.asdict(noise) for name, noise in PRESETS.items() if name != "none"}
    rows = [(f"`{one}`", f"share {meanings[one]}", *(f"{a[one]:g}" for a in amounts.values())) for one in meanings]
    return table(("noise", "meaning", *(f"`{name}`" for name in amounts)), rows)


def _lines(cls: type) -> list[str]:
    return inspect.getsource(cls).splitlines()


def settings_in_use() -> str:
    """What the benchmarks that train use: every setting that differs from its default."""
    from benchmarks import grobid, headers, induction, sections, semi_crf, semi_crf_speed, umass
    from benchmarks import umass_combined as combined

    used: dict[str, CRFConfig | TrainingConfig] = {"umass-flat": umass.FLAT, "umass-nested": umass.NESTED}
    used |= {"umass-combined, features of networks": combined.FEATURES}
    used |= {"umass-combined, networks, open strings": combined.FIRST, "umass-combined, networks": combined.THEN}
    used |= {f"grobid-citation, model {place}": config for place, config in enumerate(grobid.MODELS, 1)}
    used |= {"sections": sections.CONFIG, "headers": headers.CONFIG}
    used |= {"sections, semi-CRFs": sections.SEMI, "headers, semi-CRFs": headers.SEMI}
    used |= {"semi-crf": semi_crf.SEMI, "semi-crf-speed": semi_crf_speed.HOSEMICRF}
    used |= {f"induction, {name}": config for name, config in induction.VARIANTS.items()}
    return table(("benchmark", "settings"), [(f"`{name}`", _changed(config)) for name, config in used.items()])


def _changed(config: CRFConfig | TrainingConfig) -> str:
    pairs = ((f.name, getattr(config, f.name), getattr(type(config)(), f.name)) for f in dataclasses.fields(config))
    return ", ".join(f"`{name} = {value!r}`".replace("'", '"') for name, value, usual in pairs if value != usual)


def known_benchmarks() -> dict[str, str]:
    """The benchmarks that come with Ibidem, in the order of their names, each with what it compares."""
    from benchmarks import import_all
    from benchmarks.registry import BENCHMARKS

    import_all()
    ours = [one for one in BENCHMARKS.values() if one.run.__module__.startswith("benchmarks.")]
    return {one.name: re.sub(r" \(bars?:[^)]*\)", "", one.summary) for one in sorted(ours, key=lambda one: one.name)}


def benchmarks() -> str:
    """Every benchmark with what it compares."""
    rows = [(f"[`{name}`](#{name})", summary) for name, summary in known_benchmarks().items()]
    return table(("name", "what it compares"), rows)


def _card() -> dict[str, Any]:
    import ibidem

    return dict(ibidem.load().model.card) if DEFAULT.exists() else {}


def _from_card(make: Callable[[dict[str, Any]], str]) -> Callable[[], str]:
    """The table made of the card, or what to say where no model ships."""

    def made() -> str:
        card = _card()
        return make(card) if card else "Not measured yet: no model ships with this checkout.\n"

    return made


def _about(card: dict[str, Any]) -> str:
    import ibidem
    from ibidem.labels.bio import levels_of

    model = cast(CRF, ibidem.load().model)
    known = {path for label in model.labels for path in levels_of(label)[0]}
    rows = [
        ("name", str(card["name"])),
        ("what it is for", str(card["about"])),
        ("size on disk", f"{DEFAULT.stat().st_size / 1e6:.1f} MB"),
        ("fields and parts it knows", f"{len(known)} of the {len(SCHEMA)} of the schema"),
        (
            "labels, states, arcs",
            f"{len(model.labels):,}, {len(model.automaton.label):,}, {len(model.automaton.src):,}",
        ),
        ("attributes of tokens", f"{len(model.encoder.attributes):,}"),
        (
            "fields of the schema it does not know",
            ", ".join(f"`{one}`" for one in SCHEMA if one not in known) or "none",
        ),
    ]
    return table(("", ""), rows)


def _lexicons(card: dict[str, Any]) -> str:
    return table(("list or records", "licence"), list(card["lexicons"].items()))


def _data(card: dict[str, Any]) -> str:
    rows = [(f"`{name}`", f"{one['strings']:,}", one["licence"]) for name, one in card["data"].items()]
    return table(("dataset", "strings", "licence"), rows)


def _scores(card: dict[str, Any]) -> str:
    header = ("dataset", "strings", "whole reference", "field F1", "whole, with parts", "field F1, with parts")
    rows = []
    for name, one in card["scores"].items():
        sure = ["{:.2f} ({:.2f} to {:.2f})".format(*one[key]) for key in ("whole reference", "field F1")]
        deep = [f"{one[key]:.2f}" for key in ("whole reference with parts", "field F1 with parts")]
        rows.append((f"`{name}`", f"{one['strings']:,}", *sure, *deep))
    return table(header, rows)


def record_fields() -> str:
    """The fields of a record, what the parser calls each, and the value it has."""
    from ibidem.records.build import FIELD_OF
    from ibidem.records.record import DATES, FIELDS, NAMES, NUMBERS

    kinds = dict.fromkeys(NAMES, "`Name`") | dict.fromkeys(DATES, "`Date`")
    kinds |= dict.fromkeys(NUMBERS, "`Number`") | {"pages": "`Pages`"}
    labels = {name: [label for label, field in FIELD_OF.items() if field == name] or [name] for name in FIELDS}
    labels |= {"author-etal": ["author/etal"], "editor-etal": ["editor/etal"], "language": ["note"]}
    return table(
        ("field", "from the label", "value", "what it is"),
        [
            (f"`{name}`", ", ".join(f"`{label}`" for label in labels[name]), kinds.get(name, "text"), meaning)
            for name, meaning in FIELDS.items()
        ],
    )


def record_types() -> str:
    """The types of works."""
    from ibidem.records.record import TYPES

    return table(("type", "what it is"), [(f"`{name}`", meaning) for name, meaning in TYPES.items()])


def normalisers() -> str:
    """The normalisers in their order, and the fields that each is asked about."""
    from ibidem.records.normalise import NORMALISERS

    return table(
        ("normaliser", "fields"),
        [
            (
                f"`{one.name}`",
                ", ".join(f"`{field}`" for field in sorted(one.fields)) if len(one.fields) < 6 else "others",
            )
            for one in NORMALISERS
        ],
    )


def pair_model() -> str:
    """What the model of pairs that ships says of itself."""
    from ibidem.linking.matcher import shipped

    model = shipped()
    card, dev = model.card, model.card["dev"]
    told = ("about", "trained on", "truth", "parts", "threshold", "confidence", "by hand", "command")
    rows = [(name, str(card[name])) for name in told]
    rows.append(("learnt threshold", f"{model.threshold:g}"))
    rows.append(("references it learnt from", f"{card['learnt from']:,}"))
    rows.append(("references it is scored on", f"{dev['references']:,} of {dev['works']:,} works"))
    rows.append(("of their pairs of one work, compared", f"{100 * dev['blocking recall']:.2f} %"))
    rows.append(("pairs compared for each distinct reference", f"{dev['candidates']:g}"))
    return table(("", ""), rows)


def pair_thresholds() -> str:
    """What the threshold does on the dev set of the model of pairs."""
    from ibidem.linking.matcher import shipped

    names = ("precision", "recall", "f1", "clusters")
    rows = [
        (f"{row['threshold']:g}", *(f"{100 * row[name]:.2f}" for name in names))
        for row in shipped().card["dev"]["thresholds"]
    ]
    return table(("threshold", "pair precision", "pair recall", "pair F1", "works found exactly"), rows)


def pair_measures() -> str:
    """The measures of likeness, group by group."""
    import numpy as np

    from ibidem.linking.comparison import View
    from ibidem.linking.similarity import measures
    from ibidem.linking.table import Table

    nothing = Table([View("a"), View("a")])
    groups: dict[str, list[str]] = {}
    for name, _ in measures(nothing, np.array([0]), np.array([1])):
        group, _, measure = name.partition(".")
        groups.setdefault(group, []).append(f"`{measure}`")
    return table(("group", "measures"), [(f"`{group}`", ", ".join(found)) for group, found in groups.items()])


TABLES: dict[str, Callable[[], str]] = {
    "pair-model": pair_model,
    "pair-thresholds": pair_thresholds,
    "pair-measures": pair_measures,
    "record-fields": record_fields,
    "record-types": record_types,
    "normalisers": normalisers,
    "datasets": lambda: datasets(_of_references),
    "datasets-sections": lambda: datasets(lambda one: one.task == "sections"),
    "datasets-authors": lambda: datasets(lambda one: one.task == "authors"),
    "other-datasets": lambda: datasets(lambda one: not one.unified),
    "edges": edges,
    "schema": schema,
    "recipe": lambda: settings_of(Recipe),
    "source": lambda: settings_of(Source),
    "training": lambda: settings_of(CRFConfig),
    "induction": lambda: settings_of(InductionConfig),
    "penalties": lambda: settings_of(PenaltyConfig),
    "noise": _noise,
    "settings-in-use": settings_in_use,
    "benchmarks": benchmarks,
    "api": api,
    "card": _from_card(_about),
    "card-data": _from_card(_data),
    "card-lexicons": _from_card(_lexicons),
    "card-scores": _from_card(_scores),
    "card-calibration": _from_card(calibration_of),
    **FORMAT_TABLES,
    **TASK_TABLES,
}
