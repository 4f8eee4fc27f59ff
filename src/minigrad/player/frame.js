"use strict";
// The clock of a trace, and what is to be seen at each moment: frameOf(story, t) is a pure function.
//
// Step 0 shows the leaves; then each op gets its data; then the output gets its seed; then the
// contributions arrive one by one.  It is minigrad.drawing.timeline, step for step.

/**
 * A trace with numbers for names, read once.
 * @param {TraceDocument} trace
 * @returns {Story}
 */
function storyOf(trace) {
  const place = new Map(trace.nodes.map((node, i) => [node.name, i]));
  /** @param {string} name */
  const index = (name) => /** @type {number} */ (place.get(name));
  const nodes = trace.nodes.map((node) => ({
    name: node.name,
    op: node.op,
    args: node.args.map(index),
    data: fromJsonNumber(node.data),
    grad: fromJsonNumber(node.grad),
  }));
  const events = trace.events.map((row) => eventOf(row, index));
  const steps = stepsOf(nodes, events);
  const born = nodes.map(() => 0);
  /** @type {number[][]} */
  const arrivals = nodes.map(() => []);
  steps.forEach((step, time) => {
    if (step.kind === "forward") born[step.node] = time;
    if (step.event === null) return;
    arrivals[step.node].push(time);
    events[step.event].time = time;
  });
  /** @type {Map<string, FlowEvent[]>} */
  const channels = new Map();
  for (const event of events) {
    if (event.kind !== "flow") continue;
    const key = `${event.source}.${event.slot}`;
    const channel = channels.get(key);
    if (channel) channel.push(event);
    else channels.set(key, [event]);
  }
  /** @type {number[][]} */
  const consumers = nodes.map(() => []);
  nodes.forEach((node, i) => new Set(node.args).forEach((arg) => consumers[arg].push(i)));
  const backward = steps.length - events.length;
  return { nodes, events, steps, output: index(trace.output), backward, born, arrivals, channels, consumers };
}

/**
 * @param {SeedRow | FlowRow} row
 * @param {(name: string) => number} index
 * @returns {SeedEvent | FlowEvent}
 */
function eventOf(row, index) {
  if (row.type === "seed")
    return { kind: "seed", time: 0, node: index(row.node), grad: fromJsonNumber(row.grad) };
  return {
    kind: "flow",
    time: 0,
    source: index(row.source),
    slot: row.slot,
    target: index(row.target),
    upstream: fromJsonNumber(row.upstream),
    local: fromJsonNumber(row.local),
    amount: fromJsonNumber(row.amount),
    before: fromJsonNumber(row.before),
    after: fromJsonNumber(row.after),
  };
}

/**
 * @param {StoryNode[]} nodes
 * @param {(SeedEvent | FlowEvent)[]} events
 * @returns {Step[]}
 */
function stepsOf(nodes, events) {
  /** @type {Step[]} */
  const steps = [{ kind: "inputs", node: -1, event: null }];
  nodes.forEach((node, i) => {
    if (node.args.length) steps.push({ kind: "forward", node: i, event: null });
  });
  events.forEach((event, at) => {
    steps.push({ kind: event.kind, node: event.kind === "seed" ? event.node : event.target, event: at });
  });
  return steps;
}

/**
 * Everything that has happened up to and including step t.  A grad that nothing has reached yet is what
 * the pass found there; after the last step it is what the pass left there.
 * @param {Story} story
 * @param {number} time
 * @returns {Frame}
 */
function frameOf(story, time) {
  const last = story.steps.length - 1;
  const t = Math.max(0, Math.min(last, Math.trunc(time)));
  const step = story.steps[t];
  const data = story.nodes.map((node, i) => (story.born[i] <= t ? node.data : null));
  const sent = (/** @type {string} */ key) =>
    story.channels.get(key)?.findLast((flow) => flow.time <= t) ?? null;
  if (t < story.backward) return { time: t, step, data, grad: data.map(() => null), sent, flow: null };
  const grad = story.nodes.map((node, i) => (t === last ? node.grad : found(story, i)));
  if (t < last) {
    for (const event of story.events.slice(0, t - story.backward + 1)) {
      if (event.kind === "flow") grad[event.target] = event.after;
      else grad[event.node] = event.grad;
    }
  }
  return { time: t, step, data, grad, sent, flow: flowAt(story, t) };
}

/**
 * What was in a node's grad when the pass began.
 * @param {Story} story
 * @param {number} i
 */
function found(story, i) {
  const times = story.arrivals[i];
  if (!times.length) return story.nodes[i].grad;
  const first = story.events[times[0] - story.backward];
  return first.kind === "flow" ? first.before : 0;
}

/**
 * The contribution that arrives at a time, if one does.
 * @param {Story} story
 * @param {number} t
 * @returns {FlowEvent | null}
 */
function flowAt(story, t) {
  const event = t < story.backward ? undefined : story.events[t - story.backward];
  return event && event.kind === "flow" ? event : null;
}

/**
 * Does a contribution do what it should: local times upstream, added to what was there?
 * @param {FlowEvent} flow
 */
function chains(flow) {
  return same(flow.local * flow.upstream, flow.amount);
}

/** @param {FlowEvent} flow */
function addsUp(flow) {
  return same(flow.before + flow.amount, flow.after);
}

/**
 * The running total of a node in which several contributions meet: "10", then "10 - 6", then "4".
 * Empty before the first one, once the total has been seen, and for a node that has no sum.
 * @param {Story} story
 * @param {Frame} frame
 * @param {number} i
 * @returns {string}
 */
function badgeOf(story, frame, i) {
  const times = story.arrivals[i];
  const { time, flow } = frame;
  if (times.length < 2 || time < times[0] || time > times[times.length - 1] + 1) return "";
  if (flow === null || flow.target !== i) return show(/** @type {number} */ (frame.grad[i]));
  if (!addsUp(flow)) return `${show(flow.before)} → ${show(flow.after)}`;
  return time === times[0] && flow.before === 0
    ? show(flow.after)
    : `${show(flow.before)} ${term(flow.amount)}`;
}

/**
 * What is on the active path: what a value is made from, or the way that a gradient has come.
 * With a chosen node, everything between it and the output.
 * @param {Story} story
 * @param {Frame} frame
 * @param {number | null} chosen
 * @returns {{nodes: Set<number>, edges: Set<string>} | null} null: everything
 */
function pathOf(story, frame, chosen) {
  const { step, flow } = frame;
  if (chosen === null && (step.kind === "inputs" || step.kind === "seed")) return null;
  if (chosen === null && step.kind === "forward") {
    const edges = story.nodes[step.node].args.map((_, slot) => `${step.node}.${slot}`);
    return { nodes: new Set([step.node, ...story.nodes[step.node].args]), edges: new Set(edges) };
  }
  const start = chosen ?? (flow ? flow.source : step.node);
  const nodes = new Set([start]);
  /** @type {Set<string>} */
  const edges = new Set();
  for (const i of nodes) {
    for (const consumer of story.consumers[i]) nodes.add(consumer); // the set grows while it is walked
  }
  nodes.forEach((i) =>
    story.nodes[i].args.forEach((arg, slot) => {
      if (nodes.has(arg)) edges.add(`${i}.${slot}`);
    }),
  );
  if (chosen === null && flow) {
    nodes.add(flow.target);
    edges.add(`${flow.source}.${flow.slot}`);
  }
  return { nodes, edges };
}

/**
 * One clock for several traces: forward together, then backward together; who is through first, waits.
 * @param {Story[]} stories
 */
function clockOf(stories) {
  const backward = Math.max(...stories.map((story) => story.backward));
  const length = backward + Math.max(...stories.map((story) => story.events.length));
  /**
   * @param {number} which
   * @param {number} time
   */
  const at = (which, time) => {
    const story = stories[which];
    if (time < backward) return Math.min(time, story.backward - 1);
    return Math.min(story.backward + time - backward, story.steps.length - 1);
  };
  return { length, backward, at };
}
