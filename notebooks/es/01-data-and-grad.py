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
# # Lo que guarda un nodo
#
# > A cada valor de un cálculo le corresponden dos números: lo que es, y cuánto se movería el resultado si ese valor se moviera.
#
# Unidad 1 · 6 minutos

# %%
import os

os.environ["MINIGRAD_LANG"] = "es"

from minigrad import Value, explain
from minigrad.faults import lab
from minigrad.learn import check, command, picture, question, reveal

# %% [markdown]
# Este es un cálculo con dos entradas y tres operaciones.

# %%
graph = """
a = 2; b = -3
c = a*b
d = a + b
e = c + d
"""
explain(graph)

# %% [markdown]
# Cada nombre es un **nodo**. `a` y `b` vienen dados. Los demás se han calculado, y cada uno recuerda a partir de qué: `c` sabe que es `a * b`, `e` sabe que es `c + d`. Los nodos y aquello de lo que proceden: la palabra *grafo* no significa aquí nada más.

# %% [markdown]
# ## Lo que es: data
#
# Tome un lápiz y calcule de arriba abajo. ¿Cuánto valen `c`, `d` y `e`?
#
# De arriba abajo:
#
# * `c` es `2 * (-3)`, es decir, -6.
# * `d` es `2 + (-3)`, es decir, -1.
# * `e` es `-6 + (-1)`, es decir, -7. Este es el resultado, la *salida*.
#
# A estos números los llamamos **data**, los datos. El `data` de un nodo dice lo que el nodo *es*. Calcularlo desde las entradas hasta la salida es la *pasada hacia delante*, y usted acaba de hacer una.

# %% [markdown]
# ## Lo que hace: grad
#
# Ahora una pregunta que ningún valor responde. Suponga que `a` fuera un poquito mayor. ¿`e` crecería o bajaría, y cuántas veces lo que se mueve `a`? Basta con adivinarlo.
#
# Pruébelo, que siempre está permitido. Empuje una entrada 0.001 hacia arriba, no toque la otra y repita la pasada hacia delante.
#
# | se empuja | de | a | `e` pasa a ser | `e` se ha movido |
# |---|---|---|---|---|
# | `a` | 2 | 2.001 | -7.002 | -0.002 |
# | `b` | -3 | -2.999 | -6.997 | 0.003 |
#
# Fíjese en la última columna. `e` se ha movido -2 veces lo que se movió `a`; es decir, *bajó* mientras `a` subía. Y se ha movido 3 veces lo que se movió `b`, en el mismo sentido.
#
# Ese factor es el **grad** del nodo, abreviatura de *gradiente*. Ya lo conoce del instituto: es una pendiente. El gradiente de un nodo dice qué *efecto* tiene el nodo sobre la salida: mueva el nodo un poco, y la salida se moverá esa cantidad multiplicada por el gradiente.
#
# Decimos *un poco* porque casi todas las pendientes cambian por el camino. De cerca, cualquier curva suave parece recta, y el gradiente es la pendiente de ese tramo recto.

# %% [markdown]
# ## Dos números, dos preguntas
#
# | nodo | data: lo que es | grad: su efecto sobre `e` |
# |---|---|---|
# | `a` | 2 | -2 |
# | `b` | -3 | 3 |
# | `c` | -6 | 1 |
# | `d` | -1 | 1 |
# | `e` | -7 | 1 |
#
# Lea en voz alta la fila de `c`: *`c` vale -6 y, por cada 1 que se mueve, `e` se mueve 1*. Los dos números no tienen nada que ver entre sí. Un nodo con un dato enorme puede no tener ningún efecto sobre la salida, y uno con un dato diminuto puede dominarla.
#
# La última fila no necesita lápiz. Cuando `e` se mueve cierta cantidad, `e` se mueve esa cantidad. Por eso el gradiente de la salida es siempre 1. De este hecho tan sencillo parte todo cálculo de gradientes; se llama la **semilla**.

# %% [markdown]
# ## Signo y tamaño
#
# Un gradiente se lee en dos vistazos. El **signo** es el sentido: si es positivo, la salida acompaña al nodo; si es negativo, va al contrario. El **tamaño** es la fuerza: cuánto tira este nodo de la salida.
#
# A la izquierda de la línea: si esta entrada sube, `e` baja. La barra más larga es la que más tira.

# %%
picture(graph, "thermometer")

# %% [markdown]
# Entonces, si quisiera que `e` creciera, ¿qué entrada tocaría primero, y hacia dónde la empujaría?
#
# La de la barra más larga, `b`, hacia arriba. ¿Y `a`? Hacia abajo. Recuérdelo: entrenar una red neuronal es esta misma pregunta, una y otra vez. Volverá en la última unidad.

# %% [markdown]
# ## Que lo haga la máquina
#
# Ha empujado cada entrada a mano, con una pasada hacia delante para cada una. Con un millón de entradas no lo haría. Una sola *pasada hacia atrás* encuentra todos los gradientes a la vez, y de cómo lo consigue trata este curso.

# %%
from minigrad import Value

a = Value(2.0, label="a")
b = Value(-3.0, label="b")
e = a * b + (a + b)
e.backward()
print("a:", a.data, a.grad)
print("b:", b.data, b.grad)

# %% [markdown]
# Lo mismo desde la terminal, con una frase para cada entrada:

# %%
command('minigrad explain "c = a*b; d = a + b; e = c + d" a=2 b=-3 --view forward,meaning --lang es')

# %% [markdown]
# ## Laboratorio
#
# En este curso se aprende cómo funcionan las cosas rompiéndolas. Este es el primer fallo. Alguien empezó la pasada hacia atrás con el `data` de la salida donde corresponde su `grad`: -7 en lugar de 1. Desde ahí la pasada obtiene todos los demás gradientes multiplicando, así que cada uno es un múltiplo del número del que parte.
#
# Un laboratorio muestra primero el cambio, como dos líneas del programa: tras `-`, lo que decía la línea; tras `+`, lo que dice ahora. Debajo, los números de usted aparecen junto a los de la pasada rota. Esa pasada toma los nodos uno tras otro; de quién es el *turno* en cada momento es el *orden*, que tiene su propia unidad. Y donde dice `vía d`, se trata de la parte de un gradiente que llega a través de `d`.
#
# Todas las demás líneas del programa son correctas. Prediga qué gradientes saldrán para `a` y para `b`. ¿Conservan el signo?

# %%
lab(graph, "seed-is-data")

# %% [markdown]
# Lo que cuenta en esta ejecución: cada gradiente es -7 veces el correcto. Todos han cambiado de signo, porque -7 es negativo.

# %% [markdown]
# ## Punto de control
#
# Un cálculo nuevo, para que no haya dónde copiar. Responda primero; después se muestra la respuesta, con su porqué.

# %%
graph = """
u = 4; v = 2
w = u*v
z = w - v
"""

# %% [markdown]
# ### Pregunta 1

# %%
q1 = question("data-and-grad/forward")
q1

# %%
check(q1, z=...)  # su respuesta en lugar de ...

# %%
# reveal(q1)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 2

# %%
q2 = question("data-and-grad/push")
q2

# %%
check(q2, v=...)  # su respuesta en lugar de ...

# %%
# reveal(q2)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 3

# %%
q3 = question("data-and-grad/strongest")
q3

# %%
check(q3, ...)  # su respuesta en lugar de ...

# %%
# reveal(q3)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 4

# %%
q4 = question("leverage:1:14")
q4

# %%
check(q4, ...)  # su respuesta en lugar de ...

# %%
# reveal(q4)  # quite el # para ver la respuesta

# %% [markdown]
# **Lo que ya sabe hacer:** decir qué es un nodo y qué hace, encontrar un gradiente empujando y leer su signo y su tamaño. **A continuación:** *Reglas locales*. Empujar una entrada dice *que* la salida se mueve. Las reglas dicen *por qué*, operación a operación.
