# Two commands for a new user: `make demo`, which installs what a verdict needs, and `make test`, which installs the rest.
# Both build .venv if it is missing or out of date.
PYTHON ?= python3
BIN := .venv/bin
LIGHT := .venv/light
STAMP := .venv/installed

.PHONY: demo test thorough coverage lint types mutants prove slow siege kernels bench report notebooks docs examples pictures clean

demo: $(LIGHT)
	$(BIN)/tdrc conditions baird

# Tests start hundreds of processes. Whatever the shell's settings, they keep compiled sources, so that only the first compiles them.
export PYTHONDONTWRITEBYTECODE =

# A process a core, whose libraries use no other, and which takes tests from the others when it has done its own; modules stay together till then.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist worksteal
QUICK := $(PYTEST) -m "not slow and not thorough"
THOROUGH := $(PYTEST) --hypothesis-profile=thorough

test: lint types
	$(QUICK)

# What confirms the quick tests; CI runs both.
thorough: $(STAMP)
	$(THOROUGH) -m "thorough and not slow"

coverage: $(STAMP)
	$(QUICK) --cov --cov-report=term:skip-covered

slow: kernels thorough
	$(THOROUGH) -m slow

# 3,000 hostile inputs and more: no traceback, no command without an end, one line of error; and a store under fire.
siege: $(STAMP)
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest tests/siege -n auto

# All but the slow tests again, in the arithmetic of two older processors. Libraries choose their kernels as they start, by the
# processor, or by these variables. The first line that pytest prints names the kernels.
OLDER = NPY_DISABLE_CPU_FEATURES="`$(BIN)/python -c '$(DISPATCHED)'`" $(THOROUGH) -m "not slow" -o cache_dir=.pytest_cache/$(1)
DISPATCHED := from numpy._core._multiarray_umath import __cpu_dispatch__ as names, __cpu_features__ as here; \
	print(*(name for name in names if here.get(name)))

kernels: $(STAMP)
	OPENBLAS_CORETYPE=Haswell TDRC_CPU=haswell ATEN_CPU_CAPABILITY=avx2 ONEDNN_MAX_CPU_ISA=AVX2 \
	MKL_ENABLE_INSTRUCTIONS=AVX2 \
	$(call OLDER,haswell)
	OPENBLAS_CORETYPE=Prescott TDRC_CPU=generic ATEN_CPU_CAPABILITY=default ONEDNN_MAX_CPU_ISA=SSE41 \
	MKL_ENABLE_INSTRUCTIONS=SSE4_2 GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA $(call OLDER,prescott)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

mutants: $(STAMP)
	PYTHONPATH=tests/verify/paper $(BIN)/python -m mutation

prove: $(STAMP)
	$(BIN)/python -m verify.kernel --all

bench: $(STAMP)
	$(BIN)/python tests/benchmarks

# The site, as CI would publish it, with Coq's word where Coq is installed; goes on where it was interrupted.
report: $(STAMP)
	$(BIN)/python -m reports.build --all --prove --with-simulation --store site.sqlite -o site

# The documentation as a site, in docs/_build/html.
docs: $(STAMP)
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html

notebooks: $(STAMP)
	$(BIN)/python docs/notebooks/run.py

# What the READMEs and the site show: output of commands, and pictures.
examples: $(STAMP)
	$(BIN)/python docs/console_blocks.py

pictures: $(STAMP)
	$(BIN)/tdrc region baird --map reports/pictures/baird-map.svg
	$(BIN)/tdrc compare random-walk-tabular --alpha 1/16 --steps 1000 --runs 1000 --plot reports/pictures/walk-compared.svg
	$(BIN)/python docs/console_blocks.py docs/gallery.md docs/tutorial.md

$(LIGHT): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --no-compile --editable .
	touch $(LIGHT)

$(STAMP): $(LIGHT)
	$(BIN)/python -m pip install --quiet --editable '.[test,docs,gymnasium,minatar,control,cluster,parquet]'
	touch $(STAMP)

clean:
	rm -rf .venv docs/_build site site.sqlite* build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
