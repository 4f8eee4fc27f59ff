"""Words on the box of a group of nodes in a drawing of a large graph."""

ROWS = {
    "groups.unknown": (
        "there is no group {given} in this graph; {known}",
        "no existe el grupo {given} en este grafo; {known}",
    ),
    "groups.known": ("its groups are {listed}", "sus grupos son {listed}"),
    "groups.none": ("it is drawn without groups", "se dibuja sin grupos"),
    "groups.more": ("{count} more", "{count} más"),
    "groups.input": ("1 input", "1 entrada"),
    "groups.inputs": ("{count} inputs", "{count} entradas"),
    "groups.constant": ("1 constant", "1 constante"),
    "groups.constants": ("{count} constants", "{count} constantes"),
    "groups.elsewhere": ("{count} nodes elsewhere", "{count} nodos en otra parte"),
}
