SHELL := /bin/bash
.DEFAULT_GOAL := help
export PATH := $(CURDIR)/.venv/bin:$(CURDIR)/.timegate/tools/bin:$(PATH)
# Bytecode of sources and tests is kept, and not beside them: processes start in half the time.
export PYTHONPYCACHEPREFIX := $(CURDIR)/.timegate/bytecode
# Images of containers set it: each process, of functions as well, would compile each module anew.
unexport PYTHONDONTWRITEBYTECODE
PYTHON ?= python3
RUN := .venv/bin/python
# Three processes share two cores: tests of browsers, child processes and slow targets wait. Each begins with a third of the
# tests, so fixtures of modules are made once; it helps out in the end.
# A test that hangs is named, and the others go on.
PYTEST := -m pytest -q -n 3 --dist worksteal --timeout 600
TESTS := $(RUN) $(PYTEST)
# Most of what happens on a stack is waiting, so three processes share two cores.
ON_STACKS := TIMEGATE_E2E_AUTH=1 $(RUN) -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder --timeout 600 --durations=15
# Courses of minutes on the deployed stack; nothing else may run on the machine meanwhile.
LONG := tests/e2e/tenants/test_noisy_neighbour.py tests/e2e/faults/test_chronos.py
STACKS := tests/e2e $(LONG:%=--ignore %)
# Functions run on this Python; other targets test on that of the machine, as old as 3.11. A path names one as well.
FUNCTIONS_PYTHON := 3.13
# How much make test tries: short as a landing needs it, or wide. Courses of make test-deep have all.
COURSE ?= short
export TIMEGATE_COURSE := $(COURSE)
DEEP := TIMEGATE_COURSE=deep
# Of make test-deep, in this order.
COURSES := wide oracles properties crash-matrix mutants moto functions-python oldest-packages schemathesis browser stacks noisy-neighbour chronos scenarios chaos advisories

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The CDK and the console's build run on it.
NEEDS_NODE := Timegate is deployed, and its console built, by Node.js 20 or later.

# --- what every contributor needs ---------------------------------------------------------------

.PHONY: demo
demo: console ## Deploy into a local cloud and watch jobs of every kind run on time
	$(RUN) -m infra.local demo

.PHONY: test
test: install check ## Every promise: check, then other suites in process, then on deployed stacks
	$(TESTS) --durations=15 tests --ignore tests/architecture --ignore tests/unit --ignore tests/e2e
	$(ON_STACKS) $(STACKS)

.PHONY: test-deep
test-deep: install ## Every course, one after the other, in hours; make test runs shorter ones
	@for course in $(COURSES); do \
		SECONDS=0; \
		$(MAKE) --no-print-directory $$course || exit 1; \
		echo "make $$course: $$SECONDS s"; \
	done

.PHONY: wide
wide: ## make test with planted bugs, AWS at its worst, a second emulator, and more cases and stacks
	$(MAKE) --no-print-directory test COURSE=wide

# --- the inner loop -----------------------------------------------------------------------------

.PHONY: install
install: .timegate/installed ## Install everything, pinned, into this folder

.PHONY: node
node:
	@command -v node > /dev/null || { echo "$(NEEDS_NODE) It is not on the PATH." >&2; exit 1; }
	@node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' \
		|| { echo "$(NEEDS_NODE) This is $$(node --version)." >&2; exit 1; }

.timegate/installed: pyproject.toml uv.lock package.json package-lock.json | node
	@mkdir -p .timegate
	@command -v uv > /dev/null || { $(PYTHON) -m venv .timegate/tools && .timegate/tools/bin/pip install --quiet uv; }
	uv sync --quiet --locked --all-extras
	npm ci --silent --no-progress
	@touch $@

.PHONY: check
check: install ## The fast part, offline: lint, types, docs, architecture and unit tests
	$(MAKE) --no-print-directory -j 3 --output-sync=target architecture-and-use-cases other-units types console-check lint imports docs

# Two halves, each in a process that collects no other one: worker processes would collect all, and tell of each test.
HALF := $(RUN) -m pytest -q --timeout 600 --durations=5

.PHONY: architecture-and-use-cases other-units
architecture-and-use-cases: install
	$(HALF) tests/architecture tests/unit/usecases

other-units: install
	$(HALF) tests/unit --ignore tests/unit/usecases

.PHONY: lint types imports
lint: install
	ruff check .
	ruff format --check .

types: install
	mypy

imports: install
	lint-imports --no-logo

# --- the console --------------------------------------------------------------------------------

CONSOLE := $(shell git ls-files console) docs/reference/openapi.json

.timegate/console-installed: console/package.json console/package-lock.json .timegate/installed | node
	cd console && npm ci --silent --no-progress
	@touch $@

console/dist/index.html: .timegate/console-installed $(CONSOLE) | node
	cd console && npm run --silent build -- --logLevel warn
	@touch $@

.timegate/console-linted: console/dist/index.html
	cd console && npm run --silent lint
	@touch $@

.timegate/console-tested: console/dist/index.html
	cd console && npm run --silent test -- --reporter=dot
	@touch $@

.timegate/console-checked: .timegate/console-linted .timegate/console-tested
	cd console && npm run --silent size
	@touch $@

.PHONY: console
console: console/dist/index.html ## Build the console into console/dist

.PHONY: console-check
console-check: .timegate/console-checked ## Lint, types, component tests and size of the console; nothing where nothing changed

.PHONY: console-serve
console-serve: .timegate/console-installed ## Serve the console's sources for its developers, with reload
	cd console && npm run --silent generate && npx vite

MERMAID := docs/javascripts/mermaid.tiny.js

$(MERMAID): package-lock.json .timegate/installed
	@mkdir -p $(@D)
	@cp node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js $@

.PHONY: docs
docs: install $(MERMAID) ## Build the docs site into build/site; a broken link or anchor fails
	zensical build --strict

.PHONY: docs-serve
docs-serve: install $(MERMAID) ## Serve the docs site on this machine, and rebuild it after each change
	zensical serve

.PHONY: oracles
oracles: install ## Cron against both oracles at every clock change of every zone, 2000 to 2037
	$(DEEP) TIMEGATE_ORACLES=all $(RUN) -m pytest -q -n 2 tests/property/recurrence/test_zone_transitions.py

.PHONY: crash-matrix
crash-matrix: install ## Each point of each flow that can be told apart, in each mode of failing
	$(DEEP) TIMEGATE_CRASH=apart $(RUN) -m pytest -q -n 2 tests/crash

.PHONY: crash-matrix-all
crash-matrix-all: install ## Every call of every flow in every mode, also where it makes no difference; takes a day
	$(DEEP) TIMEGATE_CRASH=all $(RUN) -m pytest -q -n 2 tests/crash

.PHONY: mutants
mutants: install ## Plant bugs, one at a time: the suite that is named for each has to fail
	$(DEEP) TIMEGATE_MUTANTS=all $(RUN) -m pytest -q -n 2 tests/mutation

.PHONY: properties
properties: install ## Eight times as many generated examples, drawn at random; longer texts for patterns
	$(DEEP) TIMEGATE_PROPERTIES=all $(RUN) -m pytest -q -n 2 tests/property tests/unit tests/functional/targets tests/architecture

.PHONY: moto
moto: install ## The stores' contract on moto, also where it takes long
	$(DEEP) $(RUN) -m pytest -q -n 2 tests/contract -k moto

.PHONY: functions-python
functions-python: install ## The suites in process on the Python of the functions; uv fetches it where there is none
	UV_PROJECT_ENVIRONMENT=.timegate/python uv sync --quiet --locked --all-extras --python $(FUNCTIONS_PYTHON)
	PATH=$(CURDIR)/.timegate/python/bin:$$PATH .timegate/python/bin/python $(PYTEST) tests \
		--ignore tests/architecture --ignore tests/browser --ignore tests/e2e

.PHONY: oldest-packages
# One test reads what later versions of typer alone have; warnings are about what its older ones do.
oldest-packages: install ## Client, worker and command line with the oldest packages that pyproject.toml allows
	UV_PROJECT_ENVIRONMENT=.timegate/oldest uv sync --quiet --locked --all-extras
	uv pip compile --quiet --resolution lowest-direct --all-extras pyproject.toml --output-file .timegate/oldest.txt
	uv pip install --quiet --python .timegate/oldest --requirements .timegate/oldest.txt
	.timegate/oldest/bin/python $(PYTEST) -o filterwarnings=default \
		tests/functional/client tests/functional/worker tests/functional/testing tests/functional/cli \
		--deselect tests/functional/cli/terminal/test_completion.py::test_a_choice_is_the_only_thing_without_a_placeholder

.PHONY: schemathesis
schemathesis: install ## 150 generated requests of each operation to the functions, 20 to the deployed stack
	$(DEEP) TIMEGATE_SCHEMATHESIS=all $(RUN) -m pytest -q -n 2 $(shell find tests/functional -name test_schemathesis.py)
	$(DEEP) TIMEGATE_E2E_AUTH=1 TIMEGATE_SCHEMATHESIS=all $(RUN) -m pytest -q $(shell find tests/e2e -name test_schemathesis.py)

.PHONY: browser
browser: install console ## Every page of the console on samples: by keyboard alone, and at a phone's width
	$(DEEP) $(RUN) -m pytest -q -n 2 tests/browser

.PHONY: pictures
pictures: install console ## Draw the console's pictures of the docs anew, of a shop on a local stack; takes minutes
	$(DEEP) TIMEGATE_PICTURES=1 $(RUN) -m pytest -q tests/e2e/console/pictures

.PHONY: stacks
stacks: install console ## Every test on deployed stacks: every action in the browser, each alarm, upgrades, moves
	$(DEEP) $(ON_STACKS) $(STACKS)

.PHONY: noisy-neighbour
noisy-neighbour: install ## Lateness of a quiet tenant beside a noisy one: three minutes, alone on the machine
	TIMEGATE_E2E_AUTH=1 $(RUN) -m pytest -q $(word 1,$(LONG))

.PHONY: chronos
chronos: install ## Every instant of jobs of all kinds through a real outage of the planner: half an hour
	TIMEGATE_CHRONOS=long $(RUN) -m pytest -q tests/e2e/faults/test_chronos.py

.PHONY: scenarios
scenarios: install ## The simulator's examples on a stack with a settable clock, beside the simulation
	$(RUN) -m pytest -q tests/e2e/simulation/scenarios.py

.PHONY: chaos
chaos: install ## 500 jobs for two minutes, under each fault alone and under all; prints what happened
	TIMEGATE_E2E_AUTH=1 TIMEGATE_CHAOS=500 $(RUN) -m pytest -q tests/e2e/faults/chaos.py

.PHONY: chaos-short
chaos-short: install ## 36 jobs under all faults at once, with short leases
	TIMEGATE_E2E_AUTH=1 $(RUN) -m pytest -q tests/e2e/faults/chaos.py

.PHONY: advisories
# Each package of the vendor layer is one of uv.lock. It is the last course: it alone asks a service outside.
advisories: install ## Compare every locked package with published advisories; needs the network
	uv audit --preview-features audit-command --locked
	npm audit
	cd console && npm audit

.PHONY: format
format: install ## Format the code
	ruff check --fix .
	ruff format .

.PHONY: openapi
openapi: install ## Write the generated pages of docs/ anew from the code
	PYTHONPATH=functions $(RUN) -m tests.support.documents.described_examples
	PYTHONPATH=functions $(RUN) -m api.openapi docs/reference/openapi.json
	PYTHONPATH=functions $(RUN) -m api.openapi.catalogue docs/reference/errors.md
	$(RUN) -m infra.pages.telemetry_tables
	$(RUN) -m infra.pages.async_api

.PHONY: pictures
pictures: install ## Draw the pictures of DAGs in docs/images/dags anew
	$(RUN) -m tests.support.documents.pictures

.PHONY: decisions
decisions: install ## Write the index of decision records anew from their heads
	$(RUN) -m infra.pages.decision_index

.PHONY: vendor-list
vendor-list: install ## Write the vendor layer's list of packages anew from uv.lock
	$(RUN) -m infra.assets.vendor

# --- running it ---------------------------------------------------------------------------------

.PHONY: local
local: console ## Start or update a local stack and leave it running
	$(RUN) -m infra.local up

.PHONY: local-stop
local-stop: install ## Stop the local stack; its data stays for the next make local
	$(RUN) -m infra.local down

.PHONY: local-reset
local-reset: install ## Stop the local stack and remove its data
	$(RUN) -m infra.local reset

# The answer of a bench, once it is whole, in the place of the one before, and the page of it: module, name.
measured = $(RUN) -m $(1) > bench/results/$(2).new && mv bench/results/$(2).new bench/results/$(2).json && $(RUN) -m bench.page

.PHONY: bench
bench: bench-lateness bench-planner bench-registered bench-meetings bench-fairness bench-imports bench-memory bench-dags bench-routes bench-creation bench-keys bench-answers bench-alternatives bench-cost bench-scale bench-wheels ## Measure all that the design pages show; takes an hour or two

.PHONY: bench-lateness
bench-lateness: install ## Measure how late jobs of both lanes start on an idle local stack
	$(call measured,bench.lateness,lateness)

.PHONY: bench-planner
bench-planner: install ## Measure one planner tick over 20,000 jobs due at midnight
	$(call measured,bench.planner_tick,planner_tick)

.PHONY: bench-registered
bench-registered: install ## Measure one planner tick of a shard with 10, 10,000 and a million registered jobs; takes 5 GB
	$(call measured,bench.planning.registered,registered)

.PHONY: bench-meetings
bench-meetings: install ## Measure records that several actors write: creations under a quota, claims of a key
	$(call measured,bench.contention,contention)
	$(call measured,bench.slots,slots)

.PHONY: bench-fairness
bench-fairness: install ## Measure what a flood of one tenant does to another
	$(call measured,bench.fairness,fairness)

.PHONY: bench-imports
bench-imports: install ## Measure what each function imports beside a bare SDK client
	PYTHONPATH=functions $(call measured,bench.cold_imports,cold_imports)

.PHONY: bench-memory
bench-memory: install ## Measure memory and processor time of functions at full batches, on the local stack
	$(call measured,bench.alternatives.memory,memory)

.PHONY: bench-webhooks
bench-webhooks: install ## Measure the client of web hooks beside urllib3 on loopback, as one JSON line
	$(RUN) -m bench.web_hooks

.PHONY: bench-dags
bench-dags: install ## Measure what Timegate adds to a line of tasks by Step Functions alone
	$(call measured,bench.alternatives.dag_overhead,dag_overhead)

.PHONY: bench-cost
bench-cost: install ## Count each flow and each idle stage, and write docs/design/cost.md anew
	PYTHONPATH=functions $(RUN) -m bench.cost > /dev/null

STAGE ?= dev
CHOICES ?=
# Choices of earlier deployments that are taken back, by name.
DROP ?=
# CDK asks before rights grow; without a terminal it ends there, unless this is "never".
APPROVAL ?= broadening

.PHONY: synth
synth: node install ## Synthesise the templates of STAGE (default dev) into cdk.out
	node_modules/.bin/cdk synth --quiet -c stage=$(STAGE) $(CHOICES)

.PHONY: deploy
deploy: node install ## Deploy STAGE (default dev) with CHOICES="-c ..." to the account of your credentials
	node_modules/.bin/cdk synth --quiet -c stage=$(STAGE) $(CHOICES)
	$(RUN) -m timegate.cli admin preflight --app cdk.out $(foreach choice,$(DROP),--drop $(choice))
	node_modules/.bin/cdk deploy --all --app cdk.out --require-approval $(APPROVAL)

.PHONY: cdk-wheel
cdk-wheel: console ## Build the wheels of the SDK and of the construct for CDK apps into build/wheels
	$(RUN) -m uv build --quiet --wheel --out-dir build/wheels
	$(RUN) -m uv build --quiet --wheel --no-build-isolation --out-dir build/wheels timegate_cdk

.PHONY: clean
clean: ## Remove what was built, and the local stack with its data
	-@[ -x $(RUN) ] && $(RUN) -m infra.local down
	rm -rf build cdk.out .timegate

.PHONY: bench-scale
bench-scale: install ## Play the loads of N1 to N4 at full size on a model of AWS, and write docs/design/scale.md anew
	PYTHONPATH=functions nice $(RUN) -m bench.scale

.PHONY: bench-wheels
bench-wheels: install ## Play the study of wheels and sheaves, and write docs/design/wheels.md anew
	PYTHONPATH=functions nice $(RUN) -m bench.scale.wheels

.PHONY: bench-routes
bench-routes: install ## Measure each route of the API
	PYTHONPATH=functions $(call measured,bench.routes.api_routes,api_routes)

.PHONY: bench-creation
bench-creation: install ## Measure the processor time of a creation beside that of its calls alone
	PYTHONPATH=functions $(call measured,bench.routes.creation,creation)

.PHONY: bench-keys
bench-keys: install ## Measure requests by API key beside requests by token
	PYTHONPATH=functions $(call measured,bench.routes.api_keys,api_keys)

.PHONY: bench-answers
bench-answers: install ## Measure if answers' times tell of other tenants' things
	PYTHONPATH=functions $(call measured,bench.routes.isolation_timing,isolation_timing)

.PHONY: bench-alternatives
bench-alternatives: install ## Measure bursts beside alternatives on the local stack
	$(call measured,bench.alternatives,alternatives)
	PYTHONPATH=functions $(RUN) -m bench.scale.calibration
	PYTHONPATH=functions $(RUN) -m bench.scale none
