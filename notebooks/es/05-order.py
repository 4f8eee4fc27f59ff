# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Orden
#
# > Un nodo solo puede hablar cuando le ha llegado todo lo que se le debe.
#
# Unidad 5 · 7 minutos

# %%
import os

os.environ["MINIGRAD_LANG"] = "es"

from minigrad import Value, explain
from minigrad.faults import lab
from minigrad.learn import check, command, picture, question, reveal

# %% [markdown]
# En la unidad tres se le dijo que empezara por el nodo más reciente. No se le dijo por qué. ¿Serviría otro orden? ¿Serviría *cualquiera*?

# %%
graph = """
a = 2; b = 3; c = 4
ab = a*b
e = ab + c
f = a - c
L = e*f
"""
explain(graph)

# %% [markdown]
# ## ¿A quién le toca?
#
# Imagine que los nodos son personas con un buzón. Cuando le llega el turno, usted suma lo que hay en su buzón, multiplica y echa los resultados al correo. Tiene *un solo* turno. Si se adelanta, enviará números incompletos, y lo que llegue después a su buzón no se entregará nunca.
#
# De ahí la regla: a un nodo le toca cuando ya han hablado todos los que lo usan. Recorra con ella nuestro grafo.
#
# * A `L` no lo usa nadie. Tiene la semilla y puede empezar.
# * `e` y `f` solo los usa `L`. Después de `L`, puede hablar cualquiera de los dos.
# * A `ab` lo usa `e`. Tiene que esperar a `e`.
#
# No se exige nada más. Así que hay 3 órdenes válidos de las operaciones:
#
# 1. `L, f, e, ab`
# 2. `L, e, f, ab`
# 3. `L, e, ab, f`
#
# Recorra cualquiera de ellos, y `a` acabará en 4, `b` en -4 y `c` en -12. Tiene que ser así: cada contribución es el mismo número, se envíe cuando se envíe, y a una suma no le importa en qué orden llegaron sus términos.
#
# Los datos bajan, los gradientes suben. Donde se juntan varias corrientes, el nodo las espera a todas antes de seguir.

# %%
picture(graph, "river")

# %% [markdown]
# ## Cómo encuentra un orden el motor
#
# Quizá espere una búsqueda ingeniosa. La manera más fácil no necesita ninguna: **primero el más reciente**. Un nodo solo puede hacerse a partir de nodos que ya existen, así que todos los que lo usan son *más jóvenes* que él. Vaya del más joven al más viejo, y nadie hablará antes de tiempo. Ese es el orden `L, f, e, ab`, y es lo que hace minigrad.
#
# Los motores que no guardan una lista de sus nodos buscan un orden al empezar la pasada. Una **ordenación topológica** es una lista en la que cada nodo va *después* de todos sus operandos; leída desde el final, es un orden para la pasada. La manera habitual de obtenerla tiene tres partes:
#
# * **Primero en profundidad.** Empiece en la salida. Baje al primer operando, de ahí a *su* primer operando, y así hasta una entrada; solo entonces vienen los segundos operandos.
# * **Postorden.** Un nodo se apunta al salir de él, después de todos sus operandos, nunca al llegar.
# * **Un conjunto de visitados.** A `a` se llega por dos sitios. La segunda vez se da la vuelta en el acto, o `a` estaría dos veces en la lista.
#
# Véalo en nuestro grafo, paso a paso. Cuanto más a la derecha empieza la línea, más profunda es la visita.

# %%
operands = {"L": "e f", "e": "ab c", "f": "a c", "ab": "a b", "a": "", "b": "", "c": ""}
visited, order = set(), []


def visit(node, depth=0):
    if node in visited:
        print("  " * depth + node, "ya está visitado: media vuelta")
        return
    visited.add(node)
    print("  " * depth + node, "baja" if operands[node] else "es una entrada")
    for child in operands[node].split():
        visit(child, depth + 1)
    order.append(node)
    print("  " * depth + node, "se apunta:", *order)


visit("L")
print("la pasada recorre:", *reversed(order))

# %% [markdown]
# Es la misma regla con otro ropaje: nadie está en la lista antes que sus operandos, así que nadie habla antes que quienes lo usan.

# %% [markdown]
# ## Una pasada rota también tiene un orden
#
# A una pasada correcta le da igual qué orden válido recorre. A una rota puede importarle mucho. Aquí está otra vez `=` en lugar de `+=`, en cada uno de los órdenes:
#
# | orden | `a` | `b` | `c` |
# |---|---|---|---|
# | cualquiera, con `+=` | 4 | -4 | -12 |
# | `L, f, e, ab`, con `=` | -6 | -4 | -2 |
# | `L, e, f, ab`, con `=` | -6 | -4 | -10 |
# | `L, e, ab, f`, con `=` | 10 | -4 | -10 |
#
# Un fallo, un grafo, tres resultados. Tome la última fila y compruébela: ¿quién habla el último y qué conserva `a`? Así que, cuando diga qué *dará* un fallo, diga en qué orden. Y cuando vaya de unos números incorrectos al fallo, pruebe todos los órdenes. Ni `a` ni `c` salen bien en ninguno de ellos: aquí la suerte no ayuda.
#
# Hay motores que guardan los operandos de un nodo en un conjunto, que no tiene orden propio. Con un fallo así dentro, el mismo programa puede equivocarse hoy de una manera y mañana de otra.

# %% [markdown]
# ## ¿Por qué no basta la recursión?
#
# Es la primera idea de todo el mundo. «Que el nodo envíe a sus operandos; después, que cada operando haga lo mismo.»
#
# ```text
# def go_back(node):
#     node._backward()
#     for child in node._children:
#         go_back(child)
# ```
#
# Es breve, no necesita lista ni ordenación, y en el grafo de arriba da los números correctos. Pruébela en este:

# %%
graph = """
a = 3
b = a + a
c = b + b
"""
explain(graph)

# %% [markdown]
# Aquí `b` se usa dos veces, y `b` no es una entrada: tiene a quien entregar lo que recibe. ¿Quién llama a `go_back(b)`, y cuántas veces? ¿Qué hay en su buzón cada vez?

# %% [markdown]
# ## Laboratorio
#
# Una pasada correcta da 4 para `a`. Siga la recursión a lápiz: ¿qué hay en el buzón de `b` en su primer turno, qué envía, y qué pasa en su segundo turno?

# %%
lab(graph, "recursion")

# %% [markdown]
# Un nodo que habla dos veces vuelve a entregar lo que ya había entregado. Las entradas se pueden visitar cuantas veces se quiera, porque no envían nada. Por eso el fallo se esconde allí donde solo se comparten *entradas*, como en todos los grafos de las lecciones hasta aquí, y por eso la gente vuelve a preguntar por él una y otra vez. Hace falta un nodo compartido **intermedio**.

# %% [markdown]
# ## Punto de control

# %%
graph = """
x = 4; y = 3
p = x*y
u = x + y
t = p - u
"""

# %% [markdown]
# ### Pregunta 1

# %%
q1 = question("order/valid-order")
q1

# %%
check(q1, ...)  # su respuesta en lugar de ...

# %%
# reveal(q1)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 2

# %%
q2 = question("order/last-word")
q2

# %%
check(q2, x=..., y=...)  # su respuesta en lugar de ...

# %%
# reveal(q2)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 3

# %%
q3 = question("order/right")
q3

# %%
check(q3, x=..., y=...)  # su respuesta en lugar de ...

# %%
# reveal(q3)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 4

# %%
q4 = question("order/recursion-shows")
q4

# %%
check(q4, ...)  # su respuesta en lugar de ...

# %%
# reveal(q4)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 5

# %%
q5 = question("order:2:55")
q5

# %%
check(q5, a=..., b=...)  # su respuesta en lugar de ...

# %%
# reveal(q5)  # quite el # para ver la respuesta

# %% [markdown]
# **Lo que ya sabe hacer:** enumerar los órdenes válidos de un grafo, decir qué da una pasada rota en cada uno y explicar por qué no basta la recursión. **A continuación:** *Tres maneras de llegar a un mismo número*. Sabe calcular un gradiente. ¿Cómo sabe que es correcto?
