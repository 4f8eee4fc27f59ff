"""Fixes for the faults of a custom backward rule."""

ROWS = {
    "rules.fix.factor": (
        "look for a constant that is missing or written twice, such as the 2 of a square or the 1/N of a "
        "mean; divide by {factor}",
        "busque una constante que falta o que está dos veces, como el 2 de un cuadrado o el 1/N de una "
        "media; divida entre {factor}",
    ),
    "rules.fix.sign": (
        "negate it: look for the minus of a difference, or of the derivative of cos or 1/x",
        "niéguelo: busque el menos de una resta, o de la derivada de cos o de 1/x",
    ),
    "rules.fix.offset": (
        "remove what is added: a gradient is a multiple of the upstream gradient and has no constant part",
        "quite lo que se suma: un gradiente es un múltiplo del gradiente entrante y no tiene parte constante",
    ),
    "rules.fix.transposed": (
        "transpose {what}; for C = A @ B the gradients are G @ B.T and A.T @ G, and reshape is not a "
        "transpose",
        "transponga {what}; para C = A @ B los gradientes son G @ B.T y A.T @ G, y reshape no es una "
        "transposición",
    ),
    "rules.fix.broadcast-mean": (
        "replace mean by sum over the stretched axes",
        "cambie mean por sum sobre los ejes extendidos",
    ),
    "rules.fix.broadcast-wrong-axis": (
        "sum over axis {right}, the axis that {input} was stretched along",
        "sume sobre el eje {right}, por el que se extendió {input}",
    ),
    "rules.fix.broadcast-one-slice": (
        "sum over the stretched axes in place of taking one slice",
        "sume sobre los ejes extendidos en vez de tomar una sola fila",
    ),
    "rules.fix.broadcast-sum-missing": (
        "sum the gradient over the axes that {input} was stretched along",
        "sume el gradiente sobre los ejes por los que se extendió {input}",
    ),
    "rules.fix.wrong-shape": (
        "return a gradient of the shape of {input}",
        "devuelva un gradiente con la forma de {input}",
    ),
    "rules.fix.upstream-not-linear": (
        "multiply by the upstream gradient once, at the end; look for it where an input or the output "
        "belongs",
        "multiplique por el gradiente entrante una sola vez, al final; búsquelo donde debería estar una "
        "entrada o la salida",
    ),
    "rules.fix.right-along": (
        "if it is meant for such inputs alone, say so in its docstring; else examine it with other numbers",
        "si solo está pensada para esas entradas, dígalo en su docstring; si no, examínela con otros números",
    ),
    "rules.fix.approximate": (
        "let the iteration go on to a smaller tolerance and examine it again; if nothing changes, look for "
        "a constant such as an eps that one of the two leaves out",
        "deje que la iteración llegue a una tolerancia menor y examínela de nuevo; si nada cambia, busque "
        "una constante, como un eps, que falte en uno de los dos",
    ),
    "rules.fix.coarse-forward": (
        'examine it with a smaller tolerance, as in --call "Fn.apply(x, 1e-12)"',
        'examínela con una tolerancia menor, como en --call "Fn.apply(x, 1e-12)"',
    ),
    "rules.fix.wrong-count": (
        "return one gradient for each argument of forward, in the same order, and None for those that "
        "are no tensors",
        "devuelva un gradiente por cada argumento de forward, en el mismo orden, y None para los que no "
        "son tensores",
    ),
    "rules.fix.error-in-backward": (
        "run backward with the shapes of the inputs above; what it needs has to be saved in forward",
        "ejecute backward con las formas de las entradas de arriba; lo que necesita debe guardarse en "
        "forward",
    ),
    "rules.fix.upstream-ignored": (
        "multiply the local derivative by the upstream gradient",
        "multiplique la derivada local por el gradiente entrante",
    ),
    "rules.fix.upstream-twice": (
        "multiply by the upstream gradient once",
        "multiplique por el gradiente entrante una sola vez",
    ),
    "rules.fix.upstream-divided": (
        "multiply by the upstream gradient",
        "multiplique por el gradiente entrante",
    ),
    "rules.fix.upstream-absolute": (
        "use the upstream gradient as it is, without abs or norm",
        "use el gradiente entrante tal cual, sin abs ni norma",
    ),
    "rules.fix.upstream-averaged": (
        "multiply element by element, without a mean of the upstream gradient",
        "multiplique elemento a elemento, sin media del gradiente entrante",
    ),
    "rules.fix.output-for-input": (
        "save {other} in forward, and not the output",
        "guarde {other} en forward, y no la salida",
    ),
    "rules.fix.input-for-output": (
        "save the output in forward, and not {other}",
        "guarde la salida en forward, y no {other}",
    ),
    "rules.fix.swapped-halves": (
        "join the parts in the order in which forward takes them apart",
        "una las partes en el mismo orden en que forward las separa",
    ),
    "rules.fix.swapped-inputs": (
        "return the gradients in the order of forward's arguments",
        "devuelva los gradientes en el orden de los argumentos de forward",
    ),
    "rules.fix.output-ignored": (
        "add the contribution of every output to the gradient of {input}",
        "sume la contribución de cada salida al gradiente de {input}",
    ),
    "rules.fix.diagonal-only": (
        "add the other derivatives; for softmax the gradient is y * (g - sum(g * y))",
        "sume las otras derivadas; para softmax el gradiente es y * (g - sum(g * y))",
    ),
    "rules.fix.coupling-missing": (
        "differentiate the sums, means or norms inside the forward as well",
        "derive también las sumas, medias o normas que hay dentro del forward",
    ),
    "rules.fix.term-missing": (
        "{input} reaches the output in more than one way; add the contribution of each",
        "{input} llega a la salida por más de un camino; sume la contribución de cada uno",
    ),
    "rules.fix.factor-missing": (
        "multiply by {term}: the chain rule takes the derivative of every step",
        "multiplique por {term}: la regla de la cadena lleva la derivada de cada paso",
    ),
    "rules.fix.gradient-missing": (
        "return its gradient; if {input} is a constant, give it without requires_grad and the others with",
        "devuelva su gradiente; si {input} es una constante, pásela sin requires_grad y las demás con él",
    ),
    "rules.fix.gradient-zero": ("return its gradient", "devuelva su gradiente"),
    "rules.fix.not-finite": (
        "look for a division by zero, or an exponential that overflows, and rewrite the formula",
        "busque una división por cero, o una exponencial que desborda, y reescriba la fórmula",
    ),
    "rules.fix.wrong-at-kink": (
        "give one of the two slopes there, or a number between them",
        "dé ahí una de las dos pendientes, o un número entre ellas",
    ),
    "rules.fix.wrong-in-region": (
        "treat that case in backward as forward does",
        "trate ese caso en backward como lo hace forward",
    ),
    "rules.fix.unrecognised": (
        "derive it again from the forward, term by term",
        "dedúzcalo otra vez a partir del forward, término a término",
    ),
    "rules.fix.one-change": (
        "make the change that is shown, and see that it is what you mean",
        "haga el cambio que se muestra, y compruebe que es lo que quiere decir",
    ),
    "rules.fix.forward-differs": (
        "put the forward right first: the rule is compared with it",
        "corrija primero el forward: la regla se compara con él",
    ),
    "rules.fix.rule-forward-differs": (
        "let the forward of the rule return the value of the function",
        "haga que el forward de la regla devuelva el valor de la función",
    ),
    "rules.fix.stale-saved": (
        "save with ctx.save_for_backward, or return it as a residual, never on the class or in a global",
        "guarde con ctx.save_for_backward, o devuélvalo como residuo, nunca en la clase ni en una "
        "variable global",
    ),
    "rules.fix.input-changed": (
        "work on a copy, or declare it with ctx.mark_dirty and return it",
        "trabaje sobre una copia, o declárelo con ctx.mark_dirty y devuélvalo",
    ),
    "rules.fix.upstream-changed": (
        "write g = g * x in place of g *= x",
        "escriba g = g * x en vez de g *= x",
    ),
    "rules.fix.unsteady": (
        "save random numbers in forward and use the same ones in backward",
        "guarde los números aleatorios en forward y use los mismos en backward",
    ),
    "rules.fix.second-backward": ("leave what was saved as it is", "no modifique lo guardado"),
    "rules.fix.contiguous-only": (
        "use reshape in place of view, or call contiguous() first; .sum().backward() sends an expanded "
        "gradient",
        "use reshape en vez de view, o llame antes a contiguous(); .sum().backward() envía un gradiente "
        "expandido",
    ),
    "rules.fix.float64-only": (
        "use the dtype of the inputs for constants, and no steps or thresholds below the precision of "
        "{dtype}",
        "use el dtype de las entradas para las constantes, y ningún paso ni umbral por debajo de la "
        "precisión de {dtype}",
    ),
    "rules.fix.single-precision": (
        "remove the conversion to float32 inside the rule",
        "quite la conversión a float32 dentro de la regla",
    ),
    "rules.fix.partial-inputs": (
        "compute each gradient by itself, under its own ctx.needs_input_grad",
        "calcule cada gradiente por separado, según su propio ctx.needs_input_grad",
    ),
    "rules.fix.defaults-left-out": (
        "ctx.needs_input_grad has one member for each argument of the call, and no more: ask for its length",
        "ctx.needs_input_grad tiene un elemento por argumento de la llamada, y no más: consulte su longitud",
    ),
    "rules.fix.conjugate-missing": (
        "conjugate the local derivative and nothing else: for f = x * y the gradient of x is g * y.conj()",
        "conjugue la derivada local y nada más: para f = x * y el gradiente de x es g * y.conj()",
    ),
    "rules.fix.shape-dependent": (
        "take lengths and axes from the tensors in backward as forward does, or raise in forward",
        "tome en backward las longitudes y los ejes de los tensores, como forward, o dé un error en forward",
    ),
    "rules.fix.error-at-shape": (
        "let backward take the shapes that forward takes, or raise in forward",
        "haga que backward admita las formas que admite forward, o dé un error en forward",
    ),
    "rules.fix.jvp-wrong": (
        "multiply the tangent of each input by its local derivative, and add them up",
        "multiplique la tangente de cada entrada por su derivada local, y súmelas",
    ),
    "rules.fix.vmap-wrong": (
        "in vmap, move the batch axis of each input to the front and allow for inputs without one; or use "
        "generate_vmap_rule",
        "en vmap, lleve el eje del lote de cada entrada al principio y admita entradas sin él; o use "
        "generate_vmap_rule",
    ),
    "rules.fix.device-differs": (
        "make new tensors on the device of the inputs, as x.new_zeros and torch.zeros_like do",
        "cree los tensores nuevos en el dispositivo de las entradas, como x.new_zeros y torch.zeros_like",
    ),
    "rules.fix.memory-held": (
        "keep it with ctx.save_for_backward",
        "guárdela con ctx.save_for_backward",
    ),
    "rules.fix.zero-upstream": (
        "divide by nothing that is zero when the upstream gradient is, such as its norm or its maximum",
        "no divida por nada que sea cero cuando lo es el gradiente entrante, como su norma o su máximo",
    ),
    "rules.fix.unused-output": (
        "an unused output sends zeros, or None after set_materialize_grads(False): allow for it",
        "una salida no usada envía ceros, o None tras set_materialize_grads(False): téngalo en cuenta",
    ),
    "rules.fix.second-derivative-missing": (
        "use differentiable operations in backward, or mark it with @once_differentiable",
        "use operaciones derivables en backward, o márquela con @once_differentiable",
    ),
    "rules.fix.second-derivative-wrong": (
        "save inputs or outputs with save_for_backward and compute from them in backward, or mark it "
        "with @once_differentiable",
        "guarde entradas o salidas con save_for_backward y calcule con ellas en backward, o márquela con "
        "@once_differentiable",
    ),
    "rules.fix.promise-broken": (
        "keep the promise, or promise what the rule does",
        "cumpla la promesa, o prometa lo que la regla hace",
    ),
    "rules.fix.one-border": (
        "treat both borders in the same way; look for `or` in place of `and`, or for a comparison that is "
        "written twice",
        "trate los dos bordes de la misma manera; busque un `or` en lugar de `and`, o una comparación "
        "escrita "
        "dos veces",
    ),
    "rules.fix.step-held-constant": (
        "differentiate {step} as well and add what flows through it",
        "derive también {step} y sume lo que pasa por ahí",
    ),
    "rules.fix.not-transposable": (
        "use only operations that are linear in the tangents, or write a custom_vjp",
        "use solo operaciones lineales en las tangentes, o escriba un custom_vjp",
    ),
    # every gradient that is another one on purpose
    "rules.fix.deliberate": (
        'if it is meant, promise it (intended="{promise}", or a comment # minigrad: intended={promise}), and '
        "the promise is checked; if not, return the derivative",
        'si es intencional, prométalo (intended="{promise}", o un comentario # minigrad: '
        "intended={promise}) y "
        "se comprobará la promesa; si no, devuelva la derivada",
    ),
}
