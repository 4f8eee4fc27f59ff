#!/usr/bin/env bash
# Sees to the programs that the tests of pages need: browser.sh chromium node npm.  Where this may install
# Debian's packages it does; elsewhere it says what to install.  Chromium without its windows draws the same
# pages with a third of the work, so that one is taken where it can be had.
set -euo pipefail

fetch() { # a package, where that is allowed; a mirror that does not answer is not waited for
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    apt-get update --quiet --quiet --option Acquire::http::Timeout=30 --option Acquire::https::Timeout=30
    apt-get install --quiet --quiet --yes "$1" >/dev/null
}

package() { [ "$1" = node ] && echo nodejs || echo "$1"; } # of Debian

for program in "$@"; do
    if [ "$program" = chromium ]; then
        command -v chromium-headless-shell >/dev/null && continue
        fetch chromium-headless-shell 2>/dev/null && continue
    fi
    command -v "$program" >/dev/null && continue
    if ! fetch "$(package "$program")"; then
        echo "the tests of pages need $program; install it (on Debian: apt-get install $(package "$program"))" >&2
        exit 2
    fi
done
