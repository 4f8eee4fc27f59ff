"""Sentences of drawings of training: curves, boundaries, networks."""

ROWS: dict[str, tuple[str, str]] = {
    "chart.title.loss": ("Loss by step", "Pérdida por paso"),
    "chart.title.angle": ("Angle between the gradients", "Ángulo entre los gradientes"),
    "chart.loss": ("loss", "pérdida"),
    "chart.mean": ("mean of the last {count}", "media de los últimos {count}"),
    "chart.steps": ("steps", "pasos"),
    "chart.told": (
        "{name}: {first} at step {start}, {last} at step {end}; lowest {low} at step {best}.",
        "{name}: {first} en el paso {start}, {last} en el paso {end}; mínimo {low} en el paso {best}.",
    ),
    "chart.told.none": ("{name}: no number yet.", "{name}: todavía ningún número."),
    "chart.nan": (
        "{name}: not a number from step {step} on",
        "{name}: no es un número desde el paso {step}",
    ),
    "chart.infinite": ("{name}: infinite at step {step}", "{name}: infinito en el paso {step}"),
    # the plane
    "boundary.title": ("Decision regions", "Regiones de decisión"),
    "boundary.fit": ("The fitted curve", "La curva ajustada"),
    "boundary.up": ("class +1", "clase +1"),
    "boundary.down": ("class -1", "clase -1"),
    "boundary.missed": ("on the wrong side", "en el lado equivocado"),
    "boundary.points": ("examples", "ejemplos"),
    "boundary.curve": ("what the model says", "lo que dice el modelo"),
    "boundary.accuracy": (
        "{right} of {count} right ({percent}%)",
        "{right} de {count} bien ({percent} %)",
    ),
    "boundary.error": ("off by {error} (root mean square)", "error de {error} (media cuadrática)"),
    # gradients by layer
    "layers.title": ("Gradients by layer", "Gradientes por capa"),
    "layers.grad": ("gradient (rms)", "gradiente (rms)"),
    "layers.weight": ("weight (rms)", "peso (rms)"),
    "layers.told": (
        "{layer}: gradient {grad}, weight {weight}",
        "{layer}: gradiente {grad}, peso {weight}",
    ),
    "layers.none": ("no step yet", "todavía ningún paso"),
    "layers.vanishing": ("vanishing", "se desvanece"),
    "layers.exploding": ("exploding", "explota"),
    "layers.dead": ("dead units", "unidades muertas"),
    "layers.saturated": ("saturated units", "unidades saturadas"),
    "layers.number": ("infinite, or not a number", "infinito, o no es un número"),
    # the network
    "network.title": ("The network", "La red"),
    "network.told": ("{sizes}: {count} parameters", "{sizes}: {count} parámetros"),
    "network.plus": ("weight above 0", "peso mayor que 0"),
    "network.minus": ("weight below 0", "peso menor que 0"),
    "network.pull": ("gradient", "gradiente"),
    "network.dead": ("dead unit", "unidad muerta"),
    "network.part": ("{shown} of {size}", "{shown} de {size}"),
    "network.inputs": ("inputs: {size}", "entradas: {size}"),
    "network.outputs": ("outputs: {size}", "salidas: {size}"),
    "network.parameters": ("{count} parameters", "{count} parámetros"),
    "network.row": ("gradient {grad}", "gradiente {grad}"),
}
