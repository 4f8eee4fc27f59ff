"""Wrong local rules of arithmetic: sums, products, quotients and powers.  The rest of the pass is right.

A row: slug, op, the smallest graph, the wrong formula as numbers and as text, the name and the story
(English, Spanish), and where it was seen.
"""

from __future__ import annotations

from math import isfinite

from ...ops import OPS
from ...values import ieee
from ..fault import Fault
from .row_builders import rule

__all__ = ["ROWS"]


def _base(y: float, a: float, b: float) -> float:
    """What the base of a power really gets."""
    return float(OPS["pow"].partials(ieee, y, a, b)[0])


def _exponent(y: float, a: float, b: float) -> float:
    """What the exponent of a power really gets."""
    return float(OPS["pow"].partials(ieee, y, a, b)[1])


def _whole(x: float) -> float:
    return float(int(x)) if isfinite(x) else x


# fmt: off
ROWS: tuple[Fault, ...] = (
    # ---- sums and products ---------------------------------------------------------------------------
    rule("sub-sign", "sub", "a = 3; b = 2; a - b",
         lambda y, a, b: (1.0, 1.0), "(1, 1)",
         ("sub without the minus", "sub sin el menos"),
         ("the second term of a difference gets the gradient of a sum: + where - belongs",
          "el segundo término de una resta recibe el gradiente de una suma: + donde va -"),
         case="KhawajaAbaid/micrograd_c#1"),
    rule("neg-sign", "neg", "a = 3; -a",
         lambda y, a: (1.0,), "(1,)",
         ("neg without the minus", "neg sin el menos"),
         ("the value changes its sign and the gradient does not",
          "el valor cambia de signo y el gradiente no")),
    rule("add-as-mul", "add", "a = 3; b = 2; a + b",
         lambda y, a, b: (b, a), "(b, a)",
         ("mul's rule pasted into add", "la regla de mul pegada en add"),
         ("each term gets the other one in place of 1: the right rule, one line too high",
          "cada término recibe el otro en lugar de 1: la regla correcta, una línea más arriba")),
    rule("mul-own-factor", "mul", "a = 3; b = 2; a*b",
         lambda y, a, b: (a, b), "(a, b)",
         ("each factor gets itself", "cada factor recibe su propio valor"),
         ("in a*b, a gets a and b gets b; the derivative by one factor is the other one",
          "en a*b, a recibe a y b recibe b; la derivada respecto de un factor es el otro")),
    rule("mul-as-add", "mul", "a = 3; b = 2; a*b",
         lambda y, a, b: (1.0, 1.0), "(1, 1)",
         ("add's rule pasted into mul", "la regla de add pegada en mul"),
         ("both factors get 1, so the gradient does not know how large the other one is",
          "ambos factores reciben 1, así que el gradiente ignora cuánto vale el otro")),
    rule("mul-by-output", "mul", "a = 3; b = 2; a*b",
         lambda y, a, b: (y, y), "(y, y)",
         ("each factor gets the product", "cada factor recibe el producto"),
         ("the factor itself was not taken out: a*b in place of b",
          "no se quitó el propio factor: a*b en lugar de b")),
    rule("square-no-two", "square", "a = 3; square(a)",
         lambda y, a: (a,), "(a,)",
         ("square without the 2", "square sin el 2"),
         ("a in place of 2*a: one of the two factors was forgotten",
          "a en lugar de 2*a: se olvidó uno de los dos factores")),
    # ---- quotients -----------------------------------------------------------------------------------
    rule("div-sign", "div", "a = 3; b = 2; a/b",
         lambda y, a, b: (ieee.inverse(b), ieee.div(a, b * b)), "(1 / b, a / b**2)",
         ("div without the minus", "div sin el menos"),
         ("the denominator gets +a / b**2: more of it seems to make the quotient larger",
          "el denominador recibe +a / b**2: parece que al crecer aumenta el cociente")),
    rule("div-by-b", "div", "a = 3; b = 2; a/b",
         lambda y, a, b: (ieee.inverse(b), -ieee.div(a, b)), "(1 / b, -a / b)",
         ("the denominator is not squared", "el denominador no está al cuadrado"),
         ("-a / b in place of -a / b**2: right only where b is 1",
          "-a / b en lugar de -a / b**2: correcto solo donde b vale 1")),
    rule("div-numerator-one", "div", "a = 3; b = 2; a/b",
         lambda y, a, b: (1.0, -ieee.div(a, b * b)), "(1, -a / b**2)",
         ("the numerator gets 1", "el numerador recibe 1"),
         ("the upstream gradient is handed on to the numerator undivided: 1 in place of 1 / b",
          "el gradiente entrante llega al numerador sin dividir: 1 en lugar de 1 / b")),
    rule("div-numerator-times-b", "div", "a = 3; b = 2; a/b",
         lambda y, a, b: (b, -ieee.div(a, b * b)), "(b, -a / b**2)",
         ("the numerator gets b", "el numerador recibe b"),
         ("b in place of 1 / b, as if the quotient were a product",
          "b en lugar de 1 / b, como si el cociente fuera un producto")),
    rule("div-no-numerator", "div", "a = 3; b = 2; a/b",
         lambda y, a, b: (ieee.inverse(b), -ieee.div(1.0, b * b)), "(1 / b, -1 / b**2)",
         ("the denominator's rule forgets the numerator", "la regla del denominador olvida el numerador"),
         ("-1 / b**2 is the rule of 1 / b; in a / b it has a factor a",
          "-1 / b**2 es la regla de 1 / b; en a / b lleva un factor a")),
    rule("div-swapped", "div", "a = 3; b = 2; a/b",
         lambda y, a, b: (-ieee.div(a, b * b), ieee.inverse(b)), "(-a / b**2, 1 / b)",
         ("numerator and denominator are swapped", "numerador y denominador están intercambiados"),
         ("the two lines of the rule stand in the wrong order: each operand gets the other's derivative",
          "las dos líneas de la regla están al revés: cada operando recibe la derivada del otro")),
    rule("reciprocal-sign", "reciprocal", "a = 2; reciprocal(a)",
         lambda y, a: (y * y,), "(1 / a**2,)",
         ("reciprocal without the minus", "reciprocal sin el menos"),
         ("1 / a**2: a reciprocal that seems to grow with its argument",
          "1 / a**2: un inverso que parece crecer con su argumento")),
    rule("reciprocal-not-squared", "reciprocal", "a = 2; reciprocal(a)",
         lambda y, a: (-y,), "(-1 / a,)",
         ("reciprocal by a, not a squared", "reciprocal divide entre a y no entre a al cuadrado"),
         ("-1 / a in place of -1 / a**2: the exponent -2 was left at -1",
          "-1 / a en lugar de -1 / a**2: el exponente -2 se quedó en -1")),
    # ---- powers --------------------------------------------------------------------------------------
    rule("pow-two", "pow", "a = 2; a**3",
         lambda y, a, b: (2.0 * a, _exponent(y, a, b)), "(2 * a, y * math.log(a) if a > 0 else math.nan)",
         ("pow always sends 2*a", "pow envía siempre 2*a"),
         ("the rule of a**2 serves every exponent",
          "la regla de a**2 sirve para cualquier exponente"), case="eduardoleao052/js-pytorch#42"),
    rule("pow-exponent-kept", "pow", "a = 2; a**3",
         lambda y, a, b: (b * y, _exponent(y, a, b)), "(b * a**b, y * math.log(a) if a > 0 else math.nan)",
         ("pow does not lower the exponent", "pow no baja el exponente"),
         ("n * a**n in place of n * a**(n - 1)",
          "n * a**n en lugar de n * a**(n - 1)")),
    rule("pow-no-factor", "pow", "a = 3; a**2",
         lambda y, a, b: (ieee.pow(a, b - 1.0), _exponent(y, a, b)),
         "(a ** (b - 1), y * math.log(a) if a > 0 else math.nan)",
         ("pow without the exponent in front", "pow sin el exponente delante"),
         ("a**(n - 1) in place of n * a**(n - 1)",
          "a**(n - 1) en lugar de n * a**(n - 1)")),
    rule("pow-integer-exponent", "pow", "a = 4; a**1.5",
         lambda y, a, b: (_base(ieee.pow(a, _whole(b)), a, _whole(b)), _exponent(y, a, b)),
         "(int(b) * a ** (int(b) - 1), y * math.log(a) if a > 0 else math.nan)",
         ("pow takes the exponent for an integer", "pow toma el exponente por un entero"),
         ("a constant exponent is cut to a whole number in the rule: a**0.5 has no slope at all",
          "un exponente constante se trunca a un entero en la regla: a**0.5 no tiene pendiente alguna")),
    rule("pow-as-exponential", "pow", "a = 2; a**3",
         lambda y, a, b: (_exponent(y, a, b), _exponent(y, a, b)),
         "(y * math.log(a) if a > 0 else math.nan,) * 2",
         ("the base gets the exponent's rule", "la base recibe la regla del exponente"),
         ("a**b * log(a) for both: a power of a was taken for an exponential in a",
          "a**b * log(a) para ambos: se tomó una potencia de a por una exponencial en a")),
    rule("pow-as-relu", "pow", "a = 2; a**3",
         lambda y, a, b: (1.0 if a > 0.0 else 0.0, _exponent(y, a, b)),
         "(1 if a > 0 else 0, y * math.log(a) if a > 0 else math.nan)",
         ("relu's rule pasted into pow", "la regla de relu pegada en pow"),
         ("the base gets the upstream gradient where it is positive and nothing elsewhere",
          "la base recibe el gradiente entrante donde es positiva y nada en otro caso"),
         case="ahrefs/ocannl#73"),
    rule("pow-exponent-missing", "pow", "a = 2; b = 3; a**b",
         lambda y, a, b: (_base(y, a, b), 0.0), "(b * a ** (b - 1), 0)",
         ("the exponent gets no gradient", "el exponente no recibe gradiente"),
         ("pow was written for constant exponents, and a variable one silently gets 0",
          "pow se escribió para exponentes constantes, y uno variable recibe 0 sin avisar"), seen=12),
    rule("pow-exponent-no-log", "pow", "a = 2; b = 3; a**b",
         lambda y, a, b: (_base(y, a, b), y), "(b * a ** (b - 1), y)",
         ("the exponent's gradient has no log", "el gradiente del exponente no lleva log"),
         ("a**b in place of a**b * log(a): right only where a is e",
          "a**b en lugar de a**b * log(a): correcto solo donde a vale e"), seen=3),
    rule("pow-exponent-log-of-exponent", "pow", "a = 2; b = 3; a**b",
         lambda y, a, b: (_base(y, a, b), y * ieee.log(b)),
         "(b * a ** (b - 1), y * math.log(b) if b > 0 else math.nan)",
         ("log of the exponent in place of the base", "log del exponente en lugar de la base"),
         ("the exponent gets a**b * log(b): the right formula about the wrong operand",
          "el exponente recibe a**b * log(b): la fórmula correcta sobre el operando equivocado"), seen=3),
    rule("pow-exponent-as-base", "pow", "a = 2; b = 3; a**b",
         lambda y, a, b: (_base(y, a, b), a * ieee.pow(b, a - 1.0)), "(b * a ** (b - 1), a * b ** (a - 1))",
         ("the exponent gets the base's rule", "el exponente recibe la regla de la base"),
         ("a * b**(a - 1): the power rule was applied to both slots, with the roles exchanged",
          "a * b**(a - 1): se aplicó la regla de la potencia a las dos ranuras, con los papeles cambiados"),
         seen=3),
    rule("sqrt-no-half", "sqrt", "a = 4; sqrt(a)",
         lambda y, a: (ieee.div(1.0, y),), "(1 / y,)",
         ("sqrt without the half", "sqrt sin el 1/2"),
         ("1 / y in place of 1 / (2*y): twice the gradient",
          "1 / y en lugar de 1 / (2*y): el doble del gradiente")),
    rule("sqrt-by-input", "sqrt", "a = 4; sqrt(a)",
         lambda y, a: (ieee.div(0.5, a),), "(1 / (2 * a),)",
         ("sqrt from its input", "sqrt a partir de su entrada"),
         ("1 / (2*a) in place of 1 / (2*y): the formula is about the root, not about what is under it",
          "1 / (2*a) en lugar de 1 / (2*y): la fórmula habla de la raíz, no de lo que hay bajo ella")),
    rule("sqrt-upside-down", "sqrt", "a = 4; sqrt(a)",
         lambda y, a: (0.5 * y,), "(y / 2,)",
         ("sqrt's slope is upside down", "la pendiente de sqrt está invertida"),
         ("y / 2 in place of 1 / (2*y): the negative exponent lost its sign",
          "y / 2 en lugar de 1 / (2*y): el exponente negativo perdió el signo")),
)
# fmt: on
