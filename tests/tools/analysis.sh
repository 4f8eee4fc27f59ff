#!/usr/bin/env bash
# The C code under gcc's -fanalyzer, which follows paths through a file without running it: exits with an
# error on any warning.  Some ten seconds of computing.
#
# It is shown Python's functions for memory as the C library's (analysed_memory.h), because it knows what
# malloc and free do: paths on which memory is lost, freed twice, used after it was freed, or used although
# there was none.  It does not count references.
#
# Left out are the six files of the vector kernels, avx2_double.c and its like: they contain the generated
# maps.h and take a minute each.  kernels.h is in what is examined.
set -euo pipefail
cd "$(dirname "$0")/../.."

PYTHON="${PYTHON:-$PWD/.venv/bin/python}"
GCC="${GCC:-gcc}"
if ! "$GCC" -fanalyzer -fsyntax-only -x c /dev/null 2>/dev/null; then
    echo "analysis: $GCC has no -fanalyzer: install gcc 12 or later, or write GCC=gcc-12" >&2
    exit 2
fi
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
include="$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')"
native=src/minigrad/_native
# Not optimised: an optimiser joins the paths that are to be followed.
FLAGS="-O0 -std=c11 -fPIC -Wall -Wextra -Werror -fanalyzer -fdiagnostics-plain-output -isystem $include"
FLAGS="$FLAGS -include tests/tools/analysed_memory.h -DMINIGRAD_SOURCES=1 -I$native -I$native/vector"

analyse() { # a file, then more flags
    # gcc 12 does not follow memory that is kept in an array of structs, and calls it lost there.  These three
    # build the program and its workspace; what they hold is freed by program_free and workspace_free.
    case "$1" in
        */batch.c | */fusion.c | */word_reader.c) set -- "$@" -Wno-analyzer-malloc-leak ;;
    esac
    # shellcheck disable=SC2086
    "$GCC" $FLAGS "${@:2}" -c "$1" -o /dev/null
}

# The analyser must be awake: each of these bugs, put into a copy of our code, has to be reported.
planted() { # file, what is replaced (a sed command), the warning
    local copy="$folder/${1##*/}"
    sed "$2" "$1" >"$copy"
    if cmp -s "$1" "$copy"; then
        echo "analysis: nothing could be planted in $1: its text has changed" >&2
        exit 2
    fi
    if analyse "$copy" >"$folder/planted" 2>&1 || ! grep -q -e "$3" "$folder/planted"; then
        cat "$folder/planted" >&2
        echo "analysis: a planted bug ($3 in $1) was not reported, so nothing here would be" >&2
        exit 2
    fi
}
planted "$native/attributes.c" '/^static int set_local_grads/,/^}/s/^            return -1;$//' analyzer-double-free
planted "$native/vector/batch.c" '/^workspace \*workspace_new/,/^}/s/if (w == NULL)/if (desks == 0)/' analyzer-possible-null-dereference
planted "$native/attributes.c" '/^static int set_local_grads/,/^}/s/PyMem_Free(locals);//' analyzer-malloc-leak

export -f analyse
export FLAGS GCC
files=()
for each in "$native"/*.c "$native"/vector/*.c; do
    case "$each" in
        *_double.c | *_float.c) ;;
        *) files+=("$each") ;;
    esac
done
if ! printf '%s\n' "${files[@]}" |
    xargs -P "$(getconf _NPROCESSORS_ONLN)" -I{} bash -c 'analyse {}'; then
    echo "analysis: the warnings above" >&2
    exit 1
fi
echo "analysis: no warning in ${#files[@]} files"
