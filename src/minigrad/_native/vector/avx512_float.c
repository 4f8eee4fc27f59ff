/* The machine for floats on processors with AVX-512. */

#include "targets.h"

#if HAS_TARGETS
START_AVX512

#define REAL float
#define REAL_IS_FLOAT 1
#define MACHINE machine_avx512_float
#define MACHINE_NAME "avx512"
#define VECTOR_BYTES 64

#include "machine.h"

STOP_TARGET
#endif
