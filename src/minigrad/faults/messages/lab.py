"""Sentences of the break lab."""

ROWS = {
    # ---- what was asked for -----------------------------------------------------------------------
    "lab.unknown": (
        "there is no fault {given}; minigrad break --list shows all of them",
        "no existe el fallo {given}; minigrad break --list los muestra todos",
    ),
    "lab.unknown.close": (
        "there is no fault {given}; did you mean {close}? (minigrad break --list shows all of them)",
        "no existe el fallo {given}; ¿quiso decir {close}? (minigrad break --list los muestra todos)",
    ),
    "lab.subject": (
        "a lab needs a Graph, a Value or a text, and {given} is none of these",
        "el laboratorio necesita un Graph, un Value o un texto, y {given} no es nada de eso",
    ),
    "lab.no_gradient": (
        "there is no gradient to break: the output does not depend on any input; use one, as in a*b",
        "no hay gradiente que romper: la salida no depende de ninguna entrada; use alguna, como en a*b",
    ),
    "lab.nothing": (
        'on this graph {slug} finds nothing to break; try it on its own: "{smallest}"',
        'en este grafo {slug} no encuentra nada que romper; pruébelo en el suyo: "{smallest}"',
    ),
    "lab.variant.none": (
        "{slug} has no variants, so {given} cannot be one; leave it out",
        "{slug} no tiene variantes, así que {given} no puede ser una; omítala",
    ),
    "lab.variant.unknown": (
        "{slug} has no variant {given} on this graph; here it has {known}",
        "{slug} no tiene la variante {given} en este grafo; aquí tiene {known}",
    ),
    # ---- the sections -----------------------------------------------------------------------------
    "lab.title": ("Break lab: {name}", "Laboratorio de fallos: {name}"),
    "lab.section.broken": ("What is broken", "Qué se rompe"),
    "lab.section.hypothesis": ("Hypothesis", "Hipótesis"),
    "lab.section.change": (
        "The change, in faults/specimen.py, a readable engine",
        "El cambio, en faults/specimen.py, un motor legible",
    ),
    "lab.section.run": ("The run", "La ejecución"),
    "lab.section.survivors": ("Which gradients survive, and why", "Qué gradientes sobreviven, y por qué"),
    "lab.section.log": ("The instrumented lines", "Las líneas instrumentadas"),
    "lab.section.hides": ("Where it hides", "Dónde se esconde"),
    "lab.section.lesson": ("The lesson", "La lección"),
    "lab.seen": (
        "{count} of {all} public engines have a bug of this kind",
        "{count} de {all} motores públicos tienen un fallo de este tipo",
    ),
    "lab.case": ("public case: {case}", "caso público: {case}"),
    "lab.graph": ("the graph of {output}, {count} nodes", "el grafo de {output}, {count} nodos"),
    "lab.variants": (
        "other variants here (--variant): {variants}",
        "otras variantes aquí (--variant): {variants}",
    ),
    # ---- hypothesis -------------------------------------------------------------------------------
    "lab.ask.owed": ("{name} is owed {terms}", "{name} debe recibir {terms}"),
    "lab.ask.more": ("... and {count} more", "... y {count} más"),
    "lab.ask.sum": (
        "Which of these will be left at the end, and does that depend on the order?",
        "¿Cuáles quedarán al final, y depende eso del orden?",
    ),
    "lab.ask.sum.none": (
        "No node here is owed more than one contribution. Will anything come out wrong?",
        "Aquí a ningún nodo le corresponde más de una contribución. ¿Saldrá algo mal?",
    ),
    "lab.ask.used": ("{name} is used {count} times: in {where}", "{name} se usa {count} veces: en {where}"),
    "lab.ask.order": (
        "Will it have heard from all of them when its turn comes, and will it have one turn only?",
        "Cuando llegue su turno, ¿habrá recibido ya todo, y tendrá un solo turno?",
    ),
    "lab.ask.order.none": (
        "No node between the inputs and the output is used twice. Can the order matter at all?",
        "Ningún nodo entre las entradas y la salida se usa dos veces. ¿Puede importar el orden?",
    ),
    "lab.ask.seed": (
        "The pass starts from d{output}/d{output} = 1. What becomes of {names} if it starts differently?",
        "La pasada parte de d{output}/d{output} = 1. ¿Qué será de {names} si parte de otra cosa?",
    ),
    "lab.ask.upstream": (
        "{count} of {all} ops have an upstream gradient other than 1 ({grads}). Which inputs are below them?",
        "{count} de {all} operaciones tienen un gradiente entrante distinto de 1 ({grads}). ¿Qué entradas "
        "quedan debajo?",
    ),
    "lab.ask.upstream.none": (
        "Every op here has an upstream gradient of 1. Can a mistake with that factor show at all?",
        "Aquí cada operación tiene un gradiente entrante de 1. ¿Puede notarse un error en ese factor?",
    ),
    "lab.ask.data": (
        "{output}.data is {data} and {output}.grad is {grad}. Which numbers turn up below if the two kinds "
        "are mixed up?",
        "{output}.data es {data} y {output}.grad es {grad}. ¿Qué números aparecerán más abajo si se "
        "confunden los dos tipos?",
    ),
    "lab.ask.repeated": (
        "In {made}, {name} stands in {count} slots. How much of its gradient will arrive?",
        "En {made}, {name} ocupa {count} ranuras. ¿Cuánto de su gradiente llegará?",
    ),
    "lab.ask.factor": ("{local} for {name}", "{local} para {name}"),
    "lab.ask.locals": (
        "{made} has the local derivatives {parts}",
        "{made} tiene las derivadas locales {parts}",
    ),
    "lab.ask.locals.one": (
        "{made} has the local derivative {parts}",
        "{made} tiene la derivada local {parts}",
    ),
    "lab.ask.slots": (
        "What if a slot is lost, or the two are exchanged?",
        "¿Y si se pierde una ranura, o se intercambian las dos?",
    ),
    "lab.ask.record": (
        "{count} ops stand between {output} and {names}. Who gets too little, and who too much, if one of "
        "them is not recorded as it was computed?",
        "Hay {count} operaciones entre {output} y {names}. ¿Quién recibirá de menos, y quién de más, si una "
        "de ellas no se registra tal como se calculó?",
    ),
    "lab.ask.record.one": (
        "{count} op stands between {output} and {names}. What arrives if it is not recorded as it was "
        "computed?",
        "Hay {count} operación entre {output} y {names}. ¿Qué llegará si no se registra tal como se calculó?",
    ),
    "lab.ask.state": (
        "This is not the only pass. What is in .grad and .data of {names} when it begins, and when somebody "
        "reads the result?",
        "Esta no es la única pasada. ¿Qué hay en .grad y .data de {names} cuando empieza, y cuando "
        "alguien lee el resultado?",
    ),
    "lab.ask.rule": (
        "Which gradients change if {op} has another rule, and which do not?",
        "¿Qué gradientes cambian si {op} tiene otra regla, y cuáles no?",
    ),
    "lab.ask.forward": (
        "{made} = {value}. If this is computed wrongly, does the value show it, the gradient, or both?",
        "{made} = {value}. Si esto se calcula mal, ¿se nota en el valor, en el gradiente o en ambos?",
    ),
    # ---- the run ----------------------------------------------------------------------------------
    "lab.run.endless": (
        "The pass was given up: it visits shared nodes again and again, and would not end in good time.",
        "La pasada se abandonó: visita una y otra vez los nodos compartidos, y no acabaría en un tiempo "
        "razonable.",
    ),
    "lab.run.value": (
        "the value itself is wrong: {name} = {broken}, and {right} is right",
        "el propio valor está mal: {name} = {broken}, y lo correcto es {right}",
    ),
    "lab.run.order": ("order", "orden"),
    "lab.run.right": ("right, all {count} orders", "correcto, los {count} órdenes"),
    "lab.run.right.one": ("right", "correcto"),
    "lab.run.right.many": ("right, any order", "correcto, en cualquier orden"),
    "lab.run.such": ("{count} orders, as {order}", "{count} órdenes, como {order}"),
    "lab.run.such.one": ("{count} order, {order}", "{count} orden, {order}"),
    "lab.run.mark": ("{mark} wrong", "{mark} incorrecto"),
    "lab.run.columns": ("{count} more inputs are not shown", "no se muestran {count} entradas más"),
    "lab.run.steady": (
        "The right pass gives the same gradients whichever valid order it walks.",
        "La pasada correcta da los mismos gradientes en cualquier orden válido.",
    ),
    "lab.run.own": (
        "The broken pass walks an order of its own, whatever the valid ones are.",
        "La pasada rota recorre un orden propio, sean cuales sean los válidos.",
    ),
    "lab.run.only": (
        "The ops have only this one valid order.",
        "Las operaciones solo tienen este orden válido.",
    ),
    "lab.run.every": (
        "Every valid order gives this: the bug does not depend on the order.",
        "Todos los órdenes válidos dan esto: el fallo no depende del orden.",
    ),
    "lab.run.results": (
        "The broken pass gives {count} different results.",
        "La pasada rota da {count} resultados distintos.",
    ),
    "lab.run.cut": (
        "There are too many orders to follow all of them: these are {count} results of a sample.",
        "Hay demasiados órdenes para recorrerlos todos: son {count} resultados de una muestra.",
    ),
    "lab.run.never": (
        "No valid order gives {gradients}.",
        "Ningún orden válido da {gradients}.",
    ),
    "lab.run.nobody": ("nobody has a turn", "nadie tiene turno"),
    "lab.run.nor": (" or ", " ni "),
    "lab.run.hidden": (
        "On this graph the bug does not show: every gradient is right.",
        "En este grafo el fallo no se nota: todos los gradientes son correctos.",
    ),
    # ---- contributions ----------------------------------------------------------------------------
    "lab.term.seed": ("the seed, {amount},", "la semilla, {amount},"),
    "lab.term.outside": ("{amount} that no message brought", "{amount} que no trajo ningún mensaje"),
    "lab.term.kept": ("kept {terms}", "conserva {terms}"),
    "lab.term.lost": ("lost {terms}", "pierde {terms}"),
    "lab.term.changed": ("{term} arrived as {amount}", "{term} llegó como {amount}"),
    "lab.term.more": ("{count} more changed", "otras {count} cambiaron"),
    "lab.term.extra": ("not due: {terms}", "no correspondía: {terms}"),
    "lab.account.wrong": (
        "{name}: {got} in place of {expected}: {why}",
        "{name}: {got} en lugar de {expected}: {why}",
    ),
    "lab.account.right": ("{name}: {got}, right: {why}", "{name}: {got}, correcto: {why}"),
    "lab.account.nonetheless": (
        "{name}: {got}, right nonetheless: {why}",
        "{name}: {got}, correcto a pesar de todo: {why}",
    ),
    "lab.account.one": ("its one contribution arrived, {term}", "llegó su única contribución, {term}"),
    "lab.account.all": (
        "all {count} contributions arrived and were added up",
        "llegaron las {count} contribuciones y se sumaron",
    ),
    "lab.in_order": ("in the order {order}:", "en el orden {order}:"),
    "lab.between": ("in between:", "en los nodos intermedios:"),
    # ---- the log ----------------------------------------------------------------------------------
    "lab.log.intro": (
        "with a print at each delivery, this is where it leaves the right pass:",
        "con un print en cada entrega, aquí se aparta de la pasada correcta:",
    ),
    "lab.log.none": (
        "every message is what it should be",
        "todos los mensajes son como deben ser",
    ),
    "lab.log.sends": ("{name} sends", "envía {name}:"),
    "lab.log.start": ("at first", "al inicio"),
    "lab.log.end": ("at last", "al final"),
    "lab.log.nothing": ("nothing to {name}", "nada a {name}"),
    "lab.log.right": ("right: {due}", "correcto: {due}"),
    "lab.log.again": ("once too often", "una vez de más"),
    "lab.log.extra": ("nothing is due here", "aquí no corresponde nada"),
    "lab.log.early": (
        "too early: {name}.grad is {now}, and not yet {grad}",
        "antes de tiempo: {name}.grad es {now}, y aún no {grad}",
    ),
    # ---- where it hides ---------------------------------------------------------------------------
    "lab.hides": (
        "the bug is at work here, and every number is right: {gradients}",
        "aquí el fallo está presente, y todos los números son correctos: {gradients}",
    ),
    "lab.hides.variant": ("here: {name}", "aquí: {name}"),
    "lab.hides.nowhere": (
        "Nowhere among the small graphs that were tried: wherever it is at work, it shows.",
        "En ninguno de los grafos pequeños que se probaron: donde está presente, se nota.",
    ),
    # ---- predictions ------------------------------------------------------------------------------
    "lab.guess.untouched": (
        "{name}: {guess}, as you said: the bug leaves it alone",
        "{name}: {guess}, como dijo: el fallo no lo toca",
    ),
    "lab.guess.foreseen": (
        "{name}: {guess}, as you said, where {expected} is right",
        "{name}: {guess}, como dijo, y lo correcto es {expected}",
    ),
    "lab.guess.right": (
        "{name}: {guess} is the right gradient, and the broken pass gives {got}",
        "{name}: {guess} es el gradiente correcto, y la pasada rota da {got}",
    ),
    "lab.guess.order": (
        "{name}: {guess} is what the order {order} gives; this one gives {got}, and {expected} is right",
        "{name}: {guess} es lo que da el orden {order}; este da {got}, y lo correcto es {expected}",
    ),
    "lab.guess.term": (
        "{name}: {guess} is one contribution, {term}; the broken pass gives {got}, and {expected} is right",
        "{name}: {guess} es una contribución sola, {term}; la pasada rota da {got}; lo correcto es "
        "{expected}",
    ),
    "lab.guess.opposite": (
        "{name}: {guess} has the other sign: the broken pass gives {got}, and {expected} is right",
        "{name}: {guess} tiene el signo contrario: la pasada rota da {got}, y lo correcto es {expected}",
    ),
    "lab.guess.other": (
        "{name}: you said {guess}; the broken pass gives {got}, and {expected} is right",
        "{name}: dijo {guess}; la pasada rota da {got}, y lo correcto es {expected}",
    ),
    "lab.guess.count": ("{count} of {all} foreseen", "{count} de {all} previstas"),
    "lab.guess.none": ("No prediction was made.", "No se hizo ninguna predicción."),
    # ---- the order explorer -----------------------------------------------------------------------
    "lab.scrub.order": ("order {number} of {count}", "orden {number} de {count}"),
    "lab.scrub.result": (
        "result {number} of {count}, of {orders} orders; one of them:",
        "resultado {number} de {count}, de {orders} órdenes; uno de ellos:",
    ),
    "lab.scrub.sample": (
        "result {number} of {count} in a sample of the orders",
        "resultado {number} de {count} en una muestra de los órdenes",
    ),
    "lab.scrub.right": ("right", "correcto"),
    "lab.scrub.broken": ("broken", "roto"),
}
