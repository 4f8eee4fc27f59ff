#!/usr/bin/env bash
# Sees to the programs that the tests of pages need: browser.sh chromium node npm.  Where this may install
# Debian's packages it does; elsewhere it says what to install.
set -euo pipefail

package() { [ "$1" = node ] && echo nodejs || echo "$1"; } # of Debian

for program in "$@"; do
    command -v "$program" >/dev/null && continue
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update --quiet --quiet
        apt-get install --quiet --quiet --yes "$(package "$program")" >/dev/null
    else
        echo "the tests of pages need $program; install it (on Debian: apt-get install $(package "$program"))" >&2
        exit 2
    fi
done
