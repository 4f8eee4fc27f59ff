/* The machine for doubles on processors with AVX2. */

#include "targets.h"

#if HAS_TARGETS
START_AVX2

#define REAL double
#define REAL_IS_FLOAT 0
#define MACHINE machine_avx2_double
#define MACHINE_NAME "avx2"
#define VECTOR_BYTES 32

#include "machine.h"

STOP_TARGET
#endif
