"""Words of each format, which damage puts where they do not belong."""

from __future__ import annotations


def _words(text: str) -> list[bytes]:
    """Return what stands between broken bars and line ends."""
    return [word.encode("utf-8", "surrogatepass") for line in text.split("\n") for word in line.split("¦")]


_XML = _words("""<¦>¦</¦/>¦<!--¦-->¦<![CDATA[¦]]>¦<!DOCTYPE x [<!ENTITY a "&a;&a;">]>¦<!DOCTYPE x SYSTEM "/etc/passwd">
&a;¦&#0;¦&#xD800;¦&lt;¦<?xml version="1.0" encoding="utf-16"?>¦xmlns="x"¦<a>¦</a>¦<a/>¦ xml:id="a"¦ a="b"¦ x:y="z" """)
_JSON = _words(r"""{¦}¦[¦]¦,¦:¦"type":[],¦"type":{},¦"field":{},¦"value":[],¦"start":-1,¦"end":1e308,¦"text":null,
"confidence":18446744073709551616,¦"\ud800"¦\u0000¦\¦"entries":{},¦"fields":[{}],¦"author":[{"family":{}}],¦"author":"x",
"issued":{"date-parts":[[99999999999999999999,13,-1]]},¦"date-parts":[[]],¦"language":[1],¦"key":1,¦"id":{},""")
_TOML = _words("""[¦]¦[[¦]]¦=¦""¦'''¦inf¦nan¦-1¦1e400¦0x¦1979-05-27¦{a={}}¦[[[]]]
a.b.c = 1
¦name = 1
¦data = []
¦[[data]]
¦weight = nan
¦patterns = ["("]
¦patterns = ["(a+)+!"]
¦words = [1]
¦task = "x"
¦silver = 2.0
¦"count(" = 1
¦"count(title) <= 99999999999999999999" = 1.0
¦"count(title) <= 1" = -1.0
""")
_ARRAYS = _words(
    """\x93NUMPY¦<f8¦|O¦<i8¦|b1¦shape¦(9999999999999,)¦(-1,)¦True¦\x00\x00\x00\x00¦\xff\xff\xff\xff¦\x7f"""
)
WORDS: dict[str, list[bytes]] = {
    "bibtex": _words("""@¦{¦}¦@string{a = "b"}¦@comment¦@preamble{¦#¦=¦,¦"¦\\¦\\input{x}¦\\'¦\\"{}¦$¦%¦ and ¦ and others
@article{¦@article{a,¦author = ¦title = {¦year = 99999999999999999999,¦crossref = {a},¦month =
\\begin{¦~¦\\char999999999"""),
    "ris": _words("""TY  - ¦ER  - ¦AU  - ¦PY  - 9999999999999999999
¦TY  - JOUR
¦DA  - ////¦DA  - 2019/13/45/¦SP  - ¦EP  - ¦N1  - \u2028¦ID  - \x00¦  - ¦A1  - ,,,,"""),
    "csl-json": _JSON,
    "json-lines": _JSON,
    "tei": _XML + _words("""<biblStruct>¦<author>¦<persName>¦<surname>¦ when="99999-99"¦<biblScope unit="page" from="x">
<analytic>¦<monogr>¦<title level="x">¦<date>¦<idno type="DOI">¦</monogr>¦</biblStruct>"""),
    "jats": _XML + _words("""<ref>¦<element-citation>¦<mixed-citation>¦<name>¦<surname>¦<year>¦<person-group>
<fpage>¦<lpage>¦<pub-id pub-id-type="doi">¦<collab>¦<etal/>¦<date-in-citation>¦</ref>¦</name>"""),
    "labelled jsonl": _JSON + _words('"tokens":[[0,0]],¦"tokens":[[0,1],[0,1]],¦"opaque":[{}],¦"label":[],'),
    "labelled conll": _words("""B-¦I-¦O¦\t¦# text =¦# tokens = 0-9999¦# opaque = ¦B-a/b/c¦I-author¦\\¦\\n¦\tB-author
¦\tI-date
¦x\tO
"""),
    "labelled xml": _XML + _words("<sequence>¦</sequence>¦<author>¦</author>¦</dataset>¦<dataset>"),
    "model": _JSON + _ARRAYS,
    "checkpoint": _ARRAYS,
    "store": _words("DUCK¦works¦{¦}¦\x00\x00\x00\x00¦\xff\xff\xff\xff¦9999"),
    "recipe": _TOML,
    "constraints": _TOML,
    "seed words": _TOML,
    "style": _XML + _words("""<text macro="who"/>¦<macro name="who">¦</macro>¦ variable=""¦<names variable="x"/>
<if>¦<choose>¦<date-part/>¦ et-al-min="x"¦ form="long"¦ match="none"¦<group>¦<sort>¦<key/>¦<number/>
 text-case="title"¦<locale>
 et-al-min="99999999999999999999"¦ delimiter="("¦ name-as-sort-order="all"¦<date variable="issued" form="text"/>
<layout>"""),
}  # fmt: skip
