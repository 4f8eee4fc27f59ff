"""Mistakes of the track, in words that say what happens and not what to write instead."""

ROWS: dict[str, tuple[str, str]] = {
    # ---- number
    "track.mistake.grad-missing": (
        "a new number has no gradient of its own to keep",
        "un número nuevo no tiene un gradiente propio que guardar",
    ),
    "track.mistake.grad-none": (
        "a new number's gradient is no number that could be added to",
        "el gradiente de un número nuevo no es un número al que se pueda sumar",
    ),
    "track.mistake.grads-start-at-one": (
        "a new number begins with a gradient, as if something had already been sent to it",
        "un número nuevo empieza con gradiente, como si ya le hubieran enviado algo",
    ),
    "track.mistake.grad-is-data": (
        "a new number begins with its own data as its gradient",
        "un número nuevo empieza con su propio valor como gradiente",
    ),
    "track.mistake.data-missing": (
        "the number that was given is not kept",
        "el número que se da no se guarda",
    ),
    "track.mistake.data-fixed": (
        "the same number is kept, whatever was given",
        "se guarda siempre el mismo número, se dé el que se dé",
    ),
    "track.mistake.data-is-text": (
        "the number is kept as text",
        "el número se guarda como texto",
    ),
    "track.mistake.integer-truncation": (
        "what stands behind the decimal point is lost",
        "se pierde lo que hay detrás de la coma decimal",
    ),
    "track.mistake.children-missing": (
        "a result does not remember what it was made from",
        "un resultado no recuerda de qué se hizo",
    ),
    "track.mistake.children-empty": (
        "what a result was made from is forgotten: there are no children whatever was given",
        "se olvida de qué se hizo un resultado: no hay hijos, se dé lo que se dé",
    ),
    "track.mistake.children-in-a-set": (
        "a number that is used twice counts once only",
        "un número que se usa dos veces cuenta una sola vez",
    ),
    "track.mistake.children-one": (
        "only the first of the numbers that a result was made from is remembered",
        "solo se recuerda el primero de los números con que se hizo un resultado",
    ),
    "track.mistake.op-missing": (
        "a result does not remember the operation that made it",
        "un resultado no recuerda la operación que lo hizo",
    ),
    "track.mistake.op-empty": (
        "the name of the operation that was given is lost",
        "se pierde el nombre de la operación que se dio",
    ),
    "track.mistake.rule-missing": (
        "a new number has no rule that a pass could run",
        "un número nuevo no tiene una regla que una pasada pueda ejecutar",
    ),
    "track.mistake.rule-none": (
        "the rule of a new number cannot be called",
        "la regla de un número nuevo no se puede llamar",
    ),
    # ---- rules
    "track.mistake.no-return": (
        "the operation makes a result and does not hand it back",
        "la operación hace un resultado y no lo entrega",
    ),
    "track.mistake.rule-called": (
        "the rule runs while the result is being made; it should wait until the pass asks for it",
        "la regla se ejecuta mientras se hace el resultado; debería esperar a que la pasada la pida",
    ),
    "track.mistake.value-of-product": (
        "the data of the result is not the product",
        "el valor del resultado no es el producto",
    ),
    "track.mistake.operands-missing": (
        "the result does not remember both of its operands",
        "el resultado no recuerda sus dos operandos",
    ),
    "track.mistake.operands-swapped": (
        "the result remembers its operands in the other order",
        "el resultado recuerda sus operandos en el otro orden",
    ),
    "track.mistake.data-changed": (
        "the rule changes the data of an operand, which belongs to the way forward",
        "la regla cambia el valor de un operando, que pertenece al camino hacia delante",
    ),
    "track.mistake.sends-to-itself": (
        "the rule writes to the gradient of the result, from which it should only read",
        "la regla escribe en el gradiente del resultado, que solo debería leer",
    ),
    "track.mistake.overwrite": (
        "what {op} sends wipes out what other operations have already sent to the same number",
        "lo que envía {op} borra lo que otras operaciones ya habían enviado al mismo número",
    ),
    "track.mistake.subtract": (
        "contributions are taken away from a gradient, and should be collected in it",
        "las contribuciones se restan del gradiente, y deberían reunirse en él",
    ),
    "track.mistake.keep-first": (
        "of several contributions to the same number only one is kept",
        "de varias contribuciones al mismo número solo se conserva una",
    ),
    "track.mistake.accumulate-twice": (
        "every contribution arrives twice as large as it is",
        "cada contribución llega el doble de grande de lo que es",
    ),
    "track.mistake.relu-zeroes": (
        "where relu stops the gradient, it wipes out what other operations have sent",
        "donde relu detiene el gradiente, borra lo que otras operaciones han enviado",
    ),
    "track.mistake.upstream-ignored": (
        "what {op} sends does not depend on the gradient that has arrived at its result",
        "lo que envía {op} no depende del gradiente que ha llegado a su resultado",
    ),
    "track.mistake.upstream-divided": (
        "the gradient that has arrived divides the local derivative; along a path one multiplies",
        "el gradiente que ha llegado divide a la derivada local; a lo largo de un camino se multiplica",
    ),
    "track.mistake.upstream-added": (
        "the gradient that has arrived and the local derivative are added; along a path one multiplies",
        "el gradiente que ha llegado y la derivada local se suman; a lo largo de un camino se multiplica",
    ),
    "track.mistake.upstream-twice": (
        "the gradient that has arrived is multiplied in twice",
        "el gradiente que ha llegado se multiplica dos veces",
    ),
    "track.mistake.data-for-grad": (
        "the rule sends on the data of the result, where what has arrived at it belongs",
        "la regla envía el valor del resultado donde va lo que ha llegado a él",
    ),
    "track.mistake.upstream-of-operand": (
        "the rule reads the gradient of an operand, to which it should only send",
        "la regla lee el gradiente de un operando, al que solo debería enviar",
    ),
    "track.mistake.grad-for-data": (
        "the rule multiplies by the gradient of the other operand, where a number of the way forward belongs",
        "la regla multiplica por el gradiente del otro operando, donde va un número del camino hacia delante",
    ),
    "track.mistake.local-ignored": (
        "{op} hands on what it gets, without its own local derivative",
        "{op} pasa lo que recibe, sin su propia derivada local",
    ),
    "track.mistake.second-operand-cut": (
        "the second operand of {op} gets no gradient",
        "el segundo operando de {op} no recibe gradiente",
    ),
    "track.mistake.slots-swapped": (
        "each operand of {op} gets the derivative that belongs to the other one",
        "cada operando de {op} recibe la derivada que pertenece al otro",
    ),
    "track.mistake.add-as-mul": (
        "the rule of + is that of a product",
        "la regla de + es la de un producto",
    ),
    "track.mistake.mul-by-output": (
        "the operands of * get the whole product for their local derivative",
        "los operandos de * reciben el producto entero como derivada local",
    ),
    "track.mistake.sub-sign": (
        "what {op} sends to its second operand has the wrong sign",
        "lo que {op} envía a su segundo operando tiene el signo equivocado",
    ),
    "track.mistake.neg-sign": (
        "the gradient of -a has the wrong sign",
        "el gradiente de -a tiene el signo equivocado",
    ),
    "track.mistake.closure-on-input": (
        "the rule of {op} is given to an operand, whose own rule is lost by that",
        "la regla de {op} se da a un operando, que pierde con ello la suya",
    ),
    "track.mistake.closure-never-attached": (
        "the rule of {op} is written and never given to the result",
        "la regla de {op} está escrita y nunca se le da al resultado",
    ),
    "track.mistake.op-cut-from-graph": (
        "the result of {op} does not know what it was made from, so the gradient ends there",
        "el resultado de {op} no sabe de qué se hizo, y el gradiente acaba ahí",
    ),
    "track.mistake.hash-by-content": (
        "two numbers that hold the same data are taken for one and the same",
        "dos números que guardan el mismo valor se toman por uno solo",
    ),
    # ---- by hand, along paths
    "track.mistake.by-hand-early": (
        "a rule runs before its result has got its gradient, so it sends nothing",
        "una regla se ejecuta antes de que su resultado tenga gradiente, y no envía nada",
    ),
    "track.mistake.by-hand-no-product": (
        "the rule of the product does not run, so a and b get nothing",
        "la regla del producto no se ejecuta, y a y b no reciben nada",
    ),
    "track.mistake.by-hand-no-total": (
        "the rule of the sum does not run, so nothing leaves the output",
        "la regla de la suma no se ejecuta, y la salida no envía nada",
    ),
    "track.mistake.by-hand-leaves": (
        "the rules of the inputs run; they have nothing to send, and the results have",
        "se ejecutan las reglas de las entradas; ellas no tienen nada que enviar, y los resultados sí",
    ),
    "track.mistake.by-hand-data": (
        "gradients are written down, and the rules that should send them do not run",
        "los gradientes se escriben a mano, y no se ejecutan las reglas que deberían enviarlos",
    ),
    "track.mistake.no-seed": (
        "the pass starts from an output whose gradient is zero, and sends nothing but zeros",
        "la pasada empieza en una salida cuyo gradiente es cero, y solo envía ceros",
    ),
    "track.mistake.seed-scaled": (
        "all gradients are off by one and the same factor, which the pass starts with",
        "todos los gradientes están multiplicados por un mismo factor, con el que empieza la pasada",
    ),
    "track.mistake.seed-is-data": (
        "the pass starts from the data of the output",
        "la pasada empieza con el valor de la salida",
    ),
    "track.mistake.seed-late": (
        "the output gets its gradient after the rules have run",
        "la salida recibe su gradiente cuando las reglas ya se han ejecutado",
    ),
    "track.mistake.seed-everywhere": (
        "every node starts anew, and forgets what has been sent to it",
        "cada nodo empieza de nuevo, y olvida lo que le han enviado",
    ),
    "track.mistake.children-first": (
        "the children have their turn before their parent has sent anything to them",
        "los hijos tienen su turno antes de que su padre les haya enviado algo",
    ),
    "track.mistake.one-child": (
        "the walk goes on to one child of a node only",
        "el recorrido sigue por un solo hijo de cada nodo",
    ),
    "track.mistake.nothing-runs": (
        "no rule of any node is run, so nothing is sent",
        "no se ejecuta la regla de ningún nodo, y no se envía nada",
    ),
    "track.mistake.one-level": (
        "the pass stops after the output: the nodes below it never have their turn",
        "la pasada se detiene tras la salida: los nodos de debajo nunca tienen su turno",
    ),
    "track.mistake.endless-recursion": (
        "the function calls itself on the same node for ever",
        "la función se llama a sí misma sobre el mismo nodo sin fin",
    ),
    # ---- order
    "track.mistake.not-reversed": (
        "the pass walks from the inputs to the output, before any gradient has arrived",
        "la pasada va de las entradas a la salida, antes de que haya llegado ningún gradiente",
    ),
    "track.mistake.pre-order": (
        "a node enters the order before its children, and so may send before all of its gradient has come",
        "un nodo entra en el orden antes que sus hijos, y puede enviar antes de que llegue todo su gradiente",
    ),
    "track.mistake.breadth-first": (
        "a node has its turn when it is first met, before a longer way to it has delivered",
        "un nodo tiene su turno al encontrarlo por primera vez, antes de que entregue un camino más largo",
    ),
    "track.mistake.guard-missing": (
        "a node that is reached in several ways has its turn several times",
        "un nodo al que se llega de varias maneras tiene su turno varias veces",
    ),
    "track.mistake.revisits": (
        "the pass goes along paths: a shared node sends again what it has already sent",
        "la pasada va por caminos: un nodo compartido envía otra vez lo que ya envió",
    ),
    "track.mistake.visited-outlives": (
        "what one pass has visited is remembered by the next",
        "lo que una pasada ha visitado lo recuerda la siguiente",
    ),
    # ---- constants
    "track.mistake.constant-not-wrapped": (
        "an operand may be a plain number, which has neither data nor gradient of its own",
        "un operando puede ser un número corriente, que no tiene valor ni gradiente propios",
    ),
    "track.mistake.constant-lost": (
        "the constant is not the one that was meant",
        "la constante no es la que se pretendía",
    ),
    "track.mistake.reflected-recursion": (
        "a reflected operator asks Python for the same operation again, and so calls itself for ever",
        "un operador reflejado le pide otra vez a Python la misma operación, y se llama a sí mismo sin fin",
    ),
    "track.mistake.reflected-product": (
        "a number times a Value gives another operation's result",
        "un número por un Value da el resultado de otra operación",
    ),
    "track.mistake.reflected-cut": (
        "a reflected operator makes a new number out of data alone, and the gradient ends there",
        "un operador reflejado hace un número nuevo solo con el valor, y el gradiente acaba ahí",
    ),
    "track.mistake.reflected-sub": (
        "a number minus a Value is computed the wrong way round",
        "un número menos un Value se calcula al revés",
    ),
    "track.mistake.reflected-sum": (
        "a number minus a Value gives their sum",
        "un número menos un Value da su suma",
    ),
    "track.mistake.reflected-number": (
        "a number times a Value gives a plain number, through which no gradient can come back",
        "un número por un Value da un número corriente, por el que no puede volver ningún gradiente",
    ),
    "track.mistake.reflected-div": (
        "a number divided by a Value is computed the wrong way round",
        "un número dividido entre un Value se calcula al revés",
    ),
    # ---- curves
    "track.mistake.div-sign": (
        "what / sends to the denominator has the wrong sign",
        "lo que / envía al denominador tiene el signo equivocado",
    ),
    "track.mistake.div-by-b": (
        "in what / sends to the denominator a power of the denominator is wrong",
        "en lo que / envía al denominador hay una potencia del denominador equivocada",
    ),
    "track.mistake.div-numerator": (
        "what / sends to the numerator is not divided by the denominator",
        "lo que / envía al numerador no está dividido entre el denominador",
    ),
    "track.mistake.div-no-numerator": (
        "what / sends to the denominator does not depend on the numerator",
        "lo que / envía al denominador no depende del numerador",
    ),
    "track.mistake.floor-division": (
        "the quotient is rounded down",
        "el cociente se redondea hacia abajo",
    ),
    "track.mistake.pow-two": (
        "the rule of ** is that of the square, whatever the exponent",
        "la regla de ** es la del cuadrado, sea cual sea el exponente",
    ),
    "track.mistake.pow-exponent-kept": (
        "in the rule of ** the exponent stays as it was",
        "en la regla de ** el exponente se queda como estaba",
    ),
    "track.mistake.pow-no-factor": (
        "in the rule of ** a factor is missing in front of the power",
        "en la regla de ** falta un factor delante de la potencia",
    ),
    "track.mistake.pow-integer-exponent": (
        "the rule of ** takes the exponent for a whole number",
        "la regla de ** toma el exponente por un número entero",
    ),
    "track.mistake.exp-as-power": (
        "the rule of exp is that of a power",
        "la regla de exp es la de una potencia",
    ),
    "track.mistake.exp-by-input": (
        "the rule of exp sends its input where something else belongs",
        "la regla de exp envía su entrada donde va otra cosa",
    ),
    "track.mistake.exp-of-output": (
        "the rule of exp applies the exponential once too often",
        "la regla de exp aplica la exponencial una vez de más",
    ),
    "track.mistake.exp-clamped": (
        "exp stops growing from some input on, and its gradient does not know of it",
        "exp deja de crecer a partir de cierta entrada, y su gradiente no lo sabe",
    ),
    "track.mistake.tanh-from-input": (
        "the rule of tanh is computed from its input, and the formula is about its result",
        "la regla de tanh se calcula con su entrada, y la fórmula habla de su resultado",
    ),
    "track.mistake.tanh-no-square": (
        "in the rule of tanh a square is missing",
        "en la regla de tanh falta un cuadrado",
    ),
    "track.mistake.tanh-no-one": (
        "the rule of tanh gives a small slope where tanh is steep, and a large one where it is flat",
        "la regla de tanh da una pendiente pequeña donde tanh es empinada, y grande donde es llana",
    ),
    "track.mistake.tanh-plus": (
        "there is a wrong sign in the rule of tanh",
        "hay un signo equivocado en la regla de tanh",
    ),
    "track.mistake.tanh-as-sigmoid": (
        "the rule of tanh is that of the sigmoid",
        "la regla de tanh es la de la sigmoide",
    ),
    "track.mistake.tanh-is-sigmoid": (
        "tanh computes another curve, the sigmoid",
        "tanh calcula otra curva, la sigmoide",
    ),
    "track.mistake.tanh-half-angle": (
        "tanh computes a curve that is too wide",
        "tanh calcula una curva demasiado ancha",
    ),
    "track.mistake.tanh-overflow": (
        "tanh fails for large inputs, where its exponentials are larger than any number",
        "tanh falla con entradas grandes, donde sus exponenciales son mayores que cualquier número",
    ),
    "track.mistake.relu-by-sign": (
        "below zero relu sends the gradient back with its sign changed",
        "por debajo de cero relu devuelve el gradiente con el signo cambiado",
    ),
    "track.mistake.relu-leaks": (
        "relu sends a small gradient where it should send none",
        "relu envía un pequeño gradiente donde no debería enviar ninguno",
    ),
    "track.mistake.relu-inverted": (
        "relu sends the gradient on where it stopped the value, and stops it where the value passed",
        "relu deja pasar el gradiente donde detuvo el valor, y lo detiene donde el valor pasó",
    ),
    "track.mistake.relu-by-value": (
        "relu multiplies the gradient by its own value",
        "relu multiplica el gradiente por su propio valor",
    ),
    "track.mistake.relu-at-zero": (
        "relu lets the gradient through at zero",
        "relu deja pasar el gradiente en cero",
    ),
    "track.mistake.relu-is-abs": (
        "relu makes negative inputs positive, and should stop them",
        "relu convierte en positivas las entradas negativas, y debería detenerlas",
    ),
    # ---- again
    "track.mistake.clears-itself-only": (
        "only the output is cleared; the gradients below it stay",
        "solo se limpia la salida; los gradientes de debajo se quedan",
    ),
    "track.mistake.clears-leaves-only": (
        "the inputs are cleared, and the nodes between them and the output are not",
        "se limpian las entradas, y no los nodos que hay entre ellas y la salida",
    ),
    "track.mistake.clears-inner-only": (
        "the results are cleared, and the inputs are not",
        "se limpian los resultados, y no las entradas",
    ),
    "track.mistake.clears-data": (
        "data is cleared, which belongs to the way forward",
        "se borra el valor, que pertenece al camino hacia delante",
    ),
    "track.mistake.clears-to-one": (
        "after clearing, every gradient begins as if something had been sent",
        "tras la limpieza, cada gradiente empieza como si le hubieran enviado algo",
    ),
    "track.mistake.clears-to-none": (
        "after clearing, a gradient is no number that could be added to",
        "tras la limpieza, un gradiente no es un número al que se pueda sumar",
    ),
    "track.mistake.clears-nothing": (
        "no gradient is cleared",
        "no se limpia ningún gradiente",
    ),
    "track.mistake.clears-one-branch": (
        "the walk goes on to one child of a node only, and the other ones keep their gradients",
        "el recorrido sigue por un solo hijo de cada nodo, y los demás conservan su gradiente",
    ),
    "track.mistake.clears-again": (
        "a node that is reached in several ways is cleared several times, for ever in a large graph",
        "un nodo al que se llega de varias maneras se limpia varias veces, sin fin en un grafo grande",
    ),
    # ---- neuron
    "track.mistake.no-bias": (
        "the neuron's bias takes no part in its output",
        "el sesgo de la neurona no participa en su salida",
    ),
    "track.mistake.no-activation": (
        "the sum is handed out as it is; the curve at the end is missing",
        "la suma se entrega tal cual; falta la curva del final",
    ),
    "track.mistake.other-activation": (
        "the curve at the end is another one than the step asks for",
        "la curva del final no es la que pide el paso",
    ),
    "track.mistake.bias-every-time": (
        "the bias is counted once for each input",
        "el sesgo se cuenta una vez por cada entrada",
    ),
    "track.mistake.bias-changed": (
        "the neuron's own bias is changed by each call",
        "cada llamada cambia el propio sesgo de la neurona",
    ),
    "track.mistake.weight-added": (
        "weight and input are combined by the wrong operation",
        "el peso y la entrada se combinan con la operación equivocada",
    ),
    "track.mistake.only-last-input": (
        "only the last input counts: each round forgets the sum so far",
        "solo cuenta la última entrada: cada vuelta olvida la suma acumulada",
    ),
    "track.mistake.only-first-input": (
        "only the first input counts: the function is left in the first round",
        "solo cuenta la primera entrada: la función termina en la primera vuelta",
    ),
    "track.mistake.weights-cut": (
        "the weights get no gradient: only their data is used",
        "los pesos no reciben gradiente: solo se usa su valor",
    ),
    "track.mistake.neuron-cut": (
        "the output does not know what it was made from, so no gradient comes back into the neuron",
        "la salida no sabe de qué se hizo, y ningún gradiente vuelve a la neurona",
    ),
    "track.mistake.activation-every-time": (
        "the curve is applied in each round, and should come once",
        "la curva se aplica en cada vuelta, y debería aplicarse una vez",
    ),
    "track.mistake.first-weight-only": (
        "every input is combined with the same weight",
        "todas las entradas se combinan con el mismo peso",
    ),
    # ---- proof
    "track.mistake.slope-no-half": (
        "the slope comes out twice as large: the two points lie further apart than the distance it is "
        "divided by",
        "la pendiente sale el doble: los dos puntos están más separados que la distancia entre la que se "
        "divide",
    ),
    "track.mistake.slope-not-divided": (
        "this is how much the output changes, and not how much it changes per unit of distance",
        "esto es cuánto cambia la salida, y no cuánto cambia por unidad de distancia",
    ),
    "track.mistake.slope-sign": (
        "the slope has the wrong sign: the two points are taken the other way round",
        "la pendiente tiene el signo equivocado: los dos puntos se toman al revés",
    ),
    "track.mistake.slope-sum": (
        "the two outputs are added, and the slope is about how much they differ",
        "las dos salidas se suman, y la pendiente depende de en cuánto difieren",
    ),
    "track.mistake.slope-all-inputs": (
        "all inputs are moved at once, and the slope is about one of them",
        "se mueven todas las entradas a la vez, y la pendiente se refiere a una sola",
    ),
    "track.mistake.slope-none": (
        "the two outputs that are compared are always equal: nothing moves, or it is not their data",
        "las dos salidas que se comparan son siempre iguales: nada se mueve, o no es su valor",
    ),
    "track.mistake.slope-first-input": (
        "it is always the first input that is moved",
        "se mueve siempre la primera entrada",
    ),
    "track.mistake.slope-other-inputs": (
        "all inputs are moved but the one that is asked about",
        "se mueven todas las entradas menos aquella por la que se pregunta",
    ),
    "track.mistake.slope-is-a-value": (
        "what is returned is a node of a graph, and should be a plain number",
        "lo que se devuelve es un nodo de un grafo, y debería ser un número corriente",
    ),
    "track.mistake.slope-absolute": (
        "the sign of the slope is lost",
        "se pierde el signo de la pendiente",
    ),
    "track.mistake.slope-changes-numbers": (
        "the numbers of the caller are changed",
        "se cambian los números de quien llama",
    ),
    # ---- what has no name of its own
    "track.mistake.value-wrong": (
        "the data of the result of {op} is wrong",
        "el valor del resultado de {op} es incorrecto",
    ),
    "track.mistake.keeping-wrong": (
        "a Value does not keep what it was given, or begins with something else than it should",
        "un Value no guarda lo que se le dio, o empieza con algo distinto de lo debido",
    ),
    "track.mistake.pass-wrong": (
        "the pass does not bring every node the gradient that belongs to it",
        "la pasada no lleva a cada nodo el gradiente que le corresponde",
    ),
    "track.mistake.clearing-wrong": (
        "after zero_grad some gradient is not zero, or something else has changed",
        "después de zero_grad algún gradiente no es cero, o ha cambiado otra cosa",
    ),
    "track.mistake.neuron-wrong": (
        "the neuron does not compute the curve of the weighted sum and the bias",
        "la neurona no calcula la curva de la suma ponderada más el sesgo",
    ),
    "track.mistake.slope-wrong": (
        "the number that is returned is not the slope of the function at this point",
        "el número que se devuelve no es la pendiente de la función en ese punto",
    ),
    "track.mistake.rule-wrong": (
        "what {op} sends back does not fit what it computes",
        "lo que {op} envía hacia atrás no corresponde a lo que calcula",
    ),
    "track.mistake.gradient-wrong": (
        "the numbers that come out are not the right ones",
        "los números que salen no son los correctos",
    ),
}
