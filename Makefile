# Fairgate: everything that an engineer does here, by name. `make` alone explains itself.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory --no-builtin-rules

PORT ?= 8080
CROWD ?= 0
SEATS ?= 12000
CHART ?=
TAU ?=
CAPACITY ?=
SALE_STARTS_IN ?=
RUN_DIR ?= .run
BUYERS ?= 200
SECONDS_LONG ?= 60
WORKERS ?= 2
# More than three times the cores of CI: five wait for timers and browsers beside two that compute.
TESTERS ?= 7
# As many as cores, where no test waits.
COMPUTERS ?= 2
STAGE ?= local
BENCH ?=
CASES ?= 1000000
INPUTS ?= 1000000
SEED ?= 1
ADMISSIONS ?= 1000000
PROCESSES ?= 64
FRESH ?=
NAME ?=
ONLY ?=
AGAIN ?=
URL ?=
GO ?=
EVENT ?=
ELSEWHERE ?=
LISTEN ?= 127.0.0.1
PORT_MASTER ?= 5557
BOOKS ?=

# The system's Python where it fits, else the newest, unless PYTHON says which. Distributions build
# theirs optimized; pyenv does not, and tests took a sixth more processor time with it.
PYTHON ?= $(shell for p in /usr/bin/python3 python3.13 python3.12 python3.11 python3; do \
	"$$p" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v "$$p" && break; \
	done)
# Functions run on Lambda's Python 3.13, in the emulator as well; a shim of pyenv may lead nowhere.
EMULATOR_PYTHON ?= $(shell for p in python3.13 "$$HOME"/.pyenv/versions/3.13*/bin/python3.13; do \
	"$$p" -c '' 2>/dev/null && command -v "$$p" && break; \
	done)
BIN := .venv/bin
RUN := $(BIN)/python
# CI runs what failed once more (tests/support/unsteady.py).
PYTEST ?= $(RUN) -m pytest

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Containers like to set it. Then each of a thousand processes would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPATH := $(CURDIR)/build/fonts:$(CURDIR)/layers/core/python:$(CURDIR)/ops:$(CURDIR)/lab:$(CURDIR)/lab/tests:$(CURDIR)

.PHONY: docs pages pictures help setup up test prove test-long test-quick test-times fresh check load load-aws rush flood draw deploy-local rehearse rehearse-day synth layers gate lint format typecheck requirements clean
.PHONY: converge gate-cases fuzz-api fuzz-gate simulate simulate-gate controls grant-controls machine race bench-hold
.PHONY: bench-availability bench-best bench-cold bench-forecast bench-gate bench-help bench-imports bench-map bench-pages bench-rebuild bench-audit bench-orders bench-reconcile bench-inventory bench-tickets openapi reference system-packages test-packages load-packages emulator-packages

help: ## Show this
	@echo "Fairgate. First: make up (runs it here) or make test (proves it)."
	@echo
	@sed -nE 's/^([a-z][a-z-]*):[^#]*## (.*)/  make \1|\2/p' $(MAKEFILE_LIST) \
		| awk -F'|' '{ printf "%-22s %s\n", $$1, $$2 }'
	@echo
	@echo "  make up PORT=8081 CROWD=2000 SEATS=12000 TAU=30 SALE_STARTS_IN=20 CHART=path/to/chart.json"
	@echo "  make rush BUYERS=200 SECONDS_LONG=60"

# --- what everything needs

setup: .venv/.ready .venv-local/.ready node_modules/.ready build/fonts/.ready system-packages ## Install what is missing; quick when nothing is

.venv/.ready: requirements/dev.txt Makefile
	@$(call need_python)
	@echo "Python packages → .venv"
	@test -x $(RUN) || $(call new_venv,.venv)
	@$(call install,.venv,requirements/dev.txt)
	@# The project itself, by path: changes count at once, and nothing has to be built.
	@site="$$($(RUN) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"; \
		printf '%s\n' "$(CURDIR)/build/fonts" "$(CURDIR)/layers/core/python" "$(CURDIR)/ops" "$(CURDIR)/lab" "$(CURDIR)/lab/tests" "$(CURDIR)" > "$$site/fairgate.pth"
	@# Guarded, because the audit's processes import it.
	@printf '%s\n' '#!$(CURDIR)/$(RUN)' 'from fairgate_ops.operate.cli.main import main' '' \
		'if __name__ == "__main__":' '    raise SystemExit(main())' > $(BIN)/fairgate
	@chmod +x $(BIN)/fairgate
	@touch $@

.venv-local/.ready: requirements/local.txt .venv/.ready
	@echo "Local servers (database engine, cache) → .venv-local"
	@test -x .venv-local/bin/python || $(call new_venv,.venv-local)
	@$(call install,.venv-local,requirements/local.txt)
	@touch $@

.venv-emulator/.ready: requirements/emulator.txt .venv/.ready
	@echo "The emulator that the templates are deployed into → .venv-emulator"
	@test -x .venv-emulator/bin/python || "$(EMULATOR_PYTHON)" -m venv .venv-emulator
	@$(call install,.venv-emulator,requirements/emulator.txt)
	@touch $@

.venv-load/.ready: requirements/load.txt .venv/.ready
	@echo "The engine of the load from several machines → .venv-load"
	@test -x .venv-load/bin/python || $(call new_venv,.venv-load)
	@$(call install,.venv-load,requirements/load.txt)
	@touch $@

.venv-openapi/.ready: requirements/openapi.txt .venv/.ready
	@echo "What tries the API by its description, and makes clients of it → .venv-openapi"
	@test -x .venv-openapi/bin/python || $(call new_venv,.venv-openapi)
	@$(call install,.venv-openapi,requirements/openapi.txt)
	@touch $@

.venv-docs/.ready: requirements/docs.txt .venv/.ready
	@echo "What only the documentation's site needs → .venv-docs"
	@test -x .venv-docs/bin/python || $(call new_venv,.venv-docs)
	@$(call install,.venv-docs,requirements/docs.txt)
	@touch $@

node_modules/.ready: package.json package-lock.json
	@command -v npm >/dev/null || { echo "Node.js with npm is missing. On Debian or Ubuntu: apt-get install nodejs npm" >&2; exit 1; }
	@echo "npm packages → node_modules"
	@npm ci --no-audit --no-fund --loglevel=error
	@touch $@

build/fonts/.ready: node_modules/.ready .venv/.ready ops/fairgate_ops/build/fonts.py
	@echo "Fonts of tickets and invoices → build/fonts"
	@$(RUN) -m fairgate_ops.build.fonts
	@touch $@

define need_python
{ test -n "$(PYTHON)" || { echo "Python 3.11 or newer with its venv module is missing. On Debian or Ubuntu: apt-get install python3 python3-venv" >&2; exit 1; }; }
endef

define new_venv
"$(PYTHON)" -m venv $(1) || { rm -rf $(1); echo "Python's venv module is missing. On Debian or Ubuntu: apt-get install python3-venv" >&2; exit 1; }
endef

# uv first, by its own hashes, because it is many times faster; pip does the same where uv fails.
define install
{ test -x .venv/bin/uv || { awk '/^[^ #]/ { on = /^uv==/ } on' requirements/dev.txt > .venv/uv.txt && .venv/bin/python -m pip install --quiet --require-hashes -r .venv/uv.txt; }; } \
	&& { .venv/bin/uv pip install --quiet --python $(1)/bin/python --require-hashes -r $(2) \
	|| { echo "uv could not; pip tries." >&2; $(1)/bin/python -m pip install --quiet --require-hashes -r $(2); }; }
endef

# nginx with njs is the local edge. A machine that may not install it gets the Node edge instead.
system-packages:
	@.ci/debian-packages "a Node server stands in for nginx" njs nginx libnginx-mod-http-js njs

# The browser's driver brings a Node.js of its own, which needs libatomic.
test-packages:
	@.ci/debian-packages "the browser tests take a whole Chromium, or skip" chromium-headless-shell,libatomic.so.1 \
		chromium-headless-shell libatomic1
	@.ci/debian-packages "the pages are tried in Chromium alone" firefox-esr firefox-esr

load-packages:
	@.ci/debian-packages "make flood and its test say so and end" wrk wrk

# Python 3.13 comes with no package of Debian 12's.
emulator-packages: .venv/.ready
	@if test -n "$(EMULATOR_PYTHON)"; then $(MAKE) .venv-emulator/.ready; else \
		echo "Python 3.13 is missing (EMULATOR_PYTHON=… names one): the tests of the deployed templates skip."; fi

# --- running it

up: setup ## Run the whole system here, with a demonstration sale, until Ctrl-C
	@exec $(RUN) -m fairgate_ops.run.local.up --run-dir $(RUN_DIR) --port $(PORT) --crowd $(CROWD) --seats $(SEATS) \
		$(if $(CHART),--chart "$(CHART)") $(if $(TAU),--tau $(TAU)) $(if $(SALE_STARTS_IN),--sale-starts-in $(SALE_STARTS_IN))

rehearse: setup ## Break things of what `make up` runs, and do what docs/disaster.md says (NAME=cache-loss for one)
	@exec $(RUN) -m fairgate_ops.run.rehearse.runbooks $(NAME) --run-file $(RUN_DIR)/local.json

rehearse-day: setup ## A day of sale on a system of its own: crowd, acts of SCRIPT=<file>, figures, verdict (RECORD=figures.jsonl)
	@exec $(RUN) -m fairgate_ops.run.rehearse.day $(if $(SCRIPT),--script $(SCRIPT)) $(if $(RECORD),--record $(RECORD))

deploy-local: setup emulator-packages ## Deploy every stack into an emulator here, with a sale, until Ctrl-C (PORT=8081)
	@exec $(RUN) -m fairgate_lab.emulator.deploy_local --port $(PORT)

rush: setup ## 200 buyers at once for a minute: the checker, and where tickets waited (CAPACITY=5000 TAU=4: all inside)
	@exec $(RUN) -m fairgate_lab.attack.rush --buyers $(BUYERS) --seconds $(SECONDS_LONG) \
		$(if $(CAPACITY),--capacity $(CAPACITY)) $(if $(TAU),--tau $(TAU))

race: SECONDS ?= 10
race: setup ## PROCESSES=64 hold overlapping seats for SECONDS=10 on two database engines; every answer judged
	@exec $(RUN) -m fairgate_lab.attack.race --processes $(PROCESSES) --seconds $(SECONDS)

flood: SECONDS ?= 30
flood: BUYERS = 50
flood: setup load-packages ## Each kind of flood for SECONDS=30 (wrk) while BUYERS=50 honest buyers shop; bounds judged
	@exec $(RUN) -m fairgate_lab.attack.flood --seconds $(SECONDS) --buyers $(BUYERS)

draw: GUESTS = 1000
draw: TAU = 75
draw: setup ## GUESTS=1000 join before doors over HTTP at TAU=75; admissions against the published rule
	@exec $(RUN) -m fairgate_lab.attack.draw --guests $(GUESTS) --tau $(TAU)

load: setup .venv-load/.ready ## BUYERS=200 by Locust from WORKERS=2 processes at what `make up` runs (URL=… GO=<its host>: at a test's stage); checked
	@exec $(RUN) -m fairgate_ops.run.crowd.distributed --run-dir $(RUN_DIR) --buyers $(BUYERS) --seconds $(SECONDS_LONG) \
		--workers $(WORKERS) $(if $(URL),--url $(URL)) $(if $(GO),--go $(GO)) $(if $(EVENT),--event $(EVENT)) \
		$(if $(ELSEWHERE),--elsewhere $(ELSEWHERE) --listen $(LISTEN) --port $(PORT_MASTER))

load-aws: .venv/.ready ## The same from WORKERS=20 Fargate tasks in AWS, at a rehearsal STAGE= with URL= and GO= (-c load_workers=on)
	@exec $(RUN) -m fairgate_ops.run.crowd.fargate --stage $(STAGE) --url "$(URL)" --go "$(GO)" --buyers $(BUYERS) \
		--seconds $(SECONDS_LONG) --workers $(WORKERS) $(if $(EVENT),--event $(EVENT))

check: .venv/.ready ## Check the laws of the sale that `make up` runs now, or of a test's STAGE= in AWS, as its reader role (BOOKS=<the sandbox's address>)
	@exec $(RUN) -m fairgate_ops.run.laws.check $(if $(filter file,$(origin STAGE)),,--stage $(STAGE)) $(if $(BOOKS),--books $(BOOKS))

# --- proving it

# Types are checked beside all else; what is found is said last, and fails the whole as well.
define beside_types
said="$$(mktemp)"; $(MAKE) typecheck >"$$said" 2>&1 & types=$$!; failed=0; \
	trap 'trap "" INT TERM; kill "$$types" 2>/dev/null || true; rm -f "$$said"' EXIT; \
	trap 'exit 130' INT; trap 'exit 143' TERM; \
	{ $(MAKE) --silent lint .pytest_cache/.compiled && $(1); } || failed=$$?; \
	wait "$$types" || failed=1; cat "$$said"; exit "$$failed"
endef

# Seven processes that begin where nothing is compiled yet would each compile all of it.
.pytest_cache/.compiled: .venv/.ready
	@said="$$($(RUN) -m pytest --collect-only -q 2>&1)" || { echo "$$said"; exit 1; }
	@mkdir -p $(@D) && touch $@

TEST_NEEDS := setup test-packages load-packages .venv-load/.ready .venv-openapi/.ready emulator-packages
SHARED_OUT := -n $(TESTERS) --dist loadgroup -q

test: $(TEST_NEEDS) ## Every test of the product, with lint, types and import rules
	@$(call beside_types,$(PYTEST) $(SHARED_OUT) tests)

prove: $(TEST_NEEDS) ## The laboratory, short: simulated sales, controls, properties, floods, races, the deployed templates
	@$(PYTEST) $(SHARED_OUT) lab/tests

test-long: $(TEST_NEEDS) ## Both at full length: all seeds and examples
	@$(call beside_types,FAIRGATE_LONG=1 $(PYTEST) $(SHARED_OUT) tests lab/tests)

test-quick: .venv/.ready ## Unit, contract and tidy tests: neither Node nor a server, under two minutes
	@$(RUN) -m pytest -n $(COMPUTERS) --dist loadgroup -q -m "not node" tests/unit tests/contract tests/tidy

test-times: setup test-packages load-packages emulator-packages ## Processor time of all tests in one process, by folder, module and test (ONLY="tests/e2e tests/edge")
	@$(RUN) -m pytest -q -p tests.support.cpu_times $(ONLY)

fresh: ## On a bare Debian 12 in build/fresh: make up until it sells, then make test (FRESH=quick)
	@PORT=$(if $(filter file,$(origin PORT)),8090,$(PORT)) .ci/fresh test$(addprefix -,$(FRESH))

gate-cases: setup ## CASES generated cases of the gate in JavaScript and in Python
	@FAIRGATE_GATE_CASES=$(CASES) $(RUN) -m pytest -q -p no:cacheprovider lab/tests/property/test_gate_languages.py

fuzz-gate: setup ## INPUTS hostile requests to the gate in njs, from SEED; prints how to repeat a finding
	@exec $(RUN) -m tests.edge.fuzz --inputs $(INPUTS) --seed $(SEED)

fuzz-api: EXAMPLES = 100
fuzz-api: setup .venv-openapi/.ready ## Schemathesis at a system of its own: EXAMPLES=100 an operation, from SEED; each answer as described?
	@exec $(RUN) -m fairgate_lab.attack.fuzz_api --examples $(EXAMPLES) --seed $(SEED)

converge: EXAMPLES = 5000
converge: setup ## EXAMPLES races of changes, refills and losses: the cache ends as the table
	@FAIRGATE_CONVERGENCE_EXAMPLES=$(EXAMPLES) $(RUN) -m pytest -q -p no:cacheprovider \
		lab/tests/property/test_availability_convergence.py

simulate: SEEDS = 2000
simulate: START =
simulate: setup ## Sales with every trouble at once, from seeds nobody has run yet; every law checked (SEEDS=100000 START=0)
	@exec $(RUN) -m fairgate_lab.simulate.sale --seeds $(SEEDS) $(if $(START),--start $(START))

controls: setup ## For each guard of a sale: how many seeds it takes to notice that it is missing
	@exec $(RUN) -m fairgate_lab.simulate.sale --controls 500

grant-controls: setup emulator-packages ## Take each right of each function away from a deployment in the emulator: who misses it? (ONLY="holds orders", AGAIN=1)
	@exec $(RUN) -m emulator.grants $(if $(ONLY),--only $(ONLY)) $(if $(AGAIN),--again)

machine: EXAMPLES = 2000
machine: setup ## The state machine of a sale over moto (EXAMPLES=2000, of 50 steps each)
	@FAIRGATE_MACHINE_EXAMPLES=$(EXAMPLES) $(RUN) -m pytest -n $(COMPUTERS) -q lab/tests/property/test_sale_machine.py

simulate-gate: BUYERS = 1000000
simulate-gate: .venv/.ready ## Modelled: what strategists gain, estimates, sessions (BUYERS=1000000 SEED=1)
	@exec $(RUN) -m fairgate_lab.simulate.gate --buyers $(BUYERS) --seed $(SEED)

lint: .venv/.ready node_modules/.ready ## ruff, the import rules, ESLint, Biome
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@said="$$($(BIN)/lint-imports --no-cache 2>&1)" || { echo "$$said"; exit 1; }
	@npm run --silent lint
	@npm run --silent format:check

typecheck: .venv/.ready ## mypy: strict, and over the bodies of the tests
	@$(BIN)/mypy layers/core/python ops functions/*/handler.py infra app.py conftest.py tests lab

format: .venv/.ready node_modules/.ready ## Format the Python code and the JavaScript
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --quiet --fix .
	@npm run --silent format

# --- building it

gate: node_modules/.ready ## Build the CloudFront Function → build/gate.js
	@npm run --silent build:gate

pages: node_modules/.ready ## Bundle the pages of buyers and operators → build/web
	@npm run --silent build:pages

layers: .venv/.ready build/fonts/.ready ## Build the Lambda layers without Docker → build/layers
	@$(RUN) -m fairgate_ops.build.layers

synth: .venv/.ready node_modules/.ready gate pages layers ## Synthesise every stack of STAGE with example options
	@npx --no-install cdk synth --quiet $$($(RUN) -m infra.example_options $(STAGE)) --app "$(RUN) app.py"

requirements: .venv/.ready ## Resolve requirements/*.in anew → *.txt with hashes
	@for name in vendor crypto crt stripe tickets pictures operators docs dev local load openapi emulator; do \
		python=3.11; test $$name != emulator || python=3.13; \
		$(BIN)/uv pip compile --quiet --universal --python-version $$python --generate-hashes \
			--no-header --upgrade requirements/$$name.in -o requirements/$$name.txt; \
	done

docs: .venv-docs/.ready ## The documentation as a site → build/docs; a warning is an error
	@.venv-docs/bin/sphinx-build --quiet --fail-on-warning --keep-going --jobs auto \
		-d build/docs-cache -c docs . build/docs
	@echo "build/docs/docs/index.html"

pictures: setup test-packages ## Pictures of every state of the pages → docs/states, tests/edge/looks; beside `make up` also docs/pictures
	@$(RUN) -m tests.edge.pictures
	@if test -e $(RUN_DIR)/local.json; then $(RUN) -m fairgate_ops.run.pictures --run-file $(RUN_DIR)/local.json; else \
		echo "docs/pictures stay as they are: they are taken while \`make up\` runs."; fi

openapi: .venv/.ready ## docs/openapi.json from the table of routes
	@$(RUN) -m fairgate_ops.build.openapi

reference: .venv/.ready ## docs/commands.md from the command's parser
	@$(RUN) -m fairgate_ops.operate.cli.reference

# Each runs the benchmark of its name, with BENCH="…" for its options.
BENCHES := bench-gate bench-hold bench-best bench-tickets bench-imports bench-cold bench-rebuild bench-audit bench-orders bench-reconcile bench-inventory bench-help bench-map bench-pages bench-forecast
bench-gate: setup ## What a decision of the gate costs, in njs and through nginx
bench-hold: setup ## What a hold costs: CPU beside a plain boto3 call, trips, write units
bench-best: setup ## Best available under a crowd: 500 at once, with claims and without; clicks on one seat; costs
bench-tickets: setup ## What drawing tickets costs: code, mask, SVG, PNG, PDF
bench-imports: .venv/.ready ## What each Lambda function costs to import (BENCH="--against DIR": beside another checkout)
bench-cold: setup ## What starting each function costs as shipped, beside an empty handler and boto3 alone
bench-rebuild: setup ## Fill the cache of 100,000 seats from the table, while people read (SEATS=100000)
bench-audit: .venv/.ready ## Audit a made sale of ADMISSIONS=1000000 with one forgery in it, then with one of each kind
bench-orders: setup ## What looking for orders costs where an event has ORDERS=50000: read units, time, memory
bench-reconcile: .venv/.ready ## What the hourly comparison reads for CAPTURES=1000 captures, by hundreds and one by one
bench-inventory: .venv/.ready ## What a round of the auditor costs for an event of SEATS=100000, all sold: read units, time, memory
bench-map: .venv/.ready ## What the seat map costs a browser: 100,000 seats, first picture, frames, changes
bench-pages: setup test-packages ## How soon an event's page shows itself on a slow phone, as a bundle and as sources
bench-forecast: .venv/.ready ## How long fairgate simulate takes for ten million buyers, and its memory
bench-help: .venv/.ready ## What an operator waits for fairgate --help; fails above 100 ms
bench-rebuild bench-inventory: SEATS = 100000
bench-rebuild bench-inventory: OPTIONS = --seats $(SEATS)
bench-audit: OPTIONS = --admissions $(ADMISSIONS)
bench-orders: ORDERS = 50000
bench-orders: OPTIONS = --orders $(ORDERS)
bench-reconcile: CAPTURES = 1000
bench-reconcile: OPTIONS = --captures $(CAPTURES)
$(BENCHES):
	@$(RUN) -m fairgate_lab.bench $(@:bench-%=%) $(OPTIONS) $(BENCH)

bench-availability: setup ## Seat maps for a crowd: 10,000 viewers, freshness, speed, cost (some minutes)
	@mkdir -p build
	@$(RUN) -m fairgate_lab.bench availability --json build/availability.json $(BENCH)
	@$(RUN) -m fairgate_lab.bench availability-cost --measured build/availability.json
	@$(RUN) -m fairgate_lab.bench landing

clean: ## Remove what was built; the virtual environments stay
	@rm -rf build cdk.out .run .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find layers functions infra ops tests lab -name __pycache__ -type d -prune -exec rm -rf {} +
