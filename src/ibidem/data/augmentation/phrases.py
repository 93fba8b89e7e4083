"""Words and signs that stand before and after references without belonging to them.

Every other entry of each list, from the first, is for training; the others are for measuring only: whether a model has
learnt what such words are, or these words. An entry that is added moves those after it from one half to the other, so
add at the end, and two at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def select_for_training(entries: Sequence[T]) -> tuple[T, ...]:
    """Return the half of a list that is trained on."""
    return tuple(entries[::2])


def held_out(entries: Sequence[T]) -> tuple[T, ...]:
    """Return the half of a list that is never trained on."""
    return tuple(entries[1::2])


def _entries(text: str) -> tuple[str, ...]:
    return tuple(one for line in text.splitlines() for one in line.split("|"))


LEAD_INS = _entries("""\
See also|See e.g.|See|See for example|Cf.|Compare|See, for instance,|See, among others,|cf. also
For a review see|As discussed in|As shown by|Reviewed in|Quoted in:|Cited in|Quoted after|In:|Further reading:
Adapted from|Reprinted from|Source:|Based on|Taken from:|Modified from|From:|After|Originally published as
Published in:|Available in|See especially|See in particular|But see|Contra|Pace|Also|And|Ibid.; see also|e.g.
i.a.|inter alia|Preprint of|Review of:|Translated from|Abstract in|Reference:|Citation:|Full citation:
Please cite as:|How to cite:|To cite this article:|Cite as|Read|For details:|Details in|More in|Described in
First described in|Data from|Figure from|Original:|New:|Correction to:|Erratum for|Comment on|Reply to
Also published as|See below:|Note:|N.B.|Supra,|See supra|Accord|See generally|See, e.g.,|Following|Against this,
On this,|On which see|For the opposite view,|Recently:|Most recently,|Earlier:|Still useful:|Standard work:
Bibliography:|References:|Vgl.|Siehe|Siehe auch|Vgl. auch|Vgl. hierzu|S. a.|s.|Zit. nach|Zitiert nach:|Aus:
Quelle:|Nach|Dazu|Hierzu|Vgl. etwa|So etwa|Ähnlich|Anders|Ausführlich:|Grundlegend|Weiterführend:|Erschienen in:
Auch in:|Abgedruckt in|Voir|Voir aussi|Voir par exemple|Cf. aussi|Cité par|Cité dans|D'après|Extrait de|Dans :
Lire aussi|À ce sujet,|Sur ce point, voir|Pour une synthèse, voir|Voir notamment|Véase|Véase también|Ver
Ver también|Cfr.|Citado en|Citado por|Fuente:|Según|Tomado de|En:|Consúltese|Vid.|Véase, por ejemplo,|Ver também
Veja|Veja-se|Conforme|Citado em|Apud|Fonte:|Cf. ainda|Adaptado de|Ver ainda|Cfr. anche|Si veda|Vedi|Vedi anche
Si vedano|Citato in|Tratto da|Da:|Si rimanda a|V. anche|Zie ook|Zie|Vgl. ook|Geciteerd in|Uit:|Bron:|Se även|Se
Jfr|Citerat i|Se også|Jf.|Kilde:|Sitert i|Ks.|Ks. myös|Vrt.|Lähde:|Zob.|Zob. też|Por.|Por. także|Cyt. za|Źródło:
Viz|Viz též|Viz také|Srov.|Cit. podle|Pozri|Vid. aj|Lásd|Lásd még|Vö.|Idézi|Vezi|Vezi și|Apud:|Vidi|Usp.|Glej
Prim.|Bkz.|Ayrıca bkz.|Krş.|Aktaran|Xem|Xem thêm|Lihat|Lihat juga|Dikutip dari|Dalam:|См.|См. также|Ср.
См., например,|Цит. по:|Источник:|Подробнее см.|По:|Див.|Див. також|Вж.|Вж. също|Види|Упор.|Βλ.|Βλ. επίσης|Πρβλ.
Πηγή:|Βλέπε|Παρατίθεται στο
参见|见|参见：|另见|参阅|引自|转引自|详见|出处：
参照|参考|引用元：|次を参照：
出典：|より引用：|參見|詳見
참조|참고:|또한 참조|출처:|재인용:
انظر|انظر أيضا|انظر:|راجع|نقلا عن|المصدر:|بنگرید به|نک.|ר׳|ראו|ראו גם|ראה|מתוך:|מצוטט אצל|देखें|यह भी देखें|ดู
ดูเพิ่มเติม|இதையும் பார்க்க|দেখুন""")
"""Words that lead to a reference: it begins after them and a space."""

OPENINGS = _entries("""\
For|On|About|Concerning|With regard to|As to|An overview of|A review of|A discussion of|The history of
Further details of|Other views of|More examples of|A critique of|Zu|Über|Sur|Pour|Sobre|Acerca de|Su|Riguardo a
О|Про|关于|有关""")
SUBJECTS = _entries("""\
this|these|the method|the question|these data|this problem|the proof|the theorem|the early years|such cases
earlier work|the debate|that claim|the algorithm|similar results|his life|her letters|the whole matter
diesem Thema|dieser Frage|ce sujet|cette question|este tema|estas cuestiones|questo tema|queste cose|этом|это
这一问题|该方法""")
CLOSINGS = _entries("""\
, see |, cf. |: |, compare | see | can be found in | are given in | is in |, consult |, I rely on |, siehe |，参见
, vgl. |, voir |, consulter |, véase |, ver |, si veda |, cfr. |, см. |; подробнее у |，见""")
"""Beginnings, middles and ends of sentences that lead to a reference."""

SENTENCES = (
    ("See, for example, ", "; but compare the later editions."),
    ("(see, e.g., ", "; and references therein)."),
    ("(see ", ")."),
    ("(cf. ", ", among others)."),
    ("[see also ", "]"),
    ("[cf. ", "; emphasis added]"),
    ("According to ", ", this is so."),
    ("As shown in ", ", the effect is small."),
    ("This was first found by ", " and later confirmed."),
    ("It is described in ", ", where more examples are given."),
    ("Source: ", "; own calculations."),
    ("Adapted from ", ", with permission of the publisher."),
    ("See ", ", which is out of print."),
    ("Compare ", "; here the author takes another view."),
    ("(vgl. etwa ", ")."),
    ("(siehe ", " mit weiteren Nachweisen)."),
    ("Quelle: ", "; eigene Darstellung."),
    ("Nach ", " gilt dies nicht."),
    ("(voir ", ")."),
    ("Source : ", "; traduction de l'auteur."),
    ("(véase ", ")."),
    ("Fuente: ", "; elaboración propia."),
    ("(cfr. ", ")."),
    ("Fonte: ", "; elaborazione propria."),
    ("(см. ", ")."),
    ("Источник: ", "; перевод автора."),
    ("（见", "）。"),
    ("（参见", "等）"),
    ("* ", " *"),
    ("« ", " »"),
)
"""What stands before and after a reference in running text."""

TRAILERS = _entries("""\
[Google Scholar]|[CrossRef]|[PubMed]|[PMC free article]|Google Scholar|Crossref|View Article|View in Scopus
[Article]|[CAS]|Article|CAS|[Full text]|[Web of Science]|PubMed Central|ISI|Full Text|Abstract|[Medline]
[Abstract]|Open URL|Google Preview|Find this author on|Export citation|Cited by {n}|Cited {n} times
[Cited by {n}]|Citations: {n}|Available at|Available from:|Available online|Available online at:|Download PDF
Download|PDF|[PDF]|BibTeX|EndNote|RIS|Share|Save|Add to library|Back to text|Back to cited text|↩|↑|⇑|⮐|^|[↑]
Page {n} of 312|Page {n}|- {n} -|— {n} —|{n} - P a g e|Downloaded from|All rights reserved.|© The Author(s).
© {y} The Authors. Published by|Author manuscript|This article is protected by copyright.|Preprint submitted to
Received in revised form|References|Continued on next page|Contents lists available at|Verfügbar unter:
Online verfügbar|Volltext|Zitierte Literatur|Disponible en:|Disponible sur :|Disponível em:|Disponibile su:
Dostupné z:|Dostępny w:|Tillgänglig:|Beschikbaar via|Доступно по:|Режим доступа:
[Google 学术]|[在线]|全文|下载|[リンク]|閲覧
[원문보기]|다운로드""")
"""Link words of a publisher's page and rests of page headers and footers that follow a reference."""

MARKERS = (
    ("[", "{n}", "] "), ("", "[{n}].", " "), ("", "{n}.", " "), ("", "{n}:", " "), ("", "({n})", " "),
    ("", "<{n}>", " "), ("", "{n})", " "), ("", "{n}.)", " "), ("", "[{key}{y}]", " "), ("", "[{key}+ {year}]", " "),
    ("", "{sup}", " "), ("", "{circle}", " "), ("", "{roman}.", " "), ("", "{roman})", " "), ("Ref. ", "{n}", ": "),
    ("Reference ", "{n}", ". "), ("#", "{n}", " "), ("№ ", "{n}", ". "), ("", "[{key}{y}a]", " "),
    ("", "[{cap}{y}]", " "),
    ("", "{n}", " "), ("", "{n}", "\t"), ("", "R{n}.", " "), ("", "S{n}.", " "), ("", "[{n}]", ""), ("", "【{n}】", ""),
    ("", "〔{n}〕", " "), ("", "［{n}］", " "), ("", "{n}.-", " "), ("", "{n} –", " "), ("", "[{family}, {year}]", " "),
    ("", "[{family} {year}]", " "), ("", "({roman})", " "), ("", "[{roman}]", " "), ("", "{n}、", ""),
    ("", "{n}．", ""),
)  # fmt: skip
"""Numbers and keys before a reference: what leads to the marker, the marker, what follows it."""

BULLETS = tuple("• ;– ;* ;- ;· ;— ;▪ ;● ;◦ ;■ ;→ ;► ;‣ ;+ ;† ;♦ ;○ ;§ ;>> ;> ;-- ;¶ ;✓ ;~ ;_____. ;———. ".split(";"))
"""Signs before the items of a list."""
