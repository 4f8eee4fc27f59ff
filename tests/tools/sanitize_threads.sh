#!/usr/bin/env bash
# What is compiled under ThreadSanitizer, with the tests that run it in several threads: exits with an error
# on any report.  Some 20 s of computing.
#
# Python itself is not built for the sanitizer.  Its locks are those of the C library, which the sanitizer
# sees: what one thread did before it let the interpreter's lock go comes before what the next one does.  So
# no report has to be suppressed, and memory that our C touches without a lock is reported.
set -euo pipefail
cd "$(dirname "$0")/../.."

PYTHON="${PYTHON:-$PWD/.venv/bin/python}"
CC="${CC:-gcc}"
FLAGS="-O1 -g -std=c11 -ffp-contract=off -fno-math-errno -fno-builtin-sin -fno-builtin-cos -fno-strict-aliasing"
FLAGS="$FLAGS -fno-omit-frame-pointer -fPIC -shared -fsanitize=thread"

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
include="$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')"
suffix="$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')"

cp -r src/minigrad "$folder/minigrad"
native="$folder/minigrad/_native"
rm -f "$native"/*.so

number() { # as in setup.py: what is built knows what it was built from
    "$PYTHON" -c "from runpy import run_path
print(run_path('$native/__init__.py')['$1']('$2'))"
}

vector="${FLAGS/-O1/-O0} -DMINIGRAD_SOURCES=$(number vector_checksum "$native/vector") -I$include"
# shellcheck disable=SC2086
"$CC" $FLAGS -DMINIGRAD_SOURCES="$(number checksum "$native")" -I"$include" "$native"/*.c \
    -o "$native/engine$suffix" -lm
# shellcheck disable=SC2086
printf '%s\n' "$native"/vector/*.c | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I{} "$CC" $vector -c {} -o {}.o
# shellcheck disable=SC2086
"$CC" $vector "$native"/vector/*.o -o "$native/vector$suffix" -lm -pthread

# The sanitizer of an older gcc stops with "unexpected memory mapping" where addresses are random in too
# many bits (vm.mmap_rnd_bits=32, as in Ubuntu 24.04): so they are not random, where that can be asked for.
fixed=()
if setarch "$(uname -m)" -R true 2>/dev/null; then
    fixed=(setarch "$(uname -m)" -R)
fi

watched() { # folder of the package, then a command; the first report ends it with 66
    local package="$1"
    shift
    "${fixed[@]}" env -u MINIGRAD_PURE LD_PRELOAD="$("$CC" -print-file-name=libtsan.so)" \
        TSAN_OPTIONS="halt_on_error=1 exitcode=66 report_signal_unsafe=0" \
        PYTHONPATH="$package" PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1 timeout 300 "$@"
}

explain() { # what was printed by a run that did not go as it had to
    cat "$1" >&2
    if grep -q 'unexpected memory mapping' "$1"; then
        echo "sanitize: the sanitizer of this $CC cannot start, because it finds memory where it needs its own" >&2
        echo "  (vm.mmap_rnd_bits is $(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null || echo unknown))." >&2
        if [ "${#fixed[@]}" = 0 ]; then
            echo "  Addresses are random: setarch -R, which turns that off, is missing or not permitted here." >&2
        fi
        echo "  Run 'sysctl vm.mmap_rnd_bits=28' as root, or set CC to a newer gcc." >&2
    fi
}

# The sanitizer must be awake, in both: first the executor without the lock of its threads, then a thread that
# writes to a node of the engine although it does not hold the interpreter's lock.
cp -r "$folder/minigrad" "$folder/unlocked_minigrad"
mkdir "$folder/unlocked"
mv "$folder/unlocked_minigrad" "$folder/unlocked/minigrad"
unlocked="$folder/unlocked/minigrad/_native"
sed -e 's/pthread_mutex_\(un\)*lock(&s->lock)/(void)0/' -e 's/pthread_cond_wait(&s->turned, &s->lock)/(void)0/' \
    "$native/vector/batch.c" >"$unlocked/vector/batch.c"
sed -i 's/^\( *\)v->grad = \(.*\);$/\1Py_BEGIN_ALLOW_THREADS v->grad = \2; Py_END_ALLOW_THREADS/' "$unlocked/attributes.c"
for each in vector/batch.c attributes.c; do
    if cmp -s "$native/$each" "$unlocked/$each"; then
        echo "sanitize: nothing could be planted in $each: its text has changed" >&2
        exit 2
    fi
done
# shellcheck disable=SC2086
"$CC" $vector -c "$unlocked/vector/batch.c" -o "$unlocked/vector/batch.c.o"
# shellcheck disable=SC2086
"$CC" $vector "$unlocked"/vector/*.o -o "$unlocked/vector$suffix" -lm -pthread
# shellcheck disable=SC2086
"$CC" $FLAGS -DMINIGRAD_SOURCES="$(number checksum "$native")" -I"$include" "$unlocked"/*.c \
    -o "$unlocked/engine$suffix" -lm
cp "$native"/vector/batch.c "$unlocked/vector/batch.c" # the checksum is that of the text without the bug
cp "$native"/attributes.c "$unlocked/attributes.c"

BATCH="
import numpy, minigrad
from minigrad.compiler import executors
assert executors.vector.__file__.startswith('$folder'), executors.ISA
program = minigrad.compile(lambda w, x: (w * x).tanh() * w, threads=3)
program.batched(1).value_and_grad(0.5, numpy.linspace(0.0, 1.0, 20_000))"
ENGINE="
import threading, minigrad
assert minigrad.ENGINE == 'native' and minigrad.__file__.startswith('$folder'), minigrad.__file__
x = minigrad.Value(1.0)
def work():
    for i in range(2000):
        x.grad = float(i)
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()"
for each in BATCH ENGINE; do
    if ! watched "$folder" "$PYTHON" -c "${!each}" >"$folder/right" 2>&1; then
        explain "$folder/right"
        echo "sanitize: the code without a planted race ($each) does not run, or is reported; see above" >&2
        exit 1
    fi
    code=0
    watched "$folder/unlocked" "$PYTHON" -c "${!each}" >"$folder/planted" 2>&1 || code=$?
    if [ "$code" != 66 ] || ! grep -q 'ThreadSanitizer: data race' "$folder/planted"; then
        explain "$folder/planted"
        echo "sanitize: a planted race ($each) was not reported (the run ended with $code instead of 66), so" \
            "nothing here would be; what that run printed is above" >&2
        exit 2
    fi
done

code=0
watched "$folder" "$PYTHON" -m pytest -p no:xdist -p no:cacheprovider -q -s \
    tests/minigrad/_native/test_engine_threads.py tests/minigrad/compiler/test_executors.py \
    tests/minigrad/compiler/test_batching.py tests/minigrad/compiler/test_program.py --graphs=20 \
    -k "(thread or threads) and not (stack or bytes or held_beside)" 2>&1 | tee "$folder/log" || code=$?
if grep 'ThreadSanitizer' "$folder/log" >&2; then
    echo "sanitize: the report above" >&2
    exit 1
fi
if [ "$code" != 0 ]; then
    echo "sanitize: no report of threads, but tests fail" >&2
    exit 1
fi
echo "sanitize: no report of threads"
