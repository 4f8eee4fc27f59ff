"""Words in the drawing of the computation graph, and about drawings as such."""

ROWS: dict[str, tuple[str, str]] = {
    "diagram.title": ("The computation graph of {output}", "El grafo de cómputo de {output}"),
    "diagram.legend": (
        "data flows right, gradients flow left; on each edge: local * upstream = contribution",
        "los datos van a la derecha, los gradientes a la izquierda; en cada arista: "
        "local * entrante = contribución",
    ),
    "diagram.legend.groups": (
        "a dashed box is a group of nodes; data flows right, gradients flow left",
        "una caja de borde discontinuo es un grupo de nodos; los datos van a la derecha, los gradientes "
        "a la izquierda",
    ),
    "diagram.words": (
        "{output} = {value}. Gradients: {gradients}.",
        "{output} = {value}. Gradientes: {gradients}.",
    ),
    "diagram.words.none": (
        "{output} = {value}; it has no gradient.",
        "{output} = {value}; no tiene gradiente.",
    ),
    "diagram.words.more": ("{listed} and {count} more", "{listed} y {count} más"),
}
