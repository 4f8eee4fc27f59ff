"""Sentences of the studio's second page, which shows the lessons."""

ROWS: dict[str, tuple[str, str]] = {
    "study.title": ("minigrad lessons", "minigrad, las lecciones"),
    "study.name": ("lessons", "lecciones"),
    "study.skip": ("Skip to the unit", "Saltar a la unidad"),
    "study.studio": ("Studio", "Estudio"),
    "study.studio.title": ("Write statements of your own", "Escriba sus propias instrucciones"),
    # ---- contents -----------------------------------------------------------------------------------
    "study.contents": ("Contents", "Contenido"),
    "study.progress": ("Units done", "Unidades terminadas"),
    "study.done": ("{done} of {all} units done", "{done} de {all} unidades terminadas"),
    "study.state.new": ("not begun", "sin empezar"),
    "study.state.begun": ("begun", "empezada"),
    "study.state.done": ("done", "terminada"),
    "study.due": ("Due for repetition: {count}", "Para repasar hoy: {count}"),
    "study.due.none": ("Nothing is due for repetition today.", "Hoy no hay nada que repasar."),
    "study.review": ("Repetition", "Repaso"),
    "study.review.why": (
        "What went wrong before comes back, with other numbers, until it goes right.",
        "Lo que antes salió mal vuelve, con otros números, hasta que salga bien.",
    ),
    "study.unkept": (
        "What you do here cannot be kept at the moment: the progress file could not be written.",
        "Lo que haga aquí no se puede guardar por ahora: no se pudo escribir el archivo de progreso.",
    ),
    # ---- a unit -------------------------------------------------------------------------------------
    "study.about": (
        "Unit {number} of {all}, about {minutes} minutes",
        "Unidad {number} de {all}, unos {minutes} minutos",
    ),
    "study.back": ("Back: {title}", "Anterior: {title}"),
    "study.next": ("Next: {title}", "Siguiente: {title}"),
    "study.unit.done": (
        "Every question of this unit is settled: the unit is done.",
        "Todas las preguntas de esta unidad están resueltas: la unidad está terminada.",
    ),
    "study.stage": ("The graph, which plays", "El grafo, animado"),
    "study.play": ("Play the pass", "Reproducir la pasada"),
    "study.open": ("Open in the studio", "Abrir en el estudio"),
    "study.statements": ("Statements", "Instrucciones"),
    "study.code": ("To type", "Para escribir"),
    "study.printed": ("What it prints", "Lo que se imprime"),
    "study.picture": ("Picture", "Imagen"),
    "study.table": ("Table", "Tabla"),
    # ---- the lab ------------------------------------------------------------------------------------
    "study.lab": ("Lab", "Laboratorio"),
    "study.lab.change": ("The change", "El cambio"),
    "study.lab.predict": (
        "Write down what you expect, then run it. An empty field is no prediction.",
        "Anote lo que espera y después ejecútelo. Un campo vacío no es una predicción.",
    ),
    "study.lab.run": ("Run the broken pass", "Ejecutar la pasada rota"),
    "study.lab.result": ("What came of it", "Lo que resultó"),
    "study.lab.hit": ("Just as you predicted.", "Tal como lo predijo."),
    "study.lab.elsewhere": (
        "What you predicted is what the order {order} gives; this one was walked newest first.",
        "Lo que predijo es lo que da el orden {order}; aquí se recorrió desde el nodo más reciente.",
    ),
    "study.lab.unbroken": (
        "These are the gradients of the right pass. The broken one gives others: compare the columns.",
        "Esos son los gradientes de la pasada correcta. La pasada rota da otros: compare las columnas.",
    ),
    "study.lab.missed": (
        "Something else came out for {names}. The table and the sentences below say why.",
        "En {names} salió otra cosa. La tabla y las frases de abajo dicen por qué.",
    ),
    # ---- questions ----------------------------------------------------------------------------------
    "study.checkpoint": ("Checkpoint", "Punto de control"),
    "study.question": ("Question {number} of {all}", "Pregunta {number} de {all}"),
    "study.sketch": ("The graph, with empty boxes", "El grafo, con las casillas vacías"),
    "study.given": ("Numbers that are given", "Números dados"),
    "study.example": ("Written like this: {example}", "Se escribe así: {example}"),
    "study.blank.choice": ("Your choice", "Su elección"),
    "study.blank.expression": ("Expression", "Expresión"),
    "study.blank.graph": ("Statements", "Instrucciones"),
    "study.check": ("Check", "Comprobar"),
    "study.check.again": ("Check again", "Comprobar de nuevo"),
    "study.fill": (
        "Something is still missing: fill in every field, or choose an answer.",
        "Falta algo: rellene todos los campos o elija una respuesta.",
    ),
    "study.reveal": ("Show the answer", "Mostrar la respuesta"),
    "study.reveal.sure": (
        "Show it without an answer of mine",
        "Mostrarla sin haber respondido",
    ),
    "study.another": ("One more of the kind", "Otra del mismo tipo"),
    "study.settled": ("answered", "respondida"),
    "study.seen": ("answer shown", "respuesta mostrada"),
}
