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
    "printed.number": (
        "{name} needs a number, and {given} is not one; write {name}=1, {name}=-0.25 or {name}=nan",
        "{name} necesita un número, y {given} no lo es; escriba {name}=1, {name}=-0.25 o {name}=nan",
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
    "help": (
        "minigrad: an autograd engine that you can see through\n"
        "\n"
        "  minigrad                               explain the classic example\n"
        "  minigrad explain EXPR name=value ...   explain every gradient of EXPR\n"
        "  minigrad check EXPR name=value ...     are the gradients of EXPR right?\n"
        "  minigrad break FAULT EXPR name=value ...\n"
        "                                         break the pass on purpose, and watch\n"
        "  minigrad diagnose EXPR name=value ... --got name=value ...\n"
        "                                         which bug gives these gradients?\n"
        "  minigrad studio [EXPR name=value ...]  all of this in the browser, live\n"
        "  minigrad train moons|names|FILE ...    train a small model, out of scalars\n"
        "  minigrad duel FAULT ... --on moons     what a bug does to learning\n"
        "  minigrad doctor PATH[:Class]           what is wrong with this engine?\n"
        '  minigrad mutate PATH --tests "pytest"  which bugs would the tests let pass?\n'
        "  minigrad learn [UNIT]                  the course, in short units with labs\n"
        "  minigrad grade FOLDER                  grade the sheets of a class\n"
        "  minigrad COMMAND --help                the options of a command\n"
        "  minigrad --version\n"
        "\n"
        "--lang en|es chooses the language anywhere (or set MINIGRAD_LANG).\n"
        "Exit codes: 0 all is right, 1 a check failed, 2 the input was bad,\n"
        "3 nobody could judge.",
        "minigrad: un motor de autograd transparente\n"
        "\n"
        "  minigrad                               explica el ejemplo clásico\n"
        "  minigrad explain EXPR nombre=valor ... explica cada gradiente de EXPR\n"
        "  minigrad check EXPR nombre=valor ...   ¿son correctos los gradientes de EXPR?\n"
        "  minigrad break FALLO EXPR nombre=valor ...\n"
        "                                         rompe el paso a propósito y lo muestra\n"
        "  minigrad diagnose EXPR nombre=valor ... --got nombre=valor ...\n"
        "                                         ¿qué error da estos gradientes?\n"
        "  minigrad studio [EXPR nombre=valor ...]\n"
        "                                         todo esto en el navegador, en vivo\n"
        "  minigrad train moons|names|ARCHIVO ... entrena un modelo pequeño de escalares\n"
        "  minigrad duel FALLO ... --on moons     qué le hace un fallo al aprendizaje\n"
        "  minigrad doctor RUTA[:Clase]           ¿qué le pasa a este motor?\n"
        '  minigrad mutate RUTA --tests "pytest"  ¿qué errores no verían las pruebas?\n'
        "  minigrad learn [UNIDAD]                el curso, en unidades breves\n"
        "  minigrad grade CARPETA                 califica las hojas de una clase\n"
        "  minigrad COMANDO --help                las opciones de un comando\n"
        "  minigrad --version\n"
        "\n"
        "--lang en|es elige el idioma en cualquier lugar (o defina MINIGRAD_LANG).\n"
        "Códigos de salida: 0 todo correcto, 1 falló una comprobación,\n"
        "2 la entrada no era válida, 3 nadie pudo juzgar.",
    ),
    "help.explain": (
        "minigrad explain EXPR name=value ... [options]\n"
        "minigrad explain RUN.safetensors [FILE] [--weight NAME] [--paths K]\n"
        "\n"
        "EXPR is statements, separated by ; or line breaks; the last is the output:\n"
        '  minigrad explain "ab = a*b; L = ab + c" a=2 b=3 c=4\n'
        "  minigrad explain - < FILE     reads EXPR from standard input\n"
        "It knows + - * / ** and parentheses, < <= > >=, and every op as a function:\n"
        "exp, log, tanh, relu, maximum, where, sum ... (all are in docs/en/language.md).\n"
        "\n"
        "  --view VIEWS   parts to show, separated by commas: forward, order, walk,\n"
        "                 ledger, meaning, thermometer, check; waterfall\n"
        "  --order NODES  walk the ops in this order: L,e,f,ab\n"
        "  --json         all as JSON: gradients, nodes, order, events, paths, check\n"
        "  --out FILE     write it to FILE, and what its ending says: .txt, .md, .json,\n"
        "                 .tex, .svg, .png, or .html: a page that plays the pass\n"
        "  --all          show all lines of a long explanation\n"
        "  --lang en|es   the language\n"
        "\n"
        "Pictures (.svg, .png, .html) have their own views and wishes:\n"
        "  --view graph|river|waterfall|thermometer|ledger   the graph if not said\n"
        "  --node NAME    whose ledger;  --open GROUP   a group of a large graph\n"
        "  --theme auto|light|dark|print;  --against NODES   (.html) a second order\n"
        "RUN is what `train --save` wrote: the gradient of one weight in its next step,\n"
        "its K largest paths and the exact rest, or a list; FILE: its texts, if moved.",
        "minigrad explain EXPR nombre=valor ... [opciones]\n"
        "minigrad explain RUN.safetensors [ARCHIVO] [--weight NOMBRE] [--paths K]\n"
        "\n"
        "EXPR: instrucciones separadas por ; o saltos de línea; la última es la salida:\n"
        '  minigrad explain "ab = a*b; L = ab + c" a=2 b=3 c=4\n'
        "  minigrad explain - < ARCHIVO  lee EXPR de la entrada estándar\n"
        "Conoce + - * / ** y paréntesis, < <= > >=, y cada operación como función:\n"
        "exp, log, tanh, relu, maximum, where, sum ... (todas en docs/es/language.md).\n"
        "\n"
        "  --view VISTAS  partes que mostrar, separadas por comas: forward, order,\n"
        "                 walk, ledger, meaning, thermometer, check; waterfall\n"
        "  --order NODOS  recorre las operaciones en este orden: L,e,f,ab\n"
        "  --json         todo como JSON: gradients, nodes, order, events, paths, check\n"
        "  --out ARCHIVO  lo escribe; la extensión dice qué: .txt, .md, .json, .tex,\n"
        "                 .svg, .png, o .html: una página que reproduce el paso\n"
        "  --all          muestra todas las líneas de una explicación larga\n"
        "  --lang en|es   el idioma\n"
        "\n"
        "Los dibujos (.svg, .png, .html) tienen sus propias vistas y opciones:\n"
        "  --view graph|river|waterfall|thermometer|ledger   el grafo si no se dice\n"
        "  --node NOMBRE  de quién es el desglose;  --open GRUPO   de un grafo grande\n"
        "  --theme auto|light|dark|print;  --against NODOS   (.html) un segundo orden\n"
        "RUN lo escribió `train --save`: el gradiente de un peso en su próximo paso, sus\n"
        "K caminos mayores y el resto exacto; o una lista; ARCHIVO: sus textos.",
    ),
    "help.break": (
        "minigrad break [FAULT] [EXPR name=value ...] [options]\n"
        "\n"
        "Puts a bug into the backward pass of EXPR and shows what comes of it, in every\n"
        "valid order: the change, the run, what survives and why, and where it hides.\n"
        '  minigrad break overwrite "a*b + a" a=2 b=3\n'
        "  minigrad break overwrite            on the smallest graph that shows it\n"
        '  minigrad break "a*b + a" a=2 b=3    every fault that shows on this graph\n'
        "\n"
        "  --list           the catalogue of faults\n"
        "  --variant WHAT   which variant: an op, a number, an edge such as 'ab > a'\n"
        "  --predict        say first what the gradients will be\n"
        "  --scrub          walk through the valid orders, one frame each\n"
        "  --json           all as JSON: fault, expected, orders, accounts, diff, hides\n"
        "  --out FILE       write it to FILE.json, .md, .txt, or .html: a page that plays\n"
        "                   the right and the broken pass side by side\n"
        "  --all            show all lines of a long result\n"
        "  --lang en|es     the language\n"
        "\n"
        "Exit codes: 0 it ran, with or without a wrong gradient, 2 the input was bad.",
        "minigrad break [FALLO] [EXPR nombre=valor ...] [opciones]\n"
        "\n"
        "Introduce un fallo en el paso hacia atrás de EXPR y muestra qué ocurre en cada\n"
        "orden válido: el cambio, la ejecución, qué sobrevive y dónde se esconde.\n"
        '  minigrad break overwrite "a*b + a" a=2 b=3\n'
        "  minigrad break overwrite            en el grafo más pequeño que lo muestra\n"
        '  minigrad break "a*b + a" a=2 b=3    cada fallo que se nota en este grafo\n'
        "\n"
        "  --list           el catálogo de fallos\n"
        "  --variant CUÁL   qué variante: una operación, un número, una arista 'ab > a'\n"
        "  --predict        diga antes cuáles serán los gradientes\n"
        "  --scrub          recorre los órdenes válidos, uno por cuadro\n"
        "  --json           todo como JSON: fault, expected, orders, accounts, diff ...\n"
        "  --out ARCHIVO    lo escribe en ARCHIVO.json, .md, .txt, o .html: una página\n"
        "                   que reproduce el paso correcto y el roto, uno junto al otro\n"
        "  --all            muestra todas las líneas de un resultado largo\n"
        "  --lang en|es     el idioma\n"
        "\n"
        "Códigos de salida: 0 se ejecutó, con o sin gradientes incorrectos,\n"
        "2 la entrada no era válida.",
    ),
    "help.diagnose": (
        "minigrad diagnose EXPR name=value ... --got name=value ... [options]\n"
        "\n"
        "Which bug gives these gradients?  Every fault of the catalogue is tried, in\n"
        "every valid order of the pass, and pairs of faults where one is not enough:\n"
        '  minigrad diagnose "c = a*b; d = a + b; c + d" a=2 b=-3 --got a=1 b=1\n'
        "\n"
        "  --got NAME=VALUE...  what was observed: some inputs or all, nodes in between,\n"
        "                       rounded as they were printed\n"
        "  --json               all as JSON: verdict, expected, diagnoses, distinguish\n"
        "  --out FILE           write it to FILE.json, FILE.md or FILE.txt\n"
        "  --all                show every explanation\n"
        "  --lang en|es         the language\n"
        "\n"
        "Exit codes: 0 the gradients are right, 1 they are wrong, 2 the input was bad.\n"
        "minigrad break --list shows the catalogue.",
        "minigrad diagnose EXPR nombre=valor ... --got nombre=valor ... [opciones]\n"
        "\n"
        "¿Qué error da estos gradientes?  Se prueba cada fallo del catálogo, en cada\n"
        "orden válido del paso, y parejas de fallos si uno solo no lo explica:\n"
        '  minigrad diagnose "c = a*b; d = a + b; c + d" a=2 b=-3 --got a=1 b=1\n'
        "\n"
        "  --got NOMBRE=VALOR...  lo observado: algunas entradas o todas, nodos\n"
        "                         intermedios, redondeados tal como se imprimieron\n"
        "  --json                 todo como JSON: verdict, expected, diagnoses ...\n"
        "  --out ARCHIVO          lo escribe en ARCHIVO.json, ARCHIVO.md o ARCHIVO.txt\n"
        "  --all                  muestra todas las explicaciones\n"
        "  --lang en|es           el idioma\n"
        "\n"
        "Códigos de salida: 0 los gradientes son correctos, 1 son incorrectos,\n"
        "2 la entrada no era válida.\n"
        "minigrad break --list muestra el catálogo.",
    ),
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
    "help.mutate": (
        "minigrad mutate PATH[:Class] --tests COMMAND [options]\n"
        "\n"
        "Which bugs would these tests let through?  Each fault of the catalogue that\n"
        "fits is planted into a copy of the engine, one at a time, and they are run:\n"
        '  minigrad mutate engine.py --tests "pytest -q"\n'
        "\n"
        "  --tests COMMAND      how the tests are run; as the engine is, they must pass\n"
        "  --only FAULTS        some faults or families of them, such as overwrite,order\n"
        "  --limit N            so many mutants, the usual bugs first\n"
        "  --seconds N          the time for one run of the tests\n"
        "  --project FOLDER     what is copied; by default the engine's project\n"
        "  --data, --grad NAME  the names of a value's number and gradient\n"
        "  --json               all as JSON: killed, survived, mutants ...\n"
        "  --out FILE           write it to FILE.json, FILE.md or FILE.txt\n"
        "  --all                show every survivor\n"
        "  --lang en|es         the language\n"
        "\n"
        "A survivor comes with a one-line test that kills it.\n"
        "Exit codes: 0 every bug is noticed, 1 some would ship, 2 the input was bad.",
        "minigrad mutate RUTA[:Clase] --tests ORDEN [opciones]\n"
        "\n"
        "¿Qué errores dejarían pasar estas pruebas?  Cada fallo del catálogo que encaja\n"
        "se planta en una copia del motor, uno por uno, y se ejecutan las pruebas:\n"
        '  minigrad mutate engine.py --tests "pytest -q"\n'
        "\n"
        "  --tests ORDEN           cómo se ejecutan las pruebas; deben pasar con el motor\n"
        "                          tal como está\n"
        "  --only FALLOS           algunos fallos o familias, como overwrite,order\n"
        "  --limit N               tantos mutantes, los errores habituales primero\n"
        "  --seconds N             el tiempo para una ejecución de las pruebas\n"
        "  --project CARPETA       lo que se copia; por defecto, la carpeta del proyecto\n"
        "  --data, --grad NOMBRE   los nombres del número y del gradiente de un valor\n"
        "  --json                  todo como JSON: killed, survived, mutants ...\n"
        "  --out ARCHIVO           lo escribe en ARCHIVO.json, ARCHIVO.md o ARCHIVO.txt\n"
        "  --all                   muestra todos los supervivientes\n"
        "  --lang en|es            el idioma\n"
        "\n"
        "Cada superviviente viene con una prueba de una línea que lo detecta.\n"
        "Códigos de salida: 0 se nota todo, 1 algo pasaría, 2 la entrada no era válida.",
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
    "help.doctor": (
        "minigrad doctor PATH[:Class] [options]\n"
        "minigrad doctor --torch MODULE:FUNCTION\n"
        "\n"
        "What is wrong with this engine?  PATH is a Python file, a folder, a module or a\n"
        "notebook with a micrograd-like engine.  It runs in a child process with limits:\n"
        "  minigrad doctor engine.py\n"
        "  minigrad doctor lesson.ipynb:Value\n"
        "  minigrad doctor --torch my_rules:Mul       (or --jax)\n"
        "\n"
        "  --data, --grad NAME  where a value keeps its number and its gradient, if it\n"
        "                       is not found; NAME() for a method\n"
        "  --backward NAME      the method or function that runs the pass\n"
        "  --cell N             the cell of a notebook that defines the class, from 0\n"
        "  --torch, --jax MODULE:FUNCTION\n"
        "                       examine a torch.autograd.Function, or a JAX custom rule\n"
        "  --json               verdict, findings, limits, design_choices, not_examined\n"
        "  --out FILE           write it to FILE.json, .md, .txt or .html\n"
        "  --lang en|es         the language\n"
        "\n"
        "A doctor.toml beside the file can say this and more.  Limits are no sandbox:\n"
        "do not examine a file that you would not run.\n"
        "Exit codes: 0 correct, 1 wrong, 3 limited, 2 it could not be examined.",
        "minigrad doctor RUTA[:Clase] [opciones]\n"
        "minigrad doctor --torch MÓDULO:FUNCIÓN\n"
        "\n"
        "¿Qué le pasa a este motor?  RUTA es un archivo de Python, una carpeta, un\n"
        "módulo o un cuaderno con un motor al estilo de micrograd.  Se ejecuta en un\n"
        "proceso hijo con límites:\n"
        "  minigrad doctor engine.py\n"
        "  minigrad doctor leccion.ipynb:Value\n"
        "  minigrad doctor --torch mis_reglas:Mul     (o --jax)\n"
        "\n"
        "  --data, --grad NOMBRE  dónde guarda un valor su número y su gradiente, si no\n"
        "                         se encuentra; NOMBRE() para un método\n"
        "  --backward NOMBRE      el método o la función que ejecuta el paso\n"
        "  --cell N               la celda de un cuaderno que define la clase, desde 0\n"
        "  --torch, --jax MÓDULO:FUNCIÓN\n"
        "                         examina una torch.autograd.Function, o una regla de JAX\n"
        "  --json                 verdict, findings, limits, design_choices, not_examined\n"
        "  --out ARCHIVO          lo escribe en ARCHIVO.json, .md, .txt o .html\n"
        "  --lang en|es           el idioma\n"
        "\n"
        "Un doctor.toml junto al archivo puede decir esto y más.  Los límites no son un\n"
        "aislamiento: no examine un archivo que no ejecutaría.\n"
        "Códigos de salida: 0 correcto, 1 incorrecto, 3 limitado, 2 no se pudo examinar.",
    ),
    "help.check": (
        "minigrad check EXPR name=value ... [options]\n"
        "\n"
        "Are the gradients of EXPR right?  Ten witnesses are asked, most of which know\n"
        "none of our derivative formulas; a verdict is given with its reason:\n"
        '  minigrad check "ab = a*b; L = ab + c" a=2 b=3 c=4\n'
        '  minigrad check "a*b + a" a=2 b=3 --got a=3 b=2    somebody else\'s gradients\n'
        "\n"
        "  --got NAME=VALUE...  try these gradients instead of our own pass; a number\n"
        "                       such as 0.33 is taken as rounded to its digits\n"
        "  --ask WITNESSES      all, quick (no large library), or some of mpmath,\n"
        "                       exact, sympy, complex, central, torch, jax, autograd,\n"
        "                       paper, dual\n"
        "  --json               as JSON: verdict, reason, gradients, witnesses, by_hand\n"
        "  --out FILE           write it to FILE.json, FILE.md or FILE.txt\n"
        "  --all                show all lines of a long result\n"
        "  --lang en|es         the language\n"
        "\n"
        "Exit codes: 0 right, 1 wrong, 2 the input was bad, 3 nobody could judge.",
        "minigrad check EXPR nombre=valor ... [opciones]\n"
        "\n"
        "¿Son correctos los gradientes de EXPR?  Se pregunta a diez testigos, casi todos\n"
        "ajenos a nuestras fórmulas de derivadas, y se da un veredicto con su razón:\n"
        '  minigrad check "ab = a*b; L = ab + c" a=2 b=3 c=4\n'
        '  minigrad check "a*b + a" a=2 b=3 --got a=3 b=2    gradientes de otra persona\n'
        "\n"
        "  --got NOMBRE=VALOR...  juzga estos gradientes y no nuestro propio paso; un\n"
        "                         número como 0.33 se toma por redondeado a sus cifras\n"
        "  --ask TESTIGOS         all, quick (sin bibliotecas grandes), o algunos de\n"
        "                         mpmath, exact, sympy, complex, central, torch, jax,\n"
        "                         autograd, paper, dual\n"
        "  --json                 como JSON: verdict, reason, gradients, witnesses, ...\n"
        "  --out ARCHIVO          lo escribe en ARCHIVO.json, ARCHIVO.md o ARCHIVO.txt\n"
        "  --all                  muestra todas las líneas de un resultado largo\n"
        "  --lang en|es           el idioma\n"
        "\n"
        "Códigos de salida: 0 correcto, 1 incorrecto, 2 la entrada no era válida,\n"
        "3 nadie pudo juzgar.",
    ),
}
