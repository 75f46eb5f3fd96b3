#!/usr/bin/env bash
# Says what clang-format 14 would change in src, kernels and tests, and exits with 1 if there is anything. Other versions format otherwise:
# without that one it says so and exits with 77, which CTest takes for a skipped test. --fix formats the files.
set -euo pipefail
cd "$(dirname "$0")/.."

format=$(command -v clang-format-14 || command -v clang-format || true)
if [ -z "$format" ] || ! "$format" --version | grep -q 'version 14\.'; then
  echo "skipped: clang-format 14 is not here (apt-get install clang-format-14)"
  exit 77
fi
words=(--dry-run --Werror)
[ "${1:-}" = --fix ] && words=(-i)
find src kernels tests \( -name '*.hpp' -o -name '*.cpp' \) -print0 | xargs -0 -n 20 -P "$(nproc)" "$format" "${words[@]}" ||
  { echo "not formatted: run scripts/check-format.sh --fix"; exit 1; }
