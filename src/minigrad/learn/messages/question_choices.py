"""Sentences of questions answered by a letter or an expression: lost, bug, leverage, rule, expose."""

ROWS: dict[str, tuple[str, str]] = {
    # ---- lost
    "question.lost": (
        "A broken pass left these gradients. Was a contribution to {about} lost, and which?",
        "Una pasada rota dejó estos gradientes. ¿Se perdió alguna contribución a {about}? ¿Cuál?",
    ),
    "question.lost.ask": (
        "there is no ask={given}; there are {known}",
        "no hay ask={given}; hay {known}",
    ),
    "question.kept": (
        "A broken pass left these gradients. Which contribution is still present in {about}?",
        "Una pasada rota dejó estos gradientes. ¿Qué contribución sigue presente en {about}?",
    ),
    "question.kept.all": ("all of them: the gradient is right", "todas: el gradiente es correcto"),
    "question.kept.otherwise": (
        "With what comes via {via} alone, {about} would be {number}; the table has another number.",
        "Solo con lo que llega vía {via}, {about} sería {number}; la tabla tiene otro número.",
    ),
    "question.turns": (
        "In which of these orders can the operations take their turns in a right pass?",
        "¿En cuál de estos órdenes pueden tener su turno las operaciones en una pasada correcta?",
    ),
    "question.turns.early": (
        "In {order}, {node} has its turn before {user}, which uses it and still owes it a contribution.",
        "En {order}, {node} tiene su turno antes que {user}, que lo usa y aún le debe una contribución.",
    ),
    "question.turns.few": (
        "this graph has too few orders for a choice of four; take one with three operations or more",
        "este grafo tiene muy pocos órdenes para elegir entre cuatro; tome uno con tres operaciones o más",
    ),
    "question.reveal.turns": (
        "every node has its turn after all those that use it",
        "cada nodo tiene su turno después de todos los que lo usan",
    ),
    "question.lost.via": ("what comes via {node}", "lo que llega vía {node}"),
    "question.lost.nothing": ("none: the gradient is right", "ninguna: el gradiente es correcto"),
    "question.lost.not_nothing": (
        "{about} is not what a right pass gives: add up what each of its consumers sends.",
        "{about} no es lo que da una pasada correcta: sume lo que envía cada nodo que lo usa.",
    ),
    "question.lost.otherwise": (
        "Without what comes via {via}, {about} would be {number}; the table has another number.",
        "Sin lo que llega vía {via}, {about} sería {number}; la tabla tiene otro número.",
    ),
    "question.lost.unclear": (
        "this pass does not lose exactly one contribution to {about}; choose another node, order or fault",
        "esta pasada no pierde exactamente una contribución a {about}; elija otro nodo, otro orden u otro "
        "fallo",
    ),
    "question.reveal.bug": (
        "the bug was: {bug}; the pass walked {order}",
        "el fallo era: {bug}; la pasada recorrió {order}",
    ),
    # ---- bug
    "question.bug": (
        "A broken pass left these gradients. Which bug gives them?",
        "Una pasada rota dejó estos gradientes. ¿Qué fallo los da?",
    ),
    "question.bug.gives": ("That bug gives {numbers} here.", "Aquí ese fallo da {numbers}."),
    "question.bug.gives.several": (
        "That bug gives {numbers} here; other orders give other numbers, and none gives those of the table.",
        "Aquí ese fallo da {numbers}; otros órdenes dan otros números, y ninguno da los de la tabla.",
    ),
    "question.bug.hides": (
        "{slug} does not show on this graph in this order, so nobody can see it in the numbers",
        "{slug} no se nota en este grafo con este orden, así que nadie puede verlo en los números",
    ),
    "question.bug.too": (
        "{slug} gives the same numbers in some order, so the question would have two right answers",
        "{slug} da los mismos números en algún orden, así que la pregunta tendría dos respuestas correctas",
    ),
    "question.bug.alone": (
        "no other bug was found to offer beside {slug}; name some with among=...",
        "no se encontró otro fallo que ofrecer junto a {slug}; indique algunos con among=...",
    ),
    "question.reveal.due": ("a right pass gives {numbers}", "una pasada correcta da {numbers}"),
    # ---- leverage
    "question.leverage": (
        "Each input is made a little larger, one at a time. Which of them moves {output} most, and which "
        "way?",
        "Cada entrada se aumenta un poco, de una en una. ¿Cuál mueve más {output}, y hacia dónde?",
    ),
    "question.leverage.up": (
        "{input}: as it grows, {output} grows",
        "{input}: cuando crece, {output} crece",
    ),
    "question.leverage.down": (
        "{input}: as it grows, {output} falls",
        "{input}: cuando crece, {output} baja",
    ),
    "question.leverage.sign": (
        "It is {input}; look at the sign of its gradient once more.",
        "Es {input}; mire otra vez el signo de su gradiente.",
    ),
    "question.leverage.less": (
        "Another input moves {output} more than {input}: compare the sizes of the gradients, without their "
        "signs.",
        "Otra entrada mueve {output} más que {input}: compare los tamaños de los gradientes, sin sus signos.",
    ),
    "question.leverage.sign_too": (
        "And {input} moves it the other way.",
        "Y {input} lo mueve hacia el otro lado.",
    ),
    "question.leverage.data": (
        "{input} has the data of the largest size, but how far an input moves the output is its gradient.",
        "{input} tiene el valor de mayor tamaño, pero cuánto mueve la salida una entrada lo dice su "
        "gradiente.",
    ),
    "question.leverage.tie": (
        "no input moves the output most: two have gradients of one size, or there are too few or too many "
        "inputs",
        "ninguna entrada es la que más mueve la salida: dos tienen gradientes del mismo tamaño, o hay muy "
        "pocas o demasiadas entradas",
    ),
    "question.reveal.leverage": ("the gradients are {numbers}", "los gradientes son {numbers}"),
    # ---- rule
    "question.rule": (
        "The local derivative of {output} with respect to {operand} is missing. Write it as an expression "
        "in {names}; the "
        "output {output} may stand in it too.",
        "Falta la derivada local de {output} respecto de {operand}. Escríbala como una expresión en {names}; "
        "también puede usar la salida, {output}.",
    ),
    "question.rule.missing": (
        "write an expression, something like {example}",
        "escriba una expresión, algo como {example}",
    ),
    "question.rule.long": (
        "that is too long for a local rule; {limit} characters are the most",
        "es demasiado largo para una regla local; el máximo es de {limit} caracteres",
    ),
    "question.rule.unreadable": (
        "{given} cannot be read: {why}; write an expression in {names}",
        "no se puede leer {given}: {why}; escriba una expresión en {names}",
    ),
    "question.rule.at": (
        "At {at} it gives {got}, and the slope there is {due}.",
        "En {at} da {got}, y la pendiente ahí es {due}.",
    ),
    "question.rule.sign": (
        "The size is right everywhere, and the sign is not.",
        "El tamaño es correcto en todas partes; el signo, no.",
    ),
    "question.rule.other": (
        "That is the derivative with respect to {other}; the question is about {operand}.",
        "Esa es la derivada respecto de {other}; se pide la derivada respecto de {operand}.",
    ),
    "question.rule.value": (
        "That is the value itself; the question is about its slope.",
        "Ese es el propio valor; se pide su pendiente.",
    ),
    "question.rule.upside_down": ("That is upside down.", "Está invertida."),
    "question.rule.op": (
        "there is no question about the rule of {given}; there are {known} and other ops of one or two "
        "operands",
        "no hay preguntas sobre la regla de {given}; las hay de {known} y de otras operaciones de uno o dos "
        "operandos",
    ),
    "question.rule.slot": (
        "{op} has no slot {given}; it has {count}",
        "{op} no tiene la ranura {given}; tiene {count}",
    ),
    # ---- expose
    "question.expose": (
        "A pass has this bug: {bug}. Write a graph in which it leaves a wrong gradient, whichever valid "
        "order it walks.",
        "Una pasada tiene este fallo: {bug}. Escriba un grafo en el que deje un gradiente incorrecto, sea "
        "cual sea "
        "el orden válido que recorra.",
    ),
    "question.expose.how": (
        "Give the inputs their numbers, and put a semicolon between the statements.",
        "Dé un número a cada entrada y separe las instrucciones con punto y coma.",
    ),
    "question.expose.among": (
        "A pass has this bug: {bug}. Only one of these graphs exposes it: in the others every gradient "
        "comes out right. Which one?",
        "Una pasada tiene este fallo: {bug}. Solo uno de estos grafos lo delata: en los demás todos los "
        "gradientes salen bien. ¿Cuál?",
    ),
    "question.expose.missing": (
        "write a graph, something like {example}",
        "escriba un grafo, algo como {example}",
    ),
    "question.expose.long": (
        "that is too long; {limit} characters are enough for a small graph",
        "es demasiado largo; {limit} caracteres bastan para un grafo pequeño",
    ),
    "question.expose.large": (
        "that graph has {count} nodes; find one of at most {limit}",
        "ese grafo tiene {count} nodos; busque uno de {limit} como máximo",
    ),
    "question.expose.orders": (
        "that graph has too many valid orders to walk them all; find a smaller one",
        "ese grafo tiene demasiados órdenes válidos para recorrerlos todos; busque uno más pequeño",
    ),
    "question.expose.no_input": (
        "that graph has no input, so nothing gets a gradient; begin with a = 2",
        "ese grafo no tiene entradas, así que nada recibe un gradiente; empiece con a = 2",
    ),
    "question.expose.infinite": (
        "some number in that graph is not finite; choose smaller inputs",
        "algún número de ese grafo no es finito; elija entradas más pequeñas",
    ),
    "question.expose.shows": (
        "With the bug: {broken}. A right pass: {right}.",
        "Con el fallo: {broken}. Una pasada correcta: {right}.",
    ),
    "question.expose.hides": (
        "The bug hides in this graph: every gradient comes out right.",
        "El fallo se esconde en este grafo: todos los gradientes salen bien.",
    ),
    "question.expose.quiet": (
        "There the bug hides: with it the gradients are {numbers}, and that is right. The bug: {bug}.",
        "Ahí el fallo se esconde: con él los gradientes son {numbers}, y eso es correcto. El fallo: {bug}.",
    ),
    "question.expose.sometimes": (
        "It shows when the pass walks {wrong} and hides when it walks {right}: find a graph in which it "
        "shows in every order.",
        "Se nota cuando la pasada recorre {wrong} y se esconde cuando recorre {right}: busque un grafo en el "
        "que se note en todos los órdenes.",
    ),
    "question.expose.untouched": (
        "What the bug tampers with does not occur in it.",
        "Lo que el fallo altera no aparece en él.",
    ),
    "question.expose.hint.sum": (
        "It is about sums of contributions: which node gets more than one?",
        "Se trata de sumas de contribuciones: ¿qué nodo recibe más de una?",
    ),
    "question.expose.hint.order": (
        "It is about whose turn it is: use a computed node twice, at different depths.",
        "Se trata de a quién le toca: use dos veces un nodo calculado, a distinta profundidad.",
    ),
    "question.expose.hint.upstream": (
        "It is about the upstream gradient: put something behind the op, so that it is not 1.",
        "Se trata del gradiente entrante: ponga algo detrás de la operación para que no sea 1.",
    ),
    "question.expose.hint.record": (
        "It is about what the graph remembers: which node is made from which?",
        "Se trata de lo que el grafo recuerda: ¿qué nodo se hizo a partir de cuál?",
    ),
    "question.expose.hint.slots": (
        "It is about the operands of one op: their number, their order, and whether one stands there twice.",
        "Se trata de los operandos de una operación: cuántos son, en qué orden, y si alguno está dos veces.",
    ),
    "question.expose.hint.rule": (
        "Choose other numbers or other ops, so that the broken rule and the right one differ.",
        "Elija otros números u otras operaciones, para que la regla rota y la correcta difieran.",
    ),
    "question.expose.never": (
        "{slug} does not show in every order on its own smallest graph; choose another fault",
        "{slug} no se nota en todos los órdenes en su propio grafo mínimo; elija otro fallo",
    ),
}
