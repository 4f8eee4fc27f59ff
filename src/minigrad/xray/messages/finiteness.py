"""Sentences about numbers that are not finite, and about low precision."""

ROWS = {
    "xray.what.number.forward": (
        "`{op}` is the first op whose result is not finite, though all that it is given is "
        "({operand}); the loss is not finite either",
        "`{op}` es la primera operación con resultado no finito, aunque todo lo que recibe lo es "
        "({operand}); tampoco la pérdida es finita",
    ),
    "xray.instead.number.forward": (
        "the cure: {cure}",
        "el remedio: {cure}",
    ),
    "xray.what.number.backward": (
        "the loss is finite and the gradients of {names} are not: `{op}` is the first op that turns a "
        "finite gradient into one that is not (its operand: {operand})",
        "la pérdida es finita y los gradientes de {names} no: `{op}` es la primera operación que "
        "convierte un gradiente finito en uno que no lo es (su operando: {operand})",
    ),
    "xray.instead.number.backward": (
        "the cure: {cure}",
        "el remedio: {cure}",
    ),
    "xray.what.number.overflow": (
        "`{op}` overflows in {dtype}",
        "`{op}` se desborda en {dtype}",
    ),
    "xray.instead.number.overflow": (
        "compute this op in float32, as autocast does, or scale what goes into it",
        "calcule esta operación en float32, como hace autocast, o escale lo que entra",
    ),
    "xray.what.number.update_half": (
        "the gradients are finite, and a step of the optimizer makes {names} not finite: eps={eps} is "
        "0 in half precision",
        "los gradientes son finitos y un paso del optimizador deja {names} no finitos: eps={eps} es 0 "
        "en media precisión",
    ),
    "xray.instead.number.update_half": (
        "use eps=1e-4 or more, or keep the weights in float32",
        "use eps=1e-4 o más, o guarde los pesos en float32",
    ),
    "xray.what.number.update": (
        "the gradients are finite, and a step of the optimizer makes {names} not finite (eps={eps}, lr={lr})",
        "los gradientes son finitos y un paso del optimizador deja {names} no finitos (eps={eps}, lr={lr})",
    ),
    "xray.instead.number.update": (
        "use a positive eps and a smaller learning rate",
        "use un eps positivo y una tasa de aprendizaje menor",
    ),
    "xray.what.number.vanishing": (
        "a step with lr={lr} leaves {share} of the numbers that have a gradient as they were: the "
        "update is below their precision",
        "un paso con lr={lr} deja como estaba el {share} de los números con gradiente: la actualización "
        "está por debajo de su precisión",
    ),
    "xray.instead.number.vanishing": (
        "keep the weights in float32 and compute in half precision with autocast",
        "guarde los pesos en float32 y calcule en media precisión con autocast",
    ),
    "xray.cure.sqrt": (
        "its derivative is infinite at 0: use sqrt(x + eps), or clamp x away from 0",
        "su derivada es infinita en 0: use sqrt(x + eps), o aleje x de 0 con clamp",
    ),
    "xray.cure.norm": (
        "the derivative of a norm at 0 is 0/0: add eps under the root, or use torch.linalg.vector_norm",
        "la derivada de una norma en 0 es 0/0: sume eps bajo la raíz, o use torch.linalg.vector_norm",
    ),
    "xray.cure.division": (
        "the divisor is 0: use clamp(min=1) on a count, or eps on a norm",
        "el divisor es 0: use clamp(min=1) en un recuento, o eps en una norma",
    ),
    "xray.cure.logarithm": (
        "the logarithm of 0 is infinite: use log_softmax or logsigmoid on logits, or clamp(min=eps)",
        "el logaritmo de 0 es infinito: use log_softmax o logsigmoid con logits, o clamp(min=eps)",
    ),
    "xray.cure.masked": (
        "a row is masked throughout: leave one place open, or use a large negative number and drop the row",
        "una fila está toda oculta: deje un lugar abierto, o use un número negativo grande y descarte "
        "la fila",
    ),
    "xray.cure.spread": (
        "the spread of one number, or of equal ones, has no derivative: use unbiased=False and eps",
        "la dispersión de un solo número, o de iguales, no tiene derivada: use unbiased=False y eps",
    ),
    "xray.cure.arc": (
        "its derivative is infinite at the ends of its domain: clamp it a little inside",
        "su derivada es infinita en los extremos de su dominio: limítelo un poco por dentro",
    ),
    "xray.cure.repeated": (
        "its derivative divides by the differences of singular values or eigenvalues, and some are "
        "equal: start from a matrix where they differ, or use a polar or Newton iteration",
        "su derivada divide entre diferencias de valores singulares o propios, y algunos son iguales: "
        "parta de una matriz en la que difieran, o use una iteración polar o de Newton",
    ),
    "xray.cure.ctc": (
        "a target is longer than its input allows: pass zero_infinity=True, or leave such samples out",
        "un objetivo es más largo de lo que permite su entrada: pase zero_infinity=True, o descarte "
        "esas muestras",
    ),
    "xray.cure.overflow": (
        "it overflows: subtract the maximum first, or use logsumexp",
        "se desborda: reste antes el máximo, o use logsumexp",
    ),
    "xray.cure.empty": (
        "a mean over nothing is 0/0: see that something is left to average",
        "una media de nada es 0/0: vea que quede algo que promediar",
    ),
    "xray.cure.branch": (
        "where() takes the other branch here, and 0 times an infinite derivative is NaN: make the "
        "operand safe before the op (where twice)",
        "where() toma aquí la otra rama, y 0 por una derivada infinita es NaN: haga seguro el "
        "operando antes de la operación (where dos veces)",
    ),
    "xray.cure.other": (
        "look at its operand, and keep it where the op has a finite derivative",
        "mire su operando y manténgalo donde la operación tenga derivada finita",
    ),
}
