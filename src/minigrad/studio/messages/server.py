"""Sentences of the studio's command and of its server; those of its page are in page.py."""

ROWS = {
    "server.port.taken": (
        "port {port} is taken, or not ours to take: {why}; without --port the studio finds a free one",
        "el puerto {port} está ocupado o vedado: {why}; sin --port el estudio busca uno libre",
    ),
    "server.host": (
        "cannot listen on {host}: {why}; without --host the studio listens on 127.0.0.1",
        "no se puede escuchar en {host}: {why}; sin --host el estudio escucha en 127.0.0.1",
    ),
    "server.token": (
        "MINIGRAD_STUDIO_TOKEN needs at least 16 letters, digits, - or _, so that nobody guesses it",
        "MINIGRAD_STUDIO_TOKEN necesita al menos 16 letras, cifras, - o _, para que nadie la adivine",
    ),
    "server.refused.token": (
        "this page needs its token: open the whole link that minigrad studio printed",
        "esta página necesita su clave: abra el enlace completo que escribió minigrad studio",
    ),
    "server.refused.host": (
        "asked under a name that is not this machine's; open the link that minigrad studio printed",
        "la petición usa un nombre que no es de esta máquina; abra el enlace que escribió minigrad studio",
    ),
    "server.refused.origin": (
        "asked from another page; only the studio's own page may ask, and its link is opened by itself",
        "la petición viene de otra página; solo la del estudio puede preguntar, y su enlace se abre aparte",
    ),
    "server.refused.method": (
        "only GET, HEAD and POST are understood here",
        "aquí solo se entienden GET, HEAD y POST",
    ),
    "server.refused.version": (
        "only HTTP/1.1 and HTTP/1.0 are understood here",
        "aquí solo se entienden HTTP/1.1 y HTTP/1.0",
    ),
    "server.refused.header": (
        "the header of this request is too long",
        "la cabecera de esta petición es demasiado larga",
    ),
    "server.refused.body": (
        "this request has a body that cannot be, or does not say how long it is",
        "el cuerpo de esta petición no es válido, o no dice cuánto mide",
    ),
    "server.refused.type": (
        "a question is sent as application/json",
        "una pregunta se envía como application/json",
    ),
    "server.refused.size": (
        "a question has at most {kilobytes} kB",
        "una pregunta tiene como mucho {kilobytes} kB",
    ),
    "server.refused.slow": (
        "the question did not arrive in time",
        "la pregunta no llegó a tiempo",
    ),
    "server.refused.path": ("there is nothing at this address", "en esta dirección no hay nada"),
    "server.request.json": (
        "a question is one JSON object, without NaN or Infinity",
        "una pregunta es un objeto JSON, sin NaN ni Infinity",
    ),
    "server.request.twice": (
        "the question says one thing twice",
        "la pregunta dice dos veces lo mismo",
    ),
    "server.request.unknown": (
        "the question has a field {name}, which nobody asked for",
        "la pregunta tiene un campo {name} que nadie pidió",
    ),
    "server.request.kind": (
        "the field {name} of the question is not of its kind",
        "el campo {name} de la pregunta no es de su tipo",
    ),
    "server.limit.text": (
        "the text has {length} characters, and the studio works with up to {most}; "
        "minigrad explain takes longer ones",
        "el texto tiene {length} caracteres y el estudio trabaja con hasta {most}; "
        "minigrad explain admite más",
    ),
    "server.limit.nodes": (
        "the text makes {count} nodes, and the studio draws up to {most}; minigrad explain takes larger ones",
        "el texto crea {count} nodos y el estudio dibuja hasta {most}; minigrad explain admite más",
    ),
    "server.time": (
        "this took longer than {seconds} s and was stopped; a smaller expression is quicker",
        "esto tardó más de {seconds} s y se detuvo; una expresión más pequeña va más rápido",
    ),
    "server.memory": (
        "this took too much memory and was stopped; a smaller expression takes less",
        "esto pidió demasiada memoria y se detuvo; una expresión más pequeña pide menos",
    ),
    "server.crashed": (
        "the process that worked on this ended before it had an answer; another one has taken its place",
        "el proceso que trabajaba en esto terminó sin respuesta; otro ocupa ya su lugar",
    ),
    "server.busy": (
        "too much is waiting already; ask again in a moment",
        "ya hay demasiado en espera; pregunte de nuevo en un momento",
    ),
    "server.superseded": (
        "a newer question took the place of this one",
        "una pregunta más nueva ocupó el lugar de esta",
    ),
    "server.internal": (
        "the studio made a mistake of its own on this; minigrad explain may still answer it",
        "el estudio cometió aquí un error suyo; puede que minigrad explain sí responda",
    ),
    "server.node": (
        "the graph has no node {node}",
        "el grafo no tiene ningún nodo {node}",
    ),
    "server.group": (
        "the graph has no group {group}",
        "el grafo no tiene ningún grupo {group}",
    ),
}  # fmt: skip
