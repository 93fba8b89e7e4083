"""XML shared by TEI, JATS and EndNote: elements made and written one by one, files read without entities."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, BinaryIO, NamedTuple

from ibidem.errors import ConfigError
from ibidem.records.fields import cache_until_registration, names_in
from ibidem.records.formats.format import LONGEST_LINE, Capabilities, Options, Readable, read_one
from ibidem.records.formats.keys import XML_NAME, render_adapted
from ibidem.records.formats.values import Unreadable, clean
from ibidem.records.record import Record

Element = Any  # lxml's, which is imported where it is used
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"


def etree() -> Any:
    """Return lxml's module, imported where it is first used."""
    from lxml import etree as module

    return module


class Place(NamedTuple):
    """An element with at most one attribute, where the value of a field stands."""

    tag: str
    attribute: str = ""
    value: str = ""

    @property
    def attributes(self) -> dict[str, str]:
        """The attribute that tells it from other elements of its name."""
        return {self.attribute: self.value} if self.attribute else {}


_PLACE = re.compile(r"""((?:imprint/)?[\w.:-]+)(?:\[@([\w.:-]+)=["']([^"']*)["']\])?""")


@cache_until_registration
def places_in(column: str, special: frozenset[str]) -> dict[str, Place]:
    """Return the place of every field in a format but for the `special` ones, which the format has code for.

    >>> from ibidem.records.fields import FIELDS
    >>> special = frozenset(FIELDS) - {"genre"}
    >>> places_in("jats", special)["genre"]
    Place(tag='comment', attribute='content-type', value='genre')
    """
    found: dict[str, Place] = {}
    for field, cell in names_in(column).items():
        match = _PLACE.fullmatch(cell)
        if match:
            found[field] = Place(match[1], match[2] or "", match[3] or "")
        elif field not in special:
            raise ConfigError(f'the {column} of {field!r} is {cell!r}; give an element such as note[@type="x"]')
    return {field: place for field, place in found.items() if field not in special}


def child(parent: Element, tag: str, text: str = "", **attributes: str) -> Element:
    """Add a new element, by default of its parent's namespace; an attribute `pub_id_type` is written pub-id-type."""
    space, mark, _ = parent.tag.rpartition("}")
    made = etree().SubElement(parent, tag if tag.startswith("{") else space + mark + tag)
    for name, value in attributes.items():
        made.set(name.replace("_", "-"), value)
    if text:
        made.text = text
    return made


def add_texts(parent: Element, **texts: str) -> None:
    """Add a new element for each text that is not empty; the tag `given_names` is written given-names."""
    for tag, text in texts.items():
        if text:
            child(parent, tag.replace("_", "-"), text)


def write_each(
    records: Iterable[Record],
    stream: BinaryIO,
    options: Options,
    capabilities: Capabilities,
    make: Callable[[Record, str], Element],
    around: tuple[str, str],
) -> None:
    """Write what `make` returns for each record, as it comes, between two pieces of XML."""

    def render(adapted: Record, key: str, _: Record) -> bytes:
        made = make(adapted, key)
        etree().cleanup_namespaces(made)
        return bytes(etree().tostring(made, encoding="UTF-8", xml_declaration=False)) + b"\n"

    before, after = around
    stream.write(f'<?xml version="1.0" encoding="UTF-8"?>\n{before}\n'.encode())
    for element in render_adapted(capabilities, records, options, render, XML_NAME):
        stream.write(element)
    stream.write(f"{after}\n".encode())


def read_each(
    stream: BinaryIO, names: frozenset[str], make: Callable[[Element], Record], form: str
) -> Iterator[Readable]:
    """Yield what `make` returns for each element of a name, whatever its namespace, in constant memory.

    A file with entities of its own is refused: expanded they can fill the memory, and external ones read files.
    """
    etree_, source = etree(), _Guarded(stream)
    number = 0
    try:
        for _, element in etree_.iterparse(source, events=("end",), **_SAFELY):
            if any(local(parent) in names for parent in element.iterancestors()):
                continue
            if local(element) in names:
                number += 1
                yield read_one(partial(make, element), f"{form} {number}, line {element.sourceline}")
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
            source.held = 0
    except etree_.XMLSyntaxError as error:
        raise Unreadable(f"not well-formed XML, what follows is not read: {clean(str(error))[:200]}") from None


_SAFELY = {
    "resolve_entities": False,
    "load_dtd": False,
    "no_network": True,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}


class _Guarded:
    """A stream that lets no declaration of entities through, nor an element that is too large to be held in memory."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._last = b""
        self.held = 0  # bytes since the last element that was done with

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes, or raise an `Unreadable` where an entity is declared in them."""
        piece = self._stream.read(size)
        self.held += len(piece)
        if self.held > LONGEST_LINE:
            raise Unreadable(f"an element has more than {LONGEST_LINE:,} bytes, too many for a reference")
        # A zero byte between the letters is how UTF-16 would hide the word.
        seen = (self._last + piece).replace(b"\0", b"")
        if b"<!ENTITY" in seen:
            raise Unreadable("the file declares entities of its own, which is refused; write their text out")
        self._last = seen[-16:]
        return piece


def local(element: Element) -> str:
    """Return the name of an element without its namespace, empty for a comment or the like."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def text_of(element: Element) -> str:
    """Return all the text in an element, on one line."""
    return clean("".join(element.itertext()))
