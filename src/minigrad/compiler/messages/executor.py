"""Sentences of the compiled executor of programs: what it refuses."""

ROWS = {
    "compile.native.absent": (
        "the compiled executor is not built here: install with a C compiler, or leave native=True out",
        "el ejecutor compilado no está construido aquí: instale con un compilador de C, o quite native=True",
    ),
    "compile.native.stale": (
        "compiled programs run in NumPy, far slower: their executor was built from other sources than those "
        "beside it; run pip install -e . again",
        "los programas compilados se ejecutan en NumPy, mucho más despacio: su ejecutor se construyó con "
        "otro código que el que está a su lado; vuelva a ejecutar pip install -e .",
    ),
    "compile.native.isa": (
        "MINIGRAD_VECTOR={given}: this machine has {known}",
        "MINIGRAD_VECTOR={given}: esta máquina tiene {known}",
    ),
    "compile.native.plan": (
        "the plan cannot be run: {reason}",
        "el plan no se puede ejecutar: {reason}",
    ),
    "compile.native.guards": (
        "the plan has {wanted} guards, and {given} expected numbers are given",
        "el plan tiene {wanted} guardas, y se dan {given} números esperados",
    ),
}
