"use strict";
/*
 * A worker that runs engines: one job after the other, until the page ends it.
 */

self.onmessage = async ({ data, ports: [port] }) => {
  self.onmessage = null;
  console.error = () => {}; // of Pyodide, about an interpreter that an engine has broken
  prepareThread();
  try {
    const python = await startedPython(data, { HOME, PYTHONHASHSEED: String(data.seed), PYTHONUNBUFFERED: "1" });
    const say = (/** @type {string} */ line) => port.postMessage({ line });
    const host = new EngineHost(python, data.minigrad, say, () => port.postMessage({ flood: true }));
    port.onmessage = ({ data: job }) => port.postMessage({ end: host.run(job) });
    port.postMessage({ ready: true });
  } catch (error) {
    port.postMessage({ failed: String(error).slice(-300) });
  }
};
