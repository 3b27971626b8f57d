# `make` alone lists the targets.  They make their own environment: only Python 3.11 or newer is needed.
PYTHON ?= python3
ENV    := .venv
READY  := $(ENV)/.installed
RUN    := $(ENV)/bin/python -m

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow mutants check golden cycles bench docs size clean

## help       list the targets
help:
	@sed -n 's/^## /  make /p' $(MAKEFILE_LIST)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON) is no Python 3.11 or newer; name one that is, as in: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(ENV)
	$(RUN) pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

## demo       add two 8192 x 8192 float16 matrices on 48 simulated cores, write out/add
demo: $(READY)
	$(ENV)/bin/ascendc run add --shape 8192x8192 --dtype float16 --blocks 48 --out out/add

## test       the suite; warnings are errors
test: $(READY)
	$(RUN) pytest -q -n 2 -m 'not slow'

## test-slow  the sweeps that take minutes
test-slow: $(READY)
	$(RUN) pytest -q -n 2 -m slow

## mutants    every operator with one thing wrong at a time: what the checks miss, in minutes
mutants: $(READY)
	$(RUN) tests.guards.sweep

## check      style, types, who may import whom
check: $(READY)
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(RUN) mypy
	$(ENV)/bin/lint-imports

## golden     rewrite tests/golden, then read the diff
golden: $(READY)
	$(RUN) pytest -q -m 'not slow' --update-golden
	git diff --stat tests/golden

## cycles     cycles of every kernel against benchmarks/cycles.csv
cycles: $(READY)
	$(RUN) benchmarks.cycles --check

## bench      speed of the passes, beside bare SimPy and bare NumPy
bench: $(READY)
	$(RUN) benchmarks.speed

## docs       regenerate the tables and the outputs of the examples
docs: $(READY)
	$(RUN) ascendc.language.isa > docs/instructions.md
	$(RUN) ascendc.language.codes > docs/errors.md
	$(ENV)/bin/python docs/examples/run.py

## size       lines per module, longest first
size:
	@git ls-files '*.py' | xargs wc -l | sort -rn | head -20

## clean      remove the environment, caches and reports
clean:
	rm -rf $(ENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist out
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
