"""Sentences about what a loss is given."""

ROWS = {
    "xray.what.loss.broadcast": (
        "shapes {one} and {other} are broadcast to {made} inside the loss: every sample is held "
        "against every other",
        "las formas {one} y {other} se extienden a {made} dentro de la pérdida: cada muestra se "
        "compara con todas las demás",
    ),
    "xray.instead.loss.broadcast": (
        "make the shapes equal: pred.squeeze(1), or target.unsqueeze(1)",
        "iguale las formas: pred.squeeze(1), o target.unsqueeze(1)",
    ),
    "xray.what.loss.pairs": (
        "shapes {one} and {other} are broadcast to {made} inside the loss: each of the one is held "
        "against each of the other",
        "las formas {one} y {other} se extienden a {made} dentro de la pérdida: cada elemento de una se "
        "compara con cada uno de la otra",
    ),
    "xray.instead.loss.pairs": (
        "if all pairs are meant, all is well; if not, make the shapes equal: pred.squeeze(1), or "
        "target.unsqueeze(1)",
        "si se quieren todas las parejas, todo está bien; si no, iguale las formas: pred.squeeze(1), o "
        "target.unsqueeze(1)",
    ),
    "xray.what.loss.softmax_twice": (
        "{loss} takes logits and is given probabilities, each row of which sums to 1: softmax is "
        "applied twice, which flattens the gradient",
        "{loss} espera logits y recibe probabilidades, cuyas filas suman 1: la softmax se aplica dos "
        "veces y aplana el gradiente",
    ),
    "xray.instead.loss.softmax_twice": (
        "remove the softmax and pass the logits",
        "quite la softmax y pase los logits",
    ),
    "xray.what.loss.sigmoid_twice": (
        "{loss} takes logits and is given what a sigmoid or a softmax gave: it is applied twice",
        "{loss} espera logits y recibe el resultado de una sigmoide o softmax: se aplica dos veces",
    ),
    "xray.instead.loss.sigmoid_twice": (
        "remove it and pass the logits, or use binary_cross_entropy",
        "quítela y pase los logits, o use binary_cross_entropy",
    ),
    "xray.what.loss.no_logarithm": (
        "{loss} takes log-probabilities and is given numbers whose exponentials do not sum to 1",
        "{loss} espera log-probabilidades y recibe números cuyas exponenciales no suman 1",
    ),
    "xray.instead.loss.no_logarithm": (
        "use log_softmax over the axis of the classes",
        "use log_softmax sobre el eje de las clases",
    ),
    "xray.what.loss.padding": (
        "{share} of the labels are {pad}, the padding of the embedding, at the ends of the rows, and "
        "the loss trains them",
        "el {share} de las etiquetas es {pad}, el relleno del embedding, al final de las filas, y la "
        "pérdida las entrena",
    ),
    "xray.instead.loss.padding": (
        "pass ignore_index={pad}, or mask them",
        "pase ignore_index={pad}, o use una máscara",
    ),
}
