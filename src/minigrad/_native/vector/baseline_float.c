/* The machine for floats on any processor. */

#define REAL float
#define REAL_IS_FLOAT 1
#define MACHINE machine_baseline_float
#define MACHINE_NAME "baseline"
#define VECTOR_BYTES 16

#include "machine.h"
