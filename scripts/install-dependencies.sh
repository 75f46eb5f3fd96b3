#!/usr/bin/env bash
# Installs what galerna needs from the packages of Debian or Ubuntu; does nothing where all of it is there. Asks for nothing.
set -euo pipefail

packages=(g++ cmake ninja-build pkg-config libtomlplusplus-dev libcli11-dev libfmt-dev libeigen3-dev libhdf5-dev libcairo2-dev
          zlib1g-dev libdeflate-dev libxxhash-dev nlohmann-json3-dev libmetis-dev libopenmpi-dev libgtest-dev gmsh python3 xz-utils)
# Without these tests are skipped, and CAD files are not read; not every release has them.
optional=(clang-format-14 libocct-foundation-dev libocct-modeling-data-dev libocct-modeling-algorithms-dev libocct-data-exchange-dev)
# Where all is tested, kernels are compiled by a second compiler, too (make compilers).
if [ "${CI:-}" = true ]; then optional+=(clang); fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "This is neither Debian nor Ubuntu: install the counterparts of these packages yourself, then go on with cmake --preset release:"
  printf '  %s\n' "${packages[@]}"
  exit 1
fi

is_installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'; }
is_offered() { apt-cache show "$1" >/dev/null 2>&1; }

missing=()
for package in "${packages[@]}"; do is_installed "$package" || missing+=("$package"); done
for package in "${optional[@]}"; do
  if ! is_installed "$package" && is_offered "$package"; then missing+=("$package"); fi
done
[ ${#missing[@]} -eq 0 ] && exit 0

run=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "Missing packages: ${missing[*]}. Install them as root: apt-get install ${missing[*]}"; exit 1; }
  run=(sudo)
fi
echo "Installing: ${missing[*]}"
"${run[@]}" apt-get update -qq
for package in "${optional[@]}"; do  # of which nothing is known before the update, on a fresh machine
  if ! is_installed "$package" && is_offered "$package"; then missing+=("$package"); fi
done
"${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
