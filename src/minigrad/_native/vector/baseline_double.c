/* The machine for doubles on any processor. */

#define REAL double
#define REAL_IS_FLOAT 0
#define MACHINE machine_baseline_double
#define MACHINE_NAME "baseline"
#define VECTOR_BYTES 16

#include "machine.h"
