"""The catalogue of datasets: one line each. `ibidem.data.register` adds one from outside the package."""

from __future__ import annotations

from ibidem.data.registry import Dataset
from ibidem.data.sets import (
    afd,
    anystyle,
    citation_matching,
    elife,
    excite,
    footnotes,
    giant,
    grobid,
    laws,
    linkedbooks,
    metadata,
    parscit,
    pensoft,
    scielo,
    text2bib,
    umass,
)

DATASETS: dict[str, Dataset] = {
    one.name: one
    for one in (
        umass.NESTED,
        umass.FLAT,
        parscit.PARSCIT,
        parscit.PARSCIT_TAGGED,
        parscit.HOSEMICRF,
        grobid.CITATION,
        anystyle.ANYSTYLE,
        elife.REFERENCES,
        linkedbooks.LINKEDBOOKS,
        excite.EXCITE,
        giant.GIANT,
        pensoft.PENSOFT,
        afd.AFD,
        scielo.SCIELO,
        text2bib.TEXT2BIB,
        laws.CZECH_LAWS,
        scielo.SCIELO_NC,
        footnotes.BILBO_LISTS,
        footnotes.BILBO_NOTES,
        footnotes.DVJS,
        footnotes.PYBICO,
        citation_matching.CORA,
        citation_matching.CITESEER,
        parscit.SECTIONS,
        parscit.SECTION_LINES,
        parscit.HEADERS,
        grobid.NAME_CITATION,
        grobid.NAME_HEADER,
        grobid.DATE,
        grobid.AFFILIATION,
        grobid.REFERENCE_LISTS,
        grobid.HEADER,
        elife.FRONT,
        elife.SECTIONS,
        metadata.MATCHING,
        metadata.DBLP,
        metadata.MEDLINE,
        metadata.BIBLIOGRAPHIES,
        parscit.HEADER_AUTHORS,
        grobid.HEADER_AUTHORS,
        grobid.AUTHOR_LISTS,
        grobid.AFFILIATION_LINES,
    )
}
"""Every dataset by its name, in the order of listings and pages."""
