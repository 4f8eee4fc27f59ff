/* The machine for floats on processors with AVX2. */

#include "targets.h"

#if HAS_TARGETS
START_AVX2

#define REAL float
#define REAL_IS_FLOAT 1
#define MACHINE machine_avx2_float
#define MACHINE_NAME "avx2"
#define VECTOR_BYTES 32

#include "machine.h"

STOP_TARGET
#endif
