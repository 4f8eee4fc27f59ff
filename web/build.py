"""From the studio, Pyodide and minigrad to one folder of static files."""

from __future__ import annotations

import json
import shutil
from hashlib import sha256
from pathlib import Path

from .pages import BROWSER, page_files, python_frame, worker_files
from .prepared import prepared_files
from .python_files import LICENCES, MissingPackageError, python_files

__all__ = ["build"]

ROOT = Path(__file__).resolve().parent.parent


def build(out: Path, modules: Path) -> None:
    """Write the site anew; what stood in the folder goes."""
    if not (modules / ".bin" / "esbuild").exists():
        raise MissingPackageError("esbuild", modules)
    python = python_files(modules)
    files = {name: text.encode() for name, text in page_files(modules).items()}
    files["static/python_frame.html"] = python_frame().encode()
    files |= {f"static/{name}": text.encode() for name, text in worker_files().items()}
    files |= {f"python/{name}": body for name, body in python.items()}
    files["python/sizes.json"] = json.dumps({name: len(body) for name, body in python.items()}).encode()
    files |= {f"prepared/{name}": body for name, body in prepared_files().items()}
    files |= {f"licences/{path.name}": path.read_bytes() for path in sorted(LICENCES.iterdir())}
    files["licences/minigrad.txt"] = (ROOT / "LICENSE").read_bytes()
    files["service_worker.js"] = _service_worker(files)
    shutil.rmtree(out, ignore_errors=True)
    for name, body in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)


def _service_worker(files: dict[str, bytes]) -> bytes:
    """The script that keeps the site; its text changes with any file, which is how a browser notices."""
    digest = sha256()
    for name, body in sorted(files.items()):
        digest.update(name.encode() + b"\0" + sha256(body).digest())
    text = (BROWSER / "service_worker.js").read_text(encoding="utf-8")
    text = text.replace('"the version"', json.dumps(digest.hexdigest()[:16]))
    return text.replace('["the files"]', json.dumps(sorted(files))).encode()
