# make play: everything, from nothing, to a site at http://localhost:8000
# make test: everything, from nothing, to passed tests
# make test STRICT=1: nothing skipped nor left out, processes broken and backups restored, and once more on PostgreSQL and Redis
#   (127.0.0.1, user postgres without password)
# make hosting: every command of docs/hosting.md on a fresh Debian 13, and the containers (root; .ci/hosting installs what it needs)
# make quick: the rules, the bots and what happens at a table, in half a minute
# make lock: pins with hashes all that the requirements bring along; delete a lock first to get the newest of it
# Other targets: lint, clean. PORT changes the port, PYTHON the interpreter.

PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
# A python3.13 may be on the PATH and yet not run (pyenv's shims do so), hence the trial.
PYTHON ?= $(shell for name in python3.14 python3.13 python3.12 python3; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 12))' >/dev/null 2>&1 && { command -v $$name; break; }; done)
CHROMIUM ?= $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PYTEST := $(BIN)/pytest --numprocesses auto --dist loadgroup
# Rules, bots, and what happens at a table: these fail first, and need the least time.
QUICK := $(addprefix tests/,kit oh_hell belot bids bleven whist play config test_catalog.py)
# What is tested on PostgreSQL and Redis as well: queries, locks, and what processes tell each other. Without a pool,
# which would give a session that one test has made read-only to the next. Tests of whole processes have the pool.
TWICE := $(addprefix tests/,play live history deal_index notifications chat clubs ratings comments challenges analysis \
	accounts/people accounts/test_adoption.py accounts/test_services.py accounts/test_lockout.py accounts/test_sorting.py queue tallies pages/test_views.py pages/test_limits.py)
TRANSLATIONS := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/django.po))
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.12 --generate-hashes --custom-compile-command "make lock"

export STRICT
# Compiled once instead of in each of the many processes that tests start.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play test hosting quick lint lint-static lint-commits lock clean

play: $(VENV)/installed $(TRANSLATIONS)
	@$(BIN)/python manage.py serve --port $(PORT)

test: $(VENV)/installed-dev $(TRANSLATIONS)
	@test -n "$(CHROMIUM)" || { echo "Chromium is missing: install it (Debian: apt-get install chromium), then run make test again."; exit 1; }
	$(PYTEST) -m "not hosting$(if $(STRICT),, and not faults and not thorough)"
ifdef STRICT
	DATABASE_POOL=0 DATABASE_URL=postgres://postgres@127.0.0.1:5432/valat REDIS_URL=redis://127.0.0.1:6379/10 \
		$(PYTEST) -m "not thorough" $(TWICE) --ignore tests/live/test_example_bot.py --ignore tests/tallies/test_counting.py
endif

# As root. Its network devices disturb the browsers of other tests, so .ci/hosting gives it a network of its own.
hosting: $(VENV)/installed-dev $(TRANSLATIONS)
	STRICT=1 $(PYTEST) -m hosting -s tests/test_hosting.py tests/test_containers.py

quick: $(VENV)/installed-dev $(TRANSLATIONS)
	$(PYTEST) --nomigrations -m "not browser and not faults and not thorough and not whole" $(QUICK)

lint: $(VENV)/installed-dev $(TRANSLATIONS) lint-commits
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/python tools/messages.py --check
	DEBUG=on $(BIN)/python tools/check_templates.py
	DEBUG=on $(BIN)/python manage.py makemigrations --check --dry-run
	@if command -v npm >/dev/null || [ -n "$(STRICT)" ]; then $(MAKE) --no-print-directory lint-static; \
		else echo "Node is missing, so CSS and JavaScript go unchecked (Debian: apt-get install nodejs npm)."; fi
	DEBUG=off HTTPS=on EMAIL_URL=smtp://localhost:25 SECRET_KEY=$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(50))') \
		$(BIN)/python manage.py check --deploy --fail-level WARNING

	@if command -v shellcheck >/dev/null || [ -n "$(STRICT)" ]; then shellcheck tools/install.sh; fi

lint-static: tools/node_modules
	tools/node_modules/.bin/eslint --config tools/eslint.config.mjs static tests/scripts tools
	tools/node_modules/.bin/stylelint --config tools/stylelint.config.mjs 'static/**/*.css'

# An order of at most 60 characters: "Close sockets", not "Closed", "Closes" or "Closing"; without a full stop.
lint-commits:
	@! git rev-parse --quiet --verify main >/dev/null 2>&1 || git log --no-merges --format=%s main..HEAD | awk ' \
		length > 60 || /\.$$/ || !/^[A-Z0-9]/ || $$1 ~ /([^s]s|ed|ing)$$/ && $$1 !~ /^(Bring|String|Need|[FS]eed|Speed|Embed)$$/ { \
			bad = 1; print "Please reword this commit: " $$0 } \
		END { if (bad) print "A subject is an order of at most 60 characters without a full stop, such as: Close sockets with 4012"; exit bad }'

tools/node_modules: tools/package-lock.json
	@npm ci --prefix tools --no-audit --no-fund --loglevel error
	@touch $@

$(VENV)/created:
	@test -n "$(PYTHON)" || { echo "Python 3.12 or newer is missing: install it (Debian: apt-get install python3 python3-venv), or name one: make PYTHON=/path/to/python3."; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 12))' || { echo "$(PYTHON) is not a Python of 3.12 or newer that runs."; exit 1; }
	@"$(PYTHON)" -m venv $(VENV) || { echo "$(PYTHON) can't make a virtual environment: install its venv package (Debian: apt-get install python3-venv)."; exit 1; }
	@touch $@

$(VENV)/installed: requirements.lock.txt | $(VENV)/created
	@echo "Installing what Valat needs (about half a minute)."
	@$(INSTALL) --require-hashes -r requirements.lock.txt
	@touch $@

$(VENV)/installed-dev: requirements-dev.lock.txt $(VENV)/installed
	@$(INSTALL) --require-hashes -r requirements-dev.lock.txt
	@touch $@

%.mo: %.po | $(VENV)/installed
	@$(BIN)/python manage.py compilemessages --verbosity 0

lock: | $(VENV)/created
	$(INSTALL) uv==0.13.9
	$(LOCK) requirements.txt --output-file requirements.lock.txt
	$(LOCK) requirements-server.txt --constraint requirements.lock.txt --output-file requirements-server.lock.txt
	$(LOCK) requirements-dev.txt --constraint requirements-server.lock.txt --output-file requirements-dev.lock.txt

clean:
	rm -rf $(VENV) $(TRANSLATIONS) staticfiles tools/node_modules
