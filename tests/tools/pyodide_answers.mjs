// The answers of the page to questions, on the Python of browsers:  node pyodide_answers.mjs PYODIDE ARCHIVE
//
// Questions come as JSON on the standard input, [[api, fields, language], ...], and answers go out as JSON.

import { readFileSync } from "node:fs";

process.on("uncaughtException", (error) => {
  console.error(String(error.message ?? error).slice(-2000));
  process.exit(3);
});
const [pyodide, archive] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const python = await loadPyodide();
python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: "/lib/minigrad" });
const answers = python.runPython(`
import sys
sys.path.insert(0, "/lib/minigrad")
from pathlib import Path
from minigrad.web.page_answers import PageAnswers
PageAnswers(Path("/home/progress.json"))
`);
const questions = JSON.parse(readFileSync(0, "utf-8"));
const said = questions.map(([api, fields, language]) => answers.text(api, JSON.stringify(fields), language));
process.stdout.write(JSON.stringify(said));
