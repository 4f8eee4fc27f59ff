"""Sentences of a run of `minigrad train`: its progress, its health, its report."""

ROWS: dict[str, tuple[str, str]] = {
    "progress.loss": (
        "loss {loss}",
        "pérdida {loss}",
    ),
    "progress.rate": (
        "rate {rate}",
        "tasa {rate}",
    ),
    "progress.speed": (
        "{speed} steps/s",
        "{speed} pasos/s",
    ),
    "progress.left": (
        "{time} left",
        "quedan {time}",
    ),
    # ---- what is wrong with it ------------------------------------------------------------------
    "health.step": (
        "step {step}: {words}",
        "paso {step}: {words}",
    ),
    "health.vanishing": (
        "vanishing gradients: those of {layer} are {size} (root mean square), those of {last} {reached}, "
        "{times} times as large; {layer} hardly learns",
        "gradientes que se desvanecen: los de {layer} son {size} (media cuadrática), los de {last} "
        "{reached}, {times} veces mayores; {layer} apenas aprende",
    ),
    "health.vanishing.try": (
        "try fewer layers, --activation relu or tanh, or wider layers",
        "pruebe con menos capas, --activation relu o tanh, o capas más anchas",
    ),
    "health.tiny": (
        "vanishing gradients: those of {layer} are {size} (root mean square) and its weights {weights}, so "
        "that a step hardly moves them, while the loss is still {loss}",
        "gradientes que se desvanecen: los de {layer} son {size} (media cuadrática) y sus pesos {weights}, "
        "así que un paso apenas los mueve, mientras la pérdida sigue en {loss}",
    ),
    "health.tiny.try": (
        "try fewer layers, --activation relu or tanh, or wider layers",
        "pruebe con menos capas, --activation relu o tanh, o capas más anchas",
    ),
    "health.diverging": (
        "the loss runs away: it is {loss} and was {first} in the first step",
        "la pérdida se dispara: es {loss} y era {first} en el primer paso",
    ),
    "health.diverging.try": (
        "try a smaller --lr (a tenth of it), --clip 1, or --warmup 20",
        "pruebe con un --lr menor (la décima parte), --clip 1 o --warmup 20",
    ),
    "health.exploding": (
        "exploding gradients: their norm is {norm}, and was {usual} in the first steps; the loss is {loss}; "
        "the largest are those of {layer}",
        "gradientes que explotan: su norma es {norm}, y era {usual} en los primeros pasos; la pérdida es "
        "{loss}; los mayores son los de {layer}",
    ),
    "health.exploding.try": (
        "try a smaller --lr, --clip 1, or --warmup 20",
        "pruebe con un --lr menor, --clip 1 o --warmup 20",
    ),
    "health.dead": (
        "dead units: {units} of the {all} of {layer} answer 0 to each of {examples} examples, so their "
        "weights get no gradient",
        "unidades muertas: {units} de las {all} de {layer} responden 0 a cada uno de {examples} ejemplos,"
        " así que sus pesos no reciben gradiente",
    ),
    "health.dead.try": (
        "try a smaller --lr, another --seed, or --activation tanh",
        "pruebe con un --lr menor, otra --seed o --activation tanh",
    ),
    "health.saturated": (
        "saturated units: {units} of the {all} of {layer} are at an end of their range for each of "
        "{examples} examples, where the slope is almost 0",
        "unidades saturadas: {units} de las {all} de {layer} están en un extremo de su rango para cada "
        "uno de {examples} ejemplos, donde la pendiente es casi 0",
    ),
    "health.saturated.try": (
        "try a smaller --lr or --weight-decay 0.001",
        "pruebe con un --lr menor o --weight-decay 0.001",
    ),
    "health.number": (
        "the loss is {loss} and the norm of the gradients {norm}, with a learning rate of {lr}: this step"
        " was not taken, and the run ends here",
        "la pérdida es {loss} y la norma de los gradientes {norm}, con una tasa de aprendizaje de {lr}: "
        "este paso no se dio, y el entrenamiento termina aquí",
    ),
    "health.number.try": (
        "try a smaller --lr (a tenth of it) or --clip 1",
        "pruebe con un --lr menor (la décima parte) o --clip 1",
    ),
    "health.flat": (
        "nothing was learned: the loss was {start} at first and is {end} at the end",
        "no se aprendió nada: la pérdida era {start} al principio y es {end} al final",
    ),
    "health.flat.try": (
        "try another --lr (ten times more, or less), more --steps, or fewer layers",
        "pruebe con otro --lr (diez veces más, o menos), más --steps o menos capas",
    ),
    # ---- what came of it ------------------------------------------------------------------------
    "telling.picture": (
        "Picture",
        "Dibujo",
    ),
    "telling.result": (
        "Result",
        "Resultado",
    ),
    "telling.health": (
        "What is wrong",
        "Qué va mal",
    ),
    "telling.next": (
        "Next",
        "A continuación",
    ),
    "telling.mlp": (
        "MLP {sizes} with {activation}",
        "MLP {sizes} con {activation}",
    ),
    "telling.gpt": (
        "GPT of {layers} layers, width {width}, {heads} heads, vocabulary of {tokens}",
        "GPT de {layers} capas, anchura {width}, {heads} cabezas, vocabulario de {tokens}",
    ),
    "telling.gpt.one": (
        "GPT of one layer, width {width}, {heads} heads, vocabulary of {tokens}",
        "GPT de una capa, anchura {width}, {heads} cabezas, vocabulario de {tokens}",
    ),
    "telling.parameters": (
        "{count} parameters",
        "{count} parámetros",
    ),
    "telling.points": (
        "{count} points",
        "{count} puntos",
    ),
    "telling.documents": (
        "{count} texts",
        "{count} textos",
    ),
    "telling.schedule": (
        "{first} to {last} ({kind})",
        "de {first} a {last} ({kind})",
    ),
    "telling.steps": (
        "{steps} steps of {optimiser}, learning rate {rate}, seed {seed}",
        "{steps} pasos de {optimiser}, tasa de aprendizaje {rate}, semilla {seed}",
    ),
    "telling.steps.one": (
        "one step of {optimiser}, learning rate {rate}, seed {seed}",
        "un paso de {optimiser}, tasa de aprendizaje {rate}, semilla {seed}",
    ),
    "telling.no_steps": (
        "no step was taken",
        "no se dio ningún paso",
    ),
    "telling.loss": (
        "loss {start} at first, {end} after {steps} steps",
        "pérdida {start} al principio, {end} tras {steps} pasos",
    ),
    "telling.loss.one": (
        "loss {start} in the one step",
        "pérdida {start} en el único paso",
    ),
    "telling.loss.mean": (
        "loss {start} at first, {end} after {steps} steps (means of {count} steps)",
        "pérdida {start} al principio, {end} tras {steps} pasos (medias de {count} pasos)",
    ),
    "telling.accuracy": (
        "accuracy {percent}%: {right} of {all} points on their side",
        "exactitud {percent} %: {right} de {all} puntos en su lado",
    ),
    "telling.time": (
        "{time} for {steps} steps",
        "{time} para {steps} pasos",
    ),
    "telling.time.one": (
        "{time} for one step",
        "{time} para un paso",
    ),
    "telling.healthy": (
        "health: nothing vanishes, explodes or is dead",
        "salud: nada se desvanece, explota ni está muerto",
    ),
    "telling.healthy.dead": (
        "health: nothing vanishes or explodes; {units} of {all} hidden units are dead: 0 on each of "
        "{examples} examples",
        "salud: nada se desvanece ni explota; {units} de {all} unidades ocultas están muertas: dan 0 en "
        "cada uno de {examples} ejemplos",
    ),
    "telling.samples": (
        "Samples",
        "Muestras",
    ),
    "telling.lines": (
        "texts of {least} to {most} characters, half of them up to {middle}; the model sees {block} at a "
        "time, and cuts none",
        "textos de {least} a {most} caracteres, la mitad de hasta {middle}; el modelo ve {block} a la vez y "
        "no corta ninguno",
    ),
    "telling.lines.cut": (
        "texts of {least} to {most} characters, half of them up to {middle}; the model sees {block} at a "
        "time, so the ends of {cut} of {all} texts are cut off: --block N sees more",
        "textos de {least} a {most} caracteres, la mitad de hasta {middle}; el modelo ve {block} a la vez, "
        "así que a {cut} de {all} textos se les corta el final: --block N ve más",
    ),
    "telling.held_out.texts": (
        "held out: loss {loss} on {count} texts that it was not trained on",
        "reservados: pérdida {loss} en {count} textos con los que no se entrenó",
    ),
    "telling.held_out.points": (
        "held out: loss {loss} on {count} points that it was not trained on",
        "reservados: pérdida {loss} en {count} puntos con los que no se entrenó",
    ),
    "telling.held_out.accuracy": (", accuracy {percent}%", ", exactitud {percent} %"),
    "telling.samples.old": (
        "behind each, how likely the model makes it; in the data already: {old} of {count}",
        "detrás de cada una, su probabilidad según el modelo; ya están en los datos: {old} de {count}",
    ),
    "telling.unsaved": (
        "nothing was saved; --save FILE.safetensors keeps a run, --plot and --watch FILE.html show it",
        "no se guardó nada; --save ARCHIVO.safetensors guarda un entrenamiento, --plot y --watch "
        "ARCHIVO.html lo muestran",
    ),
    "telling.unsaved.shown": (
        "the run was not saved; --save FILE.safetensors keeps it",
        "el entrenamiento no se guardó; --save ARCHIVO.safetensors lo guarda",
    ),
    "telling.unsaved.broken": (
        "nothing was saved; --save FILE.safetensors with --every N keeps the last good step",
        "no se guardó nada; --save ARCHIVO.safetensors con --every N conserva el último paso bueno",
    ),
    "telling.saved": (
        "saved to {path}",
        "guardado en {path}",
    ),
    "telling.kept": (
        "{path} holds the run as it was after step {step}",
        "{path} conserva el entrenamiento tal como estaba tras el paso {step}",
    ),
    "telling.resume": (
        "to go on:",
        "para seguir:",
    ),
    "telling.weight": (
        "why a weight has the gradient it has:",
        "por qué un peso tiene el gradiente que tiene:",
    ),
    "telling.stopped": (
        "stopped after step {step} of {steps}",
        "detenido tras el paso {step} de {steps}",
    ),
}
