"""A model on disk: one zip file with a JSON description and plain NumPy arrays. No pickles.

Arrays are stored without compression, so that opening a model is a read and nothing more.
"""

from __future__ import annotations

import io
import json
import math
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from ibidem.errors import IbidemError, ModelError
from ibidem.features import Lexicons, features_of
from ibidem.features.segments import segment_sizes
from ibidem.inference import ROLES
from ibidem.inference.constraints import compiled, parse_constraint
from ibidem.labels.tasks import REFERENCES, task_of
from ibidem.models.chain import ChainModel
from ibidem.models.encoder import Encoder
from ibidem.models.induction.conjunctions import FARTHEST, Conjunctions
from ibidem.models.rows import WIDEST, SparseRows
from ibidem.models.scorer import Model
from ibidem.models.semi.labels import LONGEST
from ibidem.models.semi.model import SemiModel
from ibidem.types import Automaton, IntArray

FORMAT = 3  # 2 has constraints or a task, 3 conjunctions of features: what a reader of less would leave aside
KINDS = ("chain", "semi")
_DESCRIPTION = "model.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same model gives the same bytes
_PARTS = {"start": np.uint32, "column": np.uint16, "value": np.int8, "scale": np.float32}
# what reading a file that is something else may raise; RuntimeError: encrypted, of an unknown method, nested too deeply
_FOREIGN: tuple[type[Exception], ...] = (zipfile.BadZipFile, zlib.error, struct.error, tokenize.TokenError, SyntaxError)
_FOREIGN += (LookupError, ValueError, TypeError, OverflowError, EOFError, OSError, RuntimeError)
Arrays = dict[str, NDArray[Any]]


class _UnknownFeature(Exception):
    """A model uses a feature that is not registered here."""


def save(model: Model, path: Path) -> None:
    """Writes the model; the file appears whole or not at all."""
    known = {name: np.flatnonzero(rows >= 0).astype(np.uint32) for name, rows in model.encoder.context.items()}
    description = {
        "format": _format_of(model),
        "kind": "semi" if isinstance(model, SemiModel) else "chain",
        **({"task": model.encoder.task} if model.encoder.task != REFERENCES.name else {}),
        "labels": model.labels,
        "window": model.attribute.width // model.context.width,
        "context": {name: len(rows) for name, rows in model.encoder.context.items()},
        "calibration": model.calibration,
        **({"constraints": dict(model.constraints)} if model.constraints else {}),
        "card": model.card,
    }
    arrays: Arrays = {"arc": model.arc, "attributes": model.encoder.attributes}
    tables = {"attribute": model.attribute, "context": model.context}
    if isinstance(model, SemiModel):
        whole = len(model.segment.scale) > 0
        description["roles"] = model.roles
        description["stretches"] = segment_sizes(model.encoder.lexicons) if whole else {}
        arrays["limits"] = model.limits.astype(np.int32)
        tables["segment"] = model.segment
    for name, rows in tables.items():
        arrays |= {f"{name}/{part}": getattr(rows, part) for part in _PARTS}
    arrays |= {f"known/{name}": codes for name, codes in known.items()}
    parts = {name: getattr(model.automaton, name) for name in ("label", "src", "dst", "final")}
    arrays |= {f"automaton/{name}": array for name, array in parts.items()}
    arrays |= {f"lexicons/{name}": array for name, array in model.encoder.lexicons.arrays().items()}
    induced = model.encoder.induced
    if len(induced):
        description["induced"] = induced.part.shape[1]
        arrays |= {"induced/part": induced.part.ravel(), "induced/offset": induced.offset.ravel()}
    _write(path, description, arrays)


def _format_of(model: Model) -> int:
    """The lowest number of a format that has all the model has."""
    if len(model.encoder.induced):
        return 3
    return 2 if model.constraints or model.encoder.task != REFERENCES.name else 1


def _write(path: Path, description: dict[str, Any], arrays: Arrays) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
        text = json.dumps(description, ensure_ascii=False, indent=1)
        archive.writestr(zipfile.ZipInfo(_DESCRIPTION, _EPOCH), text)
        for name, array in arrays.items():
            buffer = io.BytesIO()
            npy.write_array(buffer, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", _EPOCH), buffer.getvalue())
    partial.replace(path)


def load(path: Path) -> Model:
    """The model in a file; a `ModelError` says what is wrong with any other file."""
    description, arrays = _read(path)
    try:
        return _assemble(description, arrays)
    except _UnknownFeature as error:
        raise ModelError(
            f"{path} uses the feature {error.args[0]!r}, which this version of Ibidem does not have: "
            "upgrade Ibidem, or register the feature before loading the model"
        ) from None
    except (LookupError, ValueError, TypeError, AttributeError, OverflowError, IbidemError) as error:
        reason = str(error).partition("\n")[0]
        sentence = f"{path} is damaged or of another version: its parts do not fit together ({reason})"
        raise ModelError(f"{sentence}; fetch or train it again") from None


def _read(path: Path) -> tuple[dict[str, Any], Arrays]:
    try:
        with zipfile.ZipFile(path) as archive:
            _check_sizes(archive, path.stat().st_size)
            description = json.loads(archive.read(_DESCRIPTION))
            _check(path, description)
            names = [name for name in archive.namelist() if name.endswith(".npy")]
            return description, {name.removesuffix(".npy"): _array(archive, name) for name in names}
    except FileNotFoundError:
        raise ModelError(f"no model at {path}: give the path of a file written by 'ibidem train'") from None
    except IsADirectoryError:
        raise ModelError(f"{path} is a folder: give the model file inside it") from None
    except _FOREIGN as error:
        raise ModelError(
            f"{path} is not an Ibidem model, or it is cut short ({error}); fetch or train it again"
        ) from None


def _check_sizes(archive: zipfile.ZipFile, size: int) -> None:
    """Refuses parts that claim to be larger than the file, so that no file can ask for more memory than it has."""
    parts = archive.infolist()
    if any(part.compress_type != zipfile.ZIP_STORED for part in parts) or sum(part.file_size for part in parts) > size:
        raise ValueError("its parts are compressed or larger than the file")


def _check(path: Path, description: object) -> None:
    if not isinstance(description, dict) or "format" not in description:
        raise ModelError(f"{path} is not an Ibidem model: its description has no format number")
    if description["format"] not in range(1, FORMAT + 1):
        raise ModelError(
            f"{path} has model format {description['format']}, this version of Ibidem reads formats up to {FORMAT}: "
            "upgrade Ibidem, or train the model again"
        )
    if description.get("kind") not in KINDS:
        kind = description.get("kind")
        raise ModelError(f"{path} holds a model of kind {kind!r}, this version reads {KINDS}: upgrade Ibidem")


def _array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """One array of numbers in a row; its header is believed only when the bytes are there."""
    raw = io.BytesIO(archive.read(name))
    if npy.read_magic(raw) != (1, 0):
        raise ValueError(f"array {name} has a header of another version")
    shape, _, dtype = npy.read_array_header_1_0(raw)
    body = raw.getbuffer()[raw.tell() :]
    if dtype.kind not in "biuf" or len(shape) != 1 or shape[0] * dtype.itemsize != len(body):
        raise ValueError(f"array {name} does not match its header")
    return np.frombuffer(body, dtype=dtype)


def _assemble(description: dict[str, Any], arrays: Arrays) -> Model:
    labels, window = _labels(description)
    semi = description["kind"] == "semi"
    roles = int(description["roles"]) if semi else 1
    if not 1 <= roles <= len(ROLES) or roles * window * len(labels) > WIDEST:
        raise ValueError(f"{roles} roles of tokens, {len(labels)} labels and a window of {window} make no model")
    lexicons = Lexicons.from_arrays(
        {name.removeprefix("lexicons/"): array for name, array in arrays.items() if name.startswith("lexicons/")}
    )
    task = task_of(str(description.get("task", REFERENCES.name))).name
    context, used = _context(description["context"], arrays, features_of(task).sizes(lexicons))
    attributes = _typed(arrays, "attributes", np.uint32)
    attribute = _rows(arrays, "attribute", window * roles * len(labels))
    table = _rows(arrays, "context", roles * len(labels))
    arc = _typed(arrays, "arc", np.float32)
    automaton = _automaton(arrays, len(labels))
    induced = _induced(description, arrays, len(attributes), used)
    if len(attribute.scale) != len(attributes) or len(table.scale) != used + len(induced):
        raise ValueError("the numbers of features and of weights differ")
    if len(arc) != len(automaton.src):
        raise ValueError("the numbers of arcs and of their weights differ")
    calibration = {name: (float(a), float(b)) for name, (a, b) in description["calibration"].items()}
    if not all(math.isfinite(number) for pair in calibration.values() for number in pair):
        raise ValueError("the calibration is not finite")
    encoder = Encoder(lexicons, attributes, context, task, induced)
    constraints = {str(text): float(penalty) for text, penalty in description.get("constraints", {}).items()}
    compiled([parse_constraint(text) for text in constraints], labels)  # refuses what does not fit
    if not all(penalty >= 0 for penalty in constraints.values()):  # NaN is not; infinity makes one hard
        raise ValueError("the penalties of its constraints are not numbers of 0 or more")
    card = dict(description["card"])
    if not semi:
        return ChainModel(labels, automaton, encoder, attribute, table, arc, calibration, constraints, card)
    limits, segment = _segments(description, arrays, len(labels), lexicons)
    known = (labels, automaton, encoder, attribute, table, arc, limits, roles, segment)
    return SemiModel(*known, calibration, constraints, card)


def _segments(
    description: dict[str, Any], arrays: Arrays, labels: int, lexicons: Lexicons
) -> tuple[IntArray, SparseRows]:
    """The longest segments of the labels, and the weights of segments."""
    limits = _typed(arrays, "limits", np.int32)
    if len(limits) != labels or limits.min() < 1 or limits.max() > LONGEST:
        raise ValueError("the limits of its segments do not fit its labels")
    sizes = {str(name): int(size) for name, size in description["stretches"].items()}
    if sizes and sizes != segment_sizes(lexicons):
        raise ValueError("its features of segments are not those of this version")
    segment = _rows(arrays, "segment", labels)
    if len(segment.scale) != sum(sizes.values()):
        raise ValueError("the numbers of features of segments and of weights differ")
    return limits, segment


def _automaton(arrays: Arrays, labels: int) -> Automaton:
    label, src, dst = (_typed(arrays, f"automaton/{part}", np.int32) for part in ("label", "src", "dst"))
    final = _typed(arrays, "automaton/final", np.bool_)
    states = len(label)
    fits = states == len(final) and len(src) == len(dst) and states > 0
    if not fits or label.min() < 0 or label.max() >= labels or src.min() < -1 or src.max() >= states:
        raise ValueError("the automaton is inconsistent")
    if dst.min() < 0 or dst.max() >= states:
        raise ValueError("the automaton is inconsistent")
    return Automaton(label, src, dst, final)


def _labels(description: dict[str, Any]) -> tuple[tuple[str, ...], int]:
    """The labels and the size of the window."""
    labels, window = tuple(map(str, description["labels"])), int(description["window"])
    named = all(part[:2] in ("B-", "I-") for label in labels if label != "O" for part in label.split("/"))
    if not named or "O" not in labels or len(set(labels)) < len(labels):
        raise ValueError("its labels are not nested BIO labels")
    if window < 1 or window % 2 == 0 or window * len(labels) > WIDEST:
        raise ValueError(f"{len(labels)} labels and a window of {window} make no model")
    return labels, window


def _context(sizes: Any, arrays: Arrays, expected: Mapping[str, int]) -> tuple[dict[str, IntArray], int]:
    """The row of the table for every code of every feature of context, and the number of rows."""
    context: dict[str, IntArray] = {}
    used = 0
    for name, size in sizes.items():
        if name not in expected:
            raise _UnknownFeature(name)
        if expected[name] != size:
            raise ValueError(f"its feature {name!r} has {size} codes, here it has {expected[name]}")
        codes = _typed(arrays, f"known/{name}", np.uint32)
        rows = np.full(size, -1, dtype=np.int32)
        rows[codes] = np.arange(used, used + len(codes))
        context[name] = rows
        used += len(codes)
    return context, used


def _induced(description: dict[str, Any], arrays: Arrays, attributes: int, contexts: int) -> Conjunctions:
    """The conjunctions of features, none where the model has none."""
    widest = int(description.get("induced", 0))
    if not widest:
        return Conjunctions()
    part, offset = _typed(arrays, "induced/part", np.int32), _typed(arrays, "induced/offset", np.int8)
    if widest < 1 or len(part) % widest or len(part) != len(offset):
        raise ValueError("the parts of its conjunctions are inconsistent")
    part, offset = part.reshape(-1, widest), offset.reshape(-1, widest)
    known = (part < attributes) & (part >= -1 - contexts)
    if (
        not known.all()
        or np.abs(offset.astype(np.int64)).max(initial=0) > FARTHEST
        or not (part != -1).any(axis=1).all()
    ):
        raise ValueError("its conjunctions join features that it does not have")
    return Conjunctions(part, offset)


def _rows(arrays: Arrays, name: str, width: int) -> SparseRows:
    start, column, value, scale = (_typed(arrays, f"{name}/{part}", dtype) for part, dtype in _PARTS.items())
    if len(start) != len(scale) + 1 or int(start[-1]) != len(column) or len(column) != len(value):
        raise ValueError(f"the rows of {name} are inconsistent")
    if start[0] or np.any(start[1:] < start[:-1]) or int(column.max(initial=0)) >= width:
        raise ValueError(f"the rows of {name} are out of order")
    return SparseRows(start, column, value, scale, width)


def _typed(arrays: Arrays, name: str, dtype: type) -> NDArray[Any]:
    """The array of that name, if its numbers are of that type and finite."""
    array = arrays[name]
    if array.dtype != dtype or (array.dtype.kind == "f" and not np.isfinite(array).all()):
        raise ValueError(f"array {name} does not hold finite numbers of type {np.dtype(dtype)}")
    return array
