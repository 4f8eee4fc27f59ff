"""Sentences of the duel of a right and a broken pass."""

ROWS: dict[str, tuple[str, str]] = {
    # ---- what was asked for -----------------------------------------------------------------------
    "duel.on": (
        "a duel cannot be held on {given}; write --on with one of {known}",
        "un duelo no se puede celebrar en {given}; escriba --on con uno de {known}",
    ),
    "duel.steps": (
        "{given} steps cannot be: a duel takes {least} to {most}, "
        "so that there is time to notice and an end to wait for",
        "{given} pasos no pueden ser: un duelo lleva de {least} a {most}, "
        "para que dé tiempo a notar algo y tenga final",
    ),
    "duel.optimiser": (
        "there is no optimiser {given}; write one of {known}",
        "no existe el optimizador {given}; escriba uno de {known}",
    ),
    "duel.variant": (
        "{slug} has no variant {given} in this model; here it has {known}",
        "{slug} no tiene la variante {given} en este modelo; aquí tiene {known}",
    ),
    "duel.variant.several": (
        "--variant is about one fault, and {count} were named; name one",
        "--variant trata de un solo fallo, y se nombraron {count}; nombre uno",
    ),
    "duel.process": (
        "a process that trained one of the runs was ended from outside, perhaps for want of memory; "
        "name fewer faults or take fewer --steps",
        "un proceso que entrenaba fue terminado desde fuera, quizá por falta de memoria; "
        "nombre menos fallos o use menos --steps",
    ),
    # ---- what it is about -------------------------------------------------------------------------
    "duel.title": (
        "Duel on {on}: a right and a broken backward pass",
        "Duelo en {on}: una pasada hacia atrás correcta y una rota",
    ),
    "duel.title.ranking": (
        "How long each fault hides, on {on}",
        "Cuánto se esconde cada fallo, en {on}",
    ),
    "duel.run.moons": (
        "The same run twice: an MLP 2-{hidden}-1 ({activation}) on {points} points of two moons, {steps} "
        "steps of {batch} points each, {optimiser}, seed {seed}.  The weights, the points and their "
        "order are the same.",
        "El mismo entrenamiento dos veces: un MLP 2-{hidden}-1 ({activation}) con {points} puntos de dos "
        "lunas, {steps} pasos de {batch} puntos cada uno, {optimiser}, semilla {seed}.  Los pesos, los "
        "puntos y su orden son los mismos.",
    ),
    "duel.run.names": (
        "The same run twice: a GPT of width {width} with {heads} heads on names, {steps} steps of one "
        "name each, {optimiser}, seed {seed}.  The weights, the names and their order are the same.",
        "El mismo entrenamiento dos veces: un GPT de anchura {width} con {heads} cabezas, sobre nombres, "
        "{steps} pasos de un nombre cada uno, {optimiser}, semilla {seed}.  Los pesos, los nombres y su "
        "orden son los mismos.",
    ),
    "duel.activation": (
        "The default model has no such op; this bout is fought on the same model with {activation}.",
        "El modelo por defecto no tiene esta operación; este asalto es con el mismo modelo y {activation}.",
    ),
    "duel.forward": (
        "This fault changes the values too.  The broken run learns from what its engine computes; the curve "
        "shows the true loss of its weights, so that both can be compared.",
        "Este fallo cambia también los valores.  El entrenamiento roto aprende de lo que calcula su "
        "motor; la curva muestra la pérdida verdadera de sus pesos, para que ambas se puedan comparar.",
    ),
    "duel.across.kept": (
        "In a loop the gradients of all earlier steps stay in the parameters, and each new one is added "
        "to them: that is what zero_grad is for.",
        "En un bucle los gradientes de todos los pasos anteriores quedan en los parámetros, y cada uno "
        "nuevo se les suma: para eso está zero_grad.",
    ),
    "duel.across.sent-again": (
        "In a loop the graph of the step before sends its gradients once more.  A list that is never emptied "
        "holds all earlier graphs; here only the last one sends again, which is the mildest form.",
        "En un bucle el grafo del paso anterior envía sus gradientes otra vez.  Una lista que nunca se vacía "
        "guarda todos los grafos anteriores; aquí solo envía el último, que es la forma más leve.",
    ),
    "duel.section.run": ("The run", "El entrenamiento"),
    "duel.section.loss": (
        "The loss, averaged over {window} steps",
        "La pérdida, promediada en {window} pasos",
    ),
    "duel.section.gradient": (
        "The broken gradient against the right one, at the same weights",
        "El gradiente roto frente al correcto, con los mismos pesos",
    ),
    "duel.section.end": ("At the end", "Al final"),
    "duel.section.notice": ("When would a person notice?", "¿Cuándo lo notaría una persona?"),
    "duel.section.look": ("What to look for", "En qué fijarse"),
    "duel.section.idle": ("Cannot show here", "No se pueden notar aquí"),
    "duel.section.how": ("How to read this", "Cómo leer esto"),
    "duel.section.ranking": (
        "{count} bouts, what hides longest first",
        "{count} asaltos, primero lo que más se esconde",
    ),
    "duel.right": ("right pass", "pasada correcta"),
    "duel.broken": ("broken pass", "pasada rota"),
    "duel.band": ("{count} right runs, other seeds", "{count} correctos, otras semillas"),
    "duel.limit": ("what makes a person wonder", "lo que hace dudar a una persona"),
    "duel.mark": ("noticed at step {step}", "se nota en el paso {step}"),
    "duel.angle": ("angle", "ángulo"),
    "duel.angle.mean": ("mean of {window} steps", "media de {window} pasos"),
    "duel.percent": ("{percent}%", "{percent} %"),
    # ---- the gradient -----------------------------------------------------------------------------
    "duel.gradient": (
        "In the median step the two are {angle} apart, and the broken one is {ratio} times as long.  "
        "{meaning}",
        "En el paso mediano forman un ángulo de {angle}, y el roto mide {ratio} veces lo que el correcto.  "
        "{meaning}",
    ),
    "duel.gradient.long": (
        "In the median step the two are {angle} apart and of the same length.  {meaning}",
        "En el paso mediano forman un ángulo de {angle} y miden lo mismo.  {meaning}",
    ),
    "duel.gradient.none": (
        "There is no angle: the broken gradient is 0 in every step, and nothing is learned.",
        "No hay ángulo: el gradiente roto es 0 en cada paso, y no se aprende nada.",
    ),
    "duel.gradient.lost": (
        "There is no angle: no step came to its end with a number.",
        "No hay ángulo: ningún paso acabó con un número.",
    ),
    "duel.gradient.equal": (
        "In every step the two are the same.",
        "En cada paso los dos son iguales.",
    ),
    "duel.meaning.same": (
        "The direction is right, as far as a float can tell.",
        "La dirección es correcta, hasta donde alcanza un float.",
    ),
    "duel.meaning.downhill": (
        "Below 90° a small step still goes downhill, if not by the shortest way: a falling loss proves "
        "nothing.",
        "Por debajo de 90° un paso pequeño aún baja, aunque no por el camino más corto: que la pérdida "
        "caiga no demuestra nada.",
    ),
    "duel.meaning.uphill": (
        "Beyond 90° a step goes uphill.",
        "Más allá de 90° un paso sube.",
    ),
    # ---- noticing ---------------------------------------------------------------------------------
    "duel.noticed": (
        "A person would notice at step {step} of {steps}: the loss has been well above those of right "
        "runs for {patience} steps in a row.",
        "Una persona lo notaría en el paso {step} de {steps}: la pérdida lleva {patience} pasos seguidos "
        "muy por encima de las correctas.",
    ),
    "duel.noticed.nan": (
        "A person would notice at step {step} of {steps}: the loss is not a number any more.",
        "Una persona lo notaría en el paso {step} de {steps}: la pérdida ya no es un número.",
    ),
    "duel.noticed.endless": (
        "A person would notice at step {step}: the pass visits nodes again and again and does not come "
        "to an end.",
        "Una persona lo notaría en el paso {step}: la pasada hacia atrás visita los nodos una y otra vez y "
        "no acaba.",
    ),
    "duel.hidden": (
        "By the loss nobody would notice in these {steps} steps: it is never well above those of right runs "
        "for {patience} steps in a row.",
        "Por la pérdida nadie lo notaría en estos {steps} pasos: nunca está {patience} pasos seguidos muy "
        "por encima de las correctas.",
    ),
    "duel.hidden.cost": (
        "It has its price nonetheless: at the end the loss is {broken}, and {right} with the right pass.",
        "Pero tiene un precio: al final la pérdida es {broken}, y con la pasada correcta {right}.",
    ),
    "duel.equal": (
        "It cannot show here: in every step the gradient is the right one.",
        "Aquí no se puede notar: en cada paso el gradiente es el correcto.",
    ),
    "duel.look.noticed": (
        "A fault that shows in the loss is the lucky case.  minigrad break {slug} shows the fault on the "
        "smallest graph; minigrad doctor looks for it in an engine.",
        "Que un fallo se note en la pérdida es tener suerte.  minigrad break {slug} muestra el fallo en el "
        "grafo más pequeño; minigrad doctor lo busca en un motor.",
    ),
    "duel.look.hidden": (
        "The loss does not tell.  Compare one gradient with a difference quotient before you train: minigrad "
        "check does that, minigrad break {slug} shows the fault, minigrad doctor looks for it in an engine.",
        "La pérdida no lo dice.  Compare un gradiente con un cociente incremental antes de entrenar: lo hace "
        "minigrad check; minigrad break {slug} muestra el fallo y minigrad doctor lo busca en un motor.",
    ),
    "duel.look.equal": (
        "That a model trains does not show that its engine is right; it shows that nothing here needed "
        "what is broken.  minigrad break {slug} shows where it does.",
        "Que un modelo aprenda no demuestra que su motor sea correcto; solo que aquí nada necesitaba lo "
        "que está roto.  minigrad break {slug} muestra dónde sí.",
    ),
    "duel.how": (
        "A person has no right run beside theirs, but knows what such runs look like.  Here that is "
        "{others} right runs with the seeds {first} to {last}: a band from the lowest to the highest of "
        "their losses, averaged over {window} steps.  A fault is noticed when the loss has been above "
        "this band by more than half of its height for {patience} steps in a row, or is not a number.",
        "Una persona no tiene al lado un entrenamiento correcto, pero sabe cómo suelen ser.  Aquí lo "
        "muestran {others} correctos, con las semillas {first} a {last}: una franja de la menor a la mayor "
        "de sus pérdidas, promediadas en {window} pasos.  Un fallo se nota cuando la pérdida lleva "
        "{patience} pasos seguidos por encima de esa franja en más de la mitad de su altura, o no es un "
        "número.",
    ),
    "duel.how.ranking": (
        "Loss and accuracy are those at the end; the first rows are the right pass, on each model.  The "
        "angle is the median over the steps; - stands where the broken gradient was 0 or no number.  A "
        "fault with many variants is tried in {variants} of them.  An op that the model lacks is tried as "
        "its activation: [tanh].",
        "La pérdida y la exactitud son las del final; las primeras filas son la pasada correcta, en cada "
        "modelo.  El ángulo es la mediana de los pasos; - está donde el gradiente roto era 0 o no era un "
        "número.  De un fallo con muchas variantes se prueban {variants}.  Una operación que falta se "
        "prueba como activación: [tanh].",
    ),
    # ---- the tables -------------------------------------------------------------------------------
    "duel.head.fault": ("fault", "fallo"),
    "duel.head.noticed": ("noticed", "se nota"),
    "duel.head.loss": ("loss", "pérdida"),
    "duel.head.accuracy": ("accuracy", "exactitud"),
    "duel.head.angle": ("angle", "ángulo"),
    "duel.head.samples": ("names", "nombres"),
    "duel.head.hides": ("hides for", "se esconde"),
    "duel.head.right": ("right", "correcto"),
    "duel.head.broken": ("broken", "roto"),
    "duel.cell.step": ("step {step}", "paso {step}"),
    "duel.cell.never": ("never", "nunca"),
    "duel.cell.equal": ("cannot show", "no puede"),
    "duel.cell.endless": ("no end", "sin fin"),
    "duel.counts": (
        "Of {all} bouts, {hidden} were never noticed in {steps} steps and {noticed} were, half of those by "
        "step {median}; {equal} cannot show: their gradient is the right one.",
        "De {all} asaltos, {hidden} no se notaron en {steps} pasos y {noticed} sí, la mitad de estos a más "
        "tardar en el paso {median}; {equal} no se pueden notar: su gradiente es el correcto.",
    ),
    "duel.counts.none": (
        "Of {all} bouts, {hidden} were never noticed in {steps} steps; {equal} cannot show: their gradient "
        "is the right one.",
        "De {all} asaltos, {hidden} no se notaron en {steps} pasos; {equal} no se pueden notar: su gradiente "
        "es el correcto.",
    ),
    "duel.idle.no-op": (
        "The model has nothing for them to break ({count}): {listed}",
        "El modelo no tiene nada que rompan ({count}): {listed}",
    ),
    "duel.idle.one-graph": (
        "They take a second pass over the same graph, and a training loop makes a new one in every step "
        "({count}): {listed}",
        "Necesitan un segundo paso por el mismo grafo, y un bucle de entrenamiento crea uno nuevo cada vez "
        "({count}): {listed}",
    ),
    "duel.idle.edges": (
        "They are about one edge, and the graph has others in every step ({count}): {listed}",
        "Tratan de una arista, y el grafo tiene otras en cada paso ({count}): {listed}",
    ),
    "duel.told.ranking": (
        "One row for each fault: the longer its bar, the longer it hides.",
        "Una fila por fallo: cuanto más larga su barra, más se esconde.",
    ),
}
