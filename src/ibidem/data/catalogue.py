"""The table of datasets: sets of references, and the sets of names, sections, headers and records beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ibidem.data.catalogue_parts import PARTS
from ibidem.data.catalogue_tasks import of_tasks
from ibidem.data.readers import anystyle, clusters, columns, elife, tagged, tei
from ibidem.data.registry import DataFile, Dataset, text_split
from ibidem.types import Example


def _parscit_split(number: int, _example: Example) -> str:
    return "train" if number < 883 else "test"


def _elife_split(_number: int, example: Example) -> str:
    """By the number of the paper: `a123` and `p123` are one paper in two versions."""
    digits = "".join(character for character in example.source.split(":")[1] if character.isdigit())
    return {0: "test", 1: "dev"}.get(int(digits or 0) % 20, "train")


def _hash_split(_number: int, example: Example) -> str:
    """By the letters and digits of the text, so that equal strings of different sets are in the same split."""
    return text_split(example.text)


def _papers() -> Callable[[Any], int]:
    seen: set[str] = set()

    def count(item: Any) -> int:
        paper = item.source.rpartition(":")[0]
        new = paper not in seen
        seen.add(paper)
        return new

    return count


_REFERENCES = (
    Dataset(
        name="umass-nested",
        about="UMass citation field extraction, nested labels (Anzaroot 2014)",
        home="http://www.iesl.cs.umass.edu/data/data-umasscitationfield",
        licence="not stated",
        use="benchmark",
        files=(
            DataFile(
                "umass/training.docs",
                "6b90765624fbc8d68d0b21a4d8a51508be71baafd8f621fb5c1a6a7d0cbef8d7",
                "train",
                tagged.read_umass_nested,
                1_457,
            ),
            DataFile(
                "umass/dev.docs",
                "359def2eba2947b49c138fa6c9c2fb747e9ccb8ff9d5cb559eaf4dbaf8d4df9e",
                "dev",
                tagged.read_umass_nested,
                660,
            ),
            DataFile(
                "umass/testing.docs",
                "c1a19f5a9fd95c79ec5bcf7db9d408c057336f72c8b8552c1ff767167c509ff9",
                "test",
                tagged.read_umass_nested,
                367,
            ),
        ),
        table="umass-nested",
    ),
    Dataset(
        name="umass-flat",
        about="UMass citation field extraction, flattened as in Thai et al. 2020",
        home="http://www.iesl.cs.umass.edu/data/data-umasscitationfield (flattened by Thai et al. 2020)",
        licence="not stated",
        use="benchmark",
        files=(
            DataFile(
                "umass/flat/train.txt",
                "7b010a6171ad2ad30a09e72fb49fcda1b853c8d340ce9713a650a1cb992b9305",
                "train",
                columns.read_umass_flat,
                1_454,
            ),
            DataFile(
                "umass/flat/dev.txt",
                "05eabd9fb3268b3300c69af7c7eeb71e82ae2938931bd42b402f090fc6e41ecb",
                "dev",
                columns.read_umass_flat,
                651,
            ),
            DataFile(
                "umass/flat/test.txt",
                "bc4fc320ac43dcb885de747c9c5dd6b26462ab33a3310c525659a7ef33ef1ade",
                "test",
                columns.read_umass_flat,
                367,
            ),
        ),
        table="umass-flat",
    ),
    Dataset(
        name="parscit",
        about="The reference strings of ParsCit; the first 883 train, the last 501 test (Cuong 2015)",
        home="https://github.com/knmnyn/ParsCit",
        licence="LGPL repository, data not separate",
        use="benchmark",
        files=(
            DataFile(
                "parscit/parsCit.train.data.gz",
                "57f393f5723edbd205f2d10effc5fbc0d567498bac6909823220645362eb65f7",
                "",
                columns.read_parscit,
                1_384,
            ),
        ),
        table="parscit",
        choose=_parscit_split,
    ),
    Dataset(
        name="parscit-tagged",
        about="The pool of ParsCit by origin, with the original spacing",
        home="https://github.com/knmnyn/ParsCit",
        licence="LGPL repository, data not separate",
        use="benchmark",
        files=(
            DataFile(
                "parscit/citeseerx.tagged.txt",
                "ed1e753ea946dd1a9345994b2e8fdc2683925b230157e60e4099dfe4d0143f8b",
                "",
                tagged.read_parscit_tagged,
                199,
            ),
            DataFile(
                "parscit/cora.tagged.txt",
                "491e0eed43aed3239b3bb986a98ea5712e29de1bc604cfbc0f2b243b2e444e9f",
                "",
                tagged.read_parscit_tagged,
                500,
            ),
            DataFile(
                "parscit/en-humanities.tagged.txt",
                "6cc5ae3d09561919b99f7dcb16a97c773f89e58b2f5424a51a813cfd59085d30",
                "",
                tagged.read_parscit_tagged,
                177,
            ),
            DataFile(
                "parscit/it-humanities.tagged.txt",
                "6c6f93f0e74c112eb86b0150b28c6b02df2e5273b979600ac7a26b4bf37d901e",
                "",
                tagged.read_parscit_tagged,
                67,
            ),
            DataFile(
                "parscit/mixed-humanities.tagged.txt",
                "777e6dbb805977a9ebd7332acda8118e19448a09859201fc1b7791de203bb37e",
                "",
                tagged.read_parscit_tagged,
                67,
            ),
            DataFile(
                "parscit/flux-cim-cs.tagged.txt",
                "1e0aefb04341964e15e194fae01bdaff8e32bde574555dd3d6f41e0f16e53429",
                "",
                tagged.read_parscit_tagged,
                300,
            ),
            DataFile(
                "parscit/iconip.tagged.txt",
                "b7e3508ba6033bc77e222f489b3515f33696b2569a7650195f59d13b88c94942",
                "",
                tagged.read_parscit_tagged,
                74,
            ),
        ),
        table="parscit-tagged",
    ),
    Dataset(
        name="hosemicrf",
        about="References used by the program of the higher-order semi-CRF (Cuong 2014)",
        home="https://github.com/nvcuong/HOSemiCRF",
        licence="not stated",
        use="benchmark",
        files=(
            DataFile(
                "hosemicrf/ref.train",
                "1185cda7608c0fde08ad1e0b75ca6c053ca12a97e7d6670264b84d8546400041",
                "train",
                columns.read_hosemicrf,
                300,
            ),
            DataFile(
                "hosemicrf/ref.test",
                "0b3296745962c035dea370f31e063c64ac21ff5d913e60e218c3a230a0500381",
                "test",
                columns.read_hosemicrf,
                200,
            ),
        ),
        table="hosemicrf",
    ),
    Dataset(
        name="grobid-citation",
        about="GROBID: references in many languages",
        home="https://github.com/kermitt2/grobid (grobid-trainer/resources/dataset)",
        licence="CC-BY",
        use="open",
        files=(
            DataFile(
                "grobid/citation.tar.gz",
                "2e559d57efb9961dde3a01f8ec5a7b75a8999fb89caf6ddc12f20e48d15ed269",
                "",
                tei.read_grobid_citation,
                8_678,
            ),
        ),
        table="grobid-citation",
        choose=_hash_split,
        remark="published as about 8,700; the exact figure is our own count",
    ),
    Dataset(
        name="anystyle",
        about="AnyStyle: training strings, core and good",
        home="https://github.com/inukshuk/anystyle (res/parser)",
        licence="BSD-2-Clause",
        use="open",
        files=(
            DataFile(
                "anystyle/core.xml",
                "1bdfd9dc3e70961a51bfd5cfefb66898bed163d1b7a59fa0716c59a675648079",
                "",
                anystyle.read_anystyle,
                1_514,
            ),
            DataFile(
                "anystyle/good.xml",
                "24798c0098814f68b18930cd7de5e6c7ef95acec534791b805588823c849e72e",
                "",
                anystyle.read_anystyle,
                4_663,
            ),
        ),
        table="anystyle",
        choose=_hash_split,
    ),
    Dataset(
        name="elife",
        about="eLife: references of reviewed preprints as their authors typed them, tagged in production",
        home="https://github.com/elifesciences (enhanced-preprints-data, elife-article-xml), gathered into tables",
        licence="CC-BY / CC0",
        use="open",
        files=(
            DataFile(
                "elife/references.tsv.xz",
                "46d1f85b9f3e30c5d1fa03a110f7c90646e9fa4056d30bcf9d5d41be4e38562e",
                "",
                elife.read_elife,
                316_516,
            ),
        ),
        table="elife",
        choose=_elife_split,
    ),
    Dataset(
        name="linkedbooks",
        about="LinkedBooks: humanities references, mostly Italian, from scanned books",
        home="https://github.com/dhlab-epfl/LinkedBooksReferenceParsing",
        licence="MIT",
        use="open",
        files=(
            DataFile(
                "linkedbooks/clean_train.txt.gz",
                "d7347970edfe06b8bbed5f1e4fc1f599a42b1ce01fb4016c9e88d5c2e1a86409",
                "train",
                columns.read_linkedbooks,
                32_098,
            ),
            DataFile(
                "linkedbooks/clean_valid.txt.gz",
                "9ac750d37c74fab03a84fa7665ded9d5aaec3dc989f68a2427c09544825892bc",
                "dev",
                columns.read_linkedbooks,
                1_104,
            ),
        ),
        table="linkedbooks",
    ),
    Dataset(
        name="excite",
        about="EXCITE: social science references, German and English",
        home="https://github.com/exciteproject/EXgoldstandard",
        licence="not stated",
        use="benchmark",
        files=(
            DataFile(
                "excite/de",
                "377b0177dd63f0213bad05a19b3b157a3ad2dedd6ecb6e881775fe53040592c3",
                "de",
                tagged.read_excite,
                176,
            ),
            DataFile(
                "excite/en",
                "102132f24615f103c39216496c80fced511307e58cfb6d72272cc2a3c0f54418",
                "en",
                tagged.read_excite,
                81,
            ),
        ),
        table="excite",
        units=_papers,
        remark="the figure counts papers; the German 176 includes a Thumbs.db, so that 175 are right",
    ),
    Dataset(
        name="giant",
        about="GIANT: references rendered from CSL styles, a sample",
        home="https://github.com/BeelGroup/GIANT-The-1-Billion-Annotated-Synthetic-Bibliographic-Reference-String-Dataset",
        licence="CC0 origin",
        use="open",
        files=(
            DataFile(
                "giant/10K_citation.txt.gz",
                "a1cb13b9da0a63e1206e17f4ed0f75acd15fedee3ff6c5f6c408508c63c7f946",
                "",
                tagged.read_giant,
                10_074,
            ),
        ),
        table="giant",
        choose=_hash_split,
    ),
    Dataset(
        name="cora",
        about="Cora citation matching: segmented strings with true clusters",
        home="https://people.cs.umass.edu/~mccallum/data.html",
        licence="CC0 packaging, original not stated",
        use="benchmark",
        files=(
            DataFile(
                "cora/cora_coref.jsonl",
                "e55f5e95b7e8ce18521ba7d8269f188a81eb96daa458fe9f07cd5f34ad7bce96",
                "",
                clusters.read_cora,
                1_879,
            ),
            DataFile(
                "cora/CORA.xml",
                "03b24471e06b0554e13f988930a2fc56a0812d86ce2b2893d96c22b523d42673",
            ),
            DataFile(
                "cora/cora_gold.csv",
                "63249869aea130946d0016db5170c7bb3e3c213c20397f917e4c7088f09f9881",
            ),
        ),
        table="cora",
    ),
    Dataset(
        name="citeseer",
        about="CiteSeer citation matching (Wellner 2004): tokens with author, title, venue; clusters are guesses",
        home="the authors of Wellner et al. 2004; the true clusters are not public",
        licence="not stated",
        use="benchmark",
        files=(
            DataFile(
                "citeseer/citeseer_tokens.jsonl",
                "1f1a8bdf013446a74a3bc15f2f642fc9fb1c89570f648f177081cf1bcb983e0e",
                "",
                clusters.read_citeseer,
                1_563,
            ),
            DataFile(
                "citeseer/raw.tar.gz",
                "6d7480d01f43bfe3093103fbeef885ad440ce3de4fcf32fb72a64c71cb186a87",
            ),
        ),
    ),
)

_ALL = (*_REFERENCES, *PARTS, *of_tasks(_elife_split, _hash_split))
DATASETS: dict[str, Dataset] = {data.name: data for data in _ALL}
"""Every dataset by its name."""
