"""Fills in exercise sheets as a learner would: in an editor, in a notebook, in a browser."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from minigrad.learn.classroom.sheet import Sheet

Answers = Mapping[int, Mapping[str, str]]


def solutions(sheet: Sheet) -> dict[int, dict[str, str]]:
    return {item.number: dict(item.question.solution) for item in sheet.items}


def in_an_editor(text: str, answers: Answers) -> str:
    """Markdown: the underscores behind each `=` are replaced."""

    def fill(match: re.Match[str]) -> str:
        given = answers.get(int(match[1]), {})
        lines = []
        for line in match[2].splitlines():
            label = line.partition(" =")[0]
            blank = next(iter(given), "") if label in ("answer", "respuesta") else label
            lines.append(f"{label} = {given[blank]}" if blank in given else line)
        return f"```answers {match[1]}\n" + "\n".join(lines) + "\n```"

    return re.sub(r"```answers (\d+)\n(.*?)\n```", fill, text, flags=re.DOTALL)


def in_a_notebook(text: str, answers: Answers) -> str:
    document = json.loads(text)
    for cell in document["cells"]:
        source = "".join(cell["source"])
        found = re.fullmatch(r'answer\("(\d+)".*\)', source)
        if cell["cell_type"] == "code" and found:
            for blank, value in answers.get(int(found[1]), {}).items():
                number = re.fullmatch(r"-?[\d.]+(/\d+)?", value)
                source = source.replace(f"{blank}=...", f"{blank}={value if number else json.dumps(value)}")
            cell["source"] = [source]
    return json.dumps(document)


def in_a_browser(text: str, answers: Answers) -> str:
    """What a browser saves as a page: the values are attributes."""
    parts = re.split(r'(?=<section data-question="\d+">)', text)
    filled = [parts[0]]
    for part in parts[1:]:
        number = re.match(r'<section data-question="(\d+)">', part)
        assert number is not None
        for blank, value in answers.get(int(number[1]), {}).items():
            escaped = value.replace("&", "&amp;").replace('"', "&quot;")
            part = part.replace(
                f'type="text" data-blank="{blank}"', f'type="text" value="{escaped}" data-blank="{blank}"'
            )
            part = part.replace(
                f'value="{value}" data-blank="choice"', f'value="{value}" checked data-blank="choice"'
            )
        filled.append(part)
    return "".join(filled)


def as_saved(sheet: Sheet, answers: Answers, saved: str = "2026-09-28T10:00:00") -> str:
    """The small file that the page saves."""
    content = {"schema": "minigrad.answers/1", "sheet": sheet.code, "saved": saved}
    return json.dumps({**content, "answers": {str(number): dict(given) for number, given in answers.items()}})


FILLING: dict[str, Callable[[str, Answers], str]] = {
    ".md": in_an_editor,
    ".ipynb": in_a_notebook,
    ".html": in_a_browser,
}


def fill(path: Path, answers: Answers, into: Path) -> None:
    """A sheet, filled in, under another name."""
    into.write_text(FILLING[path.suffix](path.read_text(encoding="utf-8"), answers), encoding="utf-8")
