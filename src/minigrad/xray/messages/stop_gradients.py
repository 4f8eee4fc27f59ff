"""Sentences about stop-gradients that are missing."""

ROWS = {
    "xray.what.stop.discarded": (
        "detach() gives a new tensor, and it is thrown away here: the gradient still reaches {names}",
        "detach() da un tensor nuevo y aquí se descarta: el gradiente sigue llegando a {names}",
    ),
    "xray.instead.stop.discarded": (
        "use what it gives, as in x = x.detach(), or detach_()",
        "use lo que da, como en x = x.detach(), o detach_()",
    ),
    "xray.what.stop.target": (
        "the target of the loss is trained as well: the gradient reaches {names} through it",
        "también se entrena el objetivo de la pérdida: el gradiente llega por él a {names}",
    ),
    "xray.instead.stop.target": (
        "compute the target under torch.no_grad() or detach it, if it is meant to stand still",
        "calcule el objetivo bajo torch.no_grad() o use detach, si debe quedarse fijo",
    ),
    "xray.what.stop.baseline": (
        "a log-probability is multiplied by a value that has a gradient of its own: {names} are "
        "trained by this product too",
        "una log-probabilidad se multiplica por un valor con gradiente propio: este producto también "
        "entrena {names}",
    ),
    "xray.instead.stop.baseline": (
        "detach the advantage in the loss of the policy",
        "use detach en la ventaja dentro de la pérdida de la política",
    ),
    "xray.what.stop.same": (
        "{names} are one and the same module, used with and without a gradient: as a target it moves "
        "with every step",
        "{names} son el mismo módulo, usado con y sin gradiente: como objetivo se mueve en cada paso",
    ),
    "xray.instead.stop.same": (
        "make a copy: copy.deepcopy(...).requires_grad_(False)",
        "haga una copia: copy.deepcopy(...).requires_grad_(False)",
    ),
}
