"""Words of formulas, of documents in LaTeX, of pictures as PNG and of names given to Values."""

ROWS = {
    "notation.if": ("if", "si"),
    "notation.otherwise": ("otherwise", "si no"),
    "png.missing": (
        "a PNG needs the library {library}, which is not installed; write: "
        "pip install 'minigrad-lab[{extra}]' (an .svg needs nothing)",
        "para un PNG hace falta la biblioteca {library}, que no está instalada; escriba: "
        "pip install 'minigrad-lab[{extra}]' (un .svg no necesita nada)",
    ),
    "png.fonts": (
        "a PNG needs a font, and this machine has none; install one, such as {known} (an .svg needs nothing)",
        "para un PNG hace falta una fuente, y este equipo no tiene ninguna; instale alguna, por ejemplo "
        "{known} (un .svg no necesita nada)",
    ),
    "png.scale": (
        "the scale of a PNG is {given}; it must be larger than 0, as in png(svg, scale=2.0)",
        "la escala de un PNG es {given}; tiene que ser mayor que 0, como en png(svg, scale=2.0)",
    ),
    "naming.type": (
        "name() wants names with their values, as in name(locals()) or name({{'a': a}}); given: {given}",
        "name() espera nombres con sus valores, como en name(locals()) o name({{'a': a}}); recibió: {given}",
    ),
    "tex.statements": ("The statements", "Las instrucciones"),
    "tex.picture": (
        "The graph: data flows right, gradients flow left",
        "El grafo: los datos van a la derecha, los gradientes a la izquierda",
    ),
    "tex.sums": (
        "Each gradient as a sum, in symbols and in numbers",
        "Cada gradiente como suma, en símbolos y en números",
    ),
    "tex.cut": ("{count} more", "{count} más"),
}
