"""Sentences about how rules come to the doctor: recorded calls, files, modules, test suites."""

ROWS = {
    "rules.origin.recorded": (
        "with the inputs of a call in your program: {inputs}",
        "con las entradas de una llamada de su programa: {inputs}",
    ),
    "rules.origin.shapes": (
        "with the shapes of a call in your program, and invented numbers: {inputs}",
        "con las formas de una llamada de su programa y números inventados: {inputs}",
    ),
    "rules.origin.example": (
        "with the inputs of an example in its file: {inputs}",
        "con las entradas de un ejemplo de su archivo: {inputs}",
    ),
    "rules.record.title": ("Custom rules that were called", "Reglas propias que se llamaron"),
    "rules.record.none": ("none", "ninguna"),
    "rules.list.title": ("Custom rules", "Reglas propias"),
    "rules.list.none": ("none was examined", "no se examinó ninguna"),
    "rules.unseen.examination": (
        "the examination itself raised an error: {about}",
        "el propio examen dio un error: {about}",
    ),
    "rules.unseen.call_raised": (
        "{about}: its calls raised errors, so their inputs were not used",
        "{about}: sus llamadas dieron errores, así que no se usaron sus entradas",
    ),
    "rules.unseen.call_uncopied": (
        "{about}: the inputs of its calls could not be copied",
        "{about}: no se pudieron copiar las entradas de sus llamadas",
    ),
    "rules.unseen.call_subclass": (
        "{about}: it was called with a tensor subclass that has its own operations, which cannot be copied",
        "{about}: se llamó con una subclase de tensor con operaciones propias, que no se puede copiar",
    ),
    "rules.unseen.call_captured": (
        "{about}: it was called while a CUDA graph was captured, when nothing can be copied",
        "{about}: se llamó mientras se capturaba un grafo de CUDA, cuando no se puede copiar nada",
    ),
    "rules.unseen.call_symbolic": (
        "{about}: it was only called while a program was traced, with shapes that are no numbers",
        "{about}: solo se llamó mientras se trazaba un programa, con formas que no son números",
    ),
}
