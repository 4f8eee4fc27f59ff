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
# # De un gradiente al entrenamiento
#
# > Una pérdida no es más que una salida, y aprender es dar pasos en contra de su gradiente, una y otra vez.
#
# Unidad 8 · 9 minutos

# %%
import os

os.environ["MINIGRAD_LANG"] = "es"

from minigrad import Value, explain
from minigrad.faults import lab
from minigrad.learn import check, command, picture, question, reveal

# %% [markdown]
# Sabe calcular un gradiente, explicarlo, comprobarlo y romperlo. ¿Para *qué* sirve? Este es el modelo más pequeño que existe. Tiene un solo peso, `w`. Se le muestra el número `x` y debería responder `t`.

# %%
graph = """
w = 2; x = 3; t = 4
y = w*x
miss = y - t
loss = miss*miss
"""
explain(graph)

# %% [markdown]
# ## Una pérdida no es más que una salida
#
# La respuesta `y` es `2 * 3`, o sea 6. Debería ser 4, así que se desvía 2. La pérdida es el cuadrado de eso, 4: da igual por qué lado se desvíe, y desviarse mucho cuesta más. Aprender significa hacer pequeño este número.
#
# Y ahora puede ver que aquí no hay nada nuevo. `loss` es un nodo como cualquier otro. Es el último, así que es la salida, y una sola pasada hacia atrás da el gradiente de todo lo demás. (`miss` ocupa las dos ranuras de un producto: un rombo.)
#
# Qué mueve la pérdida, y hacia dónde. Solo `w` está en nuestras manos: `x` y `t` vienen de fuera.

# %%
picture(graph, "thermometer")

# %% [markdown]
# ## En contra del gradiente
#
# El gradiente de `w` es 12. Si `w` crece un poco, la pérdida crece. Así que haga `w` *menor*. Eso es todo el entrenamiento en una línea:
#
# **nuevo w = w - tasa × grad**
#
# El menos está ahí porque queremos bajar. La *tasa de aprendizaje* dice hasta dónde fiarse de la pendiente, que solo vale en las cercanías.
#
# | tasa | nuevo `w` | la pérdida pasa a ser |
# |---|---|---|
# | 0.05 | 1.4 | 0.04 |
# | 0.2 | -0.4 | 27.04 |
#
# El primer paso lleva la pérdida de 4 a 0.04. El segundo va en el mismo sentido, solo que es más largo, y empeora las cosas: cruzó el valle entero y subió por la otra ladera. Un gradiente dice hacia dónde. No dice hasta dónde.

# %% [markdown]
# ## El bucle
#
# Tener más pesos no cambia la idea. Cada uno recibe su gradiente de la *misma* pasada hacia atrás, y cada uno da su propio pasito. Esta es una red pequeña. Aprende a distinguir dos grupos de puntos que forman dos medias lunas entrelazadas.

# %%
from minigrad import nn

points = nn.data.moons(30, noise=0.1, seed=2)
sides = [side for point, side in points]
model = nn.MLP(2, [6, 6, 1], seed=2)
optimiser = nn.SGD(model.parameters(), lr=1.0)

for step in range(51):
    scores = [model(point) for point, side in points]
    loss = nn.hinge_loss(scores, sides)
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    right = sum(score.data * side > 0 for score, side in zip(scores, sides))
    if step % 10 == 0:
        print(step, round(loss.data, 3), right)

# %% [markdown]
# La red tiene 67 pesos. Cada línea muestra la iteración, la pérdida y cuántos de los 30 puntos estaban en el lado correcto. Relea el bucle con lo que ya sabe. La pasada hacia delante construye un grafo. `zero_grad` borra lo que dejó la pasada anterior, porque `+=` le sumaría (unidad cuatro). `backward` pone la semilla y recorre (unidades tres y cinco). `step` avanza un poquito en contra de cada gradiente.

# %% [markdown]
# ## Que la pérdida baje no demuestra nada
#
# Ahora, lo más importante de este curso. Mire otra vez el rombo que hay en `loss`, y después un pariente cercano de un fallo que ya conoce.

# %% [markdown]
# ## Laboratorio
#
# En `miss*miss` el operando ocupa dos ranuras, y solo una de ellas envía. Prediga el gradiente de `w`. Después pregúntese: si se entrena con él, ¿bajará la pérdida de todos modos?

# %%
lab(graph, "repeated-once", variant="mul")

# %% [markdown]
# Bajará. Con una tasa de 0.05, el gradiente roto, 6, lleva `w` a 1.7 y la pérdida a 1.21. Es menos que 4. El sentido es correcto, solo la longitud está mal, y nadie que mire la pérdida sospecharía nada. Otros fallos tuercen la dirección. Mientras la tuerzan menos de un ángulo recto, los pasos pequeños siguen llevando cuesta abajo, solo que a menudo más despacio y a un sitio peor.
#
# Se puede ver. El mismo modelo se entrena dos veces, una con una pasada hacia atrás correcta y otra con una rota:
#
# ```console
# $ minigrad duel overwrite-one-op --on moons --lang es
# ```
#
# Mirando solo la pérdida, no lo notaría nadie. Así que no pregunte si aprende. Compruebe el gradiente *antes* de entrenar, en un grafo pequeño, con algo que no conozca sus reglas.

# %% [markdown]
# ## Las mismas reglas, una tabla mayor
#
# ¿Hasta dónde se llega con esto? Hasta el final. minigrad trae un GPT pequeño hecho de números sueltos, el tipo de modelo que escribe textos. Tiene 4 192 pesos. Para un solo nombre corto, su pasada hacia delante construye un grafo de 6 345 nodos: sumas, productos, algunos `exp` y `log`. La pasada hacia atrás pone la semilla en la pérdida, recorre primero lo más reciente, multiplica la derivada local por el gradiente entrante y suma. Cada turno es una fila como las que usted rellenó a mano.
#
# ```console
# $ minigrad train names --steps 50 --samples 5 --lang es
# ```
#
# No hay más secreto. Los modelos grandes hacen lo mismo con tablas de números en lugar de números sueltos, lo que es más rápido y hace más difícil ver qué ocurre dentro.

# %% [markdown]
# ## Punto de control
#
# Un modelo con dos pesos, `w` y `b`:

# %%
graph = """
w = 2; b = -3; x = 4; t = 2
y = w*x
z = y + b
miss = z - t
loss = miss*miss
"""

# %% [markdown]
# ### Pregunta 1

# %%
q1 = question("training/both-weights")
q1

# %%
check(q1, w=..., b=...)  # su respuesta en lugar de ...

# %%
# reveal(q1)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 2

# %%
q2 = question("training/check-first")
q2

# %%
check(q2, b=...)  # su respuesta en lugar de ...

# %%
# reveal(q2)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 3

# %%
q3 = question("training/hides-behind")
q3

# %%
check(q3, ...)  # su respuesta en lugar de ...

# %%
# reveal(q3)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 4

# %%
q4 = question("gradient:3:84")
q4

# %%
check(q4, a=..., b=..., c=...)  # su respuesta en lugar de ...

# %%
# reveal(q4)  # quite el # para ver la respuesta

# %% [markdown]
# Aquí termina el curso, y es un buen punto de partida:
#
# * Escriba un motor propio, de unas cien líneas, y deje que `minigrad doctor` lo examine.
# * En `minigrad studio` todo esto está vivo: arrastre una entrada, rompa una pasada, recorra los órdenes.
# * `minigrad break --list` muestra el catálogo entero. Elija un fallo y recorra las seis etapas.
# * `minigrad learn --review` vuelve a preguntar, a su debido tiempo y con otros números, lo que salió mal.
#
# **Lo que ya sabe hacer:** todo lo que este curso quería enseñar: recorrer a mano una pasada hacia atrás, predecir qué hace una rota, diagnosticarlo por sus números y saber por qué una pérdida que baja no demuestra nada.
