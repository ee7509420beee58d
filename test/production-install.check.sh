#!/usr/bin/env bash
# Installs what runs in production, as the Dockerfile does, into an empty folder, and asks `vigia doctor` there:
# a package that only the checks need must not be missed by the program. What is installed must be on the bill of
# materials, and none of it may run a script of its own but what is allowed to. With the name of a file the bill is kept.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
kept=$(realpath -m "${1:-.}")
folder=$(mktemp -d "${TMPDIR:-/tmp}/vigia production.XXXXXX")
trap 'rm -rf "$folder"' EXIT

mkdir "$folder/app"
cp -R "$root"/{package.json,package-lock.json,.npmrc,config,jobs,sql,src} "$folder/app"
cd "$folder/app"
npm ci --omit=dev --no-audit --no-fund
# npm bills what is installed, provided that nothing is said to be missing; `--omit dev` leaves out too much, namely
# what the program needs as soon as a package of the checks would use it too.
npm pkg delete devDependencies
npm sbom --sbom-format cyclonedx > "$folder/sbom.json"

# The image brings Node 24; here the checkout lends its own.
node=$root/node_modules/.bin/node
vigia() { VIGIA_HOME=$folder/home "$node" src/cli/vigia.js "$@"; }
"$node" "$root/test/security/check-sbom.ts" "$folder/app" "$folder/sbom.json"
if [[ ${1:-} ]]; then cp "$folder/sbom.json" "$kept"; fi
vigia --help >/dev/null
vigia migrate
vigia doctor
echo 'the production install runs'
