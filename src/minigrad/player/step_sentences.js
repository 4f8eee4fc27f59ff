"use strict";
// Sentences about a pass: one for each step, and one for what a gradient means.  They depend on the trace alone.

const MOST_NAMED = 8; // inputs that are named one by one

class StepSentences {
  /**
   * @param {Words} words
   * @param {ToldTrace} told
   * @param {Story} story
   */
  constructor(words, told, story) {
    this.words = words;
    this.told = told;
    this.story = story;
  }

  /**
   * The step of a frame, into an element.
   * @param {Element} element
   * @param {Frame} frame
   */
  step(element, frame) {
    const [key, fields] = this.sentence(frame);
    this.words.tell(element, key, fields);
    const last = this.story.steps.length - 1;
    if (frame.time !== last) return;
    const left = this.story.nodes.some((node, i) => !same(node.grad, this.lastOf(i)));
    element.append(" ");
    this.words.tell(element, left ? "player.step.finished" : "player.step.done", {});
  }

  /**
   * A step as plain text: what a slider says.
   * @param {Frame} frame
   */
  text(frame) {
    const element = make("span");
    this.step(element, frame);
    return element.textContent ?? "";
  }

  /**
   * @param {Frame} frame
   * @returns {[string, Record<string, string | Tinted>]}
   */
  sentence(frame) {
    const { step, flow } = frame;
    const { names, recipes, worked } = this.told;
    const { nodes, output } = this.story;
    if (step.kind === "inputs") return this.inputs();
    if (step.kind === "forward") {
      const fields = {
        node: { kind: "name", text: names[step.node] },
        recipe: recipes[step.node],
        worked: { kind: "data", text: worked[step.node] },
        data: { kind: "data", text: show(nodes[step.node].data) },
      };
      return [worked[step.node] === recipes[step.node] ? "player.step.plain" : "player.step.forward", fields];
    }
    if (!flow) {
      const grad = {
        kind: "grad",
        text: show(/** @type {SeedEvent} */ (this.story.events[step.event ?? 0]).grad),
      };
      return ["player.step.seed", { output: { kind: "name", text: names[output] }, grad }];
    }
    return [this.kindOf(flow, frame), this.flowFields(flow)];
  }

  /**
   * @param {FlowEvent} flow
   * @param {Frame} frame
   */
  kindOf(flow, frame) {
    if (!chains(flow)) return "player.flow.odd";
    if (!addsUp(flow)) return "player.flow.lost";
    return this.story.arrivals[flow.target][0] === frame.time ? "player.flow.first" : "player.flow.more";
  }

  /** @param {FlowEvent} flow */
  flowFields(flow) {
    const { names } = this.told;
    return {
      source: { kind: "name", text: names[flow.source] },
      target: { kind: "name", text: names[flow.target] },
      local: { kind: "local", text: show(flow.local) },
      upstream: { kind: "grad", text: factor(flow.upstream) },
      amount: { kind: "grad", text: show(flow.amount) },
      before: { kind: "grad", text: show(flow.before) },
      term: { kind: "grad", text: term(flow.amount) },
      after: { kind: "grad", text: show(flow.after) },
    };
  }

  /** @returns {[string, Record<string, string | Tinted>]} */
  inputs() {
    const { nodes } = this.story;
    const inputs = nodes.flatMap((node, i) => (node.op === "input" ? [i] : []));
    if (!inputs.length || inputs.length > MOST_NAMED) return ["player.step.leaves", {}];
    const listed = inputs.map((i) => `${this.told.names[i]} = ${show(nodes[i].data)}`).join(", ");
    return ["player.step.inputs", { inputs: { kind: "data", text: listed } }];
  }

  /**
   * The gradient of a node after the last event that concerns it.
   * @param {number} i
   */
  lastOf(i) {
    const time = this.story.arrivals[i].at(-1);
    if (time === undefined) return this.story.nodes[i].grad;
    const event = this.story.events[time - this.story.backward];
    return event.kind === "flow" ? event.after : event.grad;
  }

  /**
   * If a grows a little, L grows 4 times as much.
   * @param {number} i
   */
  meaning(i) {
    const { nodes, output } = this.story;
    const { grad } = nodes[i];
    const fields = {
      input: this.told.names[i],
      output: this.told.names[output],
      times: show(Math.abs(grad)),
    };
    const way = grad > 0 ? "up" : "down";
    if (Number.isNaN(grad) || !Number.isFinite(nodes[i].data) || !Number.isFinite(nodes[output].data)) {
      return this.words.say("meaning.undefined", fields);
    }
    if (!Number.isFinite(grad)) return this.words.say(`meaning.steep.${way}`, fields);
    if (this.told.conventions.includes(i)) return this.words.say("meaning.convention", fields);
    if (grad === 0) return this.words.say("meaning.flat", fields);
    if (Math.abs(grad) === 1) return this.words.say(`meaning.same.${way}`, fields);
    return this.words.say(`meaning.${way}`, fields);
  }

  /**
   * A node for who cannot see it: its name, its data, its gradient, and whether it is a group's foot.
   * @param {number} i
   * @param {Frame} frame
   */
  node(i, frame) {
    const recipe = this.told.recipes[i];
    const name = recipe ? `${this.told.names[i]} = ${recipe}` : this.told.names[i];
    const [data, grad] = [frame.data[i], frame.grad[i]];
    if (data === null) return this.words.say("player.node.later", { name });
    if (grad === null) return this.words.say("player.node.data", { name, data: show(data) });
    return this.words.say("player.node.grad", { name, data: show(data), grad: show(grad) });
  }
}
