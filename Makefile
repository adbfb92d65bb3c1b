# Works with Python 3.11 or newer, make and pip; everything else is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TOOLS := $(VENV)/tools
SITE := $(VENV)/docs
SBOM ?= build/sbom.json
DEV_STAMP := $(VENV)/.installed-dev
PARTS := $(VENV)/part-0 $(VENV)/part-1 $(VENV)/part-2 $(VENV)/part-3
DEV_PARTS := $(VENV)/dev-part-0 $(VENV)/dev-part-1
REQUIREMENTS = awk '/^[a-z0-9]/ { wanted = $(1) } wanted' $(2)
INSTALL := install --quiet --disable-pip-version-check --require-hashes --no-deps --only-binary :all:
COMPILE := uv pip compile --universal --generate-hashes --no-emit-index-url --no-header --quiet
# jsonschema validates IRIs with these two, which takes 7 s of each `make sbom`.
NOT_NEEDED := --no-emit-package rfc3987-syntax --no-emit-package lark
CHECK := $(MAKE) --no-print-directory check
CHECKED := $(VENV)/check.log
PYTEST_ARGS ?=

ROOM ?=
OF ?= recall
MINUTES ?= 60
CANCELS ?= 20000

.PHONY: up help setup dev test test-fast test-long test-postgres test-citus test-wheel test-integrations test-agents outages kills cancels mutants processes changing-facts demo check walk bench soak faults eval lock tools docs man sbom audit-deps clean

up: setup ## start memd in the foreground
	@$(BIN)/memd serve

help: ## list the targets
	@awk -F ':[^#]*## ' '/^[a-z][a-z-]*:.*## / { printf "  %-18s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) ## .venv with the locked dependencies and the model

dev: $(DEV_STAMP) ## the same and the locked tools that check and test

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("memd needs Python 3.11 or newer; run: make PYTHON=python3.11 $(MAKECMDGOALS)" if sys.version_info < (3, 11) else 0)'
	@echo "Installing the locked dependencies into $(VENV) with $(words $(PARTS)) pips (a minute on a fresh machine) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv --without-pip $(VENV)
	@$(call REQUIREMENTS,/^pip==/,requirements.lock) >$(VENV)/pip.txt
	@$(PYTHON) -m pip --python $(BIN)/python $(INSTALL) -r $(VENV)/pip.txt 2>/dev/null \
	|| { $(BIN)/python -m ensurepip >$(VENV)/ensurepip.log && $(BIN)/python -m pip $(INSTALL) -r $(VENV)/pip.txt; }
	@$(MAKE) --silent --no-print-directory --jobs $(words $(PARTS)) $(PARTS)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q memd memctl tui migrations
	@touch $(STAMP)

$(DEV_STAMP): $(STAMP) requirements.dev
	@echo "Installing the tools that check and test ..."
	@$(MAKE) --silent --no-print-directory --jobs $(words $(DEV_PARTS)) $(DEV_PARTS)
	@touch $(DEV_STAMP)

# One pip per part of the lock: while one waits for the network, another unpacks and compiles. The locked pip can run
# concurrently; older versions read files that another one is still writing.
$(PARTS): $(VENV)/part-%: requirements.lock
	@$(call REQUIREMENTS,++count % $(words $(PARTS)) == $*,requirements.lock) >$@.txt
	@$(BIN)/python -m pip $(INSTALL) -r $@.txt
	@touch $@

$(DEV_PARTS): $(VENV)/dev-part-%: requirements.dev
	@$(call REQUIREMENTS,++count % $(words $(DEV_PARTS)) == $*,requirements.dev) >$@.txt
	@$(BIN)/python -m pip $(INSTALL) -r $@.txt
	@touch $@

# The checks run concurrently with the tests, and their output is printed after the tests.
test: dev ## everything that CI runs; ROOM=recall for the checks and tests of one room
ifeq ($(ROOM),)
	@$(CHECK) >$(CHECKED) 2>&1 & checking=$$!; \
	PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 3 --dist loadfile -m "not long" $(PYTEST_ARGS); tested=$$?; \
	wait $$checking; checked=$$?; \
	echo "make check:"; cat $(CHECKED); \
	exit $$((tested | checked))
else
	@$(BIN)/ruff check memd/$(ROOM) tests/memd/$(ROOM)
	@$(BIN)/python -m tests.types memd/$(ROOM) tests/memd/$(ROOM) & checking=$$!; \
	$(BIN)/python -m pytest -n 2 --dist loadfile tests/memd/$(ROOM) $(PYTEST_ARGS); tested=$$?; \
	wait $$checking; checked=$$?; \
	exit $$((tested | checked))
endif

test-fast: dev ## the tests that need no database
	@$(BIN)/python -m pytest -n 2 --dist loadfile --without-database -m "not (long or eval or slow)" tests/domain tests/shape tests/memctl tests/tui/test_presenters.py $(PYTEST_ARGS)

test-long: dev ## the tests that take long, and those that the suite runs in a short form, at full length
	@$(BIN)/python -m pytest -n 2 --dist loadfile -m "long or long_form" --long $(PYTEST_ARGS)

test-postgres: dev ## the contract's tests on the empty database of another server: URL=postgresql://…, POOL_URL=… of a proxy
ifeq ($(URL),)
	@echo "test-postgres is skipped: name an empty database with URL=postgresql://user@host/database"
else
	@$(BIN)/python -m pytest -n 1 tests/contract --postgres-url "$(URL)" $(if $(POOL_URL),--pool-url "$(POOL_URL)") $(PYTEST_ARGS)
endif

test-citus: dev ## the contract's tests and outages on a Citus cluster, started here or named by URL=postgresql://coordinator/empty
ifeq ($(URL),)
	@$(BIN)/python -m pytest -n 1 tests/e2e/citus tests/contract --citus $(PYTEST_ARGS)
else
	@$(BIN)/memd migrate --database-url "$(URL)" --distribute --shards 4
	@$(BIN)/python -m pytest -n 1 tests/contract --postgres-url "$(URL)" $(PYTEST_ARGS)
endif

outages: dev ## outages of a minute each: database, embedder, disk, clock
	@$(BIN)/python -m pytest tests/e2e/outages --outage-seconds 60 --log-cli-level INFO $(PYTEST_ARGS)

kills: dev ## kill worker, request process, memd and Postgres in turn, 20 times under load; logs the seconds until memd serves again
	@$(BIN)/python -m pytest tests/e2e/test_kills_in_turn.py --kill-rounds 20 --log-cli-level INFO $(PYTEST_ARGS)

cancels: dev ## cancel CANCELS=20000 calls at random awaits of database, service, HTTP and MCP, with two other users at work
	@$(BIN)/python -m pytest tests/memd/access/test_cancelled_calls.py --cancels $(CANCELS) --timeout 0 $(PYTEST_ARGS)

processes: dev ## limits, revoked keys and equal captures over four processes
	@$(BIN)/python -m pytest tests/e2e/test_processes.py --processes 4 $(PYTEST_ARGS)

mutants: dev ## remove each scope condition in turn; every time a read has to return what it must not
	@$(BIN)/python -m pytest -n 1 tests/memd/access/test_scope_mutants.py tests/shape/test_scope_rule.py $(PYTEST_ARGS)

changing-facts: dev ## recall as of every instant of 429 facts about 80 subjects, before and after supersession
	@MEMD_ALL_FACTS=1 $(BIN)/python -m pytest -n 0 -s tests/memd/memories/conflicts/test_changing_facts.py $(PYTEST_ARGS)

test-wheel: dev ## install the wheels with pip, pipx and uv outside the checkout, up to a first recall
	@$(BIN)/python -m pytest tests/packaging --install-wheel $(PYTEST_ARGS)

test-integrations: dev ## agent frameworks and generated clients against memd; installs them into an environment of their own
	@$(BIN)/python -m pytest tests/integrations --frameworks install $(PYTEST_ARGS)

test-agents: dev ## Claude Code, Codex, Gemini CLI, Copilot CLI, opencode and OpenClaw, from npm, with hooks and tools of memd and a scripted model
	@$(BIN)/python -m pytest tests/e2e/test_coding_agents.py tests/e2e/test_agent_tokens.py --agents $(PYTEST_ARGS)

check: dev ## style, types, import contracts
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python -m tests.types

demo: setup ## a two-minute tour on a throw-away data directory
	@$(BIN)/python docs/demo.py

walk: dev ## print what one warm request runs through: OF=recall, search, import, log, tools/call or reflection
	@$(BIN)/python -m tests.walk $(OF)

bench: dev ## speed, compared with the minimum cost of each operation
	@$(BIN)/python -m tests.bench

soak: dev ## mixed load by eight users for MINUTES=60; fails when memory grows, a call fails or jobs are left
	@$(BIN)/python -m tests.soak $(MINUTES)

faults: dev ## kill memd, or Postgres, at every point of each write, job and migration; up to an hour
	@$(BIN)/python -m tests.faults

eval: dev ## quality of retrieval on the question sets of MEMD_EVAL_DIR; ONLY=memories for one set, EVAL_ARGS for more
	@$(BIN)/python -m tests.bench.eval $(ONLY) $(if $(ONLY),,--write) $(EVAL_ARGS)

lock: ## write requirements.lock, requirements.dev, requirements.tools and requirements.docs anew (needs uv)
	@$(COMPILE) --extra redis --group build pyproject.toml --output-file requirements.lock
	@$(COMPILE) --group dev --constraints requirements.lock pyproject.toml --extra redis --output-file requirements.dev
	@awk '/^[a-z0-9]/ { drop = $$1 in locked } NR == FNR { locked[$$1]; next } !drop' requirements.lock requirements.dev >requirements.dev.new
	@mv requirements.dev.new requirements.dev
	@cat requirements.model >> requirements.lock
	@$(COMPILE) --python-version 3.11 --group tools $(NOT_NEEDED) --output-file requirements.tools
	@$(COMPILE) --python-version 3.11 --group docs --output-file requirements.docs

# The tools of the next targets have dependencies that memd never needs, so they have environments of their own. The
# locked pip of .venv installs them where there is one: an older one, as Python brings it, takes twice as long.
tools: $(TOOLS)/.installed

$(TOOLS)/.installed $(SITE)/.installed: $(VENV)/%/.installed: requirements.%
	@$(PYTHON) -m venv --without-pip $(@D)
	@$(BIN)/python -m pip --python $(@D)/bin/python $(INSTALL) --no-compile -r $< 2>/dev/null \
	|| { $(@D)/bin/python -m ensurepip >$(@D)/ensurepip.log && $(@D)/bin/python -m pip $(INSTALL) --no-compile -r $<; }
	@touch $@

docs: $(SITE)/.installed ## the documentation as a website: build/docs/site/index.html
	@$(SITE)/bin/python docs/site.py

man: dev ## manual pages of every command: build/man
	@PYTHONPATH=. $(BIN)/python docs/man.py

sbom: tools ## a CycloneDX list of the locked packages: SBOM=build/sbom.json
	@mkdir -p $(dir $(SBOM))
	@PYTHONWARNINGS=ignore::UserWarning $(TOOLS)/bin/cyclonedx-py requirements requirements.lock --pyproject pyproject.toml --output-reproducible --output-file $(SBOM)

audit-deps: tools ## known vulnerabilities of the locked packages; Error 1: there are some, Error 3: no database answered
	@$(TOOLS)/bin/python -m tests.dependencies.audit

clean: ## remove what was built; never touches a data directory
	@rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis .import_linter_cache build dist *.egg-info
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
