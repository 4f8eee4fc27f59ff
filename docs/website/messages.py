"""Sentences of the site: its navigation, the pages that are generated, the reference."""

ROWS: dict[str, tuple[str, str]] = {
    "site.front": (
        "An autograd engine that you can see through.",
        "Un motor de autograd que se deja mirar por dentro.",
    ),
    "site.switch": ("In English", "En español"),
    "site.next": ("Next", "Siguiente"),
    "site.previous": ("Previous", "Anterior"),
    "site.theme.navigation": ("Toggle site navigation sidebar", "Mostrar u ocultar la navegación"),
    "site.theme.contents": ("Toggle table of contents sidebar", "Mostrar u ocultar el índice de la página"),
    "site.theme.colours": (
        "Toggle Light / Dark / Auto color theme",
        "Cambiar entre claro, oscuro y automático",
    ),
    "site.theme.skip": ("Skip to content", "Ir al contenido"),
    "site.theme.top": ("Back to top", "Volver arriba"),
    "site.theme.page": ("On this page", "En esta página"),
    "site.theme.below": ("Toggle navigation of ", "Mostrar u ocultar lo que contiene "),
    "site.theme.heading": ("Link to this heading", "Enlace a este apartado"),
    "site.theme.script": (
        "Please activate JavaScript to enable the search functionality.",
        "Active JavaScript para poder buscar.",
    ),
    "site.chapter.learn": ("Learn", "Aprender"),
    "site.chapter.guides": ("How-to guides", "Guías prácticas"),
    "site.chapter.understand": ("Understand", "Entender"),
    "site.chapter.look_up": ("Look up", "Consultar"),
    "site.chapter.project": ("The project", "El proyecto"),
    "site.source.about": (
        "The file `{path}`, as it stands in the repository.",
        "El archivo `{path}`, tal como está en el repositorio.",
    ),
    "site.or": ("or", "o"),
    # ---- the catalogue of faults ------------------------------------------------------------------
    "site.faults.title": ("The catalogue of faults", "El catálogo de fallos"),
    "site.faults.about": (
        "{count} bugs of backward passes, by what they teach. Each has a page: the change that makes it, "
        "the smallest graph that shows it, what comes out in every order, where it hides, and what else "
        "gives the same numbers. **Seen** is how many of {engines} public engines that were read have a "
        "bug of this kind; **noticed in training** is the first step at which the loss of a small "
        "classifier gives it away.",
        "{count} fallos de la pasada hacia atrás, ordenados por lo que enseñan. Cada uno tiene su página: el "
        "cambio que lo produce, el grafo más pequeño que lo muestra, lo que sale en cada orden, dónde se "
        "esconde y qué otros fallos dan los mismos números. **Vistos** indica cuántos de los {engines} "
        "motores públicos que se leyeron tienen un fallo de este tipo; **se nota al entrenar** es el "
        "primer paso en que la pérdida de un clasificador pequeño lo delata.",
    ),
    "site.faults.fault": ("fault", "fallo"),
    "site.faults.wrong": ("what is wrong", "qué está mal"),
    "site.faults.seen": ("seen", "vistos"),
    "site.faults.hides": ("noticed in training", "se nota al entrenar"),
    "site.faults.fact": ("fact", "dato"),
    "site.faults.value": ("value", "valor"),
    "site.faults.change": ("The change", "El cambio"),
    "site.faults.change.about": (
        "In a small engine that is right as it stands, this is the whole bug:",
        "En un motor pequeño que tal como está es correcto, el fallo entero es este:",
    ),
    "site.faults.graph": ("The smallest graph that shows it", "El grafo más pequeño que lo muestra"),
    "site.faults.right": ("a right pass", "una pasada correcta"),
    "site.faults.broken": (
        "the broken pass, newest node first",
        "la pasada rota, del nodo más nuevo al más antiguo",
    ),
    "site.faults.piece": ("piece of the pass that is swapped", "pieza del paso que se cambia"),
    "site.faults.variants": ("variants on this graph", "variantes en este grafo"),
    "site.faults.ordered": ("do the numbers depend on the order?", "¿dependen los números del orden?"),
    "site.faults.ordered.yes": ("yes: see the table below", "sí: véase la tabla de abajo"),
    "site.faults.ordered.no": (
        "no: every valid order gives the same",
        "no: todos los órdenes válidos dan lo mismo",
    ),
    "site.faults.passes": ("passes until it shows", "pasos hasta que se nota"),
    "site.faults.engines": (
        "public engines with a bug of this kind",
        "motores públicos con un fallo de este tipo",
    ),
    "site.faults.of": ("{count} of {all}", "{count} de {all}"),
    "site.faults.case": ("public case", "caso público"),
    "site.faults.numbers": ("What comes out", "Lo que sale"),
    "site.faults.order": ("order", "orden"),
    "site.faults.orders": ("{count} orders", "{count} órdenes"),
    "site.faults.bold": (
        "An order names the op nodes as they have their turns. What is wrong is bold.",
        "Un orden nombra los nodos de operación según les toca el turno. Lo incorrecto va en negrita.",
    ),
    "site.faults.larger": (
        "Where the order decides: a graph with several valid orders",
        "Donde decide el orden: un grafo con varios órdenes válidos",
    ),
    "site.faults.training": ("In training", "En el entrenamiento"),
    "site.faults.training.about": (
        "The same run of {steps} steps on two moons, once with a right pass and once with this bug. The "
        "angle is the one between the two gradients.",
        "El mismo entrenamiento de {steps} pasos con dos medias lunas, una vez con la pasada correcta y otra "
        "con este fallo. El ángulo es el que forman los dos gradientes.",
    ),
    "site.faults.run": ("run", "ejecución"),
    "site.faults.loss": ("loss, broken and right", "pérdida, con el fallo y correcta"),
    "site.faults.accuracy": ("accuracy, broken and right", "exactitud, con el fallo y correcta"),
    "site.faults.angle": ("angle", "ángulo"),
    "site.faults.find": ("Try it, and find it", "Probarlo y encontrarlo"),
    "site.faults.twins": (
        "No number tells it from {slugs}: the same bug, written another way.",
        "Ningún número lo distingue de {slugs}: es el mismo fallo, escrito de otro modo.",
    ),
    "site.faults.alone": (
        "No other fault of the catalogue gives these numbers on this graph.",
        "Ningún otro fallo del catálogo da estos números en este grafo.",
    ),
    "site.faults.alike": (
        "These faults give the same numbers on this graph, in some order:",
        "Estos fallos dan los mismos números en este grafo, en algún orden:",
    ),
    "site.faults.apart": (
        "To tell the likeliest of them apart, run {expression} with {inputs}:",
        "Para distinguir los más probables, ejecute {expression} con {inputs}:",
    ),
    "site.faults.gradients": ("gradients", "gradientes"),
    # ---- the table of ops -------------------------------------------------------------------------
    "site.ops.title": ("The table of ops", "La tabla de operaciones"),
    "site.ops.about": (
        "{count} primitives. Every number here is computed from the table that the engine itself uses. An "
        "ulp is one unit in the last place of the exact answer.",
        "{count} operaciones primitivas. Cada número de esta página se calcula con la tabla que usa el "
        "propio motor. Un ulp es una unidad en la última cifra de la respuesta exacta.",
    ),
    "site.ops.op": ("op", "operación"),
    "site.ops.written": ("written", "se escribe"),
    "site.ops.rule": ("local rule", "regla local"),
    "site.ops.each": ("One by one", "Una por una"),
    "site.ops.what": ("what", "qué"),
    "site.ops.holds": ("holds", "vale"),
    "site.ops.accuracy": ("accuracy", "exactitud"),
    "site.ops.ulp": (
        "at most {value} ulp in the value, {partial} in a derivative",
        "a lo sumo {value} ulp en el valor y {partial} en una derivada",
    ),
    "site.ops.elsewhere": ("in other libraries", "en otras bibliotecas"),
    "site.ops.at": ("at {point}", "en {point}"),
    "site.ops.convention": ("by convention, at {point}", "por convención, en {point}"),
    "site.ops.values": (
        "value {value}, local derivatives {partials}",
        "valor {value}, derivadas locales {partials}",
    ),
    # ---- the reference ----------------------------------------------------------------------------
    "site.reference.title": ("Reference", "Referencia"),
    "site.reference.about": (
        "Every public name, with its signature and what the program says about it.",
        "Cada nombre público, con su firma y lo que el propio programa dice de él.",
    ),
    "site.reference.room": ("room", "sala"),
    "site.reference.what": ("what it is", "qué es"),
    "site.reference.name": ("name", "nombre"),
    "site.reference.names": (
        "What `from minigrad import` gives",
        "Lo que da `from minigrad import`",
    ),
    "site.reference.also": ("It also has {names}.", "También tiene {names}."),
    "site.reference.ops": ("Ops", "Operaciones"),
    "site.reference.ops.about": (
        "Each is a row of the [table of ops](../ops.md), which has its accuracy and its conventions.",
        "Cada una es una fila de la [tabla de operaciones](../ops.md), que da su exactitud y sus "
        "convenciones.",
    ),
    "site.commands.title": ("The command line", "La línea de comandos"),
    "site.commands.about": (
        "Every command, with what its `--help` prints.",
        "Cada comando, con lo que imprime su `--help`.",
    ),
    # ---- the course -------------------------------------------------------------------------------
    "site.course": ("The course", "El curso"),
    "site.course.about": (
        "Eight short units, from what a gradient is to a small language model. Each has a graph that "
        "plays, a lab in which something is broken on purpose, and a checkpoint: predict first, then look. "
        "The same units run in a terminal with `minigrad learn`, as notebooks and in `minigrad studio`.",
        "Ocho unidades breves, desde qué es un gradiente hasta un pequeño modelo de lenguaje. Cada una "
        "tiene un grafo que se reproduce, un laboratorio en el que se rompe algo a propósito y un punto de "
        "control: primero prediga, después mire. Las mismas unidades están en la terminal con `minigrad "
        "learn --lang es`, como cuadernos y en `minigrad studio`.",
    ),
    "site.course.unit": ("unit", "unidad"),
    "site.course.title": ("title", "título"),
    "site.course.idea": ("the idea", "la idea"),
    "site.course.minutes": ("minutes", "minutos"),
    "site.course.player": (
        "The pass over this graph, to play",
        "La pasada por este grafo, para reproducirlo",
    ),
    "site.course.player.both": (
        "The right pass and the broken one, side by side",
        "La pasada correcta y la rota, una junto a otra",
    ),
    "site.course.alone": ("open it alone", "abrirlo aparte"),
    "site.course.resume": (
        "In a terminal this unit is {command}: there every answer is judged and your progress is kept.",
        "En la terminal, esta unidad es {command}: allí se juzga cada respuesta y se guarda su progreso.",
    ),
}
