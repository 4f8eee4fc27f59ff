"""Sentences of explanations."""

ROWS = {
    "view.unknown": (
        "there is no view {given}; the views are {known}",
        "no existe la vista {given}; las vistas son {known}",
    ),
    "view.drawn": (
        "{given} is a drawing; write --out {given}.svg, {given}.png or {given}.html",
        "{given} es un dibujo; escriba --out {given}.svg, {given}.png o {given}.html",
    ),
    "view.title.forward": ("Forward pass", "Pasada hacia delante"),
    "view.title.order": ("Backward order", "Orden de la pasada hacia atrás"),
    "view.title.walk": (
        "Backward pass, one contribution per line",
        "Pasada hacia atrás, una contribución por línea",
    ),
    "view.title.ledger": ("Each gradient as a sum over paths", "Cada gradiente como suma sobre caminos"),
    "view.title.meaning": ("What the gradients mean", "Qué significan los gradientes"),
    "view.title.thermometer": ("Thermometer", "Termómetro"),
    "view.title.check": ("Check", "Comprobación"),
    "view.title.waterfall": (
        "Waterfall: down the pass forward, up the pass backward",
        "Cascada: bajando hacia delante, subiendo hacia atrás",
    ),
    "view.undrawn": (
        "there is no drawing {given}; the drawings are {known}",
        "no existe el dibujo {given}; los dibujos son {known}",
    ),
    "theme.unknown": (
        "there is no theme {given}; the themes are {known}",
        "no existe el tema {given}; los temas son {known}",
    ),
    "markdown.title": ("The gradients of {output}, explained", "Los gradientes de {output}, explicados"),
    "order.only": (
        "newest first; the ops have no other valid order",
        "primero el nodo más reciente; las operaciones no tienen otro orden válido",
    ),
    "order.one_of": (
        "newest first; one of {count} valid orders of the ops, and all give the same gradients",
        "primero el nodo más reciente; uno de {count} órdenes válidos de las operaciones, y todos dan "
        "los mismos gradientes",
    ),
    "order.many": (
        "newest first; one of more than {count} valid orders of the ops, and all give the same gradients",
        "primero el nodo más reciente; uno de más de {count} órdenes válidos de las operaciones, y todos "
        "dan los mismos gradientes",
    ),
    "order.asked": (
        "as asked for; one of {count} valid orders of the ops, and all give the same gradients",
        "como se pidió; uno de {count} órdenes válidos de las operaciones, y todos dan los mismos gradientes",
    ),
    "order.asked.many": (
        "as asked for; one of more than {count} valid orders of the ops, and all give the same gradients",
        "como se pidió; uno de más de {count} órdenes válidos de las operaciones, y todos dan los mismos "
        "gradientes",
    ),
    "order.reverse": (
        "read from the end, a topological order: {names}",
        "leído desde el final, un orden topológico: {names}",
    ),
    "order.unreached": (
        "newest first; no message reaches {names}",
        "primero el nodo más reciente; ningún mensaje llega a {names}",
    ),
    "walk.seed": ("start: d{output}/d{output}", "inicio: d{output}/d{output}"),
    "walk.upstream": ("upstream", "gradiente entrante"),
    "walk.condition": ("no message, a condition gets none", "sin mensaje, una condición no lo recibe"),
    "walk.no_message": ("no message, the branch was not taken", "sin mensaje, la rama no se tomó"),
    "ledger.unreached": ("no message reaches it", "ningún mensaje le llega"),
    "ledger.unused": ("the output does not depend on it", "la salida no depende de ella"),
    "meaning.input": ("node", "nodo"),
    "meaning.seed": ("the output itself: the seed", "la propia salida: la semilla"),
    "meaning.data": ("data", "valor"),
    "meaning.grad": ("grad", "grad"),
    "meaning.meaning": ("meaning", "significado"),
    "meaning.up": (
        "if {input} grows a little, {output} grows {times} times as much",
        "si {input} crece un poco, {output} crece {times} veces esa cantidad",
    ),
    "meaning.down": (
        "if {input} grows a little, {output} falls {times} times as much",
        "si {input} crece un poco, {output} baja {times} veces esa cantidad",
    ),
    "meaning.same.up": (
        "if {input} grows a little, {output} grows just as much",
        "si {input} crece un poco, {output} crece lo mismo",
    ),
    "meaning.same.down": (
        "if {input} grows a little, {output} falls just as much",
        "si {input} crece un poco, {output} baja lo mismo",
    ),
    "meaning.kink": (
        "a kink: {output} changes by a factor of {right} if {input} grows, {left} if it falls",
        "punto anguloso: {output} cambia con factor {right} si {input} crece, {left} si baja",
    ),
    "meaning.rough": (
        "{output} jumps here or turns too fast: the gradient says little about a step",
        "{output} salta aquí o cambia demasiado rápido: el gradiente dice poco de un paso",
    ),
    "meaning.flat": (
        "if {input} grows a little, {output} does not move",
        "si {input} crece un poco, {output} no cambia",
    ),
    "meaning.undefined": (
        "how {output} responds to {input} is undefined here",
        "la respuesta de {output} a {input} no está definida aquí",
    ),
    "thermometer.leverage": (
        "{first} moves {output} {times} times as much as {second}",
        "el efecto de {first} en {output} es {times} veces el de {second}",
    ),
    "thermometer.as_much": (
        "{first} moves {output} as much as {second}",
        "el efecto de {first} en {output} es igual al de {second}",
    ),
    "thermometer.equal": (
        "all of them move {output} equally",
        "todas tienen el mismo efecto en {output}",
    ),
    "check.agrees": (
        "central differences agree on {count} of {count} gradients (largest gap {gap})",
        "las diferencias centrales coinciden en {count} de {count} gradientes (mayor discrepancia {gap})",
    ),
    "check.direction": (
        "central differences agree along one direction through all inputs (gap {gap})",
        "las diferencias centrales coinciden en una dirección que abarca todas las entradas "
        "(discrepancia {gap})",
    ),
    "check.some": (
        "central differences agree on {count} of {all} gradients",
        "las diferencias centrales coinciden en {count} de {all} gradientes",
    ),
    "check.disagrees": (
        "WRONG: for {name} the pass gives {gradient}, differences give {witness} (error bar {error})",
        "INCORRECTO: en {name} la pasada da {gradient} y las diferencias, {witness} (margen de error "
        "{error})",
    ),
    "check.unreliable": (
        "{name}: differences cannot judge here: {why}",
        "{name}: aquí las diferencias no permiten decidir: {why}",
    ),
    "check.all_inputs": ("all inputs together", "todas las entradas juntas"),
    "check.why.kink": (
        "the output has a kink at this point, so the gradient is a convention",
        "es un punto anguloso de la salida, así que el gradiente es una convención",
    ),
    "check.why.range": (
        "the output or its gradient is not finite around this point",
        "la salida o su gradiente no son finitos cerca de este punto",
    ),
    "check.why.rough": (
        "the output jumps at this point, or turns too fast around it",
        "la salida salta en este punto, o cambia demasiado rápido a su alrededor",
    ),
    "check.why.rounding": (
        "no step is long enough for the rounding and short enough for the curve",
        "ningún paso es bastante largo para el redondeo y bastante corto para la curva",
    ),
    "check.by_hand": (
        "not checked: a node was made by hand, so it cannot be computed again at other inputs",
        "sin comprobar: un nodo se creó a mano, así que no se puede recalcular con otras entradas",
    ),
    "check.nothing": (
        "nothing to check: there is no gradient here",
        "nada que comprobar: aquí no hay ningún gradiente",
    ),
    "note": ("note", "nota"),
    "note.title": ("Notes", "Notas"),
    "note.overflow": (
        "{name} is {value}: the result is beyond the largest float, or infinite by nature",
        "{name} es {value}: el resultado supera el mayor float, o es infinito por naturaleza",
    ),
    "note.undefined": (
        "{name} is not a number: its arguments are outside the domain",
        "{name} no es un número: sus argumentos están fuera del dominio",
    ),
    "note.kink": (
        "{name} is {op} exactly at a point where its slope is a convention (see docs/en/numerics.md)",
        "{name} es {op} justo en un punto donde su pendiente es una convención (véase docs/es/numerics.md)",
    ),
    "note.constant": (
        "the output has no inputs, so there is no gradient to compute",
        "la salida no tiene entradas, así que no hay gradiente que calcular",
    ),
    "note.unused": (
        "the output does not depend on {names}",
        "la salida no depende de {names}",
    ),
    "tex.statements": ("The statements", "Las instrucciones"),
    "tex.picture": (
        "The graph: data flows right, gradients flow left",
        "El grafo: los datos van a la derecha, los gradientes a la izquierda",
    ),
    "tex.sums": (
        "Each gradient as a sum, in symbols and in numbers",
        "Cada gradiente como suma, en símbolos y en números",
    ),
    "tex.cut": ("{count} more", "{count} más"),
    "waterfall.turned": (
        "backward: the mirror image, read from its end",
        "hacia atrás: el reflejo, leído desde el final",
    ),
    "told.right": ("right", "correcto"),
    "told.first": ("first order", "primer orden"),
    "told.second": ("second order", "segundo orden"),
}
