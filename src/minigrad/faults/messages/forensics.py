"""Sentences of forensics: from wrong numbers back to the mistake."""

ROWS = {
    "forensics.mapping": (
        "gradients and inputs are given by name, such as {{'a': 1.0}}, and {given} is not that",
        "los gradientes y las entradas se dan por nombre, como {{'a': 1.0}}, y {given} no es eso",
    ),
    "forensics.nothing": (
        "there are no gradients to examine; say what was observed, as in --got a=1 b=1",
        "no hay gradientes que examinar; indique lo observado, como en --got a=1 b=1",
    ),
    "forensics.no_gradient": (
        "{name} is a constant: it has no gradient to examine",
        "{name} es una constante: no tiene gradiente que examinar",
    ),
    "forensics.title": ("What the numbers say", "Lo que dicen los números"),
    "forensics.verdict": ("Verdict", "Veredicto"),
    "forensics.numbers": ("The numbers", "Los números"),
    "forensics.happened": ("What happened", "Qué ocurrió"),
    "forensics.others": ("What else would give these numbers", "Qué más daría estos números"),
    "forensics.apart": ("How to tell them apart", "Cómo distinguirlos"),
    "forensics.exact": (
        "If nothing was rounded, these would give exactly that",
        "Si no se redondeó nada, esto daría exactamente lo mismo",
    ),
    "forensics.closest": ("What comes closest", "Lo más parecido"),
    "forensics.untried": ("What was not tried", "Lo que no se probó"),
    "forensics.right": ("these are the right gradients", "estos son los gradientes correctos"),
    "forensics.right.rounded": (
        "these are the right gradients, as far as the printed digits tell",
        "estos son los gradientes correctos, hasta donde llegan las cifras impresas",
    ),
    "forensics.explained": (
        "these gradients are wrong; the likeliest mistake: {name}",
        "estos gradientes son incorrectos; el error más probable: {name}",
    ),
    "forensics.explained.pair": (
        "these gradients are wrong, and no single mistake explains them; two together do: {name}",
        "estos gradientes son incorrectos y ningún error solo los explica; dos juntos, sí: {name}",
    ),
    "forensics.unexplained": (
        "these gradients are wrong, and no mistake in the catalogue gives them, alone or with another",
        "estos gradientes son incorrectos, y ningún error del catálogo los da, ni solo ni junto con otro",
    ),
    "forensics.unexplained.one": (
        "this gradient is wrong, and no mistake in the catalogue gives it by itself; with more numbers, "
        "pairs of mistakes can be tried too",
        "este gradiente es incorrecto, y ningún error del catálogo lo da por sí solo; con más números se "
        "pueden probar también parejas de errores",
    ),
    "forensics.unexplained.cut": (
        "these gradients are wrong, and none of the mistakes that could be tried gives them; what was not "
        "tried is listed below",
        "estos gradientes son incorrectos, y ninguno de los errores que se pudieron probar los da; vea abajo "
        "lo que no se probó",
    ),
    "forensics.same": (
        "these numbers cannot tell it from {names}",
        "por los números no se distingue de {names}",
    ),
    "forensics.and": (", and ", ", y "),
    "forensics.or": (" or ", " o "),
    "forensics.got": ("observed", "observado"),
    "forensics.expected": ("right", "correcto"),
    "forensics.fits": ("fits", "coincide"),
    "forensics.wrong": ("wrong", "incorrecto"),
    "forensics.not_given": ("not given", "no indicado"),
    "forensics.order": ("the pass walked {order}", "la pasada recorrió {order}"),
    "forensics.any_order": (
        "the pass walked {order}; another order would give the same",
        "la pasada recorrió {order}; otro orden daría lo mismo",
    ),
    "forensics.passes": (
        "it shows when backward() is called a second time",
        "se nota cuando se llama a backward() por segunda vez",
    ),
    "forensics.more": ("... and {count} more (--all)", "... y {count} más (--all)"),
    "forensics.run": (
        "run {expression} with {inputs}, and look at the gradients:",
        "ejecute {expression} con {inputs} y mire los gradientes:",
    ),
    "forensics.right_pass": ("a right pass", "una pasada correcta"),
    "forensics.second_pass": ("after a second backward()", "tras un segundo backward()"),
    "forensics.hides": ("it hides here", "aquí se esconde"),
    "forensics.nothing_close": ("nothing comes close", "nada se le acerca"),
    "forensics.near": (
        "{slug}: {name}; it gives {numbers}, which leaves {missed} unexplained",
        "{slug}: {name}; da {numbers}, lo que deja sin explicar {missed}",
    ),
    "forensics.cut": (
        "not all valid orders, there are too many: {names}",
        "no se recorrieron todos los órdenes válidos (son demasiados) de {names}",
    ),
    "forensics.untried.single": (
        "the graph is too large to try all; not tried: {names}",
        "el grafo es demasiado grande para probarlo todo; sin probar: {names}",
    ),
    "forensics.untried.pairs": (
        "{count} pairs of mistakes: the budget was used up",
        "{count} parejas de errores: se agotó el presupuesto",
    ),
}
