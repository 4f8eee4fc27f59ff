"""Sentences of tracing: what cannot be compiled, why, and what to write instead."""

ROWS = {
    "take.alike": (
        "take(rows, index) needs rows that are all alike: lists of one length, or dicts with the same keys "
        "in the same order",
        "take(rows, index) necesita filas todas iguales: listas de la misma longitud, o dicts con las "
        "mismas claves en el mismo orden",
    ),
    "compile.trace.float": (
        "{where}: {asked} needs a number that stays the same, and this one is another in each call; write "
        "the function of minigrad instead: x.exp() for math.exp(x), minigrad.functions.maximum(x, 0) and "
        "so on",
        "{where}: {asked} necesita un número que no cambie, y este es otro en cada llamada; escriba en su "
        "lugar la función de minigrad: x.exp() en vez de math.exp(x), minigrad.functions.maximum(x, 0), "
        "etc.",
    ),
    "compile.trace.key": (
        "{where}: a number that is another in each call cannot be a key of a dict or an element of a set; "
        "compare it (x.data < 3), or look it up with minigrad.take(rows, index) and an int",
        "{where}: un número que es otro en cada llamada no puede ser clave de un dict ni elemento de un "
        "set; compárelo (x.data < 3), o búsquelo con minigrad.take(rows, index) y un int",
    ),
    "compile.trace.complex": (
        "{where}: a negative number to a power that is not whole is complex, and programs compute with "
        "real numbers",
        "{where}: un número negativo elevado a una potencia no entera es complejo, y los programas "
        "calculan con números reales",
    ),
    "compile.trace.inexact": (
        "{where}: {given} is no float exactly, so the comparison could come out otherwise in a program; "
        "write a float",
        "{where}: {given} no es exactamente un float, así que la comparación podría dar otro resultado en "
        "un programa; escriba un float",
    ),
    "compile.trace.identity": (
        "{where}: {sign} between a Value and a number asks whether they are the same object, which is "
        "never so; write x.data {sign} 0.0 to compare the numbers",
        "{where}: {sign} entre un Value y un número pregunta si son el mismo objeto, lo que nunca ocurre; "
        "escriba x.data {sign} 0.0 para comparar los números",
    ),
    "compile.trace.equal": (
        "{where}: == between two Values asks whether they are the same object, and these are two with equal "
        "numbers; write a.data == b.data to compare the numbers",
        "{where}: == entre dos Values pregunta si son el mismo objeto, y estos son dos con números iguales; "
        "escriba a.data == b.data para comparar los números",
    ),
    "compile.trace.truth": (
        "{where}: a Value is true even where its number is 0.0, and a float is not; write x.data != 0.0 to "
        "ask for the number, or x is not None to ask whether there is one",
        "{where}: un Value es verdadero aunque su número sea 0.0, y un float no lo es; escriba x.data != "
        "0.0 para preguntar por el número, o x is not None para preguntar si lo hay",
    ),
    "compile.trace.data": (
        "{where}: a compiled function computes its result and changes nothing, so it cannot write to "
        ".data; return the new number, and write it outside",
        "{where}: una función compilada calcula su resultado y no cambia nada, así que no puede escribir "
        "en .data; devuelva el número nuevo y escríbalo fuera",
    ),
    "compile.trace.grad": (
        "{where}: a compiled function neither reads nor writes .grad; program.value_and_grad(...) returns "
        "gradients, and what it returned can be an argument",
        "{where}: una función compilada no lee ni escribe .grad; program.value_and_grad(...) devuelve los "
        "gradientes, y lo que devuelva puede ser un argumento",
    ),
    "compile.trace.pass": (
        "{where}: {asked}() cannot be called in a compiled function; return the loss, and write "
        "program.value_and_grad(...), or program(...).backward() outside",
        "{where}: no se puede llamar a {asked}() en una función compilada; devuelva la pérdida y escriba "
        "program.value_and_grad(...), o program(...).backward() fuera",
    ),
    "compile.trace.hook": (
        "{where}: a node with a hook cannot be compiled; change the gradient that "
        "program.value_and_grad(...) returns",
        "{where}: un nodo con un hook no se puede compilar; cambie el gradiente que devuelve "
        "program.value_and_grad(...)",
    ),
    "compile.trace.no_grad": (
        "{where}: no_grad() cannot be opened in a compiled function; write x.detach() where no gradient is "
        "to flow",
        "{where}: no se puede abrir no_grad() en una función compilada; escriba x.detach() donde no deba "
        "pasar el gradiente",
    ),
    "compile.trace.copy": (
        "{where}: Values cannot be copied or pickled in a compiled function; use them as they are, or "
        "write x.detach()",
        "{where}: los Values no se pueden copiar ni guardar con pickle en una función compilada; úselos "
        "tal cual, o escriba x.detach()",
    ),
    "compile.trace.thread": (
        "{where}: a compiled function cannot hand work to another thread, whose numbers a trace does not "
        "see; compute it in the function itself, or pass what comes of it as an argument",
        "{where}: una función compilada no puede encargar trabajo a otro hilo, cuyos números una traza no "
        "ve; calcúlelo en la propia función, o pase como argumento lo que resulte",
    ),
    "compile.trace.transform": (
        "{where}: grad(...) and its relatives cannot be called in a compiled function; compile the "
        "function, and write program.grad(...) or program.value_and_grad(...) outside",
        "{where}: grad(...) y similares no se pueden llamar en una función compilada; compile la función y "
        "escriba program.grad(...) o program.value_and_grad(...) fuera",
    ),
    "compile.trace.by_hand": (
        "{name} was made by hand, so only its maker knows how to compute it again; write it with the "
        "functions of minigrad",
        "{name} se hizo a mano, y solo quien lo hizo sabe calcularlo de nuevo; escríbalo con las funciones "
        "de minigrad",
    ),
    "compile.trace.frozen": (
        "requires_grad of the node {name} was switched off after it was computed; write x.detach() where "
        "no gradient is to flow",
        "requires_grad del nodo {name} se desactivó después de calcularlo; escriba x.detach() donde no "
        "deba pasar el gradiente",
    ),
    "compile.trace.subclass": (
        "{name} has its own {attribute}, so its gradients are not those of the op table; only a subclass "
        "of Value that leaves it alone can be compiled",
        "{name} tiene su propio {attribute}, así que sus gradientes no son los de la tabla de operaciones; "
        "solo se puede compilar una subclase de Value que no lo cambie",
    ),
    "compile.trace.random": (
        "{where}: the function draws random numbers (a Dropout in training mode does), and a program would "
        "repeat these for ever; draw them outside, and pass them as an argument",
        "{where}: la función genera números aleatorios (un Dropout en modo de entrenamiento lo hace), y un "
        "programa repetiría siempre estos; genérelos fuera y páselos como argumento",
    ),
    "compile.trace.unseen": (
        "{name} calls {asked}, and what it reads could change between two calls without being seen; read it "
        "outside, and pass it as an argument",
        "{name} llama a {asked}, y lo que lee podría cambiar entre dos llamadas sin que se viera; léalo "
        "fuera y páselo como argumento",
    ),
    "compile.trace.clock": (
        "the function calls {asked}, which gives something else each time, and a program would repeat one "
        "answer for ever; call it outside, and pass its answer as an argument",
        "la función llama a {asked}, que cada vez da otra cosa, y un programa repetiría siempre la misma "
        "respuesta; llámela fuera y pase su respuesta como argumento",
    ),
    "compile.trace.iterator": (
        "the function reads {name}, an iterator, which gives something else each time; make a list of it, "
        "or pass what it gives as an argument",
        "la función lee {name}, un iterador, que da otra cosa cada vez; haga con él una lista, o pase lo "
        "que da como argumento",
    ),
    "compile.trace.constant": (
        "{where}: a number here was {first} in one run and {second} in the next, with the same arguments "
        "(random numbers, the time, a counter?); pass it as an argument",
        "{where}: un número aquí fue {first} en una ejecución y {second} en la siguiente, con los mismos "
        "argumentos (¿números aleatorios, la hora, un contador?); páselo como argumento",
    ),
    "compile.trace.different": (
        "{where}: the function did something else in its second run, with the same arguments (random "
        "numbers, the time, something that it keeps?); pass what it depends on as an argument",
        "{where}: la función hizo otra cosa en su segunda ejecución, con los mismos argumentos (¿números "
        "aleatorios, la hora, algo que guarda?); pase aquello de lo que depende como argumento",
    ),
    "compile.trace.captured": (
        "the function changes {name}, which is not its own, and a program would not; return what is new, "
        "and change {name} outside",
        "la función cambia {name}, que no es suyo, y un programa no lo haría; devuelva lo nuevo y cambie "
        "{name} fuera",
    ),
    "compile.trace.argument": (
        "the function changes its argument {name}, and a program would not; make a list of its own, such "
        "as list({name}), and return it",
        "la función cambia su argumento {name}, y un programa no lo haría; haga una lista propia, como "
        "list({name}), y devuélvala",
    ),
    "compile.trace.result": (
        "a compiled function returns numbers, alone or in lists, tuples and dicts, and {given} is neither",
        "una función compilada devuelve números, solos o en listas, tuplas y dicts, y {given} no es "
        "ninguna de esas cosas",
    ),
    "compile.trace.much": (
        "{name} leads to more than {most} things, too many to look at before each call; pass what the "
        "function needs as an argument",
        "{name} lleva a más de {most} cosas, demasiadas para mirarlas antes de cada llamada; pase lo que "
        "la función necesita como argumento",
    ),
    "compile.trace.nested": (
        "a function is being traced already; call the inner function itself",
        "ya se está trazando una función; llame a la función interior misma",
    ),
    "compile.graph.input": (
        "the inputs of a compiled graph are Values of that graph, and {given} is not one",
        "las entradas de un grafo compilado son Values de ese grafo, y {given} no lo es",
    ),
    "compile.graph.twice": (
        "the inputs of a compiled graph are each named once, and one is there twice",
        "las entradas de un grafo compilado se indican una vez cada una, y una está dos veces",
    ),
}
