"""Sentences about the file of a training run."""

ROWS = {
    "checkpoint.run.schema": (
        "what it holds is {given}, not the run {known} that `minigrad train` saves",
        "lo que contiene es {given}, no el entrenamiento {known} que guarda `minigrad train`",
    ),
    "checkpoint.run.entries": (
        "entries of its state are missing or too many: {names}",
        "en su estado faltan o sobran entradas: {names}",
    ),
    "checkpoint.run.step": (
        "{given} cannot be the steps taken of {steps}",
        "{given} no pueden ser los pasos dados de {steps}",
    ),
    "checkpoint.run.cursor": (
        "{given} cannot be its place in the data, which after these steps is {right}",
        "{given} no puede ser su lugar en los datos, que tras estos pasos es {right}",
    ),
    "checkpoint.run.losses": (
        "its losses are not {count} numbers, one for each step",
        "sus pérdidas no son {count} números, uno por cada paso",
    ),
    "checkpoint.run.tensor": (
        "a run has no tensor {name}",
        "un entrenamiento no tiene un tensor {name}",
    ),
    "checkpoint.run.settings": (
        "its entry '{what}' contradicts the others",
        "su entrada '{what}' contradice a las demás",
    ),
}
