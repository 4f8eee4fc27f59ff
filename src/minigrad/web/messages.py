"""Sentences of the pages that need no server."""

ROWS = {
    # ---- while Python is on its way -----------------------------------------------------------------
    "web.loading": (
        "Python is on its way: {done} of {all} MB. What is drawn can be played already.",
        "Python está en camino: {done} de {all} MB. Lo que se ve ya se puede reproducir.",
    ),
    "web.starting": (
        "Python is starting. What is drawn can be played already.",
        "Python está arrancando. Lo que se ve ya se puede reproducir.",
    ),
    "web.bar": ("Python is being loaded", "Se está cargando Python"),
    "web.unable": (
        "This browser cannot run Python, because it has no WebAssembly: prepared examples can be played, "
        "but new statements get no answer.",
        "Este navegador no puede ejecutar Python porque no tiene WebAssembly: los ejemplos preparados se "
        "pueden reproducir, pero las instrucciones nuevas no tienen respuesta.",
    ),
    "web.failed": (
        "Python could not be started here: {why}. Prepared examples can be played.",
        "Aquí no se pudo arrancar Python: {why}. Los ejemplos preparados se pueden reproducir.",
    ),
    "web.unreachable": (
        "A part of this site could not be loaded. Nothing is lost: it is tried again and again.",
        "Una parte de este sitio no se pudo cargar. No se pierde nada: se vuelve a intentar una y otra vez.",
    ),
    # ---- the learner's file -------------------------------------------------------------------------
    "web.progress.save": ("Save my progress", "Guardar mi progreso"),
    "web.progress.open": ("Open my progress", "Abrir mi progreso"),
    "web.progress.odd": (
        "{name} is no file of progress: open one that was saved here, or the one of minigrad learn",
        "{name} no es un archivo de progreso: abra uno que se guardó aquí, o el de minigrad learn",
    ),
    # ---- a reader's own program ---------------------------------------------------------------------
    "web.program.line": ("line {line}: {error}", "línea {line}: {error}"),
    "web.program.error": ("the program cannot be run: {error}", "el programa no se puede ejecutar: {error}"),
    "web.program.torch": (
        "there is no torch in a browser. Write `from minigrad import Value`, and Value(2.0) where torch "
        "has torch.tensor(2.0, requires_grad=True): backward() and .grad are the same",
        "en el navegador no hay torch. Escriba `from minigrad import Value`, y Value(2.0) donde torch "
        "tiene torch.tensor(2.0, requires_grad=True): backward() y .grad son los mismos",
    ),
    "web.program.absent": (
        "there is no {package} in this page: Python's own library and minigrad are here",
        "en esta página no hay {package}: están la biblioteca de Python y minigrad",
    ),
    "web.program.output": (
        "it printed more than {most} characters and was stopped; print less, or not in a loop",
        "escribió más de {most} caracteres y se detuvo; imprima menos, o fuera del bucle",
    ),
    "web.program.time": (
        "it ran longer than {seconds} s and was stopped: perhaps a loop does not end",
        "pasó de {seconds} s y se detuvo: quizá un bucle no termina",
    ),
    "web.program.long": (
        "a program here has at most {most} characters",
        "aquí un programa tiene como mucho {most} caracteres",
    ),
    "web.program.nothing": (
        "The program ran, and computed nothing with a Value: write a = Value(2.0) and then L = a * a",
        "El programa se ejecutó y no calculó nada con un Value: escriba a = Value(2.0) y luego L = a * a",
    ),
    "web.program.title": ("minigrad, your own Python", "minigrad, su propio Python"),
    "web.program.name": ("your own Python", "su propio Python"),
    "web.program.motto": (
        "Your program as it stands, every gradient explained.",
        "Su programa tal como está, cada gradiente explicado.",
    ),
    "web.program.skip": ("Skip to the program", "Saltar al programa"),
    "web.program.title.program": ("Program", "Programa"),
    "web.program.run": ("Run", "Ejecutar"),
    "web.program.running": ("running ...", "se está ejecutando ..."),
    "web.program.linked": (
        "This program came with the link. Read it, then run it.",
        "Este programa vino con el enlace. Léalo y luego ejecútelo.",
    ),
    "web.program.printed": ("What it prints", "Lo que escribe"),
    "web.program.bench": (
        "Break this graph, or ask the court, in the studio",
        "Rompa este grafo, o pregunte al tribunal, en el estudio",
    ),
    "web.program.stale": (
        "The picture is of the last program that ran.",
        "La imagen es del último programa que se ejecutó.",
    ),
    "web.program.empty": (
        "Run the program to see its last Value.",
        "Ejecute el programa para ver su último Value.",
    ),
    "web.program.example.micrograd": ("micrograd's own example", "el ejemplo de micrograd"),
    "web.program.example.neuron": ("a neuron", "una neurona"),
    "web.program.example.training": ("a small network learns", "una red pequeña aprende"),
    # ---- the doctor -----------------------------------------------------------------------------------
    "web.doctor.way": ("The doctor", "El doctor"),
    "web.doctor.title": ("minigrad, the doctor", "minigrad, el doctor"),
    "web.doctor.name": ("the doctor", "el doctor"),
    "web.doctor.motto": (
        "What is wrong with an engine, and in which line.",
        "Qué le pasa a un motor, y en qué línea.",
    ),
    "web.doctor.skip": ("Skip to the engine", "Saltar al motor"),
    "web.doctor.engine": ("Engine", "Motor"),
    "web.doctor.hint": (
        "Paste an engine or a notebook here, or drop its file. It is run in this browser and sent nowhere.",
        "Pegue aquí un motor o un cuaderno, o suelte su archivo. Se ejecuta en este navegador y no se envía "
        "a ninguna parte.",
    ),
    "web.doctor.examine": ("Examine", "Examinar"),
    "web.doctor.stop": ("Stop", "Parar"),
    "web.doctor.open": ("Open a file", "Abrir un archivo"),
    "web.doctor.save": ("Save the report", "Guardar el informe"),
    "web.doctor.report": ("Report", "Informe"),
    "web.doctor.nothing": (
        "Examine the engine to read what is wrong with it.",
        "Examine el motor para leer qué le pasa.",
    ),
    "web.doctor.stale": (
        "The report is on the engine as it was when it was examined.",
        "El informe es del motor tal como estaba cuando se examinó.",
    ),
    "web.doctor.linked": (
        "This engine came with the link. Read it, then examine it.",
        "Este motor vino con el enlace. Léalo y luego examínelo.",
    ),
    "web.doctor.starting": ("Python is starting ...", "Python está arrancando ..."),
    "web.doctor.phase.0": ("finding out how it is used ...", "averiguando cómo se usa ..."),
    "web.doctor.phase.1": (
        "running some two hundred small programs, several times each ...",
        "ejecutando unos doscientos programas pequeños, cada uno varias veces ...",
    ),
    "web.doctor.phase.2": ("looking for the line ...", "buscando la línea ..."),
    "web.doctor.stopped": ("The examination was stopped.", "El examen se detuvo."),
    "web.doctor.odd": (
        "{name} is no engine that can be read here: open a file that ends in .py or .ipynb",
        "{name} no es un motor que se pueda leer aquí: abra un archivo que termine en .py o .ipynb",
    ),
    "web.doctor.long": (
        "an engine here has at most {most} characters",
        "aquí un motor tiene como mucho {most} caracteres",
    ),
    "web.doctor.empty": (
        "there is nothing to examine: paste an engine, or open its file",
        "no hay nada que examinar: pegue un motor, o abra su archivo",
    ),
    "web.doctor.example.broken": ("an engine with a bug", "un motor con un error"),
    "web.doctor.example.right": ("the same without it", "el mismo sin él"),
}
