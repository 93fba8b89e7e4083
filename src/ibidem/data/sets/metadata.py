"""Bibliographic metadata without strings: DBLP, Medline, BibTeX collections, and pairs of records to match."""

from __future__ import annotations

from functools import partial

from ibidem.data.readers.records import read_bibtex, read_matching, read_table
from ibidem.data.registry import Dataset, files_of

# key, authors (joined by `|`), title, venue, venue_short, year, pages
read_dblp = partial(read_table, source="dblp")
# pmid, doi, authors (joined by `|`), year, title, journal, volume, issue, pages, n_cited
read_medline = partial(read_table, source="medline")

MATCHING = Dataset(
    name="matching",
    about="Pairs of DBLP and Google Scholar records",
    home="https://github.com/megagonlabs/ditto (data/er_magellan/Structured/DBLP-GoogleScholar)",
    licence="not stated",
    use="benchmark",
    files=files_of(
        "matching",
        read_matching,
        ("train.txt.balance", "train", 6_414, "12ab9ab1c7a5747f320cd5fa0246e5ff3561e99f2cac51ad32793ddcbbdcff03"),
        ("valid.txt", "dev", 5_742, "167193bb11b635e10d8d792f8aaba4f6c5dee82c8b78164cc58c51cc59b95a65"),
        ("test.txt", "test", 5_742, "66d47fdcb49e85fe29c110dc0ff8ed6bfb7cd1e7b75ee03d8695f2ff2c058b1e"),
    ),
    strings=False,
)
DBLP = Dataset(
    name="dblp",
    about="Metadata like those of DBLP",
    home="https://dblp.org and openly licensed metadata, gathered into a table",
    licence="CC0 / CC-BY",
    use="open",
    files=files_of(
        "dblp",
        read_dblp,
        ("dblp_like.tsv.gz", "", 273_325, "b2bc490464d3c2359acee3d022a514363c4b38ca45f7ffac2f2b01a8b311173f"),
    ),
    strings=False,
)
MEDLINE = Dataset(
    name="medline",
    about="Metadata of journal articles",
    home="openly licensed citation metadata, gathered into a table",
    licence="CC-BY / CC0",
    use="open",
    files=files_of(
        "medline",
        read_medline,
        ("medline_like.tsv.xz", "", 759_466, "9c4218605214d99c9971f931270631223f532bb545047b73b2e52970cd96e314"),
    ),
    strings=False,
)
BIBLIOGRAPHIES = Dataset(
    name="bibliographies",
    about="BibTeX collections: books, chapters, theses, articles",
    home="public BibTeX collections (Glottolog and others)",
    licence="mixed open (CC-BY, CC0, MIT)",
    use="open",
    files=files_of(
        "bibliographies",
        read_bibtex,
        ("bibliographies.bib.gz", "", 79_369, "b4ff028acecf10752456ba4dc6056e7f7927bde056269d5af4f9b31c4e66a0b3"),
    ),
    strings=False,
    remark="published as about 79,000; the exact figure is our own count",
)
