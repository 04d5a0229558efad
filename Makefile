# The commands of course.py, for those who are used to make: `make run` is `python3 course.py run`.
# What each does: python3 course.py --help.
# With another Python: make run PYTHON=python3.12; without a network: make run FROM=FOLDER, after
# make fetch FOLDER=...; single notebooks: make pages NOTEBOOKS=notebooks/02_run_rnn_and_lstm.ipynb
PYTHON ?= python3
CONSTRAINTS ?= constraints.txt
COURSE := $(PYTHON) course.py

.PHONY: setup run lab test book slides lite exercises exam questions soak pages about lint release class fetch clean
setup run lab test book slides lite exercises exam questions soak pages about lint release class: $(CONSTRAINTS)
	@$(COURSE) $@ --constraints $(CONSTRAINTS) $(if $(FROM),--from $(FROM)) $(FILES)

run pages: FILES = $(NOTEBOOKS) $(SOLUTIONS)
lite: FILES = $(if $(PYODIDE),--pyodide $(PYODIDE))
soak: FILES = $(if $(COMMIT),--ci $(COMMIT))
exam: FILES = $(if $(GRADE),--grade $(GRADE)) --out $(or $(OUT),build/exam)
questions: FILES = --to $(or $(TO),moodle) --out $(or $(OUT),build/questions)
exercises: FILES = $(if $(VARIANT),--variant $(VARIANT)) $(if $(AGAIN),--again)
release: FILES = $(FOLDER) --no-solutions
class: FILES = $(FOLDER)

fetch: $(CONSTRAINTS)
	@$(COURSE) fetch --constraints $(CONSTRAINTS) $(FOLDER)

clean:
	@$(COURSE) clean

# The lowest versions that pyproject.toml allows, for the weekly test: make test CONSTRAINTS=build/oldest.txt in a fresh copy (and CONSTRAINTS=/dev/null for the newest)
build/oldest.txt: pyproject.toml
	@mkdir -p build && $(PYTHON) -m venv build/uv && build/uv/bin/pip install --quiet --disable-pip-version-check uv
	@build/uv/bin/uv pip compile --quiet --resolution lowest-direct --no-annotate --no-header --all-extras -o $@ pyproject.toml
