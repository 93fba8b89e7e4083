"""Classes of tokens in a header: words of organisations, places, countries and remarks, and affiliation symbols.

The lists are folded words, short and closed, one class per line; a word is in the first class that has it. Symbols look
as if they had been superscripts: short, glued to a word or alone at the start of a line.
"""

from __future__ import annotations

import numpy as np

from ibidem.features.batch import Batch, Codes
from ibidem.features.token_class import index_words

BREAK = 1
_WORDS = {
    "organisation": "university universitat universite universita universidad universidade universiteit universitet "
    "univ institute institut instituto istituto institution inst college school academy academia hochschule ecole "
    "polytechnic politecnico politecnica hospital hopital ospedale klinik klinikum clinic clinica infirmary laboratory "
    "laboratories labs lab laboratoire laboratorio observatory museum council agency corporation corp company inc ltd "
    "gmbh llc foundation centre center centro zentrum society association ministry nasa cern cnrs inria inserm mit "
    "nist ibm microsoft google epfl eth ucla csic infn max-planck planck fraunhofer helmholtz academie akademie "
    "consortium bell research bureau trust national technologies technology",
    "department": "department departement departamento dipartimento dept dep faculty faculte facultad facolta fakultat "
    "division section unit group team chair lehrstuhl abteilung branch office program programme graduate medical "
    "medicine sciences science engineering informatics computing physics chemistry biology mathematics statistics "
    "psychology neuroscience economics electronics electrical mechanical computer genetics surgery pharmacology",
    "country": "afghanistan albania algeria argentina armenia australia austria azerbaijan bangladesh belarus belgium "
    "belgique bolivia bosnia botswana brazil brasil bulgaria cameroon canada chile china colombia croatia cuba cyprus "
    "czechia czech denmark ecuador egypt england estonia ethiopia finland france georgia germany deutschland ghana "
    "greece guatemala hungary iceland india indonesia iran iraq ireland israel italy italia japan jordan kazakhstan "
    "kenya korea kuwait latvia lebanon libya lithuania luxembourg macedonia madagascar malawi malaysia mali malta "
    "mexico moldova mongolia morocco mozambique myanmar nepal netherlands zealand nigeria norway oman pakistan panama "
    "paraguay peru philippines poland polska portugal qatar republic romania russia russian rwanda scotland senegal "
    "serbia singapore slovakia slovenia spain espana sudan sweden switzerland schweiz suisse syria taiwan tanzania "
    "thailand tunisia turkey uganda ukraine emirates kingdom uk usa u.s.a u.s uruguay uzbekistan venezuela vietnam "
    "wales yemen zambia zimbabwe states america roc prc",
    "address": "street st str strasse road rd avenue ave av via viale rue boulevard blvd lane drive dr place plaza "
    "square box p.o po cedex campus building bldg floor room suite highway km zip postfach platz weg allee calle "
    "ca ny nj pa il tx md va wa mi oh nc ga az co mn wi fl ct or in mo tn",
    "remark": "corresponding correspondence author authors equally contributed contribution present address current "
    "these email e-mail mail mails tel telephone phone fax supported work affiliation affiliations orcid deceased "
    "contact joint lead whom should addressed",
    "title": "member ieee senior fellow student prof professor dr phd ph.d md m.d msc bsc acm jr sr esq rn mph",
    "and": "and und et y e & with",
}
_MARKS = frozenset("*†‡§¶#∗⁎‖∥✉✝+")
CLASSES = ("none", "break", *_WORDS, "digits", "letter", "mark", "superscript", "at", "capital")
NUMBER = {name: number for number, name in enumerate(CLASSES)}
COUNT = len(CLASSES)
_SUPERSCRIPTS = frozenset("¹²³⁰⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍ")
_CLASSES_OF_WORD = index_words({name: dict.fromkeys(words.split()) for name, words in _WORDS.items()})
_LOOKS = ("digits", "letter", "mark", "superscript", "capital")
_TABLE = np.array([_LOOKS.index(name) + 1 if name in _LOOKS else 0 for name in CLASSES], dtype=np.int64)
# of a neighbour: outside, a line break, a short mark, a comma or the like, a word of the gazetteers, any other token
_NEIGHBOUR = 6
SYMBOL = (len(_LOOKS) + 1) * 4 * _NEIGHBOUR * _NEIGHBOUR


def classes_of(word: str) -> tuple[str, ...]:
    """Return the classes of a folded word.

    >>> classes_of("university"), classes_of("dr"), classes_of("reed")
    (('organisation',), ('address', 'title'), ())
    """
    return _CLASSES_OF_WORD.get(word, ())


def class_of(text: str) -> int:
    """Return the one class of a token: that of the lists for a word, else what it is made of.

    >>> [CLASSES[class_of(text)] for text in ("University", "12", "a", "†", "²", "@", "Reed", "oak")]
    ['organisation', 'digits', 'letter', 'mark', 'superscript', 'at', 'none', 'none']
    """
    folded = text.casefold()
    if known := _CLASSES_OF_WORD.get(folded):
        return NUMBER[known[0]]
    if text in _SUPERSCRIPTS:
        return NUMBER["superscript"]
    if len(text) <= 2 and text.isdigit():
        return NUMBER["digits"]
    if len(text) == 1 and text.isalpha():
        return NUMBER["capital" if text.isupper() else "letter"]
    if text in _MARKS:
        return NUMBER["mark"]
    return NUMBER["at"] if text == "@" else 0


def attributes(text: str) -> list[str]:
    """Return the attributes of a token that looks like a symbol.

    >>> attributes("†"), attributes("3"), attributes("Reed")
    (['symbol=mark'], ['symbol=digits'], [])
    """
    name = CLASSES[class_of(text)]
    return [f"symbol={name}"] if name in _LOOKS else []


def symbol(batch: Batch) -> Codes:
    """The sort of mark that a token looks like, the whitespace around it, and the tokens before and after."""
    looks = _TABLE[np.minimum(batch.statistics, len(_TABLE) - 1)]
    neighbour = np.full(len(looks), 5, dtype=np.int64)
    neighbour[batch.statistics > BREAK] = 4
    neighbour[(batch.head > 0) & (batch.statistics == 0)] = 3
    neighbour[looks > 0] = 2
    neighbour[batch.statistics == NUMBER["break"]] = 1
    after = batch.shift(batch.space_before.astype(np.int64), 1, fill=1)
    spaces = batch.space_before * 2 + after
    code = (looks * 4 + spaces) * _NEIGHBOUR + batch.shift(neighbour, -1)
    return code * _NEIGHBOUR + batch.shift(neighbour, 1)
