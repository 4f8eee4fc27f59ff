"""Sentences for teachers: what can be asked for, rosters, exercise sheets, answer keys, handouts."""

ROWS: dict[str, tuple[str, str]] = {
    # ---- what was asked for -----------------------------------------------------------------------
    "usage.class.out": (
        "--class writes a folder of sheets; say which, as in minigrad learn --class names.txt --out monday",
        "--class escribe una carpeta de hojas; diga cuál, como en minigrad learn --class nombres.txt "
        "--out lunes",
    ),
    "usage.handout.out": (
        "--handout writes a file; say which, as in minigrad learn --handout overwrite --out lab.md",
        "--handout escribe un archivo; diga cuál, como en minigrad learn --handout overwrite --out lab.md",
    ),
    # ---- the roster -------------------------------------------------------------------------------
    "classroom.roster.empty": (
        "the roster has no names in it; write one per line, or a CSV file with a column called name",
        "la lista no contiene nombres; escriba uno por línea, o un CSV con una columna llamada nombre",
    ),
    "classroom.roster.many": (
        "the roster has {count} names, and a class has at most {most}; make several",
        "la lista tiene {count} nombres, y una clase tiene como mucho {most}; haga varias",
    ),
    "classroom.roster.large": (
        "the roster has more than {most} KiB (it begins with {size}); it should be a list of names",
        "la lista pasa de {most} KiB (empieza con {size}); debería ser una lista de nombres",
    ),
    "classroom.roster.binary": (
        "this is no text; save the roster as text or as CSV (not as a spreadsheet)",
        "esto no es texto; guarde la lista como texto o como CSV (no como hoja de cálculo)",
    ),
    "classroom.roster.csv": (
        "the roster cannot be read as CSV: {why}; save it again, or write one name per line",
        "la lista no se puede leer como CSV: {why}; guárdela de nuevo, o escriba un nombre por línea",
    ),
    "classroom.roster.encoding": (
        "the roster is not UTF-8 and was read as Windows-1252; look at the accents in the names",
        "la lista no está en UTF-8 y se leyó como Windows-1252; revise los acentos de los nombres",
    ),
    "classroom.roster.nameless": (
        "row {row} of the roster has no name and was left out",
        "la fila {row} de la lista no tiene nombre y se omitió",
    ),
    "classroom.roster.name": (
        "the name {given} is written {name} on the sheet",
        "el nombre {given} se escribe {name} en la hoja",
    ),
    "classroom.roster.same": (
        "{name} stands twice in the roster with the same number; there is one sheet",
        "{name} figura dos veces en la lista con el mismo número; hay una sola hoja",
    ),
    "classroom.roster.twice": (
        "{name} stands in the roster more than once; each has a sheet of their own",
        "{name} figura más de una vez en la lista; cada uno tiene su propia hoja",
    ),
    # ---- making sheets ----------------------------------------------------------------------------
    "classroom.readme": (
        "# {title}\n"
        "\n"
        "Individual sheets: {count}, made with the seed {seed}. Everybody has the same kinds of questions "
        "at the\n"
        "same level, with other numbers.\n"
        "\n"
        "* `sheets/`: hand these out, each learner one form of their own sheet: `.md` (an editor, or "
        "paper),\n"
        "  `.html` (a browser, or paper), `.ipynb` (a notebook).\n"
        "* `key.md`: the right answers with their reasons, for you. **Do not hand it out.**\n"
        "* `key.json`: what `minigrad grade` grades by. **Do not hand it out**, and keep it: without it the\n"
        "  sheets cannot be graded.\n"
        "\n"
        "Put what comes back anywhere into this folder, under any file name, and run `minigrad grade "
        "{folder}`,\n"
        "or `minigrad grade {folder} --out marks` for a table and feedback for each learner. A learner "
        "who was\n"
        "asked for an engine hands in a `.py` file, with `# sheet ` and the code of their sheet in a "
        "comment.\n",
        "# {title}\n"
        "\n"
        "Hojas individuales: {count}, hechas con la semilla {seed}. Todas tienen los mismos tipos de "
        "preguntas al\n"
        "mismo nivel, con otros números.\n"
        "\n"
        "* `sheets/`: esto es lo que se reparte, a cada alumno su hoja en una de sus formas: `.md`\n"
        "  (un editor, o papel), `.html` (un navegador, o papel), `.ipynb` (un cuaderno).\n"
        "* `key.md`: el solucionario, con las razones, para usted. **No lo reparta.**\n"
        "* `key.json`: con esto califica `minigrad grade`. **No lo reparta**, y guárdelo: sin él las hojas\n"
        "  no se pueden calificar.\n"
        "\n"
        "Ponga lo que le devuelvan en cualquier lugar de esta carpeta, con cualquier nombre de archivo, y "
        "ejecute\n"
        "`minigrad grade {folder} --lang es`; con `--out notas` obtiene además una tabla y comentarios\n"
        "para cada alumno. Quien deba entregar un motor entrega un archivo `.py`, con `# sheet ` y el "
        "código de\n"
        "su hoja en un comentario.\n",
    ),
    "classroom.folder.file": (
        "{path} is a file, and a folder is needed; name another one",
        "{path} es un archivo, y hace falta una carpeta; nombre otra",
    ),
    "classroom.folder.lost": (
        "{path} is the key of a class with sheets that the new one lacks: {names}. They could no longer be "
        "graded, so nothing was written. Name another place, add them to the list of names, or add --force "
        "to overwrite the key",
        "{path} es el solucionario de una clase con hojas que la nueva no tiene: {names}. Ya no se podrían "
        "calificar, así que no se escribió nada. Nombre otro lugar, añada esas personas a la lista de "
        "nombres, o añada --force para sobrescribirlo",
    ),
    "classroom.folder.taken": (
        "{path} is there already with other contents; nothing was written. Name another place, or add "
        "--force to overwrite it",
        "{path} ya existe con otro contenido; no se escribió nada. Nombre otro lugar, o añada --force para "
        "sobrescribirlo",
    ),
    "classroom.folder.taken.more": (
        "{path} is there already with other contents, and so are others: {more}; nothing was written. "
        "Name another place, or add --force to overwrite them",
        "{path} ya existe con otro contenido, y también otros: {more}; no se escribió nada. Nombre otro "
        "lugar, o añada --force para sobrescribirlos",
    ),
    # ---- on a sheet ---------------------------------------------------------------------------------
    "sketch.title": ("The graph of {output}, to be filled in", "El grafo de {output}, para rellenar"),
    "sketch.words": ("The graph {statements}", "El grafo {statements}"),
    "classroom.sheet.head": ("**{name}** · sheet {code}", "**{name}** · hoja {code}"),
    "classroom.sheet.code": ("sheet", "hoja"),
    "classroom.sheet.paper": (
        "Write each answer in place of {blank}, inside its box, as `4`, `-2.5` or `1/3`; for a choice, the "
        "letter. Everything else may be written on as you like: it is not graded. Leave the code of the "
        "sheet "
        "as it is.",
        "Escriba cada respuesta en lugar de {blank}, dentro de su recuadro, como `4`, `-2.5` o `1/3`; si hay "
        "opciones, la letra. En todo lo demás puede escribir lo que quiera: no se califica. Deje el "
        "código de "
        "la hoja como está.",
    ),
    "classroom.sheet.notebook": (
        'Replace each `...` by your answer, as in `answer("1", a=4, b=-2.5)`; for a choice, the letter in '
        'quotes, as in `choice="B"`; an expression in quotes too. Nothing else is graded, so use as '
        "many cells "
        "as you like. Leave the code of the sheet as it is.",
        'Sustituya cada `...` por su respuesta, como en `answer("1", a=4, b=-2.5)`; si hay opciones, la '
        "letra "
        'entre comillas, como en `choice="B"`; una expresión, también entre comillas. Nada más se '
        "califica: "
        "use todas las celdas que quiera. Deje el código de la hoja como está.",
    ),
    "classroom.sheet.page": (
        "Fill in the fields and press **Save my answers** at the end: the browser saves a small file, and "
        "that "
        "is what you hand in. Or print the page and write on it. Numbers are written as `4`, `-2.5` or "
        "`1/3`.",
        "Rellene los campos y pulse **Guardar mis respuestas** al final: el navegador guarda un pequeño "
        "archivo, "
        "y eso es lo que entrega. O imprima la página y escriba en ella. Los números se escriben como `4`, "
        "`-2.5` o `1/3`.",
    ),
    "classroom.question": ("Question {number}", "Pregunta {number}"),
    "classroom.answer": ("answer", "respuesta"),
    "classroom.example": ("Written like this: {example}", "Se escribe así: {example}"),
    "classroom.save": ("Save my answers", "Guardar mis respuestas"),
    "classroom.saved": (
        "Saved as FILE, where your downloads are. Hand in that file.",
        "Guardado como FILE, donde están sus descargas. Entregue ese archivo.",
    ),
    # ---- the key ------------------------------------------------------------------------------------
    "classroom.key.title": ("Answer key: {title}", "Solucionario: {title}"),
    "classroom.key.warning": (
        "For the teacher alone: every right answer is in here.",
        "Solo para docentes: aquí están todas las respuestas correctas.",
    ),
    "classroom.key.sheet": ("Sheet {code}, files {file}", "Hoja {code}, archivos {file}"),
    "classroom.key.unread": (
        "the key cannot be read; it has to be the key.json that minigrad learn --class wrote",
        "el solucionario no se puede leer; tiene que ser el key.json que escribió minigrad learn --class",
    ),
    "classroom.key.newer": (
        "the key says {given}, and this minigrad knows {known}; grade with the version that made it",
        "el solucionario dice {given}, y este minigrad conoce {known}; califique con la versión que lo hizo",
    ),
    "classroom.key.damaged": (
        "the key is damaged: something in it was changed or is missing; make it again with the same roster, "
        "options and seed, in another folder",
        "el solucionario está dañado: algo en él se cambió o falta; hágalo de nuevo con la misma lista, las "
        "mismas opciones y la misma semilla, en otra carpeta",
    ),
    "classroom.key.version": (
        "question {question} of {name} would be another one in this version of minigrad, so nothing was "
        "graded; grade with the version that made the key (it is written in key.json)",
        "la pregunta {question} de {name} sería otra en esta versión de minigrad, así que no se calificó "
        "nada; califique con la versión que hizo el solucionario (está escrita en key.json)",
    ),
    # ---- handouts -----------------------------------------------------------------------------------
    "classroom.handout.name": ("Name: {blank}", "Nombre: {blank}"),
    "classroom.handout.graph": ("The graph", "El grafo"),
    "classroom.handout.graph.words": (
        "Work out the data of every node first, and write it beside the names.",
        "Calcule primero el dato de cada nodo, y escríbalo junto a los nombres.",
    ),
    "classroom.handout.predict": (
        "Fill in the first two rows now, and the third after the run.",
        "Rellene ahora las dos primeras filas, y la tercera después de la ejecución.",
    ),
    "classroom.handout.mine": ("I expect, with the bug", "Espero, con el fallo"),
    "classroom.handout.right": ("right, without it", "correcto, sin él"),
    "classroom.handout.seen": ("what the run gave", "lo que dio la ejecución"),
    "classroom.handout.run": (
        "Run it, or ask your teacher for the numbers.",
        "Ejecútelo, o pida los números a su docente.",
    ),
    "classroom.handout.diagnostic": ("The diagnosis", "El diagnóstico"),
    "classroom.handout.diagnostic.words": (
        "For each input: what arrived, and what is missing or too much? Say by which path.",
        "Para cada entrada: ¿qué llegó, y qué falta o sobra? Diga por qué camino.",
    ),
    "classroom.handout.node": ("node", "nodo"),
    "classroom.handout.expected": ("right gradient", "gradiente correcto"),
    "classroom.handout.got": ("what it got", "lo que recibió"),
    "classroom.handout.lost": ("lost or changed", "perdido o cambiado"),
    "classroom.handout.hides": (
        "Write a graph on which this bug does no harm. Why does it hide there?",
        "Escriba un grafo en el que este fallo no haga daño. ¿Por qué se esconde ahí?",
    ),
    "classroom.handout.lesson": (
        "What will you test from now on? One sentence.",
        "¿Qué comprobará de ahora en adelante? Una frase.",
    ),
    "classroom.handout.key.results": (
        "right: {right}; with the bug, newest first: {broken}",
        "correcto: {right}; con el fallo, del más nuevo al más antiguo: {broken}",
    ),
    "classroom.handout.key.endless": (
        "right: {right}; with the bug the pass does not come to an end",
        "correcto: {right}; con el fallo la pasada no llega a su fin",
    ),
    "classroom.handout.key.order": ("order {order}: {gradients}", "orden {order}: {gradients}"),
}
