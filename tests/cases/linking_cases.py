"""References of invented works, each written in several ways."""

from __future__ import annotations

REEDS = (
    "Pellworth JS, Adeyomi OT. Salivary markers of shift work in harbour pilots. Ann Coast Med. 2019;14(3):153-60.",
    "J. S. Pellworth and O. T. Adeyomi, “Salivary markers of shift work in harbour pilots,” Ann. Coast Med. 14, 2019.",
    "Pellworth, J. S., & Adeyomi, O. T. (2019). Salivary markers of shift work in harbor pilots, 14(3), 153–160.",
)
BELLS = (
    "Marchbanks, T. (1999). The grammar of bell signals. Codes before telegraphy, 12(3), 88–117.",
    "T. Marchbanks, The grammar of bell signals, Codes Before Telegraphy 12 (1999) 88-117.",
)
OTHER_BELLS = (
    "Marchbanks, T. (1999). Flags, drums and lanterns at sea. Codes before telegraphy, 12(1), 3–29.",
    "Marchbanks T. Flags, drums and lanterns at sea. Codes before telegraphy 1999;12:3-29.",
)
ALONE = ("Quillfeather, B. Tides of the inner delta. Moss & Daughters, Eastport, 1984.",)

WORKS = (REEDS, BELLS, OTHER_BELLS, ALONE)
STRINGS = [text for work in WORKS for text in work]
TRUE = [number for number, work in enumerate(WORKS) for _ in work]
