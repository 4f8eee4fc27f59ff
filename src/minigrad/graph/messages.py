"""Sentences of graphs, of their JSON, and of formulas."""

ROWS = {
    "notation.if": ("if", "si"),
    "notation.otherwise": ("otherwise", "si no"),
    "naming.type": (
        "name() wants names with their values, as in name(locals()) or name({{'a': a}}); given: {given}",
        "name() espera nombres con sus valores, como en name(locals()) o name({{'a': a}}); recibió: {given}",
    ),
    "graph.stale": (
        "{name} holds {now}, but its arguments now give {again}: some .data was changed after this "
        "graph was built; run the forward pass again and explain the new output",
        "{name} contiene {now}, pero sus argumentos dan ahora {again}: algún .data cambió después de "
        "construir este grafo; repita la pasada hacia delante y explique la nueva salida",
    ),
    "graph.custom_op": (
        "the node {name} was made by hand, so it cannot be computed again at other inputs; build it "
        "from minigrad's own ops",
        "el nodo {name} se creó a mano, así que no se puede recalcular con otras entradas; "
        "constrúyalo con las operaciones de minigrad",
    ),
    "graph.type": (
        "a graph is taken from a Value, and {given} is not one",
        "un grafo se toma de un Value, y {given} no lo es",
    ),
    "graph.input": (
        "this graph has no input {name}; its inputs are {known}",
        "este grafo no tiene ninguna entrada {name}; sus entradas son {known}",
    ),
    "graph.output": (
        "a graph of {count} nodes has no node {output} to be its output",
        "un grafo de {count} nodos no tiene ningún nodo {output} que pueda ser su salida",
    ),
    "graph.argument": (
        "the arguments of node {index} are {args}, and they must be earlier nodes",
        "los argumentos del nodo {index} son {args}, y deben ser nodos anteriores",
    ),
    "graph.node": (
        "this graph has no node {name}; its nodes are {known}",
        "este grafo no tiene ningún nodo {name}; sus nodos son {known}",
    ),
    "graph.order": (
        "not a valid backward order: {why}",
        "no es un orden válido de la pasada hacia atrás: {why}",
    ),
    "graph.order.missing": ("{name} is missing", "falta {name}"),
    "graph.order.twice": ("{name} stands there twice", "{name} aparece dos veces"),
    "graph.order.early": (
        "{name} comes before {consumer}, which still has a message for it",
        "{name} va antes que {consumer}, que todavía tiene un mensaje para él",
    ),
    "json.not_ours": (
        "not a minigrad {kind}: {why}",
        "no es un documento de minigrad de tipo {kind}: {why}",
    ),
    "json.schema": (
        "its schema is {given}, and this version reads {known}",
        "su esquema es {given}, pero esta versión lee {known}",
    ),
    "json.keys": ("unknown or missing keys: {keys}", "claves desconocidas o ausentes: {keys}"),
    "json.node": ("node {index} is malformed: {why}", "el nodo {index} está mal formado: {why}"),
    "json.event": ("event {index} is malformed: {why}", "el evento {index} está mal formado: {why}"),
    "json.op": ("there is no op {given}", "no existe la operación {given}"),
    "json.args": (
        "its arguments must be earlier nodes, the right number of them",
        "sus argumentos deben ser nodos anteriores, en el número correcto",
    ),
    "json.shape": ("{what} has the wrong shape", "{what} tiene una forma incorrecta"),
    "json.number": ("{given} is not a number", "{given} no es un número"),
    "ledger.via": ("via {node}", "vía {node}"),
    "ledger.rest.one": ("in {count} more path", "en {count} camino más"),
    "ledger.slot": ("[slot {slot}]", "[ranura {slot}]"),
    "ledger.slot_of": ("slot {slot} of {node}", "ranura {slot} de {node}"),
    "ledger.itself": ("by itself", "por sí misma"),
    "ledger.rest": ("in {count} more paths", "en {count} caminos más"),
}
