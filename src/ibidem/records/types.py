"""The table of document types: what each is, and its name in every format that has types.

The types are those of CSL 1.0.2, so that none is lost on the way to a citation processor. Where several types share a
name of a format, the first in the table has it: a file that says no more is read as that one, and a writer adds the
name of the others where the format has a place for it (`entrysubtype` in BibTeX, `U5` in RIS).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class DocumentType:
    """A type of work and its name in each format; `endnote` has EndNote's number before the name."""

    name: str
    about: str
    csl: str
    bibtex: str
    biblatex: str
    ris: str
    jats: str
    endnote: str
    dc: str = "Text"  # a type of the DCMI vocabulary


# fmt: off
_TYPES = (
    DocumentType("article", "an article in a journal",
                 "article-journal", "article", "article", "JOUR", "journal", "17 Journal Article"),
    DocumentType("magazine-article", "an article in a magazine",
                 "article-magazine", "article", "article", "MGZN", "magazine", "19 Magazine Article"),
    DocumentType("newspaper-article", "an article in a newspaper",
                 "article-newspaper", "article", "article", "NEWS", "newspaper", "23 Newspaper Article"),
    DocumentType("review", "a review of anything but a book",
                 "review", "article", "review", "JOUR", "review", "17 Journal Article"),
    DocumentType("book-review", "a review of a book",
                 "review-book", "article", "review", "JOUR", "book-review", "17 Journal Article"),
    DocumentType("paper", "a paper in the proceedings of a meeting",
                 "paper-conference", "inproceedings", "inproceedings", "CPAPER", "confproc", "47 Conference Paper"),
    DocumentType("speech", "a talk, lecture, poster or presentation, as it was given",
                 "speech", "misc", "unpublished", "SLIDE", "speech", "13 Generic"),
    DocumentType("book", "a whole book, or whole proceedings",
                 "book", "book", "book", "BOOK", "book", "6 Book"),
    DocumentType("chapter", "a chapter or part of a book",
                 "chapter", "incollection", "incollection", "CHAP", "chapter", "5 Book Section"),
    DocumentType("encyclopedia-entry", "an entry in an encyclopedia",
                 "entry-encyclopedia", "incollection", "inreference", "ENCYC", "encyclopedia", "53 Encyclopedia"),
    DocumentType("dictionary-entry", "an entry in a dictionary",
                 "entry-dictionary", "incollection", "inreference", "DICT", "dictionary", "52 Dictionary"),
    DocumentType("entry", "an entry in a database, directory or catalogue",
                 "entry", "misc", "inreference", "DBASE", "entry", "45 Online Database"),
    DocumentType("thesis", "a thesis of any degree",
                 "thesis", "phdthesis", "thesis", "THES", "thesis", "32 Thesis"),
    DocumentType("report", "a report or working paper",
                 "report", "techreport", "report", "RPRT", "report", "27 Report"),
    DocumentType("preprint", "a paper on a preprint server",
                 "article", "misc", "online", "UNPB", "preprint", "34 Unpublished Work"),
    DocumentType("manuscript", "an unpublished or handwritten text",
                 "manuscript", "unpublished", "unpublished", "MANSCPT", "manuscript", "36 Manuscript"),
    DocumentType("webpage", "a page on the net",
                 "webpage", "misc", "online", "ELEC", "web", "12 Web Page", "InteractiveResource"),
    DocumentType("blog-post", "a post on a blog",
                 "post-weblog", "misc", "online", "BLOG", "blog", "56 Blog", "InteractiveResource"),
    DocumentType("post", "a post in a forum or on a social medium",
                 "post", "misc", "online", "ICOMM", "post", "12 Web Page", "InteractiveResource"),
    DocumentType("dataset", "a set of data",
                 "dataset", "misc", "dataset", "DATA", "data", "59 Dataset", "Dataset"),
    DocumentType("software", "a program or package",
                 "software", "misc", "software", "COMP", "software", "9 Computer Program", "Software"),
    DocumentType("standard", "a standard or technical specification",
                 "standard", "misc", "standard", "STAND", "standard", "58 Standard"),
    DocumentType("patent", "a patent or an application for one",
                 "patent", "misc", "patent", "PAT", "patent", "25 Patent"),
    DocumentType("legal-case", "a decision of a court",
                 "legal_case", "misc", "jurisdiction", "CASE", "case", "7 Case"),
    DocumentType("legislation", "an act, statute, code, directive or regulation in force",
                 "legislation", "misc", "legislation", "STAT", "legislation", "31 Statute"),
    DocumentType("regulation", "an order or rule of an administration",
                 "regulation", "misc", "legislation", "LEGAL", "regulation", "50 Legal Rule or Regulation"),
    DocumentType("bill", "a bill before a legislature",
                 "bill", "misc", "legislation", "BILL", "bill", "4 Bill"),
    DocumentType("treaty", "a treaty between states",
                 "treaty", "misc", "legal", "LEGAL", "treaty", "50 Legal Rule or Regulation"),
    DocumentType("hearing", "a hearing of a legislature or an authority",
                 "hearing", "misc", "misc", "HEAR", "hearing", "14 Hearing"),
    DocumentType("map", "a map", "map", "misc", "image", "MAP", "map", "20 Map", "Image"),
    DocumentType("figure", "a figure, table or chart in a work",
                 "figure", "misc", "image", "FIGURE", "figure", "37 Figure", "Image"),
    DocumentType("image", "a picture, photograph or other work of art",
                 "graphic", "misc", "image", "ART", "image", "2 Artwork", "StillImage"),
    DocumentType("film", "a film or video",
                 "motion_picture", "misc", "movie", "MPCT", "film", "21 Film or Broadcast", "MovingImage"),
    DocumentType("broadcast", "a broadcast on radio or television, or an episode of one",
                 "broadcast", "misc", "movie", "MPCT", "broadcast", "21 Film or Broadcast", "MovingImage"),
    DocumentType("song", "a recording of music or speech",
                 "song", "misc", "music", "SOUND", "song", "61 Music", "Sound"),
    DocumentType("musical-score", "the score of a piece of music",
                 "musical_score", "misc", "music", "MUSIC", "score", "61 Music", "Image"),
    DocumentType("performance", "a performance of a play, a dance or music",
                 "performance", "misc", "performance", "GEN", "performance", "13 Generic", "Event"),
    DocumentType("interview", "an interview",
                 "interview", "misc", "misc", "PCOMM", "interview", "26 Personal Communication"),
    DocumentType("personal-communication", "a letter, e-mail or other communication between persons",
                 "personal_communication", "misc", "letter", "PCOMM", "commun", "26 Personal Communication"),
    DocumentType("pamphlet", "a pamphlet, brochure or leaflet",
                 "pamphlet", "booklet", "booklet", "PAMP", "pamphlet", "6 Book"),
    DocumentType("periodical", "a whole journal, magazine or newspaper, or an issue of one",
                 "periodical", "misc", "periodical", "JFULL", "periodical", "57 Serial"),
    DocumentType("collection", "a collection in an archive",
                 "collection", "misc", "misc", "AGGR", "collection", "13 Generic", "Collection"),
    DocumentType("classic", "a classical or ancient text, in any edition",
                 "classic", "misc", "misc", "CLSWK", "classic", "49 Classical Work"),
    DocumentType("event", "an event: an exhibition, a meeting",
                 "event", "misc", "misc", "GEN", "event", "13 Generic", "Event"),
    DocumentType("other", "anything else",
                 "document", "misc", "misc", "GEN", "other", "13 Generic"),
)
# fmt: on
TYPES: dict[str, DocumentType] = {one.name: one for one in _TYPES}
"""The types of works."""

_MEANS = {
    "bibtex": {"misc": "other"},
    "biblatex": {"misc": "other", "online": "webpage", "unpublished": "manuscript", "image": "image"},
    "ris": {"GEN": "other", "PCOMM": "personal-communication"},
}
"""What a name that several types share means by itself, where it is not the first of them."""

IN_PERIODICALS = frozenset({"article", "magazine-article", "newspaper-article", "review", "book-review"})
"""The types of works that stand in a journal, magazine or newspaper, whose number is that of the issue."""
IN_BOOKS = frozenset({"paper", "chapter", "encyclopedia-entry", "dictionary-entry", "entry"})
"""The types of works that stand in a book or proceedings."""
LEGAL = frozenset({"legal-case", "legislation", "regulation", "bill", "treaty", "hearing"})
"""The sources of law."""


@cache
def types_in(column: str) -> dict[str, str]:
    """Return what a format calls each type of work.

    >>> types_in("ris")["book"]
    'BOOK'
    """
    return {name: getattr(one, column) for name, one in TYPES.items()}


@cache
def types_from(column: str) -> dict[str, str]:
    """Return the type that each name of a format means: of those that share it the first, with few exceptions.

    >>> types_from("ris")["JOUR"], types_from("bibtex")["misc"]
    ('article', 'other')
    """
    found = {theirs: ours for ours, theirs in reversed(types_in(column).items())}
    return found | _MEANS.get(column, {})
