#!/usr/bin/env bash
# Installs what runs in production, as the Dockerfile does, into an empty folder, and asks `vigia doctor` there:
# a package that only the checks need must not be missed by the program.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/vigia production.XXXXXX")
trap 'rm -rf "$folder"' EXIT

mkdir "$folder/app"
cp -R "$root"/{package.json,package-lock.json,.npmrc,config,jobs,sql,src} "$folder/app"
cd "$folder/app"
npm ci --omit=dev --no-audit --no-fund

# The image brings Node 24; here the checkout lends its own.
node=$root/node_modules/.bin/node
vigia() { VIGIA_HOME=$folder/home "$node" src/cli/vigia.js "$@"; }
vigia --help >/dev/null
vigia migrate
vigia doctor
echo 'the production install runs'
