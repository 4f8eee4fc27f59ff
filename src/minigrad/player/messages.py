"""Sentences of the player; its scripts say them, so a page carries all of them in both languages."""

ROWS: dict[str, tuple[str, str]] = {
    "player.title": ("The gradients of {output}", "Los gradientes de {output}"),
    "player.noscript": (
        "This page plays a backward pass and needs JavaScript for it. Nothing is loaded from anywhere.",
        "Esta página reproduce una pasada hacia atrás y para ello necesita JavaScript. "
        "No carga nada de ningún sitio.",
    ),
    # what there is to look at
    "player.views": ("Drawings", "Dibujos"),
    "player.view.graph": ("Graph", "Grafo"),
    "player.view.river": ("River", "Río"),
    "player.view.waterfall": ("Waterfall", "Cascada"),
    "player.view.thermometer": ("Thermometer", "Termómetro"),
    "player.view.ledger": ("Ledger", "Desglose"),
    "player.inputs": ("Move the inputs", "Mueva las entradas"),
    "player.inputs.back": ("back to the first numbers", "volver a los primeros números"),
    "player.stale": (
        "This drawing has the numbers from before; the graph and the thermometer follow.",
        "Este dibujo tiene los números de antes; el grafo y el termómetro sí los siguen.",
    ),
    "player.undrawn": (
        "There is no drawing of this here; choose an input to see its ledger.",
        "Aquí no hay dibujo de esto; elija una entrada para ver su desglose.",
    ),
    "player.dim": ("Active path only", "Solo el camino activo"),
    "player.language": ("Language", "Idioma"),
    "player.crumbs": ("Where you are", "Dónde está"),
    "player.crumbs.whole": ("Whole graph", "Grafo entero"),
    "player.group": ("a group; Enter opens it", "un grupo; Intro lo abre"),
    "player.zoom": ("Size of the drawing", "Tamaño del dibujo"),
    "player.zoom.closer": ("Larger", "Más grande"),
    "player.zoom.farther": ("Smaller", "Más pequeño"),
    "player.zoom.fit": ("Fit the window", "Ajustar a la ventana"),
    # the bar
    "player.time": ("Time", "Tiempo"),
    "player.buttons": ("Playing", "Reproducción"),
    "player.play": ("Play", "Reproducir"),
    "player.pause": ("Pause", "Pausa"),
    "player.start": ("To the start", "Al principio"),
    "player.back": ("One step back", "Un paso atrás"),
    "player.forward": ("One step on", "Un paso adelante"),
    "player.turn": ("To the first backward step", "Al primer paso hacia atrás"),
    "player.end": ("To the end", "Al final"),
    "player.phase.forward": ("forward", "hacia delante"),
    "player.phase.backward": ("backward", "hacia atrás"),
    "player.counter": ("step {step} of {steps}", "paso {step} de {steps}"),
    "player.speed": ("Speed", "Velocidad"),
    "player.speed.slow": ("slow", "despacio"),
    "player.speed.normal": ("normal speed", "velocidad normal"),
    "player.speed.fast": ("fast", "rápido"),
    "player.speed.fastest": ("very fast", "muy rápido"),
    # one sentence per step
    "player.step.inputs": (
        "The inputs have their data: {inputs}.",
        "Las entradas tienen sus datos: {inputs}.",
    ),
    "player.step.leaves": ("All inputs have their data.", "Todas las entradas tienen sus datos."),
    "player.step.forward": (
        "Forward: {node} = {recipe} = {worked} = {data}.",
        "Hacia delante: {node} = {recipe} = {worked} = {data}.",
    ),
    "player.step.plain": (
        "Forward: {node} = {recipe} = {data}.",
        "Hacia delante: {node} = {recipe} = {data}.",
    ),
    "player.step.seed": (
        "Backward starts at the output: the gradient of {output} with respect to itself is {grad}.",
        "La pasada hacia atrás empieza en la salida: el gradiente de {output} respecto de sí misma es "
        "{grad}.",
    ),
    "player.flow.first": (
        "{source} sends its local derivative times its own gradient to {target}: "
        "{local} × {upstream} = {amount}.",
        "{source} envía a {target} su derivada local por su propio gradiente: "
        "{local} × {upstream} = {amount}.",
    ),
    "player.flow.more": (
        "{source} sends {local} × {upstream} = {amount} to {target} as well, and contributions add up: "
        "{before} {term} = {after}.",
        "{source} envía también {local} × {upstream} = {amount} a {target}, y las contribuciones se suman: "
        "{before} {term} = {after}.",
    ),
    "player.flow.lost": (
        "{source} sends {local} × {upstream} = {amount} to {target}, but the gradient of {target} goes "
        "from {before} to {after}: that is not a sum.",
        "{source} envía {local} × {upstream} = {amount} a {target}, pero el gradiente de {target} pasa "
        "de {before} a {after}: eso no es una suma.",
    ),
    "player.flow.odd": (
        "{source} sends {amount} to {target}, which is not its local derivative {local} times its "
        "gradient {upstream}; the gradient of {target} goes from {before} to {after}.",
        "{source} envía {amount} a {target}, que no es su derivada local {local} por su gradiente "
        "{upstream}; el gradiente de {target} pasa de {before} a {after}.",
    ),
    "player.step.done": ("That was the last step.", "Ese fue el último paso."),
    "player.step.finished": (
        "That was the last step, and after it the pass changed gradients once more.",
        "Ese fue el último paso, y tras él la pasada hacia atrás cambió gradientes una vez más.",
    ),
    # nodes
    "player.node.later": ("{name}, not computed yet", "{name}, aún sin calcular"),
    "player.node.data": ("{name}, data {data}", "{name}, dato {data}"),
    "player.node.grad": ("{name}, data {data}, gradient {grad}", "{name}, dato {data}, gradiente {grad}"),
    "player.source": ("Source", "Código"),
    "player.sum": ("One gradient as a sum", "Un gradiente como suma"),
    "player.choose": (
        "Choose a node to see where its gradient comes from.",
        "Elija un nodo para ver de dónde viene su gradiente.",
    ),
    "player.choose.close": ("Close", "Cerrar"),
    "player.sum.none": ("No gradient reaches this node.", "Ningún gradiente llega a este nodo."),
    "player.table": ("Gradients", "Gradientes"),
    "player.table.caption": (
        "Data and gradient of each input, and what the gradient means",
        "Dato y gradiente de cada entrada, y qué significa el gradiente",
    ),
    "player.table.all": ("all nodes", "todos los nodos"),
    "player.table.more": (
        "Only the first of very many are listed.",
        "Solo se muestran las primeras filas de muchísimas.",
    ),
    "player.table.name": ("name", "nombre"),
    "player.table.data": ("data", "valor"),
    "player.table.grad": ("gradient", "gradiente"),
    "player.table.grad.of": ("gradient, {title}", "gradiente, {title}"),
    "player.table.meaning": ("meaning", "significado"),
    # predictions
    "player.predict": ("Predict first", "Predecir antes"),
    "player.predict.ask": (
        "{source} has the gradient {upstream}. How much does it send to {target}?",
        "{source} tiene el gradiente {upstream}. ¿Cuánto envía a {target}?",
    ),
    "player.predict.check": ("Check", "Comprobar"),
    "player.predict.show": ("Show me", "Mostrar la respuesta"),
    "player.predict.on": ("Go on", "Seguir"),
    "player.predict.number": ("Write a number, such as -4 or 1/3.", "Escriba un número, como -4 o 1/3."),
    "player.predict.right": (
        "✓ Right: {local} × {upstream} = {amount}.",
        "✓ Correcto: {local} × {upstream} = {amount}.",
    ),
    "player.predict.wrong": (
        "✗ Not this time: {local} × {upstream} = {amount}.",
        "✗ Esta vez no: {local} × {upstream} = {amount}.",
    ),
    "player.predict.given": ("It is {local} × {upstream} = {amount}.", "Es {local} × {upstream} = {amount}."),
    "player.predict.score": ("right so far: {right} of {asked}", "aciertos hasta ahora: {right} de {asked}"),
    # help
    "player.help": ("Keys and colours", "Teclas y colores"),
    "player.help.close": ("Close the help", "Cerrar la ayuda"),
    "player.help.data": ("data", "datos"),
    "player.help.grad": ("gradient", "gradiente"),
    "player.help.local": ("local derivative", "derivada local"),
    "player.help.active": ("happening now", "lo que ocurre ahora"),
    "player.help.play": ("play or pause", "reproducir o pausar"),
    "player.help.step": ("one step back, one step on", "un paso atrás, un paso adelante"),
    "player.help.ends": ("to the start, to the end", "al principio, al final"),
    "player.help.views": ("the drawings", "los dibujos"),
    "player.help.tab": ("to the next control; into the drawing", "al siguiente control; al dibujo"),
    "player.help.enter": (
        "on a node: its sum; on a group: open it",
        "en un nodo: su suma; en un grupo: abrirlo",
    ),
    "player.help.walk": (
        "on a node: to the next one along an edge",
        "en un nodo: al siguiente por una arista",
    ),
    "player.help.dim": ("active path only", "solo el camino activo"),
    "player.help.predict": ("predict first", "predecir antes"),
    "player.help.zoom": ("larger, smaller, fit the window", "más grande, más pequeño, ajustar a la ventana"),
    "player.help.help": ("this help", "esta ayuda"),
    "player.help.escape": ("close what is open", "cerrar lo que está abierto"),
}
