// The page's reports on engines, on the Python of browsers:  node pyodide_engines.mjs PYODIDE ARCHIVE HOST
//
// Engines come as JSON on the standard input, [{name, source}, ...], and a line goes out for each as soon as it is
// examined.  Jobs run in this thread, one after the other, in an interpreter for each hash seed.

import { readFileSync } from "node:fs";

process.on("uncaughtException", (error) => {
  process.stderr.write(`${String(error.stack ?? error).slice(-2000)}\n`);
  process.exit(3);
});
const [pyodide, archive, script] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const { EngineHost, prepareThread } = new Function(`${readFileSync(script, "utf-8")}\nreturn { EngineHost, prepareThread };`)();
prepareThread();
const engines = JSON.parse(readFileSync(0, "utf-8")); // before Pyodide has the standard input
const packed = new Uint8Array(readFileSync(archive));
const parent = await loadPyodide();
parent.unpackArchive(packed, "zip", { extractDir: "/lib/minigrad" });
const answers = parent.runPython(`
import sys
sys.path.insert(0, "/lib/minigrad")
from pathlib import Path
from minigrad.web.page_answers import PageAnswers
PageAnswers(Path("/home/progress.json"))
`);
console.error = () => {}; // of Pyodide, about an interpreter that an engine has broken

const hosts = new Map();
const lines = [];

async function ended(job) {
  if (!hosts.has(job.seed)) {
    const python = await loadPyodide({ env: { HOME: "/work", PYTHONHASHSEED: String(job.seed) } });
    hosts.set(job.seed, new EngineHost(python, packed, (line) => lines.push(line), () => {}));
  }
  const begun = performance.now();
  lines.length = 0;
  const { worn, ...end } = hosts.get(job.seed).run(job);
  if (worn) hosts.delete(job.seed);
  return { ...end, lines: [...lines], seconds: (performance.now() - begun) / 1000 };
}

for (const { name, source } of engines) {
  const batches = [];
  for (;;) {
    const answer = JSON.parse(answers.text("doctor", JSON.stringify({ name, source, ended: batches }), "en"));
    if (!answer.needed) {
      process.stdout.write(`${JSON.stringify({ ...answer, rounds: batches.length, cpu: process.cpuUsage().user / 1e6 })}\n`);
      break;
    }
    const batch = [];
    for (const job of answer.needed) batch.push(await ended(job));
    batches.push(batch);
  }
}
