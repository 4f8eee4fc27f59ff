#!/usr/bin/env bash
# The programs that the tests of pages need.  Where this may install Debian's packages it does; elsewhere it
# says what to install.
set -euo pipefail

need() { # command, Debian's package that has it
    command -v "$1" >/dev/null && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update --quiet --quiet
        apt-get install --quiet --quiet --yes "$2" >/dev/null
    else
        echo "the tests of pages need $1; install it (on Debian: apt-get install $2)" >&2
        exit 2
    fi
}

need chromium chromium
need node nodejs
need npm npm
