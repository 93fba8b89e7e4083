"""The degree that the genre of a thesis names, in several languages."""

from __future__ import annotations

import re

_DEGREES = {
    "master": "master masters magister magistral maestría maestria mestrado laurea lizentiat licentiate licenciatura"
    " diplom diploma diplomarbeit masterarbeit masterthesis magisterarbeit lizentiatsarbeit msc mphil mémoire memoria"
    " yüksek lisans masterscriptie masteruppsats магистерская дипломная магистра mag tesina",
    "bachelor": "bachelor bachelors bachelorarbeit bachelorthesis bsc undergraduate honors honours graduação"
    " бакалаврская",
    "doctor": "phd doctor doctoral doctorate doctorat doctorado doctoral doutorado dottorato dissertation doktorarbeit"
    " dissertatie proefschrift habilitation habilitationsschrift inauguraldissertation thèse thesis tesis tese tesi"
    " doktora rozprawa disertace диссертация докторская кандидатская автореферат",
}
_BY_WORD = {word: degree for degree, words in _DEGREES.items() for word in words.split()}
_ASIAN = (("碩士", "master"), ("硕士", "master"), ("修士", "master"), ("석사", "master"), ("博士", "doctor"))
_ORDER = ("bachelor", "master", "doctor")
_WORD = re.compile(r"[^\W\d_]+")


def degree_of(genre: str) -> str:
    """Return the degree that a genre names: master, bachelor or doctor; empty where it names none.

    >>> [degree_of(one) for one in ("Master's thesis", "Diplomarbeit", "Ph.D. thesis", "硕士学位论文", "Essay")]
    ['master', 'master', 'doctor', 'master', '']
    """
    text = genre[:200].lower().replace("ph.d", "phd").replace("m.sc", "msc").replace("b.sc", "bsc")
    found = {_BY_WORD[word] for word in _WORD.findall(text) if word in _BY_WORD}
    found |= {degree for sign, degree in _ASIAN if sign in genre[:200]}
    return next((degree for degree in _ORDER if degree in found), "")
