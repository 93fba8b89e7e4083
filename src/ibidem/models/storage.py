"""A model on disk: one zip file with a JSON description and plain NumPy arrays. No pickles.

Arrays are stored without compression, so that opening a model is a read and nothing more. What a file holds beside
calibration, constraints and card is up to the kind of model (`Model.dump`, `Model.load`).
"""

from __future__ import annotations

import io
import json
import math
import struct
import tokenize
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from ibidem.errors import ConfigError, IbidemError, InputError, ModelError
from ibidem.faults import first_line
from ibidem.files import check_outputs, open_output
from ibidem.inference.constraints import compile_constraints, parse_constraint
from ibidem.labels.tasks import REFERENCES
from ibidem.models.calibration import Map
from ibidem.models.scorer import Arrays, Description, Model, UnknownFeature, model_class, model_names

# 2 has constraints or a task, 3 conjunctions of features, 4 doubt in the calibration: an older reader would ignore them
FORMAT = 4
_DESCRIPTION = "model.json"
_FIRST = ("format", "kind", "task", "labels", "window", "context", "calibration", "constraints", "card")
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same model gives the same bytes
# what reading a file that is something else may raise; RuntimeError: encrypted, of an unknown method, nested too deeply
_FOREIGN: tuple[type[Exception], ...] = (zipfile.BadZipFile, zlib.error, struct.error, tokenize.TokenError, SyntaxError)
_FOREIGN += (LookupError, ValueError, TypeError, OverflowError, EOFError, OSError, RuntimeError)


def check_target(path: Path) -> None:
    """Raise an error where no model can be written to a file; make its folder."""
    if path.suffix in (".gz", ".xz"):
        raise InputError(f"cannot write {path}: a model is not packed; give a name without {path.suffix}")
    path.parent.mkdir(parents=True, exist_ok=True)
    check_outputs([path], [])


def save(model: Model, path: Path) -> None:
    """Write the model; the file appears whole or not at all."""
    check_target(path)
    own, arrays = model.dump()
    maps = {name: (a, b, c) if c else (a, b) for name, (a, b, c) in model.calibration.items()}
    description = own | {"kind": model.kind, "calibration": maps, "card": model.card}
    if model.task != REFERENCES.name:
        description["task"] = model.task
    if model.constraints:
        description["constraints"] = dict(model.constraints)
    needed = 2 if "task" in description or "constraints" in description else 1
    needed = 4 if any(len(numbers) > 2 for numbers in maps.values()) else needed
    description["format"] = max(needed, own.get("format", 1))
    order = [*(key for key in _FIRST if key in description), *(key for key in description if key not in _FIRST)]
    _write(path, {key: description[key] for key in order}, arrays)


def _map_of(a: float, b: float, c: float = 0.0) -> Map:
    """Return the map of these numbers; files of format 3 and before have two of each."""
    return float(a), float(b), float(c)


def _write(path: Path, description: Description, arrays: Arrays) -> None:
    with open_output(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        text = json.dumps(description, ensure_ascii=False, indent=1)
        archive.writestr(zipfile.ZipInfo(_DESCRIPTION, _EPOCH), text)
        for name, array in arrays.items():
            buffer = io.BytesIO()
            npy.write_array(buffer, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", _EPOCH), buffer.getvalue())


def load(path: Path) -> Model:
    """Return the model in a file; a `ModelError` says what is wrong with any other file."""
    description, arrays = _read(path)
    try:
        return _assemble(description, arrays)
    except UnknownFeature as error:
        raise ModelError(
            f"{path} uses the feature {str(error.args[0])[:80]!r}, which this version of Ibidem does not have: "
            "upgrade Ibidem, or register the feature before loading the model"
        ) from None
    except (
        LookupError, ValueError, TypeError, AttributeError, OverflowError, RecursionError, MemoryError, IbidemError,
    ) as error:  # fmt: skip
        sentence = f"{path} is damaged or of another version: its parts do not fit together ({first_line(error)})"
        raise ModelError(f"{sentence}; fetch or train it again") from None


def _read(path: Path) -> tuple[Description, Arrays]:
    try:
        with zipfile.ZipFile(path) as archive:
            _check_sizes(archive, path.stat().st_size)
            description = json.loads(archive.read(_DESCRIPTION))
            _check_header(path, description)
            names = [name for name in archive.namelist() if name.endswith(".npy")]
            return description, {name.removesuffix(".npy"): _array(archive, name) for name in names}
    except FileNotFoundError:
        raise ModelError(f"no model at {path}: give the path of a file written by 'ibidem train'") from None
    except IsADirectoryError:
        raise ModelError(f"{path} is a folder: give the model file inside it") from None
    except _FOREIGN as error:
        raise ModelError(
            f"{path} is not an Ibidem model, or it is cut short ({first_line(error)}); fetch or train it again"
        ) from None


def _check_sizes(archive: zipfile.ZipFile, size: int) -> None:
    """Refuse parts that claim to be larger than the file, so that no file can ask for more memory than it has."""
    parts = archive.infolist()
    if any(part.compress_type != zipfile.ZIP_STORED for part in parts) or sum(part.file_size for part in parts) > size:
        raise ValueError("its parts are compressed or larger than the file")


def _check_header(path: Path, description: object) -> None:
    if not isinstance(description, dict) or "format" not in description:
        raise ModelError(f"{path} is not an Ibidem model: its description has no format number")
    if description["format"] not in range(1, FORMAT + 1):
        raise ModelError(
            f"{path} has model format {str(description['format'])[:20]}, this version of Ibidem reads formats up to "
            f"{FORMAT}: upgrade Ibidem, or train the model again"
        )
    kind = description.get("kind")
    try:
        model_class(str(kind))
    except ConfigError:
        known = ", ".join(model_names())
        raise ModelError(
            f"{path} holds a model of kind {repr(kind)[:80]}, and there are {known}: upgrade Ibidem, or, if it is "
            "a scorer of another package, register it before loading"
        ) from None


def _array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """Return an array of one dimension; its header is believed only when the bytes are there."""
    raw = io.BytesIO(archive.read(name))
    if npy.read_magic(raw) != (1, 0):
        raise ValueError(f"array {name} has a header of another version")
    shape, _, dtype = npy.read_array_header_1_0(raw)
    body = raw.getbuffer()[raw.tell() :]
    if dtype.kind not in "biuf" or len(shape) != 1 or shape[0] * dtype.itemsize != len(body):
        raise ValueError(f"array {name} does not match its header")
    return np.frombuffer(body, dtype=dtype)


def _assemble(description: Description, arrays: Arrays) -> Model:
    labels = tuple(map(str, description["labels"]))
    named = all(part[:2] in ("B-", "I-") for label in labels if label != "O" for part in label.split("/"))
    if not named or "O" not in labels or len(set(labels)) < len(labels):
        raise ValueError("its labels are not nested BIO labels")
    model = model_class(description["kind"]).load(description, arrays)
    calibration = {name: _map_of(*numbers) for name, numbers in description["calibration"].items()}
    if not all(math.isfinite(number) for pair in calibration.values() for number in pair):
        raise ValueError("the calibration is not finite")
    constraints = {str(text): float(penalty) for text, penalty in description.get("constraints", {}).items()}
    compile_constraints([parse_constraint(text) for text in constraints], labels)  # refuses what does not fit
    if not all(penalty >= 0 for penalty in constraints.values()):  # NaN is not; infinity makes one hard
        raise ValueError("the penalties of its constraints are not numbers of 0 or more")
    return replace(model, calibration=calibration, constraints=constraints, card=dict(description["card"]))
