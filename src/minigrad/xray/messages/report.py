"""Sentences of the report of the x-ray, its remarks and its errors."""

ROWS = {
    "xray.title": (
        "X-ray of a program",
        "Radiografía de un programa",
    ),
    "xray.title.verdict": (
        "Verdict",
        "Veredicto",
    ),
    "xray.title.findings": (
        "Findings",
        "Hallazgos",
    ),
    "xray.title.facts": (
        "Facts, which may be intended",
        "Hechos, que pueden ser intencionados",
    ),
    "xray.title.unseen": (
        "Not examined",
        "No examinado",
    ),
    "xray.verdict.healthy": (
        "HEALTHY.",
        "SANO.",
    ),
    "xray.verdict.suspect": (
        "SUSPECT.",
        "SOSPECHOSO.",
    ),
    "xray.verdict.not_examined": (
        "NOT EXAMINED.",
        "NO EXAMINADO.",
    ),
    "xray.because.healthy": (
        "Nothing in its gradients is wrong, as far as this can see; facts: {facts}.",
        "Nada de sus gradientes es incorrecto, hasta donde esto alcanza a ver; hechos: {facts}.",
    ),
    "xray.because.suspect": (
        "Findings: {findings}, each with its line; facts: {facts}.",
        "Hallazgos: {findings}, cada uno con su línea; hechos: {facts}.",
    ),
    "xray.because.not_examined": (
        "There is no verdict.",
        "No hay veredicto.",
    ),
    "xray.seen.ops": (
        "ops of the forward pass: {about}",
        "operaciones de la pasada hacia delante: {about}",
    ),
    "xray.seen.parameters": (
        "parameters of the model: {about}",
        "parámetros del modelo: {about}",
    ),
    "xray.more": (
        "... and {count} more; --all or JSON has them",
        "... y {count} más; con --all o en JSON",
    ),
    "xray.seen.steps": (
        "steps of the loop: {about}",
        "pasos del bucle: {about}",
    ),
    "xray.unseen.time": (
        "the time for probes was over before all had run; --seconds gives more",
        "el tiempo de las sondas se acabó antes de que corrieran todas; --seconds da más",
    ),
    "xray.unseen.finding": (
        "one of the checks raised an error: {about}",
        "una de las comprobaciones dio un error: {about}",
    ),
    "xray.unseen.rule": (
        "the doctor could not examine the backward of {about}",
        "el médico no pudo examinar el backward de {about}",
    ),
    "xray.unseen.repeats": (
        "make_loss gives another loss each time, so what needs a second run was left out",
        "make_loss da cada vez otra pérdida, así que se omitió lo que necesita una segunda ejecución",
    ),
    "xray.unseen.inputs": (
        "the model was called with none of the inputs that were given for the probes, so the first tensor "
        "that it was called with was taken",
        "el modelo no recibió ninguna de las entradas dadas para las sondas, así que se tomó el primer "
        "tensor que recibió",
    ),
    "xray.unseen.step": (
        "the step raised an error, so the loop was not examined: {about}",
        "el paso dio un error, así que no se examinó el bucle: {about}",
    ),
    "xray.unseen.no_backward": (
        "no backward pass ran while it was recorded",
        "no se ejecutó ningún backward durante el registro",
    ),
    "xray.unseen.distributed": (
        "the loop runs in several processes (DDP or FSDP), which this does not support: only this "
        "process was seen",
        "el bucle corre en varios procesos (DDP o FSDP), lo que no se admite: solo se vio este proceso",
    ),
    "xray.unseen.ended": (
        "the examination ended before it had a result: {about}",
        "el examen terminó antes de tener un resultado: {about}",
    ),
    "xray.unseen.loading": (
        "loading the file raised an error: {about}",
        "al cargar el archivo hubo un error: {about}",
    ),
    "xray.unseen.running": (
        "the program raised an error: {about}",
        "el programa dio un error: {about}",
    ),
    "xray.no_torch": (
        "PyTorch is not installed; write: pip install minigrad-lab[torch]",
        "PyTorch no está instalado; escriba: pip install minigrad-lab[torch]",
    ),
    "xray.no_function": (
        "there is no function {name} in {file}; name one that is defined at its top level",
        "no hay ninguna función {name} en {file}; indique una definida en su nivel superior",
    ),
    "xray.no_loss": (
        "there is no function in {file} that gives a loss; define one of {known} without arguments, "
        "or name yours: {file}:my_loss",
        "en {file} no hay ninguna función que dé una pérdida; defina una de {known} sin argumentos, o "
        "indique la suya: {file}:my_loss",
    ),
    "xray.loss_arguments": (
        "{name} in {file} needs arguments; write a function without any that calls it with a batch",
        "{name} de {file} necesita argumentos; escriba una función sin argumentos que la llame con un lote",
    ),
    "xray.program_ending": (
        "{given} is no Python file; write the path of one, such as train.py or train.py:make_loss",
        "{given} no es un archivo de Python; escriba la ruta de uno, como train.py o train.py:make_loss",
    ),
    "xray.program_missing": (
        "there is no file {given}; check its path",
        "no existe el archivo {given}; revise su ruta",
    ),
    "xray.lazy": (
        "{name} has no shape yet; call the model once with a batch before it is examined",
        "{name} aún no tiene forma; llame al modelo una vez con un lote antes de examinarlo",
    ),
    "xray.loss_call": (
        "make_loss is a {given} and cannot be called; pass a function without arguments that gives the loss",
        "make_loss es un {given} y no se puede llamar; pase una función sin argumentos que dé la pérdida",
    ),
    "xray.loss_kind": (
        "make_loss gave {given}, and a loss is a tensor with one number; return its mean or its sum",
        "make_loss dio {given}, y una pérdida es un tensor con un solo número; devuelva su media o su suma",
    ),
}
