"""Motor de derivación automática para el taller de redes neuronales.

Ejemplo:
    x = Valor(2.0)
    y = x * x + 3
    y.retropropagar()
    print(x.gradiente)   # 4.0
"""
import math


class Valor:
    def __init__(self, dato, hijos=(), operacion=""):
        self.dato = dato
        self.gradiente = 0.0
        self.hijos = hijos
        self.operacion = operacion
        self._propagar = None

    def __repr__(self):
        return f"Valor({self.dato})"

    def __add__(self, otro):
        otro = a_valor(otro)
        salida = Valor(self.dato + otro.dato, (self, otro), "+")

        def propagar():
            self.gradiente += salida.gradiente
            otro.gradiente += salida.gradiente

        salida._propagar = propagar
        return salida

    def __mul__(self, otro):
        otro = a_valor(otro)
        salida = Valor(self.dato * otro.dato, (self, otro), "*")

        def propagar():
            self.gradiente += otro.dato * salida.gradiente
            otro.gradiente += self.dato * salida.gradiente

        salida._propagar = propagar
        return salida

    def __truediv__(self, otro):
        otro = a_valor(otro)
        salida = Valor(self.dato / otro.dato, (self, otro), "/")

        def propagar():
            self.gradiente += salida.gradiente / otro.dato
            otro.gradiente -= salida.gradiente * self.dato / otro.dato ** 2

        salida._propagar = propagar
        return salida

    def __neg__(self):
        return self * -1.0

    def __sub__(self, otro):
        return self + (-a_valor(otro))

    def __radd__(self, otro):
        return self + otro

    def __rmul__(self, otro):
        return self * otro

    def __rsub__(self, otro):
        return a_valor(otro) - self

    def __rtruediv__(self, otro):
        return a_valor(otro) / self

    def exp(self):
        salida = Valor(math.exp(self.dato), (self,), "exp")

        def propagar():
            self.gradiente += salida.dato * salida.gradiente

        salida._propagar = propagar
        return salida

    def relu(self):
        salida = Valor(max(0.0, self.dato), (self,), "relu")

        def propagar():
            self.gradiente += (salida.dato > 0) * salida.gradiente

        salida._propagar = propagar
        return salida

    def sigmoide(self):
        s = 1.0 / (1.0 + math.exp(-self.dato))
        salida = Valor(s, (self,), "sigmoide")

        def propagar():
            self.gradiente += s * (1.0 - s) * salida.gradiente

        salida._propagar = propagar
        return salida

    def retropropagar(self):
        # orden topológico: primero los hijos
        orden, vistos = [], set()

        def visitar(nodo):
            if nodo in vistos:
                return
            vistos.add(nodo)
            for hijo in nodo.hijos:
                visitar(hijo)
            orden.append(nodo)

        visitar(self)
        self.gradiente = 1.0
        for nodo in reversed(orden):
            if nodo._propagar:
                nodo._propagar()


def a_valor(x):
    return x if isinstance(x, Valor) else Valor(x)
