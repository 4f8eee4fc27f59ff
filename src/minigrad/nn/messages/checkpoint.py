"""Sentences of checkpoints."""

ROWS: dict[str, tuple[str, str]] = {
    "checkpoint.not_ours": (
        "{path} is not a minigrad checkpoint: {why}, at byte {offset}",
        "{path} no es un punto de control de minigrad: {why}, en el byte {offset}",
    ),
    "checkpoint.not_ours.here": (
        "{path} is not a minigrad checkpoint: {why}",
        "{path} no es un punto de control de minigrad: {why}",
    ),
    # ---- the file ---------------------------------------------------------------------------------
    "checkpoint.empty": ("the file is empty", "el archivo está vacío"),
    "checkpoint.short": (
        "its {size} bytes are fewer than the 8 of a header's length",
        "sus {size} bytes son menos que los 8 de la longitud de una cabecera",
    ),
    "checkpoint.text": (
        "it is a text, and a checkpoint is what minigrad train --save or nn.save writes",
        "es un texto, y un punto de control es lo que escribe minigrad train --save o nn.save",
    ),
    "checkpoint.oversized": (
        "it has {size} bytes, and none of ours has more than {most}",
        "tiene {size} bytes, y ninguno nuestro tiene más de {most}",
    ),
    "checkpoint.truncated": (
        "it ends after {size} bytes, before its numbers do",
        "termina tras {size} bytes, antes que sus números",
    ),
    "checkpoint.trailing": (
        "{count} bytes follow its last number",
        "tras su último número siguen {count} bytes",
    ),
    "checkpoint.folder": ("it is a folder", "es una carpeta"),
    "checkpoint.device": (
        "it is a device or a pipe, not a file",
        "es un dispositivo o una tubería, no un archivo",
    ),
    # ---- the header -------------------------------------------------------------------------------
    "checkpoint.header.length": (
        "its header would have {given} bytes in a file of {size}",
        "su cabecera tendría {given} bytes en un archivo de {size}",
    ),
    "checkpoint.header.start": (
        "its header does not begin with a brace",
        "su cabecera no empieza con una llave",
    ),
    "checkpoint.header.utf8": (
        "its header is not UTF-8",
        "su cabecera no es UTF-8",
    ),
    "checkpoint.header.changed": (
        "something in its header, bytes {begin} to {end}, was changed after it was written",
        "algo en su cabecera, bytes {begin} a {end}, fue cambiado después de escribirse",
    ),
    "checkpoint.format": (
        "its format is {given}, not {known}",
        "su formato es {given}, no {known}",
    ),
    "checkpoint.format.none": ("not stated", "desconocido"),
    "checkpoint.metadata": (
        "its metadata are not the four texts format, state, sums and digest",
        "sus metadatos no son los cuatro textos format, state, sums y digest",
    ),
    "checkpoint.row": (
        "a tensor has dtype, shape and data_offsets, this one does not",
        "un tensor tiene dtype, shape y data_offsets, este no",
    ),
    "checkpoint.dtype": (
        "its numbers are {given}, not F64",
        "sus números son {given}, no F64",
    ),
    "checkpoint.shape": (
        "its shape is not a list of up to eight whole numbers",
        "su forma no es una lista de hasta ocho números enteros",
    ),
    "checkpoint.offsets": (
        "its numbers should go from {begin} to {end}, and data_offsets says otherwise",
        "sus números deberían ir de {begin} a {end}, y data_offsets dice otra cosa",
    ),
    "checkpoint.sums": (
        "it has not one checksum per tensor",
        "no tiene una suma de comprobación por tensor",
    ),
    "checkpoint.changed": (
        "the numbers of {name} were changed after they were written",
        "los números de {name} fueron cambiados después de escribirse",
    ),
    # ---- JSON -------------------------------------------------------------------------------------
    # ---- the state --------------------------------------------------------------------------------
    "checkpoint.state": ("its state is not a JSON object", "su estado no es un objeto JSON"),
    "checkpoint.state.type": (
        "{where} is of type {given}, which a checkpoint cannot hold: "
        "numbers, texts, lists and dicts can be saved",
        "{where} es de tipo {given}, que no cabe en un punto de control: "
        "se guardan números, textos, listas y dicts",
    ),
    "checkpoint.state.key": (
        "{where} has the key {given}, which is no text: write it as a string",
        "{where} tiene la clave {given}, que no es un texto: escríbala como cadena",
    ),
    "checkpoint.state.infinite": (
        "{where} is {given}, which JSON has no word for: save str({given}), or leave it out",
        "{where} es {given}, para lo que JSON no tiene palabra: guarde str({given}), u omítalo",
    ),
    "checkpoint.state.large": (
        "{where} is a whole number with more than 900 digits: save it as a text",
        "{where} es un número entero de más de 900 cifras: guárdelo como texto",
    ),
    "checkpoint.state.deep": (
        "what is to be saved is nested more than {most} deep: make it flatter",
        "lo que se quiere guardar está anidado a más de {most} niveles: aplánelo",
    ),
    "checkpoint.large": (
        "a checkpoint of {size} bytes is more than minigrad reads: save fewer numbers",
        "un punto de control de {size} bytes es más de lo que minigrad lee: guarde menos números",
    ),
    "checkpoint.tensor": (
        "{name} with the shape {shape} cannot be saved with {count} numbers: "
        "the sizes must multiply to their count, on at most eight axes",
        "{name} con la forma {shape} no puede guardarse con {count} números: "
        "los tamaños deben multiplicarse a su cantidad, en ocho ejes como máximo",
    ),
    "checkpoint.model": (
        "a {given} is not a Module: save and load a minigrad.nn model",
        "un {given} no es un Module: guarde y cargue un modelo de minigrad.nn",
    ),
    "checkpoint.lacks": (
        "it holds no entry '{what}' that could be restored",
        "no contiene ninguna entrada '{what}' que pueda restaurarse",
    ),
    "checkpoint.places": (
        "what its optimiser remembers does not fit its parameters",
        "lo que recuerda su optimizador no corresponde a sus parámetros",
    ),
    "checkpoint.generator": (
        "the state of the random numbers '{name}' is missing or none that a generator can be in",
        "el estado de los números aleatorios '{name}' falta o no es posible en un generador",
    ),
    "checkpoint.unfit": (
        "{path} does not fit: {why}",
        "{path} no corresponde: {why}",
    ),
    # ---- a run ------------------------------------------------------------------------------------
}
