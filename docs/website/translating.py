"""Writes docs/reference.es.toml from translations that stand in a plain text.

    python -m website.translating FILE ...     (in docs/)   adds or replaces rows; "@@ NAME", then the words
    python -m website.translating                           says what is missing, with the English words

A row keeps a digest of the English docstring that it translates.
"""

from __future__ import annotations

import sys
from pathlib import Path

from .docstrings import TRANSLATIONS, digest, documented, translations, untranslated

__all__: list[str] = []


def read(text: str) -> dict[str, str]:
    rows = {}
    for part in ("\n" + text).split("\n@@ ")[1:]:
        key, _, words = part.partition("\n")
        rows[key.strip()] = words.strip()
    return rows


def main(files: list[str]) -> int:
    english = dict(documented())
    rows = {key: row for key, row in translations().items() if key in english}
    for file in files:
        for key, words in read(Path(file).read_text(encoding="utf-8")).items():
            if key not in english:
                print(f"no such docstring: {key}", file=sys.stderr)
                continue
            rows[key] = {"digest": digest(english[key]), "text": words}
    if files:
        parts = [
            "# Docstrings in Spanish, each with a digest of the English one: see website/translating.py\n"
        ]
        for key in english:
            if key in rows:
                text = rows[key]["text"]
                if "'''" in text:
                    raise ValueError(f"{key}: three apostrophes cannot be written")
                parts.append(f"[\"{key}\"]\ndigest = \"{rows[key]['digest']}\"\ntext = '''\n{text}'''\n")
        TRANSLATIONS.write_text("\n".join(parts), encoding="utf-8")
        return 0
    for problem in untranslated():
        key = problem.partition(": ")[2]
        print(f"# {problem}\n@@ {key}\n{english.get(key, '')}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
