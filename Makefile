# Every target sets up .venv by itself and reuses it while pyproject.toml and constraints.txt are unchanged.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --constraint constraints.txt

.PHONY: help setup demo test lint bench constraints clean

help:
	@echo "make demo    clean the bundled vectors and show what happened"
	@echo "make test    linters, types, doctests and tests"
	@echo "make lint    linters and types alone"
	@echo "make bench   all measurements, results in benchmarks/results/"
	@echo "make setup   create .venv with everything the tests need"

# The demo needs the package alone; the tests need every extra, the benchmarks the peers as well.
$(VENV)/.package: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.package
	$(INSTALL) --editable ".[test]"
	@touch $@

$(VENV)/.bench: $(VENV)/.test
	$(INSTALL) --editable ".[bench]"
	@touch $@

setup: $(VENV)/.test

demo: $(VENV)/.package
	$(BIN)/exrpca demo

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(BIN)/python -m pytest

bench: $(VENV)/.bench
	for script in benchmarks/[a-z]*.py; do $(BIN)/python $$script || exit 1; done

# After changing dependencies: record the versions that pass the tests.
constraints: $(VENV)/.bench
	$(BIN)/python -m pip freeze --exclude-editable > constraints.txt

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
