"""The words of dates in several languages: months, seasons, and what is said instead of a date."""

from __future__ import annotations

_MONTHS = """
jan january januar jänner jän janvier janv enero ene gennaio gen janeiro januari января январь янв ocak
feb february februar febr février févr fév fevrier fev febrero febbraio fevereiro februari февраля февраль фев şubat
mar march märz maerz mär mars marzo março marco maart mrt марта март мар mart
apr april avril avr abril abr aprile апреля апрель апр nisan
may mai mayo maggio mag maio mei maj мая май mayıs
jun june juni juin junio giugno giu junho июня июнь июн haziran
jul july juli juillet juil julio luglio lug julho июля июль июл temmuz
aug august août aout agosto ago augustus augusti августа август авг ağustos
sep september sept septembre septiembre settembre set setembro сентября сентябрь сен сент eylül
oct october oktober okt octobre octubre ottobre ott outubro out октября октябрь окт ekim
nov november novembre noviembre novembro ноября ноябрь ноя kasım
dec december dezember dez décembre déc decembre diciembre dic dicembre dezembro декабря декабрь дек aralık
"""
MONTHS: dict[str, int] = {
    word: number for number, line in enumerate(_MONTHS.strip().splitlines(), 1) for word in line.split()
}
"""The number of a month by its name, folded to lower case."""

_SEASONS = {
    "spring": "spring printemps primavera frühling frühjahr fruehjahr lente весна",
    "summer": "summer été verano sommer estate verão zomer лето",
    "autumn": "autumn fall automne otoño herbst autunno outono herfst осень",
    "winter": "winter hiver invierno inverno зима",
}
SEASONS: dict[str, str] = {word: season for season, words in _SEASONS.items() for word in words.split()}
"""The season by its name; `été` and `estate` are only looked for beside a year."""

STATUSES: dict[str, str] = {
    "in press": "in press",
    "in print": "in press",
    "im druck": "in press",
    "im erscheinen": "in press",
    "sous presse": "in press",
    "en prensa": "in press",
    "in stampa": "in press",
    "no prelo": "in press",
    "в печати": "in press",
    "accepted": "in press",
    "forthcoming": "forthcoming",
    "to appear": "forthcoming",
    "to be published": "forthcoming",
    "à paraître": "forthcoming",
    "erscheint": "forthcoming",
    "in preparation": "in preparation",
    "in prep": "in preparation",
    "submitted": "submitted",
    "under review": "submitted",
    "in review": "submitted",
    "unpublished": "unpublished",
    "n d": "n.d.",
    "nd": "n.d.",
    "no date": "n.d.",
    "o j": "n.d.",
    "s d": "n.d.",
    "s a": "n.d.",
    "sine anno": "n.d.",
    "sin fecha": "n.d.",
    "s f": "n.d.",
    "undated": "n.d.",
}
"""What is said instead of a date, words parted by one blank, and how we say it."""
