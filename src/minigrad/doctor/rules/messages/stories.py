"""Stories of the faults of a custom backward rule: one sentence for each."""

ROWS = {
    "rules.story.factor": (
        "the gradient of {input} is off by a factor of {factor}{like}",
        "el gradiente de {input} tiene un factor {factor} de más o de menos{like}",
    ),
    "rules.story.sign": (
        "the gradient of {input} has the wrong sign",
        "el gradiente de {input} tiene el signo cambiado",
    ),
    "rules.story.offset": (
        "every number of the gradient of {input} is too large by {amount}",
        "cada número del gradiente de {input} excede en {amount}",
    ),
    "rules.story.transposed": (
        "the gradient of {input} is right but for a transpose: {what} is transposed once too often, or "
        "not at all",
        "el gradiente de {input} es correcto salvo por una transposición: {what} se transpone una vez de "
        "más, o ninguna",
    ),
    "rules.story.broadcast-mean": (
        "{input} is stretched over {count} outputs, and its gradient is their mean where it should be "
        "their sum",
        "{input} se extiende sobre {count} salidas, y su gradiente es la media cuando debería ser la suma",
    ),
    "rules.story.broadcast-wrong-axis": (
        "{input} is stretched along axis {right}, and its gradient is summed along axis {axes}",
        "{input} se extiende por el eje {right}, y su gradiente se suma por el eje {axes}",
    ),
    "rules.story.broadcast-one-slice": (
        "{input} is stretched over several rows, and its gradient is that of the {what} one alone",
        "{input} se extiende sobre varias filas, y su gradiente es solo el de la {what}",
    ),
    "rules.story.broadcast-sum-missing": (
        "{input} has shape {due} and is stretched over the output, but its gradient keeps the shape {got}",
        "{input} tiene forma {due} y se extiende sobre la salida, pero su gradiente conserva la forma {got}",
    ),
    "rules.story.wrong-shape": (
        "{input} has shape {due}, and its gradient has shape {got}",
        "{input} tiene forma {due}, y su gradiente tiene forma {got}",
    ),
    "rules.story.wrong-count": (
        "backward returns the wrong number of gradients: {message}",
        "backward devuelve un número equivocado de gradientes: {message}",
    ),
    "rules.story.error-in-backward": (
        "the rule raises an error: {message}",
        "la regla da un error: {message}",
    ),
    "rules.story.upstream-not-linear": (
        "the gradient of {input} is not proportional to the upstream gradient: for twice that it is {ratio} "
        "times as large in some place",
        "el gradiente de {input} no es proporcional al gradiente entrante: con el doble de este es {ratio} "
        "veces mayor en algún lugar",
    ),
    "rules.story.upstream-ignored": (
        "the gradient of {input} is the same whatever comes from above: the upstream gradient is not used",
        "el gradiente de {input} es el mismo venga lo que venga de arriba: no se usa el gradiente entrante",
    ),
    "rules.story.upstream-twice": (
        "the upstream gradient goes into the gradient of {input} twice, as a square",
        "el gradiente entrante entra dos veces en el gradiente de {input}, como un cuadrado",
    ),
    "rules.story.upstream-divided": (
        "the gradient of {input} is divided by the upstream gradient where it should be multiplied",
        "el gradiente de {input} se divide por el gradiente entrante cuando debería multiplicarse",
    ),
    "rules.story.upstream-absolute": (
        "the upstream gradient loses its sign on the way to {input}",
        "el gradiente entrante pierde su signo camino de {input}",
    ),
    "rules.story.upstream-averaged": (
        "every number of the gradient of {input} uses the mean of the upstream gradient, not its own number",
        "cada número del gradiente de {input} usa la media del gradiente entrante, y no el suyo",
    ),
    "rules.story.output-for-input": (
        "the gradient of {input} is computed from the output where {other} is meant",
        "el gradiente de {input} se calcula con la salida donde debería ir {other}",
    ),
    "rules.story.input-for-output": (
        "the gradient of {input} is computed from {other} where the output is meant",
        "el gradiente de {input} se calcula con {other} donde debería ir la salida",
    ),
    "rules.story.swapped-halves": (
        "the two halves of the gradient of {input} along axis {axis} stand in each other's place",
        "las dos mitades del gradiente de {input} a lo largo del eje {axis} están intercambiadas",
    ),
    "rules.story.swapped-inputs": (
        "what is returned for {input} is the gradient of {other}",
        "lo que se devuelve para {input} es el gradiente de {other}",
    ),
    "rules.story.output-ignored": (
        "the upstream gradient of output {output} does not reach {input}",
        "el gradiente entrante de la salida {output} no llega a {input}",
    ),
    "rules.story.diagonal-only": (
        "each output depends on several numbers of {input}, and the rule uses only the one at the same place",
        "cada salida depende de varios números de {input}, y la regla usa solo el del mismo lugar",
    ),
    "rules.story.coupling-missing": (
        "each output depends on several numbers of {input}, and the rule goes element by element: the "
        "part that couples them is missing",
        "cada salida depende de varios números de {input}, y la regla va elemento a elemento: falta la "
        "parte que los acopla",
    ),
    "rules.story.term-missing": (
        "a term of the gradient of {input} is missing: {detail}",
        "falta un término del gradiente de {input}: {detail}",
    ),
    "rules.story.factor-missing": (
        "the gradient of {input} lacks the factor {term}",
        "al gradiente de {input} le falta el factor {term}",
    ),
    "rules.story.gradient-missing": (
        "the rule returns nothing for {input}, and the output depends on it",
        "la regla no devuelve nada para {input}, y la salida depende de ella",
    ),
    "rules.story.gradient-zero": (
        "the rule returns zeros for {input}, and the output depends on it",
        "la regla devuelve ceros para {input}, y la salida depende de ella",
    ),
    "rules.story.not-finite": (
        "the gradient of {input} is infinite or not a number, for example at {x}, where the forward has "
        "a slope",
        "el gradiente de {input} es infinito o no es un número, por ejemplo en {x}, donde el forward "
        "tiene pendiente",
    ),
    "rules.story.wrong-at-kink": (
        "the forward has a kink where {input} is {x}, with slopes that allow {low} to {high}, and the "
        "gradient is outside",
        "el forward tiene un pico donde {input} vale {x}, con pendientes que admiten de {low} a {high}, "
        "y el gradiente queda fuera",
    ),
    "rules.story.wrong-in-region": (
        "the gradient of {input} is right except {region}{like}",
        "el gradiente de {input} es correcto excepto {region}{like}",
    ),
    "rules.story.unrecognised": (
        "the gradient of {input} is wrong{extent}; no single mistake that is known here gives all of its "
        "numbers",
        "el gradiente de {input} es incorrecto{extent}; ningún error conocido aquí da por sí solo todos sus "
        "números",
    ),
    "rules.story.one-change": (
        "the gradient of {input} is wrong{extent}, and right with a change of the source",
        "el gradiente de {input} es incorrecto{extent}, y correcto con un cambio del código",
    ),
    "rules.story.forward-differs": (
        "the forward does not give what the plain function gives",
        "el forward no da lo que da la función sin regla propia",
    ),
    "rules.story.rule-forward-differs": (
        "under differentiation the function gives other values: the rule's own forward differs from the "
        "function",
        "al derivar, la función da otros valores: el forward de la regla difiere de la función",
    ),
    "rules.story.stale-saved": (
        "a second forward before backward changes the gradient: what was saved is overwritten {note}",
        "un segundo forward antes de backward cambia el gradiente: lo guardado se sobrescribe {note}",
    ),
    "rules.story.input-changed": ("{what} changes {input} in place", "{what} cambia {input} en el sitio"),
    "rules.story.upstream-changed": (
        "backward changes the upstream gradient in place, which others may still need",
        "backward cambia en el sitio el gradiente entrante, que otros pueden necesitar todavía",
    ),
    "rules.story.random-backward": (
        "the backward draws random numbers, so that it gives another gradient of {input} each time: a "
        "sampled gradient",
        "el backward usa números aleatorios, de modo que cada vez da otro gradiente de {input}: un gradiente "
        "muestreado",
    ),
    "rules.story.unsteady": (
        "two equal backward runs give different gradients",
        "dos pasadas hacia atrás iguales dan gradientes distintos",
    ),
    "rules.story.second-backward": (
        "a second backward through the same forward does not give the same {note}",
        "un segundo backward por el mismo forward no da lo mismo {note}",
    ),
    "rules.story.contiguous-only": (
        "it holds only if {what} lie in memory in one piece: with strides the gradient differs, or it "
        "raises an error {note}",
        "solo vale si {what} están en memoria de forma contigua: con saltos el gradiente difiere, o da "
        "un error {note}",
    ),
    "rules.story.float64-only": (
        "it holds in float64, but not in {dtype} {note}",
        "vale en float64, pero no en {dtype} {note}",
    ),
    "rules.story.single-precision": (
        "the gradient of {input} has only the precision of float32, though everything is float64",
        "el gradiente de {input} tiene solo la precisión de float32, aunque todo es float64",
    ),
    "rules.story.partial-inputs": (
        "where a gradient is needed for {needed} alone, the rule fails or gives another one {note}",
        "cuando solo hace falta el gradiente de {needed}, la regla falla o da otro {note}",
    ),
    "rules.story.defaults-left-out": (
        "where arguments that have defaults are left out of the call, the rule raises an error: {message}",
        "cuando la llamada omite argumentos que tienen valor por defecto, la regla da un error: {message}",
    ),
    "rules.story.root-product": (
        "the output R is one of many with the same {product}; the gradient of {input} is right for what is "
        "made of {product} alone, and not for R itself",
        "la salida R es una de muchas con el mismo {product}; el gradiente de {input} es correcto para lo "
        "que se hace solo con {product}, y no para la propia R",
    ),
    "rules.story.own-update": (
        "the gradient of {input} is the same whatever comes from above, and each of its rows is the "
        "derivative times a fixed number of its own, while that of {other} uses what comes from above: it "
        "seems to be an update of its own",
        "el gradiente de {input} es el mismo venga lo que venga de arriba, y cada una de sus filas es la "
        "derivada por un número fijo propio, mientras que el de {other} usa lo que viene de arriba: parece "
        "una actualización propia",
    ),
    "rules.story.conjugate-missing": (
        "the gradient of {input} is right but for a conjugate: {what} is conjugated once too often, or not "
        "at all",
        "el gradiente de {input} es correcto salvo por un conjugado: {what} se conjuga una vez de más, o "
        "ninguna",
    ),
    "rules.story.shape-dependent": (
        "the gradient of {input} is right at the shapes above, and wrong at {shapes}",
        "el gradiente de {input} es correcto con las formas de arriba, e incorrecto con {shapes}",
    ),
    "rules.story.error-at-shape": (
        "the rule raises an error at {shapes}, where its forward runs: {message}",
        "la regla da un error con {shapes}, donde su forward funciona: {message}",
    ),
    "rules.story.jvp-wrong": (
        "its jvp is not the derivative of its forward: the tangent of the weighted outputs differs, or it "
        "raises an error {note}",
        "su jvp no es la derivada de su forward: la tangente de las salidas ponderadas difiere, o da un "
        "error {note}",
    ),
    "rules.story.vmap-wrong": (
        "under torch.func.vmap it gives other {what} than a loop, or raises an error {note}",
        "con torch.func.vmap da otros {what} que un bucle, o da un error {note}",
    ),
    "rules.story.device-differs": (
        "on {device} the gradient is another than on the CPU, or it raises an error {note}",
        "en {device} el gradiente es otro que en la CPU, o da un error {note}",
    ),
    "rules.story.memory-held": (
        "an output is kept as {attribute}: it holds the graph and the graph holds it, until the garbage "
        "collector runs",
        "una salida se guarda como {attribute}: retiene el grafo y el grafo la retiene, hasta que pasa el "
        "recolector de basura",
    ),
    "rules.story.zero-upstream": (
        "an upstream gradient of zeros must give zeros, and the rule fails or gives something else {note}",
        "un gradiente entrante de ceros debe dar ceros, y la regla falla o da otra cosa {note}",
    ),
    "rules.story.unused-output": (
        "where only output {output} is used, the rule fails or gives another gradient {note}",
        "cuando solo se usa la salida {output}, la regla falla o da otro gradiente {note}",
    ),
    "rules.story.second-derivative-missing": (
        "it cannot be differentiated twice, and does not say so {note}",
        "no se puede derivar dos veces, y no lo dice {note}",
    ),
    "rules.story.second-derivative-wrong": (
        "the second derivative with respect to {input} is wrong, silently",
        "la segunda derivada respecto a {input} es incorrecta, sin aviso",
    ),
    "rules.story.straight-through": (
        "the output does not change with {input} nearby, and the rule passes a gradient all the same: a "
        "straight-through estimator",
        "la salida no cambia con {input} en las cercanías, y aun así la regla deja pasar un gradiente: un "
        "estimador straight-through",
    ),
    "rules.story.own-gradient": (
        "the forward returns {input} unchanged, and the rule changes the gradient on its way back",
        "el forward devuelve {input} sin cambios, y la regla cambia el gradiente en el camino de vuelta",
    ),
    "rules.story.own-argument": (
        "the forward does not depend on {other}, and the gradient of {input} does: that argument is there "
        "for the gradient alone",
        "el forward no depende de {other}, y el gradiente de {input} sí: ese argumento solo está para el "
        "gradiente",
    ),
    "rules.story.coarse-forward": (
        "for small changes of {input} the forward is a staircase, as an iteration is that stops at a "
        "tolerance; over wider steps the gradient fits its slope",
        "para cambios pequeños de {input} el forward es una escalera, como lo es una iteración que se para "
        "al llegar a una tolerancia; en pasos más anchos el gradiente coincide con su pendiente",
    ),
    "rules.story.reversal": (
        "the forward returns {input} unchanged, and the rule multiplies the gradient by {factor}: gradient "
        "reversal",
        "el forward devuelve {input} sin cambios, y la regla multiplica el gradiente por {factor}: inversión "
        "del gradiente",
    ),
    "rules.story.scaling": (
        "the forward returns {input} unchanged, and the rule multiplies the gradient by {factor}",
        "el forward devuelve {input} sin cambios, y la regla multiplica el gradiente por {factor}",
    ),
    "rules.story.clipping": (
        "the gradient of {input} is the derivative, clipped to the range from {low} to {high}",
        "el gradiente de {input} es la derivada, recortada al intervalo de {low} a {high}",
    ),
    "rules.story.gated-straight-through": (
        "where the output does not change with {input}, the rule passes a gradient in part of the range "
        "({gate}): a straight-through estimator with a gate",
        "donde la salida no cambia con {input}, la regla deja pasar un gradiente en parte del intervalo "
        "({gate}): un estimador straight-through con compuerta",
    ),
    "rules.story.surrogate": (
        "where the output does not change with {input}, the rule gives the slope of another curve: a "
        "surrogate gradient",
        "donde la salida no cambia con {input}, la regla da la pendiente de otra curva: un gradiente "
        "sustituto",
    ),
    "rules.story.given-gradient": (
        "what the rule returns for {input} is the argument {other}, times the upstream gradient: the "
        "gradient is handed in",
        "lo que la regla devuelve para {input} es el argumento {other}, por el gradiente entrante: el "
        "gradiente se entrega desde fuera",
    ),
    "rules.story.guided": (
        "the gradient of {input} is the derivative where the upstream gradient has the other sign, and zero "
        "where it is {sign}: guided backpropagation",
        "el gradiente de {input} es la derivada donde el gradiente entrante tiene el otro signo, y cero "
        "donde "
        "es {sign}: retropropagación guiada",
    ),
    "rules.story.learned-step": (
        "the gradient of {input} is the derivative of the forward with {variant} counted as the identity, "
        "times {factor}: straight-through inside, as for a learned step size",
        "el gradiente de {input} es la derivada del forward cuando {variant} se cuentan como la "
        "identidad, por "
        "{factor}: straight-through por dentro, como en un paso de cuantización aprendido",
    ),
    "rules.story.rescaled": (
        "the gradient of {input} points where the derivative points and has another length: it is "
        "normalised, "
        "or clipped by its norm",
        "el gradiente de {input} apunta a donde apunta la derivada y tiene otra longitud: está "
        "normalizado, o "
        "recortado por su norma",
    ),
    "rules.story.held-derivative": (
        "from about {bound} on the gradient of {input} no longer follows the forward: the rule keeps the "
        "derivative of the border, against overflow",
        "desde más o menos {bound} el gradiente de {input} ya no sigue al forward: la regla conserva la "
        "derivada del borde, contra el desbordamiento",
    ),
    "rules.story.detached": (
        "the gradient of {input} is the derivative of the forward with its detached parts held constant",
        "el gradiente de {input} es la derivada del forward con sus partes separadas (detach) como "
        "constantes",
    ),
    "rules.story.announced": (
        "the gradient of {input} is not the derivative, and the source announces that: {word}",
        "el gradiente de {input} no es la derivada, y el código fuente lo anuncia: {word}",
    ),
    "rules.story.right-along": (
        "the gradient of {input} is right for changes that keep {input} {structure}, as the given numbers "
        "are, and for no others",
        "el gradiente de {input} es correcto para los cambios con los que {input} sigue siendo {structure}, "
        "como los números dados, y no para otros",
    ),
    "rules.story.approximate": (
        "the gradient of {input} is close to the derivative and not equal to it{extent}: an approximation, "
        "or the tolerance of an iteration",
        "el gradiente de {input} se acerca a la derivada sin ser igual{extent}: una aproximación, o la "
        "tolerancia de una iteración",
    ),
    "rules.story.added-gradient": (
        "the forward returns another input unchanged and does not look at {input}; what the rule returns for "
        "{input} is added beside the gradient of the loss, as a penalty",
        "el forward devuelve otra entrada sin cambios y no mira {input}; lo que la regla devuelve para "
        "{input} se suma al gradiente de la pérdida, como una penalización",
    ),
    "rules.story.beside-estimator": (
        "the rule passes a gradient straight through roundings for another input; what it returns for "
        "{input} is not the derivative, and was not judged",
        "la regla deja pasar un gradiente a través de redondeos para otra entrada; lo que devuelve para "
        "{input} no es la derivada, y no se juzgó",
    ),
    "rules.story.promise-broken": (
        "the gradient of {input} is promised as {promised}, and it is something else: {kind}",
        "el gradiente de {input} se promete como {promised}, y es otra cosa: {kind}",
    ),
    "rules.story.one-border": (
        "the forward clamps {input} on both sides, and the rule treats one border as the inside",
        "el forward limita {input} por los dos lados, y la regla trata uno de los bordes como el interior",
    ),
    "rules.story.step-held-constant": (
        "the gradient of {input} is right if {step} in line {at} is held constant: what flows through it is "
        "missing",
        "el gradiente de {input} es correcto si {step}, en la línea {at}, se toma como constante: falta "
        "lo que "
        "pasa por ahí",
    ),
    "rules.story.not-transposable": (
        "the rule works with tangents, but JAX cannot turn it around: grad and vjp raise an error",
        "la regla funciona con tangentes, pero JAX no puede invertirla: grad y vjp dan un error",
    ),
}
