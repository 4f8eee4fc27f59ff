"""Sentences of the engine: Values, the functions on them, gradcheck."""

ROWS = {
    "value.type": (
        "a Value holds one real number, and {given} is not one; write a float or an int, such as {example}",
        "un Value contiene un número real, y {given} no lo es; escriba un float o un int, como {example}",
    ),
    "value.wrapped": (
        "{given} is a Value already; write v.detach() for a constant copy, or copy.copy(v)",
        "{given} ya es un Value; escriba v.detach() para una copia constante, o copy.copy(v)",
    ),
    "value.huge": (
        "this integer of {digits} digits is beyond the largest float, 1.8e308; write float('inf') "
        "if infinity is meant",
        "este entero de {digits} cifras supera el mayor float, 1.8e308; escriba float('inf') si quiere "
        "decir infinito",
    ),
    "value.operand": (
        "cannot compute with a Value and {given}; the other operand must be a Value, an int or a float",
        "no se puede operar un Value con {given}; el otro operando debe ser un Value, un int o un float",
    ),
    "value.children": (
        "the second argument of Value lists the nodes that it was made from, and {given} is not a "
        "Value; write Value(2.0, label='a') to name a node",
        "el segundo argumento de Value enumera los nodos a partir de los que se creó, y {given} no es un "
        "Value; escriba Value(2.0, label='a') para dar nombre a un nodo",
    ),
    "value.one_child": (
        "the second argument of Value lists the nodes that it was made from; write (v,), with a comma, "
        "for a single one",
        "el segundo argumento de Value enumera los nodos a partir de los que se creó; escriba (v,), con "
        "una coma, si es uno solo",
    ),
    "value.locals": (
        "{children} children need {children} local gradients, and {locals} were given",
        "{children} hijos necesitan {children} gradientes locales, y se dieron {locals}",
    ),
    "value.no_rule": (
        "this node was made by hand with children and no rule; give their local gradients, "
        "Value(data, children, local_grads), or set node._backward",
        "este nodo se creó a mano con hijos y sin regla; indique sus gradientes locales, "
        "Value(data, hijos, gradientes_locales), o defina nodo._backward",
    ),
    "value.modulo": (
        "pow() of Values takes no modulus; write a ** b",
        "pow() con Values no admite módulo; escriba a ** b",
    ),
    "value.hook": (
        "a hook is called with a number and must return a number or None, and {given} came back",
        "un hook recibe un número y debe devolver un número o None, pero este devolvió {given}",
    ),
    "value.hook_callable": (
        "a hook must be callable, and {given} is not; write v.register_hook(lambda grad: ...)",
        "un hook debe ser invocable, y {given} no lo es; escriba v.register_hook(lambda grad: ...)",
    ),
    "copy.rule": (
        "the node {name} has a _backward of its own, which cannot be copied; give its local gradients "
        "instead, Value(data, children, local_grads)",
        "el nodo {name} tiene su propio _backward, que no se puede copiar; indique en su lugar sus "
        "gradientes locales, Value(data, hijos, gradientes_locales)",
    ),
    "backward.constant": (
        "nothing below this Value requires a gradient, so there is nothing to compute; make an input "
        "with Value(2.0), outside no_grad() and without requires_grad=False",
        "nada por debajo de este Value requiere gradiente, así que no hay nada que calcular; cree una "
        "entrada con Value(2.0), fuera de no_grad() y sin requires_grad=False",
    ),
    "backward.root": (
        "backward starts from Values, and {given} is not one",
        "backward parte de uno o varios Values, y {given} no es un Value",
    ),
    "backward.seeds": (
        "{roots} outputs need {roots} seeds, and {seeds} were given",
        "{roots} salidas necesitan {roots} semillas, y se dieron {seeds}",
    ),
    "op.arity": (
        "{op} takes {wanted}, not {given}",
        "{op} recibe {wanted}, no {given}",
    ),
    "op.count.one": ("1 argument", "1 argumento"),
    "op.count.exact": ("{least} arguments", "{least} argumentos"),
    "op.count.range": ("{least} to {most} arguments", "de {least} a {most} argumentos"),
    "op.count.least_one": ("at least 1 argument", "al menos 1 argumento"),
    "op.count.least": ("at least {least} arguments", "al menos {least} argumentos"),
    "op.empty": (
        "{op} of nothing is not a number; give it at least one Value",
        "{op} de nada no es un número; indique al menos un Value",
    ),
    "op.list": (
        "{op} takes one list of Values or numbers, as in {op}([a, b, c]), and got {given}",
        "{op} recibe una lista de Values o números, como en {op}([a, b, c]), pero recibió {given}",
    ),
    "op.lengths": (
        "dot needs two lists of one length, and these have {left} and {right}",
        "dot necesita dos listas de igual longitud, pero estas tienen {left} y {right}",
    ),
    "op.target": (
        "cross_entropy needs the index of the right class, from 0 to {last}, and got {given}",
        "cross_entropy necesita el índice de la clase correcta, de 0 a {last}, pero recibió {given}",
    ),
    "graph.closure": (
        "the _backward of the node {name} does not send twice as much when its own gradient doubles, so "
        "it is no local rule; each child must get += local * out.grad",
        "el _backward del nodo {name} no envía el doble cuando su propio gradiente se duplica, así que no "
        "es una regla local; cada hijo debe recibir += local * out.grad",
    ),
    "functional.scalar": (
        "{name} needs a function with one number as its result, and this one gave {given}; "
        "use jacobian for several",
        "{name} necesita una función cuyo resultado sea un número, pero esta dio {given}; "
        "use jacobian si son varios",
    ),
    "functional.leaf": (
        "{name} differentiates numbers in lists, tuples and dicts, and found {given}",
        "{name} deriva respecto de números en listas, tuplas y diccionarios, pero encontró {given}",
    ),
    "functional.argnum": (
        "argnum {argnum} is out of range: the function was called with {count}",
        "argnum {argnum} está fuera de rango; número de argumentos de la llamada: {count}",
    ),
    "functional.argnum_twice": (
        "argnums {argnums} names an argument twice",
        "argnums {argnums} nombra dos veces un mismo argumento",
    ),
    "functional.structure": (
        "{name}: the {what} must have the structure of {like}",
        "{name}: {what} deben tener la misma estructura que {like}",
    ),
    "functional.tangents": ("tangents", "los vectores tangentes"),
    "functional.cotangents": ("cotangents", "los vectores cotangentes"),
    "functional.arguments": ("the arguments", "los argumentos"),
    "functional.result": ("the result", "el resultado"),
    "functional.seed_order": (
        "create_graph=True cannot use the node {name}: it was made by hand, and only ops of the table "
        "can be differentiated again",
        "create_graph=True no puede usar el nodo {name}: se creó a mano, y solo las operaciones de la "
        "tabla se pueden derivar otra vez",
    ),
    "functional.changed": (
        "create_graph=True reads the data of the nodes again, and that of {name} was changed since the "
        "forward pass; run the forward pass again",
        "create_graph=True vuelve a leer los datos de los nodos, y el valor de {name} cambió después de la "
        "pasada hacia delante; repita la pasada hacia delante",
    ),
    "functional.of_values": (
        "create_graph and seed belong to grad(y, xs) of a Value; the gradient of a function is a function, "
        "and grad(grad(f)) is its second derivative",
        "create_graph y seed son de grad(y, xs) de un Value; el gradiente de una función es una función, "
        "y grad(grad(f)) es su segunda derivada",
    ),
    "functional.not_value": (
        "{name} takes a function or a Value first, and got {given}",
        "el primer argumento de {name} debe ser una función o un Value, y es {given}",
    ),
    "gradcheck.failed": (
        "gradcheck: the gradient of {where} is wrong\n"
        "  backward gives     {analytic}\n"
        "  differences give   {numeric}   (error bar {error})\n"
        "  likely reason: {reason}",
        "gradcheck: el gradiente de {where} es incorrecto\n"
        "  backward da           {analytic}\n"
        "  las diferencias dan   {numeric}   (margen de error {error})\n"
        "  causa probable: {reason}",
    ),
    "gradcheck.unsure": (
        "gradcheck: the gradient of {where} cannot be confirmed\n"
        "  backward gives     {analytic}\n"
        "  differences give   {numeric}   (error bar {error})\n"
        "  reason: {reason}",
        "gradcheck: el gradiente de {where} no se puede confirmar\n"
        "  backward da           {analytic}\n"
        "  las diferencias dan   {numeric}   (margen de error {error})\n"
        "  causa: {reason}",
    ),
    "gradcheck.where": ("input {index}", "la entrada {index}"),
    "gradcheck.where_output": ("input {index} (output {output})", "la entrada {index} (salida {output})"),
    "gradcheck.cut": (
        "no gradient arrives: the graph is cut, perhaps by .data, float() or detach()",
        "no llega ningún gradiente: el grafo está cortado, quizá por .data, float() o detach()",
    ),
    "gradcheck.sign": ("the sign is wrong", "el signo es incorrecto"),
    "gradcheck.factor": (
        "it is off by a factor of {factor}; a contribution may be counted twice or lost, or a "
        "constant forgotten",
        "difiere en un factor de {factor}; quizá una contribución se cuente dos veces o se pierda, o falte "
        "una constante",
    ),
    "gradcheck.kink": (
        "the function has a kink or a jump here: the slopes on the two sides differ, {left} and {right}; "
        "move the input a little",
        "la función tiene aquí un punto anguloso o un salto: las pendientes a ambos lados difieren, {left} "
        "y {right}; mueva un poco la entrada",
    ),
    "gradcheck.nan": (
        "one of the two is not a finite number: the function leaves its domain or overflows near here",
        "uno de los dos no es un número finito: la función se sale de su dominio o se desborda cerca de aquí",
    ),
    "gradcheck.rough": (
        "the function jumps here, or turns too fast for differences; move the input a little",
        "la función salta aquí, o cambia demasiado rápido para las diferencias; mueva un poco la entrada",
    ),
    "gradcheck.rounding": (
        "differences cannot tell here: no step is long enough for the rounding and short enough for the "
        "curve; scale the function or move the input",
        "las diferencias no pueden juzgar aquí: ningún paso es bastante largo para el redondeo y bastante "
        "corto para la curva; cambie la escala de la función o mueva la entrada",
    ),
    "gradcheck.rule": (
        "a local rule between this input and the output does not match its forward",
        "una regla local entre esta entrada y la salida no concuerda con su pasada hacia delante",
    ),
    "gradcheck.not_repeatable": (
        "gradcheck: two calls with the same inputs gave {first} and {second}; "
        "the function must not depend on chance or on what was called before",
        "gradcheck: dos llamadas con las mismas entradas dieron {first} y {second}; "
        "la función no debe depender del azar ni de llamadas anteriores",
    ),
    "take.index": (
        "take(rows, index) needs a whole number for its index, and {given} is not one; write an int",
        "take(rows, index) necesita un número entero como índice, y {given} no lo es; escriba un int",
    ),
    "take.rows": (
        "take(rows, index) chooses from a list of rows, and {given} is not one",
        "take(rows, index) elige de una lista de filas, y {given} no lo es",
    ),
    "take.empty": (
        "take(rows, index) was given no rows to choose from",
        "take(rows, index) no recibió ninguna fila entre las que elegir",
    ),
    "take.range": (
        "there is no row {given}: there are {count} rows, from 0 to {last}",
        "no existe la fila {given}: hay {count} filas, de la 0 a la {last}",
    ),
}
