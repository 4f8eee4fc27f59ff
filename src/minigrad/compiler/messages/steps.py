"""Sentences of compiled training steps and of gradients over a cluster."""

ROWS = {
    # ---- training steps ---------------------------------------------------------------------------
    "compile.steps.outputs": (
        "a step goes down one number, the loss, and this function returns {count} of them; return their "
        "sum or their mean",
        "un paso baja por un solo número, la pérdida, y esta función devuelve {count}; devuelva su suma o "
        "su media",
    ),
    "compile.steps.optimiser": (
        "training(...) takes an optimiser of minigrad.nn first, as in program.training(Adam(weights), ...), "
        "and not {given}",
        "training(...) recibe primero un optimizador de minigrad.nn, como en "
        "program.training(Adam(pesos), ...), y no {given}",
    ),
    "compile.steps.own_step": (
        "{name} has a step of its own, which a compiled step would leave out; write loss = program(...), "
        "loss.backward() and optimiser.step()",
        "{name} tiene un paso propio, que un paso compilado omitiría; escriba loss = program(...), "
        "loss.backward() y optimiser.step()",
    ),
    "compile.steps.constant": (
        "the parameter {given} wants no gradient, and a compiled step would move it; set its requires_grad "
        "to True, or make an optimiser without it",
        "el parámetro {given} no pide gradiente, y un paso compilado lo movería; ponga su requires_grad a "
        "True, o cree un optimizador sin él",
    ),
    "compile.steps.hook": (
        "the parameter {given} has a hook, which a compiled step would not call; remove it, or write "
        "loss = program(...), loss.backward() and optimiser.step()",
        "el parámetro {given} tiene un hook, al que un paso compilado no llamaría; quítelo, o escriba "
        "loss = program(...), loss.backward() y optimiser.step()",
    ),
    "compile.steps.function": (
        "training(...) traces a function for each structure of the data, and {name} has none: it was read "
        "from a file, or made of a graph; compile the function itself",
        "training(...) traza una función por cada estructura de los datos, y {name} no tiene: se leyó de un "
        "archivo o se hizo de un grafo; compile la función misma",
    ),
    "compile.steps.parameter": (
        "{given} is a parameter of the optimiser, and here it is among the data, where it would be a "
        "number that does not move; give it to training(optimiser, ...) instead",
        "{given} es un parámetro del optimizador, y aquí está entre los datos, donde sería un número que no "
        "se mueve; déselo a training(optimizador, ...)",
    ),
    "compile.steps.groups": (
        "the optimiser has got other parameters since training(...) was called; call it again",
        "el optimizador tiene otros parámetros desde que se llamó a training(...); llámelo otra vez",
    ),
    "compile.steps.count": (
        "repeat takes a whole number of steps, 0 or more, and not {given}",
        "repeat recibe un número entero de pasos, 0 o más, y no {given}",
    ),
    "compile.steps.clip": (
        "clip is the largest norm that a gradient may have: a number, 0 for any norm, and not {given}",
        "clip es la mayor norma que puede tener un gradiente: un número, 0 para cualquier norma, y no "
        "{given}",
    ),
    "compile.steps.empty": (
        "a step needs one sample at least, and there are none",
        "un paso necesita al menos una muestra, y no hay ninguna",
    ),
    "compile.steps.lengths": (
        "each argument has one entry per step or sample, so all have one length; given: {given}",
        "cada argumento tiene una entrada por paso o muestra, así que todos tienen la misma longitud; "
        "recibido: {given}",
    ),
    "compile.steps.rates": (
        "there are {given} rates for {count} steps; give one rate per step",
        "hay {given} tasas para {count} pasos; dé una tasa por paso",
    ),
    "compile.steps.variants": (
        "the function went another way for the {count}th time with data of one structure, last at {where}; "
        "write the choice as minigrad.functions.where, functions.max or minigrad.take, or train without "
        "compiling",
        "la función tomó otro camino por {count}.ª vez con datos de una misma estructura, la última "
        "en {where}; escriba la elección como minigrad.functions.where, functions.max o minigrad.take, o "
        "entrene sin compilar",
    ),
    "compile.steps.guard": (
        "the function went two different ways with the same numbers, at {where}; what it decides by must "
        "depend on its arguments alone",
        "la función tomó dos caminos distintos con los mismos números, en {where}; aquello por lo que "
        "decide debe depender solo de sus argumentos",
    ),
    # ---- clusters -----------------------------------------------------------------------------------
    "compile.cluster.client": (
        "map_gradient takes a client of Dask distributed, and not {given}; to get one: "
        "pip install 'minigrad-lab[cluster]', then distributed.Client(...)",
        "map_gradient recibe un cliente de Dask distributed, y no {given}; para tener uno: "
        "pip install 'minigrad-lab[cluster]' y después distributed.Client(...)",
    ),
    "compile.cluster.argnum": (
        "a gradient over batches is by held arguments, of which there are {count}, counted from 0; {given} "
        "is none of them; write held=(weights,), argnums=0",
        "un gradiente sobre lotes es respecto de argumentos fijos (held), de los que hay {count}, contados "
        "desde 0; {given} no es ninguno; escriba held=(pesos,), argnums=0",
    ),
    "compile.cluster.empty": (
        "there are no batches; give one at least",
        "no hay lotes; dé al menos uno",
    ),
    "compile.cluster.batch": (
        "batch {number} could not be computed: {reason}",
        "no se pudo calcular el lote {number}: {reason}",
    ),
    "compile.cluster.lost": (
        "the workers that had it were lost, {times} times in all; it may need more memory than one has: "
        "make batches smaller",
        "se perdieron los trabajadores que lo tenían, {times} veces en total; puede que necesite más "
        "memoria de la que tiene uno: haga lotes más pequeños",
    ),
}
