"""Sentences about custom backward rules of PyTorch and JAX."""

ROWS = {
    "rules.title": ("The backward rule of {name}", "La regla de retropropagación de {name}"),
    "rules.title.verdict": ("Verdict", "Veredicto"),
    "rules.title.examined": ("Examined", "Examinado"),
    "rules.title.findings": ("What was found", "Lo que se encontró"),
    "rules.title.choices": ("Design choices", "Decisiones de diseño"),
    "rules.title.unseen": ("Not examined", "No examinado"),
    "rules.verdict.correct": ("CORRECT.", "CORRECTA."),
    "rules.verdict.wrong": ("WRONG.", "INCORRECTA."),
    "rules.verdict.limited": ("LIMITED.", "LIMITADA."),
    "rules.verdict.not_examined": ("NOT EXAMINED.", "NO EXAMINADA."),
    "rules.because.correct": (
        "{name} gives the derivatives of its forward: {count} numbers were compared.",
        "{name} da las derivadas de su propio forward: se compararon {count} números.",
    ),
    "rules.because.wrong": (
        "The gradient of {name} is not the derivative of its forward: {faults}.",
        "El gradiente de {name} no es la derivada de su forward: {faults}.",
    ),
    "rules.because.raises": (
        "The backward of {name} raises an error at these inputs.",
        "El backward de {name} da un error con estas entradas.",
    ),
    "rules.because.limited": (
        "The gradient of {name} is the derivative in part only: {faults}.",
        "El gradiente de {name} es la derivada solo en parte: {faults}.",
    ),
    "rules.because.deliberate": (
        "The gradient of {name} is not the derivative, as it seems on purpose: {faults}.",
        "El gradiente de {name} no es la derivada, al parecer a propósito: {faults}.",
    ),
    "rules.because.promised": (
        "The gradient of {name} is what was promised: {faults}.",
        "El gradiente de {name} es el prometido: {faults}.",
    ),
    "rules.structure.symmetric": ("symmetric", "simétrica"),
    "rules.structure.orthogonal": ("orthogonal", "ortogonal"),
    "rules.structure.triangular": ("triangular", "una matriz triangular"),
    "rules.structure.simplex": ("of sum one", "de suma uno"),
    "rules.structure.sphere": ("of length one", "de longitud uno"),
    "rules.named.one-change": ("a small change makes it right", "un pequeño cambio la hace correcta"),
    "rules.named.unrecognised": ("the cause is not known", "no se conoce la causa"),
    "rules.proved.elementwise": (
        "PROVED on symbols, for all real numbers and every shape.",
        "DEMOSTRADA con símbolos, para todos los números reales y todas las formas.",
    ),
    "rules.proved.shapes": (
        "PROVED on symbols, for all real numbers and the shapes {shapes}.",
        "DEMOSTRADA con símbolos, para todos los números reales y las formas {shapes}.",
    ),
    "rules.proved.excluded": ("Left out: {excluded}.", "Queda fuera: {excluded}."),
    "rules.conduct.correct": ("Conduct: nothing found.", "Conducta: no se encontró nada."),
    "rules.conduct.wrong": ("Conduct: WRONG: {faults}.", "Conducta: INCORRECTA: {faults}."),
    "rules.conduct.limited": ("Conduct: limited: {faults}.", "Conducta: limitada: {faults}."),
    "rules.conduct.not_examined": ("Conduct: not examined.", "Conducta: no examinada."),
    "rules.second.correct": ("Second derivative: right.", "Segunda derivada: correcta."),
    "rules.second.wrong": (
        "Second derivative: WRONG, without an error. The gradient itself is not affected.",
        "Segunda derivada: INCORRECTA, sin ningún error. El gradiente en sí no se ve afectado.",
    ),
    "rules.second.limited": (
        "Second derivative: there is none; asking for it raises an error or gives nothing.",
        "Segunda derivada: no la hay; al pedirla se obtiene un error o nada.",
    ),
    "rules.second.not_examined": ("Second derivative: not examined.", "Segunda derivada: no examinada."),
    "rules.title.snippet": ("A program that shows it", "Un programa que lo muestra"),
    "rules.curve": (
        "for an upstream gradient of 1:",
        "para un gradiente entrante de 1:",
    ),
    "rules.curve.got": ("returned", "devuelto"),
    "rules.curve.due": ("derivative", "derivada"),
    "rules.place": ("computed at {place}", "se calcula en {place}"),
    "rules.repaired": (
        "right with this change at {place}, confirmed at all points that were tried:",
        "correcto con este cambio en {place}, confirmado en todos los puntos probados:",
    ),
    "rules.because.not_examined": ("{name} could not be examined.", "No se pudo examinar {name}."),
    "rules.origin.given": ("with the inputs that were given: {inputs}", "con las entradas dadas: {inputs}"),
    "rules.origin.module": (
        "with the inputs that its module offers: {inputs}",
        "con las entradas que ofrece su módulo: {inputs}",
    ),
    "rules.origin.invented": ("with invented inputs: {inputs}", "con entradas inventadas: {inputs}"),
    "rules.scalar": ("one number", "un número"),
    "rules.heard": ("compared with {witnesses}", "comparada con {witnesses}"),
    "rules.witness.differences": (
        "central differences of the forward in float64",
        "diferencias centrales del forward en float64",
    ),
    "rules.witness.plain": (
        "automatic differentiation of the plain forward",
        "diferenciación automática del forward sin regla propia",
    ),
    "rules.numbers": (
        "{place}{seed}got {got}, expected {expected}",
        "{place}{seed}dio {got}, se esperaba {expected}",
    ),
    "rules.at": ("at {where}: ", "en {where}: "),
    "rules.seed": ("for an upstream gradient of {upstream} ", "para un gradiente entrante de {upstream} "),
    "rules.none": ("nothing", "nada"),
    "rules.fix": ("what to do: {fix}", "qué hacer: {fix}"),
    "rules.region.negative": ("where it is negative", "donde es negativa"),
    "rules.region.positive": ("where it is positive", "donde es positiva"),
    "rules.region.zero": ("where it is zero", "donde es cero"),
    "rules.region.large": (
        "where its size is above about {bound}",
        "donde su tamaño supera más o menos {bound}",
    ),
    "rules.region.small": (
        "where its size is below about {bound}",
        "donde su tamaño es menor que más o menos {bound}",
    ),
    "rules.region.below": ("below about {bound}", "por debajo de más o menos {bound}"),
    "rules.region.above": ("above about {bound}", "por encima de más o menos {bound}"),
    "rules.what.result": ("the result", "el resultado"),
    "rules.what.upstream": ("the upstream gradient", "el gradiente entrante"),
    "rules.what.operand": ("the operand {other}", "el operando {other}"),
    "rules.what.values": ("values", "valores"),
    "rules.what.gradients": ("gradients", "gradientes"),
    "rules.what.factor": ("the local derivative", "la derivada local"),
    "rules.what.inputs": ("the inputs", "las entradas"),
    "rules.extent": (
        " in {places} of {of} numbers, between {least} and {most} times what it should be",
        " en {places} de {of} números, entre {least} y {most} veces lo que debería",
    ),
    "rules.extent.places": (" in {places} of {of} numbers", " en {places} de {of} números"),
    "rules.sign.positive": ("positive", "positivo"),
    "rules.sign.negative": ("negative", "negativo"),
    "rules.variant.rounding": ("roundings", "los redondeos"),
    "rules.variant.borders": ("roundings and clamps", "los redondeos y los límites"),
    "rules.what.first": ("first", "primera"),
    "rules.what.last": ("last", "última"),
    "rules.what.forward": ("the forward", "el forward"),
    "rules.what.backward": ("the backward", "el backward"),
    "rules.like.zero_inside": (" (it gives zero there)", " (ahí da cero)"),
    "rules.like.sign_inside": (" (it has the other sign there)", " (ahí tiene el otro signo)"),
    "rules.like.nan_inside": (" (it gives no number there)", " (ahí no da un número)"),
    "rules.like.one_over_batch": (
        ", which is 1 over the length of the first axis",
        ", que es 1 entre la longitud del primer eje",
    ),
    "rules.like.times_batch": (
        ", which is the length of the first axis",
        ", que es la longitud del primer eje",
    ),
    "rules.like.one_over_size": (
        ", which is 1 over the number of elements",
        ", que es 1 entre el número de elementos",
    ),
    "rules.like.times_size": (", which is the number of elements", ", que es el número de elementos"),
    "rules.term.lost": ("{term} is missing", "falta {term}"),
    "rules.term.only": (
        "it gives {term} alone, one term of the product rule",
        "da solo {term}, un término de la regla del producto",
    ),
    "rules.term.depends": (
        "it is right as soon as {other} is zero, so what is missing depends on {other}",
        "es correcta en cuanto {other} es cero, así que lo que falta depende de {other}",
    ),
    "rules.choice.once-differentiable": (
        "it is marked once_differentiable: second derivatives raise an error, on purpose",
        "está marcada como once_differentiable: las segundas derivadas dan un error, a propósito",
    ),
    "rules.choice.unsummed": (
        "the gradient of {about} is returned in the shape of the output; PyTorch sums it to the shape of "
        "{about}",
        "el gradiente de {about} se devuelve con la forma de la salida; PyTorch lo suma hasta la forma "
        "de {about}",
    ),
    "rules.choice.promise-kept": (
        "what was promised was found: {about}",
        "se encontró lo prometido: {about}",
    ),
    "rules.choice.constant": (
        "{about} gets no gradient: the rule returns None for it",
        "{about} no recibe gradiente: la regla devuelve None",
    ),
    "rules.choice.needs-ignored": (
        "the gradient of {about} is computed even where nobody needs it; ctx.needs_input_grad says where",
        "el gradiente de {about} se calcula aunque nadie lo necesite; ctx.needs_input_grad lo dice",
    ),
    "rules.choice.flag": (
        "with its default values nothing is wrong; the fault shows with {about}",
        "con los valores por defecto no hay nada incorrecto; el fallo se ve con {about}",
    ),
    "rules.choice.symmetric": (
        "it is right for symmetric changes of {about}, and was judged by these: what it returns need not be "
        "symmetric",
        "es correcta para cambios simétricos de {about}, y así se juzgó: lo que devuelve no tiene por qué "
        "ser "
        "simétrico",
    ),
    "rules.choice.simplex": (
        "{about} is a set of probabilities: it is right for changes that keep their sum, and was judged by "
        "these",
        "{about} son probabilidades: es correcta para los cambios que conservan su suma, y así se juzgó",
    ),
    "rules.choice.orthogonal": (
        "{about} is an orthogonal matrix: it is right for changes that keep it one, and was judged by these",
        "{about} es una matriz ortogonal: es correcta para los cambios que la mantienen así, y así se juzgó",
    ),
    "rules.choice.sphere": (
        "{about} has unit length: it is right for changes along the sphere, and was judged by these",
        "{about} tiene longitud uno: es correcta para cambios a lo largo de la esfera, y así se juzgó",
    ),
    "rules.choice.triangular": (
        "{about} is triangular: it is right for changes inside the triangle, and was judged by these",
        "{about} es triangular: es correcta para cambios dentro del triángulo, y así se juzgó",
    ),
    "rules.choice.random-forward": (
        "the forward draws random numbers; it was examined under one seed",
        "el forward usa números aleatorios; se examinó con una sola semilla",
    ),
    "rules.unseen.forward": ("its forward raises an error: {about}", "su forward da un error: {about}"),
    "rules.unseen.inputs": (
        "no inputs were found on which it runs; give some, or write example_inputs in its module{about}",
        "no se encontraron entradas con las que funcione; dé algunas, o escriba example_inputs en su "
        "módulo{about}",
    ),
    "rules.unseen.endless": (
        "with the inputs that were invented its forward did not end; give some with which it does, such as "
        '--call "Fn.apply(...)"{about}',
        "con las entradas inventadas su forward no terminó; dé algunas con las que termine, como en "
        '--call "Fn.apply(...)"{about}',
    ),
    "rules.unseen.no_inputs": (
        "none of its inputs is an array of floating point numbers{about}",
        "ninguna de sus entradas es un arreglo de números de coma flotante{about}",
    ),
    "rules.unseen.no_gradient": (
        "none of its outputs has a gradient{about}",
        "ninguna de sus salidas tiene gradiente{about}",
    ),
    "rules.unseen.nothing": ("its output is empty{about}", "su salida está vacía{about}"),
    "rules.unseen.random": (
        "its forward gives other numbers each time, whatever the seed{about}",
        "su forward da otros números cada vez, sea cual sea la semilla{about}",
    ),
    "rules.unseen.numerics": (
        "no slope of its forward could be measured at these inputs{about}",
        "no se pudo medir ninguna pendiente de su forward en estas entradas{about}",
    ),
    "rules.unseen.absent": (
        "{about} is not installed; pip install 'minigrad-lab[{about}]' brings it",
        "{about} no está instalado; pip install 'minigrad-lab[{about}]' lo trae",
    ),
    "rules.unseen.cropped": (
        "the call as large as it was: it was examined with fewer rows along its long axes{about}",
        "la llamada con todo su tamaño: se examinó con menos filas en sus ejes largos{about}",
    ),
    "rules.unseen.call_partial_inputs": (
        "the call as it is, at which the rule raises an error: everything else was examined with a gradient "
        "asked for {about}, too",
        "la llamada tal como es, en la que la regla da un error: todo lo demás se examinó pidiendo también "
        "el gradiente de {about}",
    ),
    "rules.unseen.call_defaults_left_out": (
        "the call as it is, at which the rule raises an error: everything else was examined with {about} "
        "passed, too",
        "la llamada tal como es, en la que la regla da un error: todo lo demás se examinó pasando también "
        "{about}",
    ),
    "rules.unseen.too_large": (
        "its inputs are too large; give smaller ones{about}",
        "sus entradas son demasiado grandes; dé otras más pequeñas{about}",
    ),
    "rules.unseen.slight": (
        "the gradient of {about}: it is so small beside the others that rounding or a tolerance may "
        "explain it",
        "el gradiente de {about}: es tan pequeño junto a los demás que lo puede explicar el redondeo o una "
        "tolerancia",
    ),
    "rules.unseen.tied": (
        "the gradient of {about}: its forward does not depend on it, but runs a function that was handed "
        "over, which may hold it under another name",
        "el gradiente de {about}: su forward no depende de él, pero ejecuta una función recibida, que puede "
        "contenerlo con otro nombre",
    ),
    "rules.unseen.tied_conduct": (
        "its conduct and second derivative: it is called with a module and the parameters of that "
        "module{about}",
        "su conducta y su segunda derivada: se llama con un módulo y los parámetros de ese módulo{about}",
    ),
    "rules.unseen.large": (
        "the inputs are large: some positions of each were compared, and no pattern that needs all of "
        "them{about}",
        "las entradas son grandes: se compararon algunas posiciones, y ningún patrón que las necesite "
        "todas{about}",
    ),
    "rules.unseen.float64": (
        "it does not run in float64, so the slopes were measured in {about}, with wide margins",
        "no funciona en float64, así que las pendientes se midieron en {about}, con márgenes amplios",
    ),
    "rules.unseen.forward_rounds": (
        "its forward rounds to float32, so the slopes were measured with wide margins{about}",
        "su forward redondea a float32, así que las pendientes se midieron con márgenes amplios{about}",
    ),
    "rules.unseen.twice": (
        "second derivatives: its numbers are not precise enough, or it does not run nearby {about}",
        "segundas derivadas: sus números no son bastante precisos, o no funciona cerca de ahí {about}",
    ),
    "rules.unseen.again": (
        "second derivatives: examine it again when its gradients are right{about}",
        "segundas derivadas: vuelva a examinarla cuando sus gradientes sean correctos{about}",
    ),
    "rules.unseen.unsure": (
        "whether the invented inputs are such as it is meant for: what differs may be theirs to blame; "
        "give it a "
        'call with real ones, such as --call "Fn.apply(...)"{about}',
        "si las entradas inventadas son de las previstas: puede que lo que difiere se deba a ellas; pase una "
        'llamada con entradas reales, como --call "Fn.apply(...)"{about}',
    ),
    "rules.unseen.conduct": (
        "its conduct: when it was run again it raised {about}",
        "su conducta: al ejecutarla de nuevo dio {about}",
    ),
    "rules.unseen.shapes": (
        "its forward also runs on other shapes that were tried, on which its rule raises an error{about}",
        "su forward también funciona con otras formas probadas, con las que su regla da un error{about}",
    ),
    "rules.unseen.time": (
        "for want of time: {about}; a larger budget reaches it",
        "por falta de tiempo: {about}; con un budget mayor se llega",
    ),
    "rules.stage.conduct": ("conduct", "conducta"),
    "rules.stage.second": ("second derivatives", "segundas derivadas"),
    "rules.stage.shapes": ("other shapes", "otras formas"),
    "rules.stage.transforms": ("jvp and vmap", "jvp y vmap"),
    "rules.stage.devices": ("other devices", "otros dispositivos"),
    "rules.stage.precisions": ("other precisions", "otras precisiones"),
    "rules.stage.memory": ("memory that is held", "memoria retenida"),
    "rules.unseen.other-shapes": (
        "its forward also runs at shapes at which its rule raises an error: {about}",
        "su forward también funciona con formas con las que su regla da un error: {about}",
    ),
    "rules.unseen.complex": (
        "the proof, other precisions, other shapes: its inputs are complex, and were examined as pairs of "
        "real numbers; the last index of a position is 0 for the real and 1 for the imaginary part{about}",
        "la demostración, otras precisiones, otras formas: sus entradas son complejas y se examinaron como "
        "pares de números reales; el último índice de una posición es 0 para la parte real y 1 para la "
        "imaginaria{about}",
    ),
    "rules.unseen.which": (
        "say which of its functions: {about}",
        "diga cuál de sus funciones: {about}",
    ),
    "rules.unseen.no_rule": (
        "nothing in {about} is a torch.autograd.Function (--torch), or has custom_vjp or custom_jvp (--jax)",
        "nada en {about} es una torch.autograd.Function (--torch), ni tiene custom_vjp o custom_jvp (--jax)",
    ),
    "rules.unseen.not_callable": (
        "{about} is not a function; name a torch.autograd.Function or a function that uses one",
        "{about} no es una función; indique una torch.autograd.Function o una función que la use",
    ),
    "rules.unseen.no_function": (
        "{about} is a class and no torch.autograd.Function; an engine is examined without --torch and --jax, "
        "as in minigrad doctor engine.py",
        "{about} es una clase y no una torch.autograd.Function; un motor se examina sin --torch ni --jax, "
        "como en minigrad doctor engine.py",
    ),
    "rules.unseen.of_torch": (
        "{about} is a torch.autograd.Function; write --torch",
        "{about} es una torch.autograd.Function; escriba --torch",
    ),
    "rules.unseen.no_file": ("there is no file {about}", "no existe el archivo {about}"),
    "rules.unseen.importing": (
        "its module cannot be imported: {about}",
        "no se puede importar su módulo: {about}",
    ),
    "rules.unseen.missing": ("its module has no {about}", "su módulo no tiene {about}"),
    "rules.unseen.ended": (
        "the process that examined it ended without a report: {about}",
        "el proceso que la examinaba terminó sin informe: {about}",
    ),
    "rules.unseen.broken_off": (
        "the process that examined it sent a report but did not end properly, so the report does not count: "
        "{about}",
        "el proceso que la examinaba envió un informe, pero no terminó bien, y el informe no cuenta: {about}",
    ),
    "rules.unseen.several": (
        "the process that examined it sent {about} reports where there can be only one: something else wrote "
        "to its pipe",
        "el proceso que la examinaba envió {about} informes y solo puede haber uno: algo más escribió en su "
        "tubería",
    ),
}
