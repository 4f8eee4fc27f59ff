/*
 * Python in a worker: it answers one question after the other, and the page ends it when one takes too long.
 * Nothing can be loaded here, so that what Pyodide would fetch is handed to it.
 */

/**
 * `progress` is the learner's file, where a question is about the course.
 * @typedef {{api: string, fields: unknown, language: string, progress?: string}} Question
 * @typedef {{keep: (progress: string) => void, kept: () => string,
 *   text: (api: string, fields: string, language: string) => string}} PageAnswers as in page_answers.py
 */

self.onmessage = async ({ data, ports: [port] }) => {
  self.onmessage = null;
  try {
    const answers = await started(data);
    port.onmessage = ({ data: question }) => {
      const { api, fields, language, progress } = /** @type {Question} */ (question);
      try {
        if (progress) answers.keep(progress);
        const answer = answers.text(api, JSON.stringify(fields), language);
        port.postMessage({ answer, progress: progress === undefined ? undefined : answers.kept() });
      } catch (error) { // Python itself broke, as when the stack is used up: this worker is of no use any more
        port.postMessage({ failed: String(error).slice(-300) });
      }
    };
    port.postMessage({ ready: true });
  } catch (error) {
    port.postMessage({ failed: String(error).slice(-300) });
  }
};

/**
 * @param {{loader: string, machine: string, wasm: ArrayBuffer, library: ArrayBuffer, lock: string, minigrad: ArrayBuffer}} given
 * @returns {Promise<PageAnswers>}
 */
async function started({ loader, machine, wasm, library, lock, minigrad }) {
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
  const python = await loadPyodide({ createPyodideModule, indexURL: "https://nowhere.invalid/", lockFileContents: lock });
  self.fetch = fetch;
  python.unpackArchive(minigrad, "zip", { extractDir: "/lib/minigrad" });
  return python.runPython(`
import sys
sys.path.insert(0, "/lib/minigrad")
from pathlib import Path
from minigrad.web.page_answers import PageAnswers
answers = PageAnswers(Path("/home/progress.json"))
answers.warm()
answers
`);
}
