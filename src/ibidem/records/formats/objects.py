"""Values as JSON objects and back: what our own JSON Lines holds, and what CSL-JSON keeps under `custom`."""

from __future__ import annotations

from typing import Any

from ibidem.records.record import Date, Name, Number, Pages, Value

_NAME = ("family", "given", "particle", "suffix", "literal")
_DATE = ("year", "month", "day", "season", "letter", "approximate", "status")


def value_object(value: Value) -> str | dict[str, Any]:
    """The JSON of a value: a string, or an object of its parts that are not empty.

    >>> value_object(Date(2019, end=Date(2021)))
    {'edtf': '2019/2021', 'year': 2019, 'end': {'edtf': '2021', 'year': 2021}}
    """
    match value:
        case str():
            return value
        case Name():
            return {part: text for part in _NAME if (text := getattr(value, part))} or {"literal": ""}
        case Pages():
            return {"first": value.first, "last": value.last} if value.last else {"first": value.first}
        case Number():
            return {"text": value.text} if value.value is None else {"text": value.text, "value": value.value}
        case Date():
            found: dict[str, Any] = {"edtf": value.edtf}
            found |= {part: kept for part in _DATE if (kept := getattr(value, part)) not in (None, "", False)}
            if value.end is not None:
                found["end"] = value_object(value.end)
            return found


def value_of(found: object) -> Value:
    """The value of its JSON; a ValueError says what is wrong with it."""
    if isinstance(found, str):
        return found
    if not isinstance(found, dict) or not found:
        raise ValueError(f"a value is a string or an object with parts, not {str(found)[:60]!r}")
    if "text" in found:
        return Number(_text(found, "text"), _whole(found, "value"))
    if "first" in found:
        return Pages(_text(found, "first"), _text(found, "last"))
    if any(part in found for part in _NAME):
        _only(found, _NAME)
        return Name(**{part: _text(found, part) for part in _NAME})
    _only(found, (*_DATE, "edtf", "end"))
    end = value_of(found["end"]) if "end" in found else None
    if end is not None and not isinstance(end, Date):
        raise ValueError("the end of a date is no date")
    season = _text(found, "season")
    if season not in ("", "spring", "summer", "autumn", "winter"):
        raise ValueError(f"no season {season[:40]!r}; there are spring, summer, autumn and winter")
    return Date(
        _whole(found, "year"), _whole(found, "month"), _whole(found, "day"), season, _text(found, "letter"),
        found.get("approximate") is True, _text(found, "status"), end,
    )  # fmt: skip


def _only(found: dict[str, Any], known: tuple[str, ...]) -> None:
    strange = [key for key in found if key not in known]
    if strange:
        raise ValueError(f"a value has the unknown part {strange[0][:40]!r}; known are {', '.join(known)}")


def _text(found: dict[str, Any], part: str) -> str:
    text = found.get(part, "")
    if not isinstance(text, str):
        raise ValueError(f"{part!r} must be a string, not {str(text)[:40]!r}")
    return text


def _whole(found: dict[str, Any], part: str) -> int | None:
    number = found.get(part)
    if number is not None and (not isinstance(number, int) or isinstance(number, bool)):
        raise ValueError(f"{part!r} must be a whole number, not {str(number)[:40]!r}")
    return number
