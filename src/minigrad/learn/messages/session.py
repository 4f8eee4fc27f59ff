"""Sentences of `minigrad learn` in the terminal: contents, progress, what comes next; the progress file."""

ROWS: dict[str, tuple[str, str]] = {
    # ---- the beginning ----------------------------------------------------------------------------
    "learn.title": ("minigrad learn", "minigrad learn: el curso"),
    "learn.welcome": (
        "Short units, each with one idea, one graph that is computed as you read, one bug to predict and a "
        "checkpoint.",
        "Unidades breves: cada una con una idea, un grafo que se calcula mientras usted lee, un fallo que "
        "predecir y un punto de control.",
    ),
    "learn.welcome.keys": (
        "You can stop at any moment with q; minigrad learn goes on where you stopped.",
        "Puede dejarlo en cualquier momento con q; minigrad learn sigue donde lo dejó.",
    ),
    "learn.begin": ("Enter begins with unit 1, q stops:", "Intro empieza con la unidad 1, q sale:"),
    "learn.due": (
        "To be repeated today: {count}. minigrad learn --review asks.",
        "Para repasar hoy: {count}. minigrad learn --review lo pregunta.",
    ),
    "learn.unit.title": ("Unit {number}: {title}", "Unidad {number}: {title}"),
    "learn.unit.minutes": ("{count} min", "unos {count} min"),
    "learn.state.done": ("done", "terminada"),
    "learn.state.begun": ("begun", "empezada"),
    "learn.state.due": ("{count} to repeat", "{count} por repasar"),
    "learn.going_on": (
        "Going on with unit {number}, {title}, where you stopped.",
        "Continúa la unidad {number}, {title}, donde la dejó.",
    ),
    # ---- keys -------------------------------------------------------------------------------------
    "learn.keys": (
        "Enter goes on, b goes back, q stops, ? helps:",
        "Intro sigue, b vuelve, q sale, ? ayuda:",
    ),
    "learn.keys.narrow": ("Enter, b, q or ?:", "Intro, b, q o ?:"),
    "learn.keys.series": ("Enter goes on, q stops:", "Intro sigue, q sale:"),
    "learn.keys.help": (
        "Press Enter to go on, b and Enter for the screen before, q and Enter to stop. What you have "
        "answered is kept, and minigrad learn goes on at this place.",
        "Pulse Intro para seguir, b e Intro para la pantalla anterior, q e Intro para salir. Lo que ha "
        "respondido queda guardado, y minigrad learn sigue en este lugar.",
    ),
    "learn.more": ("Enter shows the rest:", "Intro muestra el resto:"),
    # ---- questions ----------------------------------------------------------------------------------
    "learn.question.number": ("Question {number} of {count}", "Pregunta {number} de {count}"),
    "learn.question.keys": (
        "r reveals the answer, s skips the question, q stops, ? helps",
        "r revela la respuesta, s salta la pregunta, q sale, ? ayuda",
    ),
    "learn.question.help": (
        "Write the answer as in {example} and press Enter; several blanks can be filled one by one or on one "
        "line. r reveals the answer, s skips the question, q stops; where such a letter is an "
        "answer, write :r, :s or :q.",
        "Escriba la respuesta como en {example} y pulse Intro; varios huecos se rellenan uno a uno o en una "
        "sola línea. r revela la respuesta, s salta la pregunta, q sale; si esa letra es una "
        "respuesta, escriba :r, :s o :q.",
    ),
    "learn.question.blanks": (
        "It is not clear which number belongs where; write {example}",
        "No está claro qué número va en cada lugar; escriba {example}",
    ),
    "learn.question.empty": (
        "Write an answer, such as {example}, or one of r, s, q, ?",
        "Escriba una respuesta, como {example}, o bien r, s, q o ?",
    ),
    "learn.question.again": (
        "Try again; r reveals, s skips.",
        "Inténtelo de nuevo; r revela, s salta.",
    ),
    "learn.question.skipped": ("Skipped.", "Se salta la pregunta."),
    "learn.blank.choice": ("your choice: ", "su elección: "),
    "learn.blank.expression": ("your answer: ", "su respuesta: "),
    "learn.wrong": ("Not right.", "No es correcto."),
    "learn.reveal": ("The answer, and why", "La respuesta y su porqué"),
    # ---- the end of a unit ------------------------------------------------------------------------
    "learn.done": ("Unit {number}, {title}: done", "Unidad {number}, {title}: terminada"),
    "learn.outcome.right": ("right at the first try: {count}", "correctas al primer intento: {count}"),
    "learn.outcome.later": ("right at a later try: {count}", "correctas en un intento posterior: {count}"),
    "learn.outcome.revealed": ("revealed: {count}", "reveladas: {count}"),
    "learn.outcome.skipped": ("skipped: {count}", "saltadas: {count}"),
    "learn.comes_back": ("comes back {when}: {what}", "volverá {when}: {what}"),
    "learn.when.today": ("today", "hoy"),
    "learn.when.tomorrow": ("tomorrow", "mañana"),
    "learn.when.days": ("in {count} days", "dentro de {count} días"),
    "learn.item": ("{kind} (your mistake: {fault})", "{kind} (su error: {fault})"),
    "learn.next": ("Next is unit {number}: {title}.", "La siguiente es la unidad {number}: {title}."),
    "learn.next.ask": ("Enter begins it, q stops:", "Intro la empieza, q sale:"),
    "learn.all_done": (
        "That was the whole course. minigrad learn --practice asks more, minigrad learn --review repeats "
        "what went wrong, and minigrad learn 1 shows a unit again.",
        "Con esto termina el curso. minigrad learn --practice pregunta más, minigrad learn --review repasa "
        "lo que salió mal, y minigrad learn 1 muestra de nuevo una unidad.",
    ),
    "learn.stopped": (
        "Stopped; what you answered is kept. To go on: {command}",
        "Hasta aquí por ahora; lo que respondió queda guardado. Para seguir: {command}",
    ),
    "learn.not_kept": (
        "Not everything of this session could be written to {path}. Answers that are not kept: {count}.",
        "No todo lo de esta sesión se pudo escribir en {path}. Respuestas sin guardar: {count}.",
    ),
    # ---- repetition and practice ----------------------------------------------------------------------
    "learn.review": (
        "To be repeated today: {count}, with other numbers.",
        "Para repasar hoy: {count}, con otros números.",
    ),
    "learn.review.nothing": ("Nothing is to be repeated today.", "Hoy no hay nada que repasar."),
    "learn.review.never": (
        "Nothing is to be repeated: what you answer wrongly in a checkpoint comes back here.",
        "No hay nada que repasar: lo que responda mal en un punto de control volverá aquí.",
    ),
    "learn.kind.gradient": ("gradients by hand", "gradientes a mano"),
    "learn.kind.data": ("the forward pass", "el paso hacia delante"),
    "learn.kind.running": ("a running total", "un total parcial"),
    "learn.kind.order": ("a broken pass in a given order", "un paso roto en un orden dado"),
    "learn.kind.lost": ("which contribution was lost", "qué contribución se perdió"),
    "learn.kind.bug": ("which bug it was", "qué fallo fue"),
    "learn.kind.rule": ("a local rule", "una regla local"),
    "learn.kind.expose": ("a graph that exposes a bug", "un grafo que delata un fallo"),
    "learn.kind.leverage": ("which input moves the output most", "qué entrada mueve más la salida"),
    "learn.kind.difference": ("a central difference", "una diferencia central"),
    # ---- the progress file ----------------------------------------------------------------------------
    "keeping.home": (
        "there is no home folder in which progress could be kept; write --progress FILE.json",
        "no hay carpeta personal en la que guardar el progreso; escriba --progress ARCHIVO.json",
    ),
    "keeping.file": (
        "{path} is no file, so no progress can be kept there; write --progress FILE.json",
        "{path} no es un archivo, así que no puede guardar el progreso; escriba --progress ARCHIVO.json",
    ),
    "keeping.unread": (
        "The progress file {path} cannot be read ({why}); it is left as it is, and this session is not kept.",
        "El archivo de progreso {path} no se puede leer ({why}); queda como está y esta sesión no se guarda.",
    ),
    "keeping.unwritten": (
        "Your progress cannot be written to {path} just now ({why}). You can go on; it is tried again with "
        "each answer.",
        "Su progreso no se puede escribir en {path} por ahora ({why}). Puede seguir; se intenta de nuevo con "
        "cada respuesta.",
    ),
    "keeping.busy": (
        "Another program holds {path}; your answers wait here and are written as soon as it lets go.",
        "Otro programa retiene {path}; sus respuestas esperan aquí y se escriben en cuanto lo suelte.",
    ),
    "keeping.damage.broken": (
        "The progress file {path} was damaged. It is set aside as {aside}, unchanged.",
        "El archivo de progreso {path} estaba dañado. Queda aparte como {aside}, sin cambios.",
    ),
    "keeping.damage.rows": (
        "Some entries of {path} are not as they should be. The file is set aside as {aside}, unchanged.",
        "Algunas entradas de {path} no son como deberían. El archivo queda aparte como {aside}, sin cambios.",
    ),
    "keeping.damage.foreign": (
        "{path} is no progress file of minigrad. It is set aside as {aside}, unchanged.",
        "{path} no es un archivo de progreso de minigrad. Queda aparte como {aside}, sin cambios.",
    ),
    "keeping.damage.newer": (
        "{path} was written by another version of minigrad. It is set aside as {aside}, unchanged.",
        "{path} lo escribió otra versión de minigrad. Queda aparte como {aside}, sin cambios.",
    ),
    "keeping.damage.huge": (
        "{path} is far too large for a progress file. It is set aside as {aside}, unchanged.",
        "{path} es demasiado grande para ser un archivo de progreso. Queda aparte como {aside}, sin cambios.",
    ),
    "keeping.rescued": (
        "Answers that could be read, and are kept: {count}.",
        "Respuestas que se pudieron leer y se conservan: {count}.",
    ),
    "keeping.rescued.none": (
        "No answer in it could be read; a new file is begun.",
        "No se pudo leer ninguna respuesta; se empieza un archivo nuevo.",
    ),
    # ---- what was typed ---------------------------------------------------------------------------------
    "usage.learn.words": (
        "{given} is too much; write one unit, as in minigrad learn diamonds",
        "{given} está de más; escriba una unidad, como en minigrad learn diamonds",
    ),
    "usage.learn.practice": (
        "{given} goes with --practice, as in minigrad learn --practice gradient --level 2",
        "{given} va con --practice, como en minigrad learn --practice gradient --level 2",
    ),
    "usage.learn.class": (
        "{given} goes with --class or --handout, as in minigrad learn --class names.txt --out sheets",
        "{given} va con --class o --handout, como en minigrad learn --class nombres.txt --out hojas",
    ),
    "usage.learn.kind": (
        "there are no questions of the kind {given}; the kinds are {known}",
        "no hay preguntas del tipo {given}; los tipos son {known}",
    ),
    "usage.learn.out": (
        "--out writes one unit, and none was named; write minigrad learn diamonds --out diamonds.md",
        "--out escribe una unidad, y no se nombró ninguna; escriba minigrad learn diamonds --out diamonds.md",
    ),
    "help.learn": (
        "minigrad learn [UNIT] [options]\n"
        "\n"
        "The course: eight short units with labs and checkpoints, from data and grad to\n"
        "a small GPT.  It goes on where you stopped; UNIT is a number or a name:\n"
        "  minigrad learn\n"
        "  minigrad learn diamonds\n"
        "\n"
        "  --list            the contents, with what is done, begun and due\n"
        "  --review          what went wrong comes back after 1, 3, 7, 16 and 35 days\n"
        "  --practice [KIND] questions with fresh numbers; --level 1..3, --questions N\n"
        "  --seed N          other numbers in generated questions\n"
        "  --restart         the unit from its beginning; answers are kept\n"
        "  --progress FILE   where progress is kept (or set MINIGRAD_PROGRESS)\n"
        "  --out FILE        write a unit to FILE.md, .html, .ipynb or .py\n"
        "  --lang en|es      the language\n"
        "\n"
        "Answers can come from a file: minigrad learn 1 < answers.txt\n"
        "For teachers (minigrad grade --help says more):\n"
        "  minigrad learn --class names.txt --out sheets     a sheet for each, and a key\n"
        "  minigrad learn --handout overwrite --out lab.md   a bug, on paper",
        "minigrad learn [UNIDAD] [opciones]\n"
        "\n"
        "El curso: ocho unidades breves con laboratorios y puntos de control, de data y\n"
        "grad a un GPT pequeño.  Sigue donde lo dejó; UNIDAD es un número o un nombre:\n"
        "  minigrad learn\n"
        "  minigrad learn diamonds\n"
        "\n"
        "  --list              el contenido: lo terminado, lo empezado y lo pendiente\n"
        "  --review            lo que salió mal vuelve a los 1, 3, 7, 16 y 35 días\n"
        "  --practice [TIPO]   preguntas con números nuevos; --level 1..3, --questions N\n"
        "  --seed N            otros números en las preguntas generadas\n"
        "  --restart           la unidad desde el principio; se conserva lo respondido\n"
        "  --progress ARCHIVO  dónde se guarda el progreso (o defina MINIGRAD_PROGRESS)\n"
        "  --out ARCHIVO       escribe una unidad en ARCHIVO.md, .html, .ipynb o .py\n"
        "  --lang en|es        el idioma\n"
        "\n"
        "Las respuestas pueden venir de un archivo: minigrad learn 1 < respuestas.txt\n"
        "Para docentes (minigrad grade --help dice más):\n"
        "  minigrad learn --class nombres.txt --out hojas    hojas, y su solucionario\n"
        "  minigrad learn --handout overwrite --out lab.md   un fallo, en papel",
    ),
}
