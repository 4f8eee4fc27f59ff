"""Programs that try to reach an address in every way that a browser has: in Python, and in JavaScript."""

from __future__ import annotations

__all__ = ["LEAK", "REFUSED", "TRIES", "WAYS"]

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

TRIES = """async (address) => {
  const tried = {};
  const sockets = (address) => new Promise((done, failed) => {
    const socket = new WebSocket(address.replace("http", "ws"));
    socket.onopen = () => done("open");
    socket.onerror = () => failed(new Error("closed"));
  });
  const events = (address) => new Promise((done, failed) => {
    const source = new EventSource(address);
    source.onopen = () => done("open");
    source.onerror = () => { source.close(); failed(new Error("closed")); };
  });
  const sent = (address) => new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.onload = () => done("loaded");
    request.onerror = () => failed(new Error("refused"));
    request.open("GET", address);
    request.send();
  });
  const ways = {
    fetch: (address) => fetch(address, { mode: "no-cors" }),
    XMLHttpRequest: sent,
    WebSocket: sockets,
    EventSource: events,
    import: (address) => import(address),
    importScripts: async (address) => importScripts(address),
    Worker: (address) => new Promise((done, failed) => {
      const asked = `fetch(${JSON.stringify(address)}, { mode: "no-cors" })`;
      const program = `${asked}.then(() => postMessage(1), () => postMessage(0))`;
      const worker = new Worker(URL.createObjectURL(new Blob([program])));
      worker.onmessage = ({ data }) => (data ? done("fetched") : failed(new Error("refused")));
      worker.onerror = () => failed(new Error("no worker"));
    }),
    FontFace: (address) => new FontFace("x", `url(${address})`).load(),
  };
  for (const [name, way] of Object.entries(ways)) {
    try {
      const late = new Promise((_, failed) => setTimeout(() => failed(new Error("no answer")), 3000));
      await Promise.race([way(`${address}${name}`), late]);
      tried[name] = "through";
    } catch (error) {
      tried[name] = "refused";
    }
  }
  return tried;
}"""
