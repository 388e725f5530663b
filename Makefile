# Everything a newcomer needs: `make report` builds the pages, `make test` proves the numbers.
PYTHON ?= python3
BIN := .venv/bin
# A file of tests stays on one processor: its tests share what was solved and played for them.
SPREAD := --numprocesses auto --dist loadfile

.PHONY: report test quick lint bench fuzz notebook lock clean

report: .venv/ready
	$(BIN)/oddsmith report --output reports

test: .venv/ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m pytest $(SPREAD)

quick: .venv/ready
	$(BIN)/python -m pytest $(SPREAD) -m "not slow"

lint: .venv/ready
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/mypy

bench: .venv/ready
	for script in tests/benchmarks/*/*.py; do $(BIN)/python $$script || exit 1; done

# Every command over random variants that the rules allow, and nonsense; COUNT variants of each game, SEED to repeat a run.
fuzz: .venv/ready
	PYTHONPATH=tests $(BIN)/python -m fuzz --count $(or $(COUNT),500) $(if $(SEED),--seed $(SEED))

notebook: .venv/ready
	$(BIN)/jupyter lab notebooks

# Pins every package with its hashes; needs uv (`pip install uv`).
lock:
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-emit-find-links --no-header --quiet --output-file requirements.lock

clean:
	rm -rf .venv build *.egg-info

.venv/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "oddsmith needs Python 3.11 or newer; try make PYTHON=python3.12"; exit 2; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
		{ echo "this Python lacks venv; on Debian: apt-get install python3-venv"; exit 2; }
	@echo "Setting up the environment in .venv (once, about a minute) ..."
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@
