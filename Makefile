# Two commands matter: `make play` and `make test`. Both make their own virtual environment.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
JOBS   ?= 2
N      ?= 1000

.PHONY: help play test lint soak bench flash clean

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-6s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

play: $(VENV)/.play  ## play the team game with two bots
	@$(BIN)/captain play team --players You --bots 2

test: $(VENV)/.dev  ## run every test that needs no hardware
	$(BIN)/python -m pytest -n $(JOBS) $(ARGS)

lint: $(VENV)/.dev $(VENV)/.stubs  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	MYPYPATH=$(VENV)/stubs $(BIN)/mypy --config-file device/mypy.ini --custom-typeshed-dir $(VENV)/stubs

soak: $(VENV)/.dev  ## the long runs: the same tests with N=1000 (or as given)
	CAPTAIN_SOAK=$(N) $(BIN)/python -m pytest -n $(JOBS) -m soak $(ARGS)

bench: $(VENV)/.dev  ## timings, as ratios within one run
	cd tests && $(abspath $(BIN))/python -m bench

flash: $(VENV)/.play  ## put the firmware on the attached board (PORT=... names one)
	@$(BIN)/captain flash $(if $(PORT),--board $(PORT))

clean:  ## remove the virtual environment and what tools left behind
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find host tests device -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/pyvenv.cfg:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.play: pyproject.toml $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --editable '.[sim,terminal]'
	@touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/.play

# In a folder of their own: they replace the standard library's types by MicroPython's.
$(VENV)/.stubs: $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --upgrade --target $(VENV)/stubs 'micropython-rp2-rpi-pico-stubs>=1.28,<2'
	@touch $@
