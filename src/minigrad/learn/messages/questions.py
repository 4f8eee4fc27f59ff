"""Sentences of the checkpoints: how answers are read and judged; questions that are answered by numbers."""

ROWS: dict[str, tuple[str, str]] = {
    # ---- what was typed
    "question.typed.missing": (
        "`{name}` is missing; write a number for it",
        "falta `{name}`; escriba un número",
    ),
    "question.typed.number": (
        "`{name}`: {given} is not a number; write 4, -0.5 or 1/3",
        "`{name}`: {given} no es un número; escriba 4, -0.5 o 1/3",
    ),
    "question.typed.long": (
        "`{name}`: that is too long for a number; write 4, -0.5 or 1/3",
        "`{name}`: es demasiado largo para ser un número; escriba 4, -0.5 o 1/3",
    ),
    "question.typed.digits": (
        "`{name}`: {given} has too few digits to tell; write at least three digits, or a fraction",
        "`{name}`: {given} tiene muy pocas cifras para decidir; escriba al menos tres, o una fracción",
    ),
    "question.typed.comma": (
        "{given} was read as {read}; here decimals are written with a point",
        "{given} se leyó como {read}; aquí los decimales se escriben con punto",
    ),
    "question.typed.thousand": (
        "{given} can be read in two ways; write {many}, or {few} with a point",
        "{given} se puede leer de dos maneras; escriba {many}, o {few} con punto",
    ),
    "question.typed.choice": (
        "answer with one of the letters {letters}, not {given}",
        "responda con una de las letras {letters}, no con {given}",
    ),
    # ---- keys and parameters
    "question.key": (
        "there is no question {given}; a key is KIND:LEVEL:SEED, such as gradient:2:17, or UNIT/NAME",
        "no hay ninguna pregunta {given}; una clave es TIPO:NIVEL:SEMILLA, como gradient:2:17, o "
        "UNIDAD/NOMBRE",
    ),
    "question.kind": (
        "there is no kind of question {given}; there are {known}",
        "no hay ningún tipo de pregunta {given}; hay {known}",
    ),
    "question.level": (
        "there is no level {given}; there are {known}",
        "no hay ningún nivel {given}; hay {known}",
    ),
    "question.seed": (
        "a seed is a number or a word of letters, digits, - and _; {given} is neither",
        "una semilla es un número o una palabra de letras, cifras, - y _; {given} no es ni lo uno ni lo otro",
    ),
    "question.parameter": (
        "a question of kind {kind} has no parameter {given}; it has {known}",
        "una pregunta de tipo {kind} no tiene el parámetro {given}; tiene {known}",
    ),
    "question.parameter.none": ("none", "ninguno"),
    "question.parameter.missing": (
        "a question of kind {kind} needs {key}=...",
        "una pregunta de tipo {kind} necesita {key}=...",
    ),
    "question.parameter.number": (
        "{key}={given} is not a number; write {key}=0.001",
        "{key}={given} no es un número; escriba {key}=0.001",
    ),
    "question.stage": (
        "a question of kind {kind} is about a graph, and there is none on stage; write a graph block above "
        "it",
        "una pregunta de tipo {kind} trata de un grafo y no hay ninguno en escena; escriba antes un bloque "
        "graph",
    ),
    # ---- judgements
    "question.right": ("Right.", "Correcto."),
    "question.and": ("{first} and {last}", "{first} y {last}"),
    "question.and.vowel": ("{first} and {last}", "{first} e {last}"),
    "question.fault": (
        "This is what you would get from this bug: {bug}.",
        "Es lo que saldría con este fallo: {bug}.",
    ),
    "question.happened": ("{name} lost {terms}.", "{name} perdió {terms}."),
    "question.off": ("What is off: {names}.", "Lo que no coincide: {names}."),
    "question.hint": (
        "{name} is used in {count} places, {users}: work out what each of them sends to it, and add them up.",
        "{name} se usa en {count} lugares, {users}: calcule lo que le envía cada uno y súmelo.",
    ),
    "question.hint.one": (
        "{name} is used once, in {users}: take the gradient of {users}, and multiply it by the local "
        "derivative.",
        "{name} se usa una sola vez, en {users}: tome el gradiente de {users} y multiplíquelo por la "
        "derivada local.",
    ),
    "question.hint.output": (
        "{name} is the output itself: how much does it change when it changes by one?",
        "{name} es la propia salida: ¿cuánto cambia cuando cambia en uno?",
    ),
    # ---- slips of people
    "question.slip.data": (
        "That is the data of {names}; the question is about the gradient.",
        "Esos son los valores de {names}; se pide el gradiente.",
    ),
    "question.slip.own_data": (
        "{name}: that is its data; the question is about its gradient.",
        "{name}: ese es su valor; se pide su gradiente.",
    ),
    "question.slip.output": (
        "{name}: that is the data of {output}; the question is how {output} changes with {name}.",
        "{name}: ese es el valor de {output}; se pide cómo cambia {output} con {name}.",
    ),
    "question.slip.swapped": (
        "{names} are swapped.",
        "{names} están intercambiados.",
    ),
    "question.slip.sign": (
        "The size of {names} is right, and its sign is not.",
        "El tamaño de {names} es correcto; el signo, no.",
    ),
    "question.slip.signs": (
        "The sizes of {names} are right, and their signs are not.",
        "Los tamaños de {names} son correctos; los signos, no.",
    ),
    "question.slip.one_sign": (
        "{name}: what comes via {via} has the wrong sign.",
        "{name}: lo que llega vía {via} tiene el signo cambiado.",
    ),
    "question.slip.part": (
        "{name}: that is only a part of it; what comes via {ways} is missing.",
        "{name}: es solo una parte; falta lo que llega vía {ways}.",
    ),
    "question.slip.no_upstream": (
        "{name}: that is the local derivative alone; it is still to be multiplied by the upstream gradient.",
        "{name}: es solo la derivada local; falta multiplicarla por el gradiente entrante.",
    ),
    "question.slip.no_local": (
        "{name}: that is the upstream gradient alone; it is still to be multiplied by the local derivative.",
        "{name}: es solo el gradiente entrante; falta multiplicarlo por la derivada local.",
    ),
    # ---- what is revealed
    "question.reveal.path": ("{product} along {route}", "{product} por el camino {route}"),
    "question.reveal.unreached": (
        "{name}: 0, because no message reaches it",
        "{name}: 0, porque no le llega ningún mensaje",
    ),
    # ---- gradient
    "question.gradient": (
        "Walk the backward pass from {output}. What are the gradients of {names}?",
        "Recorra la pasada hacia atrás desde {output}. ¿Cuáles son los gradientes de {names}?",
    ),
    "question.gradient.one": (
        "Walk the backward pass from {output}. What is the gradient of {names}?",
        "Recorra la pasada hacia atrás desde {output}. ¿Cuál es el gradiente de {names}?",
    ),
    # ---- data
    "question.data": (
        "Run the graph forward. What are the data of {names}?",
        "Recorra el grafo hacia delante. ¿Cuáles son los valores de {names}?",
    ),
    "question.data.one": (
        "Run the graph forward. What is the data of {names}?",
        "Recorra el grafo hacia delante. ¿Cuál es el valor de {names}?",
    ),
    "question.hint.data": (
        "Go through the statements one by one, down to {made}, and write the number beside each.",
        "Vaya instrucción por instrucción hasta {made} y anote el número al lado de cada una.",
    ),
    "question.slip.recipe": (
        "That is what comes out with {wrong} in place of {right}.",
        "Eso sale con {wrong} en lugar de {right}.",
    ),
    "question.slip.grad": (
        "{name}: that is its gradient; the question is about its data.",
        "{name}: ese es su gradiente; se pide su valor.",
    ),
    "question.slip.other": (
        "{name}: that is the data of {other}.",
        "{name}: ese es el valor de {other}.",
    ),
    # ---- running
    "question.running": (
        "The pass walks {order}. Every gradient starts at 0. What stands in the gradient of {about} right "
        "after the turn of {after}?",
        "La pasada recorre {order}. Todos los gradientes empiezan en 0. ¿Qué hay en el gradiente de {about} "
        "justo después del turno de {after}?",
    ),
    "question.running.turn": (
        "{name} sends nothing in this pass, so there is no total after its turn; name a node that is "
        "computed from others",
        "{name} no envía nada en esta pasada, así que no hay total después de su turno; indique un nodo que "
        "se calcule a partir de otros",
    ),
    "question.running.final": (
        "That is what {about} has at the end of the pass; the question is about its total right after the "
        "turn of "
        "{after}.",
        "Eso es lo que tiene {about} al final de la pasada; se pide su total justo después del turno de "
        "{after}.",
    ),
    "question.running.other": (
        "That is the total after the turn of {via}; the question is about the total after the turn of "
        "{after}.",
        "Ese es el total después del turno de {via}; se pide el total después del turno de {after}.",
    ),
    "question.running.alone": (
        "That is what {via} alone sends; the question is about the total of {about} right after the turn "
        "of {after}.",
        "Eso es lo que envía {via} por sí solo; se pide el total de {about} justo después del turno de "
        "{after}.",
    ),
    "question.hint.running": (
        "List the turns up to {after} and what each of them sends to {about}; the total is their sum so far.",
        "Anote los turnos hasta {after} y lo que cada uno envía a {about}; el total es la suma hasta ahí.",
    ),
    "question.reveal.sends": ("{source} sends {made}, so {total}", "{source} envía {made}, así que {total}"),
    "question.reveal.running": (
        "after the turn of {after}, {about} holds {total}",
        "después del turno de {after}, {about} tiene {total}",
    ),
    # ---- order
    "question.order": (
        "A pass has this bug: {bug}. It walks {order}. What does it leave in the gradients of {names}?",
        "Una pasada tiene este fallo: {bug}. Recorre {order}. ¿Qué deja en los gradientes de {names}?",
    ),
    "question.order.right": (
        "That is what a right pass gives, in any order; this one has a bug: {bug}.",
        "Eso es lo que da una pasada correcta, en cualquier orden; esta tiene un fallo: {bug}.",
    ),
    "question.order.other": (
        "That is what this bug gives when the pass walks {order}.",
        "Eso es lo que da este fallo cuando la pasada recorre {order}.",
    ),
    "question.order.bug": (
        "The bug asked about is another: {bug}.",
        "El fallo por el que se pregunta es otro: {bug}.",
    ),
    "question.hint.order": (
        "Take the turns in the given order; each time that something is sent to {name}, write down what "
        "{name} "
        "holds then.",
        "Siga los turnos en el orden dado; cada vez que algo se envía a {name}, anote lo que tiene {name} "
        "en ese momento.",
    ),
    "question.reveal.turn": ("turn of {node}: {sent}", "turno de {node}: {sent}"),
    "question.reveal.end": ("at the end: {numbers}", "al final: {numbers}"),
    # ---- difference
    "question.difference": (
        "The output {output} was computed at three values of {about}, a step of {step} apart. What is the "
        "central difference for {about}?",
        "La salida {output} se calculó con tres valores de {about}, cada uno a {step} del anterior. ¿Cuál "
        "es la diferencia central para {about}?",
    ),
    "question.difference.bad": (
        "a central difference is about an input and a step above 0; about={about} h={step} is not that",
        "una diferencia central necesita una entrada y una distancia mayor que 0; about={about} h={step} no "
        "lo son",
    ),
    "question.slip.rise": (
        "That is how much the output changed; divide it by how far apart the two inputs are.",
        "Eso es lo que cambió la salida; divídalo entre la distancia que hay entre las dos entradas.",
    ),
    "question.slip.half_step": (
        "That was divided by {step}; the two inputs are twice that far apart.",
        "Eso se dividió entre {step}; las dos entradas están al doble de esa distancia.",
    ),
    "question.slip.backwards": (
        "The size is right; the subtraction goes the other way round: the value at the larger input comes "
        "first.",
        "El tamaño es correcto; la resta va al revés: primero el valor en la entrada mayor.",
    ),
    "question.slip.one_side": (
        "That is the difference to one side only; the central one is taken between the two outer values.",
        "Esa es la diferencia hacia un solo lado; la central se toma entre los dos valores de los extremos.",
    ),
    "question.slip.times_step": (
        "That was multiplied by the distance of the inputs; it is to be divided by it.",
        "Eso se multiplicó por la distancia entre las entradas; hay que dividir entre ella.",
    ),
    "question.slip.upside_down": (
        "That is upside down: the change of the output is divided by the change of the input.",
        "Está al revés: el cambio de la salida se divide entre el cambio de la entrada.",
    ),
    "question.slip.value": (
        "That is the value of the output in the middle; the question is about its slope.",
        "Ese es el valor de la salida en el centro; se pide su pendiente.",
    ),
    "question.hint.difference": (
        "Take the output at the largest {about} minus the output at the smallest, and divide by how far "
        "apart these two values of {about} are.",
        "Tome la salida con el mayor valor de {about}, réstele la salida con el menor y divida entre la "
        "distancia que hay entre esos dos valores de {about}.",
    ),
    "question.reveal.difference": ("the central difference is {made}", "la diferencia central es {made}"),
    "question.reveal.slope": (
        "the gradient of {about} by the pass is {grad}",
        "el gradiente de {about} según la pasada es {grad}",
    ),
}
