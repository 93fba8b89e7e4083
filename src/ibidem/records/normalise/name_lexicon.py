"""Words that tell the parts of names: particles, suffixes, words of groups, and names that the default model knows."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ibidem.features.lexicons import HashedSet

PARTICLES: frozenset[str] = frozenset(
    """van von vom vander vanden der den de del della delle dello dei degli di da do dos das du des la las los le
    ter ten te tot zu zum zur af av aan bin ibn ben bint abu d' 't op het 's und ap ab y e""".split()
)
"""What stands before a family name, in lower case, and belongs to it."""

INNER: frozenset[str] = frozenset("y e i und".split())
"""Particles that join two family names and never begin one: Ortega y Gasset."""

CAPITAL_PARTICLES: frozenset[str] = frozenset(
    """Van Von Vom Vander Vanden De Der Den Del Della Delle Dello Dei Degli Di Da Do Dos Das Du Des La Las Los Le Ter
    Ten Zu Zur Af Bin Ibn Ben Bint Abu Al El Ul Ap San Santa St St. Saint Mac Mc O' Abd""".split()
)
"""The same with a capital letter: they begin a family name where a given name stands before them."""

SUFFIXES: frozenset[str] = frozenset(
    "jr jr. sr sr. jnr jnr. snr snr. junior senior ii iii iv 2nd 3rd 4th fils père esq esq. filho neto".split()
)
"""What follows a name. `junior`, `neto` and the like are only suffixes after a comma or at the end of a full name."""

NAMES_TOO: frozenset[str] = frozenset("junior senior filho neto".split())
"""Suffixes that are family names as well: before or after initials alone they are."""

GROUP: frozenset[str] = frozenset(
    """association associates agency academy academia administration authority bank board bureau center centre centro
    club co collaboration collaborators collaborative college comisión commission commissione committee community
    company conference congress consortium corporation corp council department dept directorate division enterprise
    european federation forum foundation fundación gmbh government group groups hospital hospitals inc initiative
    institut institute instituto institution international investigators istituto laboratory laboratories laboratorio
    library limited llc ltd ministerio ministerium ministero ministry museum national nations network office
    organisation organization panel partnership press program programme project registry researchers school secretariat
    service services society sociedad société staff state states study survey system systems task-force team trial
    trialists trust union unit united universidad universidade università universitat universität université university
    working world writing verein verband bundesamt bundesministerium gesellschaft akademie kommission amt zentrum
    gemeinde ministère mairie ayuntamiento prefeitura ministério comune ministerstwo urząd uniwersytet ministerstvo
    úřad univerzita obec önkormányzat minisztérium egyetem belediyesi bakanlığı üniversitesi kurumu ministeriö kunta
    yliopisto kommun kommune departementet universitet министерство комитет институт университет академия организация
    общество союз правительство администрация міністерство комітет інститут університет δήμος υπουργείο πανεπιστήμιο
    οργανισμός
    """.split()
)
"""Words of the names of groups: a name with one of them is not divided."""

GROUP_SPLIT: frozenset[str] = frozenset(
    """بلدية وزارة جامعة منظمة هيئة مؤسسة جمعية شركة البنك مركز سازمان وزارت دانشگاه شرکت بانک انجمن شهرداری مرکز עיריית
    משרד אוניברסיטת האוניברסיטה ועדת מכון רשות איגוד पालिका मंत्रालय परिषद् परिषद विश्वविद्यालय संस्थान आयोग""".split()
)
"""The same in scripts whose words `GROUP` is not matched with: as they stand between spaces."""

DOUBLE: frozenset[str] = frozenset(
    """garcía garcia martínez martinez lópez lopez gonzález gonzalez rodríguez rodriguez fernández fernandez sánchez
    sanchez pérez perez gómez gomez martín jiménez jimenez ruiz hernández hernandez díaz diaz moreno muñoz munoz
    álvarez alvarez romero alonso gutiérrez gutierrez navarro torres domínguez dominguez vázquez vazquez ramos gil
    ramírez ramirez serrano blanco molina morales suárez suarez ortega delgado castro ortiz rubio marín sanz núñez
    nunez iglesias medina garrido cortés castillo santos lozano guerrero cano prieto méndez mendez cruz flores herrera
    gallego márquez marquez león peña calvo campos reyes vega fuentes carrasco cabrera aguilar nieto caballero
    velasco pascual vargas bravo mora rojas acosta mendoza silva souza sousa oliveira pereira ferreira costa
    rodrigues almeida carvalho gomes ribeiro lima alves""".split()
)
"""Family names of which two are usually borne: before another word at the end of a name they begin the family name."""

ASIAN_FAMILY: frozenset[str] = frozenset(
    """wang zhang liu chen yang huang zhao wu zhou xu sun zhu hu guo gao lin luo zheng liang xie tang deng feng xiao
    cheng cao peng zeng xue jiang cai jia ding wei xia fu zhong tian ren pan du dai fan fang shi yao tan liao zou
    xiong jin lu hao kong bai cui kang mao qiu qin gu hou shao meng wan duan qian yin li ye yu dong yuan su pei kim
    park choi jung jeong kang cho yoon jang lim shin kwon hwang ahn ryu jeon nguyen tran pham hoang phan vu dang bui
    """.split()
)
"""Family names, romanised, that stand first where the name is written in its own order."""

VIETNAMESE_FAMILY: frozenset[str] = frozenset(
    """Nguyễn Trần Lê Phạm Huỳnh Hoàng Vũ Võ Đặng Bùi Đỗ Hồ Ngô Dương Lý Đào Đoàn Đinh Trịnh Trương Lâm
    Mạc Nguyên""".split()
)
"""Vietnamese family names with their diacritics, which stand first."""

COMPOUND_HAN: frozenset[str] = frozenset(
    "欧阳 歐陽 司马 司馬 诸葛 諸葛 上官 夏侯 皇甫 尉迟 公孙 慕容 令狐 司徒".split()
)
"""Chinese family names of two characters."""


def is_given_name(word: str) -> bool:
    """Whether a word is among the given names of the default model; none is where no model is installed."""
    return _is_known("given", word)


def is_family_name(word: str) -> bool:
    """Whether a word is among the family names of the default model."""
    return _is_known("family", word) or _is_known("family-common", word)


@lru_cache(1 << 13)
def _is_known(kind: str, word: str) -> bool:
    from ibidem.text.fold import fold, hash32

    words = _known_words(kind)
    return words is not None and all(hash32(fold(part)) in words for part in word.split("-"))


@cache
def _known_words(kind: str) -> HashedSet | None:
    from ibidem.models.shipped import DEFAULT, parser

    return parser(None).model.lexicons.words.get(kind) if DEFAULT.exists() else None
