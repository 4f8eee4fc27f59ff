"""Sentences of the callbacks for trainers."""

ROWS = {
    "xray.unseen.spread": (
        "the training is divided ({about}): DDP, FSDP, DeepSpeed and models in pieces are not supported, so "
        "nothing was looked at; train on one device to have it examined",
        "el entrenamiento está repartido ({about}): DDP, FSDP, DeepSpeed y los modelos en partes no se "
        "admiten, así que no se miró nada; entrene en un solo dispositivo para que se examine",
    ),
    "xray.unseen.no_steps": (
        "the trainer has not made a step yet; the report is there after it",
        "el entrenador aún no ha dado ningún paso; el informe está disponible después",
    ),
    "xray.no_trainer": (
        "{name} is not installed for this Python; write: pip install {name}",
        "{name} no está instalado en este Python; escriba: pip install {name}",
    ),
    "xray.trainer_steps": (
        "steps is how many steps to watch, a whole number from 1 on, and not {given}",
        "steps es cuántos pasos se observan, un número entero a partir de 1, y no {given}",
    ),
}
