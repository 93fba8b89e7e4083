"""Augmentation of headings: the sections of a paper as other journals and conferences would print them.

eLife's sections have few names and no front or back matter; other papers say "Experiments" or "Evaluation" for results,
number their sections, print them in capitals, name their method sections after their subject, and have an abstract and
references. All the names here are of our own writing. The same paper always gets the same layout.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ibidem.labels.schema import UNKNOWN
from ibidem.text.fold import hash32

# The names of each role. The first of them is drawn with a weight against 1 for each of the others.
_NAMES = {
    "abstract": "Abstract|Summary|Zusammenfassung|Executive summary|Abstract and overview",
    "keywords": "Keywords|Key words|Index terms|Keywords and phrases|Author keywords",
    "categories": "Categories and Subject Descriptors|ACM Classification|CR Categories|Categories",
    "general-terms": "General Terms",
    "introduction": "Introduction|Introduction and motivation|Motivation|Introduction and overview",
    "background": "Background|Preliminaries|Definitions|Background and notation|Notation|Basic concepts|"
    "Problem background",
    "related-work": "Related work|Related works|Previous work|Prior work|Literature review|State of the art|"
    "Related research",
    "method": "Methods|Methodology|Method|Materials and methods|Our approach|The model|System overview|"
    "Proposed method|Approach|System architecture|Implementation|Problem definition|Algorithm|Model and algorithms|"
    "Framework|Problem statement|System design|Experimental design|Overview",
    "evaluation": "Results|Experiments|Experimental results|Evaluation|Experiments and results|"
    "Performance evaluation|Results and discussion|Experimental evaluation|Simulation results|Empirical evaluation|"
    "Findings|Evaluation results|Performance analysis|Case study|User study|Validation|Experimentation",
    "discussion": "Discussion|Discussions|Limitations|Discussion and future work|Future work|Open questions|"
    "Implications",
    "conclusions": "Conclusions|Conclusion|Conclusions and future work|Conclusion and future work|Concluding remarks|"
    "Summary|Conclusion|Summary and conclusions|Conclusions and outlook|Conclusion and outlook|Conclusion",
    "acknowledgements": "Acknowledgements|Acknowledgments|Acknowledgments|Acknowledgement|Acknowledgment",
    "declarations": "Data availability|Author contributions|Funding|Competing interests|Ethics statement|"
    "Conflict of interest|Code availability|Declarations|Declaration of interests",
    "references": "References|Bibliography|Literature cited|Works cited",
    "supplement": "Appendix|Appendix A: Proofs|Appendices|Supplementary material|Supporting information",
}
_FIRST_WEIGHTS = {
    "abstract": 8, "keywords": 6, "categories": 4, "general-terms": 1, "introduction": 12, "background": 4,
    "related-work": 6, "method": 2, "evaluation": 3, "discussion": 6, "conclusions": 4, "acknowledgements": 3,
    "declarations": 1, "references": 8, "supplement": 1,
}  # fmt: skip
_FRONT = (("abstract", 0.7), ("categories", 0.2), ("general-terms", 0.2), ("keywords", 0.45))
_BACK = (("acknowledgements", 0.6), ("declarations", 0.25), ("references", 0.85), ("supplement", 0.15))
_BODY = frozenset("introduction background related-work method evaluation discussion conclusions".split()) | {UNKNOWN}
_ROMAN = "I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX".split()


@dataclass(slots=True)
class Section:
    """A section of an outline: its heading, its role, and the headings inside it."""

    heading: str
    role: str
    inner: list[str] = field(default_factory=list)


def augment(sections: list[Section], name: str) -> tuple[list[str], list[str]]:
    """Return the headings of a paper in a layout drawn at random, seeded by its name, and the role of each."""
    draw = np.random.default_rng(hash32(name))
    outline = _rename(sections, draw)
    outline = _add_matter(_promote(_widen(outline, draw), draw), draw)
    depth = 2 if draw.random() < 0.4 else 1
    return _render(outline, depth, draw)


def _draw_section(role: str, draw: np.random.Generator) -> Section:
    names, often = _NAMES[role].split("|"), _FIRST_WEIGHTS[role]
    return Section(names[max(int(draw.integers(len(names) + often - 1)) - often + 1, 0)], role)


def _rename(sections: list[Section], draw: np.random.Generator) -> list[Section]:
    """Give some sections another name of the same role."""
    share = draw.choice([0.0, 0.4, 0.9])
    return [
        Section(_draw_section(one.role, draw).heading, one.role, one.inner)
        if one.role in _NAMES and draw.random() < share
        else one
        for one in sections
    ]


def _widen(sections: list[Section], draw: np.random.Generator) -> list[Section]:
    """Add sections that other papers have: background, related work, conclusions."""
    present = {one.role for one in sections}
    found: list[Section] = []
    late = draw.random() < 0.3  # related work after the results
    for one in sections:
        if one.role == "discussion" and draw.random() < 0.3:
            continue
        found.append(one)
        if one.role == "introduction":
            for role, share in (("related-work", 0.0 if late else 0.3), ("background", 0.15)):
                if role not in present and draw.random() < share:
                    found.append(_draw_section(role, draw))
    if late and "related-work" not in present and draw.random() < 0.6:
        found.append(_draw_section("related-work", draw))
    if "conclusions" not in present and draw.random() < 0.5:
        found.append(_draw_section("conclusions", draw))
    return found


def _promote(sections: list[Section], draw: np.random.Generator) -> list[Section]:
    """Move the methods before the results, and sometimes replace them by their subsections."""
    if draw.random() < 0.6:
        methods = [one for one in sections if one.role == "method"]
        others = [one for one in sections if one.role != "method"]
        place = next((at for at, one in enumerate(others) if one.role == "evaluation"), len(others))
        sections = [*others[:place], *methods, *others[place:]]
    found: list[Section] = []
    for one in sections:
        if one.role == "method" and one.inner and draw.random() < 0.55:
            kept = sorted(draw.permutation(len(one.inner))[: int(draw.integers(1, 6))].tolist())
            found += [Section(one.inner[place], one.role) for place in kept]
        else:
            found.append(one)
    return found


def _add_matter(sections: list[Section], draw: np.random.Generator) -> list[Section]:
    """Add front and back matter."""
    present = {one.role for one in sections}
    acm = draw.random() < 0.25  # categories and general terms come together
    front = [_draw_section(role, draw) for role, share in _FRONT if _has_front(role, share, acm, draw)]
    back = [_draw_section(role, draw) for role, share in _BACK if role not in present and draw.random() < share]
    return [*front, *sections, *back]


def _has_front(role: str, share: float, acm: bool, draw: np.random.Generator) -> bool:
    return acm and draw.random() < 0.9 if role in ("categories", "general-terms") else bool(draw.random() < share)


def _render(outline: list[Section], depth: int, draw: np.random.Generator) -> tuple[list[str], list[str]]:
    """Return the lines of an outline and their roles, numbered and cased consistently."""
    style = draw.choice(["none", "1", "1.", "I.", "Section 1:"], p=[0.45, 0.2, 0.2, 0.13, 0.02])
    case = draw.choice(["as it is", "upper", "title"], p=[0.55, 0.3, 0.15])
    lines: list[str] = []
    labels: list[str] = []
    number = 0
    for one in outline:
        numbered = style != "none" and one.role in _BODY
        number += numbered
        heading = _change_case(one.heading, case)
        lines.append(_format_number(style, number, 0) + heading if numbered else heading)
        labels.append(one.role)
        for place, inner in enumerate(one.inner[:8] if depth > 1 else [], 1):
            lines.append(_format_number(style, number, place) + inner if numbered else inner)
            labels.append(one.role)
    return lines, labels


def _format_number(style: str, number: int, inner: int) -> str:
    roman = _ROMAN[min(number, len(_ROMAN)) - 1]
    if inner:
        return f"{chr(64 + min(inner, 26))}. " if style == "I." else f"{number}.{inner} "
    return {"1": f"{number} ", "1.": f"{number}. ", "I.": f"{roman}. "}.get(style, f"Section {number}: ")


def _change_case(heading: str, case: str) -> str:
    if case == "upper":
        return heading.upper()
    small = ("and", "of", "the", "for", "in", "to", "with", "a", "on")
    words = [word if word in small else word[:1].upper() + word[1:] for word in heading.split()]
    return " ".join(words) if case == "title" else heading
