"""Sentences of `minigrad learn` in the terminal: contents, progress, what comes next; the progress file."""

ROWS: dict[str, tuple[str, str]] = {
    # ---- the beginning ----------------------------------------------------------------------------
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
        "Intro para seguir, b para volver, q para salir, ? para la ayuda:",
    ),
    "learn.keys.narrow": ("Enter, b, q or ?:", "Intro, b, q o ?:"),
    "learn.keys.series": ("Enter goes on, q stops:", "Intro para seguir, q para salir:"),
    "learn.keys.help": (
        "Press Enter to go on, b and Enter for the screen before, q and Enter to stop. What you have "
        "answered is kept, and minigrad learn goes on at this place.",
        "Pulse Intro para seguir, b e Intro para la pantalla anterior, q e Intro para salir. Lo que ha "
        "respondido queda guardado, y minigrad learn sigue en este lugar.",
    ),
    "learn.picture.drawn": (
        "A terminal shows this picture as text. minigrad learn UNIT --out unit.html has the drawing itself.",
        "Un terminal muestra esta imagen como texto. El dibujo está en minigrad learn UNIDAD --out "
        "unidad.html.",
    ),
    "learn.guess": ("Your answer (Enter without one goes on):", "Su respuesta (Intro sin ella, sigue):"),
    "learn.guessed": ("You said: {guess}. Compare:", "Usted dijo: {guess}. Compare:"),
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
    # ---- what is mastered ----------------------------------------------------------------------------
    "learn.skill.title": (
        "You master {count} of {total} kinds of questions",
        "Domina {count} de {total} tipos de preguntas",
    ),
    "learn.skill.mastered": ("mastered", "dominado"),
    "learn.skill.practised": ("level {level} of 3", "nivel {level} de 3"),
    "learn.skill.new": ("not asked yet", "aún sin preguntar"),
    "learn.skill.returns": ("comes back {when}", "volverá {when}"),
    "learn.skill.marks": (
        "In front, the unit that teaches it; + right and - wrong at the first try, the last answer at the "
        "end. Two right in a row lead to the next level, two wrong to the one before.",
        "Delante, la unidad que lo enseña; + bien y - mal al primer intento, la última respuesta al final. "
        "Dos bien seguidas suben un nivel; dos mal seguidas lo bajan.",
    ),
    "learn.advice.due": (
        "Next: minigrad learn --review. To be repeated today: {count}.",
        "Lo siguiente: minigrad learn --review. Para repasar hoy: {count}.",
    ),
    "learn.advice.kind": (
        "Next: minigrad learn --practice {slug}. Of late, {kind} went wrong more often than the rest.",
        "Lo siguiente: minigrad learn --practice {slug}. Últimamente es lo que más ha fallado: {kind}.",
    ),
    "learn.advice.unit": (
        "Next: minigrad learn {number}, the first unit that is not done.",
        "Lo siguiente: minigrad learn {number}, la primera unidad sin terminar.",
    ),
    "learn.advice.practice": (
        "Next: minigrad learn --practice, which asks what you do not master yet.",
        "Lo siguiente: minigrad learn --practice, que pregunta lo que aún no domina.",
    ),
    "learn.advice.all": (
        "Nothing is left that you do not master; minigrad learn --practice keeps it fresh.",
        "No queda nada que no domine; minigrad learn --practice lo mantiene fresco.",
    ),
    "learn.kind.gradient": ("gradients by hand", "gradientes a mano"),
    "learn.kind.data": ("the forward pass", "la pasada hacia delante"),
    "learn.kind.running": ("a running total", "un total parcial"),
    "learn.kind.order": ("a broken pass in a given order", "una pasada rota en un orden dado"),
    "learn.kind.lost": ("which contribution was lost", "qué contribución se perdió"),
    "learn.kind.bug": ("which bug it was", "qué fallo fue"),
    "learn.kind.rule": ("a local rule", "una regla local"),
    "learn.kind.expose": ("a graph that exposes a bug", "un grafo que delata un fallo"),
    "learn.kind.leverage": ("which input moves the output most", "qué entrada mueve más la salida"),
    "learn.kind.turns": ("a valid order", "un orden válido"),
    "learn.kind.difference": ("a central difference", "una diferencia central"),
    # ---- the progress file ----------------------------------------------------------------------------
    "keeping.home": (
        "there is no home folder in which progress could be kept; write --progress FILE.json",
        "no hay carpeta personal en la que guardar el progreso; escriba --progress ARCHIVO.json",
    ),
    "keeping.file": (
        "{path} is not a file, so no progress can be kept there; write --progress FILE.json",
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
    "lab.predict.title": ("Your prediction", "Su predicción"),
    "lab.predict.order": (
        "The pass walks {order}; other orders are shown afterwards.",
        "La pasada recorre {order}; los demás órdenes se muestran después.",
    ),
    "lab.predict.ask": (
        "What will the broken pass give? (Enter skips one)",
        "¿Qué dará la pasada rota? (Intro omite una)",
    ),
    "lab.predict.number": (
        "{given} is not a number; write -6, 0.5 or 1/3, or press Enter to skip",
        "{given} no es un número; escriba -6, 0.5 o 1/3, o pulse Intro para omitirla",
    ),
}
