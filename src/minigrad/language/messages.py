"""Sentences of the language: why a text cannot be read, and what to write instead.

A reason stands under its key and its advice under `key.hint`; the reason says what was
written and why it cannot be, the advice is an order that can be followed.
"""

ROWS = {
    "grammar.where": ("line {line}, column {column}", "línea {line}, columna {column}"),
    "grammar.type": (
        "the language reads a text, and {given} is not one; write a string, such as 'a * b + c'",
        "el lenguaje lee un texto, y {given} no lo es; escriba una cadena, como 'a * b + c'",
    ),
    "grammar.empty": (
        "there is nothing to compute: the text holds no expression",
        "no hay nada que calcular: el texto no contiene ninguna expresión",
    ),
    "grammar.empty.hint": (
        "write an expression, such as a * b + c",
        "escriba una expresión, como a * b + c",
    ),
    # ---- limits ----
    "grammar.long_text": (
        "the text has {length} characters, and {limit} is the most that is read",
        "el texto tiene {length} caracteres, y se leen {limit} como máximo",
    ),
    "grammar.long_text.hint": (
        "build a graph of this size from Values in Python",
        "construya un grafo de este tamaño con Values en Python",
    ),
    "grammar.long_number": (
        "this number is {length} characters long, and {limit} is the most that is read",
        "este número ocupa {length} caracteres, y se leen {limit} como máximo",
    ),
    "grammar.long_number.hint": (
        "write its first 17 digits and a power of ten, as in 1.2345678901234567e300; a float holds no more",
        "escriba sus primeras 17 cifras y una potencia de diez, como en 1.2345678901234567e300; un float "
        "no guarda más",
    ),
    "grammar.long_name": (
        "this name is {length} characters long, and {limit} is the most that is read",
        "este nombre ocupa {length} caracteres, y se leen {limit} como máximo",
    ),
    "grammar.long_name.hint": ("write a shorter name", "escriba un nombre más corto"),
    "grammar.deep": (
        "the parentheses are nested more than {limit} deep here",
        "aquí hay más de {limit} paréntesis anidados",
    ),
    "grammar.deep.hint": (
        "give the inner part a name in a statement of its own, and use the name",
        "dé un nombre a la parte interior en una instrucción aparte, y use ese nombre",
    ),
    # ---- characters ----
    "grammar.strange": ("{shown} is not in the language", "{shown} no pertenece al lenguaje"),
    "grammar.strange.instead.hint": ("write {instead}", "escriba {instead}"),
    "grammar.strange.equality.hint": (
        "compare with < <= > or >=; a single = gives a name to a value, as in c = a * b",
        "compare con < <= > o >=; un solo = da nombre a un valor, como en c = a * b",
    ),
    "grammar.strange.point.hint": (
        "write exp(a) rather than a.exp(); a point stands only inside a number",
        "escriba exp(a) en lugar de a.exp(); el punto solo aparece dentro de un número",
    ),
    "grammar.strange.letter.hint": (
        "write {instead}; names have the letters a-z and A-Z, digits and _",
        "escriba {instead}; los nombres constan de letras a-z y A-Z, cifras y _",
    ),
    "grammar.strange.space.hint": ("write a plain space", "escriba un espacio normal"),
    "grammar.strange.other.hint": (
        "write with names, numbers, + - * / **, < <= > >=, parentheses and functions such as exp(a)",
        "use nombres, números, + - * / **, < <= > >=, paréntesis y funciones como exp(a)",
    ),
    # ---- what is missing or left over ----
    "grammar.operator": ("an operator is missing", "falta un operador"),
    "grammar.operator.hint": ("write {left} * {right}", "escriba {left} * {right}"),
    "grammar.underscore": (
        "a number is written without _",
        "un número se escribe sin _",
    ),
    "grammar.underscore.hint": ("write {number}", "escriba {number}"),
    "grammar.points": (
        "a number has one point at most, and none in its exponent",
        "un número lleva un punto como máximo, y ninguno en el exponente",
    ),
    "grammar.points.hint": (
        "write one number, such as 1.25, or an operator between two",
        "escriba un solo número, como 1.25, o un operador entre dos",
    ),
    "grammar.exponent": (
        "the exponent of this number has no digits",
        "el exponente de este número no tiene cifras",
    ),
    "grammar.exponent.hint": (
        "write {number}e5 for a power of ten, or {number} * {letter} for a product",
        "escriba {number}e5 para una potencia de diez, o {number} * {letter} para un producto",
    ),
    "grammar.before": ("a value is missing before {symbol}", "falta un valor antes de {symbol}"),
    "grammar.before.hint": (
        "write a number, a name or an expression in parentheses there",
        "escriba ahí un número, un nombre o una expresión entre paréntesis",
    ),
    "grammar.after": ("a value is missing after {symbol}", "falta un valor después de {symbol}"),
    "grammar.after.hint": (
        "write a number, a name or an expression in parentheses after it, on the same line",
        "escriba a continuación un número, un nombre o una expresión entre paréntesis, en la misma línea",
    ),
    "grammar.hollow": (
        "there is nothing in these parentheses",
        "no hay nada entre estos paréntesis",
    ),
    "grammar.hollow.hint": (
        "write an expression in them, or leave them out",
        "escriba una expresión dentro, o quítelos",
    ),
    "grammar.unclosed": (
        "this parenthesis is never closed",
        "este paréntesis no se cierra",
    ),
    "grammar.unclosed.hint": (
        "write the ) that belongs to it",
        "escriba el ) que le corresponde",
    ),
    "grammar.unopened": (
        "this parenthesis closes nothing",
        "este paréntesis no cierra nada",
    ),
    "grammar.unopened.hint": (
        "write the ( that belongs to it, or leave it out",
        "escriba el ( que le corresponde, o quite este )",
    ),
    "grammar.comma": (
        "a comma stands only between the arguments of a function",
        "la coma solo separa los argumentos de una función",
    ),
    "grammar.comma.hint": (
        "write a point in a number, as in 2.5, and a ; between statements",
        "escriba un punto en los números, como en 2.5, y un ; entre instrucciones",
    ),
    "grammar.chain": (
        "comparisons cannot be chained: each gives 1 or 0, and that would be compared next",
        "las comparaciones no se encadenan: cada una da 1 o 0, y ese sería el valor comparado después",
    ),
    "grammar.chain.hint": (
        "write (a < b) * (b < c), or put one comparison in parentheses",
        "escriba (a < b) * (b < c), o ponga una comparación entre paréntesis",
    ),
    # ---- statements ----
    "grammar.equals": (
        "only a single name can stand before =, at the beginning of a statement",
        "antes de = solo puede haber un nombre, al principio de la instrucción",
    ),
    "grammar.equals.hint": (
        "write name = expression, and a ; between statements",
        "escriba nombre = expresión, y un ; entre instrucciones",
    ),
    "grammar.equals_twice": ("a statement has only one =", "una instrucción lleva un solo ="),
    "grammar.equals_twice.hint": (
        "write two statements: {second} = ...; {first} = {second}",
        "escriba dos instrucciones: {second} = ...; {first} = {second}",
    ),
    "grammar.bare": (
        "this value has no name, so nothing after it can use it",
        "este valor no tiene nombre, así que nada de lo que sigue puede usarlo",
    ),
    "grammar.bare.hint": (
        "write name = in front of it, or make it the last statement",
        "escriba nombre = delante, o póngalo como última instrucción",
    ),
    "grammar.twice": (
        "{name} has a value already, from line {line}, column {column}",
        "{name} ya tiene un valor, desde la línea {line}, columna {column}",
    ),
    "grammar.twice.hint": (
        "write another name here; each name stands for one node",
        "escriba aquí otro nombre; cada nombre designa un solo nodo",
    ),
    "grammar.given_twice": (
        "{name} is given twice: here, and as the input {name}={number}",
        "{name} se define dos veces: aquí, y como la entrada {name}={number}",
    ),
    "grammar.given_twice.hint": (
        "leave out one of the two, or write another name here",
        "quite una de las dos, o escriba aquí otro nombre",
    ),
    "grammar.assign_function": (
        "{name} is the name of a function, so it cannot name a value",
        "{name} es el nombre de una función, así que no puede dar nombre a un valor",
    ),
    "grammar.assign_function.hint": ("write {name}_ = ...", "escriba {name}_ = ..."),
    "grammar.assign_word": (
        "{name} is a number, so it cannot name another one",
        "{name} es un número, así que no puede dar nombre a otro",
    ),
    "grammar.assign_word.hint": ("write {name}_ = ...", "escriba {name}_ = ..."),
    # ---- names and functions ----
    "grammar.strange.quotes.hint": (
        "there are no texts in the language; around the whole expression write straight quotes",
        "en el lenguaje no hay textos; alrededor de toda la expresión escriba comillas rectas",
    ),
    "grammar.word": (
        "{name} is a word of Python, not of this language",
        "{name} es una palabra de Python, no de este lenguaje",
    ),
    "grammar.word.hint": (
        "write where(x > 0, a, b) to choose between values; there are no loops and definitions",
        "escriba where(x > 0, a, b) para elegir entre valores; no hay bucles ni definiciones",
    ),
    "grammar.no_value.pi.hint": (
        "write pi=3.141592653589793 after the expression",
        "escriba pi=3.141592653589793 después de la expresión",
    ),
    "grammar.no_value": ("{name} has no value", "{name} no tiene valor"),
    "grammar.no_value.hint": (
        "write {name}=2 after the expression, or a statement {name} = 2 before",
        "escriba {name}=2 después de la expresión, o una instrucción {name} = 2 antes",
    ),
    "grammar.early": (
        "{name} is used before its statement, which is on line {line}, column {column}",
        "{name} se usa antes de su instrucción, que está en la línea {line}, columna {column}",
    ),
    "grammar.early.hint": (
        "write the statement {name} = ... before this one",
        "escriba la instrucción {name} = ... antes de esta",
    ),
    "grammar.itself": (
        "{name} is used in its own statement, where it has no value yet",
        "{name} se usa en su propia instrucción, donde aún no tiene valor",
    ),
    "grammar.itself.hint": (
        "give the earlier value another name; each name stands for one node",
        "dé otro nombre al valor anterior; cada nombre designa un solo nodo",
    ),
    "grammar.unused": (
        "the input {name} is given, but the text never uses it",
        "se da la entrada {name}, pero el texto no la usa",
    ),
    "grammar.unused.hint": (
        "leave it out, or use it in the text",
        "quítela, o úsela en el texto",
    ),
    "grammar.unusable": (
        "an input cannot be called {name}: the language has no such name for a value",
        "una entrada no puede llamarse {name}: en el lenguaje no es el nombre de un valor",
    ),
    "grammar.unusable.hint": (
        "give it a name of letters, digits and _ that is neither a function nor inf or nan",
        "dele un nombre de letras, cifras y _ que no sea una función, ni inf ni nan",
    ),
    "grammar.function": (
        "{name} is a function and needs its arguments in parentheses",
        "{name} es una función y necesita sus argumentos entre paréntesis",
    ),
    "grammar.function.hint": ("write {name}(...)", "escriba {name}(...)"),
    "grammar.unknown": ("there is no function {name}", "no existe la función {name}"),
    "grammar.unknown.close.hint": ("write {close}(...)", "escriba {close}(...)"),
    "grammar.unknown.hint": (
        "write one that exists, such as {some}",
        "escriba una que exista, como {some}",
    ),
    "grammar.arity": ("{name} takes {wanted}, not {given}", "{name} recibe {wanted}, no {given}"),
    "grammar.arity.hint": ("write {example}", "escriba {example}"),
    "grammar.odd": (
        "dot multiplies the first half of its arguments by the second half, and {given} cannot be halved",
        "dot multiplica la primera mitad de sus argumentos por la segunda, y {given} no se pueden "
        "partir en dos mitades",
    ),
    "grammar.odd.hint": (
        "write dot(a, b, x, y) for a * x + b * y",
        "escriba dot(a, b, x, y) para a * x + b * y",
    ),
    "grammar.place": (
        "the first argument of {name} says which of the others is meant, so it is a whole number",
        "el primer argumento de {name} indica cuál de los demás se elige, así que es un número entero",
    ),
    "grammar.place.hint": (
        "write {name}(0, a, b) to choose a, and {name}(1, a, b) to choose b",
        "escriba {name}(0, a, b) para elegir a, y {name}(1, a, b) para elegir b",
    ),
    "grammar.range": (
        "the numbers of {name} have the places 0 to {last}, and {given} is not one of them",
        "los números de {name} ocupan los lugares de 0 a {last}, pero {given} no es uno de ellos",
    ),
    "grammar.range.hint": (
        "write a whole number from 0 to {last}",
        "escriba un número entero de 0 a {last}",
    ),
    # ---- writing ----
    "grammar.custom": (
        "the node {name} was made by hand, and the language has no word for it; build it from "
        "minigrad's own ops",
        "el nodo {name} se creó a mano, y el lenguaje no tiene palabra para él; constrúyalo con las "
        "operaciones de minigrad",
    ),
}
