# Everything one does with a checkout: `make setup`, `make demo`, `make test`, `make bench`, `make clean`.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# What the compiled part is made of: when one of these changes the package is installed anew.
BUILT_FROM := pyproject.toml $(wildcard CMakeLists.txt) $(wildcard src/kernels/*.* src/kernels/*/*)
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

SAY_KERNELS = $(BIN)/python -c "from ibidem.inference import kernels_in_use; print('kernels:', kernels_in_use())"

.PHONY: setup demo test lint types layers check docs bench torture default-models pair-model entity-model record-types clean

setup: $(VENV)/.developer  ## the environment with everything a developer needs

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.user: $(BUILT_FROM) | $(BIN)/python
	$(PIP) install --editable .
	@$(SAY_KERNELS)
	@touch $@

$(VENV)/.developer: $(BUILT_FROM) | $(BIN)/python
	$(PIP) install --upgrade "pip>=25.1"  # knows dependency groups
	$(PIP) install --editable ".[all]" --group dev
	@$(SAY_KERNELS)
	@touch $(VENV)/.user $@

demo: $(VENV)/.user  ## parse the example references
	$(BIN)/ibidem parse --pretty examples/references.txt

test: lint types layers check  ## everything the continuous integration runs

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

layers: setup
	$(BIN)/lint-imports

check: setup
	$(BIN)/pytest

docs: setup  ## the pages, tables, outputs and pictures that are generated
	$(BIN)/python -m tools.docs.manual > docs/cli.md
	$(BIN)/python -m tools.docs.figures

bench: setup  ## the benchmarks of speed; results go to benchmarks/results (`python -m benchmarks list` shows the others)
	for name in speed training-speed cold-start memory; do $(BIN)/python -m benchmarks $$name || exit 1; done

torture: setup  ## hostile strings, damaged files, killed runs, adversarial lengths; an hour or less for each part
	$(BIN)/python -m benchmarks torture

default-models: setup  ## the models of the package, trained anew (needs the datasets and hours)
	$(BIN)/python -m tools.weights.models recipes/references.toml recipes/sections.toml recipes/authors.toml recipes/semi.toml

pair-model: setup  ## the weights of the pairwise matcher, trained anew (needs the datasets)
	$(BIN)/python -m tools.weights.matcher

entity-model: setup  ## the entity potentials of joint linking, trained anew (needs the datasets)
	$(BIN)/python -m tools.weights.entities

record-types: setup  ## the weights of the document types, trained anew (needs the datasets)
	$(BIN)/python -m tools.weights.document_types

clean:
	rm -rf $(VENV) build dist wheelhouse .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
