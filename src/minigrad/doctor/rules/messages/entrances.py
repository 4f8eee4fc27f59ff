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
    "rules.annotation.unseen": ("{name} was not examined", "{name} no se examinó"),
    "rules.plugin": (
        "record the custom backward rules that the tests call, and examine each of them at the end",
        "registra las reglas de retropropagación propias que llaman las pruebas y al final examina cada una",
    ),
    "rules.record.title": ("Custom rules that were called", "Reglas propias que se llamaron"),
    "rules.record.none": ("none", "ninguna"),
    "rules.list.title": ("Custom rules", "Reglas propias"),
    "rules.list.conduct": ("conduct: {faults}", "conducta: {faults}"),
    "rules.list.second": ("second derivative: {faults}", "segunda derivada: {faults}"),
    "rules.progress": (
        "examining rule {number} of {of}: {name}",
        "examinando la regla {number} de {of}: {name}",
    ),
    "rules.list.none": ("none was examined", "no se examinó ninguna"),
    "rules.unseen.examination": (
        "the examination itself raised an error: {about}",
        "el propio examen dio un error: {about}",
    ),
    "rules.unseen.interrupted": (
        "Ctrl-C ended the examination; not reached: {about}",
        "Ctrl-C terminó el examen; no se llegó a: {about}",
    ),
    "rules.unseen.interrupted_early": (
        "Ctrl-C came before any rule was examined",
        "Ctrl-C llegó antes de que se examinara ninguna regla",
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
    "rules.unseen.call_syntax": (
        '--call wants Python that calls the rule, as in "Fn.apply(torch.randn(3), 2.0)", and not {about}',
        '--call quiere Python que llame a la regla, como en "Fn.apply(torch.randn(3), 2.0)", y no {about}',
    ),
    "rules.unseen.call_failed": (
        "what --call says raises an error: {about}",
        "lo que dice --call da un error: {about}",
    ),
    "rules.unseen.call_none": (
        "no custom rule was called: {about}",
        "no se llamó a ninguna regla propia: {about}",
    ),
    "rules.unseen.calls_left": (
        "{about} more calls of it with other arguments: there was no time left",
        "{about} llamadas más con otros argumentos: no quedaba tiempo",
    ),
    "rules.unseen.script_raised": (
        "the program ended with an error; what it called before was examined: {about}",
        "el programa terminó con un error; se examinó lo que había llamado antes: {about}",
    ),
    "rules.unseen.script_late": (
        "the program was stopped after {about} seconds; what it called until then was examined",
        "el programa se detuvo a los {about} segundos; se examinó lo que había llamado hasta entonces",
    ),
    "rules.unseen.stand_in": (
        "these modules could not be imported here, and empty ones stood in for them: {about}",
        "estos módulos no se pudieron importar aquí, y otros vacíos ocuparon su lugar: {about}",
    ),
    "rules.unseen.package": (
        "its package could not be imported, so the file was examined without __init__.py: {about}",
        "no se pudo importar su paquete, así que el archivo se examinó sin __init__.py: {about}",
    ),
    "rules.unseen.left_out": (
        "statements of the notebook that raised errors were left out: {about}",
        "se dejaron fuera instrucciones del cuaderno que daban errores: {about}",
    ),
    "rules.unseen.late": (
        "with inputs that were invented it took more than {about} seconds: perhaps an iteration of it does "
        'not end there; give it a call with real ones, such as --call "Fn.apply(...)"',
        "con entradas inventadas tardó más de {about} segundos: puede que una iteración suya no termine ahí; "
        'pase una llamada con entradas reales, como --call "Fn.apply(...)"',
    ),
    "rules.unseen.program": (
        "what its file does besides defining: it raised {about}, and only its definitions were run",
        "lo que hace su archivo además de definir: dio {about}, y solo se ejecutaron sus definiciones",
    ),
    "rules.unseen.inside": (
        "{about}, which makes it, needs other arguments than were tried; say them with --call, as in "
        '--call "make_rule(4)(torch.randn(3))"',
        "{about}, que la crea, necesita otros argumentos que los probados; dígalos con --call, como en "
        '--call "make_rule(4)(torch.randn(3))"',
    ),
    "rules.unseen.no_forward": (
        "{about} has no forward of its own: it is for other classes to inherit from; name one of those",
        "{about} no tiene un forward propio: es para que otras clases hereden de ella; indique una de esas",
    ),
    "rules.unseen.old_style": (
        "it is written in the old style, with forward and backward as methods of an instance, which PyTorch "
        "refuses; write @staticmethod above both, take ctx in place of self, and pass what the constructor "
        "took to apply: {about}",
        "está escrita al estilo antiguo, con forward y backward como métodos de una instancia, que PyTorch "
        "rechaza; ponga @staticmethod encima de ambos, reciba ctx en lugar de self y pase a apply lo que "
        "recibía el constructor: {about}",
    ),
    "rules.unseen.constructor": (
        "it is not known what to make it with ({about}); say it with --call, as in "
        '--call "Layer(4, 3)(torch.randn(2, 4))"',
        "no se sabe con qué construirlo ({about}); dígalo con --call, como en "
        '--call "Layer(4, 3)(torch.randn(2, 4))"',
    ),
    "rules.unseen.factory": (
        "it is not known what to call it with ({about}); say it with --call, as in "
        '--call "make_rule(4)(torch.randn(3))"',
        "no se sabe con qué llamarla ({about}); dígalo con --call, como en "
        '--call "make_rule(4)(torch.randn(3))"',
    ),
}
