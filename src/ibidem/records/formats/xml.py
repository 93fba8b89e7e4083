"""XML shared by TEI, JATS and EndNote: elements made and written one by one, files read without entities."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

from ibidem.records.formats.keys import XML_NAME, carried_by
from ibidem.records.formats.limits import Capabilities
from ibidem.records.formats.shape import Options, Readable, missing
from ibidem.records.formats.values import clean
from ibidem.records.record import Record
from ibidem.types import Malformed

Element = Any  # lxml's, which is imported where it is used
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"


def etree() -> Any:
    """The module of lxml that does the work."""
    try:
        from lxml import etree as module
    except ImportError as error:
        raise missing("lxml", "formats", "XML") from error
    return module


def child(parent: Element, tag: str, text: str = "", **attributes: str) -> Element:
    """A new element in its parent; an attribute `pub_id_type` is written pub-id-type."""
    made = etree().SubElement(parent, tag)
    for name, value in attributes.items():
        made.set(name.replace("_", "-"), value)
    if text:
        made.text = text
    return made


def write_each(
    records: Iterable[Record],
    stream: BinaryIO,
    options: Options,
    limits: Capabilities,
    make: Callable[[Record, str], Element],
    around: tuple[str, str],
) -> None:
    """Nothing: writes what `make` gives for each record, as it comes, between two pieces of XML."""
    before, after = around
    etree()  # what is missing is told of before anything is written
    stream.write(f'<?xml version="1.0" encoding="UTF-8"?>\n{before}\n'.encode())
    for key, carried, _ in carried_by(limits, records, options, XML_NAME):
        made = make(carried, key)
        etree().cleanup_namespaces(made)
        stream.write(etree().tostring(made, encoding="UTF-8", xml_declaration=False) + b"\n")
    stream.write(f"{after}\n".encode())


def read_each(
    stream: BinaryIO, names: frozenset[str], make: Callable[[Element, Any], Record], form: str
) -> Iterator[Readable]:
    """What `make` gives for each element of a name, whatever its namespace, in constant memory.

    A file with entities of its own is refused: expanded they can fill the memory, and external ones read files.
    """
    etree_ = etree()
    number = 0
    try:
        for _, element in etree_.iterparse(_Guarded(stream), events=("end",), **_SAFELY):
            if not isinstance(element.tag, str) or etree_.QName(element).localname not in names:
                continue
            if any(_local(parent) in names for parent in element.iterancestors()):
                continue
            number += 1
            yield _made(make, element, f"{form} {number}, line {element.sourceline}")
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    except etree_.XMLSyntaxError as error:
        yield Malformed("the file", f"not well-formed XML, what follows is not read: {clean(str(error))[:200]}")
    except ValueError as error:
        yield Malformed("the file", str(error))


_SAFELY = {
    "resolve_entities": False,
    "load_dtd": False,
    "no_network": True,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}


class _Guarded:
    """A stream that lets no declaration of entities through."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._last = b""

    def read(self, size: int = -1) -> bytes:
        """The next bytes, or a ValueError where an entity is declared in them."""
        piece = self._stream.read(size)
        # A zero byte between the letters is how UTF-16 would hide the word.
        seen = (self._last + piece).replace(b"\0", b"")
        if b"<!ENTITY" in seen:
            raise ValueError("the file declares entities of its own, which is refused; write their text out")
        self._last = seen[-16:]
        return piece


def _made(make: Callable[[Element, Any], Record], element: Element, where: str) -> Readable:
    try:
        return make(element, etree())
    except (ValueError, KeyError, RecursionError) as error:
        return Malformed(where, f"cannot be read: {error}")


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def local(element: Element) -> str:
    """The name of an element without its namespace, empty for a comment or the like."""
    return _local(element)


def text_of(element: Element) -> str:
    """All the text in an element, on one line."""
    return clean("".join(element.itertext()))
