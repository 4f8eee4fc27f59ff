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
# # Reglas locales
#
# > Cada operación conoce su propia pendiente, y un gradiente no es más que esas pendientes, multiplicadas.
#
# Unidad 2 · 7 minutos

# %%
import os

os.environ["MINIGRAD_LANG"] = "es"

from minigrad import Value, explain
from minigrad.faults import lab
from minigrad.learn import check, command, picture, question, reveal

# %% [markdown]
# En la unidad anterior encontró gradientes empujando. Funciona, pero no explica nada. Miremos dentro de una sola operación.

# %%
graph = """
x = 3; y = 5
z = x*y
"""
explain(graph)

# %% [markdown]
# ## Un producto intercambia
#
# Dibuje un rectángulo. Un lado es `x`, el otro es `y`, y el área es `z`, o sea `3 * 5`, que son 15.
#
# Alargue ahora el lado `x` apenas un milímetro. ¿Cuánta área gana?
#
# Gana una tira muy fina, de un milímetro de ancho y tan larga como *el otro lado*. Por eso `z` crece 5 veces lo que crece `x`. Haga lo mismo con el lado `y`, y la tira será tan larga como `x`: `z` crece 3 veces lo que crece `y`.
#
# Esa es la regla del producto. La derivada respecto de `x` es 5, es decir, `y`. La derivada respecto de `y` es 3, es decir, `x`. **Un producto intercambia sus factores.**

# %% [markdown]
# ## Una suma transmite lo que recibe
#
# Ponga dos varas una a continuación de la otra. Alargue una de ellas un milímetro, y el conjunto crece ese mismo milímetro. Da igual lo largas que sean. Por eso en `x + y` las dos derivadas valen 1. **Una suma transmite lo que recibe, sin cambios.**

# %% [markdown]
# ## Cualquier otra operación es una fila más
#
# Estas derivadas se llaman **locales**. Preguntan por una sola operación: si este operando se mueve un poco, ¿cuánto se mueve *el resultado de esta operación*? Lo que venga antes o después no es asunto suyo.
#
# | operación | local, primero | segundo | en palabras |
# |---|---|---|---|
# | `a + b` | 1 | 1 | lo transmite |
# | `a * b` | `b` | `a` | intercambia |
# | `a - b` | 1 | -1 | lo transmite; al segundo, con signo menos |
# | `relu(a)` | 1 o 0 |  | una compuerta, abierta por encima de cero y cerrada por debajo |
#
# La tercera fila no hace falta. `a - b` es `a + (-1 * b)`: un producto y una suma, y de ambos ya conoce la regla. El producto cambia el signo de lo que recibe para `b`, y la suma lo transmite. minigrad tiene una fila para `-` porque es más corta, no porque sea nueva; el terminal muestra que los dos caminos llevan a los mismos gradientes.

# %%
command('minigrad explain "m = -1 * b; a + m" a=5 b=2 --view ledger --lang es')

# %%
command('minigrad explain "a - b" a=5 b=2 --view ledger --lang es')

# %% [markdown]
# minigrad conoce 56 operaciones, y cada una es una fila como estas. En cuanto una operación tiene su fila, no hace falta saber nada más de ella.

# %% [markdown]
# ## De lo local al gradiente
#
# Esta es una cadena de tres operaciones. Es, por cierto, una neurona: multiplicar, sumar y una compuerta.

# %%
graph = """
a = 2; b = -3; d = 10
c = a*b
e = c + d
f = relu(e)
"""
explain(graph)

# %% [markdown]
# Hacia delante: `2 * (-3)` para `c`, después `-6 + 10` para `e`, y la compuerta deja pasar 4.
#
# ¿Qué efecto tiene `a` sobre `f`? Los dos nunca se encuentran. `a` solo trata con `c`, `c` solo trata con `e`, y `e` trata con `f`. Así que vaya por partes. Empuje `a` un milímetro, por decirlo así.
#
# 1. `c` se mueve -3 milímetros, porque un producto intercambia.
# 2. Por cada milímetro de `c`, `e` se mueve 1, porque una suma entrega.
# 3. Por cada milímetro de `e`, `f` se mueve 1, porque la compuerta está abierta.
#
# Los factores que actúan uno tras otro se multiplican: `-3 * 1 * 1` da -3. En el instituto, esto es la **regla de la cadena**.
#
# Una máquina lo hace desde el otro extremo, porque desde allí un solo recorrido sirve para todas las entradas. Cada nodo pregunta: *¿cuánto se mueve la salida cuando me muevo yo?* Ese número es su propio gradiente. Visto desde los operandos es el **gradiente entrante**, porque les llega de la salida. Después, cada nodo envía a cada operando
#
# **contribución = derivada local × gradiente entrante**
#
# y ese es todo el mecanismo. Sígalo aquí, desde la salida hacia atrás:
#
# | nodo | gradiente entrante | local | envía |
# |---|---|---|---|
# | `f = relu(e)` | 1 (la semilla) | 1 | 1 a `e` |
# | `e = c + d` | 1 | 1 y 1 | 1 a `c`, 1 a `d` |
# | `c = a * b` | 1 | -3 y 2 | -3 a `a`, 2 a `b` |
#
# La misma pasada en una imagen: los datos a la ida, los gradientes a la vuelta y lo que se envía por el camino.

# %%
picture(graph, "graph")

# %% [markdown]
# En palabras: si `a` crece un poco, `f` baja 3 veces esa cantidad; si `b` crece un poco, `f` crece 2 veces esa cantidad.

# %% [markdown]
# ## Una compuerta cerrada
#
# Supongamos ahora que `d` vale 1 y lo demás queda igual. Entonces `e` es -5, y la compuerta lo convierte en 0. Empuje `a` un poco: `e` se mueve, pero sigue por debajo de cero, y `f` ni se inmuta. Una compuerta cerrada no envía nada, así que el gradiente de todo lo que hay detrás es cero.
#
# ¿Y si `e` vale exactamente cero? Ahí la gráfica forma un ángulo: es un *punto anguloso*, y no hay pendiente. Todo el mundo tiene que elegir un número; aquí se elige 0, como en PyTorch, y la explicación lo dice siempre que una pasada toca un punto así.

# %% [markdown]
# ## Laboratorio

# %%
graph = """
x = 3; y = 5; w = 4
p = x*y
z = p - w
"""
explain(graph)

# %% [markdown]
# Un motor público tenía mal la fila de `-`: decía que una resta entrega lo mismo a los dos lados, como una suma.
#
# De los tres gradientes, ¿cuáles salen mal y cuáles siguen bien? ¿Por qué esos?

# %%
lab(graph, "sub-sign")

# %% [markdown]
# ## Punto de control

# %%
graph = """
u = 5; v = 2; w = 4
m = u - v
n = m*w
"""

# %% [markdown]
# ### Pregunta 1

# %%
q1 = question("local-rules/all-three")
q1

# %%
check(q1, u=..., v=..., w=...)  # su respuesta en lugar de ...

# %%
# reveal(q1)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 2

# %%
q2 = question("local-rules/square")
q2

# %%
check(q2, ...)  # su respuesta en lugar de ...

# %%
# reveal(q2)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 3

# %%
q3 = question("local-rules/quotient")
q3

# %%
check(q3, ...)  # su respuesta en lugar de ...

# %%
# reveal(q3)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 4

# %%
q4 = question("gradient:1:24")
q4

# %%
check(q4, a=..., b=...)  # su respuesta en lugar de ...

# %%
# reveal(q4)  # quite el # para ver la respuesta

# %% [markdown]
# **Lo que ya sabe hacer:** nombrar la derivada local de una operación y convertir derivadas locales en un gradiente, multiplicando. **A continuación:** *Una pasada a mano*. Ya ha visto la máquina. Ahora la máquina es usted.
