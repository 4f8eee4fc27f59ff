"""Sentences about samples and time steps that see each other."""

ROWS = {
    "xray.what.leak.sample": (
        "the output of a sample changes when another sample of the batch is replaced: `{op}` runs "
        "along the axis of the samples",
        "la salida de una muestra cambia al sustituir otra del lote: `{op}` recorre el eje de las muestras",
    ),
    "xray.instead.leak.sample": (
        "let it run along the other axis: batch_first=True, dim=1 or transpose(0, 1)",
        "haga que recorra el otro eje: batch_first=True, dim=1 o transpose(0, 1)",
    ),
    "xray.what.leak.view": (
        "the output of a sample changes when another sample of the batch is replaced: this view lays "
        "the numbers of several samples out as one",
        "la salida de una muestra cambia al sustituir otra del lote: esta vista dispone los números "
        "de varias muestras como una",
    ),
    "xray.instead.leak.view": (
        "use transpose or permute to swap axes; view keeps the order in memory",
        "use transpose o permute para cambiar ejes; view conserva el orden en memoria",
    ),
    "xray.what.leak.statistics": (
        "the output of a sample depends on the others of its batch, through `{op}`",
        "la salida de una muestra depende de las demás de su lote, por `{op}`",
    ),
    "xray.instead.leak.statistics": (
        "if that is not meant, take it over the other axes",
        "si no es la intención, tómelo sobre los otros ejes",
    ),
    "xray.what.leak.softmax": (
        "`{op}` makes the {count} samples of the batch add up to 1 in each class: the loss of a sample "
        "depends on which others are beside it",
        "`{op}` hace que las {count} muestras del lote sumen 1 en cada clase: la pérdida de una muestra "
        "depende de cuáles la acompañan",
    ),
    "xray.instead.leak.softmax": (
        "if the classes of a sample are to add up to 1, use dim=1",
        "si han de sumar 1 las clases de una muestra, use dim=1",
    ),
    "xray.what.leak.copied": (
        "the labels are what the model is given, at the very same steps, and its output there depends on it: "
        "it can copy them",
        "las etiquetas son lo que recibe el modelo, en los mismos pasos, y allí su salida depende de ello: "
        "puede copiarlas",
    ),
    "xray.instead.leak.copied": (
        "for the next token, compare logits[:, :-1] with ids[:, 1:]; for masked ones, pass the masked ids; "
        "an autoencoder is meant so",
        "para el token siguiente, compare logits[:, :-1] con ids[:, 1:]; para los enmascarados, pase los ids "
        "con máscara; en un autocodificador es lo previsto",
    ),
    "xray.what.leak.mask": (
        "a prediction changes when the step that it predicts is replaced: the label is visible, and "
        "the mask under this `if` is not applied",
        "una predicción cambia al sustituir el paso que predice: la etiqueta es visible, y la máscara "
        "de este `if` no se aplica",
    ),
    "xray.instead.leak.mask": (
        "apply the causal mask on this path too",
        "aplique la máscara causal también por este camino",
    ),
    "xray.what.leak.time": (
        "a prediction changes when the step that it predicts is replaced: the label is visible, from "
        "`{op}` on",
        "una predicción cambia al sustituir el paso que predice: la etiqueta es visible, desde `{op}`",
    ),
    "xray.instead.leak.time": (
        "mask what is later, pad a convolution on the left only, or use one direction",
        "oculte lo posterior, rellene la convolución solo por la izquierda o use una sola dirección",
    ),
}
