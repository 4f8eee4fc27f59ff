"""Sentences of the compiled engine: why it is not in use."""

ROWS = {
    "engine.plain": (
        "the compiled engine is not in use: {reason}. The plain one is: the same results, slower",
        "el motor compilado no está en uso: {reason}. "
        "Se usa el motor en Python: los mismos resultados, más despacio",
    ),
    "engine.stale": (
        "it was built from other sources than these (make builds it again)",
        "se compiló con otras fuentes (make lo compila de nuevo)",
    ),
    "engine.edited": (
        "minigrad: scalar.py was edited, so the plain engine runs it as it is now; undo the edit to have the "
        "compiled engine again",
        "minigrad: scalar.py se ha editado, así que se ejecuta tal como está ahora, con el motor en Python; "
        "deshaga el cambio para volver al motor compilado",
    ),
    "engine.absent": (
        "minigrad: no C compiler was found, or it failed, so the plain Python engine is installed: the same "
        "results, more slowly.\nminigrad: for the compiled one, install a compiler, then write: "
        ".venv/bin/python -m pip install -v -e .",
        "minigrad: no se encontró un compilador de C, o falló, así que queda instalado el motor en Python: "
        "los mismos resultados, más despacio.\nminigrad: para tener el compilado, instale un compilador y "
        "escriba: .venv/bin/python -m pip install -v -e .",
    ),
    "engine.no_executor": (
        "minigrad: what runs compiled programs was not built, so NumPy runs them: the same results, far more "
        "slowly.\nminigrad: to see why, write: .venv/bin/python -m pip install -v -e .",
        "minigrad: no se construyó lo que ejecuta los programas compilados, así que los ejecuta NumPy: los "
        "mismos resultados, mucho más despacio.\nminigrad: para ver por qué, escriba: .venv/bin/python -m "
        "pip install -v -e .",
    ),
}
