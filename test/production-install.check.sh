#!/usr/bin/env bash
# Installs the production packages into an empty folder, as the Dockerfile does, and runs `vigia doctor` there: the
# program must not need a package that only the checks have. Everything installed must be on the bill of materials, and
# only allowed packages may run install scripts. If a file name is given, the bill of materials is stored there.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
kept=$(realpath -m "${1:-.}")
folder=$(mktemp -d "${TMPDIR:-/tmp}/vigia production.XXXXXX")
trap 'rm -rf "$folder"' EXIT

mkdir "$folder/app"
cp -R "$root"/{package.json,package-lock.json,.npmrc,config,jobs,sql,src} "$folder/app"
cd "$folder/app"
npm ci --omit=dev --no-audit --no-fund
# npm lists what is installed, provided that no dependency is missing. `--omit dev` would leave out too much: also what
# the program needs, if a package of the checks uses it too.
npm pkg delete devDependencies
npm sbom --sbom-format cyclonedx > "$folder/sbom.json"

# The image contains Node 24; here the Node of the checkout is used.
node=$root/node_modules/.bin/node
vigia() { VIGIA_HOME=$folder/home "$node" src/cli/vigia.js "$@"; }
"$node" "$root/test/security/check-sbom.ts" "$folder/app" "$folder/sbom.json"
if [[ ${1:-} ]]; then cp "$folder/sbom.json" "$kept"; fi
vigia --help >/dev/null
vigia migrate
vigia doctor
echo 'the production install runs'
