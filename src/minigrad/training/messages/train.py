"""Sentences of `minigrad train`."""

ROWS: dict[str, tuple[str, str]] = {
    # ---- what cannot be -------------------------------------------------------------------------
    "train.task": (
        "there is no task {given}; the tasks are {known}",
        "no existe la tarea {given}; las tareas son {known}",
    ),
    "train.choice": (
        "{name} cannot be {given}; it is one of {known}",
        "{name} no puede ser {given}; es uno de {known}",
    ),
    "train.range": (
        "{name} cannot be {given}; write a number from {least} to {most}",
        "{name} no puede ser {given}; escriba un número de {least} a {most}",
    ),
    "train.lr": (
        "the learning rate cannot be {given}: a step has to have a length; write one above 0 and at most "
        "1,000,000, such as --lr 0.01",
        "la tasa de aprendizaje no puede ser {given}: un paso ha de tener una longitud; escriba una mayor"
        " que 0 y de 1 000 000 como mucho, como --lr 0.01",
    ),
    "train.warmup": (
        "a warm-up of {given} steps leaves nothing of {steps} steps; write a smaller --warmup or more "
        "--steps",
        "un calentamiento de {given} pasos no deja nada de {steps} pasos; escriba un --warmup menor o más"
        " --steps",
    ),
    "train.momentum": (
        "--momentum belongs to --optimiser sgd; {optimiser} has its own",
        "--momentum es de --optimiser sgd; {optimiser} tiene el suyo",
    ),
    "train.heads": (
        "{heads} heads cannot share a width of {width} equally; write --heads {near}, or a --width that "
        "{heads} divides",
        "{heads} cabezas no pueden repartirse por igual una anchura de {width}; escriba --heads {near}, o"
        " un --width divisible entre {heads}",
    ),
    "train.hidden": (
        "--hidden is the sizes of the hidden layers, from 1 to 4,096 each, with commas between them, such"
        " as 16,16; {given} is not that",
        "--hidden son los tamaños de las capas ocultas, de 1 a 4 096 cada una, separados por comas, como "
        "16,16; {given} no lo es",
    ),
    "train.batch": (
        "a batch of {given} cannot be drawn from {points} points; write a smaller --batch or more --points",
        "no se puede sacar un lote de {given} de {points} puntos; escriba un --batch menor o más --points",
    ),
    "train.batch.texts": (
        "a batch of {given} cannot be drawn from {count} texts; write a smaller --batch",
        "no se puede sacar un lote de {given} de {count} textos; escriba un --batch menor",
    ),
    "train.large": (
        "the model would have {count} parameters, and every one of them is an object that each step "
        "visits; at most {most} are allowed: choose smaller sizes",
        "el modelo tendría {count} parámetros, y cada uno es un objeto que se visita en cada paso; se "
        "admiten {most} como mucho: elija tamaños menores",
    ),
    "train.busy": (
        "each step would compute about {count} products and keep them all; at most {most} are allowed: "
        "choose a smaller --batch or smaller sizes",
        "cada paso calcularía unos {count} productos y los guardaría todos; se admiten {most} como mucho:"
        " elija un --batch menor o tamaños menores",
    ),
    "train.data.one": (
        "{path} has only one document: each line is one, and a model learns from several; break it into "
        "lines",
        "{path} solo tiene un documento: cada línea es uno, y un modelo aprende de varios; divídalo en "
        "líneas",
    ),
    "train.data.gone": (
        "there is no file {path} any more, whose texts this run learns from; write where it is now after the "
        "saved run",
        "ya no existe el archivo {path}, de cuyos textos aprende este entrenamiento; escriba dónde está "
        "ahora después del entrenamiento guardado",
    ),
    "train.data.changed": (
        "{path} is not the data of this run any more: its texts have changed since it was saved; write"
        " the unchanged file after the saved run, or begin a new one",
        "{path} ya no son los datos de este entrenamiento: sus textos han cambiado desde que se guardó; "
        "escriba el archivo sin cambios después del entrenamiento guardado, o empiece uno nuevo",
    ),
    "train.extend": (
        "{done} steps are done already; --steps {given} would go back: write a larger number",
        "ya se han dado {done} pasos; --steps {given} sería volver atrás: escriba un número mayor",
    ),
    "train.settings.kind": (
        "the settings of a run are an object of names and values",
        "los ajustes de un entrenamiento son un objeto de nombres y valores",
    ),
    "train.settings.name": (
        "the settings of a run do not fit: {name} is missing or unknown",
        "los ajustes del entrenamiento no encajan: {name} falta o es desconocido",
    ),
    "train.settings.value": (
        "the settings of a run do not fit: {name} cannot be {given}",
        "los ajustes del entrenamiento no encajan: {name} no puede ser {given}",
    ),
    # ---- what was typed -------------------------------------------------------------------------
    "train.compile.lengths": (
        "Each length of a text is compiled when it is first met, of {count}; in a short run the plain steps, "
        "without --compile, are done sooner.",
        "Cada longitud de texto se compila la primera vez que aparece, de {count}; en un entrenamiento corto "
        "acaban antes los pasos corrientes, sin --compile.",
    ),
    "train.compile.dropout": (
        "dropout draws new numbers in every step, and a compiled step is always the same one; leave out "
        "--compile, or --dropout",
        "el dropout sortea números nuevos en cada paso, y un paso compilado es siempre el mismo; omita "
        "--compile, o --dropout",
    ),
    "usage.train.other": (
        "the saved run is about {task}, not {given}; leave {given} out",
        "el entrenamiento guardado es de {task}, no de {given}; omita {given}",
    ),
    # ---- while it runs --------------------------------------------------------------------------
}
