"""Hand-ins of learners: the code of a sheet and its answers, read from Markdown, a page or a notebook.

Nothing is run.  Of Markdown the fences of answers are read, of a page its input fields, of a notebook the
calls of `answer`, as text.  What is in a returned file is the work of somebody else: whatever it holds, the
outcome is a HandIn, with the reason where it could not be read.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import unescape
from json import loads
from re import MULTILINE, findall, fullmatch
from re import compile as pattern
from unicodedata import combining, normalize

from ...text.strict_json import parse_json
from ...text.translation import LANGUAGES, catalogue

__all__ = ["ENDINGS", "LARGEST", "HandIn", "is_sheet", "read"]

LARGEST = 4 << 20  # octets of a returned sheet
LONGEST = 300  # characters of an answer
QUESTIONS = 200  # that are read of one sheet
LINES = 5000  # with answers, that are read of one sheet
CELL = 20 * LONGEST  # characters of a cell with answers
CODE = 60 * CELL  # characters of all such cells; a sheet of ours has some thousands
_CODE = pattern(r"(?<![0-9a-f-])[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}(?![0-9a-f-])")
_FENCE = pattern(r"(`{3,}|~{3,})[ \t]*answers[ \t]+(\d{1,3})[ \t]*")
_TAG = pattern(r"""<(/?[a-zA-Z][\w-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>""")
_ATTRIBUTE = pattern(r"""([a-zA-Z][\w-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?""")
PILE = 30  # marks on one letter; Unicode itself asks for no more
LONGEST_TAG = 2000  # characters
TAGS = 20_000  # signs that open a tag; a page of ours has some hundreds


@dataclass(frozen=True)
class HandIn:
    """The content of a returned file."""

    codes: tuple[str, ...] = ()  # that look like the code of a sheet, each once
    answers: Mapping[int, Mapping[str, str]] = field(default_factory=dict)  # question, blank, text
    twice: tuple[int, ...] = ()  # questions with two different answers in one blank
    text: str = ""  # what it says, for whoever wants to know if a question still stands there
    saved: str = ""  # when, as the page wrote it down
    trouble: str = ""  # "unread" or "large"; "" if all is well


def read(ending: str, octets: bytes) -> HandIn:
    """The content of a returned file with this ending; one that cannot be read has its trouble."""
    if len(octets) > LARGEST:
        return HandIn(trouble="large")
    try:
        text = _composed(_plain_lines(_decoded(octets)))
        return ENDINGS[ending](text)
    except (ValueError, RecursionError, MemoryError, TypeError, AssertionError):
        return HandIn(trouble="unread")


def _decoded(octets: bytes) -> str:
    if octets[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return octets.decode("utf-16", errors="replace")
    try:
        return octets.decode("utf-8-sig")
    except UnicodeDecodeError:
        return octets.decode("cp1252", errors="replace")


def _plain_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _composed(text: str) -> str:
    """With accents on their letters; ValueError for piles of them, whose sorting would take hours."""
    pile = 0
    for sign in "" if text.isascii() else text:
        pile = pile + 1 if combining(sign) else 0
        if pile > PILE:
            raise ValueError("a pile of accents")
    return normalize("NFC", text)


class _Answers:
    """Answers as they are found; the same blank with two different texts is remembered."""

    def __init__(self) -> None:
        self.found: dict[int, dict[str, str]] = {}
        self.twice: dict[int, None] = {}
        self.lines = 0

    def add(self, question: int, blank: str, text: str) -> None:
        self.lines += 1
        cleaned = _cleaned(text) if self.lines <= LINES else ""
        if not cleaned or len(self.found) > QUESTIONS:
            return
        blanks = self.found.setdefault(question, {})
        if blanks.get(blank, cleaned) != cleaned:
            self.twice[question] = None
        if len(blanks) < QUESTIONS:
            blanks[blank] = cleaned

    def returned(self, text: str, codes: str = "", saved: str = "") -> HandIn:
        known = tuple(dict.fromkeys(_CODE.findall(codes or text)))
        return HandIn(known, self.found, tuple(self.twice), text, saved)


def _cleaned(text: str) -> str:
    """What was written into a blank: without the line below it, and with a plain minus."""
    plain = text.strip().strip("`").strip()
    plain = plain.strip("_…").strip().translate({0x2212: "-", 0x2013: "-", 0xA0: " "})
    return plain[: LONGEST + 1]


def _labels() -> Mapping[str, str]:
    """The words that stand before the one blank of a question, in every language."""
    return {catalogue()["classroom.answer"][at]: "" for at in range(len(LANGUAGES))}


def _markdown(text: str) -> HandIn:
    answers, labels, prose = _Answers(), _labels(), []
    fence, number, inner = "", 0, 0
    for line in text.split("\n"):
        inside = line[: 4 * LONGEST].strip(" \t>") if line else ""
        if fence:
            if inside.startswith(fence):
                fence = ""
                continue
            inner += 1
            if inner > 10 * LINES:
                return HandIn(trouble="large")
            blank, sign, written = _parted(inside)
            if sign:
                answers.add(number, labels.get(blank.casefold(), blank), written)
        elif inside and (opened := _FENCE.fullmatch(inside)):
            fence, number = opened[1], int(opened[2])
        else:
            prose.append(line)
    return answers.returned("\n".join(prose))


def _parted(line: str) -> tuple[str, str, str]:
    """a.grad = 4: the blank, the sign and what was written; no sign where the line is something else."""
    at = min((place for place in (line.find("="), line.find(":")) if place >= 0), default=-1)
    blank = line[: max(at, 0)].strip(" \t*`-").removesuffix(".grad")
    return (blank, line[at], line[at + 1 :]) if at > 0 and blank.isidentifier() else ("", "", "")


def _page(text: str) -> HandIn:
    """The fields of a page, and what it says.

    Read by hand and in one go: the parser of the standard library can take minutes for what is no page.
    """
    if text.count("<") > TAGS:
        return HandIn(trouble="unread")
    answers, words = _Answers(), []
    question = at = 0
    while (opened := text.find("<", at)) >= 0:
        words.append(text[at:opened])
        if text.startswith("<!--", opened):
            at = _behind(text, "-->", opened)
            continue
        found = _TAG.match(text, opened, opened + LONGEST_TAG)
        if found is None:
            words.append("<")
            at = opened + 1
            continue
        at = found.end()
        name = found[1].lower()
        if name in ("script", "style", "svg"):
            at = _behind(text, f"</{name}>", at)
        elif name == "/section":
            question = 0
        elif name in ("section", "input"):
            given = _attributes(found[2])
            if fullmatch(r"[0-9]{1,3}", given.get("data-question", "")):
                question = int(given["data-question"])
            chosen = given.get("type") != "radio" or "checked" in given
            if name == "input" and question and "data-blank" in given and chosen:
                answers.add(question, given["data-blank"], given.get("value", ""))
    words.append(text[at:])
    return answers.returned(unescape(" ".join(words)))


def _behind(text: str, mark: str, start: int) -> int:
    """The place behind a mark, or the end of the text."""
    found = text.find(mark, start)
    return len(text) if found < 0 else found + len(mark)


def _attributes(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(text):
        value = unescape(double or single or bare)
        found.setdefault(name.lower(), value)  # the first counts, as in a browser
    return found


def _saved(text: str) -> HandIn:
    document = parse_json(text)
    if not isinstance(document, dict) or document.get("schema") != "minigrad.answers/1":
        return HandIn(trouble="unread")
    answers = _Answers()
    for number, blanks in _pairs(document.get("answers")):
        for blank, value in _pairs(blanks):
            if fullmatch(r"\d{1,3}", number) and isinstance(value, (str, int, float)):
                answers.add(int(number), blank, str(value))
    saved = document.get("saved")
    code = str(document.get("sheet", ""))
    return answers.returned("", codes=code, saved=saved if isinstance(saved, str) else "")


def _pairs(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        yield from value.items()


def is_sheet(octets: bytes) -> bool:
    """Is this notebook a sheet, be it too large or too damaged to be read?

    A sheet has a code in its metadata or in a cell of text; in what is no notebook, a code anywhere will do.
    """
    text = _decoded(octets)
    try:
        document = loads(text)
        if "sheet" in document["metadata"]["minigrad"]:
            return True
    except (KeyError, TypeError):
        pass
    except (ValueError, RecursionError, MemoryError):
        return _CODE.search(text) is not None
    cells = document.get("cells") if isinstance(document, dict) else None
    if not isinstance(cells, list):
        return _CODE.search(text) is not None
    texts = (
        _source(cell) for cell in cells if isinstance(cell, dict) and cell.get("cell_type") == "markdown"
    )
    return any(_CODE.search(source) for source in texts)


def _source(cell: Mapping[str, object]) -> str:
    source = cell.get("source", "")
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


def _notebook(text: str) -> HandIn:
    document = loads(text)
    if not isinstance(document, dict) or not isinstance(document.get("cells"), list):
        return HandIn(trouble="unread")
    answers, prose, parsed = _Answers(), [], 0
    for cell in document["cells"]:
        if not isinstance(cell, dict):
            continue
        source = _source(cell)
        if cell.get("cell_type") == "code":
            if "answer" not in source or len(source) > CELL:
                continue
            parsed += len(source)
            if parsed > CODE:
                return HandIn(trouble="large")
            for number, blank, written in _calls(source):
                answers.add(number, blank, written)
        elif cell.get("cell_type") == "markdown":
            prose.append(source)
    written = "\n".join(prose)
    metadata = document.get("metadata")
    code = ""
    if isinstance(metadata, dict) and isinstance(metadata.get("minigrad"), dict):
        code = str(metadata["minigrad"].get("sheet", ""))
    return replace(answers.returned(written), codes=tuple(dict.fromkeys(_CODE.findall(f"{code} {written}"))))


def _calls(source: str) -> Iterator[tuple[int, str, str]]:
    """answer("3", a=4, b=-4), as question, blank and text; numbers and expressions as they are written."""
    source = _plain_lines(source)
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield from _rescued(source)
        return
    lines = source.encode().split(b"\n")
    for statement in tree.body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "answer"):
            continue
        first = call.args[0] if len(call.args) == 1 else None
        if not (isinstance(first, ast.Constant) and fullmatch(r"\d{1,3}", str(first.value))):
            continue
        for keyword in call.keywords:
            if keyword.arg and not _empty(keyword.value):
                text = _segment(lines, keyword.value)
                if isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str):
                    text = keyword.value.value
                yield int(str(first.value)), keyword.arg, text


def _segment(lines: list[bytes], value: ast.expr) -> str:
    """The text of an expression; `ast.get_source_segment` would split the whole source for each of them."""
    last = value.end_lineno or value.lineno
    rows = lines[value.lineno - 1 : last]
    rows[-1] = rows[-1][: value.end_col_offset]
    rows[0] = rows[0][value.col_offset :]
    return b"\n".join(rows).decode()


def _empty(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value in (..., None)


def _rescued(source: str) -> Iterator[tuple[int, str, str]]:
    """A call that is no Python, such as answer("3", a=4,5, b=): what can be told apart without doubt."""
    for number, inside in findall(r'^answer\(\s*"(\d{1,3})"\s*,(.*)\)\s*$', source, MULTILINE):
        parts = [part.partition("=") for part in inside.split(",")]
        if all(fullmatch(r"\s*[^\W\d]\w*\s*", name) and equals for name, equals, _ in parts):
            for name, _, value in parts:
                if value.strip() not in ("", "..."):
                    yield int(number), name.strip(), value.strip().strip("\"'")


ENDINGS: Mapping[str, Callable[[str], HandIn]] = {
    ".md": _markdown,
    ".markdown": _markdown,
    ".txt": _markdown,
    ".html": _page,
    ".htm": _page,
    ".json": _saved,
    ".ipynb": _notebook,
}
