"""The class of a token: some thirty coarse classes on which the features of context are built.

`KEYWORDS` are the words that announce a field, in the languages references are written in. Those classes are few and
closed; open ones (names, journals, places) are lexicons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from ibidem.text.fold import fold
from ibidem.text.months import MONTHS

# words in the languages that references are written in, one class per line; they are folded where they are looked up
KEYWORDS = {
    "in": "in en dans nel nella nello im i v u 见 载 w в ב في در 收 載",
    "page": "p pp pg pgs page pages s ss seite seiten pag pagg pagine pagina paginas str с c стр σ σσ σελ ص صص "
    "עמ עמוד 頁 页 面 면 쪽 sid sida sidor sivu sivut sf sayfa strona strony стор oldal blz pág págs",
    "volume": "vol vols volume volumes bd band bde jg jahrgang t tome tom tomo tomes v volumen volym т том 卷 årg "
    "årgang ročník roč svazek cilt kötet évf nide wol τόμ τόμος τ مج مجلد المجلد جلد دوره כרך 巻 권",
    "issue": "no nr num number numero nos issue iss heft h n fasc fascicule fascicolo part pt № вып 期 zeszyt "
    "číslo čís szám sz sayı häfte hefte hæfte nro τχ τεύχος вип випуск выпуск العدد عدد شماره גיליון "
    "גליון חוברת 号 號 호 nummer numer",
    "editor": "ed eds editor editors edited hrsg hg herausgeber herausgegeben dir cura redaktion red ред sous "
    "compiler coord éds org orgs szerk toim utg udg haz edd επιμ επιμέλεια упоряд تحقيق تحرير إشراف "
    "ویراستار עורך עורכים עורכת בעריכת 編 编 편 편저 엮음 сост редакцией hrsgg hgg curatore",
    "translator": "trans transl translated translator trad traduction traduit ubers ubersetzt traduzione пер przeł "
    "přel ford övers oversatt suom çev çeviren μετφρ μτφ перев переклад ترجمة ترجمه תרגם תרגום מתרגם 訳 "
    "译 譯 옮김 역 vert vertaald",
    "edition": "edn edition editions aufl auflage ausgabe edizione edicion изд rev revised reprint repr reprinted "
    "wyd wydanie vyd vydání kiadás painos uppl upplaga utgave baskı basım έκδ έκδοση طبعة ط چاپ מהדורה "
    "版 판 druk ediție",
    "chapter": "chap chapter kap kapitel cap capitolo capitulo ch chapitre гл rozdział kapitola fejezet luku bölüm "
    "κεφ глава فصل פרק 章 장",
    "thesis": "thesis phd ph.d dissertation diss diplomarbeit masterarbeit habilitation these tesi tesis diploma "
    "msc m.sc doctoral master bachelor doctorat dottorato inaugural диссертация habil rozprawa "
    "doktorska magisterska dizertace disertační diplomová avhandling väitöskirja gradu tezi tez "
    "disszertáció διατριβή дис автореф дисертація أطروحة رسالة ماجستير دكتوراه proefschrift scriptie "
    "dissertação mestrado doutorado doutoramento maestría doctorado licenciatura",
    "report": "report rep reports tech technical working paper preprint memo memorandum bericht rapport "
    "discussion manuscript rapporto informe white arbeitspapier raport sprawozdanie zpráva jelentés "
    "raportti rapor έκθεση отчет отчёт доклад звіт تقرير گزارش דוח relatório",
    "status": "press appear submitted preparation published unpublished forthcoming accepted prep personal "
    "communication druck erscheinen manuscript advance epub druku tisku prelo stampa prensa presse "
    "trykk tryckning painossa baskıda печати",
    "month": "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august "
    "september october november december januar februar marz mai juni juli oktober dezember janvier "
    "fevrier mars avril juin juillet aout septembre octobre novembre decembre gennaio febbraio marzo "
    "aprile maggio giugno luglio agosto settembre ottobre novembre dicembre enero febrero abril mayo "
    "junio julio septiembre octubre noviembre diciembre spring summer autumn fall winter",
    "accessed": "accessed retrieved available from online internet viewed visited abgerufen zugriff consulte cited "
    "consultato consultado disponible verfugbar stand last access url http www accessible disponibile "
    "dostęp dostupné viitattu luettu hämtad hämtat hentet besøgt erişim πρόσβαση обращения доступа "
    "доступ режим звернення الاطلاع استرجاع دسترسی אוחזר נדלה 閲覧 검색일 접속일 tilgjengelig tillgänglig "
    "saatavilla elérhető disponível acesso acessado geraadpleegd beschikbaar recuperado consultada "
    "consultée visitato",
    "university": "university universitat universite universita universidad univ institute institut school college "
    "department dept dep faculty laboratory lab academy hochschule center centre inst ecole fakultat "
    "facolta uniwersytet uniwersytetu univerzita univerzity egyetem egyetemi yliopisto universitet "
    "universitetet universitetets üniversitesi πανεπιστήμιο университет университета институт института "
    "академия університет інститут جامعة دانشگاه אוניברסיטת האוניברסיטה 대학교 universidade universiteit "
    "wydział fakulta",
    "publisher": "press verlag publishers publishing publisher books editions editore edizioni editorial academic "
    "sons publications ltd inc co gmbh kluwer springer wiley elsevier издательство изд wydawnictwo "
    "wydawn oficyna nakladatelství kiadó förlag forlag kustannus yayınları yayınevi εκδόσεις "
    "видавництво دار نشر انتشارات הוצאת הוצאה 출판사 uitgeverij editora ediciones edições presses libreria "
    "librairie buchhandlung",
    "conference": "proceedings proc conference conf symposium symp workshop congress meeting annual international "
    "tagung atti convegno actes colloque congreso kongress transactions lecture notes konferencja "
    "konferencji sborník konference konferencia konferens sempozyumu kongresi συνέδριο πρακτικά "
    "конференции конференция материалы сборник конференція матеріали مؤتمر همایش כנס 학술대회 anais atas "
    "jornadas encontro",
    "journal": "journal j zeitschrift zeitschr revue rivista revista annals annales review rev bulletin bull "
    "letters lett archives arch acta archiv magazine quarterly trans jahrbuch czasopismo przegląd "
    "kwartalnik rocznik roczniki zeszyty časopis folyóirat szemle tidskrift tidsskrift lehti "
    "aikakauskirja dergisi περιοδικό журнал вестник известия труды записки бюллетень вісник مجلة "
    "فصلنامه مجله רבעון tijdschrift cuadernos boletín boletim anuario cahiers quaderni studi blätter",
    "and": "and und et e y & i og och en oraz ve και та і و 和 及 와 과 및",
    "etal": "al alii colleagues others u.a др соавт ін kol wsp ואחרים وآخرون همکاران 等 외 muut vd",
    "suffix": "jr sr ii iii iv jnr",
    "particle": "van von der den de del della di da du la le el al bin ibn ten ter zu zur dos das af av st",
    "collaboration": "collaboration consortium group committee team network society association organization "
    "initiative organisation council ministry bureau agency commission federation study investigators",
    "arxiv": "arxiv eprint hep math cond astro quant corr biorxiv medrxiv ssrn",
    "identifier": "doi pmid pmcid isbn issn pubmed medline issn pii crossref lccn oclc",
    "function": "the of a an for on with from by to at as der die das des ein eine zur zum fur mit uber le les des "
    "un une sur pour par aux il lo gli per con los las para sobre sul sulla dei delle и на о по het een "
    "voor met på för med til om az egy och av na do od za pro při και του της των το στην στο από για "
    "من على إلى של על את в с из для",
}

TOKEN_CLASSES = (
    "outside lower capitalised upper mixed initial year number1 number3 code comma stop colon semicolon open close "
    "quote dash slash symbol and in page volume issue editor month link function ideograph work etal"
).split()
NUMBER = {name: number for number, name in enumerate(TOKEN_CLASSES)}
COUNT = len(TOKEN_CLASSES)

_PUNCTUATION = (
    {
        ",": "comma",
        "，": "comma",
        "、": "comma",
        "،": "comma",
        "؛": "semicolon",
        "।": "stop",
        "؟": "stop",
        ".": "stop",
        "。": "stop",
        "．": "stop",
        ":": "colon",
        "：": "colon",
    }
    | {";": "semicolon", "；": "semicolon", "/": "slash", "?": "stop", "!": "stop"}
    | dict.fromkeys("([{（［【〔<", "open")
    | dict.fromkeys(")]}）］】〕>", "close")
    | dict.fromkeys("\"“”„‟«»‘’‚‹›`´《》「」『』〈〉﹁﹂״'", "quote")
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


_WORDS = {name: list(dict.fromkeys(map(fold, words.split()))) for name, words in KEYWORDS.items()}
_NO_MONTHS = frozenset("set out ago gen mei vi آب مه".split())  # words of languages where they are none
_WORDS["month"] += [word for word in dict.fromkeys(map(fold, MONTHS)) if word not in {*_WORDS["month"], *_NO_MONTHS}]
KEYWORD_CLASSES = index_words(_WORDS)
_TELLING_CLASSES = {
    word: next(NUMBER[token_class] for name, token_class in _TELLING.items() if name in classes)
    for word, classes in KEYWORD_CLASSES.items()
    if not _TELLING.keys().isdisjoint(classes)
}


def strip_punctuation(text: str) -> str:
    """Return `text` without punctuation at its edges (all of it when there is nothing else)."""
    return text.strip(_EDGES) or text


def punctuation_class(character: str) -> int:
    """Return the class of a punctuation character, 0 for anything else."""
    return NUMBER[_PUNCTUATION.get(character, "outside")]


@lru_cache(1 << 12)  # attributes and traits ask for it, one after the other
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
        return _telling_class(word) or NUMBER["ideograph"]
    return _class_of_word(word)


def _class_of_number(word: str) -> int:
    if _YEAR.match(word):
        return NUMBER["year"]
    if word.isdigit():
        return NUMBER["number1" if len(word) < 3 else "number3"]
    return NUMBER["code"]


def _telling_class(word: str) -> int:
    """Return the class of a keyword that tells most, 0 of a word that is none."""
    return _TELLING_CLASSES.get(fold(word), 0)


def _class_of_word(word: str) -> int:
    if len(word) == 1 and word.isupper():
        return NUMBER["initial"]
    if telling := _telling_class(word):
        return telling
    if any(character.isdigit() for character in word):
        return NUMBER["code"]
    if word.islower():
        return NUMBER["lower"]
    if word.isupper():
        return NUMBER["upper"]
    return NUMBER["capitalised" if word[0].isupper() and word[1:].islower() else "mixed"]
