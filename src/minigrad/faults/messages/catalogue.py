"""Sentences about the catalogue of faults: all of them at once, their families, and what each teaches."""

ROWS = {
    # ---- all faults at once -----------------------------------------------------------------------
    "overview.title": ("What each fault does here", "Qué hace aquí cada fallo"),
    "overview.right": ("The gradients", "Los gradientes"),
    "overview.rest": ("All in all", "En resumen"),
    "overview.endless": ("does not come to an end", "no llega a terminar"),
    "overview.counts": (
        "{showing} of {all} faults show on this graph, in the newest-first order (* wrong).",
        "{showing} de {all} fallos se notan en este grafo, en el orden del nodo más reciente al más antiguo "
        "(* incorrecto).",
    ),
    "overview.hidden": (
        "{count} are at work and stay hidden: {listed}",
        "{count} están presentes y no se notan: {listed}",
    ),
    "overview.idle": (
        "{count} find nothing to break here.",
        "{count} no encuentran aquí nada que romper.",
    ),
    "overview.untried": (
        "Not tried on a graph of this size: {listed}",
        "No se probaron en un grafo de este tamaño: {listed}",
    ),
    "overview.suggestion": (
        "To look at one of them, write its name first: minigrad break {slug} ...",
        "Para ver uno de ellos, escriba primero su nombre: minigrad break {slug} ...",
    ),
    "listing.title": ("The catalogue of faults", "El catálogo de fallos"),
    "listing.what": ("...", "…"),
    "listing.how": (
        "{count} faults; the number says how many of {all} public engines have a bug of that kind, the line "
        "below names a public case. To see one at work: minigrad break overwrite",
        "{count} fallos; el número dice cuántos de {all} motores públicos tienen un fallo de ese tipo, y la "
        "línea de debajo nombra un caso público. Para ver uno en acción: minigrad break overwrite",
    ),
    "family.sum": ("The sum: contributions add up", "La suma: las contribuciones se suman"),
    "family.order": ("The order: whose turn it is", "El orden: a quién le toca"),
    "family.seed": ("The seed: where the pass starts", "La semilla: de dónde parte la pasada"),
    "family.upstream": ("The message: local times upstream", "El mensaje: local por gradiente entrante"),
    "family.data-or-grad": ("data and grad, mixed up", "data y grad, confundidos"),
    "family.slots": ("The slots: which operand gets what", "Las ranuras: qué recibe cada operando"),
    "family.record": ("The record: the graph as written down", "El registro: el grafo tal como se anotó"),
    "family.state": ("The state: what earlier passes left", "El estado: lo que dejaron otras pasadas"),
    "family.rule": ("The rules: local derivatives", "Las reglas: derivadas locales"),
    "family.reflected": ("Reflected operators: 2 - a", "Operadores reflejados: 2 - a"),
    "family.numeric": ("Numbers: overflow and lost digits", "Números: desbordamiento y cifras perdidas"),
    "family.forward": ("The value itself", "El propio valor"),
    # ---- lessons ----------------------------------------------------------------------------------
    "lesson.sum": (
        "A gradient is one contribution per path, added up. Test with a graph in which something is used "
        "twice, and with contributions that differ.",
        "Un gradiente es una contribución por camino, y todas se suman. Pruebe con un grafo en el que algo "
        "se use dos veces, y con contribuciones distintas.",
    ),
    "lesson.order": (
        "A node sends once, and only when all that it is owed has arrived. Test with a node in the middle "
        "that two others use, one of them further from the output.",
        "Un nodo envía una sola vez, y solo cuando ha llegado todo lo que le corresponde. Pruebe con un nodo "
        "intermedio que usen otros dos, uno de ellos más lejos de la salida.",
    ),
    "lesson.seed": (
        "Every gradient is a multiple of the number that the pass starts from. When all of them are off by "
        "one factor, look at the start and not at the rules.",
        "Cada gradiente es un múltiplo del número del que parte la pasada. Si todos fallan por un mismo "
        "factor, mire el comienzo y no las reglas.",
    ),
    "lesson.upstream": (
        "A message is the local derivative times the upstream gradient. An upstream gradient of 1 hides "
        "every mistake with that factor, so put another op on top.",
        "Un mensaje es la derivada local por el gradiente entrante. Un gradiente entrante de 1 esconde "
        "cualquier error en ese factor, así que ponga otra operación encima.",
    ),
    "lesson.data-or-grad": (
        "data says what a node is, grad what it does to the output. Choose inputs for which the two are "
        "different numbers, and a mix-up cannot hide.",
        "data dice cuánto vale un nodo; grad, qué efecto tiene en la salida. Elija entradas en las que sean "
        "números distintos, y una confusión no podrá esconderse.",
    ),
    "lesson.slots": (
        "An op has a place for each operand, in order, and one operand may have two. Test a*a beside a*b, "
        "and a - b beside a + b.",
        "Una operación tiene un lugar para cada operando, en orden, y un operando puede ocupar dos. Pruebe "
        "a*a además de a*b, y a - b además de a + b.",
    ),
    "lesson.record": (
        "A pass follows the graph that was written down, not the formula that was meant. Compare the two "
        "when a gradient is 0 and should not be.",
        "La pasada sigue el grafo que quedó registrado, no la fórmula que se pensó. Compare ambos cuando un "
        "gradiente sea 0 y no deba serlo.",
    ),
    "lesson.state": (
        "What one pass leaves behind, the next one finds. Run the test twice: the += that adds up paths "
        "adds up passes as well.",
        "Lo que una pasada deja, la siguiente lo encuentra. Ejecute la prueba dos veces: el += que suma "
        "caminos suma también pasadas.",
    ),
    "lesson.rule": (
        "A local rule is a claim about one op. Hold it against a difference quotient of that op alone, at "
        "a point where nothing is 0, 1 or equal.",
        "Una regla local es una afirmación sobre una operación. Contrástela con un cociente incremental de "
        "esa operación sola, en un punto donde nada sea 0, 1 ni igual.",
    ),
    "lesson.reflected": (
        "2 - a is not a - 2: with the number on the left Python calls another method. Test every operator "
        "from both sides.",
        "2 - a no es a - 2: con el número a la izquierda, Python llama a otro método. Pruebe cada operador "
        "por ambos lados.",
    ),
    "lesson.numeric": (
        "A formula that is right on paper can overflow, or lose its digits. Test far from 0 and close to "
        "it, not at 1 alone.",
        "Una fórmula correcta sobre el papel puede desbordarse o perder cifras. Pruebe lejos de 0 y cerca de "
        "él, no solo en 1.",
    ),
    "lesson.forward": (
        "A gradient can be the exact derivative of a wrong value, and a gradient check will agree with it. "
        "Check the value as well.",
        "Un gradiente puede ser la derivada exacta de un valor equivocado, y una comprobación de gradientes "
        "le dará la razón. Compruebe también el valor.",
    ),
}
