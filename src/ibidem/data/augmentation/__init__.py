"""Augmentation of labelled strings: the same reference as other people, programs and pages would write it.

A perturbation is a function that takes an example and a random generator and returns the example changed, its
annotations moved with their characters; what it adds is in no field. A new one is a function and a line in
`PERTURBATIONS`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from ibidem.data.augmentation import letters, misprints, omissions, punctuation, surroundings
from ibidem.data.augmentation.editing import Change
from ibidem.errors import ConfigError
from ibidem.types import Example

_TRIES = 4  # at a perturbation that changes the string


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A perturbation: its name, how often it is drawn beside the others, what it does, in code and in words."""

    name: str
    share: float
    apply: Change
    about: str


PERTURBATIONS: dict[str, Perturbation] = {
    one.name: one
    for one in (
        Perturbation("lead-in", 10, surroundings.add_lead_in, "words lead to it: See also, vgl., 参见"),
        Perturbation("opening", 4, surroundings.add_opening, "a sentence leads to it: For the early years, see"),
        Perturbation("sentence", 3, surroundings.add_sentence, "it stands in a sentence, with words before and after"),
        Perturbation(
            "unknown-words", 5, surroundings.add_unknown_words, "words of no language are around it: Bup tevo"
        ),
        Perturbation("marker", 10, surroundings.add_marker, "it has a number or key: [12], 3., ¹², iv), [Moe99]"),
        Perturbation("bullet", 3, surroundings.add_bullet, "it has a bullet: •, –, *"),
        Perturbation("trailer", 4, surroundings.add_trailer, "links or the foot of a page follow: [CrossRef]"),
        Perturbation("second-reference", 2, surroundings.add_reference, "another reference follows in the same string"),
        Perturbation("cut-off", 2, omissions.cut_off, "its end is missing"),
        Perturbation("dropped-field", 4, omissions.drop_field, "one of its fields is missing"),
        Perturbation("lost-marks", 4, punctuation.lose_marks, "marks between fields are missing"),
        Perturbation("doubled-marks", 2, punctuation.double_marks, "marks between fields are doubled"),
        Perturbation("other-marks", 4, punctuation.exchange_marks, "other marks are between fields: ; for a comma"),
        Perturbation("split-marks", 3, punctuation.split_marks, "spaces are around every mark: Moe , A . ( 1999 )"),
        Perturbation("glued-fields", 3, punctuation.glue_fields, "spaces between fields are missing"),
        Perturbation("other-quotes", 3, punctuation.change_quotes, "other quotes and apostrophes"),
        Perturbation("other-dashes", 3, punctuation.change_dashes, "other dashes: 12–34, 12--34, 12 - 34"),
        Perturbation("other-spaces", 2, punctuation.change_spaces, "spaces of another kind, or several"),
        Perturbation("lower-case", 3, letters.lower, "all in small letters"),
        Perturbation("upper-case", 3, letters.upper, "all in capitals"),
        Perturbation("name-capitals", 3, letters.capitalise_names, "family names in capitals"),
        Perturbation("title-case", 2, letters.capitalise_titles, "the words of titles with capitals"),
        Perturbation("sentence-case", 2, letters.lower_titles, "titles with one capital at the beginning"),
        Perturbation("ligatures", 1, letters.use_ligatures, "fi, fl and ff as one character"),
        Perturbation("full-width", 2, letters.widen, "digits and marks in full width"),
        Perturbation("entities", 1, letters.escape, "marks as in HTML: `&amp;`, `&#8211;`"),
        Perturbation("decomposed", 1, letters.decompose, "accents as characters of their own"),
        Perturbation("accents", 2, misprints.lose_accents, "no accents"),
        Perturbation("typewriter", 2, misprints.use_typewriter, "dashes and quotes of a keyboard"),
        Perturbation("misread", 3, misprints.scan, "characters misread as ones that look alike"),
        Perturbation("mistyped", 3, misprints.retype, "characters dropped, doubled, swapped or hit beside"),
        Perturbation("line-breaks", 3, misprints.break_into_lines, "lines, with hyphens where words are broken"),
    )
}
"""Every perturbation by its name."""


@dataclass(frozen=True, slots=True)
class AugmentationConfig:
    """Settings of an augmentation: which strings are perturbed, in which ways, in place or as copies."""

    share: float = 0.5  # of the strings that are perturbed
    perturbations: tuple[str, ...] = ()  # the names of those that are used; all by default
    copies: int = 0  # perturbed copies beside each such string; 0 perturbs the string itself
    again: float = 0.3  # of the perturbed strings that get another perturbation

    def __post_init__(self) -> None:
        for name, value in (("share", self.share), ("again", self.again)):
            if not 0 <= value <= 1:
                raise ConfigError(f"{name} is {value}: give a share from 0 to 1")
        if not 0 <= self.copies <= 100:
            raise ConfigError(f"copies is {self.copies}: give a whole number from 0 to 100")
        for name in self.perturbations:
            if name not in PERTURBATIONS:
                raise ConfigError(f"there is no perturbation {name[:80]!r}; {_advise(name)}")


def _advise(name: str) -> str:
    near = difflib.get_close_matches(name[:80], PERTURBATIONS, n=1, cutoff=0.4)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(PERTURBATIONS)}"


def augmentation_of(text: str) -> AugmentationConfig:
    """Parse a description of an augmentation: a share, and names of perturbations if not all are wanted.

    >>> augmentation_of("0.2,lead-in,marker").perturbations
    ('lead-in', 'marker')
    """
    share, *names = (part.strip() for part in text.split(","))
    try:
        return AugmentationConfig(float(share), tuple(names))
    except ValueError:
        raise ConfigError(
            f"{text[:80]!r} is no augmentation; give a share such as 0.3, and names after it such as 0.3,lead-in,marker"
        ) from None


def augment(examples: Iterable[Example], config: AugmentationConfig, random: Random) -> Iterator[Example]:
    """Yield the examples, a share of them perturbed, or each of that share and perturbed copies of it."""
    drawn_from = [PERTURBATIONS[name] for name in config.perturbations] or list(PERTURBATIONS.values())
    for example in examples:
        chosen = config.share > 0 and random.random() < config.share
        if config.copies or not chosen:
            yield example
        for _ in range((config.copies or 1) if chosen else 0):
            yield perturb(example, drawn_from, config.again, random)


def perturb(example: Example, drawn_from: Sequence[Perturbation], again: float, random: Random) -> Example:
    """Return the example after one perturbation, sometimes two; unchanged if several that were tried cannot be done."""
    weights = [one.share for one in drawn_from]
    for _ in range(2 if random.random() < again else 1):
        for one in random.choices(drawn_from, weights, k=_TRIES):
            changed = one.apply(example, random)
            if changed.text != example.text:
                example = changed
                break
    return example
