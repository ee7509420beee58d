# Gives buildah an image `node:24-slim`: the published one where it can be pulled; elsewhere one that is built the same way
# from Debian and the Node and npm of this checkout. Part of run.sh.

base_name=docker.io/library/node:24-slim

make_base() {
  if timeout 60 buildah "${store[@]}" pull --quiet "$base_name" > "$folder/pull.log" 2>&1; then
    echo 'the base is the published node:24-slim'
    return
  fi
  echo 'node:24-slim cannot be pulled here: the base is made from Debian and our own Node'
  mmdebstrap --quiet --variant=minbase --mode=root --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$folder/base"
  add_node "$folder/base"
  import_base "$folder/base"
  rm -rf "$folder/base"
}

add_node() {
  local tree=$1
  install -D -m 0755 "$(realpath node_modules/.bin/node)" "$tree/usr/local/bin/node"
  install -d "$tree/usr/local/lib/node_modules"
  cp -R "$(npm root --global)/npm" "$tree/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$tree/usr/local/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$tree/usr/local/bin/npx"
  echo 'node:x:1000:1000::/home/node:/bin/bash' >> "$tree/etc/passwd"
  echo 'node:x:1000:' >> "$tree/etc/group"
  install -d -o 1000 -g 1000 "$tree/home/node"
}

import_base() {
  local made
  made=$(buildah "${store[@]}" from scratch)
  buildah "${store[@]}" add --quiet "$made" "$1" / > /dev/null
  buildah "${store[@]}" config --cmd node --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$made"
  buildah "${store[@]}" commit --quiet --rm "$made" "$base_name" > /dev/null
}
