"""Sentences of the track: what its command says, and its answers."""

ROWS: dict[str, tuple[str, str]] = {
    "track.hole": ("your lines", "sus líneas"),
    "track.heading": (
        "Build an engine, step {number} of {count}: {title}",
        "Construir un motor, paso {number} de {count}: {title}",
    ),
    "track.placed": (
        "The skeleton of this step is now in {path}. Write your lines in place of the ..., "
        "from line {line} on.",
        "El esqueleto de este paso está ahora en {path}. Escriba sus líneas en lugar de los ..., "
        "desde la línea {line}.",
    ),
    "track.there": (
        "The skeleton of this step is in {path}. It is left as it is.",
        "El esqueleto de este paso está en {path}. Se deja como está.",
    ),
    "track.tests_placed": (
        "A start for your tests is in {path}.",
        "En {path} hay un comienzo para sus pruebas.",
    ),
    "track.then": ("Then type: {command}", "Después escriba: {command}"),
    "track.all_done": (
        "All {count} steps hold: this engine is yours. Where to go on: examples/microgpt.py in the "
        "repository trains a small GPT on such an engine, with softmax, attention and Adam in it.",
        "Los {count} pasos están bien: este motor es suyo. Para seguir: examples/microgpt.py, en el "
        "repositorio, entrena un GPT pequeño con un motor así, con softmax, atención y Adam dentro.",
    ),
    "track.predict": ("Predict, before it runs:", "Prediga, antes de que se ejecute:"),
    "track.predict.how": (
        "a number; Enter goes on without one",
        "un número; Intro para seguir sin él",
    ),
    "track.predict.unreadable": ("{given} is not a number", "{given} no es un número"),
    "track.predict.right": (
        "You predicted {given}, and your engine gives {got}.",
        "Usted predijo {given}, y su motor da {got}.",
    ),
    "track.predict.wrong": (
        "You predicted {given}, and your engine gives {got}. Find out why before you go on.",
        "Usted predijo {given}, y su motor da {got}. Averigüe por qué antes de seguir.",
    ),
    "track.predict.none": ("Your engine gives {got}.", "Su motor da {got}."),
    "track.passed": ("Step {number}, {title}: it holds.", "Paso {number}, {title}: está bien."),
    "track.earlier": (
        "The {count} steps before it hold as well.",
        "Los {count} pasos anteriores también están bien.",
    ),
    "track.earlier.one": ("Step {count} holds as well.", "El paso {count} también está bien."),
    "track.next": ("The next step: {command}", "El paso siguiente: {command}"),
    "track.not_yet": ("Step {number}, {title}: not yet.", "Paso {number}, {title}: todavía no."),
    "track.line": ("Look at line {line}:", "Mire la línea {line}:"),
    "track.missing": ("Something is missing after line {line}:", "Falta algo después de la línea {line}:"),
    "track.more": ("{command} says more.", "{command} dice más."),
    "track.finding.absent": (
        "its skeleton is not in the file yet; {command} puts it there",
        "su esqueleto aún no está en el archivo; {command} lo pone",
    ),
    "track.finding.open": ("this is still to be written", "esto aún está por escribir"),
    "track.finding.unreadable": (
        "Python cannot read the file: {error}",
        "Python no puede leer el archivo: {error}",
    ),
    "track.finding.error": ("Python stops with {error}", "Python se detiene con {error}"),
    "track.finding.too-long": (
        "it does not come to an end, on a graph of forty nodes or fewer",
        "no llega a su fin, en un grafo de cuarenta nodos o menos",
    ),
    "track.finding.too-idle": (
        "it sleeps or waits, and no answer comes",
        "se queda dormido o a la espera, y no llega ninguna respuesta",
    ),
    "track.finding.too-much": (
        "it prints, stores or starts more than a step of this track ever needs",
        "imprime, guarda o inicia más de lo que necesita cualquier paso de este recorrido",
    ),
    "track.finding.left": (
        "the program ends by itself before it has answered, as exit() would make it",
        "el programa termina por sí solo antes de responder, como lo haría exit()",
    ),
    "track.help.title": ("Hint {number} of {count}", "Pista {number} de {count}"),
    "track.help.none": (
        "Nothing is wrong, so no hint is needed.",
        "No hay nada mal, así que no hace falta ninguna pista.",
    ),
    "track.help.program": ("This shows it:", "Esto lo muestra:"),
    "track.help.got": ("your engine gives {numbers}", "su motor da {numbers}"),
    "track.help.right": ("it should give {numbers}", "debería dar {numbers}"),
    "track.help.diff": ("With this change it holds:", "Con este cambio funciona:"),
    "track.help.book": (
        "This is how the textbook writes it:",
        "Así lo escribe el libro:",
    ),
    "track.help.again": (
        "This was the last hint. {command} puts the step's text on the screen again.",
        "Esta era la última pista. {command} vuelve a mostrar el texto del paso.",
    ),
    "track.tests.none": (
        "there is no {path} to score; minigrad build writes a start of it",
        "no existe {path}; minigrad build crea un comienzo",
    ),
    "track.tests.failing": (
        "your tests fail with your own engine, so they say nothing yet: {error}",
        "sus pruebas fallan con su propio motor, así que aún no dicen nada: {error}",
    ),
    "track.tests.slow": (
        "it takes more than {seconds} s of processor time",
        "tarda más de {seconds} s de procesador",
    ),
    "track.tests.ended": (
        "your tests do not come through with your own engine, so they say nothing yet: {why}",
        "sus pruebas no llegan al final con su propio motor, así que aún no dicen nada: {why}",
    ),
    "track.tests.not_run": (
        "Not run: {count}, because {why}.",
        "Sin ejecutar: {count}, porque {why}.",
    ),
    "track.tests.why.too-long": (
        "the tests take more than {seconds} s of processor time",
        "las pruebas tardan más de {seconds} s de procesador",
    ),
    "track.tests.why.too-idle": (
        "the tests sleep or wait for too long",
        "las pruebas pasan demasiado tiempo dormidas o a la espera",
    ),
    "track.tests.why.too-much": (
        "the tests print, store or start too much",
        "las pruebas imprimen, guardan o inician demasiado",
    ),
    "track.tests.why.left": (
        "the tests end the whole program, as os._exit() does, where a test should fail with an error",
        "las pruebas terminan todo el programa, como hace os._exit(), donde una prueba debería fallar con "
        "un error",
    ),
    "track.tests.empty": (
        "there is no function in {path} whose name begins with test_",
        "en {path} no hay ninguna función cuyo nombre empiece por test_",
    ),
    "track.tests.score": (
        "Your tests notice {killed} of {planted} planted bugs.",
        "Sus pruebas detectan {killed} de {planted} fallos introducidos.",
    ),
    "track.tests.survivor": ("line {line}: {name}", "línea {line}: {name}"),
    "track.tests.survivors": ("They miss, among others:", "Dejan pasar, entre otros:"),
    "track.file.large": (
        "it has more than {most},000 characters, and an engine of this track has about 8,000",
        "tiene más de {most} 000 caracteres, y un motor de este recorrido tiene unos 8000",
    ),
    "track.file.class": (
        "there is no class Value in the file; step 1 begins with it",
        "en el archivo no hay ninguna clase Value; con ella empieza el paso 1",
    ),
    "track.file.none": (
        "there is no {path}; begin with: {command}",
        "no existe {path}; empiece con: {command}",
    ),
    "track.file.kind": ("{path} is not an ordinary file", "{path} no es un archivo corriente"),
    "track.file.text": ("{path} is not text in UTF-8", "{path} no es un texto en UTF-8"),
    "track.file.changed": (
        "{path} was changed meanwhile, and is left as it is; type the command again",
        "{path} cambió mientras tanto y se deja como está; escriba el comando otra vez",
    ),
    "track.picture.none": (
        "there is nothing to draw yet: a picture needs + and *, which is step 2",
        "todavía no hay nada que dibujar: una imagen necesita + y *, que es el paso 2",
    ),
    "track.picture.failed": (
        "the graph of your engine could not be drawn: {error}",
        "no se pudo dibujar el grafo de su motor: {error}",
    ),
    "track.picture.caption": (
        "data and grad are read from your own Values",
        "los valores y gradientes se leen de sus propios Values",
    ),
    "track.loop.waiting": (
        "Waiting for {path} to be saved; Ctrl-C ends it.",
        "Esperando a que se guarde {path}; Ctrl-C lo termina.",
    ),
    "track.grade.title": ("Engines of the track", "Motores del recorrido"),
    "track.grade.row": ("{name}: {passed} of {count} steps", "{name}: {passed} de {count} pasos"),
    "track.grade.tests": ("tests {killed} of {planted}", "pruebas {killed} de {planted}"),
    "track.grade.not_run": ("{count} not run", "{count} sin ejecutar"),
    "track.grade.none": (
        "no engine.py in {path}, nor in a folder in it",
        "no hay ningún engine.py en {path} ni en sus carpetas",
    ),
}
