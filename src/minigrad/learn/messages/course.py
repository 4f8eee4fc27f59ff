"""Sentences of the course: its units, its pages, its notebooks, and what is wrong with a lesson file."""

ROWS: dict[str, tuple[str, str]] = {
    # ---- choosing a unit
    "course.unknown": (
        "there is no unit {given}; the units are {known}, and their numbers from 1 to {count} will do too",
        "no hay ninguna unidad {given}; las unidades son {known}, y también valen sus números, del 1 al "
        "{count}",
    ),
    "course.several": (
        "{given} could be {known}; write more of the name, or the number of the unit",
        "{given} puede ser {known}; escriba algo más del nombre, o el número de la unidad",
    ),
    # ---- what is wrong with a lesson file
    "course.place": ("{file}, line {line}: {what}", "{file}, línea {line}: {what}"),
    "course.title": (
        "a lesson begins with # and its title, not with: {given}",
        "una lección empieza por # y su título, no por: {given}",
    ),
    "course.idea": (
        "below the title stands > and the idea in one sentence, not: {given}",
        "debajo del título va > y la idea en una frase, no: {given}",
    ),
    "course.minutes": (
        "below the idea stands minutes: and a number from 1 to 99, not: {given}",
        "debajo de la idea va minutes: y un número del 1 al 99, no: {given}",
    ),
    "course.strange": (
        "a line of a lesson cannot begin like this: {given}",
        "una línea de una lección no puede empezar así: {given}",
    ),
    "course.item": (
        "an item of a list begins like the first one, and goes on with two spaces in front; not: {given}",
        "un elemento de una lista empieza como el primero y continúa con dos espacios delante; no: {given}",
    ),
    "course.row": (
        "a row of a table ends with |: {given}",
        "una fila de una tabla termina en |: {given}",
    ),
    "course.cells": (
        "this row has {given} cells, and the first one has {wanted}",
        "esta fila tiene {given} celdas, y la primera tiene {wanted}",
    ),
    "course.table": (
        "a table is a head, a row of |---|, and one row at least",
        "una tabla es una cabecera, una fila de |---| y al menos una fila",
    ),
    "course.fence": (
        "there is no block {given}; a block is one of {known}",
        "no hay ningún bloque {given}; un bloque es uno de {known}",
    ),
    "course.fence.words": (
        "too few or too many words for this block: {given}",
        "faltan o sobran palabras en este bloque: {given}",
    ),
    "course.fence.open": ("this block is never closed by ```", "este bloque no se cierra nunca con ```"),
    "course.fence.empty": ("this block is empty", "este bloque está vacío"),
    "course.mark": (
        "the mark {mark} is opened or closed alone in: {text}",
        "la marca {mark} se abre o se cierra sin su pareja en: {text}",
    ),
    "course.no_graph": (
        "no graph is on stage; put a graph block above this one",
        "no hay ningún grafo en escena; ponga un bloque graph más arriba",
    ),
    "course.refused": (
        "the command was refused with exit code {code}: {command}",
        "el comando se rechazó con el código de salida {code}: {command}",
    ),
    "course.foreign": (
        "only commands of minigrad are run; mark the block `console still` to show another: {command}",
        "solo se ejecutan comandos de minigrad; marque el bloque como `console still` para mostrar otro: "
        "{command}",
    ),
    "course.picture": (
        "there is no picture {given}; there are {known}",
        "no hay ninguna imagen {given}; hay {known}",
    ),
    "course.how": (
        "a block of code is run, or `quiet` (shown, not run while it is read), or `still` (never run), not "
        "{given}",
        "un bloque de código se ejecuta, o es `quiet` (se muestra sin ejecutarlo al leer), o `still` (no se "
        "ejecuta nunca), no {given}",
    ),
    "course.parameter": (
        "a parameter of a question is name=value, not: {given}",
        "un parámetro de una pregunta es nombre=valor, no: {given}",
    ),
    "course.generated": (
        "a generated question has a kind and level=, no lead and nothing else: {given}",
        "una pregunta generada tiene un tipo y level=, sin texto ni nada más: {given}",
    ),
    "course.console": (
        "a line of a console block begins with $ and a space; what it prints is computed. Not: {given}",
        "una línea de un bloque console empieza por $ y un espacio; lo que imprime se calcula. No: {given}",
    ),
    "course.field.open": (
        "a field is opened or closed alone in: {given}",
        "un campo se abre o se cierra sin su pareja en: {given}",
    ),
    "course.field.unknown": (
        "there is no field {given}; the words are {known}",
        "no hay ningún campo {given}; las palabras son {known}",
    ),
    "course.field.words": (
        "too few or too many words in the field {given}",
        "faltan o sobran palabras en el campo {given}",
    ),
    "course.field.cannot": (
        "the field {given} cannot be computed: {why}",
        "el campo {given} no se puede calcular: {why}",
    ),
    "course.field.operand": (
        "{node} is not made from {operand}",
        "{node} no se hace a partir de {operand}",
    ),
    "course.field.place": (
        "{given} is not a number from {first} to {last}",
        "{given} no es un número del {first} al {last}",
    ),
    "course.field.order": (
        "an order is written `in` and the nodes with commas and no space: in e,c,d",
        "un orden se escribe con `in` y los nodos separados por comas, sin espacios: in e,c,d",
    ),
    # ---- what stands around blocks
    "course.prints": ("prints", "imprime"),
    "course.question": ("Question {number}", "Pregunta {number}"),
    "course.about": ("Unit {number} · {minutes} minutes", "Unidad {number} · {minutes} minutos"),
    "course.table.label": ("a table", "una tabla"),
    "course.guess.show": ("Answer first; then look", "Primero responda; luego mire"),
    "course.lab.run": ("Predict first; then run it", "Primero prediga; luego ejecútelo"),
    "course.check": ("Check", "Comprobar"),
    "course.reveal": ("Show the answer", "Mostrar la respuesta"),
    "course.choose": ("Choose one", "Elija una"),
    "course.empty": ("Fill in every blank first.", "Rellene primero todos los huecos."),
    "course.unforeseen": (
        "That is not it, and this page does not know by which mistake one gets there. Walk the pass again, "
        "or answer in `minigrad learn`, which looks for the mistake.",
        "No es eso, y esta página no sabe qué error lleva ahí. Recorra la pasada otra vez, o responda en "
        "`minigrad learn`, que busca el error.",
    ),
    "course.unforeseen.free": (
        "This may be right or wrong: there is more than one way to write the answer, and this page cannot "
        "run what you wrote. Compare it with the answer below, or answer in `minigrad learn`, which runs it.",
        "Puede estar bien o mal: la respuesta se puede escribir de varias maneras, y esta página no puede "
        "ejecutar lo que escribió. Compárelo con la respuesta de abajo, o responda en `minigrad learn`, que "
        "lo ejecuta.",
    ),
    "course.unread": (
        "Write each answer as a number: `4`, `-0.5` or `1/3`.",
        "Escriba cada respuesta como un número: `4`, `-0.5` o `1/3`.",
    ),
    # ---- in notebooks and scripts
    "course.ask.type": (
        'give a question, such as question("diamonds/what-is-right"), or its key, not {given}',
        'dé una pregunta, como question("diamonds/what-is-right"), o su clave, no {given}',
    ),
    "course.ask.blanks": (
        "the blanks of this question are: {blanks}",
        "los huecos de esta pregunta son: {blanks}",
    ),
    "course.ask.empty": (
        "Not answered yet: put your answer in place of ... for {blanks}, and run this again.",
        "Aún sin responder: ponga su respuesta en lugar de ... para {blanks} y ejecútelo otra vez.",
    ),
    "course.notebook.answer": ("your answer in place of ...", "su respuesta en lugar de ..."),
    "course.notebook.reveal": ("take the # away to see the answer", "quite el # para ver la respuesta"),
}
