"""Sentences of modules, losses and the small GPT."""

ROWS: dict[str, tuple[str, str]] = {
    "module.parameters": ("{count} parameters", "{count} parámetros"),
    "module.parameter": ("{count} parameter", "{count} parámetro"),
    "module.none": ("none", "ninguno"),
    "module.ragged": ("something else than rows of numbers", "algo que no son filas de números"),
    "module.one_number": ("one number", "un número"),
    "module.forward": (
        "{module} does not say what it computes; write a method forward(self, x) in it",
        "{module} no dice qué calcula; escriba en él un método forward(self, x)",
    ),
    "module.name_twice": (
        "two arrays of this model are called {name}, so neither could be found again; give the keys of its "
        "dicts other names, without dots",
        "dos arrays de este modelo se llaman {name}, así que no se podrían distinguir; dé otros nombres, "
        "sin puntos, a las claves de sus dicts",
    ),
    "module.state": (
        "a state is a dict of names and numbers, and {given} is not one; write "
        "model.load_state_dict(other.state_dict())",
        "un estado es un dict de nombres y números, y {given} no lo es; escriba "
        "modelo.load_state_dict(otro.state_dict())",
    ),
    "module.state_names": (
        "this state is of another model. Missing in it: {missing}. Unknown to this model: {unexpected}. "
        "Nothing was changed; build the model with the sizes that were saved, or write strict=False",
        "este estado es de otro modelo. Le faltan: {missing}. Este modelo no conoce: {unexpected}. No se "
        "ha cambiado nada; construya el modelo con los tamaños guardados, o escriba strict=False",
    ),
    "module.state_shape": (
        "{name} of this model is {wanted}, and {given} came for it; nothing was changed. Build the model "
        "with the sizes that were saved",
        "{name} de este modelo es {wanted}, y se recibió {given}; no se ha cambiado nada. Construya el "
        "modelo con los tamaños guardados",
    ),
    "module.state_tied": (
        "one weight stands in several places of this model, and the state has two numbers for it, {one} "
        "and {other} (in {name}); nothing was changed. Load a state that was saved from a model tied in "
        "the same way",
        "un peso está en varios lugares de este modelo, y el estado tiene dos números para él, {one} y "
        "{other} (en {name}); no se ha cambiado nada. Cargue un estado guardado de un modelo con los "
        "mismos pesos compartidos",
    ),
    "module.size": (
        "{name} is a size: a whole number, 1 or more, and {given} is not one; write {name}=16, for example",
        "{name} es un tamaño: un número entero, 1 o más, y {given} no lo es; escriba, por ejemplo, {name}=16",
    ),
    "module.large": (
        "{shape} Values would not fit into memory (at most {most} in one array); write smaller sizes",
        "{shape} Values no cabrían en la memoria (como mucho {most} en un array); escriba tamaños menores",
    ),
    "module.fraction": (
        "{name} is a probability from 0 up to, but not, 1, and {given} is not one; write {name}=0.1, for "
        "example",
        "{name} es una probabilidad desde 0 y menor que 1, y {given} no lo es; escriba, por ejemplo, "
        "{name}=0.1",
    ),
    "module.measure": (
        "{name} is a finite number, 0 or more, and {given} is not one",
        "{name} es un número finito, 0 o más, y {given} no lo es",
    ),
    "module.positive": (
        "{name} is a finite number above 0, and {given} is not one; write {name}=0.5, for example",
        "{name} es un número finito mayor que 0, y {given} no lo es; escriba, por ejemplo, {name}=0.5",
    ),
    "module.seed": (
        "a seed is a whole number, 0 or more, a random.Random, or None, and {given} is none of these; "
        "write seed=1",
        "una semilla es un número entero, 0 o más, un random.Random o None, y {given} no es nada de eso; "
        "escriba seed=1",
    ),
    "module.index_kind": (
        "a {name} is a whole number, and {given} is not one",
        "{name} es un número entero, y {given} no lo es",
    ),
    "module.index": (
        "{name} {given} does not exist: they go from 0 to {last}",
        "{name} {given} no existe: van de 0 a {last}",
    ),
    "module.vector": (
        "{module} takes a list of {wanted} numbers or Values, and {given} is not a list; write [x, ...]",
        "{module} recibe una lista de {wanted} números o Values, y {given} no es una lista; escriba [x, ...]",
    ),
    "module.length": (
        "{module} takes {wanted} numbers, and {given} came; nothing is cut or filled up to fit: change the "
        "input, or the size of the layer",
        "{module} recibe {wanted} números, y llegaron {given}; nada se recorta ni se rellena: cambie la "
        "entrada, o el tamaño de la capa",
    ),
    "module.values": (
        "this takes a Value, or lists of them, and {given} is neither",
        "esto recibe un Value, o listas de ellos, y {given} no es ni lo uno ni lo otro",
    ),
    "module.activation": (
        "there is no activation {given}; write one of {known}",
        "no existe la activación {given}; escriba una de {known}",
    ),
    "module.nouts": (
        "the second argument of MLP lists the size of each layer, and {given} lists none; write MLP(2, "
        "[16, 16, 1])",
        "el segundo argumento de MLP enumera el tamaño de cada capa, y {given} no enumera ninguno; escriba "
        "MLP(2, [16, 16, 1])",
    ),
    "module.sequential": (
        "Sequential takes modules and functions, and {given} is neither; write Sequential(Linear(2, 8), "
        "Tanh(), Linear(8, 1)), with parentheses",
        "Sequential recibe módulos y funciones, y {given} no es ni lo uno ni lo otro; escriba "
        "Sequential(Linear(2, 8), Tanh(), Linear(8, 1)), con paréntesis",
    ),
    "module.heads": (
        "a width of {width} cannot be shared out among {heads} heads; write heads={example}, or another "
        "width",
        "un ancho de {width} no se puede repartir entre {heads} cabezas; escriba heads={example}, u otro "
        "ancho",
    ),
    "module.sequence": (
        "attention takes a list of vectors of {width} numbers, and {given} is not one; write [vector] for "
        "a single one",
        "la atención recibe una lista de vectores de {width} números, y {given} no lo es; escriba [vector] "
        "si es uno solo",
    ),
    "module.block": (
        "{given} tokens are more than this model looks at; it was built with block={block}: write "
        "tokens[:{block}], or build it with a larger block",
        "{given} tokens son más de los que ve este modelo, construido con block={block}: escriba "
        "tokens[:{block}], o constrúyalo con un block mayor",
    ),
    "module.tokens": (
        "this takes a list of tokens, one or more, and {given} is not one; Vocabulary.encode makes it out "
        "of a text",
        "esto recibe una lista de tokens, uno o más, y {given} no lo es; Vocabulary.encode la hace a "
        "partir de un texto",
    ),
    "module.tokens_two": (
        "a loss takes two tokens or more: it asks what comes after the first, and only {given} was given",
        "una pérdida necesita dos tokens o más: pregunta qué viene después del primero, y solo se dio "
        "{given}",
    ),
    "module.sample": (
        "this model's scores are no longer finite numbers, so nothing can be drawn from them; its training "
        "has diverged: go back to a checkpoint, and take a lower learning rate",
        "las puntuaciones de este modelo ya no son números finitos, así que no se puede sacar nada de "
        "ellas; su entrenamiento ha divergido: vuelva a un punto de control y tome una tasa de aprendizaje "
        "menor",
    ),
    "module.bounds": (
        "there is nothing from {a} to {b}; write the lower bound first",
        "no hay nada entre {a} y {b}; escriba primero la cota inferior",
    ),
    "module.gain": (
        "no gain is known for {given}; write one of {known}",
        "no se conoce una ganancia para {given}; escriba una de {known}",
    ),
    "module.mode": (
        "mode is 'fan_in' or 'fan_out', and {given} is neither",
        "mode es 'fan_in' o 'fan_out', y {given} no es ni lo uno ni lo otro",
    ),
    "module.fans": (
        "these first weights need rows of rows, as in Linear.weight, to know how many inputs and outputs "
        "there are; this array has {given} dimensions. Write normal_ or uniform_",
        "estos primeros pesos necesitan filas de filas, como en Linear.weight, para saber cuántas entradas "
        "y salidas hay; este array tiene {given} dimensiones. Escriba normal_ o uniform_",
    ),
    "module.array": (
        "an array is a Value, or Values in equally long lists, and {given} is not one; write layer.weight",
        "un array es un Value, o Values en listas de igual longitud, y {given} no lo es; escriba "
        "layer.weight",
    ),
    "module.answers": (
        "{loss} takes numbers and Values in equally long lists, and {given} is something else",
        "{loss} recibe números y Values en listas de igual longitud, y {given} es otra cosa",
    ),
    "module.shapes": (
        "{loss} compares each answer with its target, and there are {answers} answers and {targets} "
        "targets; give both the same shape",
        "{loss} compara cada respuesta con su objetivo, y hay {answers} respuestas y {targets} objetivos; "
        "dé a ambos la misma forma",
    ),
    "module.targets": (
        "{count} lists of logits need a list of {count} targets, and {given} is not a list",
        "{count} listas de logits necesitan una lista de {count} objetivos, y {given} no es una lista",
    ),
    "module.row": (
        "the logits of each example are a list of numbers, and {given} is not one; write "
        "[[2.0, 1.0], [0.5, 3.0]]",
        "los logits de cada ejemplo son una lista de números, y {given} no lo es; escriba "
        "[[2.0, 1.0], [0.5, 3.0]]",
    ),
    "module.classes": (
        "all lists of logits have one length, the number of classes, and these have {counts}",
        "todas las listas de logits tienen la misma longitud, el número de clases, y estas tienen {counts}",
    ),
    "module.label": (
        "the labels of a hinge loss are +1 and -1, and {given} is neither; for labels 0 and 1 write 2*y - 1",
        "las etiquetas de esta pérdida son +1 y -1, y {given} no lo es; si son 0 y 1, escriba 2*y - 1",
    ),
    "module.target_share": (
        "a target of a binary cross entropy goes from 0 to 1, and {given} does not; for labels -1 and 1 "
        "write (y + 1) / 2",
        "un objetivo de la entropía cruzada binaria va de 0 a 1, y {given} no; si son -1 y 1, escriba (y + "
        "1) / 2",
    ),
    "module.probability": (
        "binary_cross_entropy takes probabilities from 0 to 1, and {given} is not one; for scores that "
        "have not been through a sigmoid write binary_cross_entropy_with_logits",
        "binary_cross_entropy recibe probabilidades de 0 a 1, y {given} no lo es; si son puntuaciones que "
        "no han pasado por una sigmoide, escriba binary_cross_entropy_with_logits",
    ),
    "module.reduction": (
        "there is no reduction {given}; write one of {known}",
        "no existe la reducción {given}; escriba una de {known}",
    ),
}
