"""The sets that are not reference strings: names, dates, affiliations, sections, headers, and records."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ibidem.data.readers import elife, papers, records, tei
from ibidem.data.registry import DataFile, Dataset


def _lines() -> Callable[[Any], int]:
    return lambda item: len(item.lines)


def _references() -> Callable[[Any], int]:
    return lambda item: sum(annotation.label == "bibl" for annotation in item.annotations)


def _top_headings() -> Callable[[Any], int]:
    return lambda item: int(item["depth"] == "1")


PARTS = (
    Dataset(
        name="sections-generic",
        about="Generic labels of section headings (Luong 2010)",
        home="https://github.com/knmnyn/ParsCit",
        licence="LGPL repository",
        use="benchmark",
        files=(
            DataFile(
                "sections/genericSect.tagged.txt",
                "bc9b79f6655092557c39c287ae62bf8597f9abf2434cd893346f66ec11af7cce",
                "",
                papers.read_generic_sections,
                2_366,
            ),
        ),
        strings=False,
        units=_lines,
        remark="the figure counts headings",
    ),
    Dataset(
        name="sections-lines",
        about="Every line of 40 papers with its logical role",
        home="https://github.com/knmnyn/ParsCit",
        licence="LGPL repository",
        use="benchmark",
        files=(
            DataFile(
                "sections/sectLabel.tagged.txt.gz",
                "d03d1ea113054570a3beab62fefe4f6ef1f830230ae1cda2794d1bb555b89998",
                "",
                papers.read_section_lines,
                37_821,
            ),
        ),
        strings=False,
        units=_lines,
        remark="the figure counts lines",
    ),
    Dataset(
        name="headers",
        about="Headers of papers: title, author, affiliation, address, e-mail and ten more",
        home="https://github.com/knmnyn/ParsCit",
        licence="LGPL repository",
        use="benchmark",
        files=(
            DataFile(
                "headers/svm_headerparse.tagged.txt",
                "8899784afecfcc69109560a971f11d7d61d3c7057925525e470369713e5f5787",
                "",
                papers.read_headers,
                935,
            ),
        ),
    ),
    Dataset(
        name="grobid-name-citation",
        about="GROBID: lists of names in references",
        home="https://github.com/kermitt2/grobid (grobid-trainer/resources/dataset)",
        licence="CC-BY",
        use="open",
        files=(
            DataFile(
                "grobid/name_citation.tar.gz",
                "600744722e47561439ffff96aec0ed7ac65c703d335b451be1a4a27b2f9348c6",
                "train",
                partial(tei.read_grobid_names, source="grobid-name-citation"),
                448,
            ),
            DataFile(
                "grobid/name_citation.tar.gz",
                "600744722e47561439ffff96aec0ed7ac65c703d335b451be1a4a27b2f9348c6",
                "test",
                partial(tei.read_grobid_names, source="grobid-name-citation", under="evaluation/"),
                33,
            ),
        ),
    ),
    Dataset(
        name="grobid-name-header",
        about="GROBID: lists of names in headers",
        home="https://github.com/kermitt2/grobid (grobid-trainer/resources/dataset)",
        licence="CC-BY",
        use="open",
        files=(
            DataFile(
                "grobid/name_header.tar.gz",
                "e925a25ba85b50ea715d949969fe6436f26ccc8966369c82e7b66618cbd2ac85",
                "train",
                partial(tei.read_grobid_names, source="grobid-name-header"),
                1_423,
            ),
            DataFile(
                "grobid/name_header.tar.gz",
                "e925a25ba85b50ea715d949969fe6436f26ccc8966369c82e7b66618cbd2ac85",
                "test",
                partial(tei.read_grobid_names, source="grobid-name-header", under="evaluation/"),
            ),
        ),
        remark="the six of evaluation/ have no published figure",
    ),
    Dataset(
        name="grobid-date",
        about="GROBID: dates",
        home="https://github.com/kermitt2/grobid (grobid-trainer/resources/dataset)",
        licence="CC-BY",
        use="open",
        files=(
            DataFile(
                "grobid/date.tar.gz",
                "cb93aa0c8afaf566c9dba8feabb09cfd753933ad12efd8f77b698da1d35deaba",
                "train",
                tei.read_grobid_dates,
                644,
            ),
            DataFile(
                "grobid/date.tar.gz",
                "cb93aa0c8afaf566c9dba8feabb09cfd753933ad12efd8f77b698da1d35deaba",
                "test",
                partial(tei.read_grobid_dates, under="evaluation/"),
                260,
            ),
        ),
    ),
    Dataset(
        name="grobid-affiliation",
        about="GROBID: affiliations and addresses",
        home="https://github.com/kermitt2/grobid (grobid-trainer/resources/dataset)",
        licence="CC-BY",
        use="open",
        files=(
            DataFile(
                "grobid/affiliation.tar.gz",
                "712c04989a363303f66ad5dc2e41be9e7ea2d18cfc3d052b442564ff57829825",
                "train",
                tei.read_grobid_affiliations,
                2_249,
            ),
            DataFile(
                "grobid/affiliation.tar.gz",
                "712c04989a363303f66ad5dc2e41be9e7ea2d18cfc3d052b442564ff57829825",
                "test",
                partial(tei.read_grobid_affiliations, under="evaluation/"),
                208,
            ),
        ),
        remark="three elements spelt <affilliation> are read too and not in the figure",
    ),
    Dataset(
        name="grobid-refsegmenter",
        about="GROBID: lists of references to be divided into references",
        home="https://github.com/kermitt2/grobid (grobid-trainer/resources/dataset)",
        licence="CC-BY",
        use="open",
        files=(
            DataFile(
                "grobid/refsegmenter.tar.gz",
                "6f173d371c3445edc8bf667a4b30b4004f17cd5dcc41523bb044ea7dc5c147e4",
                "",
                tei.read_grobid_lists,
                5_373,
            ),
        ),
        units=_references,
        remark="the figure counts references",
    ),
    Dataset(
        name="grobid-header",
        about="GROBID: headers of papers",
        home="https://github.com/kermitt2/grobid (grobid-trainer/resources/dataset)",
        licence="CC-BY",
        use="open",
        files=(
            DataFile(
                "grobid/header.tar.gz",
                "9953ecc38ce20c89a4928a35da09f186f752460a7d74232d67d679f2cbdab880",
                "",
                tei.read_grobid_headers,
                746,
            ),
        ),
    ),
    Dataset(
        name="elife-front",
        about="eLife: authors and affiliations of papers, linked",
        home="https://github.com/elifesciences (enhanced-preprints-data, elife-article-xml), gathered into tables",
        licence="CC-BY / CC0",
        use="open",
        files=(
            DataFile(
                "elife/front.jsonl.gz",
                "394892fb9b67ad0e1b2a5135d3b135e3e35657fbe5d46438bfd269835bd5b581",
                "",
                elife.read_elife_front,
                24_149,
            ),
        ),
        strings=False,
    ),
    Dataset(
        name="elife-sections",
        about="eLife: section headings of papers, some with their type",
        home="https://github.com/elifesciences (enhanced-preprints-data, elife-article-xml), gathered into tables",
        licence="CC-BY / CC0",
        use="open",
        files=(
            DataFile(
                "elife/sections.tsv.gz",
                "0005d60a9f28b9eebef0cc5f26ba4b542f09034d39a8b8936d92e8a003f8f7c2",
                "",
                elife.read_elife_sections,
                90_455,
            ),
        ),
        strings=False,
        units=_top_headings,
        remark="the figure counts headings of the first level, typed or not",
    ),
    Dataset(
        name="matching",
        about="Pairs of DBLP and Google Scholar records",
        home="https://github.com/megagonlabs/ditto (data/er_magellan/Structured/DBLP-GoogleScholar)",
        licence="not stated",
        use="benchmark",
        files=(
            DataFile(
                "matching/train.txt.balance",
                "12ab9ab1c7a5747f320cd5fa0246e5ff3561e99f2cac51ad32793ddcbbdcff03",
                "train",
                records.read_matching,
                6_414,
            ),
            DataFile(
                "matching/valid.txt",
                "167193bb11b635e10d8d792f8aaba4f6c5dee82c8b78164cc58c51cc59b95a65",
                "dev",
                records.read_matching,
                5_742,
            ),
            DataFile(
                "matching/test.txt",
                "66d47fdcb49e85fe29c110dc0ff8ed6bfb7cd1e7b75ee03d8695f2ff2c058b1e",
                "test",
                records.read_matching,
                5_742,
            ),
        ),
        strings=False,
    ),
    Dataset(
        name="dblp",
        about="Metadata like those of DBLP",
        home="https://dblp.org and openly licensed metadata, gathered into a table",
        licence="CC0 / CC-BY",
        use="open",
        files=(
            DataFile(
                "dblp/dblp_like.tsv.gz",
                "b2bc490464d3c2359acee3d022a514363c4b38ca45f7ffac2f2b01a8b311173f",
                "",
                records.read_dblp,
                273_325,
            ),
        ),
        strings=False,
    ),
    Dataset(
        name="medline",
        about="Metadata of journal articles",
        home="openly licensed citation metadata, gathered into a table",
        licence="CC-BY / CC0",
        use="open",
        files=(
            DataFile(
                "medline/medline_like.tsv.xz",
                "9c4218605214d99c9971f931270631223f532bb545047b73b2e52970cd96e314",
                "",
                records.read_medline,
                759_466,
            ),
        ),
        strings=False,
    ),
    Dataset(
        name="bibliographies",
        about="BibTeX collections: books, chapters, theses, articles",
        home="public BibTeX collections (Glottolog and others)",
        licence="mixed open (CC-BY, CC0, MIT)",
        use="open",
        files=(
            DataFile(
                "bibliographies/bibliographies.bib.gz",
                "b4ff028acecf10752456ba4dc6056e7f7927bde056269d5af4f9b31c4e66a0b3",
                "",
                records.read_bibtex,
                79_369,
            ),
        ),
        strings=False,
        remark="published as about 79,000; the exact figure is our own count",
    ),
)
