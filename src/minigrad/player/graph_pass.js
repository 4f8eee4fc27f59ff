"use strict";
// The right pass over a graph that is on the page already, with other numbers in its inputs: forward, local
// derivatives, backward.  Only numbers change; the order is that of Value.backward, newest first.

/**
 * A trace with other inputs; null where a node has no kernel, as one that was made by hand.
 * @param {TraceDocument} trace
 * @param {ReadonlyMap<string, number>} inputs by the names of the nodes
 * @returns {TraceDocument | null}
 */
function passWith(trace, inputs) {
  const index = new Map(trace.nodes.map((node, i) => [node.name, i]));
  const args = trace.nodes.map((node) => node.args.map((name) => /** @type {number} */ (index.get(name))));
  const output = /** @type {number} */ (index.get(trace.output));
  /** @type {number[]} */
  const data = [];
  /** @type {LocalNumber[][]} */
  const locals = [];
  for (const [i, node] of trace.nodes.entries()) {
    if (!args[i].length) {
      data.push(inputs.get(node.name) ?? fromJsonNumber(node.data));
      locals.push([]);
      continue;
    }
    if (!Object.hasOwn(OP_KERNELS, node.op)) return null;
    const [value, ...slopes] = OP_KERNELS[node.op](...args[i].map((arg) => data[arg]));
    data.push(/** @type {number} */ (value));
    locals.push(slopes);
  }
  const { live, grads, order, events } = backwardOf(trace, args, locals, output);
  const nodes = trace.nodes.map((node, i) => ({ ...node, data: jsonNumber(data[i]), grad: jsonNumber(grads[i]) }));
  return { ...trace, nodes, order: order.filter((i) => live[i]).map((i) => trace.nodes[i].name), events };
}

/**
 * @param {TraceDocument} trace
 * @param {number[][]} args
 * @param {LocalNumber[][]} locals
 * @param {number} output
 */
function backwardOf(trace, args, locals, output) {
  const wants = trace.nodes.map(() => false); // a gradient
  trace.nodes.forEach((node, i) => (wants[i] = node.op === "input" || args[i].some((arg) => wants[arg])));
  const live = wants.map((_, i) => i === output && wants[i]);
  const order = [...live.keys()].reverse();
  for (const i of order) {
    if (live[i]) args[i].forEach((arg, slot) => (live[arg] ||= locals[i][slot] !== null && wants[arg]));
  }
  const grads = live.map(() => 0);
  /** @type {(SeedRow | FlowRow)[]} */
  const events = [];
  if (live[output]) {
    grads[output] = 1;
    events.push({ type: "seed", node: trace.output, grad: 1 });
  }
  for (const i of order) {
    if (!live[i]) continue;
    const upstream = grads[i];
    args[i].forEach((arg, slot) => {
      const local = locals[i][slot];
      if (local === null || !live[arg]) return;
      const divided = typeof local === "object";
      const amount = divided ? upstream / local.divisor : local * upstream;
      const before = grads[arg];
      grads[arg] = before + amount;
      const [source, target] = [trace.nodes[i].name, trace.nodes[arg].name];
      const slope = divided ? 1 / local.divisor : local;
      events.push({
        type: "flow", source, slot, target, upstream: jsonNumber(upstream), local: jsonNumber(slope),
        amount: jsonNumber(amount), before: jsonNumber(before), after: jsonNumber(grads[arg]),
      });
    });
  }
  return { live, grads, order, events };
}

const MOST_ARGUMENTS = 6; // that are written one by one

/**
 * An op with numbers in place of its arguments, 10 * (-2), as graph/wording.py writes it.
 * @param {string} op
 * @param {readonly number[]} xs
 */
function workedOut(op, xs) {
  const text = OP_TEXTS[op];
  if (text === undefined) {
    const shown = xs.map((x) => show(x));
    if (shown.length > MOST_ARGUMENTS) shown.splice(MOST_ARGUMENTS - 1, shown.length, `... (${xs.length.toLocaleString("en")})`);
    return `${op}(${shown.join(", ")})`;
  }
  const first = xs.length > 1 && op !== "pow" ? show(xs[0]) : factor(xs[0]);
  return [first, ...xs.slice(1).map((x) => factor(x))].reduce((written, x) => written.replace("{}", () => x), text);
}

/**
 * What a page tells of a trace, with other inputs; null where there are no kernels for that.
 * @param {ToldTrace} told
 * @param {ReadonlyMap<string, number>} inputs
 * @returns {ToldTrace | null}
 */
function toldWith(told, inputs) {
  const trace = passWith(told.trace, inputs);
  if (!trace) return null;
  const data = new Map(trace.nodes.map((node) => [node.name, fromJsonNumber(node.data)]));
  const worked = trace.nodes.map(({ op, args }) => {
    return args.length ? workedOut(op, args.map((name) => /** @type {number} */ (data.get(name)))) : "";
  });
  return { ...told, trace, worked, conventions: [] }; // whether a convention decides is known in Python alone
}

/**
 * A number as minigrad.text.numerals.json_number writes it.
 * @param {number} x
 * @returns {JsonNumber}
 */
function jsonNumber(x) {
  return Number.isFinite(x) ? x : x > 0 ? "inf" : x < 0 ? "-inf" : "nan";
}
