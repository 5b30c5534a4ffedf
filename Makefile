# Everything a person or a build machine runs. `make help` lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
VAULT ?= docs
QUERY ?= what happens to my notes when I delete the index
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help demo test lint types imports pytest pytest-engine pytest-surfaces browser plugin fmt bench bench-retrieval bench-lanes bench-vaults bench-providers bench-agents bench-hrr bench-import bench-plugin test-mcp-clients pictures soak fuzz clean

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /  make \1\t/' | expand -t 24

$(VENV)/.app: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 11), "Holovault needs Python 3.11 or later: set PYTHON=/path/to/python3.11"'
	@$(PYTHON) -c 'import ensurepip, venv' || { echo "This Python cannot make virtual environments: on Debian install the package python3-venv"; exit 3; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade --constraint constraints.txt pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.ready: $(VENV)/.app
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable . --group dev
	@touch $@

demo: $(VENV)/.app ## index docs/ as a vault, start the daemon, run one search
	@$(BIN)/holovault index --vault "$(VAULT)"
	@$(BIN)/holovault up "$(VAULT)"
	@echo; echo '$$ holovault search "$(QUERY)" --vault $(VAULT)'
	@$(BIN)/holovault search "$(QUERY)" --vault "$(VAULT)" --limit 5
	@echo
	@echo "Ask it something else:   $(BIN)/holovault search \"your words\" --vault $(VAULT)"
	@echo "Stop it:                 $(BIN)/holovault stop --vault $(VAULT)"
	@echo "Use your own vault:      $(BIN)/holovault up /path/to/your/vault"

# Two things at once, each printed when it is done: many tests wait for processes rather than compute.
SIDE_BY_SIDE := $(MAKE) --no-print-directory --jobs=2 --keep-going --output-sync=target

test: $(VENV)/.ready ## everything that must hold before a change lands
	@$(SIDE_BY_SIDE) pytest-engine pytest-surfaces plugin lint imports types

lint: $(VENV)/.ready ## style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.ready ## mypy strict, on the code and the tests
	$(BIN)/mypy

imports: $(VENV)/.ready ## the layers
	$(BIN)/lint-imports

pytest: $(VENV)/.ready ## the tests, with what was skipped and why
	@$(SIDE_BY_SIDE) pytest-engine pytest-surfaces

pytest-engine: $(VENV)/.ready
	$(BIN)/pytest -q -rfEs -m "not soak" --ignore=tests/surfaces

# Pages are tested in a real browser: the one that CHROME names, else Debian's own.
browser:
	@test -n "$${CHROME:-}" || type -P chromium chromium-browser google-chrome google-chrome-stable >/dev/null || { \
	  { test "$$(id -u)" = 0 && type -P apt-get >/dev/null; } || { echo "Install Chromium, or set CHROME=/path/to/chrome"; exit 3; }; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null; }

pytest-surfaces: $(VENV)/.ready browser
	$(BIN)/pytest -q -rfEs -m "not soak" tests/surfaces -o cache_dir=.pytest_cache/surfaces

obsidian-plugin/node_modules/.ready: obsidian-plugin/package-lock.json
	cd obsidian-plugin && npm ci --no-audit --no-fund
	@touch $@

plugin: obsidian-plugin/node_modules/.ready $(VENV)/.ready browser ## the Obsidian plugin: lint, types, tests, build
	cd obsidian-plugin && npm run --silent lint && npm run --silent types && npm run --silent test && npm run --silent build

.clients/.ready: tests/clients/package.json $(VENV)/.app
	mkdir -p .clients && cp tests/clients/package.json .clients/
	npm install --prefix .clients --no-audit --no-fund
	$(PYTHON) -m venv .clients/venv && .clients/venv/bin/pip install --quiet mcp-conform==0.1.0
	@touch $@

test-mcp-clients: $(VENV)/.ready .clients/.ready ## the MCP server with other people's clients: MCP Inspector, mcp-conform
	HOLOVAULT_CLIENTS=.clients $(BIN)/pytest -q tests/clients/real_clients.py

fmt: $(VENV)/.ready ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.ready ## the budgets: a table of times and memory on synthetic vaults
	$(BIN)/python -m tests.bench.budgets

bench-retrieval: $(VENV)/.ready ## nDCG@10 and R@5 on retrieval sets: make bench-retrieval DATA=folder
	$(BIN)/python -m tests.bench.retrieval --data $(or $(DATA),$(error say where the sets are: make bench-retrieval DATA=folder))

bench-lanes: $(VENV)/.ready ## what each lane is worth: make bench-lanes DATA=folder [VAULTS="folder archive.tar.gz"]
	$(BIN)/python -m tests.bench.retrieval.ablation --data $(or $(DATA),$(error say where the sets are: make bench-lanes DATA=folder)) $(if $(VAULTS),--vaults $(VAULTS))

bench-vaults: $(VENV)/.ready ## what indexing real vaults costs: make bench-vaults VAULTS="folder archive.tar.gz"
	$(BIN)/python -m tests.bench.vaults $(or $(VAULTS),docs)

bench-providers: $(VENV)/.ready ## embedding providers side by side: make bench-providers [DATA=folder] [MODELS="e5 fastembed:NAME"]
	$(BIN)/python -m tests.bench.providers $(MODELS) $(if $(DATA),--data $(DATA))

bench-agents: $(VENV)/.ready ## tokens that ten answers cost an agent: make bench-agents VAULTS="archive.tar.gz …"
	$(BIN)/python -m tests.bench.agents $(or $(VAULTS),docs)

bench-hrr: $(VENV)/.ready ## the algebra alone against the exact index: make bench-hrr [VAULTS="folder archive.tar.gz"]
	$(BIN)/python -m tests.bench.structure $(if $(VAULTS),--vaults $(VAULTS))

bench-plugin: obsidian-plugin/node_modules/.ready $(VENV)/.ready browser ## the plugin's budgets: loading, scrolling, memory
	cd obsidian-plugin && npm run --silent budgets

pictures: $(VENV)/.ready browser obsidian-plugin/node_modules/.ready ## the manual's pictures of the web page and the plugin
	$(BIN)/python -m tests.bench.pictures
	cd obsidian-plugin && npm run --silent pictures ../docs/images

bench-import: $(VENV)/.ready ## what importing 146 MB of conversations and a session of 1 GB costs
	$(BIN)/python -m tests.bench.importing

soak: $(VENV)/.ready ## long proofs: many random histories, many kills
	HYPOTHESIS_PROFILE=soak $(BIN)/pytest -q -m "soak or not soak" --timeout=3600

fuzz: $(VENV)/.ready ## property tests with many more examples
	HYPOTHESIS_PROFILE=fuzz $(BIN)/pytest -q -k "property or every or any" --timeout=3600

clean: ## remove what the targets above made
	rm -rf $(VENV) .clients obsidian-plugin/node_modules obsidian-plugin/main.js .demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
