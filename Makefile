# Dynabench on one machine. `make help` lists the targets.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-print-directory

PORT_BASE ?= 8080
export PORT_BASE
export HF_HUB_OFFLINE := 1
unexport PYTHONPATH
# Behind a proxy that inspects TLS one setting serves uv, pip, requests and npm.
ifdef SSL_CERT_FILE
export PIP_CERT ?= $(SSL_CERT_FILE)
export REQUESTS_CA_BUNDLE ?= $(SSL_CERT_FILE)
export NODE_EXTRA_CA_CERTS ?= $(SSL_CERT_FILE)
endif
# Compiled modules are kept: without them a service takes more than twice as long to start.
unexport PYTHONDONTWRITEBYTECODE

REQUIREMENTS := deploy/requirements
# Stamps lie in their environment and contain its path: a moved or removed environment is rebuilt.
STAMPS := .venv/stamps-$(shell printf %s "$(CURDIR)" | sha256sum | cut -c 1-12)
SERVING := .venv-serving/bin/python
SERVING_STAMP := .venv-serving/installed
KSERVE := .venv-kserve/bin/python
KSERVE_STAMP := .venv-kserve/installed
CHART := .venv-chart/bin
CHART_STAMP := .venv-chart/installed
# Python keeps compiled modules: without them each process of the platform and of the tests compiles all it imports.
unexport PYTHONDONTWRITEBYTECODE
VENV := .venv/bin
ALOUD := scripts/aloud
LOCAL := $(VENV)/dynabench-local
PROTO := $(shell find proto/dynabench -name '*.proto')
SCRIPTS_OF_PAGES := $(shell find services/web/src/web -name '*.js' -not -path '*/vendor/*')
PROJECTS := $(wildcard services/*/pyproject.toml) deploy/local/pyproject.toml proto/pyproject.toml
EDITABLE := $(foreach project,$(PROJECTS),-e $(dir $(project)))
TESTS := services deploy/local/tests proto/tests tests/architecture tests/contract tests/coverage tests/crowd_platforms tests/e2e
T ?=
# What `make test` leaves to `make test-long` and `make test-all`. A choice by T is made among all tests.
CHOICE = $(if $(T),,-m "not slow and not long")
PARTS ?=
JOBS ?= 2

##@ Run
.PHONY: help up down status logs demo
help:  ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@printf '\nVariables: PORT_BASE (first port, default 8080), PUBLIC_URL (address behind a proxy), DYNABENCH_HOME (data folder), REPLICAS (processes of each kind, default 1), DEMO_ROUND=no, DETACH=1, T="-k words", JOBS=processes of tests, P=part\n'

up: install sandboxes  ## Install what is needed, start the platform, print address and sign-ins (DETACH=1 returns when ready)
	@exec $(LOCAL) up $(if $(DETACH),--detach,)

down:  ## Stop the platform; data stay
	@if [ -x $(LOCAL) ]; then $(LOCAL) down; else echo "nothing was running"; fi

reset: install  ## Stop the platform and delete all of its data (CONFIRM=yes)
	@$(LOCAL) reset $(if $(CONFIRM),--confirm $(CONFIRM),)

status: install  ## Show every part with its state and memory
	@$(LOCAL) status

logs: install  ## Follow the logs (P=part narrows)
	@$(LOCAL) logs $(P)

demo: install  ## Let twelve people play a round of each task, release it, and score models on it (T="--task qa"; CYCLE=1 closes the loop, CROWD=1 runs paid campaigns)
	@$(LOCAL) run $(VENV)/python $(if $(CROWD),scripts/demo_crowd.py,$(if $(CYCLE),scripts/demo_cycle.py $(CYCLE),scripts/demo.py --release)) $(T)

##@ Operate
.PHONY: doctor backup verify restore
BACKUPS ?= $(if $(filter 0,$(shell id -u)),/var/backups,$(HOME)/backups)/dynabench/$(PORT_BASE)
doctor: install  ## Examine all stores of the running platform: versions, migrations, topics, groups, bucket, clocks, disk
	@$(VENV)/dynabench-operate doctor --local

backup: install  ## Take a backup of everything, also while the platform runs, and verify it (BACKUPS=folder, KEEP=n)
	@$(VENV)/dynabench-operate backup $(BACKUPS) --local $(if $(KEEP),--keep $(KEEP),)

verify: install  ## Check that a backup is whole (FROM=folder of one backup)
	@[ -n "$(FROM)" ] || { echo "say which backup: make verify FROM=FOLDER"; exit 2; }
	@$(VENV)/dynabench-operate verify $(FROM)

restore: install  ## Bring a backup into the stopped, empty platform (FROM=folder; OVERWRITE=1 removes existing data)
	@[ -n "$(FROM)" ] || { echo "say which backup: make restore FROM=FOLDER"; exit 2; }
	@$(VENV)/dynabench-operate restore $(FROM) --local $(if $(OVERWRITE),--overwrite,)

##@ Check
.PHONY: test test-long test-all loaders lint bench faults replicas coverage scale hostile drill upgrades audit
test: install install-dev $(KSERVE_STAMP) chromium sandboxes  ## Install what is needed and run the tests but for long and slow ones (T="-k words" chooses among all)
	@status=0; \
	$(VENV)/python -m pytest --numprocesses=$(JOBS) --durations=40 $(TESTS) $(CHOICE) $(T) || status=$$?; \
	[ $$status -ne 5 ] || [ -z "$(T)" ] || status=0; \
	serving=0; PYTHONPATH=model-archives/src $(SERVING) -m pytest -c model-archives/pyproject.toml model-archives/tests --durations=20 $(CHOICE) $(T) || serving=$$?; \
	[ $$serving -ne 5 ] || [ -z "$(T)" ] || serving=0; \
	exit $$(( status > serving ? status : serving ))

test-long: CHOICE = -m "long and not slow"
test-long: test  ## Run the tests that take some seconds each; CI runs them after `make test`

test-all: CHOICE =
test-all: export DYNABENCH_FUZZ_CASES ?= 100
test-all: export DYNABENCH_BOARDS ?= 10000
test-all: test loaders drill upgrades bench faults replicas coverage scale hostile chart test-images cluster  ## Everything: all tests, the restore drill, upgrades, benchmarks, faults, replicas, intervals, scale, hostile archives, chart, images, cluster

lint: install install-dev  ## Check style, types, imports, sizes, English of documents, dependencies with their licences and known vulnerabilities
	@$(VENV)/ruff check .
	@$(VENV)/ruff format --check .
	@$(VENV)/mypy
	@$(VENV)/lint-imports
	@$(VENV)/python scripts/check_sizes.py
	@$(VENV)/python scripts/check_english.py
	@$(VENV)/python scripts/check_dependencies.py
	@$(VENV)/python scripts/check_packages.py
	@$(VENV)/python scripts/check_vulnerabilities.py --lint
	@$(VENV)/python scripts/check_events.py
	@$(VENV)/python scripts/check_openapi.py
	@$(VENV)/python scripts/check_migrations.py
	@$(VENV)/python scripts/check_messages.py
	@$(VENV)/djlint --lint --quiet --profile=jinja --ignore=J018,H015,H043 services/web/src/web
	@$(VENV)/python scripts/check_dead_code.py

audit: install install-dev  ## Look for known vulnerabilities in what is installed (exits with 3 if the service does not answer)
	@$(VENV)/python scripts/check_vulnerabilities.py

bench: install install-dev $(KSERVE_STAMP) chromium  ## Measure, as ratios in one run, on a platform of its own (PARTS="imports pages" narrows; writes build/bench.json)
	@$(VENV)/python -m tests.bench $(PARTS)

loaders: export DYNABENCH_OLDEST_LOADERS := $(CURDIR)/.venv-loaders/bin/python
loaders: install install-dev  ## Load a released dataset with the oldest libraries that are supported
	@$(VENV)/uv venv --quiet --clear --python $(VENV)/python .venv-loaders
	@$(ALOUD) "installing the loaders of datasets" $(VENV)/uv pip install --quiet --python .venv-loaders/bin/python --require-hashes -r $(REQUIREMENTS)/loaders.txt
	@$(VENV)/python -m pytest tests/contract/test_contract_loading.py $(T)

faults: install install-dev prometheus  ## Kill and stop parts under load, on platforms of its own (PARTS="tries evaluations" narrows; writes build/faults.json)
	@$(VENV)/python -m tests.faults $(PARTS)

replicas: export REPLICAS := 3
replicas: install install-dev $(KSERVE_STAMP) chromium sandboxes  ## The end-to-end tests and the faults under tries once more, with three of every service (T="-k words" narrows the tests)
	@$(VENV)/python -m pytest tests/e2e $(T)
	@$(VENV)/python -m tests.faults tries

coverage: install install-dev  ## Simulate rounds: do the intervals cover what they claim? (writes build/coverage.json)
	@$(VENV)/python -m tests.coverage

scale: install install-dev  ## Time pages and queries at 1,000,000 tries by 10,000 people (EXAMPLES=, PEOPLE=; writes build/scale.json)
	@$(VENV)/python -m tests.scale

hostile: install install-dev sandboxes  ## Submit hostile archives and programs to a platform of its own (writes build/hostile.json)
	@$(VENV)/python -m tests.hostile

drill: install install-dev  ## Back a platform up while people write, restore it elsewhere, and compare
	@$(VENV)/python -m pytest tests/drill $(T)

upgrades: install install-dev sandboxes  ## Bring data of each of the two releases before to this version (PARTS="v0.1.0" narrows; writes build/upgrades.json)
	@$(VENV)/python -m tests.upgrades $(PARTS)

##@ Deploy
.PHONY: images test-images chart cluster
images: install $(CHART_STAMP)  ## Build the images, and play a try on them with Docker Compose (says what is missing without an engine)
	@$(CHART)/hadolint deploy/docker/*.Dockerfile
	@$(VENV)/python deploy/docker/build_images.py
	@$(VENV)/python -m tests.compose

# Without an engine the images say so and end with 3, which is no failure of the tests.
test-images: install $(CHART_STAMP)
	@$(CHART)/hadolint deploy/docker/*.Dockerfile
	@status=0; $(VENV)/python deploy/docker/build_images.py || status=$$?; \
	[ $$status -ne 3 ] || exit 0; [ $$status -eq 0 ] || exit $$status; \
	$(VENV)/python -m tests.compose

cluster: install install-dev  ## Install the chart on a one-node Kubernetes of its own and try it there (as root; writes build/cluster.json)
	@$(VENV)/python -m tests.cluster

chart: install install-dev $(CHART_STAMP)  ## Render the Helm chart, check it against Kubernetes and against the services
	@$(VENV)/python -m pytest tests/chart $(T)

##@ Maintain
.PHONY: install install-dev chromium sandboxes prometheus messages lock clean
install: $(STAMPS)/services $(STAMPS)/projects $(SERVING_STAMP) $(STAMPS)/assets $(STAMPS)/kafka  ## Install what running needs

$(STAMPS)/uv: $(REQUIREMENTS)/uv.txt
	@python=$$(command -v python3.11 || command -v python3) || { echo "Python 3.11 is needed: apt-get install python3.11 python3.11-venv"; exit 1; }; \
	$$python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || { echo "$$python is not Python 3.11: apt-get install python3.11 python3.11-venv"; exit 1; }; \
	free=$$(df -Pk . | awk 'NR==2 {print $$4}'); [ $$free -gt 8000000 ] || [ -d .venv-serving ] || { echo "8 GB of disk are needed here, $$((free / 1000000)) are free: free some"; exit 1; }; \
	grep -qs "^#!$(CURDIR)/" .venv/bin/pip || $$python -m venv --clear .venv || { echo "python3-venv is needed: apt-get install python3.11-venv"; exit 1; }; \
	$(ALOUD) "installing uv" $(VENV)/pip install --quiet --require-hashes -r $(REQUIREMENTS)/uv.txt
	@mkdir -p $(STAMPS); touch $@

$(STAMPS)/services: $(STAMPS)/uv $(REQUIREMENTS)/services.txt $(REQUIREMENTS)/local.txt
	@$(ALOUD) "installing the services' environment" $(VENV)/uv pip install --quiet --python $(VENV)/python --require-hashes -r $(REQUIREMENTS)/services.txt -r $(REQUIREMENTS)/local.txt
	@touch $@

$(STAMPS)/projects: $(STAMPS)/services $(PROTO) $(PROJECTS)
	@$(ALOUD) "generating events" $(VENV)/python proto/generate.py
	@$(ALOUD) "installing the projects" $(VENV)/uv pip install --quiet --python $(VENV)/python --no-deps --no-build-isolation $(EDITABLE)
	@touch $@

# A wheel of torch that the machine itself offers to pip comes first: a few hundred MB instead of 5 GB.
$(SERVING_STAMP): $(REQUIREMENTS)/torch.txt $(REQUIREMENTS)/serving.txt | $(STAMPS)/uv
	@$(SERVING) -c '' 2>/dev/null || $(VENV)/python -m venv --clear .venv-serving
	@wanted=$$(sed -n 's/^torch==//p' $(REQUIREMENTS)/torch.txt); \
	held=$$($(SERVING) -c 'import torch; print(torch.__version__.split("+")[0])' 2>/dev/null || true); \
	[ "$$held" = "$$wanted" ] || \
	PIP_NO_INDEX=1 $(ALOUD) "looking for PyTorch on this machine" $(SERVING) -m pip install --quiet --no-deps -r $(REQUIREMENTS)/torch.txt 2>/dev/null || \
	$(ALOUD) "installing PyTorch (up to 5 GB)" $(VENV)/uv pip install --quiet --python $(SERVING) -r $(REQUIREMENTS)/torch.txt || \
	$(ALOUD) "installing PyTorch by pip (up to 5 GB)" $(SERVING) -m pip install --quiet -r $(REQUIREMENTS)/torch.txt
	@$(ALOUD) "installing TorchServe and what the handlers import" $(VENV)/uv pip install --quiet --python $(SERVING) --require-hashes --no-deps -r $(REQUIREMENTS)/serving.txt
	@$(SERVING) -m pip check
	@touch $@

$(STAMPS)/assets: $(STAMPS)/services services/web/package-lock.json services/web/install_assets.py $(SCRIPTS_OF_PAGES)
	@$(ALOUD) "installing the pages' assets" $(VENV)/python services/web/install_assets.py
	@touch $@

$(STAMPS)/kafka: $(STAMPS)/projects deploy/kafka/jgo.lock.toml
	@[ -n "$${KAFKA_BOOTSTRAP_SERVERS:-}" ] || { $(ALOUD) "fetching Kafka" $(VENV)/python -c 'from dynabench_local import kafka, layout; kafka.install_jars(layout.checkout())'; }
	@touch $@

install-dev: $(STAMPS)/dev  ## Install what tests and lint add

$(STAMPS)/dev: $(STAMPS)/services $(REQUIREMENTS)/dev.txt
	@$(ALOUD) "installing the tools of tests and lint" $(VENV)/uv pip install --quiet --python $(VENV)/python --require-hashes -r $(REQUIREMENTS)/dev.txt
	@touch $@

# The second runtime takes torch and what the handlers import from the serving environment, behind its own packages.
$(KSERVE_STAMP): $(REQUIREMENTS)/kserve.txt $(SERVING_STAMP) | $(STAMPS)/uv
	@$(KSERVE) -c '' 2>/dev/null || $(VENV)/python -m venv --clear .venv-kserve
	@$(ALOUD) "installing KServe, for tests" $(VENV)/uv pip install --quiet --python $(KSERVE) --require-hashes -r $(REQUIREMENTS)/kserve.txt
	@$(SERVING) -c 'import sysconfig; print(sysconfig.get_path("purelib"))' > "$$($(KSERVE) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/serving.pth"
	@touch $@

$(CHART_STAMP): $(REQUIREMENTS)/chart.txt | $(STAMPS)/uv
	@$(CHART)/python -c '' 2>/dev/null || $(VENV)/python -m venv --clear .venv-chart
	@$(ALOUD) "installing the tools of the chart" $(VENV)/uv pip install --quiet --python $(CHART)/python --require-hashes -r $(REQUIREMENTS)/chart.txt
	@touch $@

chromium:
	@command -v chromium >/dev/null || { [ $$(id -u) -eq 0 ] && { echo "installing chromium"; apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; }; } || \
	{ echo "the browser tests need Chromium: apt-get install chromium (as root, once)"; exit 1; }

sandboxes:
	@command -v bwrap >/dev/null || { [ $$(id -u) -eq 0 ] && { echo "installing bubblewrap"; apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install -y -qq bubblewrap >/dev/null; }; } || \
	echo "without bubblewrap submitted archives with code are refused: apt-get install bubblewrap (as root, once)"

# The package brings a service that would read nothing of ours: it is masked, and the program is used alone.
prometheus:
	@command -v prometheus >/dev/null || { [ $$(id -u) -eq 0 ] && { echo "installing prometheus, its service masked"; systemctl mask --quiet prometheus.service 2>/dev/null || true; apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends prometheus >/dev/null; }; } || \
	echo "without prometheus no alert is tried: apt-get install --no-install-recommends prometheus (as root, once)"

messages: install install-dev  ## Collect all texts into build/messages.pot (L=de: and bring a language's catalogue up to date)
	@$(VENV)/python scripts/extract_messages.py $(L)

lock:  ## Compile the lock files from their .in files
	@cd $(REQUIREMENTS) && bash lock.sh ../../$(VENV)/uv

clean: down  ## Remove the environments and builds; data stay
	@rm -rf .venv .venv-serving .venv-kserve .venv-chart .venv-loaders build proto/gen services/web/node_modules
