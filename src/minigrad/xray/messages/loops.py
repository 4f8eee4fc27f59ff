"""Sentences about training loops."""

ROWS = {
    "xray.what.loop.left": (
        "the gradients of the last step are still there when this backward pass begins ({count} "
        "parameters): they are used again in every step",
        "los gradientes del paso anterior siguen ahí cuando empieza este backward ({count} "
        "parámetros): se usan otra vez en cada paso",
    ),
    "xray.instead.loop.left": (
        "call optimizer.zero_grad() once per step, before backward()",
        "llame a optimizer.zero_grad() una vez por paso, antes de backward()",
    ),
    "xray.what.loop.twice": (
        "a loss that was differentiated before is a part of this one, and the parameters have moved "
        "since: it is counted twice, at two places",
        "una pérdida ya derivada forma parte de esta, y los parámetros se han movido desde entonces: "
        "cuenta dos veces, en dos puntos",
    ),
    "xray.instead.loop.twice": (
        "start from the new loss, or detach the old one",
        "empiece por la nueva pérdida, o use detach en la anterior",
    ),
    "xray.what.loop.older": (
        "this backward pass walks a graph of an earlier step, whose parameters have moved since",
        "este backward recorre un grafo de un paso anterior, cuyos parámetros se han movido desde entonces",
    ),
    "xray.instead.loop.older": (
        "detach what is kept from step to step: h = h.detach()",
        "use detach en lo que se guarda de un paso a otro: h = h.detach()",
    ),
    "xray.what.loop.evaluation": (
        "steps are taken while the model is in evaluation mode: dropout is off, and batch "
        "normalisation uses and keeps its old statistics",
        "se dan pasos con el modelo en modo de evaluación: el dropout está apagado y la normalización "
        "usa y conserva sus estadísticas viejas",
    ),
    "xray.instead.loop.evaluation": (
        "call model.train() after each evaluation",
        "llame a model.train() después de cada evaluación",
    ),
    "xray.what.loop.scale": (
        "{count} means are added up before one step, none divided by {count}: the gradient is {count} "
        "times that of their mean",
        "se suman {count} medias antes de un paso, ninguna dividida entre {count}: el gradiente es "
        "{count} veces el de su media",
    ),
    "xray.instead.loop.scale": (
        "divide each loss by {count}",
        "divida cada pérdida entre {count}",
    ),
    "xray.what.loop.clip_late": (
        "the gradients are clipped after the optimizer has used them",
        "los gradientes se recortan después de que el optimizador los haya usado",
    ),
    "xray.instead.loop.clip_late": (
        "clip between backward() and step()",
        "recorte entre backward() y step()",
    ),
    "xray.what.loop.clip_scaled": (
        "the gradients are clipped while they are still multiplied by the scale of the GradScaler",
        "los gradientes se recortan cuando aún están multiplicados por la escala del GradScaler",
    ),
    "xray.instead.loop.clip_scaled": (
        "call scaler.unscale_(optimizer) before clipping",
        "llame a scaler.unscale_(optimizer) antes de recortar",
    ),
    "xray.what.loop.zeroed": (
        "the gradients are set to zero between backward() and step(): the optimizer never sees any",
        "los gradientes se ponen a cero entre backward() y step(): el optimizador nunca ve ninguno",
    ),
    "xray.instead.loop.zeroed": (
        "call zero_grad() before backward(), or after step()",
        "llame a zero_grad() antes de backward(), o después de step()",
    ),
}
