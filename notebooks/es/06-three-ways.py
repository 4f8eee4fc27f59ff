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
# # Tres maneras de llegar a un mismo número
#
# > Si tres métodos que no comparten ningún error encuentran el mismo gradiente, puede fiarse de él.
#
# Unidad 6 · 8 minutos

# %%
import os

os.environ["MINIGRAD_LANG"] = "es"

from minigrad import Value, explain
from minigrad.faults import lab
from minigrad.learn import check, command, picture, question, reveal

# %% [markdown]
# Un gradiente incorrecto tiene el mismo aspecto que uno correcto. Es un número. Entonces, ¿cómo se sabe? No repitiendo lo mismo: quien se equivoca una vez se equivoca dos veces. Haga *otra* cosa y mire si llega al mismo sitio.

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
# ## Primera manera: la regla de la cadena en papel
#
# Olvide la máquina. Escriba los caminos de `a` a `L`; a lo largo de cada uno multiplique las derivadas, y sume sobre los caminos.
#
# * `a > f > L` da `1 * 10`, o sea 10.
# * `a > ab > e > L` da `3 * 1 * (-2)`, o sea -6.
#
# En total 10 - 6, es decir, 4. Esta manera conoce las reglas, pero nada sabe de órdenes, de totales parciales ni de `+=`.

# %% [markdown]
# ## Segunda manera: el recorrido
#
# Semilla, `L, f, e, ab`, derivada local por gradiente entrante, sumar. Lo hizo en la unidad tres: `a` pasó de 0 a 10 y después a 4. Esta manera también conoce las reglas, y añade la contabilidad que la hace rápida.

# %% [markdown]
# ## Tercera manera: empujar
#
# La tercera manera no conoce ninguna regla. Solo calcula hacia delante, dos veces. Empuje `a` hacia arriba una cantidad pequeña `h`, y después hacia abajo esa misma cantidad. Mire qué distancia hay entre los dos resultados y divídala entre la que había entre las dos entradas. Esto es la **diferencia central**.
#
# Con `h` igual a 0.001:
#
# | `a` | `L` |
# |---|---|
# | 2.001 | -19.995997 |
# | 1.999 | -20.003997 |
# | diferencia: 0.002 | diferencia: 0.008 |
#
# El cociente es 4. Incluso se ve por qué, con letras en lugar de números. Hacia arriba, `e` es `10 + 3h` y `f` es `-2 + h`. Multiplíquelos: `L` es `-20 + 4h + 3h·h`. Hacia abajo es `-20 - 4h + 3h·h`. Reste. Los términos con `h·h` son iguales a ambos lados y desaparecen, y lo que queda es `8h`, sobre una distancia de `2h`. Es decir, 4. Si se empujara en un solo sentido, quedaría el término con `h·h`; por eso empujamos en los dos.

# %% [markdown]
# ## Quién comparte qué
#
# ¿En qué se apoya cada manera?
#
# | manera | reglas | contabilidad | pasada hacia delante |
# |---|---|---|---|
# | papel | sí | no | sí |
# | recorrido | sí | sí | sí |
# | empujar | no | no | sí |
#
# Con esto, un desacuerdo le dice dónde mirar. ¿El papel y el empujón coinciden, pero el recorrido no? Entonces es la contabilidad. ¿El papel y el recorrido coinciden, pero el empujón no? Entonces hay una *regla* mal, y los dos la creyeron. Y si es la propia pasada hacia delante el que calcula otra cosa, los tres coinciden igual de bien: dan la pendiente correcta de la función equivocada. Así que mire también los datos.

# %% [markdown]
# ## El tribunal
#
# minigrad tiene todo un tribunal de testigos como esos: fracciones exactas, números complejos, cincuenta cifras de precisión, PyTorch y otros. La mayoría no conoce ninguna de sus reglas de derivación. Estos cuatro no requieren instalar nada:

# %%
command('minigrad check "ab = a*b; e = ab + c; f = a - c; L = e*f" a=2 b=3 c=4 --ask exact,complex,central,paper --lang es')

# %% [markdown]
# ## ¿Cuánto es «pequeño»?
#
# En el instituto se dice: haga que `h` tienda a cero. Una máquina guarda unas dieciséis cifras de cada número, y eso cambia el consejo. Tome la pendiente de `x` al cubo en el punto dos, que es doce, y haga `h` cada vez más pequeño.

# %%
for h in (1.0, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15):
    print(h, ((2 + h) ** 3 - (2 - h) ** 3) / (2 * h))

# %% [markdown]
# Al principio mejora, porque en un tramo más corto la curva se dobla menos. Después empeora. Los dos resultados están ya tan cerca que comparten casi todas sus cifras; la resta las cancela, y lo que queda es redondeo. Así que una diferencia casi nunca es exacta, y *coincide* significa: dentro de lo que permite el redondeo. Un buen testigo dice hasta dónde se le puede creer.

# %% [markdown]
# ## Laboratorio
#
# La derivada de `tanh` suele escribirse con su *salida* `y`: uno menos `y` al cuadrado. Alguien la escribió con la *entrada*.

# %%
graph = """
x = 0.5; w = 0.25
p = x*w
y = tanh(p)
"""
explain(graph)

# %% [markdown]
# La pasada correcta. La derivada local de `tanh` es el primer factor en el camino de vuelta.

# %%
picture(graph, "walk")

# %% [markdown]
# Cerca de cero, `tanh(p)` es casi lo mismo que `p`. ¿Cuánto se desviarán entonces los gradientes? ¿Lo notaría usted al mirarlos?

# %%
lab(graph, "tanh-from-input")

# %% [markdown]
# Los números coinciden en tres cifras. A simple vista nadie lo nota, y un modelo se entrenaría con ellos. El tribunal no mira; mide:

# %%
command('minigrad check "p = x*w; y = tanh(p)" x=0.5 w=0.25 --got x=0.246094 w=0.492188 --ask complex,central,paper --lang es')

# %% [markdown]
# ## Punto de control

# %%
graph = """
m = 3; n = 2
p = m*n
u = p + n
v = u*m
"""

# %% [markdown]
# ### Pregunta 1

# %%
q1 = question("three-ways/third-way")
q1

# %%
check(q1, m=...)  # su respuesta en lugar de ...

# %%
# reveal(q1)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 2

# %%
q2 = question("three-ways/first-way")
q2

# %%
check(q2, m=..., n=...)  # su respuesta en lugar de ...

# %%
# reveal(q2)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 3

# %%
q3 = question("three-ways/tanh")
q3

# %%
check(q3, ...)  # su respuesta en lugar de ...

# %%
# reveal(q3)  # quite el # para ver la respuesta

# %% [markdown]
# ### Pregunta 4

# %%
q4 = question("difference:2:64")
q4

# %%
check(q4, a=...)  # su respuesta en lugar de ...

# %%
# reveal(q4)  # quite el # para ver la respuesta

# %% [markdown]
# **Lo que ya sabe hacer:** encontrar un gradiente de tres maneras que comparten poco, y deducir de un desacuerdo dónde tiene que estar el error. **A continuación:** *Romperlo a propósito*. Ha conocido unos cuantos fallos. Ahora los caza usted.
