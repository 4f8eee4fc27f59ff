"""Program that tries to reach an address from a browser's Python, in every way that there is."""

from __future__ import annotations

__all__ = ["LEAK", "REFUSED", "WAYS"]

LEAK = """\
import js, asyncio, urllib.request
tried = []
def attempt(name, act):
    try:
        act()
        tried.append(name)
    except BaseException as error:
        tried.append(f"{name} refused")
url = "ADDRESS"
def request():
    asked = js.XMLHttpRequest.new()
    asked.open("GET", url + "XMLHttpRequest", False)
    asked.send()
attempt("fetch", lambda: js.fetch(url + "fetch"))
attempt("XMLHttpRequest", request)
attempt("WebSocket", lambda: js.WebSocket.new(url.replace("http", "ws") + "WebSocket"))
attempt("EventSource", lambda: js.EventSource.new(url + "EventSource"))
attempt("importScripts", lambda: js.importScripts(url + "importScripts"))
attempt("image", lambda: setattr(js.Image.new(), "src", url + "image"))
attempt("worker", lambda: js.Worker.new(url + "worker"))
attempt("eval", lambda: js.eval(f"import({url + 'import'!r})"))
attempt("pyfetch", lambda: asyncio.ensure_future(__import__("pyodide.http").http.pyfetch(url + "pyfetch")))
attempt("urllib", lambda: urllib.request.urlopen(url + "urllib", timeout=2))
attempt("open_url", lambda: __import__("pyodide.http").http.open_url(url + "open_url"))
print("tried", len(tried), *tried, sep="|")
"""
WAYS = 11
REFUSED = ("XMLHttpRequest", "importScripts", "image", "urllib", "open_url", "eval")  # what fails at once
