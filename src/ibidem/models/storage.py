"""A model on disk: one zip file with a JSON description and plain NumPy arrays. No pickles.

Arrays are stored without compression, so that opening a model is a read and nothing more.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from ibidem.errors import ModelError
from ibidem.features import Lexicons
from ibidem.models.chain import ChainModel
from ibidem.models.encoder import Encoder
from ibidem.models.rows import SparseRows

FORMAT = 1
_DESCRIPTION = "model.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same model gives the same bytes
Arrays = dict[str, NDArray[Any]]


def save(model: ChainModel, path: Path) -> None:
    """Writes the model; the file appears whole or not at all."""
    known = {name: np.flatnonzero(rows >= 0).astype(np.uint32) for name, rows in model.encoder.context.items()}
    description = {
        "format": FORMAT,
        "kind": "chain",
        "labels": model.labels,
        "remember": model.remember,
        "window": model.attribute.width // len(model.labels),
        "context": {name: len(rows) for name, rows in model.encoder.context.items()},
        "calibration": model.calibration,
        "card": model.card,
    }
    arrays: Arrays = {"arc": model.arc, "attributes": model.encoder.attributes}
    for name, rows in (("attribute", model.attribute), ("context", model.context)):
        parts = {"start": rows.start, "column": rows.column, "value": rows.value, "scale": rows.scale}
        arrays |= {f"{name}/{part}": array for part, array in parts.items()}
    arrays |= {f"known/{name}": codes for name, codes in known.items()}
    arrays |= {f"lexicons/{name}": array for name, array in model.encoder.lexicons.arrays().items()}
    _write(path, description, arrays)


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


def load(path: Path) -> ChainModel:
    """The model in a file; a `ModelError` says what is wrong with any other file."""
    description, arrays = _read(path)
    try:
        return _assemble(description, arrays)
    except (KeyError, ValueError, IndexError, TypeError, AttributeError) as error:
        raise ModelError(f"{path} is damaged: its parts do not fit together ({error!r}); fetch or train it again") from None


def _read(path: Path) -> tuple[dict[str, Any], Arrays]:
    try:
        with zipfile.ZipFile(path) as archive:
            description = json.loads(archive.read(_DESCRIPTION))
            _check(path, description)
            names = [name for name in archive.namelist() if name.endswith(".npy")]
            return description, {name.removesuffix(".npy"): _array(archive, name) for name in names}
    except FileNotFoundError:
        raise ModelError(f"no model at {path}: give the path of a file written by 'ibidem train'") from None
    except IsADirectoryError:
        raise ModelError(f"{path} is a folder: give the model file inside it") from None
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError, OSError, zlib.error, NotImplementedError) as error:
        raise ModelError(f"{path} is not an Ibidem model, or it is cut short ({error}); fetch or train it again") from None


def _check(path: Path, description: object) -> None:
    if not isinstance(description, dict) or "format" not in description:
        raise ModelError(f"{path} is not an Ibidem model: its description has no format number")
    if description["format"] != FORMAT:
        raise ModelError(
            f"{path} has model format {description['format']}, this version of Ibidem reads format {FORMAT}: "
            "upgrade Ibidem, or train the model again"
        )
    if description.get("kind") != "chain":
        raise ModelError(f"{path} holds a model of kind {description.get('kind')!r}; this version reads 'chain'")


def _array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """One array; the header is believed only when the bytes are there, so no file can ask for more memory than it has."""
    raw = io.BytesIO(archive.read(name))
    version = npy.read_magic(raw)
    shape, fortran, dtype = npy.read_array_header_1_0(raw) if version == (1, 0) else npy.read_array_header_2_0(raw)
    body = raw.getbuffer()[raw.tell() :]
    if dtype.hasobject or fortran or math.prod(shape) * dtype.itemsize != len(body):
        raise ValueError(f"array {name} does not match its header")
    return np.frombuffer(body, dtype=dtype).reshape(shape)


def _assemble(description: dict[str, Any], arrays: Arrays) -> ChainModel:
    labels = tuple(description["labels"])
    context = {}
    used = 0
    for name, size in description["context"].items():
        codes = arrays[f"known/{name}"]
        rows = np.full(int(size), -1, dtype=np.int32)
        rows[codes] = np.arange(used, used + len(codes))
        context[name] = rows
        used += len(codes)
    lexicons = Lexicons.from_arrays(
        {name.removeprefix("lexicons/"): array for name, array in arrays.items() if name.startswith("lexicons/")}
    )
    attributes = arrays["attributes"]
    attribute = _rows(arrays, "attribute", int(description["window"]) * len(labels))
    table = _rows(arrays, "context", len(labels))
    if len(attribute.scale) != len(attributes) or len(table.scale) != used:
        raise ValueError("the numbers of features and of weights differ")
    calibration = {name: (float(a), float(b)) for name, (a, b) in description["calibration"].items()}
    encoder = Encoder(lexicons, attributes, context)
    remember = bool(description["remember"])
    return ChainModel(labels, remember, encoder, attribute, table, arrays["arc"], calibration, description["card"])


def _rows(arrays: Arrays, name: str, width: int) -> SparseRows:
    start, column, value, scale = (arrays[f"{name}/{part}"] for part in ("start", "column", "value", "scale"))
    if len(start) != len(scale) + 1 or int(start[-1]) != len(column) or len(column) != len(value):
        raise ValueError(f"the rows of {name} are inconsistent")
    if np.any(np.diff(start.astype(np.int64)) < 0) or int(column.max(initial=0)) >= width:
        raise ValueError(f"the rows of {name} are out of order")
    return SparseRows(start, column, value, scale, width)
