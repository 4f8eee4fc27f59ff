"""Sentences of `minigrad grade`: marks, what a teacher should know about them, feedback for a learner."""

ROWS: dict[str, tuple[str, str]] = {
    # ---- marks --------------------------------------------------------------------------------------
    "classroom.column.name": ("name", "nombre"),
    "classroom.column.points": ("points", "puntos"),
    "classroom.column.id": ("id", "identificador"),
    "classroom.column.file": ("file", "archivo"),
    "classroom.column.state": ("state", "estado"),
    "classroom.column.of": ("of", "de"),
    "classroom.column.engine": ("engine", "motor"),
    "classroom.column.engine_points": ("engine points", "puntos del motor"),
    "classroom.column.notices": ("notices", "avisos"),
    "classroom.graded": ("graded", "calificada"),
    "classroom.verdict.correct": ("correct", "correcto"),
    "classroom.verdict.wrong": ("wrong", "incorrecto"),
    "classroom.verdict.limited": ("limited", "limitado"),
    "classroom.verdict.not_examined": ("not examined", "sin examinar"),
    "classroom.section.units": ("How the units went", "Cómo fueron las unidades"),
    "classroom.percent": ("{percent}% right", "{percent} % de aciertos"),
    "classroom.repeat": (
        "To be repeated: unit {number}, {title}. Not right are {count} of its {all} answers; minigrad learn "
        "{number} opens it.",
        "Para repasar: la unidad {number}, {title}. De sus {all} respuestas, {count} no son correctas; "
        "minigrad learn {number} la abre.",
    ),
    "classroom.repeat.none": (
        "No unit needs to be repeated; the weakest is unit {number}, {title}, with {count} of {all} answers "
        "not right.",
        "No hace falta repasar ninguna unidad; la más floja es la {number}, {title}, con {count} de {all} "
        "respuestas sin acertar.",
    ),
    "classroom.missing": ("no sheet", "sin hoja"),
    "classroom.legend": (
        "1 right, 0 wrong, - empty, ? could not be read",
        "1 correcta, 0 incorrecta, - vacía, ? no se pudo leer",
    ),
    "classroom.summary": (
        "sheets that came back: {back} of {all}; points on average: {mean} of {of}",
        "hojas entregadas: {back} de {all}; puntos en promedio: {mean} de {of}",
    ),
    "classroom.summary.none": (
        "none of the {all} sheets has come back with an answer in it",
        "ninguna de las {all} hojas ha vuelto con una respuesta",
    ),
    "classroom.section.most": ("What went wrong most", "Lo que más falló"),
    "classroom.section.engines": ("Engines", "Motores"),
    "classroom.section.look": ("Worth a look", "Conviene mirar"),
    "classroom.section.aside": ("Not graded", "Sin calificar"),
    "classroom.hardest": (
        "question {number} ({kind}): {count} of {all} not right",
        "pregunta {number} ({kind}): {count} de {all} sin acertar",
    ),
    "classroom.mistake": (
        "answers as by {fault} ({name}): {count}",
        "respuestas como las que da {fault} ({name}): {count}",
    ),
    "classroom.all_right": ("nothing: every answer is right", "nada: todas las respuestas son correctas"),
    "classroom.engine": (
        "{name}: {headline} Points: {points}",
        "{name}: {headline} Puntos: {points}",
    ),
    "classroom.missing.names": ("no sheet came back from {names}", "no entregaron su hoja: {names}"),
    "classroom.blank": (
        "sheets with nothing filled in, which were left alone: {count}",
        "hojas sin rellenar, que no se tocaron: {count}",
    ),
    "classroom.neighbour": (
        "{name}: what is wrong would be right on the sheet of {other}; questions: {questions}",
        "{name}: lo que está mal estaría bien en la hoja de {other}; preguntas: {questions}",
    ),
    "classroom.notice.changed": (
        "changed text, questions: {questions}; what was handed out is what was graded",
        "texto cambiado, preguntas: {questions}; se calificó lo que se repartió",
    ),
    "classroom.notice.late": ("late: {when}", "con retraso: {when}"),
    "classroom.notice.named": (
        "the file {file} is named after {name}",
        "el archivo {file} lleva el nombre de {name}",
    ),
    "classroom.notice.doubled": (
        "handed in more than once; {chosen} is the latest and counts (points of {file}: {points})",
        "entregada más de una vez; {chosen} es la última y cuenta (puntos de {file}: {points})",
    ),
    "classroom.notice.unclear": (
        "{file} and {chosen} have the same code, and neither is named after the learner; {chosen} counts, as "
        "none has more points (points of {file}: {points}); check both by hand",
        "{file} y {chosen} tienen el mismo código, y ninguno lleva el nombre del alumno; cuenta {chosen}, "
        "porque ninguno tiene más puntos (puntos de {file}: {points}); revise los dos a mano",
    ),
    "classroom.notice.other": (
        "{file} and {chosen} have the same code; {chosen} is named after the learner and counts (points of "
        "{file}: {points}); check both by hand",
        "{file} y {chosen} tienen el mismo código; {chosen} lleva el nombre del alumno y cuenta (puntos de "
        "{file}: {points}); revise los dos a mano",
    ),
    "classroom.notice.borrowed": (
        "{file} was handed in with the code of {name}, whose own file is {chosen}; it counts for nobody, "
        "check both by hand",
        "{file} se entregó con el código de {name}, cuyo archivo es {chosen}; no cuenta para nadie, revise "
        "los dos a mano",
    ),
    "classroom.notice.borrowed.alone": (
        "{file} was handed in with the code of {name}, and counts there; check it by hand",
        "{file} se entregó con el código de {name}, y cuenta allí; revíselo a mano",
    ),
    "classroom.notice.borrowed.engine": (
        "{file} is an engine with the code of {name}; it counts for nobody, check it by hand",
        "{file} es un motor con el código de {name}; no cuenta para nadie, revíselo a mano",
    ),
    "classroom.notice.unnamed.engine": (
        "{file} counts as this learner's engine only because it carries the code of their sheet; the file is "
        "named after nobody: ask whose it is",
        "{file} cuenta como motor de este alumno solo porque lleva el código de su hoja; el archivo no lleva "
        "el nombre de nadie: pregunte de quién es",
    ),
    "classroom.notice.engines": (
        "{file} is a second engine; {chosen} counts, check both by hand",
        "{file} es un segundo motor; cuenta {chosen}, revise los dos a mano",
    ),
    "classroom.notice.aside": ("{file} was not graded: {why}", "{file} quedó sin calificar: {why}"),
    "classroom.failed": (
        "could not be examined: {why}; check it by hand",
        "no se pudo examinar: {why}; revíselo a mano",
    ),
    "classroom.engine.large": (
        "{file} has more than {most} kB of code, which is too much for an engine to be graded",
        "{file} tiene más de {most} kB de código, demasiado para un motor que se califica",
    ),
    "classroom.engine.many": (
        "{file} has more than {most} files, which is too many for an engine to be graded",
        "{file} tiene más de {most} archivos, demasiados para un motor que se califica",
    ),
    "classroom.engine.look": ("check this by hand: {why}", "revíselo a mano: {why}"),
    "classroom.aside.interrupted": (
        "grading was interrupted before it was examined",
        "la calificación se interrumpió antes de examinarlo",
    ),
    "classroom.aside.many": (
        "more than {most} files lie in this folder; files that were left unread: {count}",
        "en esta carpeta hay más de {most} archivos; archivos que quedaron sin leer: {count}",
    ),
    "classroom.aside.special": (
        "it is no plain file, but a link, a pipe or a device",
        "no es un archivo normal, sino un enlace, una tubería o un dispositivo",
    ),
    "classroom.notice.twice": (
        "two different answers in one blank, questions: {questions}; no points",
        "dos respuestas distintas en un mismo hueco, preguntas: {questions}; sin puntos",
    ),
    "classroom.aside.large": ("too large for a sheet", "demasiado grande para ser una hoja"),
    "classroom.aside.unread": (
        "damaged, or no sheet; ask for it again",
        "dañado, o no es una hoja; pídala de nuevo",
    ),
    "classroom.aside.several": (
        "it holds the codes of several sheets: {names}",
        "contiene los códigos de varias hojas: {names}",
    ),
    "classroom.aside.stranger": (
        "the sheet {code} is of another class, or its code was changed",
        "la hoja {code} es de otra clase, o se cambió su código",
    ),
    "classroom.aside.none": ("it holds no code of a sheet", "no contiene el código de ninguna hoja"),
    "classroom.kind.gradient": ("gradients", "gradientes"),
    "classroom.kind.turns": ("valid orders", "órdenes válidos"),
    "classroom.kind.data": ("forward values", "valores hacia delante"),
    "classroom.kind.running": ("a running total", "un total parcial"),
    "classroom.kind.order": ("a broken pass in an order", "una pasada rota en un orden"),
    "classroom.kind.lost": ("the lost branch", "la rama perdida"),
    "classroom.kind.bug": ("which bug", "qué fallo"),
    "classroom.kind.rule": ("a local rule", "una regla local"),
    "classroom.kind.expose": ("a graph that exposes a bug", "un grafo que delata un fallo"),
    "classroom.kind.leverage": ("which input moves the output most", "qué entrada mueve más la salida"),
    "classroom.kind.difference": ("a central difference", "una diferencia central"),
    "classroom.mark.empty": ("There is no answer.", "No hay respuesta."),
    "classroom.mark.twice": (
        "There are two different answers in one blank, so neither counts.",
        "Hay dos respuestas distintas en un mismo hueco, así que no cuenta ninguna.",
    ),
    "classroom.mark.long": (
        "This answer is too long to be one.",
        "Esto es demasiado largo para ser una respuesta.",
    ),
    # ---- feedback -----------------------------------------------------------------------------------
    "classroom.feedback.head": ("{name}: {points} of {of} points", "{name}: {points} de {of} puntos"),
    "classroom.status.right": ("right", "correcta"),
    "classroom.status.wrong": ("not right", "incorrecta"),
    "classroom.status.unread": ("could not be read", "no se pudo leer"),
    "classroom.status.empty": ("empty", "vacía"),
    "classroom.status.twice": ("answered twice", "respondida dos veces"),
    "classroom.feedback.answer": ("Your answer: {answer}", "Su respuesta: {answer}"),
    "classroom.feedback.right": ("Right is {answer}.", "Lo correcto es {answer}."),
    "classroom.feedback.again": ("What to look at again", "Qué conviene repasar"),
    "classroom.feedback.unit": (
        "unit {number}, {title}: {command}",
        "unidad {number}, {title}: {command}",
    ),
}
