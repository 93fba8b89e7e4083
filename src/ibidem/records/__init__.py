"""From labelled spans to records: typed fields, each with the characters it came from, and every format to write them.

`record.py` is what a record is and `fields.py` the table of its fields; `build.py` and `normalise/` make one of a
parsed reference; `formats/` reads and writes them.
"""

from __future__ import annotations

from ibidem.records.fields import FieldSpec, register_field
from ibidem.records.record import Date, Entry, Name, Number, Pages, Record, Value

__all__ = ["Date", "Entry", "FieldSpec", "Name", "Number", "Pages", "Record", "Value", "register_field"]
