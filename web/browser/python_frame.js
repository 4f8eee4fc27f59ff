"use strict";
/*
 * A frame around one worker.  The page hands it everything that the worker is made of, and a port over which
 * the two talk; to end the worker the page removes the frame.
 */

addEventListener("message", ({ source, data, ports }) => {
  if (source !== parent) return;
  const address = (/** @type {BlobPart} */ bytes) => URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }));
  const { program, loader, machine, ...files } = data;
  const worker = new Worker(address(program)); // no module: Chromium loads none from a blob of no origin
  worker.addEventListener("error", ({ message }) => parent.postMessage({ failed: String(message) }, "*"));
  worker.postMessage({ ...files, loader: address(loader), machine: address(machine) }, [ports[0]]);
}, { once: true });
parent.postMessage({ there: true }, "*");
