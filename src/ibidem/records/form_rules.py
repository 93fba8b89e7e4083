"""What the form of a reference makes certain: patent numbers, standards, court decisions, laws, genres, extents.

`RULES` is the list, in order. A rule is a pattern; its groups are the labels of what they match (`report_number` is
`report-number`), and the first rule with a type that matches decides the type of the work. Every repetition in a
pattern is bounded, so that the time is linear in the length of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ibidem.records.genre_words import genre_type

_OPEN = r"(?:^|[.,;:(\[\]“”\"–—。，；：]\s{0,2}|\d[.)]\s{1,2})"  # what stands before something that stands alone
_CLOSE = r"(?=\s{0,2}(?:[.,;:()\[\]–—/。，；：]|-\s|\Z))"
_YEAR = r"(?:1[5-9]|20)\d\d"
WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern with the type that it makes certain, "" for none.

    It is tried where one of the `words` is among the words of the text, or one of the `pieces` stands in it. `alone`
    says that it is not believed of what stands in a journal: an article may be about a standard or a law. `not_after`
    is what must not stand before a match.
    """

    about: str
    type: str
    words: frozenset[str]
    pieces: tuple[str, ...]
    pattern: re.Pattern[str]
    alone: bool = True
    not_after: re.Pattern[str] | None = None


def _rule(about: str, document_type: str, hints: str, pattern: str, alone: bool = True, not_after: str = "") -> Rule:
    """Return a rule; of the `hints`, those of letters alone are words, the others, and those after a *, pieces."""
    found = hints.split("|")
    words = frozenset(hint for hint in found if WORD.fullmatch(hint))
    pieces = tuple(hint.removeprefix("*") for hint in found if hint not in words)
    before = re.compile(f"(?:{not_after})\\Z") if not_after else None
    return Rule(about, document_type, words, pieces, re.compile(pattern), alone, before)


_BODIES = (
    r"(?:DIN|EN|BS|NF|UNE|UNI|SN|SIS|SS|NS|ÖNORM|CSN|ČSN|PN|JIS|KS|AS|NZS|NBR|IS|GB|GBZ|GJB|YY|ISO|IEC|CEI|ANSI|NISO|"
    r"ASTM|ASME|IEEE|ITU-T|ETSI|ECMA|NIST|FIPS|SAE|API|ISA|VDI|VDE|NEN|DS|EIA|TIA|ASHRAE|AASHTO|NFPA|CIE|OIML|ТУ|СТ)"
)
_STANDARD = (
    rf"(?:(?:{_BODIES}[ /-]{{1,2}}){{0,3}}"
    rf"(?:{_BODIES}|ANSI|IEEE Std\.?|IEEE Standard|ITU-T Rec\.|NIST SP|FIPS PUB)(?:[ /](?:TR|TS|PAS|Guide|R|T|Z))?"
    r"[ -]\s?(?:No\. )?[A-Z]{0,3}[ -]?\d{1,6}(?:[.-]\d{1,4}){0,4}[a-z]?(?:\s?[:/–-]\s?(?:19|20)\d\d(?:-\d\d)?)?"
    rf"|{_BODIES} Standard(?: No\.)? \d{{1,6}}(?::\d{{4}})?"
    r"|RFC\s?\d{2,5}|BCP\s?\d{1,3}|ECMA-\d{3}|GB(?:/T|/Z)? ?\d{2,6}(?:\.\d{1,3})?[—–-](?:19|20)?\d\d"
    r"|(?:ГОСТ|СТ СЭВ|СНиП|СП|ДСТУ|СТБ|OST|GOST)(?: Р| ИСО| ISO| МЭК| R){0,3} "
    r"\d{1,6}(?:\.\d{1,4}){0,4}(?:[—–-](?:\d{4}|\d\d))?"
    r"|ITU-T (?:Recommendation|Rec\.) [A-Z]\.\d{1,4}(?:\.\d{1,3})?|JIS [A-Z] ?\d{4}(?:[:：-]\d{4})?)"
)
_COUNTRY = (
    r"(?:US|EP|WO|DE|GB|FR|JP|CN|KR|CA|AU|CH|RU|SU|AT|IT|ES|NL|SE|TW|BR|IN|IL|BE|DK|FI|NO|PL|CZ|HU|UA|NZ|ZA|MX|DD)"
)
_REPORTERS = (
    r"(?:U\. ?S\.|S\. ?Ct\.|L\. ?Ed\.(?: ?2d)?|F\. ?(?:2d|3d|4th)|F\. ?Supp\.(?: ?[23]d)?|F\.R\.D\.|A\. ?[23]d|"
    r"P\. ?[23]d|N\. ?[EW]\.(?: ?[23]d)?|S\. ?[EW]\.(?: ?[23]d)?|So\.(?: ?[23]d)?|N\. ?Y\. ?S\.(?: ?[23]d)?|"
    r"Cal\.(?: ?App\.)?(?: ?[2-5](?:d|th))?|Cal\. ?Rptr\.(?: ?[23]d)?|N\. ?Y\.(?: ?[23]d)?|Ill\.(?: ?2d)?|Mass\.|"
    r"Fed\. ?Cl\.|B\. ?R\.|T\. ?C\.|CLR|SCR|DLR|NZLR|ALR|Eng\. Rep\.|ER)"
)
_NEUTRAL = (
    r"(?:UKSC|UKHL|UKPC|EWCA(?: Civ| Crim)?|EWHC|UKUT|UKFTT|CSIH|CSOH|NICA|NIQB|SCC|FCA|FC|ONCA|BCCA|HCA|FCAFC|NSWCA|"
    r"NSWSC|VSCA?|QCA|QSC|WASCA?|NZSC|NZCA|NZHC|IESC|IECA|IEHC|ZASCA|ZACC|SGCA|SGHC|HKCFA|AC|QB|KB|Ch|Fam|WLR|All ER|"
    r"Lloyd's Rep|Cr App R|SC|SLT|EHRR|CMLR|ECR|ICR|IRLR)"
)
_COURTS = (
    r"(?:BGH|BVerfG|BVerwG|BAG|BSG|BFH|BPatG|OLG|LG|VG|OVG|VGH|KG|AG|ArbG|LAG|EuGH|EuG|EGMR|OGH|VfGH|VwGH|BGer|RG|"
    r"Bundesgerichtshof|Bundesverfassungsgericht|Bundesverwaltungsgericht)"
)
_V = r"(?<!\bHg\.)(?<!\bHrsg\.)(?<!\bhg\.)(?<!\bhrsg\.)(?<!\bÜbers\.) (?:vs?\.|v|gegen|c\.|contre)"  # not edited by
_ACT = r"(?:Act|Acts|Code|Ordinance|Statute|Regulations|Order|Rules|Law|Constitution|Charter)"

_EU = (
    r"(?:Council |Commission |Delegated |Implementing ){0,2}(?:Directive|Regulation|Decision|Framework Decision|"
    r"Richtlinie|Verordnung|Beschluss|Règlement|Décision|Directiva|Reglamento|Decisión|Direttiva|Regolamento|Diretiva|"
    r"Regulamento|Richtlijn|Verordening|Dyrektywa|Rozporządzenie|Директива|Регламент)"
    r" (?:\((?:EU|EC|EEC|EG|EWG|UE|CE|CEE|EURATOM|Euratom|ЕС)\)\s)?(?:No\.? |Nr\.? |n[o°º]\.? )?"
)
_DEGREES = (
    r"(?:(?:[Uu]npublished |[Uu]npubl\. )?(?:Ph\.? ?D\.?|PhD|D\.? ?Phil\.?|[Dd]octoral|[Mm]aster['’]?s?|M\.? ?Sc?\.?|"
    r"MSc|M\. ?A\.|MPhil|[Bb]achelor['’]?s?|B\. ?Sc\.|BSc|[Hh]onou?rs|[Uu]ndergraduate|[Dd]iploma|[Ll]icentiate)"
    r" (?:[Tt]hes[ie]s|[Dd]issertation)(?: research)?|[Dd]octoral [Dd]issertation|[Dd]oktorarbeit|[Dd]iplomarbeit|"
    r"[Mm]asterarbeit|[Mm]agisterarbeit|[Bb]achelorarbeit|[Ll]izentiatsarbeit|[Hh]abilitationsschrift|[Hh]abilitation|"
    r"[Ii]nauguraldissertation|[Ii]naugural-[Dd]issertation|(?:[Pp]hil\. |[Mm]ed\. )?[Dd]iss\.|[Dd]issertation|"
    r"[Tt]hèse(?: de doctorat| d['’][ÉEée]tat| de 3e cycle)?|[Mm]émoire de (?:master|maîtrise|DEA|licence)|"
    r"[Tt]esis (?:doctoral|de doctorado|de maestría|de licenciatura|de grado)|[Tt]es[ei] d[ei] "
    r"(?:[Dd]outora(?:mento|do)"
    r"|[Dd]ottorato|[Ll]aurea)|[Dd]issertação de [Mm]estrado|[Pp]roefschrift|[Mm]asterscriptie|[Dd]oktorsavhandling|"
    r"[Rr]ozprawa doktorska|[Pp]raca magisterska|[Dd]isertační práce|[Dd]iplomová práce|[Dd]oktora tezi|"
    r"[Yy]üksek lisans tezi|[Дд]ис(?:с?\.|сертация)\s?(?:\.{2,3}|…)?\s?(?:(?:канд|д-ра|докт)\.?[ а-яё.]{0,30})?|"
    r"[Аа]втореф(?:\.|ерат) дис[а-яё.]{0,12}(?:\s?(?:\.{2,3}|…))?\s?(?:(?:канд|д-ра|докт)\.?[ а-яё.]{0,30})?|"
    r"(?:博士|硕士|碩士|修士|学士)(?:学位)?(?:论文|論文)|博士学位請求論文|(?:박사|석사)학위\s?논문)"
)
_STATUS = (
    r"(?:[Ii]n [Pp]ress|[Ff]orthcoming|[Ii]m Druck|[Ii]m Erscheinen|[Ee]n prensa|[Ss]ous presse|[Àà] paraître|"
    r"[Ii]n stampa|[Nn]o prelo|[Вв] печати|[Ii] trykk|[Uu]nder tryckning|[Ww] druku|[Vv] tisku|[Bb]askıda|[Tt]er perse|"
    r"印刷中|待刊|待发表|出版予定|인쇄\s?중|[Ii]n preparation|[Ss]ubmitted|[Tt]o appear|"
    r"n\. ?d\.|s\. ?d\.|s\. ?a\.|s\. ?f\.|o\. ?J\.|z\. ?j\.|u\. ?å\.|б\. ?г\.|t\. ?y\.|b\. ?r\.)"
)

_DAY = (
    r"(?:\d{4}年 ?\d{1,2}月 ?\d{1,2}日|\d{4}[./-] ?\d{1,2}[./-] ?\d{1,2}|\d{1,2}[./-] ?\d{1,2}[./-] ?\d{4}|"
    r"\d{1,2}(?:\.|er|º|ª)? (?:de )?[^\W\d_]{2,11}\.?,? (?:de )?\d{4}|[^\W\d_]{3,10}\.? \d{1,2},? \d{4}|"
    r"\d{4} [^\W\d_]{3,9}\.? \d{1,2})"
)
_LOOKED_AT = (
    r"(?<![A-Za-zÀ-ÿА-яё])(?:[Aa]ccessed|[Rr]etrieved|[Cc]ited|[Vv]iewed|[Vv]isited|[Aa]bgerufen|[Zz]ugriff|"
    r"[Aa]bruf|[Ss]tand|[Cc]onsulté|"
    r"[Cc]onsultado|[Cc]onsultato|[Rr]ecuperado|[Aa]cesso|[Vv]isitato|[Gg]eraadpleegd|[Hh]ämtad|[Bb]esøgt|[Ss]et|"
    r"[Ll]uettu|[Dd]ostęp|[Cc]it\.|[Ee]rişim(?: tarihi)?|[Дд]ата (?:обращения|звернення)|[Дд]ата доступа|πρόσβαση|"
    r"אוחזר|검색일|접속일|تاريخ الاطلاع|访问日期|访问|查阅|瀏覽日期|检索日期)"
)

RULES: tuple[Rule, ...] = (
    # Sources of law.
    _rule("a neutral citation, or a report by year", "legal-case", "[1|[2",
          rf"(?P<report_number>\[{_YEAR}\] (?:\d{{1,2}} )?{_NEUTRAL} \d{{1,5}}(?: \((?:[A-Z][A-Za-z]{{1,9}})\))?)",
          alone=False),
    _rule("the European identifier of a decision", "legal-case", "ECLI",
          r"(?P<report_number>ECLI:[A-Z]{2}:[A-Z0-9]{1,9}:\d{4}:[A-Z0-9.]{1,25}[A-Z0-9])", alone=False),
    _rule("two parties and a volume of reports", "legal-case", "v|vs",
          rf"^\W{{0,3}}(?P<title>[^\W\d_][^,\[\]]{{1,150}}{_V} [^\[\]]{{1,120}}?),"
          rf"(?: (?P<report_number>No\. \d{{1,4}}[–-][\w-]{{1,9}}),)?"
          rf" (?P<volume>\d{{1,4}}) (?P<journal>{_REPORTERS}) (?P<pages>\d{{1,5}})", alone=False),
    _rule("two parties and the number of the docket", "legal-case", "v|vs",
          rf"^\W{{0,3}}[^\W\d_][^,\[\]]{{1,150}}{_V} [^\[\]]{{1,120}}?, (?P<report_number>Nos?\. \d[\w:–-]{{1,20}})",
          alone=False),
    _rule("two parties and nothing else before", "legal-case", "v|vs",
          rf"^\W{{0,3}}(?P<title>[A-Z][\w.&'’() -]{{1,80}}{_V} [A-Z][\w.&'’ -]{{1,60}}?)(?=\s?(?:[,(\[]|\. |\.?\Z))"),
    _rule("a case of the European Court of Justice", "legal-case", "Case|Cases|Rs|Rechtssache|Affaire|Asunto|Causa",
          r"(?:Joined )?(?:Cases?|Rs\.|Rechtssache|Affaire|Asunto|Causa) (?P<report_number>[CTF][-‑–]\d{1,4}/\d\d)\b",
          alone=False),
    _rule("a volume of the reports of a German court", "legal-case",
          "BVerfGE|BVerwGE|BGHZ|BGHSt|BAGE|BFHE|BSGE|RGZ|RGSt|BGE",
          r"\b(?P<journal>BVerfGE|BVerwGE|BGHZ|BGHSt|BAGE|BFHE|BSGE|RGZ|RGSt|BGE) (?P<volume>\d{1,3}),? "
          r"(?P<pages>\d{1,4})\b", alone=False),
    _rule("a German court and a journal of law", "legal-case", "BGH|BVerfG|BVerwG|BAG|BSG|BFH|OLG|EuGH|OGH|VGH|OVG|LG",
          rf"^\W{{0,3}}{_COURTS},? (?:(?:[A-ZÄÖÜ][\wäöüß.-]{{1,20}},? )?(?:NJW|NZA|NVwZ|FamRZ|NStZ|JZ|MDR|GRUR|DVBl|"
          rf"WM|ZIP|DB|BB)"
          r"(?:-RR)?|Slg\.) \d{4}", alone=False),
    _rule("a decision of a Russian or Ukrainian court", "legal-case", "Постановление|Определение|Решение|Рішення|"
          "Постанова",
          r"^\W{0,3}(?:Постановление|Определение|Решение|Рішення|Постанова)(?: [А-ЯЁІЇ][а-яёії]{2,20}){0,4} [Сс]уд[ау]",
          alone=False),
    _rule("a decision of a German, Austrian or Swiss court", "legal-case", "Urt|Urteil|Beschl|Beschluss|Beschluß",
          rf"(?:\b{_COURTS}\b[^.;]{{0,25}}[,:;]? )?\b(?:Urt(?:\.|eil)|Beschl(?:\.|uss|uß)) (?:v\.|vom) "
          r"(?P<date>\d{1,2}\. ?(?:\d{1,2}\.|[A-Zä][a-zä]{2,9}) ?\d{4})[ ,;(–-]{1,4}(?:Az\.:? )?"
          r"(?P<report_number>[CTF][-‑–]\d{1,4}/\d\d|(?:[IVX]{1,5}|\d{1,2}) [A-Z][A-Za-z]{0,4}"
          r"(?:\([A-Za-z]{1,4}\))? \d{1,5}/\d\d)",
          alone=False),
    _rule("the file number of a German court", "legal-case", "BvR|BvE|BvL|BvF|BvQ|BvG|ZR|ZB|StR|StE|AZR",
          r"\b(?P<report_number>\d BvR \d{1,5}/\d\d|\d Bv[ELFQG] \d{1,4}/\d\d"
          r"|[IVX]{1,4} Z[RB] \d{1,5}/\d\d|\d St[ER] \d{1,5}/\d\d|\d AZR \d{1,5}/\d\d)\b", alone=False),
    _rule("a decision of a French, Spanish or Italian court", "legal-case", "Cass|Conseil|Cons|STS|STC|Sentencia",
          rf"{_OPEN}(?:Cass\. ?(?:civ|com|crim|soc|ass|plén|pén|sez)\b|Conseil d['’][ÉE]tat, |Cons\. const\., |"
          rf"ST[SC] \d{{1,5}}/{_YEAR}|Sentencia (?:del Tribunal|n[úu]m\.|\d))", alone=False),
    _rule("sections of the United States Code, public laws and statutes at large", "legislation",
          "S. C.|S.C.|USC|Pub|Public",
          r"\b(?:\d{1,2} U\. ?S\. ?C\.(?: ?A\.)? ?§|\d{1,2} USC ?§|\d{1,3} Stat\. \d)"),
    _rule("a public law of the United States", "legislation", "Pub|Public",
          rf"^\W{{0,3}}(?:[A-Z][^.;]{{2,150}} {_ACT}(?: of {_YEAR})?, )?"
          r"(?P<report_number>Pub(?:\.|lic) L(?:\.|aw) (?:No\.? )?\d{1,3}[–-]\d{1,4})", alone=False),
    _rule("the Code of Federal Regulations", "regulation", "C.F.R|C. F. R|CFR|Fed",
          r"\b\d{1,3} (?:C\. ?F\. ?R\.|CFR|Fed\. ?Reg\.) (?:§|pt\.|Part|\d)"),
    _rule("a bill of the Congress", "bill", "Cong", r"\b(?:H\. ?R\.|S\.|H\. ?J\. ?Res\.) ?\d{1,5}, \d{2,3}(?:st|nd|"
          r"rd|th) Cong\."),
    _rule("an act of the European Union", "legislation", "Directive|Regulation|Decision|Richtlinie|Verordnung|"
          "Beschluss|Règlement|Décision|"
          "Directiva|Reglamento|Decisión|Direttiva|Regolamento|Diretiva|Regulamento|Richtlijn|Verordening|Dyrektywa|"
          "Rozporządzenie|Директива|Регламент",
          rf"^\W{{0,3}}(?:(?:European|EU\b|Council|Europäische)[^.:;]{{0,60}}[.:,] )?(?:\({_YEAR}\)[.,] )?"
          rf"{_EU}(?P<report_number>\d{{2,4}}/\d{{1,4}}(?:/(?:EC|EEC|EU|EG|EWG|CE|CEE|UE|JHA|CFSP|"
          rf"ЕС))?)\b", alone=False),
    _rule("an act by its title and year", "legislation", "Act|Acts|Code|Ordinance|Statute|Regulations|Order|Rules|"
          "Law|Constitution|Charter",
          rf"^\W{{0,3}}(?:[A-Z][A-Za-z ]{{2,30}}\. )?(?P<title>[A-Z][^.;:\[\]]{{2,150}} {_ACT}(?: \([^()]{{2,30}}\))?"
          rf"(?: of)? {_YEAR})(?=\s{{0,2}}(?:[.,:;()\[]|\Z))"),
    _rule("a law in German", "legislation", "*esetz|*erordnung",
          r"^\W{0,3}(?:[A-ZÄÖÜ][\w-]{2,40}[ -])?(?:[A-ZÄÖÜ][\wäöüß-]{0,40})?(?:[Gg]esetz(?:buch)?|[Vv]erordnung|"
          r"[Gg]rundgesetz)"
          r"(?: \([^()]{2,30}\))?(?: (?:über|zur|zum|für|gegen|betreffend|vom|des|der)\b|,|\.|\Z)"),
    _rule("a law in French, Spanish, Portuguese or Italian", "legislation",
          "Loi|Décret|Ordonnance|Arrêté|Ley|Decreto|Lei|Legge|Lgs",
          rf"^\W{{0,3}}(?:(?:[A-ZÀ-Ý][\w’' ]{{2,30}}[.,] )?(?:(?:Loi|Décret|Ordonnance|Arrêté)(?: (?:organique|"
          rf"constitutionnelle))?"
          rf" n[o°º]\.? ?\d{{1,4}}[–-]\d{{1,4}}|(?:Ley(?: Orgánica| Foral)?|Real Decreto(?:[- ][Ll]ey)?|Decreto)"
          rf"(?: n[o°º]\.?)? \d{{1,4}}/{_YEAR}|(?:Lei|Decreto(?:-Lei)?)(?: Complementar)? n\.? ?[o°º]\.? "
          rf"?[\d./-]{{2,12}}|"
          rf"(?:Legge|Decreto legislativo|D\. ?Lgs\.) (?:\d{{1,2}}[°º]? [a-z]{{4,9}} {_YEAR}, ?)?n\. ?\d{{1,4}}))"),
    _rule("a law in Russian, Polish, Czech, Dutch or Swedish", "legislation", "закон|Закон|кодекс|Ustawa|Zákon|Wet|"
          "SFS|Lag",
          rf"^\W{{0,3}}(?:Федеральный(?: конституционный)? закон|Закон (?:РФ|СССР|Российской|України)|"
          rf"[А-ЯЁ][а-яё]{{4,20}} кодекс|Ustawa z dnia|Zákon č\.|Wet van \d|SFS {_YEAR}:\d|Lag \({_YEAR}:\d)"),
    _rule("a federal law of Russia by its number", "legislation", "ФЗ|ФКЗ",
          r"№ ?(?P<report_number>\d{1,4}-ФК?З)\b", alone=False),
    _rule("a law in a Czech, Slovak or Polish collection of laws", "legislation", "Sb|zb|Dz|poz|Ustawa|Rozporządzenie",
          r"(?:^\W{0,3}(?:(?:Zákon|Vyhláška|Nařízení vlády|Ústavní zákon|Nariadenie vlády)[^.]{0,40} č\. ?)?"
          r"(?P<report_number>\d{1,4}/\d{4} (?:Sb|Z\. ?z)\.)"
          r"|^\W{0,3}(?:Ustawa|Rozporządzenie|Obwieszczenie|Dekret|Zarządzenie)\b[^.]{0,120} z dnia \d"
          r"|\bDz\. ?U\.[^.]{0,30} poz\. \d)", alone=False),
    _rule("a law in Chinese, Japanese or Korean", "legislation", "*法",
          r"^\W{0,3}(?:中华人民共和国[^\s.,，。]{1,30}法|[^\s.,，。]{1,30}[（(](?:昭和|平成|令和|大正|明治)[^\s()（）]{1,9}年法律第)"),
    _rule("a treaty by its title, or its collection", "treaty", "Treaty|Convention|Protocol|Covenant|U.N.T|U. N. T|"
          "UNTS|Abkommen|Übereinkommen|Staatsvertrag|Vertrag",
          r"(?:\b\d{1,4} (?:U\. ?N\. ?T\. ?S\.|UNTS) \d|^\W{0,3}(?:(?:Treaty|Convention|Protocol|Covenant) (?:of|on|"
          r"for|between|"
          r"relating|concerning|against|to)\b[^.:]{3,150}[,.(]|(?:[A-Z][a-z]+ ){0,3}(?:Treaty|Convention), |"
          r"(?:Abkommen|Übereinkommen|Staatsvertrag|Vertrag) (?:zwischen|über|zum|zur)\b))"),
    _rule("a hearing of a parliament", "hearing", "Hearing|hearing|Hearings|hearings",
          r"\b[Hh]earings? [Bb]efore the\b"),
    # Patents and standards.
    _rule("a patent by the word and its number", "patent", "Patent|patent|Pat|Пат|Патент|*特許|*特开|*特開|*专利",
          r"(?P<report_number>(?:(?:U\. ?S\.|United States|US|European|German|Japanese|Chinese|British|French|Canadian|"
          r"International|UK|World|Deutsches|Europäisches|Amerikanisches) )?(?:[Pp]atent|Pat\.)(?: [Aa]pplication| "
          r"Publication| Appl?\.)?(?: [Nn]o\.?| "
          r"[Nn]umber| #)?:? "
          rf"(?:{_COUNTRY}[ -]?)?(?:\d{{1,3}}(?:,\d{{3}}){{1,3}}|\d{{2}}/\d{{3}},?\d{{3}}|\d{{4}}/?\d{{5,7}}|"
          rf"\d{{5,12}}|[DR]E?\d{{5,6}})"
          r"(?: ?[ABCUT]\d?\b)?|Пат(?:\.|ент) (?:№ ?)?\d{5,8}(?: (?:РФ|СССР|Российская Федерация|США))?"
          r"|(?:特許第?|特開|特公)[ ]?(?:昭|平)?\d{4,8}(?:-\d{4,7})?号?"
          r"|中国专利[:：,，]? ?(?:CN|ZL)? ?\d{8,14}[A-Z.\d]{0,3})"),
    _rule("a French patent", "patent", "*revet",
          r"(?P<report_number>[Bb]revet (?:français )?(?:n[°o] ?)?FR ?\d[\d ]{5,10}\d)"),
    _rule("a patent by its country, number and kind", "patent", "US|EP|WO|DE|GB|FR|JP|CN|KR|CA|AU|CH|RU|SU|AT|IT|ES|"
          "NL|SE|TW|BR|IN|IL|BE|DK|FI|NO|PL|CZ|HU|UA|NZ|ZA|MX|DD|PCT",
          rf"(?<![\w/.])(?P<report_number>{_COUNTRY}[ -]?(?:\d{{1,4}}[ /.,-]?){{1,4}}\d{{2,9}} ?(?:A\d?|B\d|C\d|"
          rf"U\d?|T\d|E\d?)|(?:US|U\.S\.) ?\d{{1,2}},\d{{3}},\d{{3}}"
          r"|(?:DE|EP|JP|CN|KR|WO)\d{7,14}|WO ?(?:19|20)?\d\d/\d{5,6}(?: ?A\d)?|PCT/[A-Z]{2}(?:19|"
          r"20)?\d\d/\d{5,6})(?![\w/])"),
    _rule("the number of a standard", "standard", "DIN|EN|BS|NF|UNE|UNI|SN|SIS|NS|ÖNORM|CSN|ČSN|PN|JIS|KS|NZS|NBR|"
          "GB|GBZ|GJB|YY|ISO|IEC|CEI|"
          "ANSI|NISO|ASTM|ASME|IEEE|ITU|ETSI|ECMA|NIST|FIPS|SAE|API|ISA|VDI|VDE|NEN|DS|EIA|TIA|ASHRAE|AASHTO|NFPA|"
          "CIE|OIML|"
          "RFC|BCP|ГОСТ|GOST|OST|СТ|СНиП|СП|ДСТУ|СТБ|ТУ|AS|IS|SS",
          rf"{_OPEN}(?P<report_number>{_STANDARD}){_CLOSE}"),
    # What a work is, in its own words.
    _rule("the degree of a thesis", "thesis", "*hesis|*heses|*issertation|*rbeit|Diss|diss|*abilitation|*hèse|"
          "Mémoire|mémoire|Tesis|tesis|Tesi|tesi|Tese|tese|"
          "*roefschrift|*scriptie|*avhandling|rozprawa|Rozprawa|praca|Praca|práce|tezi|Дис|дис|Дисс|дисс|Диссертация|"
          "диссертация|*втореф|*论文|*論文|*논문",
          rf"{_OPEN}(?P<type>{_DEGREES}){_CLOSE}"),
    _rule("a thesis, in further languages", "thesis",
          "*학위논문|*학위 논문|*διατριβή|*دكتوراه|*ماجستير|*דוקטור|*תזה|*پایان|*शोध|tiến|thạc|Disertasi|Tesis|"
          "*vhandling|"
          "*értekezés|"
          "*oktora|Tese|Dissertação|Diss",
          r"(?P<type>(?:박사|석사)학위 ?논문|(?:Διδακτορική|Μεταπτυχιακή) διατριβή|رسالة (?:دكتوراه|ماجستير)|"
          r"(?:עבודת דוקטור|עבודת גמר|תזה)|پایان.?نامه(?:.?ی)? (?:دکتری|کارشناسی ارشد)|शोध-?प्रबंध|"
          r"Luận (?:án tiến sĩ|văn thạc sĩ)|Disertasi\b|Doktor(?:grads)?avhandling|PhD-értekezés|"
          r"(?:Yayımlanmamış )?[Dd]oktora tezi|Tese \((?:[Dd]outorado|[Mm]estrado)[^()]{0,40}\)|"
          r"Dissertação \([Mm]estrado[^()]{0,40}\)|Diss\. (?:phil|med|iur|theol|rer\. nat)\.)"),
    _rule("a report and its number", "report", "Report|Paper|paper|Informe|Rapport|rapport|*bericht|*Bericht",
          rf"(?:\b(?P<report_number>Report No\.?:? ?[\w./-]{{2,20}}\w)|\b(?:Working|Discussion) [Pp]aper(?: "
          rf"[Nn]o\.?)? \d|"
          rf"\(Informe (?:técnico|final)|{_OPEN}(?:Abschlussbericht|Forschungsbericht|[Rr]apport (?:annuel|final|"
          rf"technique)|"
          r"[Ff]inal report)\b)"),
    _rule("a set of data, in its own words", "dataset", "Dataset|Datensatz|données|datos|dados",
          rf"{_OPEN}(?P<type>Dataset|Data set|Datensatz|Jeu de données|Conjunto de datos|Conjunto de dados){_CLOSE}"),
    _rule("a map and its scale", "map", "1:|1 :",
          r"\b(?:[Mm]ap|[Kk]arte|[Cc]arte|[Mm]apa|[Кк]арта)\b.{0,80}\b1 ?: ?\d{1,3}[., ]000"),
    _rule("what an archive keeps, by the archive", "manuscript",
          "*archiv|Archives|Archivio|Archivo|архив|Record|Оп",
          r"(?:\b(?:Staats|Landes|Stadt|Bundes|Haupt)archiv\b|\bArchives (?:départementales|nationales|municipales)\b|"
          r"\bArchivio di Stato\b|\bArchivo (?:General|Histórico)\b|\bRecord Office\b|Ф\. ?\d{1,5}\. Оп\. ?\d)"),
    _rule("a talk at a meeting", "speech", "presented|given|delivered|Vortrag|Communication|Ponencia",
          r"(?:(?:[Pp]aper|[Pp]oster|[Ll]ecture|[Kk]eynote(?: address)?|[Tt]alk|[Ss]peech) (?:presented|given|"
          r"delivered) at(?!:)"
          r"|Vortrag (?:auf|bei|am|an)|Communication présentée|Ponencia presentada)\b"),
    _rule("a package and its version", "software", "package|module|library",
          r"(?:(?:R|Python|Stata|Julia|Perl) (?:package|module|library))[,:]? "
          r"(?P<version>[Vv]ersion (?:\d[\w.-]{0,15}\w|\d))"),
    _rule("an unpublished manuscript", "manuscript", "manuscript|Manuscript|Typescript|typescript|Manuskript|"
          "manuscrit|Manuscrit|Manuscrito|manuscrito|Рукопись|рукопись",
          rf"{_OPEN}(?P<type>(?:[Uu]npublished |[Uu]nveröffentlichtes )(?:[Mm]anuscript|[Tt]ypescript|[Mm]anuskript)"
          rf"|[Tt]ypescript|[Mm]anuscript in preparation|[Mm]anuscrit inédit|[Mm]anuscrito inédito|"
          rf"[Рр]укопись){_CLOSE}"),
    _rule("a communication between persons", "personal-communication", "communication|Mitteilung|сообщение",
          rf"{_OPEN}(?P<type>[Pp]ersonal communication|[Pp]ersönliche Mitteilung|[Лл]ичное сообщение){_CLOSE}"),
    _rule("an interview", "interview", "Interview|interview|Interviewed|interviewed|Entrevista|entrevista|Entretien|"
          "entretien|Интервью|интервью",
          rf"{_OPEN}(?:(?:[Pp]ersonal |[Tt]elephone )?[Ii]nterview(?:ed)?|[Ee]ntrevista|[Ee]ntretien|[Ии]нтервью) "
          r"(?:with|by|mit|avec|con|de|с)\b"),
    _rule("proceedings of a meeting", "paper", "Proceedings|Tagungsband|Actes|Atti|Actas|Anais|*атериалы|"
          "*予稿集|*논문집|"
          "Materiały",
          r"(?:\bProceedings of the (?:\d{1,3}(?:st|nd|rd|th)|[A-Z][a-z]{3,9}(?:st|nd|rd|th)|(?:[A-Z][\w&-]{1,20} "
          r"){0,5}"
          r"(?:Conference|Symposium|Workshop|Meeting|Congress))\b|\bTagungsband\b|\bActes (?:du|des|de la) (?:\d|"
          r"[Cc]ollo|[Cc]ong)|"
          r"\bAtti del (?:[IVX]{1,5}|\d|[Cc]onv|[Cc]ong)|\bActas del (?:[IVX]{1,5}|\d|[Cc]ong)|\bAnais do "
          r"(?:[IVX]{1,5}|\d|[Cc]ong)|"
          r"[Мм]атериалы [^.]{0,40}(?:конф|съезд|симпоз)|予稿集|학술대회 ?논문집|\bMateriały [^.]{0,40}[Kk]onferencj)"),
    _rule("a part of a book and its editors", "chapter",
          "In|in|dans|w|w:|στο|*בתוך|*في:|*編『|*编|*편,|ред|Teoksessa|i:|i",
          r"(?:\b(?:[Ii]n|dans|[Tt]eoksessa|στο)\b:? [^/]{3,140}(?:\((?:[Ee]ds?|dirs?|Hrsg|Hg|orgs?|coord|red|επιμ|"
          r"toim)\.?\)|"
          r"\btoim\.)|\bw: [^/]{3,140}\bred\. |// [^/]{3,140}(?:/ ?|: )(?:под|за) ред\. |בתוך: [^/]{3,100}\(עור|"
          r"في: [^/]{3,120}تحرير|[」〉》』].{1,20}編『|〉，收入.{1,20}編|」, .{1,12} 편, 『)"),
    _rule("a film and who directed it", "film", "Director|Directors|Directed|directed|Regie|Regisseur|Réalisateur|"
          "Реж|реж",
          r"\((?:Director|Regie|Réalisateur|Regisseur)s?\)"
          r"|\b[Dd]irected by\b|\bRegie: |[Рр]еж\. "),
    # Fields alone.
    _rule("the scale of a map", "", "1:|1 :", r"(?<![\d:])(?P<scale>1 ?: ?\d{1,3}(?:[., ]000){1,2})(?!\d)"),
    _rule("the version of a program", "", "Version|version", r"\((?P<version>[Vv]ersion \d[\w.-]{0,15})\)"),
    _rule("when a page on the net was looked at", "",
          "*ccessed|*etrieved|*ited|*iewed|*bgerufen|*ugriff|Abruf|*onsult|*ecuperado|*cesso|*eraadpleegd|*ämtad|"
          "*esøgt|"
          "set|Set|*uettu|*ostęp|cit|*rişim|*обращения|*звернення|*доступа|*πρόσβαση|*אוחזר|*검색일|*접속일|*الاطلاع|*访问|"
          "*查阅|*瀏覽|*检索",
          rf"{_LOOKED_AT}[:：]? ?(?:(?:on|le|el|em|am|il|op|den|d\.):? |ב-)?(?P<accessed>{_DAY})(?!\d)", alone=False),
    _rule("when a page on the net was looked at, in Hindi", "", "*को लिया|*को देखा|*को पुनः|*को प्राप्त|*को अभिगम",
          r"(?P<accessed>\d{1,2} [\u0900-\u0963]{2,12},? \d{4}) को (?:लिया|देखा|पुनः|प्राप्त|अभिगम)", alone=False),
    _rule("when a page on the net was looked at, in Japanese", "", "*閲覧|*アクセス",
          rf"(?P<accessed>{_DAY}に?(?:閲覧|アクセス|最終閲覧))", alone=False),
    _rule("when a page on the net was looked at, as GB/T 7714 has it", "", "/OL]",
          r"/OL\][^\[\]]{0,120}\[(?P<accessed>\d{4}-\d{1,2}-\d{1,2})\]", alone=False),
    _rule("pages after a word for them that means nothing else", "", "ص|صص|עמ|σ|σσ|σελ|*पृ.",
          r"(?<!\w)(?:صص?|עמ['׳]?|σσ?|σελ|पृ)[.:]?\s?(?P<pages>\d{1,5}(?:\s?[–—-]\s?\d{1,5})?)(?![\d/])", alone=False),
    _rule("a range of pages before a word for them", "", "*頁|*页|*쪽|*면|*面|*ページ",
          r"(?P<pages>(?<![\d–—~-])\d{1,5}\s?[–—~-]\s?\d{1,5})\s?(?:頁|页|쪽|면|面|ページ)", alone=False),
    _rule("the page of a newspaper", "", "*面|*면",
          r"(?P<pages>(?<![\d第])\d{1,3})(?:面|면)(?=\W{0,3}\Z)", alone=False),
    _rule("how many pages a work has", "", "p|pp|pages|S|Seiten|с|С|стр|págs|páginas|blz|strony|oldal|sivua|"
          "*页|*頁|*쪽",
          r"(?P<extent>[1-9]\d{1,4} ?(?:pp?\.?|pages|S\.|Seiten|[Сс]\.|стр\.|页|頁|쪽|págs?\.|páginas|blz\.?|strony|"
          r"oldal|sivua))"
          r"(?!\.? ?\d|[\w–-])", not_after=r"[\d–—:./(№§,-]|\b[pPS]\.? |pp\.? |[–—-] "),
    _rule("a date that says only its state", "", "press|Press|Forthcoming|forthcoming|Druck|Erscheinen|prensa|"
          "presse|*paraître|stampa|prelo|"
          "печати|trykk|tryckning|druku|tisku|baskıda|Baskıda|perse|*印刷中|*待刊|*待发表|*予定|*인쇄|preparation|Submitted|"
          "submitted|"
          "appear|n.d|n. d|s.d|s. d|s.a|s. a|s.f|s. f|o.J|o. J|z.j|z. j|u.å|u. å|б.г|б. г|t.y|t. y|b.r|b. r",
          rf"(?:{_OPEN}|[(\[])(?P<date>{_STATUS})(?=\s{{0,2}}(?:[.,;()\[\]]|(?:19|20)\d\d\b|\Z))"),
    _rule("a day in figures", "", "*19|*20",
          r"(?<![\d.])(?P<date>\d{1,2}\. ?\d{1,2}\. ?(?:19|20)\d\d|(?:19|20)\d\d年 ?\d{1,2}月 ?\d{1,2}日"
          r"|(?:19|20)\d\d년 ?\d{1,2}월 ?\d{1,2}일)(?![\d.])", alone=False),
    _rule("when the original was published", "", "Original|Originally|original|First|first|Ursprünglich|"
          "ursprünglich|Erstmals|erstmals",
          rf"(?P<original_date>(?:[Oo]riginal(?:ly)?(?: work)? [Pp]ublished(?: in)?|[Ff]irst [Pp]ublished(?: in)?|"
          rf"[Uu]rsprünglich (?:erschienen|veröffentlicht)|[Ee]rstmals (?:erschienen|veröffentlicht)),? {_YEAR})\b"),
    _rule("who translated it", "", "Trans|trans|Translator|Translators|Übers|Trad|trad|Пер|пер",
          r"\((?P<translator>[^()\[\]]{3,80}?),? (?:Trans\.|trans\.|Translators?|Übers\.|[Tt]rad\.|[Пп]ер\.)\)"),
    _rule("a number of arXiv", "", "arXiv|ArXiv|arxiv",
          r"[aA]r[xX]iv:\s?(?P<arxiv>(?:\d{4}\.\d{4,5}|[a-z-]{2,10}(?:\.[A-Z]{2})?/\d{7})(?:v\d{1,2})?)(?![\w/])",
          alone=False),
    _rule("the primary class of a preprint", "", "arXiv",
          r"arXiv:\s?(?P<arxiv>\d{4}\.\d{4,5}(?:v\d{1,2})?)\s?\[(?P<arxiv_class>[a-z][a-z-]{1,9}(?:\.[A-Z]{2})?)\]"),
)  # fmt: skip
"""The rules, in the order in which they are tried."""

MARKER = re.compile(
    r"\[(?P<code>[MJDRSPNCAGZ]|EB|DB|CP|DS|CM)(?:/(?:OL|CD|MT|DK))?\](?=\s?(?:[.．。,，:：]|//|\[|\(|\Z))"
)
"""The marker of GB/T 7714 that says what a work is."""
_MARKED = {
    "M": "book", "J": "article", "D": "thesis", "R": "report", "S": "standard", "P": "patent", "N": "newspaper-article",
    "C": "paper", "EB": "webpage", "DB": "dataset", "CP": "software", "DS": "dataset", "CM": "map", "G": "book",
}  # fmt: skip
_HAN = re.compile(r"[\u4e00-\u9fff]")
_BRACKETED = re.compile(r"\[(?P<type>[^\[\]]{2,80})\]")


def marked_type(text: str) -> str:
    """Return the type that a marker of GB/T 7714 says, "" where there is none.

    >>> marked_type("乡土中国[M]. 北京"), marked_type("论文[C]//会议"), marked_type("Bells [sic]. Oxford")
    ('book', 'paper', '')
    """
    found = MARKER.search(text) if "[" in text else None
    if found is None:
        return ""
    if found["code"] in "RACGZ" and not _HAN.search(text):
        return ""  # [R] may be a language of programming
    inside = text.startswith("//", found.end())
    return "chapter" if inside and found["code"] == "M" else _MARKED.get(found["code"], "")


def bracketed_genre(text: str) -> tuple[str, int, int] | None:
    """Return the type and the place of the genre in square brackets, as APA has it; None where there is none.

    >>> bracketed_genre("Bells [Data set]. Zenodo"), bracketed_genre("Bells [in Russian]")
    (('dataset', 7, 15), None)
    """
    for found in _BRACKETED.finditer(text) if "[" in text else ():
        if kind := genre_type(found["type"]):
            return kind, *found.span("type")
    return None
