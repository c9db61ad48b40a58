# Every target works on a fresh clone with python3, make and a package index.
PYTHON ?= python3
BIN := .venv/bin
# Numba's cache does not see changes in helper kernels; a folder named by their content does.
KERNELS := $(shell cat src/counterfold/kernels/*.py | cksum | cut -d' ' -f1)
export NUMBA_CACHE_DIR ?= $(CURDIR)/.cache/numba-$(KERNELS)
CHECKED := NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(NUMBA_CACHE_DIR)-checked

.PHONY: install format check test slow bench demo clean

install: .venv/installed

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@

demo: install
	rm -rf demo
	$(BIN)/counterfold solve leduc -a cfr,cfr+,dcfr --iterations 2000 --out demo --plot demo/leduc.png
	$(BIN)/counterfold evaluate demo/dcfr
	$(BIN)/counterfold show demo/dcfr --player 0 --limit 12

format: install
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

check: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check
	$(BIN)/python -m pytest --durations=10
	$(CHECKED) $(BIN)/python -m pytest -q -m 'kernel and not slow'

slow: install
	$(BIN)/python -m pytest -m slow

bench: install
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python benchmarks/run.py
	for part in ranking isomorphism equity strength; do $(BIN)/python benchmarks/bench_$$part.py; done

clean:
	rm -rf .venv .cache demo dist
