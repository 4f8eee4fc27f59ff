"""Sentences of the export of compiled programs to other libraries."""

ROWS: dict[str, tuple[str, str]] = {
    "compile.handover.title": (
        "A program for {library}, exported by minigrad.",
        "Un programa para {library}, exportado por minigrad.",
    ),
    "compile.handover.note.c": (
        "To build it with the bits of the program: cc -std=c99 -O2 -ffp-contract=off, and -lm.",
        "Para construirlo con los bits del programa: cc -std=c99 -O2 -ffp-contract=off, y -lm.",
    ),
    "compile.handover.note.jax": (
        'It computes in float64 after jax.config.update("jax_enable_x64", True), and in float32 without.',
        'Calcula en float64 tras jax.config.update("jax_enable_x64", True), y en float32 sin ello.',
    ),
    "compile.handover.note.torch": (
        "The arguments of forward have a leading axis of n samples. Its parameters begin at 0.",
        "Los argumentos de forward tienen un eje inicial de n muestras. Sus parámetros empiezan en 0.",
    ),
    "compile.handover.number": ("a number", "un número"),
    "compile.handover.guards": (
        "It holds for the branches that were taken when it was traced ({count} conditions):",
        "Vale para las ramas que se tomaron al trazarlo ({count} condiciones):",
    ),
    "compile.handover.guard": (
        "this program was traced for the other branch: {where}",
        "este programa se trazó para la otra rama: {where}",
    ),
    "compile.handover.gradient": ("the gradient of {what}", "el gradiente de {what}"),
    "compile.handover.differs": (
        "the exported text does not agree with the program: it has {found} for {what}, the program {wanted}; "
        "nothing was exported",
        "el texto exportado no concuerda con el programa: da {found} para {what}, y el programa {wanted}; "
        "no se exportó nada",
    ),
    "compile.handover.shape": (
        "the exported text does not agree with the program: {what} has the shape {found}, and not {wanted}",
        "el texto exportado no concuerda con el programa: {what} tiene la forma {found} y no {wanted}",
    ),
    "compile.handover.missing": (
        "this export needs {library}, which is not installed: pip install {install}",
        "esta exportación necesita {library}, que no está instalado: pip install {install}",
    ),
    "compile.handover.dtype": (
        "there is no export in {given}: write dtype='float64' or dtype='float32'",
        "no hay exportación en {given}: escriba dtype='float64' o dtype='float32'",
    ),
    "compile.handover.argument": (
        "{option}: {given} is no argument of this program, which has {count}{names}; write the number of "
        "one, counted from 0, or its name",
        "{option}: {given} no es un argumento de este programa, que tiene {count}{names}; escriba el número "
        "de uno, contado desde 0, o su nombre",
    ),
    "compile.handover.no_samples": (
        "batch: {given} has no numbers, so how many samples there are is not known; name an argument that "
        "has some",
        "batch: {given} no tiene números, y así no se sabe cuántas muestras hay; nombre un argumento que los "
        "tenga",
    ),
    "compile.handover.c": (
        "a text in C is compiled, not loaded: save(path) writes it to a file",
        "un texto en C se compila, no se carga: save(ruta) lo escribe en un archivo",
    ),
    "compile.handover.c.returns": (
        "A function returns 0, the number of the first condition that does not hold, or -1 for an index out "
        "of range. A gradient that is not wanted is NULL. If the cells are static, make one call at a time.",
        "Una función devuelve 0, el número de la primera condición que no se cumple, o -1 si un índice cae "
        "fuera de rango. Un gradiente que no se pide es NULL. Con celdas estáticas, una llamada a la vez.",
    ),
    "compile.handover.compiler": (
        "there is no C compiler to check the export with: install one, set CC, or write check=False",
        "no hay compilador de C para comprobar la exportación: instale uno, defina CC o escriba check=False",
    ),
    "compile.handover.compiled": (
        "the C compiler refuses the exported text: {said}",
        "el compilador de C rechaza el texto exportado: {said}",
    ),
    "compile.handover.onnx": (
        "ONNX has no word for {kernel}; export to numpy, torch, jax or C instead",
        "ONNX no tiene palabra para {kernel}; exporte a numpy, torch, jax o C",
    ),
}
