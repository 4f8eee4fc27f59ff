"use strict";
// The switch of planted scripts in node: node --require script_switch.js.  $MINIGRAD_MUTANT is the change that
// is made; the numbers of all that are reached are written to the file $MINIGRAD_MUTANTS_REACHED, one a line.

const { appendFileSync } = require("node:fs");

const reached = new Set();
globalThis.__mutant = (number) => {
  reached.add(number);
  return String(number) === process.env.MINIGRAD_MUTANT;
};
process.on("exit", () => {
  const file = process.env.MINIGRAD_MUTANTS_REACHED;
  if (file) appendFileSync(file, [...reached, ""].join("\n"));
});
