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
        "{name} needs a number, and {given} is not one; write {name}=2, {name}=-0.5, "
        "{name}=1/3 or {name}=inf",
        "{name} necesita un número, y {given} no lo es; escriba {name}=2, {name}=-0.5, "
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
        "Para que esta terminal encuentre el comando minigrad, escriba antes:\n  {command}",
    ),
    "version.native": ("compiled engine", "motor compilado"),
    "version.plain": ("plain Python engine", "motor en Python"),
    "usage.mutate": (
        "write one engine and the command that tests it, as in "
        'minigrad mutate engine.py --tests "pytest -q tests"',
        "escriba un motor y el comando que lo prueba, como en "
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
    "usage.xray": (
        "nothing to examine, or too much; write one program, as in minigrad xray train.py, or "
        "minigrad xray train.py:make_loss",
        "no hay nada que examinar, o demasiado; escriba un programa, como en minigrad xray train.py, o "
        "minigrad xray train.py:make_loss",
    ),
    "usage.rule": (
        "write one custom function and no path, as in minigrad doctor --torch my_rules:Mul",
        "escriba una función propia y ninguna ruta, como en minigrad doctor --torch mis_reglas:Mul",
    ),
    "usage.rule_option": (
        "{given} is for custom backward rules; write --torch, --jax or --record too, as in "
        "minigrad doctor --torch my_rules.py {given}",
        "{given} es para reglas de retropropagación propias; escriba también --torch, --jax o --record, como "
        "en minigrad doctor --torch mis_reglas.py {given}",
    ),
    "usage.engine_option": (
        "{given} is for engines, which are examined without --torch, --jax and --record",
        "{given} es para motores, que se examinan sin --torch, --jax ni --record",
    ),
    "usage.fix_exists": (
        "{path} is there already, and nothing is written over it; name a file that does not exist yet",
        "{path} ya existe, y no se sobrescribe nada; indique un archivo que aún no exista",
    ),
    "usage.fix_kind": (
        "{given}: what is corrected is a {right} file; name a {right} file, or a .patch",
        "{given}: lo que se corrige es un archivo {right}; indique un archivo {right}, o un .patch",
    ),
    "usage.record": (
        "--record runs a Python program, and {given} is none; write minigrad doctor --record train.py, with "
        "its own arguments after --",
        "--record ejecuta un programa de Python, y {given} no lo es; escriba minigrad doctor --record "
        "train.py, con sus argumentos después de --",
    ),
    "usage.record_call": (
        "--record runs a whole program and --call a line; write one of them",
        "--record ejecuta un programa entero y --call una línea; escriba uno de los dos",
    ),
    "usage.seconds": (
        "--seconds says how long the program of --record may run; write minigrad doctor --record train.py "
        "--seconds 60",
        "--seconds dice cuánto puede durar el programa de --record; escriba minigrad doctor --record "
        "train.py --seconds 60",
    ),
    "usage.intended": (
        "--intended takes one of {words}, and not {given}",
        "--intended acepta una de estas palabras: {words}; no {given}",
    ),
    "usage.call": (
        '--call is empty; write Python that calls the rule, as in --call "Fn.apply(torch.randn(3), 2.0)"',
        "--call está vacío; escriba Python que llame a la regla, como en --call "
        '"Fn.apply(torch.randn(3), 2.0)"',
    ),
    "usage.weight.option": (
        "{given} does not fit a saved run: of {run}, one weight is explained, with --weight NAME, --paths K, "
        "--json, --out FILE and --all",
        "{given} no corresponde a un entrenamiento guardado: de {run} se explica un peso, con "
        "--weight NOMBRE, --paths K, --json, --out ARCHIVO y --all",
    ),
    "usage.weight.word": (
        "{given} does not fit a saved run: {run} has its own numbers, so write no name=value after it; a file"
        " only where its texts have moved",
        "{given} no corresponde a un entrenamiento guardado: {run} tiene sus propios números; no escriba "
        "nombre=valor después, y un archivo solo si sus textos se han movido",
    ),
    "usage.weight.run": (
        "{given} is about a weight of a saved run: write minigrad explain RUN.safetensors {given} ...",
        "{given} trata de un peso de un entrenamiento guardado: escriba "
        "minigrad explain RUN.safetensors {given} ...",
    ),
    "usage.weight.paths": (
        "--paths {given} is not possible without --weight NAME, whose paths they would be",
        "--paths {given} no es posible sin --weight NOMBRE, de quien serían los caminos",
    ),
    "train.unreadable": (
        "cannot read {path}: {why}",
        "no se puede leer {path}: {why}",
    ),
    "usage.train": (
        "nothing to train; write a task, as in minigrad train moons, or a file with one text per line",
        "no hay nada que entrenar; escriba una tarea, como en minigrad train moons, o un archivo con un "
        "texto por línea",
    ),
    "usage.train.words": (
        "train one thing at a time, as in minigrad train moons --steps 200",
        "entrene una sola cosa, como en minigrad train moons --steps 200",
    ),
    "usage.train.task": (
        "there is no task {given} and no such file; the tasks are {known}, or write the path of a text file",
        "no existe la tarea {given} ni un archivo así; las tareas son {known}, o escriba la ruta de un "
        "archivo de texto",
    ),
    "usage.train.close": (
        "there is no task {given} and no such file; did you mean minigrad train {close}?",
        "no existe la tarea {given} ni un archivo así; ¿quiso decir minigrad train {close}?",
    ),
    "usage.train.whole": (
        "{option} needs a whole number, and {given} is not one",
        "{option} necesita un número entero, y {given} no lo es",
    ),
    "usage.train.number": (
        "{option} needs a number such as 0.01, and {given} is not one",
        "{option} necesita un número como 0.01, y {given} no lo es",
    ),
    "usage.train.above": (
        "{option} must be above 0, and {given} is not; leave it out for the usual",
        "{option} debe ser mayor que 0, y {given} no lo es; sin la opción se usa el valor habitual",
    ),
    "usage.train.temperature": (
        "--temperature must be above 0 and at most 100, and {given} is not; 0.5 is usual, less is safer",
        "--temperature debe ser mayor que 0 y de 100 como mucho, y {given} no lo es; 0.5 es lo usual, "
        "conviene escribir menos",
    ),
    "usage.train.foreign": (
        "{option} does not belong to {task}; leave it out (minigrad train --help shows which options go "
        "with what)",
        "{option} no es de {task}; omítala (minigrad train --help muestra qué opciones van con qué)",
    ),
    "usage.train.taken": (
        "{path} is there already, and a new run would take its place; to go on with the run in it, write "
        "minigrad train --resume {path}; else choose another name, or delete it first",
        "{path} ya existe, y un entrenamiento nuevo ocuparía su lugar; para continuar el que contiene, "
        "escriba minigrad train --resume {path}; si no, elija otro nombre o bórrelo antes",
    ),
    "usage.train.over": (
        "{option} would write over the texts in {path} that are trained on; give another name",
        "{option} sobrescribiría los textos de {path} con los que se entrena; indique otro nombre",
    ),
    "usage.train.every": (
        "--every says how often to save; write --save FILE.safetensors too",
        "--every dice cada cuánto se guarda; escriba también --save ARCHIVO.safetensors",
    ),
    "usage.train.contradicts": (
        "{option} {given} contradicts the saved run, which has {kept}; leave it out to resume, or begin a"
        " new run without --resume",
        "{option} {given} contradice el entrenamiento guardado, que tiene {kept}; omítala para continuar, o "
        "empiece un entrenamiento nuevo sin --resume",
    ),
    "duel.on.missing": (
        "a duel needs a model to be held on; write --on moons or --on names",
        "un duelo necesita un modelo; escriba --on moons o --on names",
    ),
    "duel.progress": ("{done} of {all} runs", "{done} de {all} entrenamientos"),
    "forensics.expression": (
        "nothing to examine; write an expression, its inputs and what was observed, as in "
        'minigrad diagnose "a*b + a" a=2 b=3 --got a=3 b=2',
        "no hay nada que examinar; escriba una expresión, sus entradas y lo observado, como en "
        'minigrad diagnose "a*b + a" a=2 b=3 --got a=3 b=2',
    ),
    "usage.break": (
        "nothing to break; write a fault, an expression or both, as in "
        'minigrad break overwrite "a*b + a" a=2 b=3 (minigrad break --list shows the faults)',
        "no hay nada que romper; escriba un fallo, una expresión o ambos, como en "
        'minigrad break overwrite "a*b + a" a=2 b=3 (minigrad break --list muestra los fallos)',
    ),
    "usage.break.list": (
        "--list shows the whole catalogue and takes no fault or expression; leave out {given}",
        "--list muestra todo el catálogo y no lleva fallo ni expresión; omita {given}",
    ),
    "usage.break.overview": (
        "{option} is about one fault; name it first, as in minigrad break overwrite {given} {option}",
        "{option} trata de un solo fallo; nómbrelo antes, como en minigrad break overwrite {given} {option}",
    ),
    "usage.break.together": (
        "{first} and {second} do not go together; leave one out",
        "{first} y {second} no van juntas; omita una de las dos",
    ),
    "usage.break.late": (
        "the fault comes before the expression: minigrad break {slug} {given} ...",
        "el fallo va delante de la expresión: minigrad break {slug} {given} ...",
    ),
    "lab.scrub.keys": (
        "left and right, or p and n: another order; q: leave",
        "izquierda y derecha, o p y n: otro orden; q: salir",
    ),
    "classroom.aside.kind": (
        "a picture, a document or an archive, which only a person can read; ask for .md, .html, .ipynb or "
        "the "
        "file of answers, or unpack it",
        "una imagen, un documento o un archivo comprimido, que solo puede leer una persona; pida .md, .html, "
        ".ipynb o el archivo de respuestas, o descomprímalo",
    ),
    "classroom.aside.ending": (
        "its ending is none of {known}",
        "su terminación no es ninguna de {known}",
    ),
    "usage.class.word": (
        "--class takes its learners from a file, and {given} is one word too many; leave it out",
        "--class toma los nombres de un archivo, y {given} está de más; omítalo",
    ),
    "usage.forms": (
        "there is no form {given}; --forms takes {known}, with commas between",
        "no existe la forma {given}; --forms admite {known}, separadas por comas",
    ),
    "usage.kinds": (
        "there is no kind of question {given}; --kinds takes {known}, with commas between",
        "no existe el tipo de pregunta {given}; --kinds admite {known}, separados por comas",
    ),
    "usage.units": (
        "there is no unit {given}; write numbers from 1 to {count}, as in --units 1-4 or --units 2,5",
        "no existe la unidad {given}; escriba números del 1 al {count}, como en --units 1-4 o --units 2,5",
    ),
    "usage.units.none": (
        "no kind of question belongs to the units {given}; those with questions are {known}",
        "ningún tipo de pregunta pertenece a las unidades {given}; las que tienen preguntas son {known}",
    ),
    "usage.title": (
        "a title has at most {most} characters on one line, and this one does not: {given}",
        "un título tiene como mucho {most} caracteres en una sola línea, y este no: {given}",
    ),
    "usage.build.words": (
        "one folder at a time; {given} is one too many, as in minigrad build check my-engine",
        "una carpeta cada vez; {given} sobra, como en minigrad build check mi-motor",
    ),
    "usage.build.close": (
        "there is no {given}; did you mean {close}?",
        "no existe {given}; ¿quiso decir {close}?",
    ),
    "usage.build.option": (
        "{given} does nothing in minigrad {command}; minigrad build --help lists what does",
        "{given} no hace nada en minigrad {command}; minigrad build --help dice qué sí",
    ),
    "usage.grade": (
        "nothing to grade; name a folder, sheets or engines, as in minigrad grade monday",
        "no hay nada que calificar; nombre una carpeta, hojas o motores, como en minigrad grade lunes",
    ),
    "usage.grade.kind": (
        "{path} is neither a file nor a folder; name sheets, or the folder that they are in",
        "{path} no es ni un archivo ni una carpeta; nombre las hojas, o la carpeta en la que están",
    ),
    "usage.grade.many": (
        "there are more than {most} files; name the folder of the returned sheets alone",
        "hay más de {most} archivos; nombre solo la carpeta de las hojas devueltas",
    ),
    "usage.grade.keys": (
        "there are two keys, {first} and {second}: say which one is yours with --key FILE",
        "hay dos solucionarios, {first} y {second}: diga cuál es el suyo con --key ARCHIVO",
    ),
    "usage.grade.key": (
        "there is no key.json near these files, and sheets are graded by it; name it with --key "
        "FOLDER/key.json",
        "no hay un key.json cerca de estos archivos, y con él se califican las hojas; nómbrelo con "
        "--key CARPETA/key.json",
    ),
    "usage.due": (
        "{given} is no date; write it as 2026-09-30, or with a time as 2026-09-30T18:00",
        "{given} no es una fecha; escríbala como 2026-09-30, o con hora como 2026-09-30T18:00",
    ),
    "classroom.roster.file": (
        "{path} is not a file; the roster is a text file with one name per line",
        "{path} no es un archivo; la lista es un archivo de texto con un nombre por línea",
    ),
    "classroom.title": ("Exercises: the backward pass", "Ejercicios: la pasada hacia atrás"),
    "classroom.note": ("note: {words}", "nota: {words}"),
    "classroom.made": (
        "sheets: {count}, questions on each: {questions}, folder: {path}/sheets\n"
        "seed: {seed} (the same seed makes the same sheets)",
        "hojas: {count}, preguntas en cada una: {questions}, carpeta: {path}/sheets\n"
        "semilla: {seed} (con la misma semilla salen las mismas hojas)",
    ),
    "classroom.made.same": (
        "everything was there already, the same\n"
        "sheets: {count}, questions on each: {questions}, folder: {path}/sheets, seed: {seed}",
        "todo estaba ya allí, igual\n"
        "hojas: {count}, preguntas en cada una: {questions}, carpeta: {path}/sheets, semilla: {seed}",
    ),
    "classroom.made.key": (
        "hand out what is in {path}/sheets; key.md and key.json are for you alone",
        "reparta lo que hay en {path}/sheets; key.md y key.json son solo para usted",
    ),
    "classroom.made.next": (
        "put what comes back anywhere into {path}, and run: minigrad grade {path}",
        "ponga lo que le devuelvan en {path}, y ejecute: minigrad grade {path} --lang es",
    ),
    "learn.title": ("minigrad learn", "minigrad learn: el curso"),
    "learn.welcome": (
        "Short units, each with one idea, one graph that is computed as you read, one bug to predict and a "
        "checkpoint.",
        "Unidades breves: cada una con una idea, un grafo que se calcula mientras usted lee, un fallo que "
        "predecir y un punto de control.",
    ),
    "learn.welcome.keys": (
        "You can stop at any moment with q; minigrad learn goes on where you stopped.",
        "Puede dejarlo en cualquier momento con q; minigrad learn sigue donde lo dejó.",
    ),
    "learn.begin": ("Enter begins with unit 1, q stops:", "Intro empieza con la unidad 1, q sale:"),
    "learn.due": (
        "To be repeated today: {count}. minigrad learn --review asks.",
        "Para repasar hoy: {count}. minigrad learn --review lo pregunta.",
    ),
    "learn.stopped": (
        "Stopped; what you answered is kept. To go on: {command}",
        "Hasta aquí por ahora; lo que respondió queda guardado. Para seguir: {command}",
    ),
    "learn.not_kept": (
        "Not everything of this session could be written to {path}. Answers that are not kept: {count}.",
        "No todo lo de esta sesión se pudo escribir en {path}. Respuestas sin guardar: {count}.",
    ),
    "usage.learn.words": (
        "{given} is too much; write one unit, as in minigrad learn diamonds",
        "{given} está de más; escriba una unidad, como en minigrad learn diamonds",
    ),
    "usage.learn.practice": (
        "{given} goes with --practice, as in minigrad learn --practice gradient --level 2",
        "{given} va con --practice, como en minigrad learn --practice gradient --level 2",
    ),
    "usage.learn.class": (
        "{given} goes with --class or --handout, as in minigrad learn --class names.txt --out sheets",
        "{given} va con --class o --handout, como en minigrad learn --class nombres.txt --out hojas",
    ),
    "usage.learn.kind": (
        "there are no questions of the kind {given}; the kinds are {known}",
        "no hay preguntas del tipo {given}; los tipos son {known}",
    ),
    "usage.learn.out": (
        "--out writes one unit, and none was named; write minigrad learn diamonds --out diamonds.md",
        "--out escribe una unidad, y no se nombró ninguna; escriba minigrad learn diamonds --out diamonds.md",
    ),
    "usage.bug_cost": (
        "--bug-cost {given}: what a bug takes from the point of an engine is from 0 to 1, as in "
        "--bug-cost 0.25",
        "--bug-cost {given}: lo que un fallo le quita al punto de un motor va de 0 a 1, como en "
        "--bug-cost 0,25",
    ),
    "usage.epsilon": (
        "--epsilon {given}: the step of a difference is above 0 and small, as in --epsilon 1e-5",
        "--epsilon {given}: el paso de una diferencia es mayor que 0 y pequeño, como en --epsilon 1e-5",
    ),
    "check.epsilon": (
        "Central differences of {output} with epsilon = {step}",
        "Diferencias centrales de {output} con epsilon = {step}",
    ),
    "check.next": ("Which bug gives such numbers:", "Qué fallo da estos números:"),
    "engine.own_pass": (
        "minigrad: scalar.py was edited, and this command does not use it: it runs graph/trace.py; "
        "a script that imports Value runs the edited file, and minigrad doctor {path} examines it",
        "minigrad: scalar.py se ha editado y este comando no lo usa: recorre el grafo con graph/trace.py; un "
        "programa que importa Value ejecuta el archivo editado, y minigrad doctor {path} lo examina",
    ),
    "server.ready": (
        "minigrad studio is at {link} (Ctrl-C stops it)",
        "minigrad studio está en {link} (Ctrl-C lo detiene)",
    ),
    "server.learn.one": (
        "--learn opens one unit, and {given} is more than one; write minigrad studio --learn diamonds",
        "--learn abre una unidad, y {given} es más de una; escriba minigrad studio --learn diamonds",
    ),
    "server.stopped": ("minigrad studio has stopped", "minigrad studio se ha detenido"),
    "server.open": (
        "warning: with --host {host} other machines can reach this page; whoever has the link can use it, "
        "and it travels unencrypted",
        "aviso: con --host {host} otras máquinas llegan a esta página; quien tenga el enlace puede usarla, "
        "y viaja sin cifrar",
    ),
    "server.missing": (
        "the studio needs {library}, which is not installed; pip install 'minigrad-lab[studio]' brings it",
        "el estudio necesita {library}, que no está instalado; pip install 'minigrad-lab[studio]' lo trae",
    ),
}
