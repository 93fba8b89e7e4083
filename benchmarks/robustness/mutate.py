"""Damage to files: bytes flipped, lost, repeated, spliced or recoded, and words of the format in the wrong place."""

from __future__ import annotations

import gzip
import hashlib
import lzma
import warnings
import zipfile
from collections.abc import Callable, Sequence
from io import BytesIO
from random import Random

_ANYWHERE = (
    b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b"\xc3", b"\n", b"\r", b"\r\n", b"\x0c",
    b"\xc2\x85", b" ", b"\t", b'"', b"'", b"-1", b"0", b"1e999", b"9" * 30, b"9" * 5000, b"NaN", b"nan", b"Infinity",
    b"-0", b"null", b"true", b"\xe2\x80\xae", b"\xc4\xb0", b"\xc3\x9f", b"[" * 2000, b"{" * 2000, b"(" * 2000,
    b"a" * 9000,
)  # fmt: skip


def mutate(data: bytes, others: Sequence[bytes], words: Sequence[bytes], random: Random) -> bytes:
    """Return a file that has been damaged in a few places; `words` are those of its format."""
    head, archive = _divide(data)
    if archive and random.random() < 0.8:
        archive = _inside_archive(archive, words, random)
        return _seal(head, archive) + archive if head else archive
    for _ in range(random.choice((1, 1, 1, 2, 3, 6, 20))):
        data = random.choice(_DAMAGES)(data, _place(data, random), random, words)
    if random.random() < 0.15:
        other, cut = random.choice(others), random.random()
        data = data[: int(len(data) * cut)] + other[int(len(other) * cut) :]
    return random.choice(_RECODED)(data, random) if random.random() < 0.06 else data


def _place(data: bytes, random: Random) -> int:
    """Return a place in a file: anywhere, or right after what ends a line, a value or an element."""
    at = random.randint(0, len(data))
    found = data.find(random.choice((b"\n", b",", b">", b" ")), at) if random.random() < 0.6 else -1
    return at if found < 0 else found + 1


_CHECKPOINT = b"ibidem checkpoint "

Damage = Callable[[bytes, int, Random, Sequence[bytes]], bytes]
_DAMAGES: tuple[Damage, ...] = (
    lambda data, at, random, _: data[:at] + bytes([random.randrange(256)]) + data[at + 1 :],
    lambda data, at, random, _: data[:at] + _flip(data[at : at + 1], random) + data[at + 1 :],
    lambda data, at, random, _: data[:at] + data[at + random.choice((1, 2, 8, 64)) :],
    lambda data, at, random, _: data[:at] + data[max(0, at - random.choice((1, 8, 100))) :],
    lambda data, at, _random, _: data[:at],
    lambda data, at, _random, _: data[at:],
    lambda data, at, random, words: data[:at] + random.choice(words) + data[at:],
    lambda data, at, random, words: data[:at] + random.choice(words) + data[at:],
    lambda data, at, random, words: data[:at] + random.choice(words) * random.choice((2, 50, 1000)) + data[at:],
    lambda data, at, random, _: data[:at] + random.choice(_ANYWHERE) + data[at:],
    lambda data, at, random, _: data[:at] + random.choice(_ANYWHERE) + data[at + random.choice((1, 4, 9)) :],
    lambda data, at, random, _: _replace_value(data, at, random),
)  # fmt: skip


def _flip(byte: bytes, random: Random) -> bytes:
    return bytes(one ^ (1 << random.randrange(8)) for one in byte)


_VALUES = (
    b"[]",
    b"{}",
    b"null",
    b"-1",
    b"1e308",
    b"9" * 25,
    b'""',
    b"true",
    b"[[]]",
    b'{"a":{}}',
    b"0.5",
    b'"\\ud800"',
    b"NaN",
)


def _replace_value(data: bytes, at: int, random: Random) -> bytes:
    """Put another value after the next colon or equals sign, up to the end of what stands there."""
    found = [place for mark in (b":", b"=", b">") if (place := data.find(mark, at)) >= 0]
    if not found:
        return data
    start = min(found) + 1
    ends = [place for mark in (b",", b"\n", b"}", b"<") if (place := data.find(mark, start)) >= 0]
    return data[:start] + random.choice(_VALUES) + data[min(ends, default=len(data)) :]


_RECODED: tuple[Callable[[bytes, Random], bytes], ...] = (
    lambda data, _: data.decode("utf-8", "replace").encode("utf-16"),
    lambda data, _: data.decode("utf-8", "replace").encode("utf-32"),
    lambda data, _: data.decode("utf-8", "replace").encode("latin-1", "replace"),
    lambda data, random: gzip.compress(data)[: random.choice((None, -5, 20))],
    lambda data, random: lzma.compress(data, preset=0)[: random.choice((None, -5, 20))],
    lambda data, _: data.replace(b"\n", b"\r"),
    lambda data, _: b"\xef\xbb\xbf" + data,
    lambda data, random: b"\xff\xfe" + data[: random.randint(0, len(data))],
)


def _divide(data: bytes) -> tuple[bytes, bytes]:
    """Return the line before a zip archive and the archive, which is empty where a file is none."""
    head, end, archive = data.partition(b"\n") if data.startswith(_CHECKPOINT) else (b"", b"", data)
    return head + end, archive if archive.startswith(b"PK") else b""


def _seal(head: bytes, archive: bytes) -> bytes:
    """Return the first line of a checkpoint with the checksum of this archive."""
    return b" ".join((*head.split()[:-1], hashlib.sha256(archive).hexdigest().encode())) + b"\n"


def _inside_archive(data: bytes, words: Sequence[bytes], random: Random) -> bytes:
    """Damage a member of a zip archive and pack it anew, so that its checksum is right."""
    packed = BytesIO()
    warnings.filterwarnings("ignore", "Duplicate name")
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(packed, "w") as new:
        names = old.namelist()
        chosen = random.choice(names)
        for name in names:
            content = old.read(name)
            if name == chosen:
                spoil = name.endswith(".npy") and random.random() < 0.7
                content = _spoil_numbers(content, random) if spoil else content
                for _ in range(0 if spoil else random.choice((1, 1, 3))):
                    damage = random.choice(_DAMAGES)
                    content = damage(content, random.randint(0, len(content)), random, words)
            if name != chosen or random.random() < 0.9:
                new.writestr(zipfile.ZipInfo(name), content)
            if random.random() < 0.02:
                new.writestr(zipfile.ZipInfo(random.choice(names)), content)
    return packed.getvalue()


def _spoil_numbers(content: bytes, random: Random) -> bytes:
    """Return an array of a `.npy` file with wrong numbers in it: its shape and type stay, so it is believed longer."""
    head, end, body = content.partition(b"\n")
    width = random.choice((1, 2, 4, 8))
    changed = bytearray(body)
    for _ in range(random.choice((1, 2, 20))):
        at = random.randrange(max(1, len(body) // width)) * width
        number = random.choice((b"\xff" * 8, b"\x00" * 8, b"\x7f" * 8, b"\x01" + b"\x00" * 7, random.randbytes(8)))
        changed[at : at + width] = number[: min(width, len(body) - at)]
    return head + end + bytes(changed)
