"""Sentences of the command line."""

ROWS = {
    "usage.option": ("there is no option {given}; {hint}", "no existe la opción {given}; {hint}"),
    "usage.did_you_mean": ("did you mean {option}?", "¿quiso decir {option}?"),
    "usage.options_are": ("the options are {options}", "las opciones son {options}"),
    "usage.twice": ("{given} was given twice", "{given} aparece dos veces"),
    "usage.no_value": ("{given} takes no value", "{given} no lleva valor"),
    "usage.value": ("{given} needs a value: {given} {value}", "{given} necesita un valor: {given} {value}"),
    "usage.command": (
        "there is no command {given}; the commands are {known} (minigrad --help shows more)",
        "no existe el comando {given}; los comandos son {known} (minigrad --help muestra más)",
    ),
    "usage.command.close": (
        "there is no command {given}; did you mean minigrad {close}?",
        "no existe el comando {given}; ¿quiso decir minigrad {close}?",
    ),
    "usage.command.forgotten": (
        "{given} is no command; to explain an expression, write minigrad explain {given} a=2 ...",
        "{given} no es un comando; para explicar una expresión, escriba minigrad explain {given} a=2 ...",
    ),
    "usage.memory": (
        "out of memory: the expression is too large for this machine",
        "memoria agotada: la expresión es demasiado grande para esta máquina",
    ),
    "system.denied": ("permission denied", "permiso denegado"),
    "system.missing": ("no such file or folder", "no existe ese archivo o carpeta"),
    "system.folder": ("it is a folder", "es una carpeta"),
    "system.full": ("the disk is full", "el disco está lleno"),
    "usage.expression": (
        "nothing to explain; write an expression and its inputs, as in "
        'minigrad explain "a*b + c" a=2 b=3 c=4',
        "no hay nada que explicar; escriba una expresión y sus entradas, como en "
        'minigrad explain "a*b + c" a=2 b=3 c=4',
    ),
    "usage.check": (
        'nothing to check; write an expression and its inputs, as in minigrad check "a*b + c" a=2 b=3 c=4',
        "no hay nada que comprobar; escriba una expresión y sus entradas, como en "
        'minigrad check "a*b + c" a=2 b=3 c=4',
    ),
    "usage.input": (
        "after the expression come its inputs, each without spaces, such as a=2, and {given} is not one; "
        "the expression comes first, whole and in quotes",
        "tras la expresión van sus entradas, cada una sin espacios, como a=2, y {given} no lo es; "
        "la expresión va primero, entera y entre comillas",
    ),
    "usage.got": (
        "--got takes gradients up to the next option, such as --got a=1 b=-0.5, and {given} is not one; "
        "the expression and its inputs come before it",
        "--got lleva gradientes hasta la siguiente opción, como --got a=1 b=-0.5, y {given} no lo es; "
        "la expresión y sus entradas van delante",
    ),
    "usage.input_name": (
        "{given} is not a name; names are letters, digits and _, such as a or w1",
        "{given} no es un nombre; los nombres son letras, cifras y _, como a o w1",
    ),
    "usage.input_twice": ("{name} was given twice", "{name} aparece dos veces"),
    "usage.input_number": (
        "{name} needs a number, and {given} is not one; write {name}=2, {name}=-0.5 with a point, "
        "{name}=1/3 or {name}=inf",
        "{name} necesita un número, y {given} no lo es; escriba {name}=2, {name}=-0.5 con punto, "
        "{name}=1/3 o {name}=inf",
    ),
    "usage.ending": (
        "cannot tell from {given} what to write; its ending must be one of {known}",
        "no se puede deducir de {given} qué hay que escribir; la extensión debe ser una de {known}",
    ),
    "usage.picture": (
        "{given} is about a picture; it goes with --out FILE that ends in {known}",
        "{given} se refiere a un dibujo; va con --out ARCHIVO que termine en {known}",
    ),
    "usage.node": (
        "--node says whose ledger to draw; write --view ledger too",
        "--node dice de quién es el desglose; escriba también --view ledger",
    ),
    "usage.json_ending": (
        "--json writes JSON, and {given} ends differently; write --out FILE.json",
        "--json escribe JSON, y {given} tiene otra extensión; escriba --out ARCHIVO.json",
    ),
    "out.failed": ("cannot write {path}: {why}", "no se puede escribir {path}: {why}"),
    "out.written": ("written to {path}", "escrito en {path}"),
    "welcome.what": (
        "minigrad computes every gradient of an expression and explains it term by term.",
        "minigrad calcula cada gradiente de una expresión y lo explica término a término.",
    ),
    "welcome.next": (
        "Try next:\n"
        '  minigrad explain "relu(a*b + d)" a=2 b=-3 d=10      another expression\n'
        '  minigrad check "tanh(w*x + b)" w=0.5 x=2 b=-0.5     is it right? ask witnesses\n'
        "  minigrad break overwrite                            a bug, what comes of it\n"
        '  minigrad diagnose "a*b + a" a=2 b=3 --got a=3 b=2   which bug gives these?\n'
        "  minigrad doctor minigrad.scalar                     any engine, examined\n"
        "  minigrad learn                                      all of it, step by step\n"
        "  minigrad --help                                     what else there is\n"
        "  minigrad --lang es                                  en español",
        "Pruebe ahora:\n"
        '  minigrad explain "relu(a*b + d)" a=2 b=-3 d=10      otra expresión\n'
        '  minigrad check "tanh(w*x + b)" w=0.5 x=2 b=-0.5     ¿es correcto? testigos\n'
        "  minigrad break overwrite                            un fallo, lo que provoca\n"
        '  minigrad diagnose "a*b + a" a=2 b=3 --got a=3 b=2   ¿qué fallo da esto?\n'
        "  minigrad doctor minigrad.scalar                     cualquier motor, examinado\n"
        "  minigrad learn                                      todo, paso a paso\n"
        "  minigrad --help                                     qué más hay\n"
        "  minigrad --lang en                                  in English\n"
        "Con --lang es, o MINIGRAD_LANG=es, todo responde en español.",
    ),
    "welcome.path": (
        "So that this terminal finds the command minigrad, write first:\n  {command}",
        "Para que esta terminal encuentre la orden minigrad, escriba antes:\n  {command}",
    ),
    "version.native": ("compiled engine", "motor compilado"),
    "version.plain": ("plain Python engine", "motor en Python"),
    "usage.mutate": (
        "write one engine and the command that tests it, as in "
        'minigrad mutate engine.py --tests "pytest -q tests"',
        "escriba un motor y la orden que lo prueba, como en "
        'minigrad mutate engine.py --tests "pytest -q tests"',
    ),
    "usage.whole": (
        "{option} is a whole number from {least} to {most}, and {given} is none",
        "{option} es un número entero del {least} al {most}, y {given} no lo es",
    ),
    "usage.number": (
        "{option} wants a number greater than 0, and {given} is not one",
        "{option} pide un número mayor que 0, y {given} no lo es",
    ),
    "usage.doctor": (
        "nothing to examine, or too much; write one path, as in minigrad doctor engine.py, or "
        "minigrad doctor engine.py:Value",
        "no hay nada que examinar, o demasiado; escriba una ruta, como en minigrad doctor engine.py, o "
        "minigrad doctor engine.py:Value",
    ),
    "usage.rule": (
        "write one custom function and no path, as in minigrad doctor --torch my_rules:Mul",
        "escriba una función propia y ninguna ruta, como en minigrad doctor --torch mis_reglas:Mul",
    ),
}
