"""Words that tell organisations, places, countries and remarks in a header; folded, one class per line.

The lists are short and closed: a word is in the first class that has it.
"""

from __future__ import annotations

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


def _by_word() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, words in _WORDS.items():
        for word in dict.fromkeys(words.split()):
            found[word] = (*found.get(word, ()), name)
    return found


BY_WORD = _by_word()


def classes_of(word: str) -> tuple[str, ...]:
    """The classes of a folded word.

    >>> classes_of("university"), classes_of("dr"), classes_of("reed")
    (('organisation',), ('address', 'title'), ())
    """
    return BY_WORD.get(word, ())


def class_of(text: str) -> int:
    """The one class of a token: of a word that of the lists, else what it is made of.

    >>> [CLASSES[class_of(text)] for text in ("University", "12", "a", "†", "²", "@", "Reed", "oak")]
    ['organisation', 'digits', 'letter', 'mark', 'superscript', 'at', 'none', 'none']
    """
    folded = text.casefold()
    if known := BY_WORD.get(folded):
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
