"""Sentences about backward passes that are not those of the forward."""

ROWS = {
    "xray.what.rule.wrong": (
        "the backward of {name} is not the derivative of its forward; {input}: {story}",
        "el backward de {name} no es la derivada de su forward; {input}: {story}",
    ),
    "xray.instead.rule.wrong": (
        "what to do: {fix}",
        "qué hacer: {fix}",
    ),
    "xray.what.mismatch.twice": (
        "{count} of {of} rows are written to a place that a later row overwrites: the forward keeps "
        "one of them, and the backward sends a gradient to all",
        "{count} de {of} filas se escriben donde otra posterior las pisa: el forward conserva una y "
        "el backward envía gradiente a todas",
    ),
    "xray.instead.mismatch.twice": (
        "use index_add_, or index_put_ with accumulate=True",
        "use index_add_, o index_put_ con accumulate=True",
    ),
    "xray.what.mismatch.random": (
        "the gradient of one and the same loss changes by {largest} with the random numbers of the "
        "backward pass: this checkpoint computes its forward again with others",
        "el gradiente de una misma pérdida cambia un {largest} con los números aleatorios del "
        "backward: este checkpoint recalcula su forward con otros",
    ),
    "xray.instead.mismatch.random": (
        "leave preserve_rng_state=True",
        "deje preserve_rng_state=True",
    ),
}
