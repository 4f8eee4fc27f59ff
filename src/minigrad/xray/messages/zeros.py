"""Sentences about gradients that are zero."""

ROWS = {
    "xray.what.zero.flat": (
        "`{op}` has the derivative 0 everywhere, and every path from {names} to the loss goes through "
        "it: their gradient is exactly 0, also after a step",
        "`{op}` tiene derivada 0 en todas partes y todo camino de {names} a la pérdida pasa por ella: "
        "su gradiente es exactamente 0, también tras un paso",
    ),
    "xray.instead.zero.flat": (
        "use a straight-through or a relaxed version (x + (f(x) - x).detach()), or a loss with log_prob",
        "use una versión straight-through o relajada (x + (f(x) - x).detach()), o una pérdida con log_prob",
    ),
    "xray.what.zero.dead": (
        "`{op}` is inactive for every number of the batch, so that no gradient passes; {names} get "
        "exactly 0, also after a step, though {wanted} of the numbers should move back",
        "`{op}` está inactiva para todos los números del lote, así que no pasa gradiente; {names} "
        "reciben exactamente 0, también tras un paso, aunque el {wanted} de los números debería volver",
    ),
    "xray.instead.zero.dead": (
        "drop the activation at the output, use softplus or a leaky one, or start with a bias that "
        "keeps it active",
        "quite la activación de la salida, use softplus o una con fuga, o empiece con un sesgo que la "
        "mantenga activa",
    ),
    "xray.what.zero.saturated": (
        "`{op}` is saturated for {share} of its numbers: their derivative is 0 within rounding, "
        "though the loss would move {wanted} of them back",
        "`{op}` está saturada en el {share} de sus números: su derivada es 0 salvo redondeo, aunque la "
        "pérdida haría volver el {wanted} de ellos",
    ),
    "xray.instead.zero.saturated": (
        "scale or normalise what goes into it, or give the loss the logits",
        "escale o normalice lo que entra en ella, o dé a la pérdida los logits",
    ),
    "xray.what.zero.clamped": (
        "`{op}` blocks the gradient of {wanted} of its numbers: they lie out of range, the loss would "
        "move them back, and exactly that gradient is 0",
        "`{op}` bloquea el gradiente del {wanted} de sus números: están fuera de rango, la pérdida los "
        "haría volver, y justo ese gradiente es 0",
    ),
    "xray.instead.zero.clamped": (
        "clamp at evaluation only; in training leave the range open, or use a smooth bound such as a sigmoid",
        "limite solo al evaluar; al entrenar deje el rango abierto o use una cota suave como una sigmoide",
    ),
    "xray.what.zero.units": (
        "{share} of the units of `{op}` are inactive for the whole batch and get no gradient from it",
        "el {share} de las unidades de `{op}` está inactivo en todo el lote y no recibe gradiente de él",
    ),
    "xray.instead.zero.units": (
        "lower the learning rate, check the initialisation, or use an activation with a slope below 0",
        "baje la tasa de aprendizaje, revise la inicialización o use una activación con pendiente no nula "
        "por debajo de 0",
    ),
    "xray.what.zero.factors": (
        "{names} are 0 throughout and are multiplied by each other: each keeps the gradient of the "
        "other at 0, and no step changes that",
        "{names} son 0 por completo y se multiplican entre sí: cada uno deja en 0 el gradiente del "
        "otro, y ningún paso lo cambia",
    ),
    "xray.instead.zero.factors": (
        "start one of them from small random numbers, as LoRA does",
        "empiece uno de ellos con números aleatorios pequeños, como hace LoRA",
    ),
    "xray.what.zero.cancelled": (
        "a value and a copy of it with the same gradient are combined here, and their gradients "
        "cancel: what is computed from it trains {names} with exactly 0",
        "aquí se combinan un valor y una copia con el mismo gradiente, y los gradientes se cancelan: "
        "lo que se calcula con ello entrena {names} con exactamente 0",
    ),
    "xray.instead.zero.cancelled": (
        "detach the copy: x - q.detach() has the gradient of x",
        "use detach en la copia: x - q.detach() tiene el gradiente de x",
    ),
    "xray.what.zero.one_class": (
        "the loss is the same whatever the model gives: its softmax is taken over an axis of one "
        "class, shape {shape}, and is always 1",
        "la pérdida es la misma dé lo que dé el modelo: su softmax se toma sobre un eje de una sola "
        "clase, forma {shape}, y siempre es 1",
    ),
    "xray.instead.zero.one_class": (
        "use BCEWithLogitsLoss for one output, or give the model two outputs",
        "use BCEWithLogitsLoss para una salida, o dé al modelo dos salidas",
    ),
    "xray.what.zero.one_member": (
        "a softmax over an axis of length 1, shape {shape}, is always 1: {names} get a gradient of "
        "exactly 0 through it",
        "una softmax sobre un eje de longitud 1, forma {shape}, siempre es 1: {names} reciben por "
        "ella un gradiente de exactamente 0",
    ),
    "xray.instead.zero.one_member": (
        "take the softmax over the axis of the classes, or use a sigmoid",
        "tome la softmax sobre el eje de las clases o use una sigmoide",
    ),
    "xray.what.zero.padding": (
        "{count} of {of} samples are read where there is only padding: what is taken is constantly 0 "
        "and no gradient goes from it into the network",
        "{count} de {of} muestras se leen donde solo hay relleno: lo que se toma es siempre 0 y "
        "ningún gradiente va de ahí a la red",
    ),
    "xray.instead.zero.padding": (
        "take the last true step of each sample: h_n, or gather at length - 1",
        "tome el último paso verdadero de cada muestra: h_n, o gather en longitud - 1",
    ),
    "xray.what.zero.sample": (
        "this takes one sample of {of} along the first axis, which is that of the batch; the others "
        "get no gradient",
        "esto toma una muestra de {of} por el primer eje, que es el del lote; las demás no reciben gradiente",
    ),
    "xray.instead.zero.sample": (
        "index the axis of the steps: x[:, -1]",
        "indexe el eje de los pasos: x[:, -1]",
    ),
}
