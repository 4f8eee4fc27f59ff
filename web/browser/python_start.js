"use strict";
/*
 * Pyodide in a worker in which nothing can be loaded: what it would fetch is handed to it.
 */

/**
 * @param {{loader: string, machine: string, wasm: ArrayBuffer, library: ArrayBuffer, lock: string}} given
 * @param {Record<string, string>} env
 * @returns {Promise<any>} Pyodide
 */
async function startedPython({ loader, machine, wasm, library, lock }, env) {
  const { fetch } = self;
  /** @type {Record<string, [ArrayBuffer, string]>} */
  const files = {
    "pyodide.asm.wasm": [wasm, "application/wasm"],
    "python_stdlib.zip": [library, "application/zip"],
  };
  self.fetch = async (address) => {
    const [body, type] = files[String(address).split("/").at(-1) ?? ""];
    return new Response(body, { headers: { "Content-Type": type } });
  };
  const { loadPyodide } = await import(loader);
  const { default: createPyodideModule } = await import(machine);
  const indexURL = "https://nowhere.invalid/";
  const python = await loadPyodide({ createPyodideModule, indexURL, lockFileContents: lock, env });
  self.fetch = fetch;
  return python;
}
