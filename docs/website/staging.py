"""Pages of one language, ready for Sphinx: those of docs/, with links that fit the site, and generated ones.

A link of a page in docs/ is one that a code host follows: relative, to a file.  On the site it becomes
    a page of docs/en or docs/es      that page
    a Markdown file elsewhere         a page under project/
    any other file, a folder          a page under source/ that shows it
and a picture is shown in light or in dark, as the reader has it.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from minigrad.faults import FAULTS
from minigrad.text.translation import LANGUAGES, say, speaking

__all__ = ["DOCS", "ROOT", "Book", "book_of", "write"]

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"

# The chapters and their pages; one that stands nowhere here is put into the third.
CHAPTERS = {
    "learn": ("learning", "build", "course/index", "teaching", "exercises"),
    "guides": ("guides/",),
    "understand": (
        "python",
        "language",
        "seeing",
        "court",
        "faults",
        "doctor",
        "xray",
        "training",
        "compile",
        "numerics",
    ),
    "look_up": ("ops", "catalogue/index", "reference/index", "reference/commands"),
    "project": ("comparisons", "architecture", "security", "project/"),
}
REST = "understand"
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
_LINK = re.compile(r"\]\((?!https?:|mailto:|#|/)([^)\s]+)\)")
_IMAGE = re.compile(r"!\[([^\]]*)\]\((?!https?:)([^)\s]+)\)")
_FAULT = re.compile(r"^\| `([\w-]+)`(?= )")  # the first cell of a row
_COMMENT = re.compile(r"^<!-- .* -->$")
_SWITCH = re.compile(r"\s*\*\[(?:En español|In English)\]\([^)]*\)\*")
_PICTURE = re.compile(r'<picture><source [^>]*srcset="([^"]+)"><img ([^>]*?)\s*src="([^"]+)"></picture>')
_KINDS = {".py": "python", ".c": "c", ".h": "c", ".js": "javascript", ".css": "css", ".toml": "toml",
          ".json": "json", ".sh": "bash", ".csv": "text"}  # fmt: skip


@dataclass
class Book:
    """What one language's site is made of."""

    language: str
    pages: dict[str, str] = field(default_factory=dict)  # document name: Markdown
    assets: dict[str, str | bytes] = field(default_factory=dict)  # path beside the pages: content
    hidden: set[str] = field(default_factory=set)  # pages that no chapter lists

    def orphan(self, name: str, text: str, lang: str = "") -> None:
        """A page that other pages lead to, and no chapter."""
        about = "orphan: true\n" + (f"lang: {lang}\n" if lang else "")
        about += "nosearch: true\n" if name.startswith("source/") else ""
        self.pages[name] = f"---\n{about}---\n\n{text}"
        self.hidden.add(name)


def book_of(language: str) -> Book:
    """The pages of docs/ in a language, with the files that they lead to; without what is computed."""
    book = Book(language)
    folder = DOCS / language
    for page in sorted(folder.rglob("*.md")):
        name = page.relative_to(folder).with_suffix("").as_posix()
        book.pages[name] = _fitting(book, page, name)
    return book


def with_chapters(book: Book) -> Book:
    """The first page with the table of contents in it, which only the site has."""
    with speaking(book.language):
        first = book.pages.get("index", f"# minigrad\n\n{say('site.front')}\n")
        listed = _chapters(book)
        trees = [
            f"```{{toctree}}\n:hidden:\n:caption: {say(f'site.chapter.{chapter}')}\n\n"
            + "\n".join(pages)
            + "\n```\n"
            for chapter, pages in listed.items()
            if pages
        ]
    book.pages["index"] = first.rstrip() + "\n\n" + "\n".join(trees)
    return book


def _chapters(book: Book) -> dict[str, list[str]]:
    left = [name for name in book.pages if name not in book.hidden and name != "index"]
    listed: dict[str, list[str]] = {}
    for chapter, wishes in CHAPTERS.items():
        listed[chapter] = []
        for wish in wishes:
            listed[chapter] += [
                name for name in left if name == wish or (wish[-1] == "/" and name.startswith(wish))
            ]
        left = [name for name in left if name not in listed[chapter]]
    # what an index page lists itself
    own = {name for name in left if f"{PurePosixPath(name).parent}/index" in book.pages}
    listed[REST] += [name for name in left if name not in own]
    return listed


# ---- links and pictures -------------------------------------------------------------------------


def _fitting(book: Book, page: Path, name: str) -> str:
    """The text of a page with its links and pictures as the site has them."""
    lines, fence = [], ""
    for line in page.read_text(encoding="utf-8").splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark[1]
        elif not fence:
            if _COMMENT.match(line):
                continue
            line = _SWITCH.sub("", line)
            line = _PICTURE.sub(lambda found: _picture(book, page, name, found), line)
            line = _FAULT.sub(_fault_link, line)
            line = _IMAGE.sub(lambda found: _image(book, page, name, found), line)
            line = _LINK.sub(lambda found: f"]({_target(book, page, name, found[1])})", line)
        lines.append(line)
    return "\n".join(lines) + "\n"


def _fault_link(found: re.Match[str]) -> str:
    """A row about a fault leads to its page, which only the site has."""
    return f"| [`{found[1]}`](/catalogue/{found[1]}.md)" if found[1] in FAULTS else found[0]


def _picture(book: Book, page: Path, name: str, found: re.Match[str]) -> str:
    up = "../" * name.count("/")
    parts = []
    for theme, source in (("light", found[3]), ("dark", found[1])):
        path = (page.parent / source).resolve()
        book.assets[f"pictures/{path.name}"] = path.read_text(encoding="utf-8")
        parts.append(f'<img class="only-{theme}" loading="lazy" {found[2]} src="{up}pictures/{path.name}">')
    return "".join(parts)


def _image(book: Book, page: Path, name: str, found: re.Match[str]) -> str:
    path = (page.parent / found[2]).resolve()
    book.assets[f"pictures/{path.name}"] = path.read_bytes()
    up = "../" * name.count("/")
    return f'<img loading="lazy" alt="{found[1]}" src="{up}pictures/{path.name}">'


def _target(book: Book, page: Path, name: str, link: str) -> str:
    where, hash_, anchor = link.partition("#")
    path = Path(os.path.normpath(page.parent / where))
    for language in LANGUAGES:  # a page in the other language: the same page of this site
        if path.is_relative_to(DOCS / language):
            return "/" + path.relative_to(DOCS / language).as_posix() + hash_ + anchor
    if path.suffix == ".md":
        return f"/{_project_page(book, path)}.md{hash_}{anchor}"
    return f"/{_source_page(book, path)}.md"


def _project_page(book: Book, path: Path) -> str:
    """A Markdown file that is no page of docs/: its translation where it has one."""
    if path.name.startswith("README") and path.parent == ROOT:
        return "index"
    stem = path.name.removesuffix(".md").removesuffix(".es").lower()
    name = "project/" + (path.parent.name if stem == "readme" else stem)
    if name in book.pages:
        return name
    translated = path.with_name(path.name.removesuffix(".md").removesuffix(".es") + f".{book.language}.md")
    source = translated if translated.exists() else path
    foreign = book.language != "en" and source.suffixes[:1] != [f".{book.language}"]
    book.pages[name] = ""  # it may lead to itself
    text = _fitting(book, source, name)
    if foreign:
        with speaking(book.language):
            text = f"---\nlang: en\n---\n\n{text}"
    book.pages[name] = text
    return name


def _source_page(book: Book, path: Path) -> str:
    """A page that shows a file or lists a folder."""
    path, place = _own_language(book, path.relative_to(ROOT))
    inside = path.relative_to(ROOT).as_posix()
    name = f"source/{place.replace('.', '-')}"
    if name in book.pages:
        return name
    book.orphan(name, "")
    with speaking(book.language):
        about = say("site.source.about", path=inside)
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file() and _shown(file))
        listed = [f"* {_listed(book, path, file)}" for file in files]
        book.orphan(name, f"# {inside}\n\n{about}\n\n" + "\n".join(listed) + "\n")
        return name
    text = path.read_text(encoding="utf-8").rstrip()
    fence = "`" * (max(map(len, re.findall(r"`{3,}", text)), default=2) + 1)
    book.orphan(name, f"# {inside}\n\n{about}\n\n{fence}{_KINDS.get(path.suffix, 'text')}\n{text}\n{fence}\n")
    return name


def _own_language(book: Book, inside: Path) -> tuple[Path, str]:
    """Of a file that each language has, as notebooks/en and notebooks/es, this one's; and its place, which
    does not name the language, because a page has the same name in both.
    """
    parts = inside.parts
    own = ROOT.joinpath(*(book.language if part in LANGUAGES else part for part in parts))
    place = "/".join(part for part in parts if part not in LANGUAGES)
    return (own if own.exists() else ROOT / inside), place


def _listed(book: Book, folder: Path, file: Path) -> str:
    """A line of a folder: the sources of a module are named, what is there to be read is shown."""
    name = f"`{file.relative_to(folder).as_posix()}`"
    return name if "src" in folder.relative_to(ROOT).parts else f"[{name}](/{_source_page(book, file)}.md)"


def _shown(path: Path) -> bool:
    return path.suffix in (".py", ".md", ".toml", ".sh", ".txt") and "__pycache__" not in path.parts


# ---- to the disk --------------------------------------------------------------------------------


def write(book: Book, pages: Path, assets: Path) -> None:
    """The book as files; what has not changed is not touched, so that Sphinx builds only what has."""
    wanted = {pages / f"{name}.md": text for name, text in book.pages.items()}
    others = {assets / name: content for name, content in book.assets.items()}
    for root, files in ((pages, wanted), (assets, others)):
        root.mkdir(parents=True, exist_ok=True)
        for stray in [path for path in root.rglob("*") if path.is_file() and path not in files]:
            stray.unlink()
        for path, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            if not path.exists() or path.read_bytes() != data:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
