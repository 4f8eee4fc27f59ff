"""Sentences of `minigrad train`."""

ROWS: dict[str, tuple[str, str]] = {
    "help.train": (
        "minigrad train moons|circles|spirals|regression|names|FILE [options]\n"
        "\n"
        "Trains a small model out of single scalars: an MLP on points of the plane, or a\n"
        "character GPT on names or on FILE, a text with one document per line.  Ctrl-C\n"
        "saves the run and says how to resume it.\n"
        "  minigrad train moons --plot\n"
        "  minigrad train poems.txt --save poems.safetensors\n"
        "  minigrad train --resume names.safetensors --steps 2000\n"
        "\n"
        "  --steps N  --batch N  --seed N          how many; examples of each; the seed\n"
        "  --optimiser sgd|adam|adamw              also --momentum X, --weight-decay X\n"
        "  --lr X  --schedule NAME  --warmup N     the rate: constant, linear, cosine\n"
        "  --clip X  --compile                     the largest norm; as vectors\n"
        "  --points N  --noise X                   points: how many, how far they stray\n"
        "  --hidden 16,16  --activation NAME       relu, tanh, sigmoid, gelu or silu\n"
        "  --layers, --width, --heads, --block N   sizes of the GPT; and --dropout X\n"
        "  --samples N  --temperature X            texts at the end (20, 0.5)\n"
        "  --save FILE.safetensors  --every N      keep the run; each N steps\n"
        "  --resume FILE.safetensors               go on; FILE too, if its texts moved\n"
        "  --plot [FILE.svg|.png]                  loss and boundary, live or as a file\n"
        "  --watch FILE.html  --json               a page that follows it; as data\n"
        "  --lang en|es                            the language\n"
        "\n"
        "Exit codes: 0 done, 1 the loss was no number, 2 bad input or file, 130 stopped.",
        "minigrad train moons|circles|spirals|regression|names|ARCHIVO [opciones]\n"
        "\n"
        "Entrena un modelo pequeño hecho de escalares: un MLP con puntos del plano, o un\n"
        "GPT de letras con nombres o con ARCHIVO, un texto con un documento por línea.\n"
        "Ctrl-C guarda el entrenamiento y dice cómo continuarlo.\n"
        "  minigrad train moons --plot\n"
        "  minigrad train poemas.txt --save poemas.safetensors\n"
        "  minigrad train --resume names.safetensors --steps 2000\n"
        "\n"
        "  --steps N  --batch N  --seed N          cuántos; ejemplos por paso; semilla\n"
        "  --optimiser sgd|adam|adamw              y --momentum X, --weight-decay X\n"
        "  --lr X  --schedule NOMBRE  --warmup N   la tasa: constant, linear, cosine\n"
        "  --clip X  --compile                     la mayor norma; como vectores\n"
        "  --points N  --noise X                   puntos: cuántos, cuánto se desvían\n"
        "  --hidden 16,16  --activation NOMBRE     relu, tanh, sigmoid, gelu o silu\n"
        "  --layers, --width, --heads, --block N   tamaños del GPT; y --dropout X\n"
        "  --samples N  --temperature X            textos al final (20, 0.5)\n"
        "  --save ARCHIVO.safetensors  --every N   lo guarda; cada N pasos\n"
        "  --resume ARCHIVO.safetensors            continúa; y ARCHIVO, si se movió\n"
        "  --plot [ARCHIVO.svg|.png]               pérdida y frontera, en vivo o archivo\n"
        "  --watch ARCHIVO.html  --json            una página que lo sigue; como datos\n"
        "  --lang en|es                            el idioma\n"
        "\n"
        "Códigos de salida: 0 bien, 1 pérdida no numérica, 2 entrada mala, 130 detenido.",
    ),
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
    "train.unreadable": (
        "cannot read {path}: {why}",
        "no se puede leer {path}: {why}",
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
    "train.compile.dropout": (
        "dropout draws new numbers in every step, and a compiled step is always the same one; leave out "
        "--compile, or --dropout",
        "el dropout sortea números nuevos en cada paso, y un paso compilado es siempre el mismo; omita "
        "--compile, o --dropout",
    ),
    "usage.train": (
        "nothing to train; write a task, as in minigrad train moons, or a file with one text per line",
        "no hay nada que entrenar; escriba una tarea, como en minigrad train moons, o un archivo con un "
        "texto por línea",
    ),
    "usage.train.words": (
        "train one thing at a time, as in minigrad train moons --steps 200",
        "entrene una sola cosa, como en minigrad train moons --steps 200",
    ),
    "usage.train.task": (
        "there is no task {given} and no such file; the tasks are {known}, or write the path of a text file",
        "no existe la tarea {given} ni un archivo así; las tareas son {known}, o escriba la ruta de un "
        "archivo de texto",
    ),
    "usage.train.close": (
        "there is no task {given} and no such file; did you mean minigrad train {close}?",
        "no existe la tarea {given} ni un archivo así; ¿quiso decir minigrad train {close}?",
    ),
    "usage.train.whole": (
        "{option} needs a whole number, and {given} is not one",
        "{option} necesita un número entero, y {given} no lo es",
    ),
    "usage.train.number": (
        "{option} needs a number such as 0.01, and {given} is not one",
        "{option} necesita un número como 0.01, y {given} no lo es",
    ),
    "usage.train.above": (
        "{option} must be above 0, and {given} is not; leave it out for the usual",
        "{option} debe ser mayor que 0, y {given} no lo es; omítalo para lo usual",
    ),
    "usage.train.temperature": (
        "--temperature must be above 0 and at most 100, and {given} is not; 0.5 is usual, less is safer",
        "--temperature debe ser mayor que 0 y de 100 como mucho, y {given} no lo es; 0.5 es lo usual, "
        "menos es más prudente",
    ),
    "usage.train.foreign": (
        "{option} does not belong to {task}; leave it out (minigrad train --help shows which options go "
        "with what)",
        "{option} no es de {task}; omítala (minigrad train --help muestra qué opciones van con qué)",
    ),
    "usage.train.taken": (
        "{path} is there already, and a new run would take its place; to go on with the run in it, write "
        "minigrad train --resume {path}; else choose another name, or delete it first",
        "{path} ya existe, y un entrenamiento nuevo ocuparía su lugar; para continuar el que contiene, "
        "escriba minigrad train --resume {path}; si no, elija otro nombre o bórrelo antes",
    ),
    "usage.train.over": (
        "{option} would write over the texts in {path} that are trained on; give another name",
        "{option} sobrescribiría los textos de {path} con los que se entrena; indique otro nombre",
    ),
    "usage.train.every": (
        "--every says how often to save; write --save FILE.safetensors too",
        "--every dice cada cuánto se guarda; escriba también --save ARCHIVO.safetensors",
    ),
    "usage.train.contradicts": (
        "{option} {given} contradicts the saved run, which has {kept}; leave it out to resume, or begin a"
        " new run without --resume",
        "{option} {given} contradice el entrenamiento guardado, que tiene {kept}; omítala para continuar, o "
        "empiece un entrenamiento nuevo sin --resume",
    ),
    "usage.train.other": (
        "the saved run is about {task}, not {given}; leave {given} out",
        "el entrenamiento guardado es de {task}, no de {given}; omita {given}",
    ),
    # ---- while it runs --------------------------------------------------------------------------
}
