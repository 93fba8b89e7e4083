# Everything one does with a checkout: `make setup`, `make demo`, `make test`, `make bench`, `make clean`.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# The exact versions of everything a developer installs, with their hashes.
LOCK   := requirements/dev.txt
# What the compiled part is made of: when one of these changes the package is installed anew.
BUILT_FROM := pyproject.toml $(wildcard CMakeLists.txt) $(wildcard src/kernels/*.* src/kernels/*/*)
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

SAY_KERNELS = $(BIN)/python -c "from ibidem.inference import kernels_in_use; print('kernels:', kernels_in_use())"

.PHONY: setup demo test lint types layers check lock oldest sanitize torture docs bench default-models pair-model entity-model record-types clean

setup: $(VENV)/.developer  ## the environment with everything a developer needs

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.user: $(BUILT_FROM) | $(BIN)/python
	$(PIP) install --editable .
	@$(SAY_KERNELS)
	@touch $@

$(VENV)/.developer: $(BUILT_FROM) $(LOCK) | $(BIN)/python
	$(PIP) install --require-hashes --requirement $(LOCK)
	$(PIP) install --no-deps --no-build-isolation --editable .
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

sanitize: setup  ## the kernels under AddressSanitizer and UndefinedBehaviorSanitizer: fuzzers and tests (GCC, Linux)
	$(BIN)/python -m tools.sanitize

lock: setup  ## new exact versions, for every system and version of Python, within the ranges of pyproject.toml
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
	    --custom-compile-command "make lock" --extra all --group dev pyproject.toml --output-file $(LOCK)

# What is about the checkout is left out, and so is what takes long; the tools that run the tests are those of the lock.
OLDEST := build/oldest
oldest: setup  ## the tests with the oldest versions that pyproject.toml allows, in an environment of their own
	$(PYTHON) -m venv --clear $(OLDEST)
	$(BIN)/uv pip compile --quiet --no-header --resolution lowest-direct --only-binary :all: --python $(OLDEST)/bin/python \
	    --extra all pyproject.toml --output-file $(OLDEST)/oldest.txt
	$(BIN)/uv pip install --quiet --python $(OLDEST)/bin/python --requirement $(OLDEST)/oldest.txt \
	    pytest hypothesis jsonschema pybtex python-crfsuite rispy
	$(BIN)/uv pip install --quiet --python $(OLDEST)/bin/python --no-deps --config-settings build-dir=$(OLDEST)/kernels .
	$(OLDEST)/bin/python -m pytest tests -m "not slow" --ignore=tests/benchmarks --ignore=tests/tools \
	    --ignore=tests/test_docs.py --ignore=tests/test_wheel.py --ignore=tests/test_licences.py

docs: setup  ## the pages, tables, outputs and pictures that are generated
	$(BIN)/python -m tools.docs.manual > docs/cli.md
	$(BIN)/python -m tools.docs.figures

bench: setup  ## the benchmarks of speed; results go to benchmarks/results (`python -m benchmarks list` shows the others)
	for name in speed training-speed cold-start memory; do $(BIN)/python -m benchmarks $$name || exit 1; done

torture: setup  ## hostile strings, damaged files, killed runs, adversarial lengths; an hour or less for each part
	for part in strings files kills growth; do $(BIN)/python -m benchmarks torture-$$part || exit 1; done

default-models: setup  ## the models of the package, trained anew (needs the datasets and hours)
	$(BIN)/python -m tools.weights.models recipes/pretraining.toml recipes/references.toml recipes/sections.toml recipes/authors.toml

pair-model: setup  ## the weights of the pairwise matcher, trained anew (needs the datasets)
	$(BIN)/python -m tools.weights.matcher

entity-model: setup  ## the entity potentials of joint linking, trained anew (needs the datasets)
	$(BIN)/python -m tools.weights.entities

record-types: setup  ## the weights of the document types, trained anew (needs the datasets)
	$(BIN)/python -m tools.weights.document_types

clean:
	rm -rf $(VENV) build dist wheelhouse .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
