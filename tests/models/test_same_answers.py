"""The same answer everywhere: by both kernels, alone or in any batch, with any number of threads."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

import pytest
from model_cases import references, trained

import ibidem
from ibidem.data.registry import VARIABLE, load
from ibidem.kernels import SWITCH, _compiled
from ibidem.models.parser import Parser
from ibidem.models.training import CRFConfig
from ibidem.types import Example, Parsed

pytestmark = pytest.mark.skipif(_compiled is None, reason="the C++ kernels are not built")

WRITTEN = [
    "Doe J, Roe R. On things. J Thing Res. 2019;14(3):153-60. doi:10.1000/182",
    "Müller, Ä., & Øre, Å. (2001). Über Dinge und Sachen. In X. Y. (Ed.), Dinge (2nd ed., pp. 1–20). Berlin: Sache.",
    "Иванов И. И. О вещах // Вестник вещей. 2010. Т. 3, № 2. С. 5–17.",
    "王小明, 李华. 关于事物的研究[J]. 事物学报, 2015, 12(3): 45-52.",
    "[12] A. Reed and B. Marsh, “The drift of reeds,” in Proc. 3rd Int. Conf. Bogs, Oslo, Norway, 1998, pp. 7-9.",
    "Ibid., p. 44; see also Sedge (n.d.), forthcoming; Reed et al., ‘Bells’, The Times, 3 May 1931, 4.",
    "Sedge, C.: PhD thesis, University of Bog, 1987. http://example.org/a/b?c=d#e Accessed 2 Jan 2020.",
]
HOSTILE = [
    *("a" * 300, "a " * 120, ",,,," * 40, ", " * 120, "(" * 100, "[1] " * 40, "1-1-" * 40, "et al. " * 40, "." * 200),
    *("https://x.y/" + "a/" * 60, "\u0301" * 60, "e\u0301 " * 40, "👩\u200d👩\u200d👧 " * 25, "\x00 a \x1b[0m\x7f"),
    *("2019", "(2019)", "2019 2018 " * 30, "Ж 中文 한국 عربي " * 15, "A. B. C. " * 30, "&amp;" * 30, "<b>x</b> " * 20),
    *("- " * 100, "In: " * 50, "vol. 1 vol. 2 " * 20, "pp. 1-2, " * 30, "doi:10.1/x " * 30, "'\"'\"", "{[(<" * 25),
    *(">)]}" * 25, "1" * 300, "中" * 100, "Smith, J., " * 40, "“”‘’" * 20, "x\u200by" * 30, "\ufffd" * 30, "ﬁ ﬂ " * 25),
    *("\t \n", "Title. Title. " * 30, "\u202eabc\u202c"),
]  # fmt: skip
LONG = ["Smith, J., " * 250, ", " * 700, "Doe J. On things. 2019;14(3):153-60. " * 60]  # too long to stand side by side
REAL = (Path(__file__).resolve().parents[2] / "examples" / "references.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module", params=["", "semi"], ids=["chain", "semi"])
def parser(request: pytest.FixtureRequest) -> Parser:
    return Parser(trained(references(), CRFConfig(model="semi", iterations=30))) if request.param else ibidem.load()


def parse_with(kernels: str, parser: Parser, texts: list[str], constraints: bool, alternatives: int) -> list[Parsed]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SWITCH, kernels)
        fresh = Parser(parser.model, constraints=constraints)  # with caches of its own
        return list(fresh.parse_many(texts, alternatives))


def assert_same(one: Parsed, other: Parsed) -> None:
    assert [field[:4] for field in one.fields] == [field[:4] for field in other.fields]
    sure = [[parsed.confidence, *(field.confidence for field in parsed.fields)] for parsed in (one, other)]
    assert sure[0] == pytest.approx(sure[1], abs=1e-6)
    assert len(one.alternatives) == len(other.alternatives)
    for pair in zip(one.alternatives, other.alternatives, strict=True):
        assert_same(*pair)


def assert_kernels_agree(parser: Parser, texts: list[str], constraints: bool, alternatives: int = 0) -> None:
    answers = (parse_with(kernels, parser, texts, constraints, alternatives) for kernels in ("c++", "numpy"))
    for text, one, other in zip(texts, *answers, strict=True):
        assert one.text == other.text == text
        assert (one.error is None) == (other.error is None)
        assert_same(one, other)


@pytest.mark.parametrize("constraints", [True, False])
def test_both_kernels_give_the_same_fields_and_confidence(parser, constraints):
    assert_kernels_agree(parser, [*REAL, *WRITTEN], constraints)


@pytest.mark.parametrize("constraints", [True, False])
def test_both_kernels_give_the_same_answer_to_hostile_strings(parser, constraints):
    assert_kernels_agree(parser, HOSTILE if parser.model.labels_tokens else HOSTILE[::3], constraints)


def test_both_kernels_give_the_same_alternatives(parser):
    assert_kernels_agree(parser, [*REAL[::8], *WRITTEN[::2], *HOSTILE[::5]], True, alternatives=3)


def test_both_kernels_give_the_same_answer_to_a_string_too_long_for_lanes():
    assert_kernels_agree(ibidem.load(), [LONG[0]], True)


@pytest.mark.skipif(not os.environ.get(VARIABLE), reason=f"{VARIABLE} is not set")
@pytest.mark.parametrize("name", ["umass-nested", "parscit", "excite", "elife"])
def test_both_kernels_give_the_same_answer_to_strings_of_datasets(name):
    texts = [item.text for item in islice(load(name), 0, 800, 8) if isinstance(item, Example)]
    assert texts
    assert_kernels_agree(ibidem.load(), texts, True)


def test_an_answer_depends_neither_on_the_batch_nor_on_threads(parser):
    texts = [*REAL, *WRITTEN, *HOSTILE, *LONG, *REAL[:5]] if parser.model.labels_tokens else [*REAL[::8], *HOSTILE[::8]]
    alone = [parser.parse(text, alternatives=2) for text in texts]
    assert list(parser.parse_many(texts, 2)) == alone
    assert list(parser.parse_many(texts[::-1], 2))[::-1] == alone
    for size in (3, 17):
        groups = (texts[begin : begin + size] for begin in range(0, len(texts), size))
        assert [parsed for group in groups for parsed in parser.parse_many(group, 2)] == alone
    assert list(Parser(parser.model, threads=4).parse_many(texts, 2)) == alone
