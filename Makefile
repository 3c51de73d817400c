# Two commands matter: `make play` and `make test`. Both make their own virtual environment.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
# More than there are cores: most tests wait for a board or a terminal.
JOBS   ?= 4
N      ?= 1000
LOCALES = host/eyecaptain/locales

.PHONY: help play test test-pico lint words pictures soak bench flash hardware clean

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

play: $(VENV)/.play  ## play the team game with two bots
	@$(BIN)/captain play team --players You --bots 2

test: $(VENV)/.dev  ## run every test that needs no hardware
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS)

test-pico: $(VENV)/.dev  ## the same on an emulated Pico, for CAPTAIN_UF2=FILE.uf2 (an hour or so)
	$(BIN)/python -m pip install --quiet 'rp2040py>=0.3.6,<0.4'
	$(BIN)/python -m pytest tests/pico $(ARGS)

lint: $(VENV)/.dev $(VENV)/.stubs  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	MYPYPATH=$(VENV)/stubs $(BIN)/mypy --config-file device/mypy.ini --custom-typeshed-dir $(VENV)/stubs

words: $(VENV)/.dev  ## collect the words of the program for its translators, and compile what they wrote
	PYTHONPATH=tools $(BIN)/pybabel -q extract -F tools/babel.cfg --add-location=file --sort-by-file -c Translators: \
	    --project eye-eye-captain -o $(VENV)/words.pot .
	for lang in de it es; do $(BIN)/pybabel -q update -D eyecaptain -i $(VENV)/words.pot -d $(LOCALES) -l $$lang -w 128 \
	    --init-missing --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date || exit; done
	$(BIN)/pybabel -q compile -D eyecaptain -d $(LOCALES)

pictures: $(VENV)/.dev  ## draw the pictures of the README anew
	cd tests && $(abspath $(BIN))/python -m views.terminal.pictures
	cd tests && $(abspath $(BIN))/python -m postal.pictures

soak: $(VENV)/.dev  ## the long runs: the same tests with N=1000 (or as given)
	CAPTAIN_SOAK=$(N) $(BIN)/python -m pytest -n $(JOBS) -m soak $(ARGS)

bench: $(VENV)/.dev  ## timings, as ratios within one run
	cd tests && $(abspath $(BIN))/python -m bench

flash: $(VENV)/.play  ## put the firmware on the attached board (PORT=... names one)
	@$(BIN)/captain flash $(if $(PORT),--board $(PORT))

hardware: $(VENV)/.dev  ## make everything in hardware/ from its sources
	PYTHONPATH=hardware $(BIN)/python -m tools

clean:  ## remove the virtual environment and what tools left behind
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find host tests device hardware -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/pyvenv.cfg:
	$(PYTHON) -m venv $(VENV)

# Installing compiles the languages' catalogues (hatch_build.py), so it is done again when one has changed.
$(VENV)/.play: pyproject.toml $(VENV)/pyvenv.cfg $(wildcard $(LOCALES)/*/LC_MESSAGES/*.po)
	$(BIN)/python -m pip install --quiet --editable '.[sim,terminal]'
	@touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/.play

# In a folder of their own: they replace the standard library's types by MicroPython's.
$(VENV)/.stubs: $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --upgrade --target $(VENV)/stubs 'micropython-rp2-rpi-pico-stubs>=1.28,<2'
	@touch $@
