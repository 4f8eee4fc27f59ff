# Two commands, nothing else to set up:
#   make demo    the classic example, explained
#   make test    every test, lint and types
# and four for those who work on it: make quick (lint, types and the tests of what was changed), make bench
# (speed), make docs (what is computed in the docs), make site (the docs as pages to read in a browser);
# make release is in RELEASING.md
# The environment is made on the first run and kept; it is renewed when pyproject.toml or the C code changes.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
WORKERS ?= 2
NODE   := $(VENV)/node/node_modules
export MINIGRAD_NODE_MODULES := $(abspath $(NODE))
# The tests start Python some thousand times: it need not compile the same files again each time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test quick lint bench instructions docs site web sanitize analysis mutation fuzz release clean

demo: $(VENV)/.demo
	@$(BIN)/minigrad

# Each worker has a half of the files, and who is done first takes over tests of the other one: what a file
# needs once (a browser, a server, a site) is mostly made once.
SHARED := -n $(WORKERS) --dist worksteal

# Every test on the compiled engine, and those whose outcome could depend on the engine on the plain one too:
# tests/support/engines_of_tests.py says which.
test: $(VENV)/.test $(VENV)/.browser lint
	@$(BIN)/python -m compileall -q src
	$(BIN)/pytest $(SHARED)
	MINIGRAD_PURE=1 $(BIN)/pytest $(SHARED) -m "not one_engine"

# Lint, types, and the tests of the core and of the packages that differ from BASE, without the slow ones.
BASE ?= main
quick: $(VENV)/.test lint
	$(BIN)/pytest $(SHARED) -m "not slow" --graphs=200 $$($(BIN)/python tests/tools/quick.py $(BASE))

lint: $(VENV)/.test $(VENV)/.node
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(NODE)/.bin/tsc --project src/minigrad/player/tsconfig.json
	$(NODE)/.bin/tsc --project web/browser/tsconfig.json
	$(NODE)/.bin/tsc --project web/browser/tsconfig.engine.json
	$(BIN)/clang-format --dry-run --Werror $(filter-out %/kernels.h %/maps.h,$(wildcard src/minigrad/_native/*.[ch] src/minigrad/_native/vector/*.[ch] bench/c/*.[ch]))

bench: $(VENV)/.bench
	$(BIN)/python bench/compiled.py --svg bench/compiled.svg
	$(BIN)/python bench/speed.py --svg bench/speed.svg
	$(BIN)/python bench/instructions.py
	$(BIN)/python bench/startup.py
	$(BIN)/python bench/depth.py
	$(BIN)/python bench/studio.py
	$(BIN)/python bench/web.py
	$(BIN)/python bench/training.py
	$(BIN)/python bench/learning.py

docs: $(VENV)/.test
	$(BIN)/python -m minigrad._native.textbook_checksum
	$(BIN)/python -m minigrad._native.emitter
	$(BIN)/python -m minigrad._native.vector_emitter
	$(BIN)/python -m minigrad.player.kernel_emitter
	$(BIN)/python -m minigrad.learn.lesson_notebook notebooks
	$(BIN)/python docs/class/fill.py
	$(BIN)/python docs/renew.py

# build/site/index.html: the docs in both languages, joined by the course, the catalogue and the reference.
site: $(VENV)/.test
	$(BIN)/python docs/website

# build/web/: the studio as static files that any server can hand out; Python runs in the browser.
web: $(VENV)/.test $(VENV)/.node
	$(BIN)/python web

# Fails when the compiled engine needs 5% more instructions than the committed figure.
instructions: $(VENV)/.test
	$(BIN)/python bench/instructions.py --check

sanitize: $(VENV)/.test
	PYTHON=$(BIN)/python tests/tools/sanitize.sh
	PYTHON=$(BIN)/python tests/tools/sanitize_threads.sh

# Follows the paths through the C code without running it: gcc's -fanalyzer.
analysis: $(VENV)/.test
	PYTHON=$(BIN)/python tests/tools/analysis.sh

# Does a test fail for each small change of the core, and for a sample of those of the scripts?  What may survive
# is in tests/mutation/survivors.toml, package_survivors.toml and script_survivors.toml.
mutation: $(VENV)/.mutation $(VENV)/.node $(VENV)/.browser
	$(BIN)/python tests/mutation/run.py --workers $(WORKERS)
	$(BIN)/python tests/mutation/run.py --coverage
	$(BIN)/python tests/mutation/sample.py --workers $(WORKERS)
	$(BIN)/python tests/mutation/scripts.py --workers $(WORKERS)

# Does each boundary stand changed inputs, for so many seconds each?  What fails is saved below build/fuzz.
SECONDS ?= 60
SEED ?= 1
fuzz: $(VENV)/.test
	$(BIN)/python tests/fuzz/run.py --seconds $(SECONDS) --seed $(SEED)

# dist/: the sdist and the wheels, tried in empty environments on every Python here; publishes nothing.
release: $(BIN)/python
	$(BIN)/python tests/tools/release.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache src/minigrad/_native/*.so

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "minigrad needs Python 3.11 or later; write: make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

# The demo needs minigrad alone; the tests need their tools and PyTorch too.  A change of the compiled
# engine is a reason to install again, because that is what compiles it.
SETUP := pyproject.toml setup.py $(wildcard src/minigrad/_native/*.[ch] src/minigrad/_native/vector/*.[ch]) $(addprefix src/minigrad/,ops.py values/formulas.py values/ieee.py)
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable

$(VENV)/.demo: $(BIN)/python $(SETUP)
	@echo "installing minigrad into $(VENV), once: it is compiled, which takes a minute or two"
	@$(INSTALL) .
	@$(SAY_ENGINE)
	@touch $@

$(VENV)/.test: $(BIN)/python $(SETUP)
	$(INSTALL) '.[test]'
	@$(SAY_ENGINE)
	@touch $@ $(VENV)/.demo

# What is only measured against.
$(VENV)/.bench: $(VENV)/.test
	$(INSTALL) '.[test,bench]'
	@touch $@

$(VENV)/.mutation: $(VENV)/.test
	$(INSTALL) '.[test,mutation]'
	@touch $@

PACKAGES := typescript@5.9.3 axe-core@4.11.0 pyodide@314.0.7 esbuild@0.28.2 @codemirror/state@6.7.6 \
  @codemirror/view@6.43.15 @codemirror/commands@6.11.1 @codemirror/language@6.13.1 @codemirror/lang-python@6.2.1

# What the pages are tested with: a browser, a checker of types and one of accessibility; and what make web
# puts together: Python for browsers, an editor, and a bundler.
$(VENV)/.browser: $(BIN)/python tests/tools/browser.sh
	@tests/tools/browser.sh chromium
	@touch $@

$(VENV)/.node: $(BIN)/python Makefile tests/tools/browser.sh
	@tests/tools/browser.sh node npm
	npm install --silent --no-save --no-package-lock --no-audit --no-fund --prefix $(VENV)/node $(PACKAGES)
	@touch $@

# pip shows nothing of what a build says, so what it has to say is said here, once.
SAY_ENGINE = $(BIN)/python -m minigrad._native.status
