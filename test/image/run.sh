#!/usr/bin/env bash
# Builds the Dockerfile as it is and processes a file with the result: `npm run image`.
# Without a Docker engine: buildah, as root, on Debian. Everything is in one folder that is removed afterwards.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/image/base.sh
most=450

if [[ $(id -u) != 0 ]] || ! command -v apt-get > /dev/null; then
  echo 'the image was not tried: building it without an engine takes root on Debian'
  exit 0
fi
if ! command -v buildah > /dev/null || ! command -v mmdebstrap > /dev/null; then
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends buildah mmdebstrap; } > /dev/null
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/vigia-image.XXXXXX")
chmod 755 "$folder"
store=(--root "$folder/storage" --runroot "$folder/run")
# If the kernel has no overlay for us, use full copies.
buildah "${store[@]}" info > /dev/null 2>&1 || store+=(--storage-driver vfs)
clean() {
  buildah "${store[@]}" rm --all > /dev/null 2>&1 || true
  umount "$folder/storage/overlay" > /dev/null 2>&1 || true
  rm -rf "$folder"
}
trap clean EXIT

# The build uses this machine's package registry and certificate authorities, but the image does not contain them.
npm config get registry | sed 's/^/registry=/' > "$folder/npmrc"
machine=(--volume "$folder/npmrc:/usr/local/etc/npmrc:ro")
authorities=${NODE_EXTRA_CA_CERTS:-$(npm config get cafile)}
if [[ -f $authorities ]]; then
  cp "$authorities" "$folder/authorities.pem"
  echo 'cafile=/run/authorities.pem' >> "$folder/npmrc"
  machine+=(--volume "$folder/authorities.pem:/run/authorities.pem:ro")
fi

make_base
buildah "${store[@]}" bud --isolation chroot --format docker --quiet "${machine[@]}" --tag vigia . > "$folder/built"
buildah "${store[@]}" inspect --type image vigia > "$folder/image.json"
tree=$(buildah "${store[@]}" mount "$(buildah "${store[@]}" from vigia)")
size=$(($(du -s --block-size=1 "$tree" | cut -f1) / 1000000))
echo "the image is $size MB, of at most $most"
((size <= most)) || { echo "that is $((size - most)) MB too many"; exit 1; }
npx --no-install node test/image/try.ts "$tree" "$folder/image.json" "$folder/home"
