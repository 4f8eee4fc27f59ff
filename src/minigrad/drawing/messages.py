"""Words in drawings: of the graph and its groups, the river, the waterfall, the thermometer, the ledger."""

ROWS: dict[str, tuple[str, str]] = {
    "drawing.none": (
        "{output} = {value}: no input is below it, so there is no gradient",
        "{output} = {value}: no hay entradas debajo, así que no hay gradiente",
    ),
    # ---- thermometer
    "thermometer.title": ("The thermometer of {output}", "El termómetro de {output}"),
    "thermometer.lowers": ("← lowers {output}", "← baja {output}"),
    "thermometer.raises": ("raises {output} →", "sube {output} →"),
    "thermometer.up": ("raising {input} raises {output}", "al subir {input}, sube {output}"),
    "thermometer.down": ("raising {input} lowers {output}", "al subir {input}, baja {output}"),
    "thermometer.flat": ("raising {input} does not move {output}", "al subir {input}, {output} no se mueve"),
    "thermometer.same": (
        "{first} moves {output} just as much as {second}",
        "{first} mueve {output} exactamente tanto como {second}",
    ),
    "thermometer.near": (
        "{first} moves {output} about as much as {second}",
        "{first} mueve {output} más o menos tanto como {second}",
    ),
    "thermometer.others": (
        "{count} more inputs move {output} no more than these",
        "otras {count} entradas no mueven {output} más que estas",
    ),
    "thermometer.other": (
        "one more input moves {output} no more than these",
        "otra entrada no mueve {output} más que estas",
    ),
    # ---- ledger
    "ledger.title": (
        "The gradient of {output} with respect to {node}, path by path",
        "El gradiente de {output} respecto de {node}, camino a camino",
    ),
    "ledger.zero": (
        "{node}: the gradient is 0, no message reaches it",
        "{node}: el gradiente es 0, no le llega ningún mensaje",
    ),
    "ledger.broken": (
        "this pass left a gradient that is not the sum of the paths",
        "esta pasada dejó un gradiente que no es la suma de los caminos",
    ),
    "ledger.unscaled": (
        "not to scale: not all of these numbers are finite",
        "sin escala: no todos estos números son finitos",
    ),
    # ---- waterfall
    "waterfall.title": (
        "The waterfall of {output}: each forward step beside its mirror image",
        "La cascada de {output}: cada paso hacia delante junto a su reflejo",
    ),
    "waterfall.forward": ("forward: read down", "hacia delante: de arriba abajo"),
    "waterfall.backward": ("backward: read up", "hacia atrás: de abajo arriba"),
    "waterfall.backward.numbered": (
        "backward: in the order of the turns",
        "hacia atrás: en el orden de los turnos",
    ),
    "waterfall.turn": ("turn {turns}", "turno {turns}"),
    "waterfall.left_out": ("{count} steps are left out here", "aquí se omiten {count} pasos"),
    "waterfall.left_out.one": ("one step is left out here", "aquí se omite un paso"),
    "waterfall.more": ("and {count} more", "y {count} más"),
    "waterfall.words": (
        "Forward: {forward}. Backward: {backward}.",
        "Hacia delante: {forward}. Hacia atrás: {backward}.",
    ),
    # ---- river
    "river.title": (
        "The river of {output}: data flows down, gradients flow up",
        "El río de {output}: los datos bajan, los gradientes suben",
    ),
    "river.legend.data": (
        "data, down; the widest is {widest}",
        "datos, hacia abajo; el más ancho es {widest}",
    ),
    "river.legend.grad": (
        "contributions, up; the widest is {widest}; striped: negative",
        "contribuciones, hacia arriba; la más ancha es {widest}; a rayas: negativa",
    ),
    "river.legend.width": (
        "twice as wide is twice as much; a hairline is next to nothing",
        "el doble de ancho significa el doble; un hilo es casi nada",
    ),
    "river.legend.groups": (
        "between groups, a ribbon is as wide as the largest that it stands for",
        "entre grupos, una cinta es tan ancha como la mayor de las que representa",
    ),
    # ---- the graph ------------------------------------------------------------------------------------
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
    # ---- groups of nodes ------------------------------------------------------------------------------
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
    "chart.log": ("axis by powers of ten", "eje en potencias de diez"),
    "meaning.convention": (
        "{output} has a kink here: its gradient by {input} is a convention",
        "punto anguloso de {output}: su gradiente respecto de {input} es una convención",
    ),
    "meaning.steep.up": (
        "{output} rises infinitely fast with {input} here",
        "{output} sube aquí infinitamente rápido con {input}",
    ),
    "meaning.steep.down": (
        "{output} falls infinitely fast with {input} here",
        "{output} baja aquí infinitamente rápido con {input}",
    ),
}
