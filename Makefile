# Two commands, nothing else to set up:
#   make demo    the classic example, explained
#   make test    every test, lint and types
# and two for those who work on it: make bench (speed), make docs (what is computed in the docs)
# The environment is made on the first run and kept; it is renewed when pyproject.toml changes.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
WORKERS ?= 2

.PHONY: demo test lint bench docs clean

demo: $(VENV)/.demo
	@$(BIN)/minigrad

test: $(VENV)/.test lint
	$(BIN)/pytest -n $(WORKERS)

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.test
	$(BIN)/python bench/engine.py
	$(BIN)/python bench/startup.py
	$(BIN)/python bench/depth.py

docs: $(VENV)/.test
	$(BIN)/python docs/renew.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "minigrad needs Python 3.11 or later; write: make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

# The demo needs minigrad alone; the tests need their tools and PyTorch too.
$(VENV)/.demo: $(BIN)/python pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.test: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@ $(VENV)/.demo
