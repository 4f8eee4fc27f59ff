"""Sentences of compiled programs: what they take, what they refuse, what became of a function."""

ROWS: dict[str, tuple[str, str]] = {
    "compile.numpy": (
        "compiled programs need NumPy: pip install 'minigrad-lab[compile]'",
        "los programas compilados necesitan NumPy: pip install 'minigrad-lab[compile]'",
    ),
    # ---- minigrad.compile -------------------------------------------------------------------------
    "compile.not_function": (
        "minigrad.compile takes a function, or a Value and its inputs, and got {given}",
        "minigrad.compile recibe una función, o un Value y sus entradas, y recibió {given}",
    ),
    "compile.inputs.missing": (
        "which Values are the inputs of this graph? write minigrad.compile(L, inputs=[a, b])",
        "¿qué Values son las entradas de este grafo? Escriba minigrad.compile(L, inputs=[a, b])",
    ),
    "compile.inputs.value": (
        "the inputs of a graph are Values of it, and {given} is none",
        "las entradas de un grafo son Values de él, y {given} no lo es",
    ),
    "compile.inputs.function": (
        "inputs= belongs to a Value; a function has arguments, and minigrad.compile(f) finds them by itself",
        "inputs= es de un Value; una función tiene argumentos, y minigrad.compile(f) los encuentra por sí "
        "solo",
    ),
    "compile.inputs.structure": (
        "this program was made from a graph with {count} inputs; call it with numbers in the structure of "
        "inputs=",
        "este programa se hizo a partir de un grafo cuyo número de entradas es {count}; llámelo con "
        "números en la estructura de inputs=",
    ),
    "compile.dtype": (
        'dtype is "float64" or "float32", not {given}',
        'dtype es "float64" o "float32", no {given}',
    ),
    "compile.threads": (
        "threads is a whole number from 1 to {most}, not {given}",
        "threads es un número entero de 1 a {most}, no {given}",
    ),
    # ---- arguments --------------------------------------------------------------------------------
    "compile.argument": (
        "a compiled function takes numbers in lists, tuples and dicts, and got {given}; what is no number "
        "can be captured: minigrad.compile(lambda x: f(model, x))",
        "una función compilada toma números en listas, tuplas y diccionarios, y recibió {given}; lo que no "
        "es un número se puede capturar: minigrad.compile(lambda x: f(model, x))",
    ),
    "compile.argument.kind": (
        "a compiled function takes plain lists, tuples and dicts, and a {given} may do more than one of "
        "these; write list(...) or dict(...) around it, or let the function capture it",
        "una función compilada recibe listas, tuplas y dicts corrientes, y un {given} puede hacer más que "
        "ellos; escriba list(...) o dict(...) a su alrededor, o deje que la función lo capture",
    ),
    "compile.argument.deep": (
        "lists within lists are too deep to follow, or a list contains itself",
        "hay listas dentro de listas a demasiada profundidad, o una lista que se contiene a sí misma",
    ),
    "compile.argument.set": (
        "a compiled function got {given}, and a set has no order; write sorted(...) around it",
        "una función compilada recibió {given}, y un conjunto no tiene orden; escriba sorted(...) a su "
        "alrededor",
    ),
    "compile.argument.generator": (
        "a compiled function got {given}, which can be read only once; write list(...) around it",
        "una función compilada recibió {given}, que solo se puede leer una vez; escriba list(...) a su "
        "alrededor",
    ),
    "compile.argument.callable": (
        "a compiled function got {given} as an argument; use it from outside instead: "
        "minigrad.compile(lambda x: f(g, x))",
        "una función compilada recibió {given} como argumento; úselo desde fuera: minigrad.compile(lambda "
        "x: f(g, x))",
    ),
    "compile.argument.dtype": (
        "an array of {given} has no numbers that a program can compute with; give one of floats or integers",
        "un array de {given} no tiene números con los que un programa pueda calcular; dé uno de "
        "decimales o enteros",
    ),
    "compile.argument.large": (
        "an array has an integer beyond 2**53, which no float holds exactly",
        "un array tiene un entero mayor que 2**53, que ningún float contiene con exactitud",
    ),
    "compile.keyword": (
        "these arguments cannot be given by place: {given}; let the function take them so",
        "estos argumentos no se pueden dar por su lugar: {given}; haga que la función los tome así",
    ),
    # ---- calls ------------------------------------------------------------------------------------
    "compile.one_output": (
        "{name} needs a function that returns one number, and this one returns a structure of {count}; "
        "return their sum, or compile one function for each",
        "{name} necesita una función que devuelva un número, y esta devuelve una estructura de {count}; "
        "devuelva su suma, o compile una función para cada uno",
    ),
    "compile.given_up": (
        "{name} has gone more than {count} different ways for one structure of arguments, and is run as it "
        "stands from now on: right, but slow. What keeps changing: {line}. Instead of a branch on a number "
        "write minigrad.functions.where, functions.max or minigrad.take; pass what changes as an argument; "
        "give 2.0 instead of 2 where a number is meant that is computed with",
        "{name} ha tomado más de {count} caminos distintos para una misma estructura de argumentos, y "
        "desde ahora se ejecuta tal cual: bien, pero despacio. Lo que cambia una y otra vez: {line}. En "
        "lugar de una rama según un número escriba minigrad.functions.where, functions.max o minigrad.take; "
        "pase como argumento lo que cambia; dé 2.0 en lugar de 2 donde se trate de un número con el que se "
        "calcula",
    ),
    "compile.no_variant": (
        "{name} cannot be shown for these arguments: it is run as it stands for them",
        "{name} no se puede mostrar para estos argumentos: con ellos se ejecuta tal cual",
    ),
    "compile.no_function": (
        "{name} was read from a file or made from a graph: there is no function to run as it stands",
        "{name} se leyó de un archivo o se hizo a partir de un grafo: no hay función que ejecutar tal cual",
    ),
    "compile.graph.one": (
        "the graph of a function is that of one Value, and this one returned {given}",
        "el grafo de una función es el de un Value, y esta devolvió {given}",
    ),
    "compile.pickle": (
        "a program is not pickled: write {name}.save(path), and read it with minigrad.compile.load(path)",
        "un programa no se serializa con pickle: escriba {name}.save(ruta), y léalo con "
        "minigrad.compile.load(ruta)",
    ),
    "compile.repr": ("traces: {count}", "trazas: {count}"),
    # ---- loaded programs --------------------------------------------------------------------------
    "compile.loaded.structure": (
        "{name} was saved without its function, and was not traced for arguments of this structure; call "
        "it once with such arguments before it is saved",
        "{name} se guardó sin su función, y no se trazó para argumentos de esta estructura; llámelo una "
        "vez con argumentos así antes de guardarlo",
    ),
    "compile.loaded.guard": (
        "{name} was saved without its function, and these arguments take a branch that was not traced, at "
        "{line}; call it once with such arguments before it is saved",
        "{name} se guardó sin su función, y estos argumentos toman una rama que no se trazó, en {line}; "
        "llámelo una vez con argumentos así antes de guardarlo",
    ),
    "compile.loaded.index": (
        "{name}: an index is out of range; there are {rows} rows",
        "{name}: un índice está fuera de rango; número de filas: {rows}",
    ),
    # ---- batches ----------------------------------------------------------------------------------
    "compile.batch.name": (
        "batched({given}): the function has no argument of that name; it has {known}",
        "batched({given}): la función no tiene ningún argumento con ese nombre; tiene {known}",
    ),
    "compile.batch.place": (
        "batched({given}): the program was called with {count} arguments",
        "batched({given}): número de argumentos de la llamada: {count}",
    ),
    "compile.batch.axis": (
        "argument {place} of a batch needs an added leading axis, and is {given}; name the arguments that "
        "have one: program.batched(1)",
        "el argumento {place} de un lote necesita un eje inicial añadido, y es {given}; nombre los "
        "argumentos que lo tienen: program.batched(1)",
    ),
    "compile.batch.no_axis": (
        "no argument of this batch has numbers with an added axis, so how many samples there are is not "
        "known",
        "ningún argumento de este lote tiene números con un eje añadido, así que no se sabe cuántas "
        "muestras hay",
    ),
    "compile.batch.sizes": (
        "the arguments of a batch have different numbers of samples: {sizes}",
        "los argumentos de un lote tienen distintos números de muestras: {sizes}",
    ),
    "compile.batch.ragged": (
        "argument {place}: sample {sample} has another structure than sample 0; put samples of one "
        "structure into one batch",
        "argumento {place}: la muestra {sample} tiene otra estructura que la muestra 0; ponga en un lote "
        "muestras de una misma estructura",
    ),
    "compile.batch.results": (
        "{name} returns different structures for different samples of this batch, which no array can hold",
        "{name} devuelve estructuras distintas para muestras distintas de este lote, y ningún array "
        "puede contenerlas",
    ),
    "compile.batch.empty": (
        "{name} was not called with such a sample yet, so what it returns for a batch of none is not known",
        "{name} aún no se ha llamado con una muestra así, por lo que no se sabe qué devuelve para un lote "
        "vacío",
    ),
    "compile.batch.no_sample": (
        "explain needs a batch of {name} with one sample at least",
        "explain necesita un lote de {name} con al menos una muestra",
    ),
    "compile.batch.inside": (
        "a batched program gives arrays, through which no derivative and no trace goes; call the function "
        "itself here, sample by sample",
        "un programa por lotes da arrays, que no atraviesan ni derivadas ni trazas; aquí llame a la "
        "función misma, muestra por muestra",
    ),
    # ---- files ------------------------------------------------------------------------------------
    "compile.saving.not_ours": (
        "{path} is not a compiled program: {why}",
        "{path} no es un programa compilado: {why}",
    ),
    "compile.saving.nothing": (
        "{name} has not been traced yet; call it once, or give arguments: program.save(path, *args)",
        "{name} aún no se ha trazado; llámelo una vez, o dé argumentos: program.save(ruta, *args)",
    ),
    "compile.saving.structure": (
        "a file holds lists, tuples and dicts with texts or integers as keys, and this structure has {given}",
        "un archivo contiene listas, tuplas y diccionarios con textos o enteros como claves, y esta "
        "estructura tiene {given}",
    ),
    "compile.saving.large": (
        "the program would take {size} bytes, more than a file may have",
        "el programa ocuparía {size} bytes, más de los que puede tener un archivo",
    ),
    "compile.saving.oversized": (
        "it has {size} bytes, and none of ours has more than {most}",
        "tiene {size} bytes, y ninguno nuestro tiene más de {most}",
    ),
    "compile.saving.empty": ("the file is empty", "el archivo está vacío"),
    "compile.saving.foreign": ("it does not begin as one does", "no empieza como uno de ellos"),
    "compile.saving.newer": (
        "it is of version {given}, and this minigrad reads version {known}; write it again with this one",
        "es de la versión {given}, y este minigrad lee la versión {known}; escríbalo de nuevo con este",
    ),
    "compile.saving.truncated": (
        "it ends after {size} bytes, before its content does",
        "termina tras {size} bytes, antes que su contenido",
    ),
    "compile.saving.trailing": ("{count} bytes follow its content", "tras su contenido siguen {count} bytes"),
    "compile.saving.changed": (
        "it was changed or damaged since it was written",
        "se cambió o se dañó desde que se escribió",
    ),
    "compile.saving.header": ("its header is not one of ours", "su cabecera no es una de las nuestras"),
    "compile.saving.content": (
        "its content makes no program: {why}",
        "su contenido no forma un programa: {why}",
    ),
    "compile.saving.counts": ("its counts do not fit together", "sus cantidades no concuerdan"),
    "compile.saving.take": ("it looks up rows that are not there", "consulta filas que no existen"),
    # ---- explain ----------------------------------------------------------------------------------
    "compile.explain.title": ("{name}, compiled", "{name}, compilado"),
    "compile.explain.short": ("In short", "En breve"),
    "compile.explain.summary": (
        "nodes: {nodes} -> vector instructions: {count}",
        "nodos: {nodes} -> instrucciones vectoriales: {count}",
    ),
    "compile.explain.summary.gradient": (
        "nodes: {nodes} -> vector instructions: {count}, with the gradient by argument {argnums}",
        "nodos: {nodes} -> instrucciones vectoriales: {count}, con el gradiente respecto al argumento "
        "{argnums}",
    ),
    "compile.explain.cells": (
        "cells: {cells} ({memory} bytes); constants among them: {constants}",
        "celdas: {cells} ({memory} bytes); constantes entre ellas: {constants}",
    ),
    "compile.explain.lanes": (
        "shared cells: {cells}, constants among them: {constants}; cells of each sample: {lanes}",
        "celdas compartidas: {cells}, constantes entre ellas: {constants}; celdas de cada muestra: {lanes}",
    ),
    "compile.explain.kernels": ("instructions by kernel: {found}", "instrucciones por núcleo: {found}"),
    "compile.explain.affine": (
        "{affine} of {count} operands lie by a rule; the others are gathered",
        "{affine} de {count} operandos siguen una regla; los demás se reúnen uno por uno",
    ),
    "compile.explain.affine.all": (
        "all {count} operands lie by a rule",
        "todos los operandos ({count}) siguen una regla",
    ),
    "compile.explain.legend": ("How to read them", "Cómo se leen"),
    "compile.explain.legend.text": (
        "S[13..14] i:2 = 0 + S[3*i+k]*S[6+k] k:3 fills the cells 13 and 14: two sums, counted by i, of three "
        "products, counted by k, of cell 3i + k by cell 6 + k. S are the cells that all samples share, L "
        "those of each sample; S@[...] lists cells that follow no rule. tanh'0 is the local derivative of "
        "tanh in its slot 0; lanesum adds up over the samples.",
        "S[13..14] i:2 = 0 + S[3*i+k]*S[6+k] k:3 llena las celdas 13 y 14: dos sumas, contadas por i, de "
        "tres productos, contados por k, de la celda 3i + k por la celda 6 + k. S son las celdas que "
        "comparten todas las muestras, L las de cada muestra; S@[...] enumera celdas que no siguen ninguna "
        "regla. tanh'0 es la derivada local de tanh en su ranura 0; lanesum suma sobre las muestras.",
    ),
    "compile.explain.passes": ("Passes", "Pasadas"),
    "compile.explain.no_pass": (
        "there is no pass {given} here; there are {known}",
        "aquí no hay ninguna pasada {given}; las que hay son {known}",
    ),
    "compile.explain.instructions": ("Instructions", "Instrucciones"),
    "compile.explain.guards": ("Guards", "Guardas"),
    "compile.explain.guard": ("{where} (times: {times})", "{where} (veces: {times})"),
    "compile.explain.column.pass": ("pass", "pasada"),
    "compile.explain.column.size": ("left", "quedan"),
    "compile.explain.column.shapes": ("shapes", "formas"),
    "compile.explain.column.does": ("what it does", "qué hace"),
    "compile.explain.column.kernel": ("kernel", "núcleo"),
    "compile.explain.column.instruction": ("instruction", "instrucción"),
    "compile.explain.pass.trace": ("the nodes as f made them", "los nodos tal como f los creó"),
    "compile.explain.pass.fold": (
        "an op on constants is a constant",
        "una operación con constantes es una constante",
    ),
    "compile.explain.pass.flatten": (
        "sums of products become chains",
        "las sumas de productos se vuelven cadenas",
    ),
    "compile.explain.pass.backward": ("the gradients, as nodes", "los gradientes, como nodos"),
    "compile.explain.pass.expand": (
        "ops on lists, as the ops of their formulas",
        "operaciones con listas, como las de sus fórmulas",
    ),
    "compile.explain.pass.simplify": (
        "nothing is computed twice, or for nothing",
        "nada se calcula dos veces, ni en vano",
    ),
    "compile.explain.pass.spread": ("what differs between samples", "lo que difiere entre muestras"),
    "compile.explain.pass.dead": ("what nobody needs is left out", "lo que nadie necesita se omite"),
    "compile.explain.pass.reuse": (
        "numbers take turns in the cells",
        "los números se turnan en las celdas",
    ),
    "compile.explain.pass.layout": (
        "equal shapes become one vector instruction",
        "formas iguales, una sola instrucción vectorial",
    ),
}
