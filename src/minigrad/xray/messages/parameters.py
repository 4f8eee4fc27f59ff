"""Sentences about parameters that the model, the optimizer and the loss do not agree on."""

ROWS = {
    "xray.what.wiring.unregistered": (
        "{count} parameters in `{name}` of {kind} get gradients, and neither the model nor the "
        "optimizer knows of them",
        "{count} parámetros de `{name}` en {kind} reciben gradiente, y ni el modelo ni el optimizador "
        "los conocen",
    ),
    "xray.instead.wiring.unregistered": (
        "use nn.ModuleList, nn.ModuleDict, nn.ParameterList or nn.Parameter",
        "use nn.ModuleList, nn.ModuleDict, nn.ParameterList o nn.Parameter",
    ),
    "xray.what.wiring.thawed": (
        "{names} get gradients and are in no group of the optimizer: they were frozen when it was made",
        "{names} reciben gradiente y no están en ningún grupo del optimizador: estaban congelados "
        "cuando se creó",
    ),
    "xray.instead.wiring.thawed": (
        "give the optimizer all parameters, or add_param_group when they are unfrozen",
        "dé al optimizador todos los parámetros, o use add_param_group al descongelarlos",
    ),
    "xray.what.wiring.replaced": (
        "{names} get gradients and the optimizer holds others of their shape that the loss does not "
        "use: they were replaced after it was made",
        "{names} reciben gradiente y el optimizador tiene otros de su forma que la pérdida no usa: se "
        "sustituyeron después de crearlo",
    ),
    "xray.instead.wiring.replaced": (
        "make the optimizer after the last change of the model",
        "cree el optimizador después del último cambio del modelo",
    ),
    "xray.what.wiring.late": (
        "{names} get gradients and are in no optimizer: they were made after it",
        "{names} reciben gradiente y no están en ningún optimizador: se crearon después de él",
    ),
    "xray.instead.wiring.late": (
        "make the optimizer after the model is complete, or use add_param_group",
        "cree el optimizador cuando el modelo esté completo, o use add_param_group",
    ),
    "xray.what.wiring.elsewhere": (
        "{names} get gradients, and the optimizer holds only parameters that are not the model's and that "
        "this loss gives none: its step does not change the model",
        "{names} reciben gradiente, y el optimizador solo tiene parámetros que no son del modelo y a los "
        "que esta pérdida no da ninguno: su paso no cambia el modelo",
    ),
    "xray.instead.wiring.elsewhere": (
        "make it of model.parameters(); if these are copies that are carried over by hand, all is well",
        "créelo con model.parameters(); si son copias que se pasan a mano, todo está bien",
    ),
    "xray.what.wiring.not_held": (
        "{names} get gradients from this loss and the optimizer does not hold them",
        "{names} reciben gradiente de esta pérdida y el optimizador no los tiene",
    ),
    "xray.instead.wiring.not_held": (
        "if they are meant to be trained, give them to the optimizer",
        "si deben entrenarse, déselos al optimizador",
    ),
    "xray.what.freeze.all": (
        "the optimizer holds only parameters that are frozen ({names}): its step changes nothing",
        "el optimizador solo tiene parámetros congelados ({names}): su paso no cambia nada",
    ),
    "xray.instead.freeze.all": (
        "let the parameters that it holds require a gradient",
        "haga que los parámetros que tiene requieran gradiente",
    ),
    "xray.what.freeze.some": (
        "{names} were frozen after they were given to the optimizer: no step changes them",
        "{names} se congelaron después de darlos al optimizador: ningún paso los cambia",
    ),
    "xray.instead.freeze.some": (
        "if they are meant to be trained, leave requires_grad on",
        "si deben entrenarse, deje requires_grad activo",
    ),
    "xray.what.freeze.module": (
        "requires_grad is set on a module ({names}), which is an attribute like any other: its "
        "parameters go on being trained",
        "requires_grad se pone en un módulo ({names}), y ahí es un atributo cualquiera: sus "
        "parámetros se siguen entrenando",
    ),
    "xray.instead.freeze.module": (
        "call module.requires_grad_(False)",
        "llame a module.requires_grad_(False)",
    ),
    "xray.what.freeze.misspelt": (
        "{given} is set on {names}, which has no effect: the parameter goes on being trained",
        "se pone {given} en {names}, sin ningún efecto: el parámetro se sigue entrenando",
    ),
    "xray.instead.freeze.misspelt": (
        "write requires_grad = False",
        "escriba requires_grad = False",
    ),
}
