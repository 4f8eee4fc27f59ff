"""Sentences of the scripts that reproduce a finding."""

ROWS = {
    "xray.reproduced.title": (
        "Reproducer",
        "Reproductor",
    ),
    "xray.reproduced.head": (
        "minigrad xray {name} shows: {family}",
        "minigrad xray {name} muestra: {family}",
    ),
    "xray.reproduced.head_self": (
        "python {name} shows: {family}",
        "python {name} muestra: {family}",
    ),
    "xray.reproduced.lines": (
        "{path} is written: {lines} lines; without comments the program has {of}",
        "{path} está escrito: {lines} líneas; sin comentarios, el programa tiene {of}",
    ),
    "xray.reproduced.again": (
        "it was run and examined by itself, and shows {family} again, in line {line}",
        "se ejecutó y examinó por separado, y vuelve a mostrar {family}, en la línea {line}",
    ),
    "xray.reproduced.again_nowhere": (
        "it was run and examined by itself, and shows {family} again",
        "se ejecutó y examinó por separado, y vuelve a mostrar {family}",
    ),
    "xray.reproduced.tried": (
        "smaller programs tried: {tried}; those that still showed it: {accepted}",
        "programas menores probados: {tried}; los que aún lo mostraban: {accepted}",
    ),
    "xray.reproduced.spent": (
        "the time was over before everything had been tried, so it may be longer than it need be; more "
        "seconds may make it shorter",
        "el tiempo se acabó antes de probarlo todo, así que puede ser más largo de lo necesario; con más "
        "segundos puede quedar más corto",
    ),
    "xray.reproduced.long": (
        "it has {lines} lines, and no more than {most} were wanted: whatever else was removed, the finding "
        "was gone",
        "tiene {lines} líneas, y se pedían {most} como mucho: al quitar cualquier otra parte, el hallazgo "
        "desaparecía",
    ),
    "xray.reproduce.ending": (
        "the reproducer is a Python script, and {given} does not end in .py; name a file such as repro.py",
        "el reproductor es un script de Python, y {given} no acaba en .py; indique un archivo como repro.py",
    ),
    "xray.reproduce.exists": (
        "{path} is there already, and nothing is written over it; name a file that does not exist yet",
        "{path} ya existe, y no se sobrescribe nada; indique un archivo que aún no exista",
    ),
    "xray.reproduce.folder": (
        "there is no folder {path}; make it first, or name another one",
        "no hay ninguna carpeta {path}; créela antes, o indique otra",
    ),
    "xray.reproduce.failed": (
        "{path} could not be written: {why}",
        "no se pudo escribir {path}: {why}",
    ),
    "xray.reproduce.system": (
        "a reproducer needs a system that can fork a process, which {system} cannot; use Linux or macOS",
        "un reproductor necesita un sistema que pueda bifurcar procesos, y {system} no puede; use Linux o "
        "macOS",
    ),
    "xray.reproduce.nothing": (
        "the report has no finding and no fact, so there is nothing to reproduce",
        "el informe no tiene hallazgos ni hechos, así que no hay nada que reproducir",
    ),
    "xray.reproduce.entry": (
        "this entry is not of this report; give one of report.findings or report.facts",
        "esta entrada no es de este informe; dé una de report.findings o report.facts",
    ),
    "xray.reproduce.source": (
        "the loss does not come from a file, so there is no program to shrink; put it in a file, as in "
        "minigrad xray train.py --reproduce repro.py",
        "la pérdida no viene de un archivo, así que no hay programa que reducir; póngala en un archivo, como "
        "en minigrad xray train.py --reproduce repro.py",
    ),
    "xray.reproduce.no_torch": (
        "PyTorch is not installed for this Python; write: pip install 'minigrad-lab[torch]'",
        "PyTorch no está instalado en este Python; escriba: pip install 'minigrad-lab[torch]'",
    ),
    "xray.reproduce.other_finding": (
        "the program does not show this again when it is run by itself, without its comments, so nothing was "
        "written; does it depend on chance, on other files, or on how it was started?",
        "el programa no vuelve a mostrarlo cuando se ejecuta por separado, sin sus comentarios, así que no "
        "se escribió nada; ¿depende del azar, de otros archivos o de cómo se inició?",
    ),
    "xray.reproduce.again": (
        "a smaller program was found, but by itself it does not show this again, so nothing was written; "
        "does the program depend on chance? A seed, as in torch.manual_seed(0), may help",
        "se encontró un programa menor, pero por separado no vuelve a mostrarlo, así que no se escribió "
        "nada; ¿depende el programa del azar? Una semilla, como torch.manual_seed(0), puede ayudar",
    ),
    "xray.reproduce.ended": (
        "the process that shrinks the program ended before it was done ({how}), so nothing was written; "
        "a program that takes less time or memory can be shrunk",
        "el proceso que reduce el programa terminó antes de acabar ({how}), así que no se escribió nada; un "
        "programa que necesite menos tiempo o memoria sí se puede reducir",
    ),
}
