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
# # Romperlo a propósito
#
# > Se entiende una máquina cuando se puede decir de antemano qué hará si se le quita una pieza.
#
# Unidad 7 · 8 minutos

# %%
import os

os.environ["MINIGRAD_LANG"] = "es"

from minigrad import Value, explain
from minigrad.faults import lab
from minigrad.learn import check, command, picture, question, reveal

# %% [markdown]
# Hasta ahora ha roto una pasada cada vez que una unidad se lo pedía. Aquí se convierte en un método. Es el de todo buen mecánico y todo buen científico: cambiar una sola cosa, y decir *antes* qué va a ocurrir.

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
# ## Seis etapas
#
# Aquí están, con el fallo que mejor conoce: `=` en lugar de `+=`.
#
# 1. **Hipótesis.** `b` se usa una vez y sigue bien. `a` y `c` se usan dos veces y conservan solo lo último que llegó.
# 2. **El cambio.** Una línea: `child.grad += amount` pasa a ser `child.grad = amount`.
# 3. **La ejecución.** Las mismas entradas, en el orden `L, f, e, ab`.
# 4. **El error esperado.** `a` da -6 en lugar de 4, `c` da -2 en lugar de -12, y `b` se queda en -4. Escrito *antes* de ejecutar, y con su orden.
# 5. **El diagnóstico.** ¿Qué imprimiría usted para verlo ocurrir? Cada entrega: `a.grad: 10 -> -6` donde correspondía `10 -> 4`.
# 6. **La lección.** Un gradiente es una suma. Pruébelo con un grafo en el que algo se use dos veces.
#
# La cuarta etapa es la que enseña. Si la ejecución hace lo que usted dijo, había entendido la pieza. Si no, está a punto de aprender algo. En los dos casos sale ganando, pero solo si lo escribió antes.

# %% [markdown]
# ## Laboratorio
#
# Esta es una versión más traicionera del fallo que ya conoce. Solo *una* operación se escribió con `=`: el producto. Todas las demás suman.
#
# Señale las entregas que hace un producto. Esas pueden borrar algo; ninguna otra puede.

# %%
picture(graph, "graph")

# %% [markdown]
# Recorra usted las seis etapas. ¿Qué entrada sale mal en el orden `L, f, e, ab`? ¿Y hay algún orden válido en el que no salga mal nada?

# %%
lab(graph, "overwrite-one-op", variant="mul")

# %% [markdown]
# Un fallo que va y viene con el orden: ejecute este motor otra vez en otro orden, y la prueba sale en verde. Ahora sabe por qué hay quien duda de sus propios ojos.

# %% [markdown]
# ## Por qué pasan las pruebas de siempre

# %%
graph = """
x = 3; y = 5
z = x*y
"""
explain(graph)

# %% [markdown]
# Así suele ser una primera prueba. Con `=` en lugar de `+=`, da 5 para `x` y 3 para `y`. Los dos son correctos. Sin el factor del gradiente entrante da 5 y 3. Con la recursión a secas, 5 y 3. ¡Todo correcto! Nada se usa dos veces, no hay nada por encima del producto, y la semilla es el único gradiente entrante que existe. Una prueba solo puede encontrar lo que su grafo deja ocurrir.
#
# De 191 motores públicos que se leyeron para este proyecto, contando versiones antiguas, más de la mitad tenían algún gradiente mal sin que nada avisara, y la mayoría de esos motores supera las comprobaciones más populares. Por eso un buen grafo de prueba tiene algo que se usa dos veces, algo *intermedio* que se usa dos veces, una operación por encima de cada operación, y números todos distintos, ninguno de ellos cero ni uno.

# %% [markdown]
# ## De los números al fallo
#
# Ahora en sentido contrario. Tiene delante unos gradientes incorrectos, y el código es demasiado largo para leerlo. ¿Qué dicen los números?
#
# | lo que se ve | dónde mirar primero |
# |---|---|
# | todo es cero | la semilla, o un orden que no se invirtió |
# | todo está multiplicado por un mismo factor | la semilla |
# | solo está mal lo que se usa dos veces, y falta un término | la suma: `=` en lugar de `+=` |
# | por debajo de un nodo compartido llega demasiado | el orden: alguien habló dos veces |
# | solo está mal lo que hay por debajo de un tipo de operación | la regla de esa operación |
# | la primera pasada sale bien y la segunda no | lo que dejó la primera: `zero_grad` |
#
# No juzgue nunca por un solo número. Mírelos todos y compare cada uno con lo que se le *debía* a su nodo: ¿qué término falta, cuál llegó dos veces, cuál tiene otro signo? Esa comparación se le puede dejar a un programa:

# %%
command('minigrad diagnose "ab = a*b; e = ab + c; f = a - c; L = e*f" a=2 b=3 c=4 --got a=-6 b=-4 c=-2 --lang es')

# %% [markdown]
# Prueba cada uno de los 155 fallos del catálogo en cada orden válido, y se queda con los que dan exactamente estos números. Lea también el final de lo que imprime. Cuando encajan varios fallos, el programa busca un grafo pequeño en el que se *distingan*. Ese es el siguiente experimento.

# %% [markdown]
# ## Su propio motor
#
# Si ha escrito un motor, o está a punto de hacerlo, hay un médico para él. Ejecuta su archivo con unos doscientos programas pequeños, nombra el fallo, muestra el programa más pequeño que lo demuestra y ensaya cambios en memoria hasta que uno lo corrige. Su archivo no se toca.
#
# ```console
# $ minigrad doctor engine.py --lang es
# ```

# %% [markdown]
# ## Punto de control

# %%
graph = """
x = 3; y = 2
u = x + y
p = u*x
t = p + u
"""

# %% [markdown]
# ### Pregunta 1

# %%
q1 = question("break/detective")
q1

# %%
check(q1, ...)  # su respuesta en lugar de ...

# %%
# reveal(q1)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 2

# %%
q2 = question("break/in-between")
q2

# %%
check(q2, x=..., y=...)  # su respuesta en lugar de ...

# %%
# reveal(q2)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 3

# %%
q3 = question("break/blind-spot")
q3

# %%
check(q3, ...)  # su respuesta en lugar de ...

# %%
# reveal(q3)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 4

# %%
q4 = question("bug:2:74")
q4

# %%
check(q4, ...)  # su respuesta en lugar de ...

# %%
# reveal(q4)  # quite el # para ver la respuesta

# %% [markdown]
# **Lo que ya sabe hacer:** romper una pasada según un plan, predecir el error en su orden y volver de unos números incorrectos al fallo. **A continuación:** *De un gradiente al entrenamiento*. ¿Para qué sirven todos estos gradientes, y qué efecto tiene uno incorrecto en un modelo que aprende?
