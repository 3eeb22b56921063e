# Every target sets up .venv by itself and reuses it while pyproject.toml and constraints.txt are unchanged.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV ?= $(BIN)/uv
INSTALL := $(BIN)/python -m pip install --quiet --constraint constraints.txt

.PHONY: help setup demo test tests lowest newest release lint docs tables package bench torture reproduce constraints clean

# From the environment, not from the text of the commands: names may have any characters, "$" too.
override CORPUS := $(value CORPUS)
override SCWS := $(value SCWS)
export CORPUS SCWS PYTHON

help:
	@echo "make demo     show what exrpca does with a table, with vectors and with a text"
	@echo "make test     run linters, type checks, import rules, doctests and tests"
	@echo "make lint     run linters, type checks and import rules only"
	@echo "make docs     build the documentation site, strictly, into build/docs"
	@echo "make tables   fill the tables and numbers of README and docs from benchmarks/results/"
	@echo "make package  build wheel and sdist, install the wheel elsewhere, and run the demo there"
	@echo "make lowest   test with the oldest versions that pyproject.toml allows, on Python 3.11"
	@echo "make newest   test with the newest versions, on Python 3.13"
	@echo "make release  check everything and build what is to be published; uploads nothing"
	@echo "make bench    run all benchmarks; those that need data say so (EXRPCA_DATA, EXRPCA_VECTORS)"
	@echo "make bench NAME=induction"
	@echo "              run one of them; NAME=\"induction wsi\" runs two"
	@echo "make torture  attack everything that reads and writes: damaged files, kills, full disks"
	@echo "make reproduce CORPUS=text.txt.xz SCWS=ratings.txt"
	@echo "              train with the paper's settings, then report all its tables and figures"
	@echo "make setup    create .venv with everything the tests need"

# The demo needs the package alone; the tests need every extra; docs and benchmarks need more.
$(VENV)/.package: pyproject.toml constraints.txt
	test -x $(BIN)/python || "$$PYTHON" -m venv $(VENV)
	$(INSTALL) --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.package
	$(INSTALL) --editable ".[test]"
	@touch $@

$(VENV)/.docs: $(VENV)/.test
	$(INSTALL) --editable ".[docs]"
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
	$(BIN)/lint-imports

# Linters and tests run side by side.
test: $(VENV)/.test
	@$(MAKE) --no-print-directory --jobs 2 lint tests

tests: $(VENV)/.test
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

# Strictly: a broken link or a reference to an unknown name fails.
docs: $(VENV)/.docs
	rm -rf build/docs docs/api/generated
	$(BIN)/python -m sphinx --fail-on-warning --nitpicky --keep-going docs build/docs

tables: $(VENV)/.test
	$(BIN)/python -m scripts.fill_docs

# What breaks with another version of a package: files, tables, the command line, fitting.
VERSION_TESTS := tests/senses/formats/test_parquet.py tests/senses/formats/test_table.py \
	tests/senses/formats/test_word2vec.py tests/cli/test_everyday.py src/exrpca/decomposition \
	tests/evaluation/test_methods.py tests/training/test_train.py tests/contextual/test_encode.py
lowest: RESOLUTION := lowest-direct
lowest: INTERPRETER := 3.11
newest: RESOLUTION := highest
newest: INTERPRETER := 3.13

# The resolver knows only the bounds in pyproject.toml, so a bound that is too low shows here.
lowest newest: $(VENV)/.test
	rm -rf build/$@
	$(UV) venv --quiet --python $(INTERPRETER) build/$@
	$(UV) pip install --quiet --python build/$@ --resolution $(RESOLUTION) \
		--editable ".[contextual,dask,explore,gensim,report]" "pytest>=8" "pytest-xdist>=3.6" \
		"hypothesis>=6.100" "h5py>=3.11" "psutil>=6" "httpx>=0.27"
	build/$@/bin/exrpca demo -o build/$@/demo
	build/$@/bin/python -m pytest --numprocesses auto --dist worksteal $(VERSION_TESTS)

# The wheel is built from the sdist, so this checks both.
package: $(VENV)/.test
	rm -rf dist build/package
	$(BIN)/python -m build --outdir dist
	scripts/check_wheel.sh dist/*.whl

# Stops before the upload, which .github/workflows/release.yml does when a tag is pushed.
release: $(VENV)/.test
	$(BIN)/python -m scripts.check_release
	$(MAKE) --no-print-directory test docs package
	$(BIN)/python -m pip install --quiet twine check-wheel-contents
	$(BIN)/python -m twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl
	$(BIN)/python -m scripts.check_release dist/*.whl
	@echo "dist/ is ready: tag the commit and push the tag"

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks $(NAME)

# The tests run a short form of it.
torture: $(VENV)/.test
	$(BIN)/python -m benchmarks torture

# An interrupted training continues where it stopped; existing vectors are not trained again.
reproduce: reproduction/np-mssg.parquet reproduction/mssg.parquet
	for model in np-mssg mssg; do \
		$(BIN)/exrpca reproduce reproduction/$$model.parquet -o reproduction/$$model \
			$${SCWS:+--scws "$$SCWS"} || exit 1; \
	done

reproduction/%.parquet: | $(VENV)/.test
	@test -n "$$CORPUS" || { echo "make reproduce CORPUS=text.txt.xz [SCWS=ratings.txt]"; exit 2; }
	mkdir -p reproduction
	$(BIN)/exrpca train "$$CORPUS" -o $@ --preset neelakantan2014 --model $* --resume

# After changing dependencies: record the versions that pass the tests.
constraints: $(VENV)/.bench $(VENV)/.docs
	$(BIN)/python -m pip freeze --exclude-editable > constraints.txt

clean:
	rm -rf $(VENV) build dist docs/api/generated .pytest_cache .mypy_cache .ruff_cache .hypothesis
