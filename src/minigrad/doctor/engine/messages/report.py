"""Sentences of the doctor: what is wrong with somebody's engine."""

ROWS = {
    "doctor.line": ("line {line}", "la línea {line}"),
    "doctor.cell_line": ("line {line} of cell {cell}", "la línea {line} de la celda {cell}"),
    "doctor.file_line": ("line {line} of {file}", "la línea {line} de {file}"),
    # ---- what cannot be examined
    "doctor.no_path": (
        "{given} is no file, no folder and no module that could be imported (looked for in {folder}); write "
        "the path of an engine, such as path/to/engine.py or path/to/engine.py:Value",
        "{given} no es un archivo, ni una carpeta, ni un módulo que se pueda importar (se buscó en {folder})"
        "; escriba la ruta de un motor, como ruta/de/engine.py o ruta/de/engine.py:Value",
    ),
    "doctor.suffix": (
        "{path} is neither a Python file (.py) nor a notebook (.ipynb)",
        "{path} no es ni un archivo de Python (.py) ni un cuaderno (.ipynb)",
    ),
    "doctor.too_large": (
        "{path} has {size} kB, which is too large for an engine",
        "{path} tiene {size} kB: es demasiado grande para ser un motor",
    ),
    "doctor.unreadable": ("{path} cannot be read: {why}", "no se puede leer {path}: {why}"),
    "doctor.syntax": (
        "{path}: line {line} is no Python: {why}",
        "{path}: la línea {line} no es Python: {why}",
    ),
    "doctor.not_a_notebook": ("{path} is no notebook", "{path} no es un cuaderno"),
    "doctor.no_cell": (
        "{path} has no code cell {cell}; cells are counted from 0",
        "{path} no tiene una celda de código {cell}; las celdas se cuentan desde 0",
    ),
    "doctor.cell_without_class": (
        "cell {cell} of {path} defines no class; these cells do: {others}",
        "la celda {cell} de {path} no define ninguna clase; sí lo hacen estas: {others}",
    ),
    "doctor.no_class_in_cells": (
        "no cell of {path} defines a class",
        "ninguna celda de {path} define una clase",
    ),
    "doctor.no_class": (
        "there is no class {name} in {path}; its classes: {known}",
        "no hay ninguna clase {name} en {path}; sus clases: {known}",
    ),
    "doctor.no_engine": (
        "no class in {path} looks like the values of an engine (operators or ops, and gradients); "
        "name it, as in {path}:Value; a custom rule of PyTorch or JAX is examined with --torch or --jax",
        "ninguna clase de {path} parece la de los valores de un motor (operadores u operaciones, y "
        "gradientes); nómbrela, como en {path}:Value; una regla propia de PyTorch o JAX se examina con "
        "--torch o --jax",
    ),
    "doctor.empty_folder": (
        "no file in the folder {path} has an engine in it",
        "ningún archivo de la carpeta {path} contiene un motor",
    ),
    "doctor.toml": ("{path} cannot be read: {why}", "no se puede leer {path}: {why}"),
    "doctor.pin": (
        "{where} has {key}, which is not known; known are {known}",
        "{where} tiene {key}, que no se conoce; se conocen {known}",
    ),
    "doctor.pin_name": (
        "{where}: {key} cannot be {given}; write the name of an attribute, or of a method with () behind it",
        "{where}: {key} no puede ser {given}; escriba el nombre de un atributo o, con (), de un método",
    ),
    "doctor.pin_value": ("{where}: {key} cannot be {given}", "{where}: {key} no puede ser {given}"),
    "doctor.plugin": (
        "examine an engine for wrong gradients, as one more test",
        "examina un motor en busca de gradientes incorrectos, como una prueba más",
    ),
    # ---- the report
    "doctor.title": ("Examination of {name}", "Examen de {name}"),
    "doctor.title.limits": ("Limits", "Límites"),
    "doctor.suspected": ("not confirmed: {name}", "sin confirmar: {name}"),
    "doctor.title.unexplained": ("Not explained", "Sin explicar"),
    "doctor.title.suspicions": ("Signs of forged results", "Indicios de resultados falsificados"),
    "doctor.title.choices": ("Design choices, not bugs", "Decisiones de diseño, no errores"),
    "doctor.title.unseen": ("Not examined", "Sin examinar"),
    "doctor.title.used": ("How it was used", "Cómo se usó"),
    "doctor.verdict.correct": (
        "CORRECT: every gradient is right ({right} of {count} probes; the others are beyond its limits).",
        "CORRECTO: todos los gradientes son correctos ({right} de {count} sondas; las demás exceden sus "
        "límites).",
    ),
    "doctor.verdict.correct.whole": (
        "CORRECT: every gradient is right ({count} probes).",
        "CORRECTO: todos los gradientes son correctos ({count} sondas).",
    ),
    "doctor.verdict.limited": (
        "LIMITED: no gradient is wrong ({right} of {count} probes are right), but it cannot do what an "
        "ordinary program needs; see the limits below.",
        "LIMITADO: ningún gradiente es incorrecto ({right} de {count} sondas son correctas), pero no puede "
        "hacer lo que un programa corriente necesita; vea los límites más abajo.",
    ),
    "doctor.verdict.wrong": (
        "WRONG: {bugs} bugs; {right} of {count} probes came out right.",
        "INCORRECTO: {bugs} errores; {right} de {count} sondas salieron bien.",
    ),
    "doctor.verdict.wrong.one": (
        "WRONG: one bug; {right} of {count} probes came out right.",
        "INCORRECTO: un error; {right} de {count} sondas salieron bien.",
    ),
    "doctor.verdict.not_examined": ("NOT EXAMINED: {why}.", "SIN EXAMINAR: {why}."),
    "doctor.unexplained": (
        "With all confirmed changes made, one probe still comes out wrong, and no change was found that "
        "mends it.",
        "Hechos todos los cambios confirmados, una sonda sigue saliendo mal, y no se encontró ningún cambio "
        "que la arregle.",
    ),
    "doctor.unexplained.many": (
        "With all confirmed changes made, {count} probes still come out wrong, and no change was found that "
        "mends them.",
        "Hechos todos los cambios confirmados, {count} sondas siguen saliendo mal, y no se encontró ningún "
        "cambio que las arregle.",
    ),
    "doctor.fix.written": (
        "Written: {path}. Examined again: {checked}",
        "Escrito: {path}. Examinado de nuevo: {checked}",
    ),
    "doctor.fix.right": (
        "Nothing is written: no bug was found that could be corrected.",
        "No se escribe nada: no se encontró ningún error que corregir.",
    ),
    "doctor.fix.none": (
        "Nothing is written: none of these bugs has a change that was confirmed.",
        "No se escribe nada: ninguno de estos errores tiene un cambio confirmado.",
    ),
    "doctor.fix.several": (
        "several files have to be changed ({names}); write a patch, as in --fix engine.patch",
        "hay que cambiar varios archivos ({names}); escriba un parche, como en --fix motor.patch",
    ),
    "doctor.hint": (
        "What cannot be found can be said: --data, --grad, --backward, or a doctor.toml "
        "(minigrad doctor --help).",
        "Lo que no se encuentra se puede indicar: --data, --grad, --backward, o un doctor.toml "
        "(minigrad doctor --help).",
    ),
    "doctor.hint.library": (
        "It needs a library that is not installed here: install it, and examine the engine again.",
        "Necesita una biblioteca que no está instalada aquí: instálela y vuelva a examinar el motor.",
    ),
    "doctor.proof": ("smallest proof: {graph}", "la prueba más pequeña: {graph}"),
    "doctor.proof.change": (
        "these numbers come out once the change of {numbers} is made",
        "estos números salen una vez hecho el cambio de {numbers}",
    ),
    "doctor.proof.changes": (
        "these numbers come out once the changes of {numbers} are made",
        "estos números salen una vez hechos los cambios de {numbers}",
    ),
    "doctor.scenario.two": (
        "smallest proof: one loss, its gradients set back, then a second loss over the same leaves: {graph}",
        "la prueba más pequeña: una pérdida, sus gradientes puestos a cero y luego una segunda pérdida sobre "
        "las mismas hojas: {graph}",
    ),
    "doctor.scenario.chain": (
        "smallest proof: y = a, and then y = y + a, many times over{graph}",
        "la prueba más pequeña: y = a, y luego y = y + a, muchas veces{graph}",
    ),
    "doctor.scenario.doubling": (
        "smallest proof: y = a, and then y = y + y, many times over{graph}",
        "la prueba más pequeña: y = a, y luego y = y + y, muchas veces{graph}",
    ),
    "doctor.scenario.unknown": (
        "smallest proof: a = {at}; out = a.{name}(); with {seed} as what is above it, the gradient of a is "
        "not {seed} times the slope of its own values",
        "la prueba más pequeña: a = {at}; out = a.{name}(); con {seed} por encima, el gradiente de a no es "
        "{seed} por la pendiente de sus propios valores",
    ),
    "doctor.scenario.in-place": (
        "smallest proof, with the operation in parentheses written in place (d = c; d += a): {graph}",
        "la prueba más pequeña, con la operación entre paréntesis escrita en el sitio (d = c; d += a): "
        "{graph}",
    ),
    "doctor.got": ("got", "obtenido"),
    "doctor.right": ("right", "correcto"),
    "doctor.wrong": ("wrong", "incorrecto"),
    "doctor.every_op": ("every op", "todas las operaciones"),
    "doctor.flaky": (
        "it changes with the hash seed and the layout of the memory: {graph} gave {results} different "
        "results in {runs} runs, of which {wrong} were wrong",
        "cambia con la semilla de hash y la disposición de la memoria: {graph} dio {results} resultados "
        "distintos en {runs} ejecuciones, de las que {wrong} salieron mal",
    ),
    "doctor.alike": (
        "to the numbers it is the same as {names}",
        "por los números no se distingue de {names}",
    ),
    "doctor.confirmed": (
        "confirmed by changing {place}: with that the probes come out right",
        "confirmado al cambiar {place}: con eso las sondas salen bien",
    ),
    "doctor.unconfirmed": (
        "the suspicion falls on {place}; not confirmed, for example:",
        "la sospecha recae en {place}; sin confirmar, por ejemplo:",
    ),
    "doctor.pointed": (
        "the place to look at is {place}; no change that was tried helps",
        "el lugar que hay que mirar es {place}; ningún cambio de los que se probaron ayuda",
    ),
    "doctor.no_line": (
        "no line could be made out as the cause",
        "no se pudo determinar qué línea es la causa",
    ),
    "doctor.reach": ("It shows in {count} probes.", "Se nota en {count} sondas."),
    "doctor.reach.one": ("It shows in one probe.", "Se nota en una sonda."),
    "doctor.case": ("The same happened in {case}.", "Lo mismo pasó en {case}."),
    "doctor.unseen.ops": ("it has no {ops}", "no tiene {ops}"),
    "doctor.unseen.methods": (
        "its methods {names} are none of the ops that are known here",
        "sus métodos {names} no son ninguna de las operaciones que se conocen aquí",
    ),
    "doctor.unseen.syntax": (
        "{place}: this Python cannot read it, so it was left out",
        "{place}: este Python no puede leerla, así que se dejó fuera",
    ),
    "doctor.unseen.statement": (
        "{place} was left out: {why}",
        "se dejó fuera {place}: {why}",
    ),
    "doctor.unseen.unreached": (
        "{count} probes were not reached in time",
        "no dio tiempo a llegar a {count} sondas",
    ),
    "doctor.unseen.not_run": (
        "statements that define nothing the engine needs were not run ({count}, the first at {place})",
        "no se ejecutaron las sentencias que no definen nada que el motor necesite ({count}; la primera, en "
        "{place})",
    ),
    "doctor.unseen.classes": (
        "other classes of the file that look like engines: {names} (write {path}:NAME)",
        "otras clases del archivo que parecen motores: {names} (escriba {path}:NOMBRE)",
    ),
    "doctor.unseen.elsewhere": (
        "{cls} is defined at {places} too; the fullest and last one was examined, --cell {cell} names one",
        "{cls} se define también en {places}; se examinó la más completa y última; --cell {cell} pide otra",
    ),
    "doctor.unseen.others": (
        "other engines in the same folder: {others}",
        "otros motores en la misma carpeta: {others}",
    ),
    "doctor.used": (
        "class {cls}; its number is .{data}; {grad}",
        "clase {cls}; su número es .{data}; {grad}",
    ),
    "doctor.used.grad.attribute": ("its gradient is .{grad}", "su gradiente es .{grad}"),
    "doctor.used.grad.method": ("its gradient is .{grad}()", "su gradiente es .{grad}()"),
    "doctor.used.grad.returned": (
        "the pass gives the gradients back{grad}",
        "la pasada devuelve los gradientes{grad}",
    ),
    "doctor.used.grad.asked": (
        "the output is asked for a gradient: out.{grad}(a)",
        "se le pide el gradiente a la salida: out.{grad}(a)",
    ),
    "doctor.used.grad.tape": ("the gradients are in tape.{grad}", "los gradientes están en tape.{grad}"),
    "doctor.used.pass.value": ("the pass is out.{name}()", "la pasada es out.{name}()"),
    "doctor.used.pass.function": ("the pass is {name}(out)", "la pasada es {name}(out)"),
    "doctor.used.pass.tape": ("the pass is tape.{name}(...)", "la pasada es tape.{name}(...)"),
    "doctor.used.pass.walk": (
        "no pass was found; out.{name}() of each node was called",
        "no se encontró una pasada; se llamó a out.{name}() de cada nodo",
    ),
    "doctor.used.pass.none": (
        "there is no pass: a gradient is computed when it is asked for{name}",
        "no hay pasada: el gradiente se calcula cuando se pide{name}",
    ),
    "doctor.used.ops": ("ops: {ops}", "operaciones: {ops}"),
    # ---- bugs that are described rather than named
    "doctor.fault.wrong-value": (
        "{what} computes another function{detail}",
        "{what} calcula otra función{detail}",
    ),
    "doctor.story.wrong-value": (
        "its value is wrong already, so its gradient is that of something else",
        "ya su valor es incorrecto, así que su gradiente es el de otra cosa",
    ),
    "doctor.fault.wrong-rule": (
        "the derivative of {what} is wrong{detail}",
        "la derivada de {what} es incorrecta{detail}",
    ),
    "doctor.story.wrong-rule": (
        "its value is right and what it sends to its operands is not",
        "su valor es correcto y lo que envía a sus operandos no",
    ),
    "doctor.fault.wrong-composition": (
        "{what} is made of the wrong ops: it computes {detail}",
        "{what} se compone de operaciones equivocadas: calcula {detail}",
    ),
    "doctor.story.wrong-composition": (
        "an operator that calls other operators calls the wrong ones, or with operands in the wrong place",
        "un operador que llama a otros llama a los equivocados, o con los operandos cambiados de sitio",
    ),
    "doctor.fault.wrong-pass": (
        "the backward pass goes wrong{what}{detail}",
        "la pasada hacia atrás se equivoca{what}{detail}",
    ),
    "doctor.story.wrong-pass": (
        "each op is right by itself; some node gets its turn too early, twice, or not at all",
        "cada operación es correcta por sí sola; a algún nodo le toca demasiado pronto, dos veces o nunca",
    ),
    "doctor.fault.rules-not-called": (
        "the pass names the rule of each node and does not call it{what}{detail}",
        "la pasada nombra la regla de cada nodo y no la llama{what}{detail}",
    ),
    "doctor.story.rules-not-called": (
        "without parentheses a method is looked up and not run: no gradient leaves the output",
        "sin paréntesis un método se consulta y no se ejecuta: ningún gradiente sale de la salida",
    ),
    "doctor.fault.pass-fails": (
        "the backward pass raises on every graph{what}{detail}",
        "la pasada hacia atrás lanza un error con cualquier grafo{what}{detail}",
    ),
    "doctor.story.pass-fails": (
        "it ends before it has sent anything; what else is said here holds once it runs",
        "termina antes de haber enviado nada; lo demás que se dice aquí vale una vez que funciona",
    ),
    "doctor.fault.pass-hidden": (
        "an attribute hides the method {what}{detail}",
        "un atributo oculta el método {what}{detail}",
    ),
    "doctor.story.pass-hidden": (
        "every node has an attribute of that name: a call runs one node's rule and not the pass",
        "cada nodo tiene un atributo con ese nombre: llamarlo ejecuta la regla de un nodo y no la pasada",
    ),
    "doctor.fault.accumulated-handed-on": (
        "the recursion hands on the gradient that has come so far{what}{detail}",
        "la recursión entrega el gradiente acumulado hasta ahora{what}{detail}",
    ),
    "doctor.story.accumulated-handed-on": (
        "a node that is reached twice hands on its first share again the second time",
        "un nodo al que se llega dos veces vuelve a entregar su primera parte la segunda vez",
    ),
    "doctor.fault.guard-missing": (
        "nothing keeps a node from being visited twice{what}{detail}",
        "nada impide que un nodo se visite dos veces{what}{detail}",
    ),
    "doctor.story.guard-missing": (
        "the visited nodes are never noted, or never asked about: a node that is used twice gets two turns",
        "los nodos visitados nunca se anotan, o nunca se consultan: a un nodo usado dos veces le toca dos "
        "veces",
    ),
    "doctor.fault.seed-ignored": (
        "the gradient that backward() is given is ignored{what}{detail}",
        "se ignora el gradiente que se le da a backward(){what}{detail}",
    ),
    "doctor.story.seed-ignored": (
        "started from -2.5 in place of 1, the pass gives what it gives from 1",
        "con -2.5 en lugar de 1 como inicio, la pasada da lo mismo que con 1",
    ),
    "doctor.fault.in-place-mutates": (
        "the in-place operator changes its operand ({what}){detail}",
        "el operador en el sitio cambia su operando ({what}){detail}",
    ),
    "doctor.story.in-place-mutates": (
        "after d = c; d += a, the node c has another number too, and what was computed from it is stale",
        "tras d = c; d += a, también el nodo c tiene otro número, y lo que se calculó con él queda obsoleto",
    ),
}
