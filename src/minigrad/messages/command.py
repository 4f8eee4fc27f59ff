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
    "usage.input": (
        "after the expression come its inputs, each without spaces, such as a=2, and {given} is not one; "
        "the expression comes first, whole and in quotes",
        "tras la expresión van sus entradas, cada una sin espacios, como a=2, y {given} no lo es; "
        "la expresión va primero, entera y entre comillas",
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
        '  minigrad explain "relu(a*b + d)" a=2 b=-3 d=10          another expression\n'
        '  minigrad explain "tanh(w*x + b)" w=0.5 x=2 b=-0.5 --view ledger,thermometer\n'
        '  minigrad explain "a + a" a=3 --json                     everything as data\n'
        "  minigrad explain --help                                 what else there is\n"
        "  minigrad --lang es                                      en español",
        "Pruebe ahora:\n"
        '  minigrad explain "relu(a*b + d)" a=2 b=-3 d=10 --lang es   otra expresión\n'
        '  minigrad explain "tanh(w*x + b)" w=0.5 x=2 b=-0.5 --view ledger,thermometer --lang es\n'
        '  minigrad explain "a + a" a=3 --json                        todo como datos\n'
        "  minigrad explain --help --lang es                          qué más hay\n"
        "  minigrad --lang en                                         in English",
    ),
    "version.native": ("compiled engine", "motor compilado"),
    "version.plain": ("plain Python engine", "motor en Python"),
    "help": (
        "minigrad: an autograd engine that you can see through\n"
        "\n"
        "  minigrad                               explain the classic example\n"
        "  minigrad explain EXPR name=value ...   explain every gradient of EXPR\n"
        "  minigrad COMMAND --help                the options of a command\n"
        "  minigrad --version\n"
        "\n"
        "--lang en|es chooses the language anywhere (or set MINIGRAD_LANG).\n"
        "Exit codes: 0 all is right, 1 a check failed, 2 the input was bad.",
        "minigrad: un motor de autograd transparente\n"
        "\n"
        "  minigrad                               explica el ejemplo clásico\n"
        "  minigrad explain EXPR nombre=valor ... explica cada gradiente de EXPR\n"
        "  minigrad COMANDO --help                las opciones de un comando\n"
        "  minigrad --version\n"
        "\n"
        "--lang en|es elige el idioma en cualquier lugar (o defina MINIGRAD_LANG).\n"
        "Códigos de salida: 0 todo correcto, 1 falló una comprobación,\n"
        "2 la entrada no era válida.",
    ),
    "help.explain": (
        "minigrad explain EXPR name=value ... [options]\n"
        "\n"
        "EXPR is one or more statements, separated by ; or line breaks; the last one\n"
        "is the output:\n"
        '  minigrad explain "ab = a*b; L = ab + c" a=2 b=3 c=4\n'
        "  minigrad explain - < FILE     reads EXPR from standard input\n"
        "It knows + - * / ** and parentheses, < <= > >=, and every op as a function:\n"
        "exp, log, tanh, relu, maximum, where, sum ... (all are in docs/language.md).\n"
        "\n"
        "  --view VIEWS   parts to show, separated by commas: forward, order, walk,\n"
        "                 ledger, meaning, thermometer, check\n"
        "  --json         all as JSON: gradients, nodes, order, events, paths, check\n"
        "  --out FILE     write it to FILE.json, FILE.md or FILE.txt\n"
        "  --all          show all lines of a long explanation\n"
        "  --lang en|es   the language",
        "minigrad explain EXPR nombre=valor ... [opciones]\n"
        "\n"
        "EXPR es una o más instrucciones, separadas por ; o saltos de línea; la última\n"
        "es la salida:\n"
        '  minigrad explain "ab = a*b; L = ab + c" a=2 b=3 c=4\n'
        "  minigrad explain - < ARCHIVO  lee EXPR de la entrada estándar\n"
        "Conoce + - * / ** y paréntesis, < <= > >=, y cada operación como función:\n"
        "exp, log, tanh, relu, maximum, where, sum ... (todas en docs/es/language.md).\n"
        "\n"
        "  --view VISTAS  partes que mostrar, separadas por comas: forward, order,\n"
        "                 walk, ledger, meaning, thermometer, check\n"
        "  --json         todo como JSON: gradients, nodes, order, events, paths, check\n"
        "  --out ARCHIVO  lo escribe en ARCHIVO.json, ARCHIVO.md o ARCHIVO.txt\n"
        "  --all          muestra todas las líneas de una explicación larga\n"
        "  --lang en|es   el idioma",
    ),
}
