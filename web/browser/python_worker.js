/*
 * Python in a worker: it answers one question after the other, and the page ends it when one takes too long.
 */

const ANSWERS = `
import sys
sys.path.insert(0, "/lib/minigrad")
from pathlib import Path
from minigrad.web.page_answers import PageAnswers
answers = PageAnswers(Path("/home/progress.json"))
answers.warm()
answers
`;

/**
 * `progress` is the learner's file, where a question is about the course.
 * @typedef {{api: string, fields: unknown, language: string, progress?: string}} Question
 * @typedef {{keep: (progress: string) => void, kept: () => string,
 *   text: (api: string, fields: string, language: string) => string}} PageAnswers as in page_answers.py
 */

self.onmessage = async ({ data, ports: [port] }) => {
  self.onmessage = null;
  try {
    const python = await startedPython(data, {});
    python.unpackArchive(data.minigrad, "zip", { extractDir: "/lib/minigrad" });
    /** @type {PageAnswers} */
    const answers = python.runPython(ANSWERS);
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
