"""The types of works that words of genre name, as `[Data set]` or `Master's thesis` do, in several languages."""

from __future__ import annotations

import re

from ibidem.records.normalise.degrees import degree_of

_GENRES = """
book-review: review of the book|rezension|book review|compte rendu|reseña|recensione
dataset: data set|dataset|data file|database|datensatz|jeu de données|conjunto de datos|conjunto de dados
software: computer software|software|mobile app|computer program|source code|app|computerprogramm|logiciel|programa
software: video game|r package
speech: conference presentation|paper presentation|poster presentation|conference session|poster|presentation|webinar
speech: powerpoint slides|lecture|lecture notes|keynote|keynote address|speech|vortrag|symposium|slides
blog-post: blog post|blog|weblog|web log post|blogeintrag|billet de blog
post: tweet|facebook post|status update|instagram post|forum post|online forum post|linkedin post
film: film|motion picture|video|video file|dvd|documentary|youtube video|online video|vidéo|película|фильм|movie
broadcast: broadcast|tv series|tv series episode|television series|television broadcast|radio broadcast|podcast
broadcast: audio podcast|audio podcast episode|video podcast|podcast episode
song: song|album|audio recording|cd|music|sound recording
map: map|karte|carte|mapa|mappa|карта|topographic map|geological map
image: photograph|painting|photo|drawing|sculpture|infographic|illustration|clip art|image
interview: interview|personal interview|entrevista|entretien|transcript of interview|oral history
manuscript: unpublished manuscript|manuscript in preparation|manuscript submitted for publication|manuscript
manuscript: unpublished raw data|typescript|manuskript
personal-communication: letter|personal communication|email|lettre
preprint: preprint
report: technical report|working paper|white paper|press release|policy brief|arbeitspapier|report
pamphlet: brochure|pamphlet|leaflet|fact sheet
encyclopedia-entry: encyclopedia entry|wikipedia
webpage: web page|website
patent: patent
"""
_TYPES = {
    words: kind
    for kind, listed in (line.split(": ") for line in _GENRES.strip().splitlines())
    for words in listed.split("|")
}
_THESIS = re.compile(r"\b(?:thes[ie]s|dissertation|thèse|tesis|tesi|tese|mémoire|\w*arbeit|habilitation\w*|diss)\b")


def genre_type(genre: str) -> str:
    """Return the type of work that a genre names, "" where it names none for certain.

    >>> [genre_type(one) for one in ("Data set", "Master's thesis", "Review of the book Bells", "sic")]
    ['dataset', 'thesis', 'book-review', '']
    """
    text = (
        " ".join(genre.casefold().replace("-", " ").split()).strip(" .,:;")
        if "e-mail" not in genre.lower()
        else "email"
    )
    if text in _TYPES:
        return _TYPES[text]
    if text.startswith(("review of the book", "review of the monograph", "rezension")):
        return "book-review"
    if text.startswith("review of the "):
        return "review"
    return "thesis" if degree_of(genre) and _THESIS.search(text) else ""
