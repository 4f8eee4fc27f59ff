"""Sentences of the court."""

ROWS = {
    # ---- what was asked --------------------------------------------------------------------------
    "court.subject": (
        "the court tries an expression, a Value, a Graph, a Trace or a function of numbers, not {given}",
        "el tribunal juzga una expresión, un Value, un Graph, un Trace o una función de números, no {given}",
    ),
    "court.no_inputs": (
        "there is nothing to try: the expression has no inputs, so it has no gradients; "
        'write one with names, as in minigrad check "a*b + c" a=2 b=3 c=4',
        "no hay nada que juzgar: la expresión no tiene entradas, así que no tiene gradientes; "
        'escriba una con nombres, como en minigrad check "a*b + c" a=2 b=3 c=4',
    ),
    "court.seed": (
        "a pass cannot be judged by a seed of {given}; every gradient is a multiple of it",
        "no se puede juzgar una pasada con semilla {given}; cada gradiente es un múltiplo de ella",
    ),
    "court.at": (
        "the inputs come by name, as in {{'a': 2.0}}, not as {given}",
        "las entradas van por nombre, como en {{'a': 2.0}}, no como {given}",
    ),
    "court.at_function": (
        "a function needs a point: court(f, (2.0, 3.0)) or court(f, {{'a': 2.0, 'b': 3.0}})",
        "una función necesita un punto: court(f, (2.0, 3.0)) o court(f, {{'a': 2.0, 'b': 3.0}})",
    ),
    "court.count": (
        "{count} numbers were given, and the inputs are {known}",
        "se dieron {count} números, y las entradas son {known}",
    ),
    "court.arity": (
        "the function cannot be called with {count} numbers: {why}",
        "no se puede llamar a la función con {count} números: {why}",
    ),
    "court.result": (
        "the function gave {given}, which has no graph; it must give one Value, made of its arguments",
        "la función dio {given}, que no tiene grafo; debe dar un Value, hecho de sus argumentos",
    ),
    "court.captured": (
        "the function uses Values that are not its arguments: {names}; pass them as arguments, or as floats",
        "la función usa Values que no son sus argumentos: {names}; páselos como argumentos, o como floats",
    ),
    "court.input": (
        "there is no input {name} here; the inputs are {known}",
        "aquí no hay ninguna entrada {name}; las entradas son {known}",
    ),
    "court.claimed": (
        "claimed gradients are numbers by name, as in {{'a': 4.0}}, not {given}",
        "los gradientes declarados son números por nombre, como en {{'a': 4.0}}, no {given}",
    ),
    "court.witness": (
        "there is no witness {given}; ask all, quick, or some of {known}",
        "no existe el testigo {given}; pida all, quick, o algunos de {known}",
    ),
    # ---- the table -------------------------------------------------------------------------------
    "court.title": ("The gradients of {output} in court", "Los gradientes de {output} ante el tribunal"),
    "court.title.witnesses": ("Witnesses", "Testigos"),
    "court.title.paper": ("The chain rule by hand", "La regla de la cadena a mano"),
    "court.title.verdict": ("Verdict", "Veredicto"),
    "court.witness_column": ("witness", "testigo"),
    "court.on_trial.pass": ("on trial: the pass", "en juicio: la pasada"),
    "court.on_trial.trace": ("on trial: this pass", "en juicio: esta pasada"),
    "court.on_trial.backward": ("on trial: backward()", "en juicio: backward()"),
    "court.on_trial.claim": ("on trial: the claim", "en juicio: lo declarado"),
    "court.status.agrees": ("agrees", "coincide"),
    "court.status.disagrees": ("disagrees", "discrepa"),
    "court.status.unreliable": ("unreliable", "no fiable"),
    "court.status.cannot": ("cannot", "no puede"),
    "court.absent": (
        "not installed: {names} (pip install 'minigrad-lab[{extra}]')",
        "sin instalar: {names} (pip install 'minigrad-lab[{extra}]')",
    ),
    "court.doubt": ("{names}: {why}", "en {names}: {why}"),
    "court.error_bar": ("to within {error}", "margen {error}"),
    "court.note.our_rules": ("by our own rules", "reglas propias"),
    "court.note.on_paper": ("see below", "véase abajo"),
    "court.legend.disagrees": ("contradicts what is on trial", "contradice lo que está en juicio"),
    "court.legend.unreliable": ("not to be relied on here", "aquí no es de fiar"),
    "court.direction": ("all inputs together", "todas las entradas juntas"),
    "court.more_numbers": ("... ({count} more) ...", "... ({count} más) ..."),
    "court.more_paths": ("... ({count} more paths)", "... ({count} caminos más)"),
    # ---- why a witness says nothing --------------------------------------------------------------
    "court.cannot.op": ("has no {about}", "no dispone de {about}"),
    "court.cannot.argument": (
        "its {about} takes a plain number there",
        "su {about} solo admite ahí un número fijo",
    ),
    "court.cannot.custom": (
        "{about} was made by hand",
        "{about} se creó a mano",
    ),
    "court.cannot.unlike": (
        "the graph is not the function",
        "el grafo no es la función",
    ),
    "court.cannot.infinite": ("an input is not finite", "una entrada no es finita"),
    "court.cannot.size": ("too large: {about} nodes", "demasiado grande: {about} nodos"),
    "court.cannot.paths": ("{about} paths are too many", "{about} caminos son demasiados"),
    "court.cannot.digits": ("the fractions grow too long", "las fracciones crecen demasiado"),
    "court.cannot.overflow": ("{about} overflows", "{about} se desborda"),
    "court.cannot.failed": ("it failed with {about}", "falló con {about}"),
    "court.cannot.domain": ("there is no value here", "aquí no hay valor"),
    # ---- why a number is in doubt, in a word and in more ------------------------------------------
    "court.short.kink": ("kink", "punto anguloso"),
    "court.short.jump": ("jump", "salto"),
    "court.short.edge": ("edge of the domain", "borde del dominio"),
    "court.short.steep": ("infinite slope", "pendiente infinita"),
    "court.short.domain": ("no value", "sin valor"),
    "court.short.infinite": ("not finite", "no finito"),
    "court.short.overflow": ("overflow", "desbordamiento"),
    "court.short.flushed": ("flushed subnormals", "subnormales anulados"),
    "court.short.branch": ("branch not taken", "rama no elegida"),
    "court.short.cancellation": ("cancellation", "cancelación"),
    "court.short.rough": ("jump or fast turn", "salto o cambio brusco"),
    "court.short.rounding": ("rounding", "redondeo"),
    "court.short.range": ("not finite nearby", "no finito cerca"),
    "court.short.unexplained": ("no known reason", "sin razón conocida"),
    "court.why.kink": (
        "a kink, where the slope is a convention",
        "un punto anguloso, cuya pendiente es una convención",
    ),
    "court.why.jump": ("the output jumps here", "la salida da aquí un salto"),
    "court.why.edge": ("the edge of the domain", "el borde del dominio"),
    "court.why.steep": ("the slope is infinite here", "la pendiente es infinita aquí"),
    "court.why.domain": ("no value here, or none beside it", "sin valor aquí, o a su lado"),
    "court.why.infinite": ("a number on the way is not finite", "un número del camino no es finito"),
    "court.why.overflow": ("overflow on the way", "desbordamiento en el camino"),
    "court.why.flushed": (
        "subnormal numbers on the way lose their bits",
        "los números subnormales del camino pierden sus bits",
    ),
    "court.why.branch": (
        "a branch that is not taken sends it a message",
        "una rama no elegida le envía un mensaje",
    ),
    "court.why.cancellation": (
        "cancellation: the rounding is as large as what is left",
        "cancelación: el redondeo es tan grande como lo que queda",
    ),
    "court.why.rough": (
        "the output jumps here, or turns too fast around it",
        "la salida salta aquí, o cambia demasiado rápido alrededor",
    ),
    "court.why.rounding": (
        "no step suits both the rounding and the curve",
        "ningún paso sirve a la vez para el redondeo y para la curva",
    ),
    "court.why.range": ("the output is not finite around here", "cerca de aquí la salida no es finita"),
    "court.why.unexplained": (
        "off, and we know no reason for it",
        "se aparta, y no sabemos por qué",
    ),
    "court.why.unasked": (
        "none of those who were asked can judge it",
        "ninguno de los consultados puede juzgarlo",
    ),
    # ---- the verdict -----------------------------------------------------------------------------
    "court.verdict.right": ("RIGHT.", "CORRECTO."),
    "court.verdict.wrong": ("WRONG.", "INCORRECTO."),
    "court.verdict.undecided": ("UNDECIDED.", "SIN DECIDIR."),
    "court.reason.agrees": (
        "Every number is confirmed by {by}, within the rounding of the pass itself.",
        "Cada número queda confirmado, dentro del redondeo de la propia pasada, por {by}.",
    ),
    "court.reason.agrees.claim": (
        "Every number is confirmed by {by}, as far as its digits go.",
        "Cada número queda confirmado, hasta donde llegan sus cifras, por {by}.",
    ),
    "court.reason.agrees.gradients": (
        "Every gradient is confirmed by {by}, within the rounding of the pass itself.",
        "Cada gradiente queda confirmado, dentro del redondeo de la propia pasada, por {by}.",
    ),
    "court.reason.direction": (
        "The slope along one direction through all inputs is confirmed by {by}, within the rounding of the "
        "pass itself; there are too many to look at each of them.",
        "La pendiente en una dirección que abarca todas las entradas queda confirmada, dentro del redondeo "
        "de la propia pasada, por {by}; son demasiadas para mirarlas una a una.",
    ),
    "court.reason.count": (
        "{count} of {all} witnesses agree throughout.",
        "{count} de {all} testigos coinciden en todo.",
    ),
    "court.reason.unvalued": (
        "The value of {output} itself is not confirmed: {why}.",
        "El valor de {output} en sí no queda confirmado: {why}.",
    ),
    "court.reason.convention": (
        "{names}: there is no derivative ({why}), and the gradient is the published convention "
        "(docs/en/numerics.md) or a fair choice.",
        "{names}: no hay derivada ({why}), y el gradiente es la convención publicada "
        "(docs/es/numerics.md) o una elección admisible.",
    ),
    "court.reason.sides": (
        "{what} is {left} to the left and {right} to the right.",
        "{what} es {left} por la izquierda y {right} por la derecha.",
    ),
    "court.reason.unreliable": ("Unreliable here: {who} ({why}).", "No fiable aquí: {who} ({why})."),
    "court.reason.against": (
        "{count} of {all} witnesses contradict it.",
        "{count} de {all} testigos lo contradicen.",
    ),
    "court.at_point": ("at {inputs}", "en {inputs}"),
    "court.with": ("with {recipes}", "con {recipes}"),
    "court.reason.differs": (
        "{what} is {number} according to {by}, not {claim}.",
        "{what} es {number} y no {claim}, según {by}.",
    ),
    "court.reason.no_convention": (
        "There is no derivative here ({why}): the published convention for {what} is {number}, "
        "and nobody gives {claim}.",
        "Aquí no hay derivada ({why}): la convención publicada para {what} es {number}, y nadie da {claim}.",
    ),
    "court.reason.also": ("Wrong too: {names}.", "También incorrectos: {names}."),
    "court.reason.rule": (
        "The rule of {op} is wrong: at {node} it gives {got} for {slot}, and the derivative is {right}.",
        "La regla de {op} es incorrecta: en {node} da {got} para {slot}, y la derivada es {right}.",
    ),
    "court.reason.custom": (
        "The ops of the table are right, so it is the rule of {node}, a node made by hand.",
        "Las operaciones de la tabla son correctas, así que es la regla de {node}, un nodo creado a mano.",
    ),
    "court.reason.bookkeeping": (
        "Every local derivative is right, so the bookkeeping is wrong: a contribution was lost, "
        "counted twice, or sent before it was complete.",
        "Cada derivada local es correcta; lo que falla es la contabilidad: una contribución se perdió, "
        "se contó dos veces o se envió antes de estar completa.",
    ),
    "court.reason.backward": (
        "The local derivatives add up to {sum}, and backward() gives something else: a closure made by hand "
        "overwrites where it should add, or a hook changes the gradient.",
        "Las derivadas locales suman {sum}, y backward() da otra cosa: una clausura hecha a mano sobrescribe "
        "donde debería sumar, o un hook cambia el gradiente.",
    ),
    "court.reason.forward": (
        "The forward value of {op} is wrong: {node} is {got}, and {op} of its arguments is {right}.",
        "El valor de {op} es incorrecto: {node} es {got}, y {op} de sus argumentos es {right}.",
    ),
    "court.reason.split": (
        "{what} is {number} according to {by}, and {claim} according to {other}. Ask another witness.",
        "{what} es {number} según {by}, y {claim} según {other}. Pregunte a otro testigo.",
    ),
    "court.reason.cut": (
        "The graph that was recorded is not the function: close by they have different values. A number was "
        "read with .data, a branch depends on an input, or chance plays a part.",
        "El grafo registrado no es la función: muy cerca de aquí tienen valores distintos. Se leyó un número "
        "con .data, una rama depende de una entrada o interviene el azar.",
    ),
    "court.reason.overflow": (
        "{what} is {number}, and the pass gives {claim}: it leaves the range of floats on its way. No rule "
        "is wrong; write the expression so that it does not overflow.",
        "{what} es {number}, y la pasada da {claim}: por el camino se sale del rango de los floats. Ninguna "
        "regla es incorrecta; escriba la expresión de modo que no se desborde.",
    ),
    "court.reason.nobody": (
        "Nobody could judge {what} = {claim}: {why}.",
        "Nadie pudo juzgar {what} = {claim}: {why}.",
    ),
}
