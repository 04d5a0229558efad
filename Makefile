# make run    set up, run every notebook, leave the pages in build/
# make lab    set up, open JupyterLab on notebooks/
# make test   set up, pass every test, notebooks included
# make lint   what ruff finds, and what it would lay out differently
# make book   set up, make the book from the stored notebooks in build/book
# make pages  run the notebooks and store their outputs in place
# make exercises  make the students' copies of the exercises from the solutions
# make soak   what is long by nature: many kills, many random cases, full-size training
.PHONY: run lab test lint book pages exercises soak clean
PYTHON ?= python3
BIN := .venv/bin
CONSTRAINTS ?= constraints.txt
NOTEBOOKS := $(sort $(wildcard notebooks/[0-9]*.ipynb))
SOLUTIONS := $(sort $(wildcard notebooks/solutions/[0-9]*.ipynb))
# no times in the pages and one output for what a cell prints, so that they change only with their content; no word from the kernel about its sockets
EXECUTE := --execute --log-level ERROR --ExecutePreprocessor.record_timing=False --CoalesceStreamsPreprocessor.enabled=True --Exporter.preprocessors=nbconvert.preprocessors.CoalesceStreamsPreprocessor '--ExecutePreprocessor.extra_arguments=--log-level=40'
# one BLAS thread a process: the tests' two processes, or training's two threads, are the parallel part
export OPENBLAS_NUM_THREADS := 1

run: .venv/ready-book
	@mkdir -p build && cp .venv/lib/python*/site-packages/sphinx-mathjax-offline/static/mathjax/tex-svg-full.js build
	@for page in $(NOTEBOOKS); do \
	  start=$$(date +%s); \
	  $(BIN)/jupyter nbconvert $(EXECUTE) --to html --template page --TemplateExporter.extra_template_basedirs=book --output-dir build $$page || exit 1; \
	  echo "build/$$(basename $$page .ipynb).html  run in $$(( $$(date +%s) - start )) s"; \
	done

lab: .venv/ready
	$(BIN)/jupyter lab notebooks

test: .venv/ready-book
	$(BIN)/python -m pytest -n 2 --dist loadscope -m "not soak" --nbval-lax --nbval-current-env --ignore notebooks/exercises tests notebooks

lint: .venv/ready
	$(BIN)/ruff check . && $(BIN)/ruff format --check .

book: .venv/ready-book
	$(BIN)/python book/build.py build/book

pages: .venv/ready
	@$(BIN)/jupyter nbconvert $(EXECUTE) --to notebook --inplace $(NOTEBOOKS) $(SOLUTIONS)

# what a student has not written yet raises an error, so the copies are never run
exercises: .venv/ready
	@$(BIN)/python -m lstm_edu.exercises

soak: .venv/ready
	$(BIN)/python -m pytest -n 2 --dist loadscope -m soak tests

clean:
	rm -rf .venv build

# Set-up happens once, and again when what is installed has changed.
.venv/ready: pyproject.toml $(CONSTRAINTS)
	@command -v $(PYTHON) > /dev/null || { echo "missing: $(PYTHON). Install Python 3.11 or newer, or say make PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "missing: Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2> /dev/null || { echo "missing: Python's venv module (on Debian: apt install python3-venv)"; exit 1; }
	@echo "setting up .venv, once ..."
	@$(PYTHON) -m venv .venv
	@$(call install,notebooks$(comma)lab$(comma)widgets$(comma)baselines$(comma)data$(comma)cluster$(comma)test)
	@touch $@

.venv/ready-book: .venv/ready
	@echo "installing Sphinx, once ..."
	@$(call install,book)
	@touch $@

# The lowest versions that pyproject.toml allows, for the weekly test: make test CONSTRAINTS=build/oldest.txt in a fresh copy (and CONSTRAINTS=/dev/null for the newest)
build/oldest.txt: pyproject.toml
	@mkdir -p build && $(PYTHON) -m venv build/uv && build/uv/bin/pip install --quiet --disable-pip-version-check uv
	@build/uv/bin/uv pip compile --quiet --resolution lowest-direct --no-annotate --no-header --all-extras -o $@ pyproject.toml

comma := ,
# pip's whole story is in .venv/install.log; when it fails, its own last lines say why
install = $(BIN)/pip install --disable-pip-version-check -c $(CONSTRAINTS) -e '.[$(1)]' > .venv/install.log 2>&1 \
  || { tail -n 20 .venv/install.log; echo "set-up failed, pip's last lines are above (all of them: .venv/install.log)." \
       "A name that was not found, or a connection: is the network there? A version that needs another Python: say make PYTHON=..."; exit 1; }
