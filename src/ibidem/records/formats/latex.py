"""Text made safe for TeX, and TeX made text: what stands in a BibTeX file is never a command, what is read is plain.

Writing needs a table and nothing else, since every TeX of today reads UTF-8; reading leaves the work to pylatexenc.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

_NAMED = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",  # \{ would count as a brace to BibTeX
    "}": r"\textbraceright{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\xa0": "~",
    **{character: f"\\{character}" for character in "$&%#_"},
}
_ESCAPED = str.maketrans(_NAMED)
# Two characters that TeX would draw as one, such as the two hyphens of a dash.
_LIGATURE = re.compile(r"(?<=-)(?=-)|(?<=`)(?=`)|(?<=')(?=')|(?<=[?!])(?=`)|(?<=,)(?=,)")
_COMMANDS = re.compile(r"[\\{}$~]|--|``|''|,,|[?!]`")
_DECODED = {
    "textbackslash": "\\", "textbraceleft": "{", "textbraceright": "}", "textasciicircum": "^",
    "textasciitilde": "~", "textless": "<", "textgreater": ">", "textbar": "|", "textquotedbl": '"',
    "textquotesingle": "'", "slash": "/", "textunderscore": "_", "textdollar": "$", "relax": "", "noopsort": "",
    "-": "", "/": "", "newblock": "", "textsubscript": "%s", "textsuperscript": "%s", "url": "%s", "path": "%s",
    "enquote": "“%s”", "TeX": "TeX", "LaTeX": "LaTeX", "BibTeX": "BibTeX",
}  # fmt: skip
_LIGATURES = {"---": "—", "--": "–", "``": "“", "''": "”", ",,": "„", "?`": "¿", "!`": "¡", "~": "\xa0"}
# What needs no library: all that `escape` writes, and the most of what others write.
_SIMPLE = re.compile(r"\\([&%#_$])|\\(text[a-z]+)\{\}|([{}])|(---|--|``|''|,,|[?!]`|~)")


def escape(text: str) -> str:
    """Return the TeX source that prints a text.

    >>> print(escape(r"50 % of {all} \\input in R&D -- a_b"))
    50 \\% of \\textbraceleft{}all\\textbraceright{} \\textbackslash{}input in R\\&D -{}- a\\_b
    """
    # The braces that part two characters are put in after the braces of the text have been replaced.
    return _LIGATURE.sub("{}", text.translate(_ESCAPED))


def escape_verbatim(text: str) -> str:
    """Percent-encode what would break the file in an address or identifier that TeX takes as it is.

    >>> escape_verbatim("https://a.b/c_d?e=%20{f}")
    'https://a.b/c_d?e=%20%7Bf%7D'
    """
    return text.replace("{", "%7B").replace("}", "%7D").replace("\\", "%5C").replace(" ", "%20")


def protect_capitals(title: str) -> str:
    """Return a title as TeX source with braces around the words whose capitals a style must not make small.

    Words with a capital inside always are such; where the title is not in capitals throughout, every capital after its
    beginning means something.

    >>> print(protect_capitals("The rise of mRNA vaccines in Ghana: An overview"))
    The rise of {mRNA} vaccines in {Ghana}: An overview
    >>> print(protect_capitals("The Rise of mRNA Vaccines in West Africa"))
    The Rise of {mRNA} Vaccines in West Africa
    """
    words = title.split(" ")
    long = [word for word in words[1:] if len(word) > 3 and word[:1].isalpha()]
    headline = sum(word[0].isupper() for word in long) * 2 > len(long)
    made: list[str] = []
    begins = True
    for word in words:
        tail = word.lstrip('([“‘"')
        core = _strip_after(tail)
        inside = any(character.isupper() for part in core.split("-") for character in part[1:])
        keep = inside or (not headline and not begins and core[:1].isupper())
        before, after = word[: len(word) - len(tail)], tail[len(core) :]
        made.append(f"{escape(before)}{{{escape(core)}}}{escape(after)}" if keep else escape(word))
        begins = word.endswith((":", "?", "!", ".")) if word else begins
    return " ".join(made)


def _strip_after(word: str) -> str:
    """Strip the marks after a word, but for a bracket that is opened in it."""
    closed = {last: word.count(last) - word.count(first) for first, last in ("()", "[]")}
    end = len(word)
    while end and word[end - 1] in '.,:;?!)]”’"':
        last = word[end - 1]
        if last in closed and closed[last] <= 0:
            break
        if last in closed:
            closed[last] -= 1
        end -= 1
    return word[:end]


def decode(source: str) -> str:
    """Return the text that TeX source prints; a command that is not known stays as it was written.

    >>> print(decode(r"{G}\\"odel -- {\\'E}tudes \\& R\\_D \\strange{x}"))
    Gödel – Études & R_D \\strange x
    """
    if not _COMMANDS.search(source):
        return source
    left = _SIMPLE.sub("", source)
    if "\\" not in left and "$" not in left and all(one[1] in _DECODED for one in _SIMPLE.findall(source) if one[1]):
        return _SIMPLE.sub(_plain, source)
    return decode_by_library(source)


def decode_by_library(source: str) -> str:
    """Decode TeX source with pylatexenc, where the quick way does not suffice."""
    converter, arguments = _converter()
    return str(converter.latex_to_text(source, latex_context=arguments))


def _plain(found: re.Match[str]) -> str:
    """Return the text of a simple piece of TeX; braces print nothing."""
    special, command, _, ligature = found.groups()
    return special or (_DECODED[command] if command else _LIGATURES[ligature] if ligature else "")


def _around(template: str) -> Any:
    """Return the printer of a command that has one argument, which may be empty or missing."""
    before, _, after = template.partition("%s")

    def print_macro(node: Any, l2tobj: Any) -> str:
        arguments = node.nodeargd.argnlist if node.nodeargd and node.nodeargd.argnlist else ()
        return before + "".join(l2tobj.nodelist_to_text([one]) for one in arguments if one is not None) + after

    return print_macro


@cache
def _converter() -> tuple[Any, Any]:
    """Return the converter of TeX into text, and what it must know of the arguments of commands."""
    from pylatexenc import latexwalker
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, SpecialsTextSpec, get_default_latex_context_db

    known = get_default_latex_context_db()
    known.add_context_category(
        "ibidem",
        prepend=True,
        macros=[MacroTextSpec(n, simplify_repl=_around(t) if "%s" in t else t) for n, t in _DECODED.items()],
        specials=[SpecialsTextSpec(characters, simplify_repl=text) for characters, text in _LIGATURES.items()],
    )
    known.set_unknown_macro_spec(MacroTextSpec("", simplify_repl=lambda node: f"\\{node.macroname} "))
    arguments = latexwalker.get_default_latex_context_db()
    taking = [latexwalker.macrospec.std_macro(name, "{") for name, text in _DECODED.items() if "%s" in text]
    arguments.add_context_category("ibidem", prepend=True, macros=taking)
    converter = LatexNodes2Text(known, math_mode="verbatim", keep_comments=True, strict_latex_spaces=True)
    return converter, arguments
