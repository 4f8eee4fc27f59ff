#!/usr/bin/env bash
# What is compiled under AddressSanitizer and UBSan, the engine and the executor of programs: exits with an
# error on any report.
#
#   tests/tools/sanitize.sh             all of it, in some three minutes
#   tests/tools/sanitize.sh -k hook     words for pytest, to look at one thing
#
# The engine is built in a temporary copy of the package, twice: without slabs, so that every node is an
# allocation that the sanitizers watch; and with them, to see that code run too.  Tests that need PyTorch
# are left out, which has reports of its own, and those that measure memory, which the sanitizers change.
set -euo pipefail
cd "$(dirname "$0")/../.."

PYTHON="${PYTHON:-$PWD/.venv/bin/python}"
CC="${CC:-gcc}"
FLAGS="-O1 -g -std=c11 -ffp-contract=off -fno-math-errno -fno-builtin-sin -fno-builtin-cos -fno-strict-aliasing"
FLAGS="$FLAGS -fno-omit-frame-pointer -fPIC -shared -Wall -Wextra"
FLAGS="$FLAGS -fsanitize=address,undefined -fno-sanitize-recover=undefined"

folder="$(mktemp -d)"
builds=""
ended() {
    for each in $builds; do kill -- "-$each" 2>/dev/null || true; done
    rm -rf "$folder"
}
trap ended EXIT

include="$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')"
suffix="$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')"

build() { # name, more flags
    local native="$folder/$1/minigrad/_native" sources
    mkdir -p "$folder/$1"
    cp -r src/minigrad "$folder/$1/minigrad"
    rm -f "$native"/*.so
    # As in setup.py: the engine knows what it was built from.
    sources="$("$PYTHON" -c "from runpy import run_path
print(run_path('$native/__init__.py')['checksum']('$native'))")"
    # shellcheck disable=SC2086
    "$CC" $FLAGS ${2:-} -DMINIGRAD_SOURCES="$sources" -I"$include" "$native"/*.c -o "$native/engine$suffix" -lm
}

build_vector() { # names of builds: it is the same in each
    local native="$folder/$1/minigrad/_native" sources flags
    sources="$("$PYTHON" -c "from runpy import run_path
print(run_path('$native/__init__.py')['vector_checksum']('$native/vector'))")"
    # Not optimised, and a file on each core: its kernels are long, and compiled six times.
    flags="${FLAGS/-O1/-O0} -DMINIGRAD_SOURCES=$sources -I$include"
    # shellcheck disable=SC2086
    printf '%s\n' "$native"/vector/*.c |
        xargs -P "$(getconf _NPROCESSORS_ONLN)" -I{} "$CC" $flags -c {} -o {}.o
    # shellcheck disable=SC2086
    "$CC" $flags "$native"/vector/*.o -o "$native/vector$suffix" -lm -pthread
    for each in "${@:2}"; do cp "$native/vector$suffix" "$folder/$each/minigrad/_native"; done
}

watched() { # name of the build, then a command
    local name="$1"
    shift
    env -u MINIGRAD_PURE \
        LD_PRELOAD="$("$CC" -print-file-name=libasan.so) $("$CC" -print-file-name=libubsan.so)" \
        ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
        PYTHONMALLOC=malloc PYTHONPATH="$folder/$name" PYTHONDONTWRITEBYTECODE=1 \
        "$@"
}

check() { # name of the build, then words for pytest
    local name="$1"
    shift
    watched "$name" "$PYTHON" -c "
import minigrad
assert minigrad.ENGINE == 'native', minigrad.ENGINE
assert minigrad.__file__.startswith('$folder'), minigrad.__file__
from minigrad.compiler import executors
assert executors.ISA != 'numpy' and executors.vector.__file__.startswith('$folder')"
    # A report ends its process, so the test that started it fails; -s lets pytest hide nothing.
    watched "$name" "$PYTHON" -X faulthandler -m pytest -p no:xdist -s "$@" 2>&1 | tee "$folder/$name.log"
}

reported() { grep -E 'AddressSanitizer|runtime error:' "$@"; }

build alone -DMINIGRAD_NO_SLABS
build slabs
build_vector slabs alone

# The sanitizers must be awake: a planted overrun has to be reported.
cat >"$folder/planted.c" <<'PLANTED'
#define PY_SSIZE_T_CLEAN
#include <Python.h>
static PyObject *overrun(PyObject *self, PyObject *n)
{
    volatile char *block = malloc(8);
    block[PyLong_AsLong(n)] = 1;
    free((void *)block);
    return Py_NewRef(Py_None);
}
static PyMethodDef methods[] = {{"overrun", overrun, METH_O, NULL}, {0}};
static PyModuleDef planted = {PyModuleDef_HEAD_INIT, .m_name = "planted", .m_methods = methods};
PyMODINIT_FUNC PyInit_planted(void) { return PyModule_Create(&planted); }
PLANTED
# shellcheck disable=SC2086
"$CC" $FLAGS -Wno-unused-parameter -I"$include" "$folder/planted.c" -o "$folder/alone/planted$suffix"
watched alone "$PYTHON" -c 'import planted; planted.overrun(7)'
if watched alone "$PYTHON" -c 'import planted; planted.overrun(8)' >"$folder/planted" 2>&1 \
    || ! reported -q "$folder/planted"; then
    echo "sanitize: a planted overrun was not reported, so nothing here would be" >&2
    exit 2
fi

set -m # so that each build is a group of processes, which can be ended whole
MEASURE="training_run or measurement or bytes or held_beside"
TORCH="generator"
native=tests/minigrad/_native
engine=("$native/test_engine.py" "$native"/test_engine_memory*.py "$native/test_engine_revived.py"
    "$native/test_engine_threads.py")
executor=(tests/minigrad/compiler/test_executors*.py)
values=("$native/test_engine_fuzz.py" tests/minigrad/test_scalar.py tests/minigrad/test_scalar_numpy.py
    tests/minigrad/test_functional_gradcheck.py tests/minigrad/values/test_copies.py
    tests/minigrad/values/test_no_grad.py tests/minigrad/graph/test_trace.py)
ls "${engine[@]}" "${executor[@]}" "${values[@]}" >/dev/null # none of them has moved
if [ $# -gt 0 ]; then
    check alone "$native"/test_engine*.py "${executor[@]}" "$@" &
    builds="$!"
else # both at once: each runs its tests one after the other
    check alone "${engine[@]}" "${values[@]}" --graphs=2000 -k "not ($MEASURE or $TORCH)" &
    builds="$!"
    check slabs "${engine[@]}" "${executor[@]}" --graphs=1000 -k "not ($MEASURE or $TORCH)" &
    builds="$builds $!"
fi
failed=0
for each in $builds; do
    wait "$each" || failed=1
done

if reported "$folder"/*.log >&2; then
    echo "sanitize: the reports above" >&2
    exit 1
fi
if [ "$failed" = 1 ]; then
    echo "sanitize: no report, but tests fail" >&2
    exit 1
fi
echo "sanitize: no report"
