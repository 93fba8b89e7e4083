"""Records of more languages, of law, standards and the humanities, as CSL-JSON items, one on a line.

Keys of an item that begin with `_` are extra. What is wrong with some of the sets is corrected where records are made
of them (`ibidem.synthesis.corrections`).
"""

from __future__ import annotations

from functools import partial
from typing import Literal

from ibidem.data.readers.records import read_items
from ibidem.data.registry import DataFile, Dataset

# name, what it is, repositories, licence, items, digest
# fmt: off
_OPEN = (
    ("better-bibtex-fixtures", "Better BibTeX: items of users' libraries among its tests, of every type",
     "retorquere/zotero-better-bibtex", "MIT", 5_678,
     "9589718e40f82a5e36e1db710db4c21f1706de6d67657851b6d14a610d59efd7"),
    ("hebrew-benyehuda", "Project Ben-Yehuda: Hebrew literature",
     "projectbenyehuda/public_domain_dump", "public domain", 13_885,
     "0f5670f746f50a21171faaa6927774ffd937a12ead5e050015e25591870921fb"),
    ("humanities-majlis-caesarea", "Majlis, Caesarea and Usaybia: the Near East, Judaeo-Arabic, medicine",
     "srophe/caesarea-data, majlis-erc/majlis-data, usaybia/usaybia-data", "CC-BY", 2_140,
     "d4c76847a32743ac8d8c0a5c01054c55567763994b6619b884079e26e8d084d2"),
    ("humanities-syriaca", "Syriaca.org: Syriac studies in many languages",
     "srophe/syriaca-data", "CC-BY", 26_142,
     "81bde71819abc47f1224ef732d2149242715bb27bacf10d4afe6ecb32b9a4885"),
    ("langsci-multi", "Language Science Press: linguistics, not in English",
     "langsci/raw_texfiles", "CC-BY", 14_133,
     "2aeca2f068692c119013f436d16ecde2c6fd0c035432c76bbf14eabd635d1501"),
    ("laws-cs", "Laws, decrees and regulations: Czech",
     "legalize-dev/legalize-cz", "MIT; the texts are official works", 16_589,
     "ae9272f3e48b117b6f618064122972805e4eb119c850401be9f6b69dd687387a"),
    ("laws-de", "Laws and regulations: German",
     "bundestag/gesetze", "public domain", 5_509,
     "7c9db0fd2634329e1ef05a1bb65e4544b61c392b72ece1c481c7e9a517ae3a2a"),
    ("laws-pl", "Laws and regulations: Polish",
     "legalize-dev/legalize-pl", "public domain", 10_811,
     "121d8ae20a92398a221d677858da1f24c02bc195558d78d6b52c566d8b324fb3"),
    ("russian-harrix", "Harrix: Russian",
     "Harrix/Harrix-Biblio", "Apache-2.0", 39,
     "d1f9f4422ce19e272812a9330d310b22120efd754fbba09d4a67b2aa94b19f46"),
    ("russian-thesis-template", "A template of Russian theses",
     "AndreyAkinshin/Russian-Phd-LaTeX-Dissertation-Template", "CC-BY", 56,
     "b376342c45626734a4ba23e4bff3c2c643b28fee971f4d414261c303e6f2fe1f"),
    ("standards-nist", "NIST: technical reports and standards",
     "relaton/relaton-data-nist", "US government work", 17_535,
     "7b69f1ea416ef1f702c5009f8813452878f8d194bf52e3e439fe7f60d16c28c1"),
    ("standards-specref", "Specref: standards and specifications of the web, of ISO and others",
     "tobie/specref", "CC0", 2_001,
     "dd0f07c4753aaaff5e01b0023cb7e31796e2adeb9dca577bf64da9214166b944"),
    ("taxonomy-afd-multi", "Australian Faunal Directory: zoology, not in English",
     "rdmpage/australian-faunal-directory-coldp", "CC-BY", 12_234,
     "220c5e2501a098ba76627a434ea447e48e0441246e897df7120f8e7f45c2180e"),
)
_BENCHMARK = (
    ("archaeology-miletus", "Miletus excavation: archaeology, mostly German",
     "Miletus-Excavation/Miletus_Bibliography", "GPL-3.0", 1_257,
     "cb7d25937efe12421d2b3da296d84f3b90b3c3b6eb5b518e84ecd586db98f287"),
    ("chinese-gb7714", "biblatex-gb7714-2015: Chinese",
     "hushidong/biblatex-gb7714-2015", "LPPL 1.3c", 291,
     "951e3812e0547157cd54ee10524a53db7f44655850e2af4c907f15317085e50c"),
    ("chinese-gbt7714-style", "gbt7714-bibtex-style: Chinese",
     "zepinglee/gbt7714-bibtex-style", "LPPL 1.3c", 133,
     "51effedb9dfeb65ee3db34f90fbbb249b0c4c91e2b2bd7ed8496bf60dea8878c"),
    ("chinese-omni-gb7714", "omni-gb7714: Chinese",
     "typst-omni-gb7714/omni-gb7714", "not stated", 14,
     "03afb32f501c279afa251d43eae472995e5b190d55219e46e26bfad6f0bcb061"),
    ("chinese-zotero-styles", "Chinese CSL styles: the items of their tests",
     "zotero-chinese/styles", "CC-BY-SA 3.0", 276,
     "3823ff221f55f1c4a765ed1be07baf67eb78e7172e5d2375e8a1d741b476efad"),
    ("japanese-jpa", "biblatex-jpa: Japanese psychology",
     "sbtseiji/biblatex-jpa", "LPPL 1.3", 47,
     "3742ed3363867aa88e80bd3564f5b94072dedcdb85686b85f50a197125c50d89"),
    ("laws-es", "Laws: Spanish",
     "legalize-dev/legalize-es", "not stated; the texts are official works", 10_997,
     "82850ae9dfcf5f596caed951f2ef499aebf225ffabdc1fadd93b43294ed63cc0"),
    ("laws-zh", "Laws: Chinese",
     "LawRefBook/Laws", "not stated; the texts are official works", 1_408,
     "a5667036b3682fae88fe2294f97ee563e9f6623c6eb5495b89a71edd6513537d"),
    ("persian-iran-bibtex", "iran-bibtex: Persian",
     "farshadrasuli/iran-bibtex", "LPPL 1.3c", 167,
     "c0bd772b75d0b962da568dfe8c57aeddd1a68e9b9a3ffbf6c618db905b08e062"),
    ("russian-gost", "biblatex-gost: Russian",
     "odomanov/biblatex-gost", "LPPL 1.3c", 563,
     "fab1f5107d5a618e9f75314a92e9742abf8aa32f53b6172e3faf43f126460d95"),
    ("standards-bipm", "BIPM: Metrologia and decisions on units, French and English",
     "relaton/relaton-data-bipm", "not stated", 7_911,
     "e2b6dde205de35a0b9503fcb8f06fc8cee7a1376ec1436046f7a43ba742476a2"),
    ("standards-easc-ru", "EASC: standards, Russian",
     "relaton/relaton-data-easc", "not stated", 150,
     "2421a33cfcf09a1648c1b63414a25837624549f8417223969b5565ed358c1074"),
    ("standards-ieee", "IEEE: standards",
     "ietf-tools/relaton-data-ieee", "not stated", 4_521,
     "7a129a4bc93e30079642b8d793577d1da6c852ea66f619d705851cdcf117b03d"),
    ("standards-iso-fr-en", "ISO: standards, French and English",
     "relaton/relaton-data-iso", "not stated", 20_823,
     "4df803426f6b6bf7c7010afe01b033fa5fa272a538d7dd6967db9ce3e85d7e70"),
    ("standards-itu-r", "ITU-R: recommendations",
     "relaton/relaton-data-itu-r", "not stated", 1_820,
     "7e3fdb74ac5f98516d5c7256ce8b2c882477c1ba43b7e5bc54f370da21800cfc"),
    ("standards-jis-ja", "JIS: standards, Japanese",
     "relaton/relaton-data-jis", "not stated", 19_136,
     "27c1f02a59eb613ee8c7897f9ff8afb4e04b1edc7eac4e183d62ca0021260b1c"),
    ("standards-rfc", "RFCs",
     "relaton/relaton-data-rfcs", "not stated", 8_803,
     "6ddb81777d1a0cc4c66cdb3e6fbd982393477308346dd7616c72e0c745257759"),
    ("standards-w3c", "W3C: recommendations and notes",
     "relaton/relaton-data-w3c", "not stated", 2_717,
     "b3b3a784fabd4920434845a965edd83ad88449e53d31911046944deb9cee909d"),
    ("zotero-translators-cn", "Chinese Zotero translators: the items of their tests",
     "l0o0/translators_CN", "AGPL-3.0", 348,
     "f395c245c96911dd8f88cfae112a8043a29aef1e24c052ea3080db1b802ec0bc"),
    ("zotero-translators", "Zotero translators: the items of their tests, of every type",
     "zotero/translators", "AGPL-3.0 or later", 2_469,
     "095141ae8070b3ed0edd248654b1317300ce510bf3654db61675db6cdddabea9"),
)
# fmt: on
_REMARKS = {
    "hebrew-benyehuda": "the edition is free text, which is divided only where its form leaves no doubt",
    "langsci-multi": "a work may be there several times, in several spellings",
    "standards-nist": "all are typed as standards, though most are reports",
}


def _dataset(
    use: Literal["open", "benchmark"], name: str, about: str, repositories: str, licence: str, count: int, sha256: str
) -> Dataset:
    path = f"multilingual/{use}/records/{name}.csl.jsonl.gz"
    return Dataset(
        name=name,
        about=about,
        home=" and ".join(f"https://github.com/{one}" for one in repositories.split(", ")),
        licence=licence,
        use=use,
        files=(DataFile(path, sha256, read=partial(read_items, source=name), expected=count),),
        strings=False,
        remark=_REMARKS.get(name, ""),
    )


OPEN = tuple(_dataset("open", *row) for row in _OPEN)
"""Sets whose records may become training data."""
BENCHMARK = tuple(_dataset("benchmark", *row) for row in _BENCHMARK)
"""Sets for measuring only: their licences are not stated or not open enough."""
