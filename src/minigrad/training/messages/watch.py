"""Sentences of the page that shows a training run."""

ROWS: dict[str, tuple[str, str]] = {
    "watch.title": ("Training: {task}", "Entrenamiento: {task}"),
    "watch.state.training": ("training", "entrenando"),
    "watch.state.finished": ("finished", "terminado"),
    "watch.state.stopped": ("stopped", "detenido"),
    "watch.state.broken": ("broken off", "interrumpido"),
    "watch.step": ("step", "paso"),
    "watch.of": ("{step} of {steps}", "{step} de {steps}"),
    "watch.loss": ("loss", "pérdida"),
    "watch.rate": ("learning rate", "tasa de aprendizaje"),
    "watch.right": ("accuracy", "exactitud"),
    "watch.parameters": ("parameters", "parámetros"),
    "watch.seed": ("seed", "semilla"),
    "watch.findings": ("What to look at", "En qué fijarse"),
    "watch.finding": ("Step {step}: {words}", "Paso {step}: {words}"),
    "watch.well": ("No trouble so far.", "Ningún problema hasta ahora."),
    "watch.reel": ("Pictures taken so far", "Imágenes tomadas hasta ahora"),
    "watch.play": ("Play", "Reproducir"),
    "watch.pause": ("Pause", "Pausa"),
    "watch.follow": ("Follow the newest", "Seguir la más reciente"),
    "watch.now": ("step {step}", "paso {step}"),
    "watch.now.loss": ("step {step} · loss {loss}", "paso {step} · pérdida {loss}"),
    "watch.following": (
        "The newest picture. The page renews itself.",
        "La imagen más reciente. La página se renueva sola.",
    ),
    "watch.looking": (
        "An earlier picture. The page does not renew itself while you look at it.",
        "Una imagen anterior. La página no se renueva mientras usted la mira.",
    ),
    "watch.over": ("The run has ended.", "El entrenamiento ha terminado."),
    "watch.stale": (
        "This page has not changed for a while: the run may have been ended from outside.",
        "Esta página lleva un rato sin cambiar: puede que el entrenamiento se haya cortado desde fuera.",
    ),
    "watch.samples": ("What it writes", "Lo que escribe"),
    "watch.samples.note": (
        "Drawn at temperature {temperature}, from the same seed each time.",
        "Con temperatura {temperature}, cada vez desde la misma semilla.",
    ),
    "watch.noscript": (
        "Without JavaScript this page shows the newest picture only.",
        "Sin JavaScript esta página solo muestra la imagen más reciente.",
    ),
}
