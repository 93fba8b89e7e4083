"""The class of a token: some thirty coarse classes on which the features of context are built.

`KEYWORDS` are the words that announce a field, in the languages references are written in. Those classes are few and
closed; open ones (names, journals, places) are lexicons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ibidem.text.fold import fold

# folded words, one class per line
KEYWORDS = {
    "in": "in en dans nel nella nello im i v u 见 载",
    "page": "p pp pg pgs page pages s ss seite seiten pag pagg pagine pagina paginas str с c стр",
    "volume": "vol vols volume volumes bd band bde jg jahrgang t tome tom tomo tomes v volumen volym т том 卷",
    "issue": "no nr num number numero nos issue iss heft h n fasc fascicule fascicolo part pt № вып 期",
    "editor": "ed eds editor editors edited hrsg hg herausgeber herausgegeben dir cura redaktion red ред sous compiler "
    "coord éds org orgs",
    "translator": "trans transl translated translator trad traduction traduit ubers ubersetzt traduzione пер",
    "edition": "edn edition editions aufl auflage ausgabe edizione edicion изд rev revised reprint repr reprinted",
    "chapter": "chap chapter kap kapitel cap capitolo capitulo ch chapitre гл",
    "thesis": "thesis phd ph.d dissertation diss diplomarbeit masterarbeit habilitation these tesi tesis diploma msc "
    "m.sc doctoral master bachelor doctorat dottorato inaugural диссертация habil",
    "report": "report rep reports tech technical working paper preprint memo memorandum bericht rapport discussion "
    "manuscript rapporto informe white arbeitspapier",
    "status": "press appear submitted preparation published unpublished forthcoming accepted prep personal "
    "communication druck erscheinen manuscript advance epub",
    "month": "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august "
    "september october november december januar februar marz mai juni juli oktober dezember janvier fevrier mars "
    "avril juin juillet aout septembre octobre novembre decembre gennaio febbraio marzo aprile maggio giugno luglio "
    "agosto settembre ottobre novembre dicembre enero febrero abril mayo junio julio septiembre octubre noviembre "
    "diciembre spring summer autumn fall winter",
    "accessed": "accessed retrieved available from online internet viewed visited abgerufen zugriff consulte cited "
    "consultato consultado disponible verfugbar stand last access url http www accessible disponibile",
    "university": "university universitat universite universita universidad univ institute institut school college "
    "department dept dep faculty laboratory lab academy hochschule center centre inst ecole fakultat facolta",
    "publisher": "press verlag publishers publishing publisher books editions editore edizioni editorial academic sons "
    "publications ltd inc co gmbh kluwer springer wiley elsevier издательство изд",
    "conference": "proceedings proc conference conf symposium symp workshop congress meeting annual international "
    "tagung atti convegno actes colloque congreso kongress transactions lecture notes",
    "journal": "journal j zeitschrift zeitschr revue rivista revista annals annales review rev bulletin bull letters "
    "lett archives arch acta archiv magazine quarterly trans jahrbuch",
    "and": "and und et e y & i og och en",
    "etal": "al alii colleagues others u.a",
    "suffix": "jr sr ii iii iv jnr",
    "particle": "van von der den de del della di da du la le el al bin ibn ten ter zu zur dos das af av st",
    "collaboration": "collaboration consortium group committee team network society association organization "
    "initiative organisation council ministry bureau agency commission federation study investigators",
    "arxiv": "arxiv eprint hep math cond astro quant corr biorxiv medrxiv ssrn",
    "identifier": "doi pmid pmcid isbn issn pubmed medline issn pii crossref lccn oclc",
    "function": "the of a an for on with from by to at as der die das des ein eine zur zum fur mit uber le les des un "
    "une sur pour par aux il lo gli per con los las para sobre sul sulla dei delle и на о по",
}

TOKEN_CLASSES = (
    "outside lower capitalised upper mixed initial year number1 number3 code comma stop colon semicolon open close "
    "quote dash slash symbol and in page volume issue editor month link function ideograph work etal"
).split()
NUMBER = {name: number for number, name in enumerate(TOKEN_CLASSES)}
COUNT = len(TOKEN_CLASSES)

_PUNCTUATION = (
    {",": "comma", "，": "comma", "、": "comma", ".": "stop", "。": "stop", "．": "stop", ":": "colon", "：": "colon"}
    | {";": "semicolon", "；": "semicolon", "/": "slash", "?": "stop", "!": "stop"}
    | dict.fromkeys("([{（［【〔<", "open")
    | dict.fromkeys(")]}）］】〕>", "close")
    | dict.fromkeys("\"“”„‟«»‘’‚‹›`´《》「」'", "quote")
    | dict.fromkeys("-–—‐‑‒―−~", "dash")
)
_LINK = re.compile(r"(?i)(?:https?://|ftp://|www\.|10\.[0-9]{4,9}/|(?:dx\.)?doi\.org/)|.*@")
_YEAR = re.compile(r"(?:1[4-9]|20)[0-9]{2}[a-z]?$")
_EDGES = "".join(_PUNCTUATION) + "&*+=|\\_#%^$§†‡•·"
# The classes of keywords that are classes of tokens, most telling first; a word may be in several.
_TELLING = {name: name for name in "and etal in month editor page volume issue".split()}
_TELLING |= {"thesis": "work", "report": "work", "function": "function"}


def index_words(lists: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """Return the names of the lists that each word is in, in the order of the lists."""
    found: dict[str, tuple[str, ...]] = {}
    for name, words in lists.items():
        for word in words:
            found[word] = (*found.get(word, ()), name)
    return found


KEYWORD_CLASSES = index_words({name: words.split() for name, words in KEYWORDS.items()})


def strip_punctuation(text: str) -> str:
    """Return `text` without punctuation at its edges (all of it when there is nothing else)."""
    return text.strip(_EDGES) or text


def punctuation_class(character: str) -> int:
    """Return the class of a punctuation character, 0 for anything else."""
    return NUMBER[_PUNCTUATION.get(character, "outside")]


def token_class_of(text: str) -> int:
    """Return the class of a token, a number below `COUNT`.

    >>> [TOKEN_CLASSES[token_class_of(word)] for word in ("Smith", "J.", "(2001)", "and", "pp", "12", ";", "D43")]
    ['capitalised', 'initial', 'year', 'and', 'page', 'number1', 'semicolon', 'code']
    """
    word = strip_punctuation(text)
    first = word[0]
    if not first.isalnum():
        if word == "&":
            return NUMBER["and"]
        return punctuation_class(first) or NUMBER["symbol"]
    if len(text) > 6 and _LINK.match(text):
        return NUMBER["link"]
    if first.isdigit():
        return _class_of_number(word)
    if "\u2e80" <= first <= "\u9fff" or "\uf900" <= first <= "\ufaff":
        return NUMBER["ideograph"]
    return _class_of_word(word)


def _class_of_number(word: str) -> int:
    if _YEAR.match(word):
        return NUMBER["year"]
    if word.isdigit():
        return NUMBER["number1" if len(word) < 3 else "number3"]
    return NUMBER["code"]


def _class_of_word(word: str) -> int:
    if len(word) == 1 and word.isupper():
        return NUMBER["initial"]
    classes = KEYWORD_CLASSES.get(fold(word), ())
    for name, token_class in _TELLING.items():
        if name in classes:
            return NUMBER[token_class]
    if any(character.isdigit() for character in word):
        return NUMBER["code"]
    if word.islower():
        return NUMBER["lower"]
    if word.isupper():
        return NUMBER["upper"]
    return NUMBER["capitalised" if word[0].isupper() and word[1:].islower() else "mixed"]
