# Every target works on a fresh clone with python3, make and a package index.
PYTHON ?= python3
BIN := .venv/bin
# Numba's cache does not see changes in helper kernels; a folder named by their content does.
KERNELS := $(shell find src -name '*_kernels.py' -o -path '*/jit/*.py' | sort | xargs cat | cksum | cut -d' ' -f1)
export NUMBA_CACHE_DIR ?= $(CURDIR)/.cache/numba-$(KERNELS)
# Nor does it see whether kernels check bounds.
CHECKED := NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(NUMBA_CACHE_DIR)-checked
# Tests start many processes; without bytecode each of them would compile the whole package anew.
unexport PYTHONDONTWRITEBYTECODE
WORKERS ?= 2
TEST := $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal

.PHONY: install format check test slow mutants bench docs demo wheel clean

install: .venv/installed

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@

# A bot for a contest from nothing, tables and compilation included: about five minutes.
demo: install
	rm -rf demo
	$(BIN)/counterfold estimate river-of-blood-quick
	$(BIN)/counterfold train river-of-blood-quick --out demo --threads 2
	$(BIN)/counterfold evaluate demo
	for other in random always-call check-fold all-in pot-odds hand-rank; do \
		$(BIN)/counterfold match demo $$other --hands 100000 --threads 2 || exit 1; done
	@echo "sit down against it: $(BIN)/counterfold play demo"

format: install
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

check: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Every test with bounds checks in all kernels. Two workers take tests from each other and share what
# either has compiled; the large kernels are compiled beforehand, or both would compile the same ones.
test: check
	$(CHECKED) $(BIN)/counterfold compile --processes $(WORKERS)
	$(CHECKED) $(TEST) --durations=20

# Kernels as users run them, without checks, and many more examples of each property.
slow: install
	$(BIN)/python -m pytest -m slow
	$(TEST) tests/property --hypothesis-profile thorough

# Small changes to modules, and whether the tests that mirror them notice; see CONTRIBUTING.md.
MUTATED ?= games bets tree public training blueprints bots matches
mutants: install
	nice $(BIN)/python tests/mutation/mutate.py $(MUTATED)

bench: install
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python benchmarks/run.py
	for part in ranking isomorphism equity strength public match; do $(BIN)/python benchmarks/bench_$$part.py; done
	$(BIN)/python benchmarks/figures.py

# Into site/; fails on a broken link, a missing anchor or a page outside the navigation.
docs: install
	$(BIN)/python -m pip install --quiet --group docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

# The wheel holds all that the package needs: it is imported from there, not from the clone.
wheel: install
	rm -rf dist
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .
	$(BIN)/python -m zipfile --extract dist/counterfold-*.whl dist/unpacked
	cd dist && PYTHONPATH=unpacked ../$(BIN)/python -c \
		"import counterfold as c; assert 'unpacked' in c.__file__; from counterfold.training.recipe import shipped_recipes; assert shipped_recipes()"

clean:
	rm -rf .venv .cache demo dist site
