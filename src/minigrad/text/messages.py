"""Sentences of texts in general: languages, descriptions of what was given, strict JSON, long reports."""

ROWS = {
    "language.unknown": (
        "there is no language {given}; the languages are {known}",
        "no existe el idioma {given}; los idiomas son {known}",
    ),
    "decimal.sign": (".", ","),
    "given.kind": ("a {kind}", "un {kind}"),
    "given.long": ("a long {kind}", "un {kind} largo"),
    "page.more": (
        "... {count} more lines ...",
        "... {count} líneas más ...",
    ),
    "printed.number": (
        "{name} needs a number, and {given} is not one; write {name}=1, {name}=-0.25 or {name}=nan",
        "{name} necesita un número, y {given} no lo es; escriba {name}=1, {name}=-0.25 o {name}=nan",
    ),
    "strict_json.odd": (
        "'{given}' cannot stand here in JSON",
        "'{given}' no puede estar aquí en JSON",
    ),
    "strict_json.ends": ("its JSON ends too early", "su JSON termina demasiado pronto"),
    "strict_json.twice": (
        "the key '{key}' stands there twice",
        "la clave '{key}' aparece dos veces",
    ),
    "strict_json.deep": (
        "its JSON is nested more than {most} deep",
        "su JSON está anidado a más de {most} niveles",
    ),
    "strict_json.long": (
        "a number with {count} digits",
        "un número con {count} cifras",
    ),
    "strict_json.infinite": (
        "{given} is more than a float can hold",
        "{given} es más de lo que cabe en un float",
    ),
    "strict_json.surrogate": (
        "half of a surrogate pair is no character",
        "la mitad de un par sustituto no es un carácter",
    ),
}
