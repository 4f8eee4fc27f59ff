/* Targets: how a file is compiled for more than the baseline of this build.

   The headers of the C library come first, so that nothing of theirs is compiled for a processor that
   may not be there.  Elsewhere than on x86-64 there is the baseline alone. */

#ifndef MINIGRAD_TARGETS_H
#define MINIGRAD_TARGETS_H

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_TARGETS 1
#define PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define TARGET(names) PRAGMA(clang attribute push(__attribute__((target(names))), apply_to = function))
#define START_AVX2 TARGET("avx2")
#define START_AVX512 TARGET("avx512f,avx512dq,avx512vl,avx512bw")
#define STOP_TARGET PRAGMA(clang attribute pop)
#else
#define TARGET(names) PRAGMA(GCC push_options) PRAGMA(GCC target(names))
#define START_AVX2 TARGET("avx2")
#define START_AVX512 TARGET("avx512f,avx512dq,avx512vl,avx512bw,prefer-vector-width=512")
#define STOP_TARGET PRAGMA(GCC pop_options)
#endif
#else
#define HAS_TARGETS 0
typedef int nothing_here; /* a file has to declare something */
#endif

#endif
