"""Sentences about values that no gradient passes."""

ROWS = {
    "xray.what.cut.detach": (
        "a value is detached here, and the loss goes on to use it: no gradient passes to {names}",
        "aquí un valor se separa del grafo con detach y la pérdida lo sigue usando: no llega "
        "gradiente a {names}",
    ),
    "xray.instead.cut.detach": (
        "if the gradient is meant to pass, remove detach(); if not, all is well",
        "si el gradiente debe pasar, quite detach(); si no, está bien así",
    ),
    "xray.what.cut.data": (
        "`.data` takes a value without its graph, and the loss goes on to use it: no gradient passes "
        "to {names}",
        "`.data` toma un valor sin su grafo y la pérdida lo sigue usando: no llega gradiente a {names}",
    ),
    "xray.instead.cut.data": (
        "use the tensor itself where the gradient is meant to pass, and detach() where it is not",
        "use el propio tensor donde el gradiente deba pasar, y detach() donde no",
    ),
    "xray.what.cut.data_write": (
        "a value that depends on {names} is written into a tensor past its graph: no gradient passes there",
        "se escribe en un tensor, al margen de su grafo, un valor que depende de {names}: no llega "
        "gradiente ahí",
    ),
    "xray.instead.cut.data_write": (
        "compute a new tensor from the old one (w - lr * g, with create_graph=True) and use that",
        "calcule un tensor nuevo a partir del anterior (w - lr * g, con create_graph=True) y use ese",
    ),
    "xray.what.cut.item": (
        "a tensor becomes a Python number here, and the loss goes on to use it: no gradient passes to "
        "{names}",
        "aquí un tensor se convierte en número de Python y la pérdida lo usa: no llega gradiente a {names}",
    ),
    "xray.instead.cut.item": (
        "calculate with the tensor itself, and take its number only to print it",
        "calcule con el propio tensor y tome su número solo para mostrarlo",
    ),
    "xray.what.cut.numpy": (
        "a value goes through NumPy, which has no gradient, and the loss depends on it: none passes "
        "to {names}",
        "un valor pasa por NumPy, que no tiene gradiente, y la pérdida depende de él: no llega a {names}",
    ),
    "xray.instead.cut.numpy": (
        "write the same with functions of PyTorch, or as a torch.autograd.Function with its backward",
        "escriba lo mismo con funciones de PyTorch, o como torch.autograd.Function con su backward",
    ),
    "xray.what.cut.copied": (
        "torch.tensor copies numbers into a new leaf without their graph: no gradient passes to {names}",
        "torch.tensor copia números en una hoja nueva sin su grafo: no llega gradiente a {names}",
    ),
    "xray.instead.cut.copied": (
        "use torch.stack or torch.cat on the tensors",
        "use torch.stack o torch.cat con los tensores",
    ),
    "xray.what.cut.integer": (
        "the values that come out here are chosen or whole numbers, and the loss calculates with "
        "them: no gradient passes to {names}",
        "los valores que salen de aquí son elecciones o números enteros y la pérdida calcula con "
        "ellos: no llega gradiente a {names}",
    ),
    "xray.instead.cut.integer": (
        "use a soft value where the gradient is meant to pass: probabilities, a softmax, a sigmoid",
        "use un valor suave donde el gradiente deba pasar: probabilidades, una softmax, una sigmoide",
    ),
    "xray.what.cut.sample": (
        "this sample has no gradient with respect to its distribution: none passes to {names}",
        "esta muestra no tiene gradiente respecto a su distribución: no llega a {names}",
    ),
    "xray.instead.cut.sample": (
        "use rsample() where there is one; else a relaxed or straight-through sample, or log_prob in "
        "the loss",
        "use rsample() si existe; si no, una muestra relajada o straight-through, o log_prob en la pérdida",
    ),
    "xray.what.cut.create_graph": (
        "torch.autograd.grad gives a gradient without a graph here, and the loss depends on it: that "
        "part of the loss does not train {names}",
        "aquí torch.autograd.grad da un gradiente sin grafo y la pérdida depende de él: esa parte de "
        "la pérdida no entrena {names}",
    ),
    "xray.instead.cut.create_graph": (
        "pass create_graph=True",
        "pase create_graph=True",
    ),
    "xray.what.cut.by_hand": (
        "requires_grad is switched on by hand on a value that was computed from {names}: it starts a "
        "graph of its own, and nothing before it gets a gradient",
        "se activa requires_grad a mano en un valor calculado a partir de {names}: ahí empieza un "
        "grafo nuevo, y nada anterior recibe gradiente",
    ),
    "xray.instead.cut.by_hand": (
        "remove it, and look for what lost the graph before",
        "quítelo y busque qué perdió el grafo antes",
    ),
    "xray.what.cut.nothing": (
        "the loss is made a leaf by hand: it depends on {names}, and backward() reaches none of its "
        "parameters",
        "la pérdida se convierte a mano en una hoja: depende de {names} y backward() no llega a "
        "ningún parámetro",
    ),
    "xray.instead.cut.nothing": (
        "remove requires_grad, and compute the loss from values that have a gradient, such as probabilities",
        "quite requires_grad y calcule la pérdida con valores que tengan gradiente, como probabilidades",
    ),
    "xray.what.cut.no_grad": (
        "this runs under no_grad, and the loss uses what it gives: no gradient passes to {names}",
        "esto se ejecuta bajo no_grad y la pérdida usa su resultado: no llega gradiente a {names}",
    ),
    "xray.instead.cut.no_grad": (
        "move it out of the no_grad block if it is meant to be trained",
        "sáquelo del bloque no_grad si se debe entrenar",
    ),
    "xray.what.cut.checkpoint": (
        "this checkpoint is re-entrant and no input of it requires a gradient, so it is not recorded: "
        "{names} get none",
        "este checkpoint es reentrante y ninguna de sus entradas requiere gradiente, así que no se "
        "registra: {names} no reciben gradiente",
    ),
    "xray.instead.cut.checkpoint": (
        "pass use_reentrant=False, or let its input require a gradient",
        "pase use_reentrant=False, o haga que su entrada requiera gradiente",
    ),
}
