"""The language a remark names, as a code of BCP 47."""

from __future__ import annotations

import re

_CODES = {
    "ar": "arabic arabisch arabe árabe",
    "bg": "bulgarian bulgarisch",
    "ca": "catalan",
    "cs": "czech tschechisch tchèque",
    "da": "danish dänisch danois",
    "de": "german deutsch allemand alemán tedesco alemão",
    "el": "greek griechisch grec",
    "en": "english englisch anglais inglés inglese inglês",
    "es": "spanish spanisch espagnol español spagnolo espanhol",
    "fa": "persian farsi",
    "fi": "finnish finnisch",
    "fr": "french französisch français francés francese francês",
    "he": "hebrew hebräisch",
    "hr": "croatian kroatisch",
    "hu": "hungarian ungarisch hongrois",
    "it": "italian italienisch italien italiano",
    "ja": "japanese japanisch japonais japonés",
    "ko": "korean koreanisch",
    "nl": "dutch niederländisch néerlandais holandés",
    "no": "norwegian norwegisch",
    "pl": "polish polnisch polonais polaco",
    "pt": "portuguese portugiesisch portugais portugués português",
    "ro": "romanian rumänisch",
    "ru": "russian russisch russe ruso russo",
    "sr": "serbian serbisch",
    "sv": "swedish schwedisch suédois",
    "tr": "turkish türkisch",
    "uk": "ukrainian ukrainisch",
    "zh": "chinese chinesisch chinois chino",
}
_BY_NAME = {name: code for code, names in _CODES.items() for name in names.split()}
_REMARK = re.compile(r"\W*(?:in|auf|en|written\s+in|text\s+in)\s+([^\W\d_]+)\W*\Z", re.IGNORECASE)


def language_of(text: str) -> str | None:
    """Return the code of the language that a remark such as "in Russian" names, None for any other remark.

    >>> language_of("(in Russian)"), language_of("en español"), language_of("in press"), language_of("Russian dolls")
    ('ru', 'es', None, None)
    """
    found = _REMARK.match(text) if len(text) < 40 else None
    return _BY_NAME.get(found[1].lower()) if found else None
