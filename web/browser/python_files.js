"use strict";
/*
 * The files that Python is made of, fetched by the page, which counts their bytes as they come.
 */

/** @typedef {{done: number, all: number}} Loaded bytes */
/** @typedef {Record<string, ArrayBuffer>} PythonFiles */

/** Something that a site of static files should have is not there, or not just now. */
class UnreachableError extends Error {}

/** @param {string} address @returns {Promise<Response>} */
async function reached(address) {
  let response;
  try {
    response = await fetch(address);
  } catch {
    throw new UnreachableError(address);
  }
  if (!response.ok) throw new UnreachableError(address);
  return response;
}

/**
 * All of them by their names, side by side.
 * @param {(loaded: Loaded) => void} told
 * @returns {Promise<PythonFiles>}
 */
async function pythonFiles(told) {
  /** @type {Record<string, number>} */
  const sizes = await (await reached("python/sizes.json")).json();
  const loaded = { done: 0, all: Object.values(sizes).reduce((sum, size) => sum + size, 0) };
  const texts = ["static/python_worker.js", "static/engine_worker.js", "static/python_frame.html"].map(async (address) => {
    return (await reached(address)).arrayBuffer();
  });
  const parts = Object.entries(sizes).map(async ([name, size]) => {
    const bytes = new Uint8Array(size);
    const reader = /** @type {ReadableStream<Uint8Array>} */ ((await reached(`python/${name}`)).body).getReader();
    let at = 0;
    try {
      for (let piece = await reader.read(); piece.value; piece = await reader.read()) {
        if (at + piece.value.length > size) throw new UnreachableError(name); // another version of it
        bytes.set(piece.value, at);
        at += piece.value.length;
        loaded.done += piece.value.length;
        told(loaded);
      }
    } catch {
      throw new UnreachableError(name); // the connection broke
    }
    if (at < size) throw new UnreachableError(name);
    return /** @type {const} */ ([name, bytes.buffer]);
  });
  const [program, engine, frame] = await Promise.all(texts);
  return { ...Object.fromEntries(await Promise.all(parts)), program, engine, frame };
}
