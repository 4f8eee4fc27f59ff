"""Sentences of the explanation of one weight of a saved step."""

ROWS: dict[str, tuple[str, str]] = {
    "weight.title": ("The gradient of {name}", "El gradiente de {name}"),
    # ---- the step ---------------------------------------------------------------------------------
    "weight.step": ("The saved step", "El paso guardado"),
    "weight.step.line": (
        "{task}, seed {seed}: step {step} of {steps} comes next",
        "{task}, semilla {seed}: sigue el paso {step} de {steps}",
    ),
    "weight.step.over": (
        "{task}, seed {seed}: all {steps} steps are done; this would be step {step}",
        "{task}, semilla {seed}: los {steps} pasos están hechos; este sería el paso {step}",
    ),
    "weight.examples.one": ("its example: {shown}", "su ejemplo: {shown}"),
    "weight.examples.many": ("its {count} examples: {shown}", "sus {count} ejemplos: {shown}"),
    "weight.examples.more": ("and {count} more", "y {count} más"),
    "weight.loss": ("its loss: {loss}", "su pérdida: {loss}"),
    # ---- the weight -------------------------------------------------------------------------------
    "weight.weight": ("The weight", "El peso"),
    "weight.value": ("value", "valor"),
    "weight.gradient": ("gradient", "gradiente"),
    # ---- its paths --------------------------------------------------------------------------------
    "weight.paths": ("Its gradient as a sum over paths", "Su gradiente como suma de caminos"),
    "weight.none": (
        "No path leads from it to this loss: the examples of this step do not use it, so its gradient is 0.",
        "Ningún camino lleva de él a esta pérdida: los ejemplos de este paso no lo usan; su gradiente es 0.",
    ),
    "weight.count": (
        "{count} paths lead from it to the loss.",
        "{count} caminos llevan de él a la pérdida.",
    ),
    "weight.count.one": (
        "{count} path leads from it to the loss.",
        "{count} camino lleva de él a la pérdida.",
    ),
    "weight.exactly": ("about {about} (exactly {count})", "unos {about} (exactamente {count})"),
    "weight.idle": (
        "{count} of them carry nothing: they go through a slope of 0, such as a relu that is off.",
        "{count} de ellos no llevan nada: pasan por una pendiente de 0, como una relu apagada.",
    ),
    "weight.legend.language": (
        "In the routes, head[2][5] is output 5 of the module head at position 2 of the text, both counted "
        "from 0; head(2) would be the second time that it is used in this step.",
        "En las rutas, head[2][5] es la salida 5 del módulo head en la posición 2 del texto, ambas contadas "
        "desde 0; head(2) sería la segunda vez que se usa en este paso.",
    ),
    "weight.legend.points": (
        "In the routes, neurons.3(7) is neuron 3 when it is used the seventh time, on the seventh example.",
        "En las rutas, neurons.3(7) es la neurona 3 cuando se usa por séptima vez, con el séptimo ejemplo.",
    ),
    "weight.slot": ("{op} by argument {slot}", "{op} por el argumento {slot}"),
    "weight.route.loss": ("the loss", "la pérdida"),
    "weight.rest.none": (
        "There is no exact remainder, because not all of these are finite numbers.",
        "No hay resto exacto, porque no todos estos son números finitos.",
    ),
    "weight.sum.listed": ("listed above ({count})", "en la lista ({count})"),
    "weight.sum.rest": ("all the other {count} together", "todos los otros {count} juntos"),
    "weight.sum.rest.one": ("the other {count}", "el otro ({count})"),
    "weight.sum.rounding": ("what roundings make", "lo que hacen los redondeos"),
    "weight.sum.all": ("the gradient, exactly", "el gradiente, exactamente"),
    # ---- what checks it ---------------------------------------------------------------------------
    "weight.check": ("Check", "Comprobación"),
    "weight.engine.same": (
        "the engine's own pass: {number}, the same to the last bit",
        "el paso del propio motor: {number}, igual hasta el último bit",
    ),
    "weight.engine.other": (
        "the engine's own pass: {number}, which is NOT the same",
        "el paso del propio motor: {number}, que NO es igual",
    ),
    "weight.central.agrees": (
        "central differences, the model run again with this weight moved: {number} ± {error}, agrees",
        "diferencias centrales, evaluando otra vez con el peso movido: {number} ± {error}, concuerda",
    ),
    "weight.central.disagrees": (
        "central differences, the model run again with this weight moved: {number} ± {error}, DISAGREES",
        "diferencias centrales, evaluando otra vez con el peso movido: {number} ± {error}, NO concuerda",
    ),
    "weight.central.kink": (
        "central differences cannot tell: the loss has a kink here, where a relu turns on or off "
        "({number} ± {error})",
        "las diferencias centrales no pueden decirlo: la pérdida tiene aquí un punto anguloso, donde una "
        "relu se enciende o se apaga ({number} ± {error})",
    ),
    "weight.central.rounding": (
        "central differences cannot tell: roundings hide it ({number} ± {error})",
        "las diferencias centrales no pueden decirlo: los redondeos lo ocultan ({number} ± {error})",
    ),
    "weight.central.range": (
        "central differences cannot tell: something here is not finite ({number} ± {error})",
        "las diferencias centrales no pueden decirlo: algo aquí no es finito ({number} ± {error})",
    ),
    # ---- what comes of it -------------------------------------------------------------------------
    "weight.next": ("What the step will do", "Qué hará el paso"),
    "weight.next.moves": (
        "{optimiser}, at a learning rate of {lr}, will move it by {moved}: from {before} to {after}",
        "{optimiser}, con una tasa de aprendizaje de {lr}, lo moverá en {moved}: de {before} a {after}",
    ),
    "weight.next.stays": (
        "{optimiser}, at a learning rate of {lr}, will leave it at {before}",
        "{optimiser}, con una tasa de aprendizaje de {lr}, lo deja en {before}",
    ),
    "weight.next.none": (
        "Nothing: the loss or a gradient is not a number, and such a step is not taken",
        "Nada: la pérdida o un gradiente no es un número, y un paso así no se da",
    ),
    # ---- the list ---------------------------------------------------------------------------------
    "weight.list": (
        "Its arrays, and the gradients of this step",
        "Sus arreglos, y los gradientes de este paso",
    ),
    "weight.list.array": ("array", "arreglo"),
    "weight.list.shape": ("shape", "forma"),
    "weight.list.rms": ("rms of its gradients", "rms de sus gradientes"),
    "weight.list.largest": ("largest one", "el mayor"),
    "weight.list.place": ("at", "en"),
    "weight.list.how": (
        "To explain one weight: --weight '{name}'",
        "Para explicar un peso: --weight '{name}'",
    ),
    # ---- what cannot be ---------------------------------------------------------------------------
    "weight.unknown": (
        "there is no weight {given}; write one such as {known} (without --weight, all are listed)",
        "no hay ningún peso {given}; escriba uno como {known} (sin --weight se listan todos)",
    ),
    "weight.unknown.close": (
        "there is no weight {given}; did you mean {known}? (without --weight, all are listed)",
        "no hay ningún peso {given}; ¿quiso decir {known}? (sin --weight se listan todos)",
    ),
    "weight.outside": (
        "{given} is not one weight of an array of {shape}: write {first} up to {last}",
        "{given} no es un peso de un arreglo de {shape}: escriba de {first} a {last}",
    ),
    "weight.single": (
        "{given} has a place too many: {name} is one weight, write {name}",
        "{given} tiene un lugar de más: {name} es un solo peso, escriba {name}",
    ),
    "weight.constant": (
        "{name} is a constant: it is not trained, so it has no gradient; name a weight that is trained",
        "{name} es una constante: no se entrena, así que no tiene gradiente; nombre un peso que se entrene",
    ),
    "weight.keep": (
        "{given} is not a number of paths: write a whole number from 0 to {most}",
        "{given} no es una cantidad de caminos: escriba un número entero de 0 a {most}",
    ),
}
