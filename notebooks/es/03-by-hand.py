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
# # Una pasada a mano
#
# > Ponga la semilla en la salida, retroceda nodo a nodo, multiplique la derivada local por el gradiente entrante y sume el resultado al `grad` del operando.
#
# Unidad 3 · 8 minutos

# %%
import os

os.environ["MINIGRAD_LANG"] = "es"

from minigrad import Value, explain
from minigrad.faults import lab
from minigrad.learn import check, command, picture, question, reveal

# %% [markdown]
# Ya conoce las filas y sabe lo que envía un nodo. Esta unidad no añade nada nuevo. Solo le pide que lo haga todo una vez, a lápiz, hasta el último número. Quien lo ha hecho una vez ve venir todos los fallos que siguen.

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
# ## Hacia delante
#
# Primero los datos, de arriba abajo: `ab` es `2 * 3`, o sea 6. `e` es `6 + 4`, o sea 10. `f` es `2 - 4`, o sea -2. Y `L` es `10 * (-2)`, o sea -20.
#
# Fíjese en que `a` se usa en dos sitios, y `c` también. No haga nada especial al respecto. Se resolverá solo, y la próxima unidad explica por qué.

# %% [markdown]
# ## Cuatro movimientos
#
# 1. **Semilla.** Escriba 1 en el `grad` de `L`, y 0 en el de todo lo demás.
# 2. **De derecha a izquierda.** Recorra los nodos calculados, empezando por el más reciente: `L, f, e, ab`.
# 3. **Multiplicar.** El nodo al que le llega el turno toma su propio `grad`, que es el *gradiente entrante*, y para cada operando lo multiplica por la derivada local.
# 4. **Sumar.** El producto se añade *a lo que ya había* en el `grad` del operando. *Antes* y *después* son ese `grad`.
#
# Empieza `L`. ¿Qué envía a `e` y qué a `f`? Después le toca a `f`: escriba tantas filas como pueda.
#
# El recorrido completo:
#
# | turno | envía a | local × entrante | contribución | antes | después |
# |---|---|---|---|---|---|
# | `L = e * f` | `e` | -2 × 1 | -2 | 0 | -2 |
# |  | `f` | 10 × 1 | 10 | 0 | 10 |
# | `f = a - c` | `a` | 1 × 10 | 10 | 0 | 10 |
# |  | `c` | -1 × 10 | -10 | 0 | -10 |
# | `e = ab + c` | `ab` | 1 × -2 | -2 | 0 | -2 |
# |  | `c` | 1 × -2 | -2 | -10 | -12 |
# | `ab = a * b` | `a` | 3 × -2 | -6 | 10 | 4 |
# |  | `b` | 2 × -2 | -4 | 0 | -4 |
#
# Las entradas no tienen a quién enviar nada, así que la pasada ha terminado: `a` tiene 4, `b` tiene -4, `c` tiene -12.
#
# Deténgase en dos lugares. En las dos primeras filas, `e` recibe el valor de `f`, y `f` recibe el valor de `e`: el intercambio del producto. Y en la fila en que `ab` envía a `a`, el `grad` de `a` ya tenía 10. Pasó a 4 porque -6 se *sumó*. La columna de la derecha no es un resultado que se sustituye. Es un **total parcial**.

# %% [markdown]
# ## Lo mismo en Python
#
# Cada `Value` tiene un método `_backward()` que hace exactamente un turno: envía a sus propios operandos y se detiene. Llamarlo a mano, en nuestro orden, es la tabla de arriba.

# %%
from minigrad import Value

a = Value(2.0, label="a")
b = Value(3.0, label="b")
c = Value(4.0, label="c")
ab = a * b
e = ab + c
f = a - c
L = e * f

L.grad = 1.0
for name, node in [("L", L), ("f", f), ("e", e), ("ab", ab)]:
    node._backward()
    print(name, ":", a.grad, b.grad, c.grad)

# %% [markdown]
# Lea lo que imprime hacia la mitad: después del turno de `f`, `a` va por 10. No es un error ni es un gradiente. Es un total a medio camino. Solo está completo cuando todos han tenido su turno.
#
# Cuando usted escribe `L.backward()`, lo que se ejecuta es la semilla y este bucle. No hay nada más.

# %% [markdown]
# ## Hacia delante y hacia atrás, como en un espejo
#
# Lea la parte izquierda hacia abajo y la derecha hacia arriba. Lo último que se calculó es lo primero que habla.

# %%
picture(graph, "waterfall")

# %% [markdown]
# Hacia delante, `L` fue el último en calcularse, porque necesita `e` y `f`. Hacia atrás es el primero en hablar, porque ningún otro nodo sabe todavía qué efecto tiene sobre la salida. Cada línea de la izquierda tiene su pareja a la derecha, y van en sentidos opuestos. Los datos bajan; los gradientes suben.
#
# ¿Para qué molestarse, si empujando cada entrada salen los mismos números? Porque empujar sale caro: exige una pasada hacia delante por cada entrada. La pasada hacia atrás visita cada operación una sola vez y obtiene *todos* los gradientes, por muchas entradas que haya.

# %% [markdown]
# ## Laboratorio
#
# Quite ahora una sola multiplicación: cada nodo envía únicamente su derivada local y olvida el gradiente entrante. Ha ocurrido en bibliotecas reales.
#
# Repita la tabla sin el factor del gradiente entrante. Aun así, uno de los tres gradientes sale bien. ¿Cuál? ¿Hay una razón, o es suerte?

# %%
lab(graph, "upstream-ignored")

# %% [markdown]
# Mire con atención ese único número correcto. Si su única prueba hubiera sido el gradiente de `a`, este motor la habría superado.

# %% [markdown]
# ## Punto de control

# %%
graph = """
u = 3; v = 2
p = u*v
m = p - u
z = m*v
"""

# %% [markdown]
# ### Pregunta 1

# %%
q1 = question("by-hand/halfway")
q1

# %%
check(q1, u=...)  # su respuesta en lugar de ...

# %%
# reveal(q1)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 2

# %%
q2 = question("by-hand/both")
q2

# %%
check(q2, u=..., v=...)  # su respuesta en lugar de ...

# %%
# reveal(q2)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 3

# %%
q3 = question("by-hand/which")
q3

# %%
check(q3, ...)  # su respuesta en lugar de ...

# %%
# reveal(q3)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 4

# %%
q4 = question("running:1:34")
q4

# %%
check(q4, a=...)  # su respuesta en lugar de ...

# %%
# reveal(q4)  # quite el # para ver la respuesta

# %% [markdown]
# **Lo que ya sabe hacer:** recorrer una pasada hacia atrás hasta el último número, con un total parcial para cada nodo. **A continuación:** *Rombos*. ¿Por qué hay que sumar las contribuciones, y qué ocurre si no se suman?
