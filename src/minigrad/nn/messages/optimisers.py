"""Sentences of optimisers, schedules and data sets."""

ROWS = {
    # ---- optimisers -------------------------------------------------------------------------------
    "optim.params": (
        "an optimiser takes a list of Values, as in SGD(model.parameters(), lr=0.1), or a list of groups, "
        'as in SGD([{{"params": model.parameters(), "lr": 0.1}}]), and not {given}',
        "un optimizador recibe una lista de Value, como en SGD(model.parameters(), lr=0.1), o una lista de "
        'grupos, como en SGD([{{"params": model.parameters(), "lr": 0.1}}]), y no {given}',
    ),
    "optim.empty": (
        "there is no parameter to train: the list is empty; pass model.parameters() of a model that has "
        "weights",
        "no hay ningún parámetro que entrenar: la lista está vacía; pase model.parameters() de un modelo "
        "con pesos",
    ),
    "optim.group": (
        'a group is a dict with "params" in it, as in {{"params": model.parameters(), "lr": 0.1}}, and not '
        "{given}",
        'un grupo es un dict que contiene "params", como {{"params": model.parameters(), "lr": 0.1}}, y no '
        "{given}",
    ),
    "optim.value": (
        "parameter {place} is {given}, and only a Value can be trained; write Value(0.5) to make one",
        "el parámetro {place} es {given}, y solo se puede entrenar un Value; escriba Value(0.5) para crear "
        "uno",
    ),
    "optim.leaf": (
        "parameter {place}, {given}, is the result of an operation, so the next forward pass would "
        "overwrite what is learnt; pass the Values that it was made from",
        "el parámetro {place}, {given}, es el resultado de una operación, así que el siguiente paso hacia "
        "adelante borraría lo aprendido; pase los Value de los que está hecho",
    ),
    "optim.constant": (
        "parameter {place}, {given}, is a constant and gets no gradient; leave it out, or set its "
        "requires_grad to True",
        "el parámetro {place}, {given}, es una constante y no recibe gradiente; omítalo, o ponga su "
        "requires_grad en True",
    ),
    "optim.twice": (
        "{given} is given twice and would be moved twice in each step; give each parameter once "
        "(model.parameters() lists shared weights once)",
        "{given} aparece dos veces y se movería dos veces en cada paso; dé cada parámetro una sola vez "
        "(model.parameters() cuenta una vez los pesos compartidos)",
    ),
    "optim.setting": (
        "{kind} has no setting {given}; it has {known}",
        "{kind} no tiene el ajuste {given}; tiene {known}",
    ),
    "optim.switch": (
        "{name} is either True or False, and {given} is neither",
        "{name} es True o False, y {given} no es ninguno de los dos",
    ),
    "optim.positive": (
        "{name} is {given}, and it has to be a finite number that is not below 0, such as 0.01",
        "{name} es {given}, y tiene que ser un número finito que no esté por debajo de 0, como 0.01",
    ),
    "optim.finite": (
        "{name} is {given}, and it has to be a finite number, such as 0.1",
        "{name} es {given}, y tiene que ser un número finito, como 0.1",
    ),
    "optim.betas": (
        "betas are two numbers, as in betas=(0.9, 0.999), and not {given}",
        "betas son dos números, como en betas=(0.9, 0.999), y no {given}",
    ),
    "optim.beta": (
        "a beta of {given} is no share of a running average: each is at least 0 and below 1, as in "
        "betas=(0.9, 0.999)",
        "una beta de {given} no es una parte de un promedio móvil: cada una es al menos 0 y menor que 1, "
        "como en betas=(0.9, 0.999)",
    ),
    "optim.nesterov": (
        "nesterov looks ahead along the momentum, so it needs momentum above 0 and no dampening, and here "
        "momentum is {momentum} and dampening {dampening}; write SGD(..., momentum=0.9, nesterov=True)",
        "nesterov mira hacia adelante a lo largo del momentum, así que necesita un momentum mayor que 0 y "
        "ningún dampening, y aquí momentum es {momentum} y dampening {dampening}; escriba SGD(..., "
        "momentum=0.9, nesterov=True)",
    ),
    "optim.state": (
        'a state is the dict that state_dict() gives, with "state" and "param_groups" in it, and not {given}',
        'un estado es el dict que da state_dict(), con "state" y "param_groups", y no {given}',
    ),
    "optim.state.groups": (
        "the state has {given} groups of parameters and this optimiser {wanted}; make the optimiser with "
        "the groups that it was saved with",
        "el estado tiene {given} grupos de parámetros y este optimizador {wanted}; cree el optimizador con "
        "los grupos con los que se guardó",
    ),
    "optim.state.group": (
        'group {place} of the state is a dict with "params" in it, and not {given}',
        'el grupo {place} del estado es un dict que contiene "params", y no {given}',
    ),
    "optim.state.size": (
        "group {place} of the state has {given} parameters and this optimiser's {wanted}; it was saved "
        "with a model of another size",
        "el grupo {place} del estado tiene {given} parámetros y el de este optimizador {wanted}; se guardó "
        "con un modelo de otro tamaño",
    ),
    "optim.state.stray": (
        "the state speaks of a parameter {given} that is in none of its groups, so it is not a state of "
        "{kind}",
        "el estado habla de un parámetro {given} que no está en ninguno de sus grupos, así que no es un "
        "estado de {kind}",
    ),
    "optim.state.entry": (
        "what the state holds for parameter {place} is not what {kind} remembers ({known}); load it into "
        "the kind of optimiser that saved it",
        "lo que el estado contiene para el parámetro {place} no es lo que {kind} recuerda ({known}); "
        "cárguelo en el tipo de optimizador que lo guardó",
    ),
    "optim.state.missing": (
        "the state has no {missing} for parameter {place}, without which its training cannot go on",
        "el estado no tiene {missing} para el parámetro {place}, y sin eso su entrenamiento no puede "
        "continuar",
    ),
    "optim.state.number": (
        "{name} of parameter {place} is one number for one Value, and not {given}",
        "{name} del parámetro {place} es un solo número para un solo Value, y no {given}",
    ),
    "optim.state.step": (
        "parameter {place} has taken {given} steps, and that has to be a whole number from 0",
        "el parámetro {place} ha dado {given} pasos, y eso tiene que ser un número entero desde 0",
    ),
    "optim.state.square": (
        "{name} of parameter {place} is {given}, and an average of squares is never below 0",
        "{name} del parámetro {place} es {given}, y un promedio de cuadrados nunca está por debajo de 0",
    ),
    # ---- clipping ---------------------------------------------------------------------------------
    "clip.bound": (
        "{name} is {given}, and a size is a number that is not below 0, such as 1.0",
        "{name} es {given}, y un tamaño es un número que no está por debajo de 0, como 1.0",
    ),
    "clip.norm_type": (
        "norm_type is {given}, and it has to be above 0: 2.0 for the length, inf for the largest",
        "norm_type es {given}, y tiene que ser mayor que 0: 2.0 para la longitud, inf para el mayor",
    ),
    "clip.nonfinite": (
        "the norm of the gradients is {norm}, so they cannot be scaled down to any size; look for the "
        "first node whose gradient is not a finite number",
        "la norma de los gradientes es {norm}, así que no se pueden reducir a ningún tamaño; busque el "
        "primer nodo cuyo gradiente no es un número finito",
    ),
    "clip.parameter": (
        "gradients are clipped on Values, as in clip_grad_norm_(model.parameters(), 1.0), and {given} is "
        "none",
        "los gradientes se recortan en Value, como en clip_grad_norm_(model.parameters(), 1.0), y {given} "
        "no lo es",
    ),
    # ---- schedules --------------------------------------------------------------------------------
    "schedule.optimiser": (
        "a schedule changes the rate of an optimiser, and {given} is none; pass SGD(...), Adam(...) or "
        "AdamW(...)",
        "un plan cambia la tasa de aprendizaje de un optimizador, y {given} no lo es; pase SGD(...), "
        "Adam(...) o AdamW(...)",
    ),
    "schedule.resumed": (
        "last_epoch={epoch} continues a schedule, but group {place} of the optimiser has no initial_lr to "
        "continue from; load the optimiser's saved state first, or leave last_epoch out",
        "last_epoch={epoch} continúa un plan, pero el grupo {place} del optimizador no tiene initial_lr "
        "desde la que continuar; cargue primero el estado guardado del optimizador, u omita last_epoch",
    ),
    "schedule.whole": (
        "{name} is {given}, and it has to be a whole number from {least}",
        "{name} es {given}, y tiene que ser un número entero desde {least}",
    ),
    "schedule.factor": (
        "{name} is {given}, and a part of the rate is above 0 and at most 1 (a rate of 0 could not be "
        "raised again)",
        "{name} es {given}, y una parte de la tasa es mayor que 0 y como máximo 1 (una tasa de 0 ya no se "
        "podría subir)",
    ),
    "schedule.end_factor": (
        "{name} is {given}, and a part of the rate is at least 0 and at most 1",
        "{name} es {given}, y una parte de la tasa es al menos 0 y como máximo 1",
    ),
    "schedule.finite": (
        "{name} is {given}, and it has to be a finite number, such as 0.001",
        "{name} es {given}, y tiene que ser un número finito, como 0.001",
    ),
    "schedule.lambdas": (
        "there are {given} functions for {wanted} groups; give one function per group, or one for all",
        "hay {given} funciones para {wanted} grupos; dé una función por grupo, o una para todos",
    ),
    "schedule.lambda": (
        "lr_lambda is a function of the epoch, as in lambda epoch: 0.95**epoch, and not {given}",
        "lr_lambda es una función de la época, como lambda epoch: 0.95**epoch, y no {given}",
    ),
    "schedule.milestones": (
        "SequentialLR needs one milestone between each schedule and the next: {wanted} here, and {given} "
        "were given, as in SequentialLR(optimiser, [first, second], milestones=[100])",
        "SequentialLR necesita un límite entre cada plan y el siguiente: aquí {wanted}, y se dieron "
        "{given}, como en SequentialLR(optimiser, [first, second], milestones=[100])",
    ),
    "schedule.rising": (
        "the milestones {given} have to rise, each above the one before",
        "los límites {given} tienen que subir, cada uno por encima del anterior",
    ),
    "schedule.kind": (
        "SequentialLR runs schedules such as LinearLR(optimiser), and {given} is none",
        "SequentialLR recorre planes como LinearLR(optimiser), y {given} no lo es",
    ),
    "schedule.nested": (
        "a SequentialLR cannot be part of another; put all its schedules in one list",
        "un SequentialLR no puede ser parte de otro; ponga todos sus planes en una sola lista",
    ),
    "schedule.other": (
        "this {kind} belongs to another optimiser; make all schedules with the same one",
        "este {kind} pertenece a otro optimizador; cree todos los planes con el mismo",
    ),
    "schedule.state": (
        "this is not a state of {kind}: {name} is missing, foreign or of another size; load what its "
        "state_dict() gave",
        "esto no es un estado de {kind}: {name} falta, es ajeno o tiene otro tamaño; cargue lo que dio su "
        "state_dict()",
    ),
    "schedule.state.rates": (
        "{name} in the state has to be a list with one rate for each of the optimiser's {groups} groups",
        "{name} en el estado tiene que ser una lista con una tasa para cada uno de los {groups} grupos del "
        "optimizador",
    ),
    # ---- points -----------------------------------------------------------------------------------
    "data.count": (
        "{given} cannot be a number of points; write a whole number from 1 to {most}, such as 100",
        "{given} no puede ser una cantidad de puntos; escriba un número entero de 1 a {most}, como 100",
    ),
    "data.noise": (
        "{given} cannot be an amount of noise; write a number that is not below 0, such as 0.1",
        "{given} no puede ser una cantidad de ruido; escriba un número que no esté por debajo de 0, como 0.1",
    ),
    "data.seed": (
        "{given} cannot be a seed; write a whole number from 0, such as 7",
        "{given} no puede ser una semilla; escriba un número entero desde 0, como 7",
    ),
    "data.part": (
        "{name} is {given}, and it has to be a finite number above 0",
        "{name} es {given}, y tiene que ser un número finito mayor que 0",
    ),
    # ---- texts ------------------------------------------------------------------------------------
    "data.missing": (
        "there is no file {path}; write the path of a text file with one document per line",
        "no existe el archivo {path}; escriba la ruta de un archivo de texto con un documento por línea",
    ),
    "data.folder": (
        "{path} is a folder; write the path of a text file in it",
        "{path} es una carpeta; escriba la ruta de un archivo de texto que esté en ella",
    ),
    "data.special": (
        "{path} is a device or a pipe and not a file; save the text to a file first",
        "{path} es un dispositivo o una tubería y no un archivo; guarde primero el texto en un archivo",
    ),
    "data.unreadable": (
        "{path} cannot be read: {reason}",
        "no se puede leer {path}: {reason}",
    ),
    "data.large": (
        "{path} has more than {most} MB, and training on single numbers would never see the end of it; cut "
        "out a part, as with head -n 10000",
        "{path} tiene más de {most} MB, y entrenando con números sueltos nunca se llegaría al final; "
        "recorte una parte, por ejemplo con head -n 10000",
    ),
    "data.encoding": (
        "{path} is not text in UTF-8: byte {byte} at offset {offset} cannot be read as a character; save "
        "the text as UTF-8",
        "{path} no es texto en UTF-8: el byte {byte} en la posición {offset} no se puede leer como un "
        "carácter; guarde el texto como UTF-8",
    ),
    "data.control": (
        "{path} is not plain text: there is a control character {character} at byte {offset}; give a text "
        "file",
        "{path} no es texto simple: hay un carácter de control {character} en el byte {offset}; dé un "
        "archivo de texto",
    ),
    "data.empty": (
        "{path} has no text in it; write at least one line",
        "{path} no contiene texto; escriba al menos una línea",
    ),
    "vocabulary.empty": (
        "there is no character to make a vocabulary of; give at least one document that is not empty",
        "no hay ningún carácter con el que hacer un vocabulario; dé al menos un documento que no esté vacío",
    ),
    "vocabulary.document": (
        "a document is a text, and {given} is none; pass a list of texts",
        "un documento es un texto, y {given} no lo es; pase una lista de textos",
    ),
    "vocabulary.character": (
        "the character {given} is not in the vocabulary, which was made of other documents; it has {known}",
        "el carácter {given} no está en el vocabulario, que se hizo con otros documentos; tiene {known}",
    ),
    "vocabulary.token": (
        "{given} is no token; tokens are the whole numbers from 0 to {last}",
        "{given} no es un token; los tokens son los números enteros de 0 a {last}",
    ),
}
