"""Twenty records written by hand, invented throughout: every type, and names and dates of many kinds."""

from __future__ import annotations

from ibidem.records.fields import DATES, NAMES
from ibidem.records.formats.values import entry_of, read_date, read_name
from ibidem.records.record import Date, Entry, Name, Record


def record(key: str, kind: str, *pairs: tuple[str, object]) -> Record:
    """A record of texts and values; a name is written `Family, Given`."""
    entries = []
    for field, value in pairs:
        if field in NAMES and isinstance(value, str):
            entries += [Entry(field, read_name(one)) for one in value.split("; ")]
        elif field in DATES and isinstance(value, str):
            entries.append(Entry(field, read_date(value)))
        else:
            entries.append(entry_of(field, value) if isinstance(value, str) else Entry(field, value))
    return Record(kind, tuple(entries), key=key)


RECORDS = [
    record(
        "pellworth2019", "article", ("author", "Pellworth, Jane S.; Adeyomi, Oluwaseun T."),
        ("title", "Salivary markers of shift work"), ("container", "Annals of Coastal Medicine"), ("date", "2019-03"),
        ("volume", "14"), ("issue", "3"), ("pages", "153-160"), ("doi", "10.5555/acm.2019.143"), ("issn", "1234-567X"),
    ),
    record(
        "marchbanks1999", "book", ("author", "Marchbanks, Tobias"), ("title", "The grammar of bell signals"),
        ("edition", "2"), ("publisher", "Harrowgate University Press"), ("place", "Harrowgate"), ("date", "1999"),
        ("isbn", "9780306406157"),
    ),
    record(
        "vanderberg2004", "chapter", ("author", Name("Berg", "Jan", "van der", "Jr.")),
        ("title", "Dykes and their keepers"), ("editor", "Okafor, Ngozi; Lindqvist, Maja"),
        ("container", "Handbook of low countries"), ("publisher", "Polder & Sons"), ("place", "Leiden"),
        ("date", "2004"), ("pages", "88-117"), ("series", "Water studies"), ("volume", "7"),
    ),
    record(
        "zhao2021", "paper", ("author", "Zhao, Wei; Müller, Jörg; Ortega, Lucía"),
        ("title", "Parsing bells with mRNA-like codes"), ("container", "Proceedings of the 4th Meeting on Signals"),
        ("date", "2021-07-12"), ("pages", "1-9"), ("place", "Tromsø"), ("publisher", "Signal Society"),
        ("doi", "10.5555/sig.2021.1"),
    ),
    record(
        "ferraro2012", "thesis", ("author", "Ferraro, Elena"), ("title", "On the drift of reeds"),
        ("genre", "PhD thesis"), ("institution", "University of Ferrara"), ("date", "2012"),
        ("url", "https://thesis.example.org/ferraro"),
    ),
    record(
        "who2015", "report", ("author", Name(literal="World Bell Organisation")),
        ("title", "Global status of bells 2015"), ("institution", "World Bell Organisation"), ("place", "Geneva"),
        ("date", "2015"), ("number", "WBO/15.2"), ("genre", "Technical report"),
    ),
    record(
        "iyer2023", "preprint", ("author", "Iyer, Anand; Novak, Petra"), ("title", "Attention is not all reeds need"),
        ("container", "arXiv"), ("arxiv", "2301.00001v2"), ("date", "2023-01-03"),
    ),
    record(
        "bellweb", "webpage", ("author", "Hughes, Carys"), ("title", "How to ring a tower bell"),
        ("container", "Ringers' Almanac"), ("url", "https://ringers.example.org/how-to?x=1&y=2"),
        ("date", "2018-11-05"), ("accessed", "2020-02-01"),
    ),
    record(
        "tide2020", "dataset", ("author", "Larsen, Ida"), ("title", "Tide gauges of the Wash, 1950–2019"),
        ("publisher", "Coastal Data Centre"), ("date", "2020"), ("doi", "10.5555/cdc.tides"), ("edition", "3"),
    ),
    record(
        "bellsim", "software", ("author", "Kim, Min-jun"), ("title", "BellSim"), ("edition", "2.1.0"),
        ("publisher", "Ringing Labs"), ("date", "2022"), ("url", "https://code.example.org/bellsim"),
    ),
    record(
        "iso999", "standard", ("author", Name(literal="International Bell Committee")),
        ("title", "Bells and carillons: vocabulary"), ("number", "IBC 999:2010"), ("date", "2010"),
        ("publisher", "International Bell Committee"), ("place", "Geneva"),
    ),
    record(
        "patent77", "patent", ("author", "Quill, Ada"), ("title", "Clapper for a bell"), ("number", "XX 1234567"),
        ("date", "1977-06-14"),
    ),
    record(
        "letter1850", "other", ("author", "Thornbury, Eliza"), ("title", "Letter to her brother"),
        ("date", Date(1850, approximate=True)), ("archive", "Harrowgate County Archive"), ("note", "MS 14, f. 3"),
    ),
    record(
        "garcia2016", "article", ("author", "García Márquez, Gabriela; de Souza, João"),
        ("title", "Campanas y ríos: un estudio"), ("container", "Revista de Ríos"), ("date", "2016"), ("volume", "XII"),
        ("article-number", "e0123"), ("language", "es"),
    ),
    record(
        "ivanov1987", "article", ("author", "Иванов, И. П."), ("title", "О колоколах"),
        ("container", "Вопросы истории"), ("date", "1987"), ("issue", "4"), ("pages", "12-19"), ("language", "ru"),
    ),
    record(
        "wang2018", "article", ("author", "王, 小明"), ("title", "钟声研究"), ("container", "声学学报"),
        ("date", "2018"), ("volume", "43"), ("pages", "201-209"), ("language", "zh"),
    ),
    record(
        "inpress", "article", ("author", "Reed, A."), ("author-etal", "et al."),
        ("title", "Rivers & reeds: a <b> test"), ("container", "River Letters"), ("date", "in press"),
    ),
    record(
        "range2001", "book", ("editor", "Marsh, C.; Sedge, D."), ("title", "Collected papers on bogs"),
        ("date", "1999/2001"), ("publisher", "Bog Press"), ("place", "Limerick"),
    ),
    record(
        "season2011", "article", ("author", "Holm, Kari"), ("title", "Frost on bronze"), ("container", "Winter Review"),
        ("date", Date(2011, season="winter", letter="b")), ("volume", "8"), ("issue", "1"), ("pages", "1-2"),
    ),
    record(
        "group2017", "article",
        ("author", "Ito, Ken; Ba, Awa; Roy, Dev; Li, Na; Cruz, Eva; Sow, Ali; Kaya, Ece; Wu, Jo"),
        ("title", "A consortium of bells"), ("container", "Open Carillon"), ("date", "2017-05"), ("volume", "2"),
        ("pages", "e1-e12"), ("pmid", "12345678"), ("pmcid", "PMC7654321"),
    ),
]  # fmt: skip
