"""The studio's pages as files: relative addresses, one script and one sheet each, and a policy in the page.

What a page loads comes from its own folder.  Python runs in a frame that has no origin, and whose own policy
lets nothing be loaded at all: see python_frame.html.  The page writes that frame itself, since nobody could
load it offline; such a frame is under the policy of the page too, which therefore allows what it needs.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from minigrad.doctor.page_style import STYLE
from minigrad.player.page import SCRIPTS
from minigrad.studio import static_files as studio_files
from minigrad.studio.static_files import StaticFile, static_files

__all__ = ["BROWSER", "page_files", "python_frame", "worker_files"]

BROWSER = Path(__file__).parent / "browser"
STUDIO = Path(studio_files.__file__).parent
POLICY = (
    "default-src 'none'; script-src 'self' 'sha256-{frame}' blob: 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self' blob:; "
    "base-uri 'none'; form-action 'none'"
)
PAGES = {"/": "index.html", "/learn": "learn.html"}  # addresses of the studio, and their names here
STUDIO_WAYS = (
    '<a class="button" href="/" data-say="study.studio">Studio</a>\n    '
    '<a id="learn" class="button" href="/learn" data-say="studio.learn">Learn</a>'
)
CONNECTION = "server_connection.js"  # after which a page is told of another way to Python
WAY = ("python_files.js", "python_worker_pool.js", "worker_connection.js", "progress_file.js", "offline.js")
# The pages of a reader's own program and of the doctor are not the studio's, but made of its parts.
PARTS = ("elements.js", CONNECTION, "masthead.js", "state_link.js")
PROGRAM = (*SCRIPTS, *PARTS)
DOCTOR = ("numerals.js", "words.js", *PARTS)
WORKERS = {
    "python_worker.js": ("python_start.js", "python_worker.js"),
    "engine_worker.js": ("python_start.js", "engine_host.js", "engine_worker.js"),
}
PATIENT = Path(__file__).parent.parent / "docs" / "patients" / "engine.py"
BUG, MENDED = "self.grad = n * self.data", "self.grad += n * self.data"


def page_files(modules: Path) -> dict[str, str]:
    """All pages, and what they load."""
    files = static_files()
    found = {}
    for address, name in PAGES.items():
        text = files[address].body.decode()
        scripts = re.findall(r'<script src="/static/([^"]+)" defer></script>\n?', text)
        sheets = re.findall(r'<link rel="stylesheet" href="/static/([^"]+)">\n?', text)
        text = re.sub(r'<(link rel="stylesheet"|script) [^>]*"/static/[^>]*>(</script>)?\n?', "", text)
        found |= _page(
            name.removesuffix(".html"), text, _joined(scripts, files), _joined(sheets, files), modules
        )
    editor, sheet = _editor(modules), _joined(["player.css", "studio.css"], files)
    program = [_joined(PROGRAM, files), editor, _own("program_examples.js"), _own("program.js")]
    found |= _page("program", _with_head("program.html"), "\n".join(program), sheet, modules)
    doctor = [_joined(DOCTOR, files), _own("engine_workers.js"), editor, _engines(), _own("doctor.js")]
    sheet += f"\n.examination {{\n{STYLE}}}\n"
    return found | _page("doctor", _with_head("doctor.html"), "\n".join(doctor), sheet, modules)


def worker_files() -> dict[str, str]:
    """What runs in workers, beside a Python."""
    return {
        name: "\n".join(_own(part).replace('"use strict";\n', "", 1) for part in parts)
        for name, parts in WORKERS.items()
    }


def _with_head(name: str) -> str:
    text = _own(name).replace("<!-- head -->", (STUDIO / "head.html").read_text(encoding="utf-8"))
    return text.replace("<!-- ways -->", STUDIO_WAYS)


def _engines() -> str:
    """The engines of the doctor's menu: the one of its guide, and the same without its bug."""
    broken = PATIENT.read_text(encoding="utf-8")
    right = broken.replace(BUG, MENDED)
    if right == broken:
        raise ValueError(f"the bug of {PATIENT.name} is another now")
    engines = [{"key": "broken", "text": broken}, {"key": "right", "text": right}]
    return f"const ENGINES = {json.dumps(engines)};"


def _page(name: str, text: str, script: str, sheet: str, modules: Path) -> dict[str, str]:
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY.format(frame=_frame_digest())}">\n'
        f'<link rel="stylesheet" href="static/{name}.css">\n'
        f'<script src="static/{name}.js" defer></script>\n'
        '<link rel="preload" href="prepared/start.json" as="fetch" crossorigin>\n'
    )
    text = text.replace('<meta charset="utf-8">\n', f'<meta charset="utf-8">\n{head}')
    text = text.replace('<a id="learn"', f'{_own("ways.html")}    <a id="learn"')
    for there, here in PAGES.items():
        text = text.replace(f'href="{there}"', f'href="{here}"')
    return {
        f"{name}.html": text,
        f"static/{name}.css": _short(f"{sheet}\n{_own('web.css')}", "css", modules),
        f"static/{name}.js": _short(script, "js", modules),
    }


def _joined(names: Iterable[str], files: Mapping[str, StaticFile]) -> str:
    """Scripts or sheets of the studio as one."""
    parts = []
    for name in names:
        parts.append(files[f"/static/{name}"].body.decode())
        if name == CONNECTION:
            parts += [_own(own) for own in WAY]
    return "\n".join(part.replace('"use strict";\n', "", 1) for part in parts)


def _editor(modules: Path) -> str:
    """CodeMirror, and what is ours of it, as one script."""
    words = [
        modules / ".bin" / "esbuild",
        BROWSER / "code_editor.mjs",
        "--bundle",
        "--minify",
        "--format=iife",
    ]
    given = {**os.environ, "NODE_PATH": str(modules)}
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=True, env=given)
    return done.stdout


def python_frame() -> str:
    """The page in which Python runs."""
    text = _own("python_frame.html").replace("<!-- digest -->", _frame_digest())
    return text.replace("<!-- script -->", _own("python_frame.js"))


def _frame_digest() -> str:
    return b64encode(sha256(_own("python_frame.js").encode()).digest()).decode()


def _own(name: str) -> str:
    return (BROWSER / name).read_text(encoding="utf-8")


def _short(text: str, loader: str, modules: Path) -> str:
    """The same without what only its readers need."""
    words = [str(modules / ".bin" / "esbuild"), f"--loader={loader}", "--minify", "--charset=utf8"]
    text = f'"use strict";\n{text}' if loader == "js" else text
    done = subprocess.run(words, input=text, capture_output=True, encoding="utf-8", check=True)
    return done.stdout
