"use strict";
// A page of its own: reads the document out of the page, unpacks it if it is packed, and plays it.

/** @returns {Promise<PlayerDocument>} */
async function documentOfPage() {
  const element = /** @type {HTMLElement} */ (document.getElementById("minigrad-document"));
  const text = element.textContent ?? "";
  if (element.dataset.packed !== "gzip") return JSON.parse(text);
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

documentOfPage().then((doc) => {
  const host = /** @type {HTMLElement} */ (document.getElementById("minigrad-player"));
  const player = new Player(host, doc, {});
  player.language = doc.language;
  host.dataset.ready = "true";
  Object.defineProperty(window, "minigradPlayer", { value: player });
});
