# Every target sets up .venv by itself and reuses it while pyproject.toml and constraints.txt are unchanged.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --constraint constraints.txt

.PHONY: help setup demo test lint bench reproduce docs constraints clean

help:
	@echo "make demo    clean the bundled vectors and show what happened"
	@echo "make test    linters, types, doctests and tests"
	@echo "make lint    linters and types alone"
	@echo "make bench   all measurements, results in benchmarks/results/; those that train say"
	@echo "             which folders they need in EXRPCA_DATA and EXRPCA_VECTORS"
	@echo "make reproduce CORPUS=text.txt.xz SCWS=ratings.txt"
	@echo "             train with the paper's settings, then report all its tables and figures"
	@echo "make docs    fill the tables of the docs from benchmarks/results/"
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

# An interrupted training goes on where it stopped; vectors that are there are not trained again.
reproduce: reproduction/np-mssg.parquet reproduction/mssg.parquet
	for model in np-mssg mssg; do \
		$(BIN)/exrpca reproduce reproduction/$$model.parquet -o reproduction/$$model \
			$(if $(SCWS),--scws $(SCWS)) || exit 1; \
	done

reproduction/%.parquet: | $(VENV)/.test
	@test -n "$(CORPUS)" || { echo "make reproduce CORPUS=text.txt.xz [SCWS=ratings.txt]"; exit 2; }
	mkdir -p reproduction
	$(BIN)/exrpca train $(CORPUS) -o $@ --preset neelakantan2014 --model $* --resume

docs: $(VENV)/.package
	$(BIN)/python scripts/fill_docs.py

# After changing dependencies: record the versions that pass the tests.
constraints: $(VENV)/.bench
	$(BIN)/python -m pip freeze --exclude-editable > constraints.txt

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
