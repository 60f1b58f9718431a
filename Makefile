# The two commands of the README are `make demo` and `make test`; both set up everything they need.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
ARGS ?=
LOCKS = --generate-hashes --universal --python-version 3.11 --no-header --no-emit-index-url --quiet

.PHONY: demo test test-oldest fuzz check docs bench firmware locked audit release-check clean
.DEFAULT_GOAL := demo

demo: $(VENV)/.installed
	$(BIN)/companion demo $(ARGS)

# Three workers on two cores: a good part of the tests waits for browsers and devices.
# Kept bytecode, whatever the environment says: else each worker and each program that a test starts compiles everything.
test: $(VENV)/.installed-test
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 3 --dist worksteal $(ARGS)

# Readers and eyes once more with the oldest OpenCV that is supported: its arrays have other shapes.
test-oldest: $(VENV)/.installed-oldest
	PYTHONDONTWRITEBYTECODE= PYTHONPATH=$(VENV)/oldest $(BIN)/python -m pytest -n 2 --dist loadfile tests/vision $(ARGS)

# Cases that nobody thought of, for so many minutes: make fuzz ARGS=30, or of one kind ARGS="30 kept". A few are among the tests.
fuzz: $(VENV)/.installed-test
	$(BIN)/python -m tests.fuzz $(ARGS)

check: $(VENV)/.installed-check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/codespell
	$(BIN)/mypy

# The documents with the API, as pages in build/docs; a link to nowhere is an error.
docs: $(VENV)/.installed-docs
	$(BIN)/mkdocs build --strict --quiet

bench: $(VENV)/.installed-bench
	$(BIN)/python -m bench $(ARGS)

# The versions with hashes that CI and the container install, what builds and audits it, and whose work is in it.
locked: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv>=0.5"
	for one in "requirements" "container --extra https --extra mqtt --extra metrics --extra postgresql --extra club --extra ratings" "ci --extra test --extra check --extra docs"; do set -- $$one; file=$$1; shift; \
	  $(BIN)/uv pip compile pyproject.toml $$@ $(LOCKS) --output-file locked/$$file.txt; done
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
	  | $(BIN)/uv pip compile - $(LOCKS) --output-file locked/build.txt
	echo "pip-audit>=2.7,<3" | $(BIN)/uv pip compile - $(LOCKS) --output-file locked/audit.txt
	$(BIN)/python -m tests.release.third_parties

# Known vulnerabilities of what the container installs, where a database of them can be had.
audit: | $(VENV)/bin/python
	$(PYTHON) -m venv build/audit
	build/audit/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r locked/audit.txt
	build/audit/bin/python -m tests.release.audit

# Does the wheel work where nothing of the project is?
release-check: $(VENV)/.installed
	$(BIN)/python -m tests.release

firmware:
	$(MAKE) -C firmware_protocol/firmware

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed: set PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "python3 cannot make a virtual environment: install python3-venv (Debian: apt install python3-venv)"; exit 1; }

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[https]'
	@touch $@

$(VENV)/.installed-test: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

$(VENV)/.installed-oldest: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --no-deps --target $(VENV)/oldest opencv-python-headless==4.10.0.84
	@touch $@

$(VENV)/.installed-check: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,check]'
	@touch $@

# What trains the nets; its tests are skipped on machines without it, but not in CI.
$(VENV)/.installed-train: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[train]'
	@touch $@

$(VENV)/.installed-docs: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@

$(VENV)/.installed-bench: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]' || $(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
