"""Tables of the documentation that are made from the code: datasets, labels, recipes, the model card.

`TABLES` has a function for each; `tools.docs.figures` puts its result where a page asks for it.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, cast

import tools.weights.rendered_sets  # noqa: F401  (registers them)
from benchmarks.support.recurrent.training import TrainingConfig
from ibidem.data.augmentation import AugmentationConfig
from ibidem.data.catalogue import DATASETS
from ibidem.data.registry import Dataset
from ibidem.errors import IbidemError
from ibidem.labels.schema import SCHEMA
from ibidem.models.crf import CRF
from ibidem.models.induction import InductionConfig
from ibidem.models.penalties import PenaltyConfig
from ibidem.models.recipes import Recipe
from ibidem.models.shipped import DEFAULT
from ibidem.models.sources import Source, SyntheticSource
from ibidem.models.training import CRFConfig
from tools.docs.format_pages import FORMAT_TABLES
from tools.docs.headline import headline
from tools.docs.markdown import table
from tools.docs.reference import api
from tools.docs.task_pages import TASK_TABLES, calibration_of

_FIELD = re.compile(r"^    (?P<name>\w+): (?P<kind>[^=#]+?)(?: = (?P<default>.+?))?(?:  # (?P<meaning>.*))?$")
# Of the fields that have no comment.
_MEANINGS = {
    "Source.name": "the dataset, by its name in the table of datasets",
    "Source.limit": "the largest number of strings, sampled at random; all by default",
    "Source.repeat": "how often each string is used in an epoch",
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
    """Return a table of the datasets that are wanted: description, size, source and licence."""
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
    """Return a table of the sets that have punctuation inside and outside of their fields."""
    inside = [f"`{one.name}`" for one in DATASETS.values() if _of_references(one) and one.uncertain_boundaries]
    outside = [f"`{one.name}`" for one in DATASETS.values() if _of_references(one) and not one.uncertain_boundaries]
    return table(
        ("punctuation after a field", "sets"), [("inside", ", ".join(inside)), ("outside", ", ".join(outside))]
    )


def schema() -> str:
    """Return a table of every label with its meaning."""
    return table(("label", "meaning"), [(f"`{label}`", meaning) for label, meaning in SCHEMA.items()])


def settings_of(cls: type) -> str:
    """Return a table of the keys of a configuration: type, default and meaning, from the class and its comments."""
    rows = []
    for line in _lines(cls):
        found = _FIELD.match(line)
        if found:
            meaning = found["meaning"] or _MEANINGS.get(f"{cls.__name__}.{found['name']}", "")
            if not meaning:
                raise IbidemError(f"{cls.__name__}.{found['name']} has no description: write a comment after it")
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
    """Return a table of the kinds of noise: what each is a share of, and its amount in the presets."""
    from ibidem.synthesis.noise import PRESETS, Noise

    meanings = {found["name"]: found["meaning"] for line in _lines(Noise) if (found := _FIELD.match(line))}
    amounts = {name: dataclasses.asdict(noise) for name, noise in PRESETS.items() if name != "none"}
    rows = [(f"`{one}`", f"share {meanings[one]}", *(f"{a[one]:g}" for a in amounts.values())) for one in meanings]
    return table(("noise", "meaning", *(f"`{name}`" for name in amounts)), rows)


def _perturbations() -> str:
    """Return a table of the perturbations: how often each is drawn, and what it does."""
    from ibidem.data.augmentation import PERTURBATIONS

    total = sum(one.share for one in PERTURBATIONS.values())
    rows = [(f"`{one.name}`", f"{100 * one.share / total:.1f} %", one.about) for one in PERTURBATIONS.values()]
    return table(("perturbation", "share", "meaning"), rows)


def _templates() -> str:
    """Return a table of the kinds of references that have templates: how many there are, and in which languages."""
    from ibidem.synthesis.templates import templates

    rows = []
    for kind, found in templates().items():
        counts = Counter(template.language for template in found)
        languages = ", ".join(f"{language} {count}" for language, count in counts.most_common())
        rows.append((f"`{kind}`", str(len(found)), languages))
    return table(("kind", "templates", "by language"), rows)


def _lines(cls: type) -> list[str]:
    return inspect.getsource(cls).splitlines()


def settings_in_use() -> str:
    """Return a table of the settings of the benchmarks that train, where they differ from the defaults."""
    from benchmarks.anzaroot_2014 import chains, umass
    from benchmarks.anzaroot_2014 import umass_combined as combined
    from benchmarks.cuong_2015 import headers, sections, semi_crf, semi_crf_speed
    from benchmarks.parsing import grobid_citation as grobid
    from benchmarks.wellner_2004 import induction

    used: dict[str, CRFConfig | TrainingConfig] = {"umass-flat": umass.FLAT, "umass-nested": umass.NESTED}
    used |= {"soft-constraints-paper, the paper's chain": chains.PAPER}
    used |= {"soft-constraints-paper, our chain without memory": chains.NO_MEMORY}
    used |= {"umass-combined, features": combined.FEATURES}
    used |= {"umass-combined, pretraining": combined.PRETRAINING, "umass-combined, fine-tuning": combined.FINE_TUNING}
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
    """Return the benchmarks sorted by name, each with what it compares."""
    from benchmarks import import_all
    from benchmarks.registry import BENCHMARKS, in_order

    import_all()
    return {one.name: re.sub(r" \(bars?:[^)]*\)", "", one.summary) for one in in_order(BENCHMARKS.values())}


def benchmarks() -> str:
    """Return a table of every benchmark with what it compares."""
    rows = [(f"[`{name}`](#{name})", summary) for name, summary in known_benchmarks().items()]
    return table(("name", "what it compares"), rows)


def _card() -> dict[str, Any]:
    import ibidem

    return dict(ibidem.load().model.card) if DEFAULT.exists() else {}


def _from_card(make: Callable[[dict[str, Any]], str]) -> Callable[[], str]:
    """Return a function that makes a table of the model card, or a note where there is no default model."""

    def make_table() -> str:
        card = _card()
        return make(card) if card else "Not measured yet: this checkout has no default model.\n"

    return make_table


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
    before = card.get("start", {}).get("data", {})
    rows = []
    for name, one in {**before, **card["data"]}.items():
        counts = [f"{data[name]['strings']:,}" if name in data else "–" for data in (before, card["data"])]
        rows.append((f"`{name}`", *(counts if before else counts[1:]), one["licence"]))
    header = ("strings, pretraining", "strings") if before else ("strings",)
    return table(("dataset", *header, "licence"), rows)


def _scores(card: dict[str, Any]) -> str:
    header = ("dataset", "strings", "exact match", "field F1", "exact match, with parts", "field F1, with parts")
    rows = []
    for name, one in card["scores"].items():
        scores = ["{:.2f} ({:.2f} to {:.2f})".format(*one[key]) for key in ("whole reference", "field F1")]
        deep = [f"{one[key]:.2f}" for key in ("whole reference with parts", "field F1 with parts")]
        rows.append((f"`{name}`", f"{one['strings']:,}", *scores, *deep))
    return table(header, rows)


def record_fields() -> str:
    """Return a table of the fields of a record, their labels, and the type of their values."""
    from ibidem.records.fields import FIELDS

    types = {"name": "`Name`", "date": "`Date`", "number": "`Number`", "pages": "`Pages`"}
    from ibidem.labels.schema import SCHEMA

    labels = {name: [one for one in field.labels if one in SCHEMA] for name, field in FIELDS.items()}
    labels["language"] = ["note"]
    return table(
        ("field", "from the label", "value", "what it is"),
        [
            (
                f"`{name}`",
                ", ".join(f"`{label}`" for label in labels[name]) or "–",
                types.get(field.type, "text"),
                field.about,
            )
            for name, field in FIELDS.items()
        ],
    )


def record_types() -> str:
    """Return a table of the document types."""
    from ibidem.records.types import TYPES

    return table(("type", "what it is"), [(f"`{name}`", one.about) for name, one in TYPES.items()])


def form_rules() -> str:
    """Return a table of what the form of a reference makes certain: the type, and fields."""
    from ibidem.records.fields import fields_by_label
    from ibidem.records.form_rules import RULES

    rows = []
    for rule in RULES:
        labels = [name.replace("_", "-") for name in rule.pattern.groupindex]
        fields = ", ".join(f"`{fields_by_label()[label]}`" for label in labels)
        rows.append((rule.about, f"`{rule.type}`" if rule.type else "–", fields or "–"))
    return table(("what is found", "type", "fields"), rows)


def normalisers() -> str:
    """Return a table of the normalisers in their order, with the fields of each."""
    from ibidem.records.fields import FIELDS
    from ibidem.records.normalise import NORMALISERS

    rows = []
    for name in NORMALISERS:
        fields = [field.name for field in FIELDS.values() if name in field.normalisers]
        rows.append((f"`{name}`", ", ".join(f"`{one}`" for one in fields) if name != "text" else "others"))
    return table(("normaliser", "fields"), rows)


def pair_model() -> str:
    """Return the card of the default pairwise matcher."""
    from ibidem.linking.matcher import default_matcher

    model = default_matcher()
    card, dev = model.card, model.card["dev"]
    described = ("about", "trained on", "truth", "parts", "threshold", "confidence", "by hand", "command")
    rows = [(name, str(card[name])) for name in described]
    rows.append(("threshold chosen", f"{model.threshold:g}"))
    rows.append(("training references", f"{card['learnt from']:,}"))
    rows.append(("dev references", f"{dev['references']:,} of {dev['works']:,} works"))
    rows.append(("pair recall of blocking", f"{100 * dev['blocking recall']:.2f} %"))
    rows.append(("candidate pairs per distinct reference", f"{dev['candidates']:g}"))
    return table(("", ""), rows)


def pair_thresholds() -> str:
    """Return the scores of the pairwise matcher by threshold, on its dev set."""
    from ibidem.linking.matcher import default_matcher

    names = ("precision", "recall", "f1", "clusters")
    rows = [
        (f"{row['threshold']:g}", *(f"{100 * row[name]:.2f}" for name in names))
        for row in default_matcher().card["dev"]["thresholds"]
    ]
    return table(("threshold", "pair precision", "pair recall", "pair F1", "works found exactly"), rows)


def pair_measures() -> str:
    """Return a table of the similarity features, group by group."""
    import numpy as np

    from ibidem.linking.comparison import ComparisonFields
    from ibidem.linking.similarity import similarity_features
    from ibidem.linking.table import Table

    nothing = Table([ComparisonFields("a"), ComparisonFields("a")])
    groups: dict[str, list[str]] = {}
    for name, _ in similarity_features(nothing, np.array([0]), np.array([1])):
        group, _, feature = name.partition(".")
        groups.setdefault(group, []).append(f"`{feature}`")
    return table(
        ("group", "similarity features"), [(f"`{group}`", ", ".join(found)) for group, found in groups.items()]
    )


TABLES: dict[str, Callable[[], str]] = {
    "headline": headline,
    "pair-model": pair_model,
    "pair-thresholds": pair_thresholds,
    "pair-measures": pair_measures,
    "record-fields": record_fields,
    "record-types": record_types,
    "form-rules": form_rules,
    "normalisers": normalisers,
    "datasets": lambda: datasets(_of_references),
    "datasets-sections": lambda: datasets(lambda one: one.task == "sections"),
    "datasets-authors": lambda: datasets(lambda one: one.task == "authors"),
    "other-datasets": lambda: datasets(lambda one: not one.unified),
    "edges": edges,
    "schema": schema,
    "recipe": lambda: settings_of(Recipe),
    "source": lambda: settings_of(Source),
    "synthetic-source": lambda: settings_of(SyntheticSource),
    "training": lambda: settings_of(CRFConfig),
    "induction": lambda: settings_of(InductionConfig),
    "penalties": lambda: settings_of(PenaltyConfig),
    "noise": _noise,
    "perturbations": _perturbations,
    "augmentation": lambda: settings_of(AugmentationConfig),
    "templates": _templates,
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
