"""Remarks of the doctor that are not bugs: limits of an engine, choices of its author, what cannot be run."""

ROWS = {
    # ---- limits
    "doctor.limit.no_op": ("there is no {what}{detail}", "no hay {what}{detail}"),
    "doctor.limit.no_reflected": (
        "a number on the left is not taken: {what}{detail}",
        "no admite un número a la izquierda: {what}{detail}",
    ),
    "doctor.limit.no_numbers": (
        "plain numbers are not taken: {what}{detail}",
        "no admite números corrientes: {what}{detail}",
    ),
    "doctor.limit.leaf": (
        "backward() on a leaf does not give it a gradient of 1{what}{detail}",
        "backward() sobre una hoja no le da un gradiente de 1{what}{detail}",
    ),
    "doctor.limit.pass_fails": (
        "its own backward pass fails: {detail}{what}",
        "su propia pasada hacia atrás falla: {detail}{what}",
    ),
    "doctor.limit.no_pass": (
        "no backward pass gives gradients; {what}() of each node was called in a right order{detail}",
        "ninguna pasada hacia atrás da gradientes; se llamó a {what}() de cada nodo en un orden correcto"
        "{detail}",
    ),
    "doctor.limit.few_digits": (
        "some numbers have only five or six right digits, as with a rounded constant{what}{detail}",
        "algunos números tienen solo cinco o seis cifras correctas, como con una constante redondeada"
        "{what}{detail}",
    ),
    "doctor.limit.returns_none": (
        "{what} gives None: is a return missing?",
        "{what} da None: ¿falta un return?",
    ),
    "doctor.limit.stores_not_implemented": (
        "{what} gives a node whose number is NotImplemented: a method such as __add__ was called by its name",
        "{what} da un nodo cuyo número es NotImplemented: se llamó por su nombre a un método como __add__",
    ),
    "doctor.limit.crashes": ("{what} fails: {detail}", "{what} falla: {detail}"),
    "doctor.limit.fails": ("it fails on {what}: {detail}", "falla con {what}: {detail}"),
    "doctor.limit.edge": (
        "at the edge: {what} fails ({detail})",
        "en el extremo: {what} falla ({detail})",
    ),
    "doctor.limit.far_value": (
        "far out, {what} has another value: the formula is clamped, or loses its digits{detail}",
        "muy lejos, {what} tiene otro valor: la fórmula está acotada o pierde sus cifras{detail}",
    ),
    "doctor.limit.far_gradient": (
        "far out, the gradient of {what} is wrong: the terms it is made of cancel{detail}",
        "muy lejos, el gradiente de {what} es incorrecto: los términos que lo componen se cancelan{detail}",
    ),
    "doctor.limit.rough": (
        "far out, {what} is off by a little, as with an epsilon in the formula{detail}",
        "muy lejos, {what} se desvía un poco, como con un épsilon en la fórmula{detail}",
    ),
    "doctor.limit.not_run": (
        "{count} ordinary programs fail with {detail}; one of them is {what}",
        "{count} programas corrientes fallan con {detail}; uno de ellos es {what}",
    ),
    "doctor.limit.not_run_one": (
        "an ordinary program fails with {detail}: {what}",
        "un programa corriente falla con {detail}: {what}",
    ),
    "doctor.limit.not_supported": (
        "{count} ordinary programs were not run: their ops were found, and then reported as not supported; "
        "one of them is {what}{detail}",
        "no se ejecutaron {count} programas corrientes: se encontraron sus operaciones y luego se informó de "
        "que no se admiten; uno de ellos es {what}{detail}",
    ),
    "doctor.limit.not_supported_one": (
        "an ordinary program was not run: its ops were found, and then reported as not supported: "
        "{what}{detail}",
        "no se ejecutó un programa corriente: se encontraron sus operaciones y luego se informó de que no se "
        "admiten: {what}{detail}",
    ),
    "doctor.limit.slow": ("it does not end in time on {what}", "no termina a tiempo con {what}"),
    "doctor.limit.died": (
        "its process ends on {what}",
        "su proceso termina con {what}",
    ),
    "doctor.limit.stopped": (
        "it was stopped on {what}: it writes or starts more than it may",
        "se detuvo con {what}: escribe o inicia más de lo permitido",
    ),
    "doctor.limit.memory": (
        "the memory ran out on {what}",
        "se agotó la memoria con {what}",
    ),
    "doctor.limit.single_precision": (
        "it computes in single precision: six or seven digits are right{what}{detail}",
        "calcula en precisión simple: son correctas seis o siete cifras{what}{detail}",
    ),
    "doctor.limit.depth": (
        "a chain of {what} ops is too deep for it: RecursionError",
        "una cadena de {what} operaciones es demasiado profunda: RecursionError",
    ),
    "doctor.limit.depth_slow": (
        "a chain of {what} ops takes it too long",
        "una cadena de {what} operaciones le lleva demasiado tiempo",
    ),
    "doctor.limit.depth_dies": (
        "a chain of {what} ops kills the process",
        "una cadena de {what} operaciones mata el proceso",
    ),
    "doctor.limit.depth_memory": (
        "a chain of {what} ops takes it too much memory",
        "una cadena de {what} operaciones le ocupa demasiada memoria",
    ),
    "doctor.limit.depth_fails": (
        "it fails on a chain of {what} ops: {detail}",
        "falla con una cadena de {what} operaciones: {detail}",
    ),
    "doctor.limit.paths": (
        "it walks every path by itself: a small graph with {what} paths does not end in time",
        "recorre cada camino por separado: un grafo pequeño con {what} caminos no termina a tiempo",
    ),
    "doctor.limit.paths_slow": (
        "a small graph with {what} paths takes it too long",
        "un grafo pequeño con {what} caminos le lleva demasiado tiempo",
    ),
    "doctor.limit.paths_dies": (
        "a small graph with {what} paths kills the process",
        "un grafo pequeño con {what} caminos mata el proceso",
    ),
    "doctor.limit.paths_memory": (
        "a small graph with {what} paths takes it too much memory",
        "un grafo pequeño con {what} caminos le ocupa demasiada memoria",
    ),
    "doctor.limit.paths_fails": (
        "it fails on a small graph with {what} paths: {detail}",
        "falla con un grafo pequeño de {what} caminos: {detail}",
    ),
    # ---- suspicions
    "doctor.suspicion.out_of_turn": (
        "{count} messages came when the program that runs the probes does not send them: the engine may "
        "have written results of its own",
        "llegaron {count} mensajes cuando el programa que ejecuta las sondas no los envía: puede que el "
        "motor haya escrito sus propios resultados",
    ),
    "doctor.suspicion.out_of_turn_one": (
        "a message came when the program that runs the probes does not send one: the engine may have written "
        "results of its own",
        "llegó un mensaje cuando el programa que ejecuta las sondas no envía ninguno: puede que el motor "
        "haya escrito sus propios resultados",
    ),
    "doctor.suspicion.rejected": (
        "{count} lines among the results are no messages of the program that runs the probes",
        "{count} líneas entre los resultados no son mensajes del programa que ejecuta las sondas",
    ),
    "doctor.suspicion.rejected_one": (
        "a line among the results is no message of the program that runs the probes",
        "una línea entre los resultados no es un mensaje del programa que ejecuta las sondas",
    ),
    "doctor.suspicion.timing": (
        "the times that came with the answers are impossible: faster than Python computes, or longer than "
        "the process ran",
        "los tiempos que llegaron con las respuestas son imposibles: más rápidos de lo que calcula Python, o "
        "más largos que el propio proceso",
    ),
    "doctor.suspicion.not_supported": (
        "{count} programs were reported as not supported although the engine has the ops that they need",
        "se informó de que {count} programas no se admiten, aunque el motor tiene las operaciones que "
        "necesitan",
    ),
    "doctor.suspicion.not_supported_one": (
        "a program was reported as not supported although the engine has the ops that it needs",
        "se informó de que un programa no se admite, aunque el motor tiene las operaciones que necesita",
    ),
    "doctor.suspicion.group": (
        "{count} programs that use a value more than once fail, while nearly all others, with the same ops, "
        "come out right",
        "fallan {count} programas que usan un valor más de una vez, mientras que casi todos los demás, con "
        "las mismas operaciones, salen bien",
    ),
    "doctor.suspicion.unwritten": (
        "it answered for names that are nowhere in its source: {what}",
        "respondió por nombres que no están en su código: {what}",
    ),
    "doctor.suspicion.unwritten_one": (
        "it answered for a name that is nowhere in its source: {what}",
        "respondió por un nombre que no está en su código: {what}",
    ),
    "doctor.suspicion.no_arithmetic": (
        "it gave right gradients, and there is no arithmetic in its source",
        "dio gradientes correctos, y en su código no hay aritmética",
    ),
    # ---- choices
    "doctor.choice.accumulates": (
        "a second backward() adds one more copy of the gradient, like PyTorch",
        "un segundo backward() suma una copia más del gradiente, como PyTorch",
    ),
    "doctor.choice.stale": (
        "gradients of nodes in between are kept, so a second backward() over the same graph adds more than "
        "one copy, like micrograd",
        "los gradientes de los nodos intermedios se conservan, así que un segundo backward() sobre el mismo "
        "grafo suma más de una copia, como micrograd",
    ),
    "doctor.choice.starts_anew": (
        "every backward() starts anew: gradients do not add up over calls",
        "cada backward() empieza de nuevo: los gradientes no se suman entre llamadas",
    ),
    "doctor.choice.frees": (
        "the graph is freed by the pass: nodes of one loss cannot be used for another",
        "la pasada libera el grafo: los nodos de una pérdida no sirven para otra",
    ),
    "doctor.choice.once_only": (
        "a graph can be walked once; a second backward() is refused",
        "un grafo solo se puede recorrer una vez; un segundo backward() se rechaza",
    ),
    "doctor.choice.second_pass_differs": (
        "a second backward() over the same graph gives neither one copy nor two",
        "un segundo backward() sobre el mismo grafo no da ni una copia ni dos",
    ),
    "doctor.choice.reads_late": (
        "operands are read during backward: writing to data in between changes the gradient",
        "los operandos se leen durante la pasada: escribir en los datos entre medias cambia el gradiente",
    ),
    "doctor.choice.reads_early": (
        "local derivatives are fixed when an op is computed: writing to data afterwards changes nothing",
        "las derivadas locales se fijan al calcular la operación: escribir luego en los datos no cambia nada",
    ),
    "doctor.choice.relu_at_zero": ("relu's slope at 0 is 1", "la pendiente de relu en 0 es 1"),
    "doctor.choice.caller_seeds": (
        "the caller sets the output's gradient to 1 before the pass",
        "quien llama pone a 1 el gradiente de la salida antes de la pasada",
    ),
    "doctor.choice.returns_gradients": (
        "gradients are handed back by the pass, not kept on the nodes",
        "la pasada devuelve los gradientes; no se guardan en los nodos",
    ),
    # ---- troubles
    "doctor.trouble.long_name": (
        "a name is too long to be used: {detail}",
        "un nombre es demasiado largo para usarlo: {detail}",
    ),
    "doctor.trouble.class": (
        "the class {detail} is not there once the file has run",
        "la clase {detail} no existe tras ejecutar el archivo",
    ),
    "doctor.trouble.leaf": ("no value could be made: {detail}", "no se pudo crear ningún valor: {detail}"),
    "doctor.trouble.argument": (
        "its constructor wants {detail}, and it is not clear what to give",
        "su constructor pide {detail}, y no está claro qué darle",
    ),
    "doctor.trouble.data": (
        "it is not clear where {detail} keeps its number",
        "no está claro dónde guarda {detail} su número",
    ),
    "doctor.trouble.ops": (
        "no way was found to add or multiply two values ({detail})",
        "no se encontró cómo sumar o multiplicar dos valores ({detail})",
    ),
    "doctor.trouble.backward": (
        "no backward pass was found for {detail}",
        "no se encontró una pasada hacia atrás para {detail}",
    ),
    "doctor.trouble.forward": (
        "{detail} carries derivatives along, in forward mode; only backward passes are examined",
        "{detail} lleva consigo las derivadas, en modo directo; solo se examinan pasadas hacia atrás",
    ),
    "doctor.trouble.raises": (
        "its backward pass fails on the simplest graph ({detail})",
        "su pasada hacia atrás falla con el grafo más simple ({detail})",
    ),
    "doctor.trouble.unreached": (
        "most probes got no answer: its process ended or ran out of time before them. The engine may not "
        "return from some program, the file may take long to load, or the machine is busy",
        "la mayoría de las sondas quedó sin respuesta: su proceso terminó o agotó el tiempo antes. Puede que "
        "el motor no vuelva de algún programa, que el archivo tarde en cargar o que la máquina esté ocupada",
    ),
    "doctor.trouble.unreached_some": (
        "some ordinary programs were not reached in time; the machine is busy, or the engine is slow",
        "no dio tiempo a llegar a algunos programas corrientes; la máquina está ocupada o el motor es lento",
    ),
    "doctor.trouble.few_ran": (
        "more than half of the ordinary programs fail; ran {detail}",
        "más de la mitad de los programas corrientes fallan; se ejecutaron {detail}",
    ),
    "doctor.trouble.syntax": (
        "line {line} is no Python: {detail}",
        "la línea {line} no es Python: {detail}",
    ),
    "doctor.trouble.load": ("it could not be loaded: {detail}", "no se pudo cargar: {detail}"),
    "doctor.trouble.nothing": ("the process said nothing", "el proceso no dijo nada"),
    "doctor.trouble.slow": (
        "it took too long and was stopped",
        "tardó demasiado y se detuvo",
    ),
    "doctor.trouble.ended.timeout": (
        "it did not end in time and was killed",
        "no terminó a tiempo y se mató el proceso",
    ),
    "doctor.trouble.ended.cpu": (
        "it used up its time on the processor and was killed",
        "agotó su tiempo de procesador y se mató el proceso",
    ),
    "doctor.trouble.ended.memory": (
        "it wanted more memory than it may have",
        "quiso más memoria de la permitida",
    ),
    "doctor.trouble.ended.signal": (
        "its process died by signal {detail}",
        "su proceso murió por la señal {detail}",
    ),
    "doctor.trouble.ended.exit": (
        "it ended its own process with exit code {detail}",
        "terminó su propio proceso con el código {detail}",
    ),
    "doctor.trouble.ended.output": (
        "it wrote more than it may",
        "escribió más de lo permitido",
    ),
    "doctor.trouble.ended.processes": (
        "it started more processes than it may",
        "inició más procesos de los permitidos",
    ),
    "doctor.trouble.ended.stopped": ("the examination was stopped", "el examen se detuvo"),
}  # fmt: skip
