/* The machine for doubles on processors with AVX-512. */

#include "targets.h"

#if HAS_TARGETS
START_AVX512

#define REAL double
#define REAL_IS_FLOAT 0
#define MACHINE machine_avx512_double
#define MACHINE_NAME "avx512"
#define VECTOR_BYTES 64

#include "machine.h"

STOP_TARGET
#endif
