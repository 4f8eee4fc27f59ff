"""Sentences about why a gradient is what it is: ledgers, cones, the sizes in a model, and the page."""

ROWS = {
    "xray.ledger.title": ("Why {name} has its gradient", "Por qué {name} tiene su gradiente"),
    "xray.ledger.uses": ("By use", "Por uso"),
    "xray.ledger.routes": ("By route", "Por ruta"),
    "xray.ledger.way": ("On its way", "En el camino"),
    "xray.ledger.norm": ("Its norm is {norm}.", "Su norma es {norm}."),
    "xray.ledger.zero": (
        "Its gradient is zero: the parts add up to nothing, so that they have norms but no shares.",
        "Su gradiente es cero: las partes se anulan, así que tienen norma pero no parte del total.",
    ),
    "xray.ledger.bad": (
        "Its gradient is not finite, so that its parts have no shares.",
        "Su gradiente no es finito, así que sus partes no tienen parte del total.",
    ),
    "xray.ledger.cancels": (
        "The parts cancel: their norms add up to {together}, {times} times that of their sum.",
        "Las partes se cancelan: sus normas suman {together}, {times} veces la de su suma.",
    ),
    "xray.ledger.of": (
        "What came to the use {use}, as shares of the whole:",
        "Lo que llegó al uso {use}, en partes del total:",
    ),
    "xray.ledger.one": (
        "To the largest use ({use}) it came by one route: between there and the loss nothing is used twice.",
        "Al mayor uso ({use}) llegó por una sola ruta: entre ese lugar y la pérdida nada se usa dos veces.",
    ),
    "xray.ledger.many": (
        "Its line ran {count} times; the share of each, first to last: {each}",
        "Su línea se ejecutó {count} veces; la parte de cada una, de la primera a la última: {each}",
    ),
    "xray.ledger.rest": (
        "Not accounted for: {share} of the whole. A hook, a checkpoint or rounding changes what is sent.",
        "Sin explicar: {share} del total. Un hook, un checkpoint o el redondeo cambia lo que se envía.",
    ),
    "xray.ledger.unfinished": (
        "After {passes} backward passes the last route was not taken apart any further.",
        "Tras {passes} pasadas hacia atrás, la última ruta no se separó más.",
    ),
    "xray.part.input-embedding": ("as the input embedding", "como embedding de entrada"),
    "xray.part.output-layer": ("as the output layer", "como capa de salida"),
    "xray.part.use": ("in {module} ({op})", "en {module} ({op})"),
    "xray.part.use.outside": ("in the program ({op})", "en el programa ({op})"),
    "xray.part.residual": (
        "through the residual past {module}",
        "por la conexión residual que rodea {module}",
    ),
    "xray.part.residual.outside": ("through the residual", "por la conexión residual"),
    "xray.part.through": ("through {module}", "por {module}"),
    "xray.part.through.outside": ("through {op}", "por {op}"),
    "xray.model.title": ("Gradients of the model", "Gradientes del modelo"),
    "xray.model.parameters": ("By parameter, largest first", "Por parámetro, de mayor a menor"),
    "xray.model.depth": (
        "Along the depth: the gradient at the output and at the input of each module",
        "A lo largo de la profundidad: el gradiente a la salida y a la entrada de cada módulo",
    ),
    "xray.model.none": ("no gradient", "sin gradiente"),
    "xray.model.columns.norm": ("norm", "norma"),
    "xray.model.columns.zeros": ("zeros", "ceros"),
    "xray.model.columns.factor": ("times", "veces"),
    "xray.model.columns.largest": ("largest", "mayor"),
    "xray.health.right": ("finite", "finito"),
    "xray.health.sparse": ("mostly zeros", "casi todo ceros"),
    "xray.health.zero": ("all zero", "todo ceros"),
    "xray.health.broken": ("NaN or infinite", "NaN o infinito"),
    "xray.unseen.opaque": (
        "{op} in {module} is one node: what happens inside it cannot be seen",
        "{op} en {module} es un solo nodo: lo que ocurre dentro no se ve",
    ),
    "xray.outside": ("the program", "el programa"),
    "xray.cone.title": ("Why the gradient of {name} is {grad}", "Por qué el gradiente de {name} es {grad}"),
    "xray.cone.whole": (
        "All that depends on it is a graph of {nodes} scalars, whose gradient is {found}, as in PyTorch.",
        "Todo lo que depende de él es un grafo de {nodes} escalares, cuyo gradiente es {found}, como en "
        "PyTorch.",
    ),
    "xray.cone.part": (
        "The largest routes are a graph of {nodes} scalars, whose gradient is {found}; what came by others is"
        " {rest}, and together they are the {grad} of PyTorch.",
        "Las rutas mayores son un grafo de {nodes} escalares, cuyo gradiente es {found}; lo que llegó por "
        "otras es {rest}, y juntas dan el {grad} de PyTorch.",
    ),
    "xray.cone.none": (
        "Nothing that autograd follows from the loss depends on it; PyTorch says {grad}.",
        "Nada de lo que autograd sigue desde la pérdida depende de él; PyTorch dice {grad}.",
    ),
    "xray.cone.large": (
        "So much depends on it that no route fits into a graph of this size; PyTorch says {grad}.",
        "Depende de él tanto que ninguna ruta cabe en un grafo del tamaño pedido; PyTorch dice {grad}.",
    ),
    "xray.cone.functions": (
        "Custom Functions in it: {names}. Their derivatives are those that their own backward sends, right "
        "or wrong.",
        "Funciones propias en él: {names}. Sus derivadas son las que envía su propio backward, correctas o "
        "no.",
    ),
    "xray.cone.partly": (
        "Of the {of} numbers that {op} in {module} gave, the {followed} of largest slope were followed.",
        "De los {of} números que dio {op} en {module} se siguieron los {followed} de mayor pendiente.",
    ),
    "xray.cone.cut": (
        "What {op} in {module} does could not be followed.",
        "No se pudo seguir lo que hace {op} en {module}.",
    ),
    "xray.why.subject": (
        "this report was read from a file or came from another process, so that its program cannot be run "
        "again; call xray(...) in this process",
        "este informe se leyó de un archivo o viene de otro proceso, y su programa no puede ejecutarse de "
        "nuevo; llame a xray(...) en este proceso",
    ),
    "xray.why.name": (
        "{given} is no name of a parameter; write fc1.weight, or fc1.weight[3, 2] for one number",
        "{given} no es el nombre de un parámetro; escriba fc1.weight, o fc1.weight[3, 2] para un solo número",
    ),
    "xray.why.unknown": (
        "there is no parameter {name}; there are {known}",
        "no hay ningún parámetro {name}; hay {known}",
    ),
    "xray.why.frozen": (
        "{name} does not require a gradient; call requires_grad_() on it if it should",
        "{name} no requiere gradiente; llame a su requires_grad_() si debe tenerlo",
    ),
    "xray.why.unreached": (
        "no gradient reaches {name}: nothing that the loss is made of used it",
        "ningún gradiente llega a {name}: nada de lo que compone la pérdida lo usó",
    ),
    "xray.why.checkpoint": (
        "the graph of the loss does not show {name}: it is used inside a checkpoint with use_reentrant=True; "
        "write use_reentrant=False",
        "el grafo de la pérdida no muestra {name}: se usa dentro de un checkpoint con use_reentrant=True; "
        "escriba use_reentrant=False",
    ),
    "xray.why.place": (
        "{name} has the shape {shape}, so that {given} is no place in it; write {example}",
        "{name} tiene la forma {shape}, así que {given} no es un lugar en él; escriba {example}",
    ),
    "xray.save.ending": (
        "{given} is no name of a page; give it the ending .html",
        "{given} no es nombre de una página; dele la terminación .html",
    ),
    "xray.save.path": (
        "{given} is no path; write the name of a file that ends in .html",
        "{given} no es una ruta; escriba el nombre de un archivo que termine en .html",
    ),
    "xray.save.unwritten": (
        "{given} could not be written ({why}); write the name of a file in a folder that exists and that "
        "you may write to",
        "no se pudo escribir {given} ({why}); escriba el nombre de un archivo de una carpeta que exista y en "
        "la que pueda escribir",
    ),
    "xray.page.title": ("X-ray", "Radiografía"),
    "xray.page.river": ("The gradient by module", "El gradiente por módulo"),
    "xray.page.river.words": (
        "Data flows down to the loss, the gradient flows up; a ribbon is as wide as the norm of the gradient "
        "on a scale of powers of ten. Choose a module for its ops.",
        "Los datos bajan hasta la pérdida, el gradiente sube; una cinta es tan ancha como la norma del "
        "gradiente, en escala de potencias de diez. Elija un módulo para ver sus operaciones.",
    ),
    "xray.page.thermometer": ("The gradient by parameter", "El gradiente por parámetro"),
    "xray.page.depth": ("How its size changes along the depth", "Cómo cambia su tamaño con la profundidad"),
    "xray.page.scalars": ("One number, down to scalars", "Un número, hasta los escalares"),
    "xray.page.findings": ("What was found", "Lo que se encontró"),
    "xray.page.one_parameter": ("1 parameter: grad {norm}", "1 parámetro: grad {norm}"),
    "xray.page.parameters": ("{count} parameters: grad {norm}", "{count} parámetros: grad {norm}"),
    "xray.page.module": ("module", "módulo"),
    "xray.page.op": ("op", "operación"),
    "xray.page.line": ("line", "línea"),
    "xray.page.arrived": ("arrived", "llegó"),
    "xray.page.sent": ("sent", "envió"),
    "xray.page.parameter": ("parameter", "parámetro"),
    "xray.page.above": ("at its output", "a su salida"),
    "xray.page.below": ("at its input", "a su entrada"),
    "xray.page.more": ("and {count} more", "y {count} más"),
    "xray.page.legend": ("Colour", "Color"),
}
