# Everything one does with a checkout: `make setup`, `make demo`, `make test`, `make bench`, `make clean`.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# What the compiled part is made of: when one of these changes the package is installed anew.
BUILT_FROM := pyproject.toml $(wildcard CMakeLists.txt) $(wildcard src/kernels/*.* src/kernels/*/*)
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

SAY_KERNELS = $(BIN)/python -c "from ibidem.inference import kernels_in_use; print('kernels:', kernels_in_use())"

.PHONY: setup demo test lint types layers check docs bench pair-model entity-model record-types clean

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

pair-model: setup  ## the weights that tell whether two references mean one work, learnt anew (needs the datasets)
	$(BIN)/python -m tools.weights.matcher

entity-model: setup  ## the weights that tell how well a reading goes with its work, learnt anew (needs the datasets)
	$(BIN)/python -m tools.weights.entities

record-types: setup  ## the weights that tell types of works apart, learnt anew (needs the datasets)
	$(BIN)/python -m tools.weights.document_types

clean:
	rm -rf $(VENV) build dist wheelhouse .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
