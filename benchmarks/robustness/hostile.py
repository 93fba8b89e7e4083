"""Hostile strings from a seed: invented references in many styles and languages, damaged; and what was never one.

Every string is drawn by a `random.Random`, so a seed gives the same strings again.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from random import Random

from benchmarks.robustness.families import FAMILIES


def _words(text: str) -> list[str]:
    return [word for word in re.split("[ \\n]+", text) if word]  # not at other spaces, which belong to the words


_FAMILY = _words("""Reed Marsh O'Fenn van\u00a0der\u00a0Lock Müller-Lüdenscheid Yılmaz İnce Ødegård Nguyễn
García\u00a0Pérez Åkesson Łukasiewicz Straße Μαργαρίτης Иванов 山田 李 김 السيد כהן 'tHooft Mac\u00a0an\u00a0Bhaird ﬁnch
DUPONT d'Arc Jr. III et\u00a0al.""")
_GIVEN = _words("J. A.B. Jean-Luc M K.-H. Ö. ı. İ. 太郎 Анна Ünal X.Y.Z. 'A. Ⅷ. Jr. 2nd ß.")
_WORDS = _words("""reeds bells tides of the on und der la in herbarium Straßenbahn naïve ﬁeld Æther ΑΒΓ слово 本 العربية
x² H₂O α-helix <i>in&nbsp;vivo</i> \\'etude {N}ew $x_1$ & &amp; ½ № 10% C++ "so-called" 'quoted' (sic)
[sic] et\u0301ude""")
_VENUES = """J. Tidal Eng.|Ann Coast Med|Zeitschrift für Rohrkunde|Труды института|水文学雑誌|Proc. 7th Int. Workshop
|LNCS|arXiv:2001.01234|Ph.D. thesis, Univ. of Fenland|Rev. d'Étude|مجلة البحوث|İstanbul Üniversitesi Dergisi""".split(
    "|"
)
_NUMBERS = _words(
    "12 XIV Ⅷ ⅯⅭⅯ İ ı 0 -1 99999999999999999999 ٣٤ １２ ² 3½ 1e5 S2 12A iv IIII 007 ∞ 一二 ²³ №5 1–2 0x1F"
)
_YEARS = _words(
    "2011 1987 2019a (1999) [1850?] n.d. 99 ２０１９ ٢٠١٩ 1999/2000 in\u00a0press 12.03.2004 0000 99999 2019-13-45 "
    "MCMXC"
)
_PAGES = _words("211–229 44-51 153-60 S40-7 e1002 xii–xiv 1-1-1 229–211 ２–３ 10 pp. İ-ı 99999999999999999999-3 a1")
_LINKS = """doi:10.9907/acm.2019.0153|https://doi.org/10.1000/((x))|http://[::1]/|HTTP://EXAMPLE.COM/%zz?q=1#f|urn:isbn:978-3-16-148410-0
|PMID: 99100417|ISSN 1234-567X|https://例え.jp/パス|file:///etc/passwd|../../x|arXiv:hep-th/9901001|10.1/<script>""".split(
    "|"
)
_STYLES = (
    "[{n}] {A}, “{t},” {v}, vol. {x}, no. {x}, pp. {p}, {y}.",
    "{A} ({y}). {t}. {v}, {x}({x}), {p}. {l}",
    "{n}. {A}. {t}. {v}. {y};{x}({x}):{p}. {l}",
    "{A}: {t}. In: {A} (Hg.): {v}. Bd. {x}. {w}: {w} {y}, S. {p}.",
    "{A}, «{t}», {v}, {y}, № {x}, с. {p}.",
    "{A}。{t}。{v}，{y}，{x}（{x}）：{p}。",
    "{A}، {t}، {v}، {y}، ص {p}.",
    "\\bibitem{{k}} {A}, \\emph{{t}}, {v} \\textbf{{x}} ({y}) {p}.",
    "@article{k, author = {{A}}, title = {{t}}, year = {y}, pages = {p}}",
    '{"title": "{t}", "author": "{A}", "year": {y}}',
    "<bibl><author>{A}</author><title>{t}</title><date>{y}</date></bibl>",
    "TY  - JOUR\nAU  - {A}\nTI  - {t}\nPY  - {y}\nER  - ",
    "{A} {y} {t} {v} {x} {p}",
    "{t}. {y}. {l}. Accessed {y}.",
)
_SNIPPETS = _words("""<!ENTITY x "y"> ]]> <![CDATA[ &#0; &#xD800; &lt; {{{{ }}}} @string{ \\input{/etc/passwd}
%s %n {0} ${x} $(id) `id` ';-- \\u0000 \\ \\\\ // NaN Infinity null undefined true -0 1e999 \x00 \x1b[31m \x9b \r \x85
\u2028 \u2029 \ufeff \u200b \u202e \u2066 \u061c \u00ad \ud800 \udfff \uffff \U0010ffff \U000e0001
\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1e6 ﷽ ﬀ ŉ ǰ ΐ ẞ ß İ ı ſ K Å ͅ Ⅷ ⅷ ⅿ ① ² ٣ １ 〇 ፩ 𝟘 𝔸 а е
о ＡＢ ･ ， ． 。 、 「 」 „ ‚ ″ ‐ ‑ ‒ – — ― − ﹣ ～ … · • † ‡ § ¶ \t \v \f \xa0 \u3000 \u1680 \u2009 and & et und
y e i et\xa0al. u.a. ibid. Jr. III eds. (eds.) pp. vol. no. doi: http:// :// '' "" “ ” « » ( ) [ ] { } <
> , ; : . - _ / | ~ ^ # * + = ? !""")


def hostile_string(random: Random) -> str:
    """Return a string that a parser of references may meet on a bad day."""
    return random.choices(_KINDS, _WEIGHTS)[0](random)


def reference(random: Random) -> str:
    """Return an invented reference in one of many styles and languages."""
    text = random.choice(_STYLES)
    for key, make in _PARTS.items():
        while key in text:
            text = text.replace(key, make(random), 1)
    return text


def _authors(random: Random) -> str:
    comma, end = random.choice([(", ", "; "), (" ", ", "), (", ", " and "), (",", " & "), (" ", " ")])
    names = [f"{random.choice(_FAMILY)}{comma}{random.choice(_GIVEN)}" for _ in range(random.choice((1, 1, 2, 3, 8)))]
    return end.join(names) + random.choice(["", "", " et al.", " u.\xa0a.", " (eds.)", ", Jr."])


def _pick(words: list[str]) -> Callable[[Random], str]:
    return lambda random: random.choice(words).strip("\n")


_PARTS: dict[str, Callable[[Random], str]] = {
    "{A}": _authors,
    "{t}": lambda random: " ".join(random.choices(_WORDS, k=random.randint(1, 12))),
    "{v}": _pick(_VENUES),
    "{x}": _pick(_NUMBERS),
    "{y}": _pick(_YEARS),
    "{p}": _pick(_PAGES),
    "{l}": _pick(_LINKS),
    "{w}": _pick(_WORDS),
    "{k}": lambda random: f"key{random.randrange(9)}",
    "{n}": lambda random: str(random.randrange(500)),
}


def mutated(random: Random) -> str:
    """Return a reference with some of its characters changed, moved, repeated or lost."""
    text = reference(random)
    for _ in range(random.choice((1, 1, 2, 3, 5, 10))):
        text = random.choice(_MUTATIONS)(text, random.randint(0, len(text)), random)
    return text


def _swap(text: str, at: int, random: Random) -> str:
    other = random.randint(0, len(text))
    first, second = min(at, other), max(at, other)
    return text[second:] + text[first:second] + text[:first]


_MUTATIONS: tuple[Callable[[str, int, Random], str], ...] = (
    lambda text, at, random: text[:at] + random.choice(_SNIPPETS) + text[at:],
    lambda text, at, random: text[:at] + any_character(random) + text[at + 1 :],
    lambda text, at, random: text[:at] + text[at + random.randint(1, 20) :],
    lambda text, at, random: text[:at] + text[max(at - random.randint(1, 30), 0) :],
    lambda text, at, random: text[:at] + text[at : at + random.randint(1, 9)] * random.choice((2, 3, 50)) + text[at:],
    lambda text, at, random: text[:at] + reference(random)[random.randint(0, 60) :],
    lambda text, _at, _random: text.upper(),
    lambda text, _at, _random: text.casefold(),
    lambda text, at, _random: text[:at] + text[at:].swapcase(),
    lambda text, at, random: text[:at] + unicodedata.normalize(random.choice(("NFD", "NFKC", "NFKD")), text[at:]),
    lambda text, at, _random: text[:at] + text[at:][::-1],
    lambda text, at, _random: text[:at],
    lambda text, at, _random: text[at:].replace(" ", ""),
    lambda text, _at, random: text.replace(" ", random.choice(("\n", "\xa0", "\t", "  ", "\u2028", "\x00"))),
    _swap,
)


def any_character(random: Random) -> str:
    """Return a character of any plane, of a small alphabet as often as of all."""
    limit = random.choice((0x20, 0x80, 0x180, 0x600, 0x3000, 0x10000, 0x20000, 0x110000))
    return chr(random.randrange(limit))


def _soup(random: Random) -> str:
    return "".join(any_character(random) for _ in range(random.choice((1, 2, 5, 30, 200))))


def _pieces(random: Random) -> str:
    joint = random.choice(("", " ", ", ", ". "))
    return joint.join(random.choices(_SNIPPETS + _NUMBERS + _YEARS + _FAMILY + _LINKS, k=random.randint(1, 25)))


def _repeated(random: Random) -> str:
    return FAMILIES[random.choice(list(FAMILIES))](random.choice((10, 100, 300)))


def _long(random: Random) -> str:
    return FAMILIES[random.choice(list(FAMILIES))](random.choice((2_000, 10_000)))


def _field(random: Random) -> str:
    return random.choice(list(_PARTS.values()))(random)


_KINDS = (mutated, reference, _pieces, _soup, _repeated, _field, _long)
_WEIGHTS = (60, 10, 12, 6, 5, 6.8, 0.2)
