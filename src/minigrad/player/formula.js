"use strict";
// The explicit sum behind one gradient as MathML: in derivatives, in symbols, in numbers, as a total.
//
//     dL/da = ∂f/∂a · dL/df + ∂ab/∂a · dL/dab
//           = 1 · dL/df + b · dL/dab
//           = 1 · 10 + 3 · (-2)
//           = 10 - 6
//           = 4
//
// What has not arrived yet at this moment is three dots.

const MOST_TERMS = 6;

/**
 * @param {string} tag
 * @param {...(Node | string)} children
 */
function math(tag, ...children) {
  return makeIn(MATHML, tag, {}, ...children);
}

/**
 * A sign between two terms; a hyphen is no minus.
 * @param {string} symbol
 */
function sign(symbol) {
  return math("mo", symbol === "-" ? "\u2212" : symbol);
}

/** @param {string} symbol "(" or ")" */
function bracket(symbol) {
  return makeIn(MATHML, "mo", { stretchy: "false", lspace: "0em", rspace: "0em" }, symbol);
}

/** @param {...Element} inside */
function bracketed(...inside) {
  return math("mrow", bracket("("), ...inside, bracket(")"));
}

/**
 * A name of the graph; one of several letters is slanted too, or it would run into the d before it.
 * @param {string} name
 */
function symbol(name) {
  return makeIn(MATHML, "mi", { class: name.length > 1 ? "name long" : "name" }, name);
}

/**
 * @param {string} kind
 * @param {Node} inside
 */
function tinted(kind, inside) {
  return makeIn(MATHML, "mrow", { class: kind }, inside);
}

/**
 * A number; a negative one with a sign of its own, in parentheses where it is a factor.
 * @param {number} x
 * @param {boolean} [isFactor]
 */
function numberMath(x, isFactor = false) {
  const text = show(x);
  if (!text.startsWith("-")) return math("mn", text);
  const minus = makeIn(MATHML, "mo", { form: "prefix", lspace: "0em", rspace: "0em" }, "\u2212");
  const parts = [minus, math("mn", text.slice(1))];
  return isFactor ? bracketed(...parts) : math("mrow", ...parts);
}

/**
 * @param {string} d
 * @param {string} above
 * @param {string} below
 */
function derivative(d, above, below) {
  const sigil = () => makeIn(MATHML, "mi", { mathvariant: "normal" }, d);
  return math("mfrac", math("mrow", sigil(), symbol(above)), math("mrow", sigil(), symbol(below)));
}

/**
 * A local derivative in symbols; Python wrote it, and what a user wrote is escaped in it.
 * @param {string} markup
 */
function symbolMath(markup) {
  const parsed = new DOMParser().parseFromString(`<math xmlns="${MATHML}">${markup}</math>`, "text/xml");
  return math("mrow", ...[...parsed.documentElement.childNodes].map((node) => document.importNode(node, true)));
}

/**
 * Terms with a plus between them; of very many, the first and the last.
 * @param {Element[]} terms
 */
function added(terms) {
  const shown =
    terms.length > MOST_TERMS
      ? [...terms.slice(0, MOST_TERMS - 1), math("mtext", "…"), terms[terms.length - 1]]
      : terms;
  return math("mrow", ...shown.flatMap((part, at) => (at ? [sign("+"), part] : [part])));
}

/**
 * The sum of one node at one moment.
 * @param {ToldTrace} told
 * @param {Story} story
 * @param {Frame} frame
 * @param {number} i
 * @returns {Element | null} null for a node without a gradient
 */
function sumOf(told, story, frame, i) {
  const { names } = told;
  const output = names[story.output];
  const whole = () => tinted("grad", derivative("d", output, names[i]));
  const times = story.arrivals[i];
  if (!times.length) return null;
  const events = times.map((time) => story.events[time - story.backward]);
  const here = times.map((time) => time <= frame.time);
  const flows = /** @type {FlowEvent[]} */ (events.filter((event) => event.kind === "flow"));
  const total = frame.grad[i];
  if (!flows.length) {
    return equation(whole(), [
      [frame.time >= times[0] && total !== null ? tinted("grad", numberMath(total)) : dots(), "="],
    ]);
  }
  const arrived = flows.map((_, at) => here[at + events.length - flows.length]);
  /** @type {[Element, string][]} */
  const rows = [[added(flows.map((flow) => chained(names, output, flow))), "="]];
  const symbols = flows.map((flow) => told.symbols[`${flow.source}.${flow.slot}`] ?? "");
  if (symbols.every(Boolean)) {
    rows.push([added(flows.map((flow, at) => inSymbols(names, output, flow, symbols[at]))), "="]);
  }
  const chain = flows.every(chains) ? "=" : "≠";
  rows.push([added(flows.map((flow, at) => (arrived[at] ? inNumbers(flow) : dots()))), "="]);
  if (flows.length > 1 || chain === "≠") rows.push([amounts(flows, arrived), chain]);
  const adds =
    flows.every(addsUp) &&
    same(flows[0].before, 0) &&
    (frame.time < story.steps.length - 1 ||
      same(story.nodes[i].grad, /** @type {FlowEvent} */ (flows.at(-1)).after));
  const complete = here.every(Boolean) && total !== null;
  rows.push([complete ? tinted("grad total", numberMath(total)) : dots(), adds ? "=" : "≠"]);
  return equation(whole(), rows);
}

function dots() {
  return makeIn(MATHML, "mtext", { class: "later" }, "…");
}

/**
 * @param {string[]} names
 * @param {string} output
 * @param {FlowEvent} flow
 */
function chained(names, output, flow) {
  const local = tinted("local", derivative("∂", names[flow.source], names[flow.target]));
  return math("mrow", local, sign("·"), tinted("grad", derivative("d", output, names[flow.source])));
}

/**
 * @param {string[]} names
 * @param {string} output
 * @param {FlowEvent} flow
 * @param {string} symbol
 */
function inSymbols(names, output, flow, symbol) {
  return math(
    "mrow",
    tinted("local", symbolMath(symbol)),
    sign("·"),
    tinted("grad", derivative("d", output, names[flow.source])),
  );
}

/** @param {FlowEvent} flow */
function inNumbers(flow) {
  return math(
    "mrow",
    tinted("local", numberMath(flow.local, true)),
    sign("·"),
    tinted("grad", numberMath(flow.upstream, true)),
  );
}

/**
 * 10 - 6: signs stand between the terms.
 * @param {FlowEvent[]} flows
 * @param {boolean[]} arrived
 */
function amounts(flows, arrived) {
  const kept = flows
    .map((_, at) => at)
    .filter((at) => flows.length <= MOST_TERMS || at < MOST_TERMS - 1 || at === flows.length - 1);
  const parts = kept.flatMap((at, place) => {
    const gap = place > 0 && kept[place - 1] !== at - 1 ? [sign("+"), math("mtext", "…")] : [];
    if (!arrived[at]) return [...gap, ...(place ? [sign("+")] : []), dots()];
    const text = show(flows[at].amount);
    if (!place) return [numberMath(flows[at].amount)];
    return [...gap, sign(text.startsWith("-") ? "-" : "+"), math("mn", text.replace(/^-/, ""))];
  });
  return makeIn(MATHML, "mrow", { class: "grad" }, ...parts);
}

/**
 * One left side, and a row for each right side.
 * @param {Element} left
 * @param {[Element, string][]} rows
 */
function equation(left, rows) {
  const lines = rows.map(([right, relation], at) =>
    math(
      "mtr",
      math("mtd", at ? math("mrow") : left),
      math("mtd", makeIn(MATHML, "mo", relation === "≠" ? { class: "wrong" } : {}, relation)),
      math("mtd", right),
    ),
  );
  return makeIn(MATHML, "math", { display: "block" }, math("mtable", ...lines));
}
