"""Configuration: what TOML becomes, and what is said of mistakes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from ibidem.config import from_mapping, from_toml, renamed_keys
from ibidem.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Penalty:
    strength: float = 1.0
    kind: Literal["l1", "l2"] = "l2"

    def __post_init__(self) -> None:
        if self.strength < 0:
            raise ValueError(f"strength is {self.strength}; expected 0 or more")


@dataclass(frozen=True, slots=True)
class Recipe:
    name: str
    rounds: int = 10
    shuffle: bool = True
    limit: int | None = None
    seed: int | str = 0
    datasets: tuple[str, ...] = ()
    window: tuple[int, int] = (-1, 1)
    output: Path = Path("model")
    penalty: Penalty = field(default_factory=Penalty)
    stages: tuple[Penalty, ...] = ()
    weights: dict[str, float] = field(default_factory=dict)


def test_a_full_recipe_is_read_with_its_nested_parts(tmp_path):
    path = tmp_path / "recipe.toml"
    path.write_text(
        """
        name = "café"
        rounds = 3
        shuffle = false
        limit = 7
        seed = "today"
        datasets = ["a", "b"]
        window = [-2, 2]
        output = "out/model"
        weights = {title = 2, author = 0.5}
        [penalty]
        strength = 2
        kind = "l1"
        [[stages]]
        strength = 0.5
        """,
        encoding="utf-8",
    )
    assert from_toml(Recipe, path) == Recipe(
        "café", 3, False, 7, "today", ("a", "b"), (-2, 2), Path("out/model"), Penalty(2.0, "l1"), (Penalty(0.5),),
        {"title": 2.0, "author": 0.5},
    )  # fmt: skip


def test_what_is_not_said_keeps_its_default():
    assert from_toml(Recipe, "name = 'x'") == Recipe("x")
    assert from_mapping(Recipe, {"name": "x", "limit": None}) == Recipe("x")


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("round = 3", "unknown key 'round' in Recipe; did you mean 'rounds'?"),
        ("name = 'x'\n[penalty]\nstrengh = 1", "unknown key 'strengh' in Recipe: penalty; did you mean 'strength'?"),
        ("qqq = 3", "unknown key 'qqq' in Recipe; the keys are name, rounds"),
        ("rounds = 3", "Recipe lacks the key 'name'"),
        ("name = 3", "Recipe: name is 3; expected a string"),
        ("name = 'x'\nrounds = 2.5", "Recipe: rounds is 2.5; expected a whole number"),
        ("name = 'x'\nrounds = true", "Recipe: rounds is True; expected a whole number"),
        ("name = 'x'\nshuffle = 1", "Recipe: shuffle is 1; expected true or false"),
        ("name = 'x'\nlimit = 'all'", "Recipe: limit is 'all'; expected a whole number"),
        ("name = 'x'\nseed = 1.5", "Recipe: seed is 1.5; expected a whole number or a string"),
        ("name = 'x'\ndatasets = 'a'", "Recipe: datasets is 'a'; expected a list"),
        ("name = 'x'\ndatasets = ['a', 2]", "Recipe: datasets[1] is 2; expected a string"),
        ("name = 'x'\nwindow = [1]", "Recipe: window has 1 items; expected 2"),
        ("name = 'x'\npenalty = 1", "Recipe: penalty is 1; expected a table"),
        ("name = 'x'\npenalty.kind = 'l3'", "Recipe: penalty: kind is 'l3'; expected one of 'l1', 'l2'"),
        ("name = 'x'\npenalty.strength = -1", "Recipe: penalty: strength is -1.0; expected 0 or more"),
        ("name = 'x'\nstages = [{}, {kind = 1}]", "Recipe: stages[1]: kind is 1; expected one of"),
        ("name = 'x'\nweights.title = 'heavy'", "Recipe: weights.title is 'heavy'; expected a number"),
        ("name = ", "Recipe is not TOML"),
    ],
)
def test_a_mistake_is_told_with_its_place(toml, message):
    with pytest.raises(ConfigError) as caught:
        from_toml(Recipe, toml)
    assert message in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"cannot read .*missing\.toml: No such file"):
        from_toml(Recipe, tmp_path / "missing.toml")
    (tmp_path / "latin.toml").write_bytes(b"name = 'caf\xe9'")
    with pytest.raises(ConfigError, match=r"cannot read .*latin\.toml.*UTF-8"):
        from_toml(Recipe, tmp_path / "latin.toml")


@renamed_keys(learning_rate="rate", min_count="at_least")
@dataclass(frozen=True, slots=True)
class Renamed:
    learning_rate: float = 0.1
    min_count: int = 1


def test_a_renamed_key_is_accepted_under_both_names():
    new = from_toml(Renamed, "learning_rate = 0.5\nmin_count = 3")
    with pytest.warns(DeprecationWarning, match="'rate' is now called 'learning_rate'"):
        assert from_toml(Renamed, "rate = 0.5\nmin_count = 3") == new
    with pytest.raises(ConfigError, match="'learning_rate' twice, once under its former name"), pytest.warns():
        from_toml(Renamed, "rate = 0.5\nlearning_rate = 0.5")
    with pytest.raises(ConfigError, match="did you mean 'learning_rate'"):
        from_toml(Renamed, "learning_rat = 0.5")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("rounds = " + "[" * 100_000, "nested too deeply"),
        ("rounds = " + "{a = " * 100_000, "nested too deeply"),
        ("rounds = " + "9" * 5_000, "too many digits"),
        ("penalty = 0x" + "f" * 5_000, "penalty is a number of thousands of digits; expected a table"),
        ("rounds = '" + "x" * 5_000 + "'", "xxx…; expected a whole number"),
        (".".join("a" * 50_000) + " = 1", "more than 100 parts"),
        ("[" + " . ".join(["'a'"] * 50_000) + "]", "more than 100 parts"),
        ("# " + "x" * 5_000_000, "more than 4,000,000 characters"),
    ],
)
def test_toml_without_end_is_refused_with_a_sentence(text: str, complaint: str, tmp_path: Path) -> None:
    text, file = f"name = 'x'\n{text}", tmp_path / "settings.toml"
    file.write_text(text, encoding="utf-8")
    for source in (text, file):
        with pytest.raises(ConfigError, match=complaint.replace("characters", "(characters|bytes)")) as caught:
            from_toml(Recipe, source)
        assert len(str(caught.value)) < 500


@pytest.mark.parametrize("table", [{1: 2}, {None: 2}, [], None, "rounds"])
def test_what_is_no_table_is_refused(table: Any) -> None:
    with pytest.raises(ConfigError, match="expected a table whose keys are strings"):
        from_mapping(Recipe, table)


def test_a_whole_number_that_is_no_float_is_refused() -> None:
    with pytest.raises(ConfigError, match="expected a number"):
        from_mapping(Penalty, {"strength": 10**400})
