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
    "xray.seen.passes": (
        "backward passes of a step: {about}",
        "pasadas hacia atrás de un paso: {about}",
    ),
    "xray.unseen.pass": (
        "of the step, the loss of the backward pass at {about} was not examined",
        "del paso, no se examinó la pérdida de la pasada hacia atrás de {about}",
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
    "xray.unseen.loop_only": (
        "of the step only its loop was looked at; a function make_loss() that gives the loss, without "
        "training, has its forward pass and its gradients examined too",
        "del paso solo se miró el bucle; con una función make_loss() que dé la pérdida, sin entrenar, se "
        "examinan también su pasada hacia delante y sus gradientes",
    ),
    "xray.unseen.ended_timeout": (
        "the program took longer than {about} s; --seconds gives it more",
        "el programa tardó más de {about} s; con --seconds tiene más tiempo",
    ),
    "xray.unseen.ended_cpu": (
        "the program used more than {about} s of the processor; --seconds gives it more",
        "el programa usó más de {about} s de procesador; con --seconds tiene más tiempo",
    ),
    "xray.unseen.ended_memory": (
        "the program used more memory than it may: {about}",
        "el programa usó más memoria de la permitida: {about}",
    ),
    "xray.unseen.ended_output": (
        "the program printed more than it may: {about}",
        "el programa imprimió más de lo permitido: {about}",
    ),
    "xray.unseen.ended_processes": (
        "the program started more processes than it may: {about}",
        "el programa inició más procesos de los permitidos: {about}",
    ),
    "xray.unseen.ended_exit": (
        "the program ended the process before there was a result: {about}",
        "el programa terminó el proceso antes de que hubiera un resultado: {about}",
    ),
    "xray.unseen.ended_signal": (
        "a signal ended the process before there was a result, as after a crash in C: {about}",
        "una señal terminó el proceso antes de que hubiera un resultado, como tras un fallo en C: {about}",
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
    "xray.model_kind": (
        "{given} is no model; pass a torch.nn.Module, or nothing",
        "{given} no es un modelo; pase un torch.nn.Module, o nada",
    ),
    "xray.optimizer_kind": (
        "{given} is no optimizer; pass a torch.optim.Optimizer, or nothing",
        "{given} no es un optimizador; pase un torch.optim.Optimizer, o nada",
    ),
    "xray.inputs_kind": (
        "{given} is no tensor and no list of tensors; pass those that the model is called with, or nothing",
        "{given} no es un tensor ni una lista de tensores; pase los que recibe el modelo, o nada",
    ),
    "xray.seconds": (
        "{given} is no number of seconds; write one that is greater than 0",
        "{given} no es un número de segundos; escriba uno mayor que 0",
    ),
    "xray.loss_call": (
        "make_loss is a {given} and cannot be called; pass a function without arguments that gives the loss",
        "make_loss es un {given} y no se puede llamar; pase una función sin argumentos que dé la pérdida",
    ),
    "xray.loss_kind": (
        "{name} gave {given}, and a loss is a tensor with one number; return its mean or its sum; a function "
        "that trains is called step or train_step, and a loop is recorded with minigrad.xray.record",
        "{name} dio {given}, y una pérdida es un tensor con un solo número; devuelva su media o su suma; una "
        "función que entrena se llama step o train_step, y un bucle se registra con minigrad.xray.record",
    ),
    "xray.loss_graph": (
        "the loss that {name} gave depends on nothing that requires a gradient, so backward() would raise; "
        "look for no_grad, detach, item or a new tensor on its way",
        "la pérdida que dio {name} no depende de nada que pida gradiente, así que backward() daría un error; "
        "busque no_grad, detach, item o un tensor nuevo en su camino",
    ),
    "xray.silent": ("it printed nothing", "no imprimió nada"),
    "xray.intended": (
        "{given} is neither a family nor a line; write one of {known}, or a line such as train.py:12",
        "{given} no es ni una familia ni una línea; escriba una de {known}, o una línea como train.py:12",
    ),
}
