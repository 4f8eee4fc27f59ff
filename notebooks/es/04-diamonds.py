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
# # Rombos
#
# > Un nodo que se usa dos veces actúa sobre la salida por dos caminos a la vez; por eso su gradiente es la suma sobre los caminos, y `+=` es la forma de escribir esa suma en un programa.
#
# Unidad 4 · 8 minutos

# %%
import os

os.environ["MINIGRAD_LANG"] = "es"

from minigrad import Value, explain
from minigrad.faults import lab
from minigrad.learn import check, command, picture, question, reveal

# %% [markdown]
# Ya ha visto dos veces una entrada que usan dos operaciones. Este es, de nuevo, el grafo de la unidad anterior. Siga `a` con el dedo.

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
# Los caminos que salen de `a` se separan enseguida y vuelven a juntarse en `L`. En el papel parece un rombo, y de ahí le viene el nombre.

# %% [markdown]
# ## Dos caminos, un empujón
#
# ¿Cuántos caminos llevan de `a` a `L`? Sígalos con el dedo.
#
# Son 2:
#
# * `a > f > L`, donde las derivadas locales se multiplican así: `1 * 10`, que da 10;
# * `a > ab > e > L`, donde se multiplican así: `3 * 1 * (-2)`, que da -6.
#
# Empuje ahora `a` un milímetro. Por el primer camino, `L` se mueve 10 milímetros. Por el segundo, se mueve -6 milímetros. ¿Cuál de las dos cosas ocurre? *Las dos*, porque es el mismo `a` el que se ha movido, y no puede moverse para una operación y quedarse quieto para la otra. Así que `L` se mueve 10 - 6, o sea 4 milímetros.
#
# Eso es la suma sobre los caminos: **multiplicar a lo largo de cada camino, sumar sobre todos los caminos.** Cada nodo se limita a sumar lo que le llega: 10 vía f - 6 vía ab.
#
# El desglose de `a`: cada contribución que le enviaron, quién la envió, y el total.

# %%
picture(graph, "ledger", "a")

# %% [markdown]
# `b` se usa una sola vez, así que su desglose tiene una línea, -4 vía ab. `c` se usa dos veces. ¿Cuáles son sus dos líneas?
#
# El desglose de `c` dice -10 vía f - 2 vía e.

# %% [markdown]
# ## Por qué += y no =
#
# En un programa, «sumar sobre los caminos» ocupa un solo carácter. En el código, `upstream` es el gradiente entrante. Bien:
#
# ```text
# a.grad += local * upstream
# ```
#
# Mal:
#
# ```text
# a.grad = local * upstream
# ```
#
# Con `=`, cada contribución borra la anterior. Solo queda la del camino que llega el último. No salta ningún error. Los números salen limpios, de un tamaño razonable, y equivocados. En un grafo donde todo se usa una sola vez, los números siguen siendo todos correctos, así que las pruebas pequeñas de siempre pasan. En los motores públicos que se leyeron para este proyecto, `=` en lugar de `+=` es uno de los fallos más frecuentes, y ha superado las pruebas de cursos enteros.

# %% [markdown]
# ## Laboratorio
#
# Nuestro grafo, con `=` en lugar de `+=` en todas las operaciones.
#
# Los turnos siguen el orden `L, f, e, ab`. Para cada entrada: ¿qué contribuciones llegan, cuál llega la última y qué queda al final?

# %%
lab(graph, "overwrite")

# %% [markdown]
# La línea que lo delata es aquella en la que `a` pasa de 10 a -6. Con `+=` pasaría de 10 a 4. Si un total salta *hasta* la nueva contribución, ha sido sustituido. Si se mueve *tanto como* ella, se le ha sumado.
#
# Y `b` vale -4, que es correcto. Un solo camino, nada que perder.

# %% [markdown]
# ## El rombo más pequeño
#
# Más pequeño que este no hay ninguno:

# %%
graph = """
a = 3
s = a + a
"""
explain(graph)

# %% [markdown]
# Una suma transmite lo que recibe a sus dos operandos, y los dos son `a`. Así que `a` recibe 1 por la primera ranura y 1 por la segunda, 2 en total. Y es correcto: cuando `a` crece un milímetro, `a + a` crece dos.
#
# Entonces, ¿`a * a` es un caso especial? Mucha gente lo pregunta. No: cada ranura recibe el otro factor, que resulta ser otra vez `a`, de modo que el total es el doble de `a`. Es la regla que usted aprendió de memoria en el instituto. También eso es un rombo.

# %% [markdown]
# ## La otra cara del mismo operador
#
# `+=` suma a lo que ya hay. Y lo que ya hay, ¿*desde cuándo* está ahí? Si llama dos veces a `backward()`, la segunda pasada suma encima de la primera.

# %%
from minigrad import Value

a = Value(3.0, label="a")
(a + a).backward()
print(a.grad)
(a + a).backward()
print(a.grad)
a.zero_grad()
(a + a).backward()
print(a.grad)

# %% [markdown]
# Por eso hay que devolver el `grad` a cero entre dos pasadas que no tienen nada que ver entre sí. Para eso está `zero_grad`, y por eso lo llama todo bucle de entrenamiento. Dentro de una pasada, el fallo es olvidarse de sumar. Entre una pasada y otra, el fallo es olvidarse de dejar de sumar. Un operador, dos maneras de equivocarse.

# %% [markdown]
# ## Punto de control
#
# Ya conoce este grafo de la primera unidad. Alguien hizo sobre él una pasada hacia atrás y anotó los números.

# %%
graph = """
a = 2; b = -3
c = a*b
d = a + b
e = c + d
"""

# %% [markdown]
# ### Pregunta 1

# %%
q1 = question("diamonds/kept-branch")
q1

# %%
check(q1, ...)  # su respuesta en lugar de ...

# %%
# reveal(q1)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 2

# %%
q2 = question("diamonds/lost-branch")
q2

# %%
check(q2, ...)  # su respuesta en lugar de ...

# %%
# reveal(q2)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 3

# %%
q3 = question("diamonds/which-bug")
q3

# %%
check(q3, ...)  # su respuesta en lugar de ...

# %%
# reveal(q3)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 4

# %%
q4 = question("diamonds/what-is-right")
q4

# %%
check(q4, a=..., b=...)  # su respuesta en lugar de ...

# %%
# reveal(q4)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 5

# %%
q5 = question("lost:2:45")
q5

# %%
check(q5, ...)  # su respuesta en lugar de ...

# %%
# reveal(q5)  # quite el # para ver la respuesta

# %% [markdown]
# **Lo que ya sabe hacer:** ver un gradiente como una suma sobre caminos y leer en unos números incorrectos qué camino se perdió. **A continuación:** *Orden*. En el laboratorio, lo que quedaba dependía de quién hablaba el último. ¿Quién decide eso?
