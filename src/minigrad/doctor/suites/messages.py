"""Sentences of `minigrad mutate`: what someone's tests would notice."""

ROWS = {
    # ---- why it cannot be tried -------------------------------------------------------------------
    "mutation.no_tests": (
        'say how the tests are run, as in --tests "pytest -q"',
        'indique cómo se ejecutan las pruebas, como en --tests "pytest -q"',
    ),
    "mutation.no_command": (
        "there is no program {given} to run the tests with; check the text after --tests",
        "no hay ningún programa {given} con el que ejecutar las pruebas; revise el texto tras --tests",
    ),
    "mutation.notebook": (
        "{path} is a notebook, and tests import modules; put the engine into a file of its own",
        "{path} es un cuaderno, y las pruebas importan módulos; ponga el motor en un archivo propio",
    ),
    "mutation.nothing": (
        "no fault of the catalogue could be planted in {path}; is the engine in another file?",
        "no se pudo plantar ningún fallo del catálogo en {path}; ¿está el motor en otro archivo?",
    ),
    "mutation.outside": (
        "{path} is not in the project {folder}; give the folder that holds both the engine and its tests",
        "{path} no está en el proyecto {folder}; indique la carpeta que contiene el motor y sus pruebas",
    ),
    "mutation.too_large": (
        "{folder} has more than {files} files or {size} MB, and it would be copied; "
        "name a smaller folder with --project",
        "{folder} tiene más de {files} archivos o {size} MB, y habría que copiarla; "
        "indique una carpeta menor con --project",
    ),
    "mutation.slow": (
        "{tests} had not ended after {seconds} s with the engine unchanged; give it fewer tests",
        "{tests} no había terminado tras {seconds} s con el motor sin cambios; dele menos pruebas",
    ),
    "mutation.failing": (
        "the tests do not pass with the engine unchanged (exit code {code}), so they cannot judge a change; "
        "the last that they said:\n{output}",
        "las pruebas no pasan con el motor sin cambios (código {code}), así que no pueden juzgar un cambio; "
        "lo último que dijeron:\n{output}",
    ),
    "mutation.blind": (
        "the tests pass even when {path} cannot be imported: they test another copy of it, or something else",
        "las pruebas pasan aunque {path} no se pueda importar: prueban otra copia, u otra cosa",
    ),
    # ---- what came of it --------------------------------------------------------------------------
    "mutation.title": ("What the tests would notice", "Lo que las pruebas notarían"),
    "mutation.verdict": ("Verdict", "Veredicto"),
    "mutation.all": (
        "the tests notice every one of {tried} planted bugs",
        "las pruebas notan todos los fallos plantados: {tried}",
    ),
    "mutation.some": (
        "the tests notice {killed} of {tried} planted bugs; {survived} would pass unseen",
        "las pruebas notan {killed} de {tried} fallos plantados; {survived} pasarían sin verse",
    ),
    "mutation.survivors": (
        "Bugs that would pass, each with a test against it",
        "Fallos que pasarían, cada uno con una prueba que lo detecta",
    ),
    "mutation.line": ("line {line} of {path}", "línea {line} de {path}"),
    "mutation.test": ("fails with this bug, passes without it:", "falla con este fallo, pasa sin él:"),
    "mutation.no_line": (
        "none of the one-line tests that were tried tells it from the original",
        "ninguna de las pruebas de una línea que se intentaron lo distingue del original",
    ),
    "mutation.equivalent": (
        "Changes that no probe tells from the original",
        "Cambios que ninguna sonda distingue del original",
    ),
    "mutation.run": ("What was run", "Qué se ejecutó"),
    "mutation.ran": (
        "{tests}, in a copy of {files} files; with the engine unchanged it takes {seconds} s",
        "{tests}, en una copia de {files} archivos; con el motor sin cambios tarda {seconds} s",
    ),
    "mutation.timed_out": (
        "{count} of the bugs made the tests run out of time, which counts as noticed",
        "{count} de los fallos hicieron que las pruebas agotaran el tiempo, lo que cuenta como notado",
    ),
    "mutation.more": (
        "{tried} of {planted} bugs that can be planted were tried",
        "se probaron {tried} de los {planted} fallos que se pueden plantar",
    ),
    "mutation.imports": (
        "the one-line tests begin with: {imports}",
        "las pruebas de una línea empiezan con: {imports}",
    ),
}
