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
# # Día dos: la pasada hacia atrás
#
# Seis secciones, más o menos una hora con papel y lápiz:
#
# 1. un `Value` que conoce su regla local
# 2. la regla de un producto
# 3. una pasada a mano, de derecha a izquierda
# 4. una segunda opinión: PyTorch, o testigos que no saben derivar
# 5. la trampa de `+=`
# 6. el reto: un grafo con varias ramas, y ejercicios
#
# Hasta el último ejercicio, nuestro `Value` no tiene ningún `backward()`. Es usted quien llama a cada
# regla, y así ve qué tendrá que hacer después una función como esa.

# %%
import os
from pathlib import Path

os.environ["MINIGRAD_LANG"] = "es"

from minigrad import explain
from minigrad.doctor import examine
from minigrad.faults import lab
from minigrad.learn import check, command, exercise, picture, question, reveal

# %% [markdown]
# ## 1. Un Value que conoce su regla local
#
# Un nodo guarda dos números. `data` es lo que vale. `grad` dice cómo se mueve la salida cuando este nodo se
# mueve un poco. Empieza en cero y se rellena más tarde.
#
# Cuando se suman dos nodos, el nodo nuevo los conoce a los dos. Por eso puede llevar consigo una pequeña
# función, `_backward`, que dice qué hay que comunicarles en cuanto él tenga su propio gradiente. En una suma es
# fácil: lo que mueve un sumando mueve la suma en la misma medida. La derivada local es 1 por los dos lados.


# %%
class Value:
    """Un número que recuerda de qué está hecho."""

    def __init__(self, data, made_from=(), name=""):
        self.data = float(data)
        self.grad = 0.0
        self.made_from = made_from
        self.name = name
        self._backward = lambda: None  # un número dado no tiene a quién comunicar nada

    def __repr__(self):
        return f"{self.name or 'Value'}(data={self.data:g}, grad={self.grad:g})"

    def __add__(self, other):
        total = Value(self.data + other.data, (self, other))

        def tell():
            self.grad += 1.0 * total.grad
            other.grad += 1.0 * total.grad

        total._backward = tell
        return total


# %% [markdown]
# ## 2. La regla de un producto
#
# Ahora, un producto. **Antes de seguir leyendo**, tape la celda siguiente y escriba su regla en un papel: si
# `a` se mueve un poco, ¿cuánto se mueve `a * b`? ¿Y si se mueve `b`?

# %%
def times(self, other):
    product = Value(self.data * other.data, (self, other))

    def tell():
        self.grad += other.data * product.grad
        other.grad += self.data * product.grad

    product._backward = tell
    return product


Value.__mul__ = times

# %% [markdown]
# Los factores se intercambian: a cada uno se le comunica el `data` del *otro*. Todo lo que hace una pasada hacia
# atrás está hecho de líneas como estas cuatro: derivada local, por el gradiente del propio nodo, sumado a lo
# que ya había.
#
# ## 3. Una pasada a mano, de derecha a izquierda
#
# Una cadena de tres operaciones. La pasada hacia delante se hace sola, porque Python calcula cada línea según
# llega:

# %%
a, b, c, d = Value(3, name="a"), Value(-2, name="b"), Value(5, name="c"), Value(4, name="d")
p = a * b
p.name = "p"
q = p + c
q.name = "q"
L = q * d
L.name = "L"
nodes = [a, b, c, d, p, q, L]
print(*nodes, sep="\n")

# %% [markdown]
# Los datos ya están, y todos los gradientes son cero. Quedan tres cosas por hacer: poner la semilla, llamar
# a las reglas de derecha a izquierda y mirar qué llega.
#
# Primero, la semilla. Cuando `L` se mueve un poco, `L` se mueve exactamente eso:

# %%
L.grad = 1.0
print(L)

# %% [markdown]
# `L` es `q * d`. Diga en voz alta qué se les va a comunicar a sus dos operandos. Después, ejecute la celda.

# %%
L._backward()
print(q, d)

# %% [markdown]
# `q` es `p + c`. Una suma entrega lo que tiene:

# %%
q._backward()
print(p, c)

# %% [markdown]
# Y `p` es `a * b`:

# %%
p._backward()
print(a, b)

# %% [markdown]
# Eso ha sido una pasada hacia atrás. Cada regla se ha ejecutado una vez, y ninguna antes de que su nodo tuviera
# el gradiente completo. Los dibujos del mismo grafo vienen de `explain`, que ha llegado a los mismos números
# por su cuenta.
#
# El río: los datos bajan de las entradas a `L`, los gradientes vuelven a subir.

# %%
chain = """
a = 3; b = -2; c = 5; d = 4
p = a*b
q = p + c
L = q*d
"""
picture(chain, "river")

# %% [markdown]
# La cascada: el camino de vuelta es el reflejo del de ida, peldaño a peldaño.

# %%
picture(chain, "waterfall")

# %% [markdown]
# El termómetro: ¿hacia dónde empuja cada entrada a `L`, y con cuánta fuerza? La barra más larga es la que más
# tira. Una barra a la derecha: si la entrada crece, `L` sube. A la izquierda: si la entrada crece, `L` baja.

# %%
picture(chain, "thermometer")

# %%
ours = {node.name: node.grad for node in (a, b, c, d)}
theirs = explain(chain).gradients
print("a mano: ", ours)
print("explain:", theirs)
print("lo mismo" if ours == theirs else "no es lo mismo: repase sus reglas")

# %% [markdown]
# ## 4. Una segunda opinión
#
# Dos programas que comparten sus fórmulas pueden compartir un error. Pregunte entonces a alguien que no haya
# visto nunca este código. PyTorch calcula los mismos gradientes con un motor propio:

# %%
try:
    import torch
except ImportError:
    print("PyTorch no está instalado aquí, y no pasa nada: la celda siguiente pregunta a otros.")
    print("Para preguntarle también: pip install torch, y ejecute otra vez esta celda.")
else:
    ta, tb, tc, td = (torch.tensor(node.data, requires_grad=True) for node in (a, b, c, d))
    ((ta * tb + tc) * td).backward()
    for node, tensor in zip((a, b, c, d), (ta, tb, tc, td)):
        same = node.grad == tensor.grad.item()
        print(f"{node.name}: a mano {node.grad:g}, PyTorch {tensor.grad.item():g}", "" if same else "  <- difiere")

# %% [markdown]
# Y aquí hay testigos que no saben derivar. Las diferencias centrales, por ejemplo, mueven una entrada un poco
# hacia cada lado y miran cuánto se mueve la salida:

# %%
command('minigrad check "p = a*b; q = p + c; q*d" a=3 b=-2 c=5 d=4 --ask quick')

# %% [markdown]
# ## 5. La trampa de +=
#
# ¿Cuál es el gradiente de `a` en `a + a`? Escriba un número antes de ejecutar la celda.

# %%
a = Value(3, name="a")
s = a + a
s.grad = 1.0
s._backward()
print(a)

# %% [markdown]
# Dos ranuras contienen el mismo nodo, y cada una envía 1. Ahora, la misma clase con `=` donde estaba `+=`:


# %%
class Forgetful(Value):
    def __add__(self, other):
        total = Forgetful(self.data + other.data, (self, other))

        def tell():
            self.grad = 1.0 * total.grad
            other.grad = 1.0 * total.grad

        total._backward = tell
        return total


a = Forgetful(3, name="a")
s = a + a
s.grad = 1.0
s._backward()
print(a)

# %% [markdown]
# El segundo mensaje ha borrado el primero. No ha saltado ningún error, y el número parece razonable. Con dos
# entradas *distintas* esta clase acertaría, y una prueba que use dos entradas distintas no ve nada.
#
# En un grafo mayor, lo que queda depende de quién habla el último. El laboratorio muestra el fallo en todos
# los órdenes válidos:

# %%
lab("a = 2; b = 3; c = 4; ab = a*b; e = ab + c; f = a - c; L = e*f", "overwrite")

# %% [markdown]
# El mismo `+=` tiene otra cara. Suma a lo que haya, también a lo que dejó una pasada anterior. En la primera
# celda de esta sección, llame dos veces a `s._backward()` y vuelva a imprimir `a`: el gradiente se ha
# duplicado. Por eso todo bucle de entrenamiento pone los gradientes a cero entre una pasada y la siguiente.
#
# ## 6. El reto: varias ramas
#
# `L = (a*b + c) * (a + b)` con `a = 2`, `b = -1`, `c = 5`. Tanto `a` como `b` se usan dos veces.
#
# Dibújelo. Ponga nombre a los nodos intermedios. Escriba junto a cada uno su `data` y luego los gradientes, de
# derecha a izquierda, en el papel. Solo entonces ponga sus números en lugar de los puntos.

# %%
challenge = exercise("a = 2; b = -1; c = 5; ab = a*b; e = ab + c; f = a + b; L = e*f")
challenge

# %%
check(challenge, a=..., b=..., c=...)

# %% [markdown]
# Si no era correcto, lea lo que dice: busca el error que lleva a sus números. Después, inténtelo otra vez.
#
# Cuando termine, deje que también juzgue su propia clase. El orden lo elige usted. ¿Qué órdenes valen?

# %%
a, b, c = Value(2, name="a"), Value(-1, name="b"), Value(5, name="c")
ab = a * b
e = ab + c
f = a + b
L = e * f
# L.grad = 1.0
# ...  llame a las cuatro reglas en un orden válido y mire a, b y c
print(a, b, c)

# %% [markdown]
# Para verlo todo, quite el `#`:

# %%
# explain("a = 2; b = -1; c = 5; ab = a*b; e = ab + c; f = a + b; L = e*f")

# %% [markdown]
# ### Ejercicios
#
# **Uno.** Un grafo de tres operaciones. Cada semilla da otros números: ponga otra en lugar del 1 y tendrá un
# ejercicio nuevo.

# %%
first = question("gradient:1:1")
first

# %%
check(first, **dict.fromkeys(first.blanks, ...))  # por ejemplo: check(first, a=3, b=-2)

# %% [markdown]
# **Dos.** Lo mismo, con nodos que se usan más de una vez.

# %%
second = question("gradient:2:1")
second

# %%
check(second, **dict.fromkeys(second.blanks, ...))

# %% [markdown]
# **Tres.** Alguien puso `=` en lugar de `+=`. ¿Qué deja la pasada?

# %%
third = question("order:1:1")
third

# %%
check(third, **dict.fromkeys(third.blanks, ...))

# %% [markdown]
# ¿Se rinde? `reveal` da la respuesta y su porqué:

# %%
# reveal(first)

# %% [markdown]
# **Cuatro.** Aquí tiene un motor entero, con su propio `backward()`. Tiene un fallo, y el médico lo encuentra.
# Tape el informe con la mano, busque el fallo por su cuenta, corríjalo en el texto y ejecute otra vez las dos
# celdas hasta que el médico no tenga nada que decir. Y siga adelante: añádale una resta y vuelva a preguntar.

# %%
ENGINE = '''
class Value:
    def __init__(self, data, made_from=()):
        self.data = data
        self.grad = 0.0
        self.made_from = made_from
        self._backward = lambda: None

    def __add__(self, other):
        total = Value(self.data + other.data, (self, other))

        def tell():
            self.grad += total.grad
            other.grad += total.grad

        total._backward = tell
        return total

    def __mul__(self, other):
        product = Value(self.data * other.data, (self, other))

        def tell():
            self.grad += other.data * product.grad
            other.grad = self.data * product.grad

        product._backward = tell
        return product

    def backward(self):
        found, seen = [], set()

        def visit(node):
            if id(node) not in seen:
                seen.add(id(node))
                for below in node.made_from:
                    visit(below)
                found.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(found):
            node._backward()
'''

# %%
Path("my_engine.py").write_text(ENGINE, encoding="utf-8")
print(examine("my_engine.py"))

# %% [markdown]
# **Lo que ya sabe hacer:** escribir las dos reglas locales, recorrer una pasada con sus propias manos, hacer que
# otro lo compruebe, y reconocer la trampa. El día tres deja que un programa elija el orden. En la terminal, de
# eso trata `minigrad learn order`.
