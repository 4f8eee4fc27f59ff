"""Files that are no sensible Python, made when they are needed, so that no linter has to read them."""

from __future__ import annotations

from pathlib import Path

from source_trees import DATA

ENGINE = DATA / "hostile" / "leaves_a_daemon.py"


def strange_files(folder: Path) -> dict[str, Path]:
    """A syntax error, nothing at all, bytes of no text, and five megabytes of a right engine."""
    engine = ENGINE.read_text(encoding="utf-8").partition("\n\nif ")[0] + "\n"
    table = "TABLE = [\n" + "    0.123456789012345,\n" * 230_000 + "]\n"
    texts = {
        "syntax_error": (engine + "\n\ndef half(x:\n    return x /\n").encode(),
        "empty": b"",
        "binary": bytes(range(256)) * 64,
        "large": (engine + "\n\n" + table).encode(),
    }
    paths = {}
    for name, text in texts.items():
        paths[name] = folder / f"{name}.py"
        paths[name].write_bytes(text)
    return paths
