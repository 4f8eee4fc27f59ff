"""Steps of the track: title, text, what is asked before the run, a hint and a larger one.

A text is paragraphs; lines that begin with two spaces stay as they are.
"""

ROWS: dict[str, tuple[str, str]] = {
    # ---- number
    "track.title.number": ("a number that remembers", "un número que recuerda"),
    "track.text.number": (
        "An autograd engine is a class for numbers that remember how they were computed. You write one "
        "here, from nothing, in one file. In this step a Value only keeps things. Python runs __init__ when "
        "somebody writes Value(3.0).\n"
        "\n"
        "A Value keeps five things on self, under these names:\n"
        "\n"
        "  data       the number that was given\n"
        "  grad       its gradient: how much the output changes per unit of change\n"
        "             of this number. Nothing has been sent to it yet: it starts at\n"
        "             zero, as a float\n"
        "  children   the Values that it was made from, in their order and with\n"
        "             repeats; none for a number that somebody typed\n"
        '  op         the name of the operation that made it, such as "+"\n'
        "  _backward  a function without arguments, the rule: it sends the gradient\n"
        "             on to the children. A typed number has none, so its rule does\n"
        "             nothing; lambda: None is such a function\n"
        "\n"
        "Fill in the body of __init__.",
        "Un motor de diferenciación automática (autograd) es una clase de números que recuerdan cómo se "
        "calcularon. Aquí escribirá uno desde cero, en un solo archivo. En este paso un Value solo guarda "
        "cosas. Python ejecuta __init__ cuando alguien escribe Value(3.0).\n"
        "\n"
        "Un Value guarda cinco cosas en self, con estos nombres:\n"
        "\n"
        "  data       el número que se dio\n"
        "  grad       su gradiente: cuánto cambia la salida por cada unidad que\n"
        "             cambia este número. Aún no le han enviado nada: empieza en\n"
        "             cero, como float\n"
        "  children   los Values de los que sale (sus hijos), en su orden y con\n"
        "             repeticiones; ninguno si es un número que alguien escribió\n"
        '  op         el nombre de la operación que lo creó, como "+"\n'
        "  _backward  una función sin argumentos, la regla: envía el gradiente a los\n"
        "             hijos. Un número que alguien escribió no tiene hijos, y su\n"
        "             regla no hace nada; lambda: None es una función así\n"
        "\n"
        "Complete el cuerpo de __init__.",
    ),
    "track.ask.number": (
        "a = Value(3.0). What is a.grad, before any pass?",
        "a = Value(3.0). ¿Cuánto vale a.grad antes de cualquier pasada?",
    ),
    "track.hint.number": (
        "Compare the five names of the text with the names on self in your __init__. Which argument of "
        "__init__ belongs to which of them, and which of them has no argument?",
        "Compare los cinco nombres del texto con los nombres en self de su __init__. ¿Qué argumento de "
        "__init__ corresponde a cada uno, y cuáles no tienen argumento?",
    ),
    "track.larger.number": (
        "Three of the five are kept just as they are given: the number, the children, the name. The "
        "gradient is a float of its own, and the rule a function that can be called and does nothing.",
        "Tres de los cinco se guardan tal como se dan: el número, los hijos, el nombre. El gradiente es un "
        "float independiente, y la regla es una función que se puede llamar y no hace nada.",
    ),
    # ---- rules
    "track.title.rules": ("+ and * with their local rules", "+ y * con sus reglas locales"),
    "track.text.rules": (
        "+ and * make a new Value out of two. For a + b Python runs a.__add__(b), for a * b it runs "
        "a.__mul__(b). The skeleton has + complete: read it line by line.\n"
        "\n"
        "Each result has a rule, its function _backward. When the pass runs it, out.grad is known: how much "
        "the final output changes per change of out. The rule sends to each operand\n"
        "\n"
        "  its gradient = local derivative times out.grad\n"
        "\n"
        "The local derivative says how much out changes per change of that operand alone. For a + b it is 1 "
        "for both. And for a * b? Change a by a little: how much does the product change, if b is 5?\n"
        "\n"
        "The rule does not run while the result is made. It is handed to out and waits for the pass; it "
        "will still know self, other and out.\n"
        "\n"
        "Fill in __mul__, in the same form as __add__.",
        "+ y * crean un Value nuevo a partir de dos. Para a + b Python ejecuta a.__add__(b); para a * b "
        "ejecuta a.__mul__(b). El esqueleto trae + entero: léalo línea a línea.\n"
        "\n"
        "Cada resultado tiene una regla, su función _backward. Cuando la pasada la ejecuta, se conoce "
        "out.grad: cuánto cambia la salida final por cada cambio de out. La regla envía a cada operando\n"
        "\n"
        "  su gradiente = derivada local × out.grad\n"
        "\n"
        "La derivada local dice cuánto cambia out por cada cambio de ese operando solo. En a + b es 1 para "
        "los dos. ¿Y en a * b? Mueva a un poco: ¿cuánto se mueve el producto, si b es 5?\n"
        "\n"
        "La regla no se ejecuta mientras se crea el resultado. Se guarda en out y espera a la pasada; "
        "entonces seguirá conociendo self, other y out.\n"
        "\n"
        "Complete __mul__, con la misma forma que __add__.",
    ),
    "track.ask.rules": (
        "a = Value(2.0), b = Value(-3.0), out = a * b. Then out.grad = 1.0 and out._backward(). What is "
        "a.grad?",
        "a = Value(2.0), b = Value(-3.0), out = a * b. Después out.grad = 1.0 y out._backward(). ¿Cuánto "
        "vale a.grad?",
    ),
    "track.hint.rules": (
        "Read what __add__ does: it makes the result, it has a rule inside, it hands the rule to the "
        "result, it returns the result. Which of these is different in yours, besides the sign?",
        "Lea lo que hace __add__: crea el resultado, define dentro una regla, entrega la regla al "
        "resultado, devuelve el resultado. ¿Qué de esto es distinto en el suyo, además del signo?",
    ),
    "track.larger.rules": (
        "Take a = 2 and b = -3, so that out is -6. If a grows by 0.1, out goes to -6.3: by -3 for each 1, "
        "and -3 is b. So the local derivative for each operand is the data of the other one, and each is "
        "multiplied by the gradient of the result.",
        "Tome a = 2 y b = -3, de modo que out es -6. Si a crece 0,1, out pasa a -6,3: -3 por cada unidad, y "
        "-3 es b. Así que la derivada local de cada operando es el valor del otro, y cada una se multiplica "
        "por el gradiente del resultado.",
    ),
    # ---- by hand
    "track.title.by-hand": ("the pass by hand", "la pasada a mano"),
    "track.text.by-hand": (
        "A backward pass only runs the rules, from the output to the inputs. Do it by hand once, for "
        "total = a * b + c.\n"
        "\n"
        "The skeleton makes both results and gives the output its gradient. Now run their rules, each with "
        "result._backward(). In which order? A rule sends on what has arrived at its own result, so "
        "everything must have arrived there first.\n"
        "\n"
        "Fill in the two calls.",
        "Una pasada hacia atrás no es más que ejecutar las reglas, de la salida a las entradas. Hágala a "
        "mano una vez, para total = a * b + c.\n"
        "\n"
        "El esqueleto crea los dos resultados y da a la salida su gradiente. Ahora ejecute sus reglas, cada "
        "una con resultado._backward(). ¿En qué orden? Una regla envía lo que ha llegado a su propio "
        "resultado, así que antes tiene que haber llegado todo.\n"
        "\n"
        "Complete las dos llamadas.",
    ),
    "track.ask.by-hand": (
        "by_hand is run with a = 2, b = -3 and c = 10. What is b.grad afterwards?",
        "by_hand se ejecuta con a = 2, b = -3 y c = 10. ¿Cuánto vale b.grad después?",
    ),
    "track.hint.by-hand": (
        "When your lines begin, only one node has a gradient other than zero. Which rule can send something?",
        "Cuando empiezan sus líneas, un solo nodo tiene un gradiente distinto de cero. ¿Qué regla puede "
        "enviar algo?",
    ),
    "track.larger.by-hand": (
        "The sum was made of product and c, and its rule sends to both. Only then does the product have "
        "something to send on to a and b.",
        "La suma se hizo con product y c, y su regla envía a los dos. Solo entonces tiene el producto algo "
        "que enviar a a y b.",
    ),
    # ---- paths
    "track.title.paths": ("a seed, and recursion along paths", "una semilla, y la recursión por caminos"),
    "track.text.paths": (
        "A program should do this for any output. The first idea is recursion: run the rule of a node, then "
        "do the same with each of its children. Write it, and see what is wrong with it.\n"
        "\n"
        "Where does it start? Nobody sends anything to the output. But how much the output changes per "
        "change of itself is known: 1 for 1. This first gradient is the seed.\n"
        "\n"
        "Fill in along_paths(out): set the seed, then walk. A function inside it is enough, which takes a "
        "node and calls itself for each child in node.children.\n"
        "\n"
        "It is right for trees, where everything is used once. A node that is used twice is reached once "
        "for each path from the output to it; it sends on before all has arrived, and then sends again. And "
        "paths are many: in\n"
        "\n"
        "  x1 = x + x,  x2 = x1 + x1,  x3 = x2 + x2, ...\n"
        "\n"
        "each doubling doubles them. With ten doublings there are eleven nodes; guess how many rules run. "
        "With forty you would not see the end. The next step does it properly; this function stays as it is.",
        "Un programa debería hacer esto con cualquier salida. La primera idea es la recursión: ejecutar la "
        "regla de un nodo y hacer lo mismo con cada uno de sus hijos. Escríbala y vea qué problema tiene.\n"
        "\n"
        "¿Dónde empieza? Nadie envía nada a la salida. Pero se sabe cuánto cambia la salida por cada cambio "
        "de sí misma: 1 por 1. Este primer gradiente es la semilla.\n"
        "\n"
        "Complete along_paths(out): ponga la semilla y después haga el recorrido. Basta con una función "
        "interna que recibe un nodo y se llama a sí misma con cada hijo de node.children.\n"
        "\n"
        "Es correcta en los árboles, donde todo se usa una vez. A un nodo que se usa dos veces se llega una "
        "vez por cada camino desde la salida; envía antes de que haya llegado todo, y luego envía otra vez. "
        "Y los caminos son muchos: en\n"
        "\n"
        "  x1 = x + x,  x2 = x1 + x1,  x3 = x2 + x2, ...\n"
        "\n"
        "cada duplicación los duplica. Con diez duplicaciones hay once nodos; adivine cuántas reglas se "
        "ejecutan. Con cuarenta no vería el final. El paso siguiente lo hace bien; esta función se queda "
        "como está.",
    ),
    "track.ask.paths": (
        "x is doubled ten times, as above, and along_paths is run on the last one. How many times does it "
        "run a rule, that of x included?",
        "x se duplica diez veces, como arriba, y along_paths se ejecuta sobre el último. ¿Cuántas veces "
        "ejecuta una regla, contando la de x?",
    ),
    "track.hint.paths": (
        "Follow your function with a pencil on a * b: what is the gradient of the output when its rule runs, "
        "and who has a turn after it?",
        "Siga su función con lápiz sobre a * b: ¿cuál es el gradiente de la salida cuando se ejecuta su "
        "regla, y a quién le toca después?",
    ),
    "track.larger.paths": (
        "Three things, in this order: the output gets 1 for its gradient; the rule of a node runs; then the "
        "same for all of its children, by a function that calls itself. And somebody must call it first.",
        "Tres cosas, en este orden: la salida recibe 1 como gradiente; se ejecuta la regla de un nodo; "
        "después lo mismo con todos sus hijos, con una función que se llama a sí misma. Y alguien tiene que "
        "llamarla primero.",
    ),
    # ---- order
    "track.title.order": ("a topological order", "un orden topológico"),
    "track.text.order": (
        "Every node should have its turn once, and only when all that use it have had theirs. So first put "
        "all nodes in order, each behind all of its children; then run the rules along this order from its "
        "end. It is called a topological order.\n"
        "\n"
        "A depth first search finds it. To visit a node is to visit its children, and then to append the "
        "node itself to the list (after the children: this is post-order). A set of visited nodes keeps a "
        "node that is reached again from being visited again:\n"
        "\n"
        "  visit(node): nothing, if the node is in the set\n"
        "               otherwise put it into the set, visit each of its children,\n"
        "               and append it to the list\n"
        "\n"
        "Fill in backward(self): collect the order with such a function inside, beginning at self; set the "
        "seed; run the rules from the last node of the list to the first. Python's reversed() walks a list "
        "from its end.\n"
        "\n"
        "A graph in which something is used twice still comes out wrong: that is the next step.",
        "Cada nodo debería tener su turno una vez, y solo cuando todos los que lo usan hayan tenido el "
        "suyo. Así que primero ponga todos los nodos en orden, cada uno detrás de todos sus hijos; después "
        "ejecute las reglas por ese orden desde el final. Se llama orden topológico.\n"
        "\n"
        "Una búsqueda en profundidad lo encuentra. Visitar un nodo es visitar sus hijos y después añadir el "
        "propio nodo a la lista (tras los hijos: es el postorden). Un conjunto de nodos visitados evita que "
        "un nodo al que se llega otra vez se visite otra vez:\n"
        "\n"
        "  visit(node): nada, si el nodo está en el conjunto\n"
        "               si no, meterlo en el conjunto, visitar cada uno de sus hijos\n"
        "               y añadirlo a la lista\n"
        "\n"
        "Complete backward(self): construya el orden con una función interna como esa, empezando por self; "
        "ponga la semilla; ejecute las reglas del último nodo de la lista al primero. reversed() de Python "
        "recorre una lista desde el final.\n"
        "\n"
        "Un grafo en el que algo se usa dos veces todavía sale mal: de eso trata el paso siguiente.",
    ),
    "track.ask.order": (
        "The same ten doublings of x. How many times does backward run a rule, that of x included?",
        "Las mismas diez duplicaciones de x. ¿Cuántas veces ejecuta backward una regla, contando la de x?",
    ),
    "track.hint.order": (
        "Three parts, one after the other: the order, the seed, the rules. Print the op of each node of the "
        "order for (a * b + c) * a: is every node behind its children, and is each there once?",
        "Tres partes, una tras otra: el orden, la semilla, las reglas. Imprima el op de cada nodo del orden "
        "de (a * b + c) * a: ¿está cada nodo detrás de sus hijos, y cada uno una vez?",
    ),
    "track.larger.order": (
        "A node goes into the set before its children are visited, and onto the list after them. The output "
        "comes out last on the list, and its rule has to run first.",
        "Un nodo entra en el conjunto antes de visitar sus hijos, y en la lista después de ellos. La salida "
        "queda la última de la lista, y su regla tiene que ejecutarse la primera.",
    ),
    # ---- diamond
    "track.title.diamond": ("the diamond: contributions add up", "el rombo: las contribuciones se suman"),
    "track.text.diamond": (
        "b = a + a uses a twice. Two paths lead from b to a, and each sends its contribution; so it is "
        "whenever paths part and meet again, in a diamond. The gradient is the sum over all paths.\n"
        "\n"
        "The rules that you have write with =, and what comes second wipes out what came first. Change "
        "them: whatever a rule sends is added to the gradient that is there. This is why gradients start at "
        "zero.\n"
        "\n"
        "Fill in __sub__, for a - b: a rule that adds from the start. Then change the rules of __add__ and "
        "__mul__ in your file: four lines.",
        "b = a + a usa a dos veces. De b a a llevan dos caminos, y cada uno envía su contribución; así es "
        "siempre que los caminos se separan y se reencuentran, en un rombo. El gradiente es la suma sobre "
        "todos los caminos.\n"
        "\n"
        "Las reglas que tiene escriben con =, y lo que llega después borra lo que llegó antes. Cámbielas: "
        "lo que envía una regla se suma al gradiente que ya hay. Por eso los gradientes empiezan en cero.\n"
        "\n"
        "Complete __sub__, para a - b: una regla que suma desde el principio. Después cambie las reglas de "
        "__add__ y __mul__ en su archivo: cuatro líneas.",
    ),
    "track.ask.diamond": (
        "a = Value(3.0), b = a + a, b.backward(). What must a.grad be?",
        "a = Value(3.0), b = a + a, b.backward(). ¿Cuánto tiene que valer a.grad?",
    ),
    "track.hint.diamond": (
        "Look at each line in a rule that writes to a grad, in +, in * and in -. What happens to the number "
        "that was there before?",
        "Mire cada línea de una regla que escribe en un grad, en +, en * y en -. ¿Qué pasa con el número que "
        "había antes?",
    ),
    "track.larger.diamond": (
        "Python has an operator that adds to what is there: x += 2. And if b grows, a - b gets smaller, by "
        "as much.",
        "Python tiene un operador que suma a lo que hay: x += 2. Y si b crece, a - b disminuye lo mismo.",
    ),
    # ---- constants
    "track.title.constants": ("constants and reflected operators", "constantes y operadores reflejados"),
    "track.text.constants": (
        "a * 2 fails: 2 is a plain number, without data and grad. And 2 * a fails in another way: Python "
        "asks the number 2 first, which knows nothing of Values, and then a: it runs a.__rmul__(2). Such "
        "methods are called reflected. In them self is the right operand and other is the left one.\n"
        "\n"
        "There are two things to do:\n"
        "\n"
        "  In __add__, __mul__ and __sub__, first of all: if other is not a Value,\n"
        "  make it one. isinstance(other, Value) says whether it is.\n"
        "\n"
        "  Write the reflected operators. The skeleton has that of + (and -a).\n"
        "\n"
        "Fill in __rmul__ and __rsub__. Be careful with the second: 5 - a runs a.__rsub__(5).",
        "a * 2 falla: 2 es un número corriente, sin data ni grad. Y 2 * a falla de otro modo: Python "
        "pregunta primero al número 2, que no sabe nada de Values, y después a a: ejecuta a.__rmul__(2). "
        "Esos métodos se llaman reflejados. En ellos self es el operando derecho y other el izquierdo.\n"
        "\n"
        "Hay que hacer dos cosas:\n"
        "\n"
        "  En __add__, __mul__ y __sub__, antes que nada: si other no es un Value,\n"
        "  hacer uno con él. isinstance(other, Value) dice si lo es.\n"
        "\n"
        "  Escribir los operadores reflejados. El esqueleto trae el de + (y -a).\n"
        "\n"
        "Complete __rmul__ y __rsub__. Cuidado con el segundo: 5 - a ejecuta a.__rsub__(5).",
    ),
    "track.ask.constants": (
        "a = Value(3.0), out = 5 - a, out.backward(). What is a.grad?",
        "a = Value(3.0), out = 5 - a, out.backward(). ¿Cuánto vale a.grad?",
    ),
    "track.hint.constants": (
        "If Python mentions an int or a float without an attribute: where does the plain number come into "
        "the operation? If it mentions recursion: which method does your reflected one run in the end?",
        "Si Python habla de un int o un float sin un atributo: ¿dónde entra el número corriente en la "
        "operación? Si habla de recursión: ¿qué método acaba ejecutando su operador reflejado?",
    ),
    "track.larger.constants": (
        "The operands of a sum or a product may change sides, those of a difference may not. In __rsub__ "
        "other stands on the left: make it a Value first, and the usual operator does the rest, its rule "
        "included.",
        "Los operandos de una suma o de un producto pueden cambiar de lado; los de una diferencia, no. En "
        "__rsub__ other va a la izquierda: conviértalo primero en un Value, y el operador normal hace el "
        "resto, incluida la regla.",
    ),
    # ---- curves
    "track.title.curves": ("division, powers, exp, tanh, relu", "división, potencias, exp, tanh, relu"),
    "track.text.curves": (
        "Five more operations, all in the form of *: a new Value with its data, its children and a name; a "
        "rule that adds the local derivative times out.grad to each operand; the rule handed to the result; "
        "the result returned. The local derivatives:\n"
        "\n"
        "  a / b    1/b for a, and minus a over the square of b for b; b may be a\n"
        "           plain number\n"
        "  a ** n   n times a to the power of n minus 1; n is a plain number and gets\n"
        "           no gradient\n"
        "  exp      the result itself\n"
        "  tanh     1 minus the square of the result\n"
        "  relu     1 where the input is above zero, and 0 where it is not\n"
        "\n"
        "Python's math.exp and math.tanh compute the two curves; relu is its input where that is above "
        "zero, and 0.0 elsewhere. They are called as a.exp(), a.tanh() and a.relu().\n"
        "\n"
        "Fill in these five methods. The check says which one it is about.",
        "Cinco operaciones más, todas con la forma de *: un Value nuevo con su valor, sus hijos y un nombre; "
        "una regla que suma a cada operando la derivada local × out.grad; la regla entregada al resultado; "
        "el resultado devuelto. Las derivadas locales:\n"
        "\n"
        "  a / b    1/b para a, y menos a partido por el cuadrado de b para b; b\n"
        "           puede ser un número corriente\n"
        "  a ** n   n por a elevado a n menos 1; n es un número corriente y no recibe\n"
        "           gradiente\n"
        "  exp      el propio resultado\n"
        "  tanh     1 menos el cuadrado del resultado\n"
        "  relu     1 donde la entrada es mayor que cero, y 0 donde no\n"
        "\n"
        "math.exp y math.tanh de Python calculan las dos curvas; relu es su entrada donde es mayor que "
        "cero, y 0.0 en lo demás. Se usan como a.exp(), a.tanh() y a.relu().\n"
        "\n"
        "Complete estos cinco métodos. La comprobación dice a cuál se refiere.",
    ),
    "track.ask.curves": (
        "a = Value(-2.0), out = a.relu(), out.backward(). What is a.grad?",
        "a = Value(-2.0), out = a.relu(), out.backward(). ¿Cuánto vale a.grad?",
    ),
    "track.hint.curves": (
        "Compare the method with your __mul__, line by line, and its local derivative with the table of the "
        "text. Is it about the input or about the result?",
        "Compare el método con su __mul__, línea a línea, y su derivada local con la tabla del texto. ¿Se "
        "refiere a la entrada o al resultado?",
    ),
    "track.larger.curves": (
        "Move the input of this one operation by 0.001 and see by how much its data changes: divided by "
        "0.001, that is the local derivative. Compare it with what your rule multiplies out.grad by.",
        "Mueva 0,001 la entrada de esta única operación y vea cuánto cambia su valor: dividido entre 0,001, "
        "es la derivada local. Compárelo con aquello por lo que su regla multiplica out.grad.",
    ),
    # ---- again
    "track.title.again": ("a second pass, and zero_grad", "una segunda pasada, y zero_grad"),
    "track.text.again": (
        "Run backward twice on the same graph, and the second pass adds to what the first one left. In "
        "training, every step begins with gradients of zero.\n"
        "\n"
        "Fill in zero_grad(self): set the gradient of self and of every node below it to zero, and leave "
        "data alone. Shared nodes are reached several times: a set of those already seen, as in the "
        "topological order, keeps them from being visited again.",
        "Ejecute backward dos veces sobre el mismo grafo, y la segunda pasada suma a lo que dejó la "
        "primera. En el entrenamiento cada paso empieza con los gradientes a cero.\n"
        "\n"
        "Complete zero_grad(self): ponga a cero el gradiente de self y de todos los nodos de debajo, y no "
        "toque data. A los nodos compartidos se llega varias veces: un conjunto de los ya vistos, como en "
        "el orden topológico, evita visitarlos otra vez.",
    ),
    "track.ask.again": (
        "a = Value(3.0), out = a * a, then out.backward() twice, with nothing in between. What is a.grad?",
        "a = Value(3.0), out = a * a, y después out.backward() dos veces, sin nada en medio. ¿Cuánto vale "
        "a.grad?",
    ),
    "track.hint.again": (
        "Which nodes does your function reach from the output of (a * b) * a? What does it write to each?",
        "¿A qué nodos llega su función desde la salida de (a * b) * a, y qué escribe en cada uno?",
    ),
    "track.larger.again": (
        "A function inside that visits a node: nothing if it was seen; otherwise remember it, set its "
        "gradient, and visit all of its children. It begins at self.",
        "Una función interna que visita un nodo: si ya se vio, no hace nada; si no, lo recuerda, pone su "
        "gradiente y visita todos sus hijos. Empieza en self.",
    ),
    # ---- neuron
    "track.title.neuron": ("a neuron, an MLP, two moons", "una neurona, un MLP, dos lunas"),
    "track.text.neuron": (
        "A neuron multiplies each of its inputs by a weight of its own, adds a bias to the sum of them, and "
        "applies tanh to the result. Several neurons on the same inputs are a layer, layers in a row are a "
        "multilayer perceptron (MLP). All of it is made of your operations, so your pass can train it.\n"
        "\n"
        "The skeleton has the weights, the layers, the points of two moons (on side 1 or -1) and the loop: "
        "loss, zero_grad, backward, and then each parameter moves against its gradient.\n"
        "\n"
        "Fill in Neuron.__call__(self, xs): xs is a list of numbers or Values, and what comes back is one "
        "Value. zip(self.weights, xs) walks through both at once.\n"
        "\n"
        "When the step holds, watch it learn, in the folder of engine.py:\n"
        "\n"
        '  python -c "from engine import *; train(MLP(2, 8, 1), moons(40))"',
        "Una neurona multiplica cada una de sus entradas por un peso propio, suma esos productos y un "
        "sesgo, y aplica tanh al resultado. Varias neuronas sobre las mismas entradas forman una capa; "
        "varias capas seguidas forman un perceptrón multicapa (MLP). Todo está hecho de sus operaciones, "
        "así que su pasada puede entrenarlo.\n"
        "\n"
        "El esqueleto trae los pesos, las capas, los puntos de dos lunas (en el lado 1 o -1) y el bucle: "
        "pérdida, zero_grad, backward, y después cada parámetro se mueve en contra de su gradiente.\n"
        "\n"
        "Complete Neuron.__call__(self, xs): xs es una lista de números o Values, y lo que devuelve es un "
        "Value. zip(self.weights, xs) recorre las dos a la vez.\n"
        "\n"
        "Cuando el paso esté bien, véalo aprender, en la carpeta de engine.py:\n"
        "\n"
        '  python -c "from engine import *; train(MLP(2, 8, 1), moons(40))"  # lunas',
    ),
    "track.ask.neuron": (
        "MLP(2, 8, 1): two inputs, a layer of 8 neurons, a layer of 1. How many weights and biases does it "
        "have together?",
        "MLP(2, 8, 1): dos entradas, una capa de 8 neuronas, una capa de 1. ¿Cuántos pesos y sesgos tiene en "
        "total?",
    ),
    "track.hint.neuron": (
        "Compute a neuron with two inputs on paper: which number do you begin with, what is added for each "
        "input, and what is done once at the end?",
        "Calcule en papel una neurona con dos entradas: ¿con qué número empieza, qué se le añade por cada "
        "entrada y qué se hace una sola vez al final?",
    ),
    "track.larger.neuron": (
        "Begin with the bias, without changing it. For each pair of weight and input add their product, "
        "both as Values. After the loop, and not in it, comes tanh.",
        "Empiece con el sesgo, sin cambiarlo. Por cada pareja de peso y entrada sume su producto, los dos "
        "como Values. Tras el bucle, y no dentro, va tanh.",
    ),
    # ---- proof
    "track.title.proof": ("a gradient check, and tests of your own", "una comprobación, y pruebas propias"),
    "track.text.proof": (
        "How do you know that your gradients are right? Ask the function itself. Move one input a little up "
        "and a little down, see how the output's data changes from one to the other, and divide by the "
        "distance between the two: this is the central difference.\n"
        "\n"
        "Fill in slope(f, numbers, which, distance). f takes Values and returns a Value; numbers is a list "
        "of plain numbers, and which is the index of the one that is moved, by distance to each side. Make "
        "new Values for both calls of f, leave the list as it is, and return a plain number.\n"
        "\n"
        "is_right in the skeleton compares your pass with it. Then write tests of your own with is_right in "
        "test_engine.py: functions whose names begin with test_. How good are they?\n"
        "\n"
        "  minigrad build check --suite\n"
        "\n"
        "plants bugs into copies of your engine, one at a time, and counts those that your tests notice. "
        "Use every operation, with another one after it, and use a number twice.",
        "¿Cómo sabe que sus gradientes son correctos? Pregunte a la propia función. Mueva una entrada un "
        "poco hacia arriba y un poco hacia abajo, vea cuánto cambia el valor de la salida de una posición a "
        "la otra, y divida entre la distancia que las separa: es la diferencia central.\n"
        "\n"
        "Complete slope(f, numbers, which, distance). f recibe Values y devuelve un Value; numbers es una "
        "lista de números corrientes, y which es el índice del que se mueve, distance hacia cada lado. Cree "
        "Values nuevos para las dos llamadas de f, deje la lista como está y devuelva un número corriente.\n"
        "\n"
        "is_right, en el esqueleto, compara su pasada con ese número. Después escriba pruebas propias con "
        "is_right en test_engine.py: funciones cuyos nombres empiezan por test_. ¿Cuántos fallos detectan?\n"
        "\n"
        "  minigrad build check --suite   (en español, con --lang es)\n"
        "\n"
        "introduce fallos en copias de su motor, uno cada vez, y cuenta los que detectan sus pruebas. Use "
        "cada operación, seguida de otra, y use un número dos veces.",
    ),
    "track.ask.proof": (
        "f is a * a, at a = 3, and distance is 0.1. What does the central difference give?",
        "f es a * a, en a = 3, y distance es 0,1. ¿Qué da la diferencia central?",
    ),
    "track.hint.proof": (
        "Take f = a * a at 3 and a distance of 0.1 on paper: at which two points is f computed, and how far "
        "apart are they?",
        "Tome en papel f = a * a en 3 y una distancia de 0,1: ¿en qué dos puntos se calcula f, y cuánto "
        "distan?",
    ),
    "track.larger.proof": (
        "Two lists of new Values that differ in one place: there the number is larger by the distance in "
        "one and smaller in the other. Their outputs' data, the upper minus the lower one, over twice the "
        "distance.",
        "Dos listas de Values nuevos que difieren en un lugar: allí, en una lista el número es mayor y en "
        "la otra menor, en esa distancia. El valor de sus salidas, la de arriba menos la de abajo, entre "
        "dos veces la distancia.",
    ),
}
