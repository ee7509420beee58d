#!/usr/bin/env bash
# What `npm run check` does beyond `npm test`: tests that take minutes, a real browser, a real
# spreadsheet program, a real Prometheus, older PostgreSQL, a pool, a standby, the image, crashes, and the bench's smoke.
# Debian's chromium, LibreOffice, Prometheus, PgBouncer and PostgreSQL are installed where they are missing and this may be done.
set -uo pipefail
cd "$(dirname "$0")/.."
status=0

# ensure PROGRAM PACKAGE: installs Debian's package where the program is missing.
ensure() {
  command -v "$1" > /dev/null && return
  printf '=== installing %s\n' "$2"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$2"; } > /dev/null
  command -v "$1" > /dev/null || printf '%s is missing and could not be installed: its tests will say so\n' "$1"
}

# part TITLE COMMAND…: none of them may take longer than 25 minutes.
part() {
  printf '\n=== %s\n' "$1"
  shift
  timeout --kill-after=60 1500 "$@" || status=1
}

ensure chromium chromium
ensure soffice libreoffice-calc
ensure promtool prometheus
ensure pgbouncer pgbouncer
ensure pg_basebackup postgresql
# A second reader of workbooks; it is no program, so Debian's Python is asked for it.
/usr/bin/python3 -c 'import openpyxl' 2> /dev/null || apt-get install -qq -y --no-install-recommends python3-openpyxl > /dev/null
part 'what takes minutes' env SLOW=1 npx vitest run
# Properties that `npm test` tries less often.
part 'properties' env PROPERTY_RUNS=5 npx vitest run $(grep -rl --include='*.test.ts' 'support/runs.ts' test)
part 'in a browser' npx vitest run --config test/browser/vitest.config.ts
part 'in a spreadsheet program' npx vitest run --config test/office/vitest.config.ts
part 'the file of changes in it' node test/office/changes-file.office.ts
part 'the alerts for the pager' promtool test rules ops/prometheus-rules.test.yaml
part 'a real Prometheus' npx vitest run --config test/prometheus/vitest.config.ts
part 'on older PostgreSQL' node test/store/versions.ts
part 'through a pool' node test/store/through-pool.ts
part 'the image' npm run --silent image
part 'chaos' npm run --silent chaos -- --seed "${CHAOS_SEED:-1}"
part 'bench, quick' npm run --silent bench -- --quick
exit "$status"
