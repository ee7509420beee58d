#!/usr/bin/env bash
# `npm run check`: what runs for every change. `npm run check:all`: that, and everything that takes too long for every change.
# Each part prints how long it took. The last line is "N passed, N failed"; the exit code is 1 if anything failed.
# Installs Debian's chromium, LibreOffice, PgBouncer, PostgreSQL and Prometheus where they are missing and it has the right to.
set -uo pipefail
cd "$(dirname "$0")/.."
all=${1:-}
# Seconds that a part may take before it counts as hanging.
limit=1500
if [[ $all == all ]]; then limit=7200; fi

# The scenarios of chaos that run for every change; `npm run chaos -- --list` names them all.
scenarios=(kills worked-then-hung refusals clocks rewound truncated-list failover model)

passed=0
failed=0
began=$SECONDS
log=$(mktemp)
times=$(mktemp)
trap 'rm -f "$log" "$times"' EXIT

# part TITLE COMMAND…: runs a command and adds up the tests that it counted. A command that counts none
# is one test itself; one that fails without a failed test (type check, lint, a crash) is one failure.
part() {
  local title=$1 start=$SECONDS status good bad
  shift
  printf '\n=== %s\n' "$title"
  timeout --kill-after=60 "$limit" "$@" 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  good=$(count passed)
  bad=$(count failed)
  if ((status != 0 && bad == 0)); then bad=1; fi
  if ((status == 0 && good == 0)); then good=1; fi
  ((passed += good, failed += bad))
  printf '%6d s  %5d passed %3d failed  %s\n' $((SECONDS - start)) "$good" "$bad" "$title" | tee -a "$times"
}

# Vitest sums up a run as "Tests  1 failed | 20 passed (21)", chaos as "16 passed, 0 failed in 9.1 min".
count() {
  sed -E 's/\x1b\[[0-9;]*m//g' "$log" |
    sed -nE -e "s/^ *Tests .*[ |]([0-9]+) $1.*/\1/p" -e "s/^([0-9]+ passed, )?([0-9]+) $1(,| in| *$).*/\2/p" |
    awk '{ sum += $1 } END { print sum + 0 }'
}

# Installs all missing packages of Debian at once: each call reads the lists of packages anew. It is no test: where a program
# cannot be installed, the tests that need it say so.
install_programs() {
  local start=$SECONDS packages=()
  command -v chromium > /dev/null || packages+=(chromium)
  command -v soffice > /dev/null || packages+=(libreoffice-calc)
  command -v promtool > /dev/null || packages+=(prometheus)
  command -v pgbouncer > /dev/null || packages+=(pgbouncer)
  command -v pg_basebackup > /dev/null || packages+=(postgresql)
  # A second reader of workbooks. It is a library, so Debian's Python is asked for it.
  /usr/bin/python3 -c 'import openpyxl' 2> /dev/null || packages+=(python3-openpyxl)
  ((${#packages[@]})) || return 0
  printf '\n=== installing %s\n' "${packages[*]}"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${packages[@]}"; } > /dev/null ||
    echo 'could not install them all'
  printf '%6d s  %s\n' $((SECONDS - start)) "installing ${packages[*]}" | tee -a "$times"
}

part 'npm test' npm test
part 'sentences of the docs' node test/docs/sentence-length.ts
install_programs
part 'slow tests' env SLOW=1 npx vitest run
part 'browser' npx vitest run --config test/browser/vitest.config.ts
part 'LibreOffice' npx vitest run --config test/office/vitest.config.ts
part 'settings of Prometheus' promtool check config ops/prometheus.yaml
part 'rules of Prometheus' promtool test rules ops/prometheus-rules.test.yaml
part 'production install' test/production-install.check.sh
# New seeds find what nobody thought of; where a change is judged, the same seeds must give the same verdict.
histories=(--processor-seconds 60)
if [[ ${CI:-} ]]; then histories=(--seed 1 --histories 400); fi
part 'simulation' node test/simulate/run.ts "${histories[@]}"
seed=${CHAOS_SEED:-1}
if [[ $all != all ]]; then
  part 'oldest PostgreSQL' node test/store/versions.ts oldest
  part 'chaos' node test/chaos/run.ts --seed "$seed" $(printf -- '--only %s ' "${scenarios[@]}")
  part 'bench, quick' node test/bench/run.ts --quick
else
  part 'every older PostgreSQL' node test/store/versions.ts
  part 'properties, five times as often' env PROPERTY_RUNS=5 npx vitest run $(grep -rl --include='*.test.ts' 'support/runs.ts' test)
  part 'Prometheus' npx vitest run --config test/prometheus/vitest.config.ts
  part 'pool' node test/store/through-pool.ts
  part 'simulation, every pair' node test/simulate/run.ts --seed 1 --histories 600 --coverage
  part 'simulation, new seeds' node test/simulate/run.ts --minutes 20
  part 'model of the store' env STORE_SEQUENCES=10000 npx vitest run test/simulate/proof
  part 'faults that the simulation must find' node test/simulate/mutants.ts
  part 'image' bash test/image/run.sh
  part 'chaos' node test/chaos/run.ts --seed "$seed"
  part 'bench' node test/bench/run.ts
fi

printf '\n=== %d minutes\n' $(((SECONDS - began + 30) / 60))
cat "$times"
printf '\n%d passed, %d failed\n' "$passed" "$failed"
exit $((failed > 0))
