"use strict";
// The bar below the drawing: the sentence, the timeline as a real slider, play and step, and the speed.

class Controls {
  /**
   * @param {Words} words
   * @param {ControlActs} act
   */
  constructor(words, act) {
    this.words = words;
    this.sentence = make("p", { class: "sentence", role: "status", "aria-live": "polite" });
    this.slider = /** @type {HTMLInputElement} */ (
      make("input", { type: "range", class: "time", min: 0, step: 1, value: 0 })
    );
    words.label(this.slider, "player.time");
    this.slider.addEventListener("input", () => act.to(Number(this.slider.value)));
    this.play = iconButton(words, "player.play", "play", act.toggle);
    this.play.classList.add("play");
    this.counter = make("span", { class: "counter" });
    this.speed = /** @type {HTMLSelectElement} */ (make("select", { class: "speed" }));
    words.label(this.speed, "player.speed");
    this.speed.append(
      ...SPEEDS.map((speed) => words.put(make("option", { value: speed }), `player.speed.${speed}`)),
    );
    this.speed.addEventListener("change", () => act.speed(this.speed.value));
    const buttons = make(
      "div",
      { class: "buttons", role: "group" },
      iconButton(words, "player.start", "start", () => act.to(0)),
      iconButton(words, "player.back", "back", () => act.by(-1)),
      this.play,
      iconButton(words, "player.forward", "forward", () => act.by(1)),
      iconButton(words, "player.turn", "turn", act.turn),
      iconButton(words, "player.end", "end", () => act.to(Infinity)),
    );
    words.label(buttons, "player.buttons");
    this.phases = make(
      "div",
      { class: "phases", "aria-hidden": "true" },
      words.put(make("span", { class: "phase data" }), "player.phase.forward"),
      words.put(make("span", { class: "phase grad" }), "player.phase.backward"),
    );
    const line = make("div", { class: "timeline" }, this.slider, this.phases);
    this.element = make(
      "div",
      { class: "controls" },
      this.sentence,
      line,
      make("div", { class: "bar" }, buttons, make("div", { class: "pace" }, this.speed, this.counter)),
    );
  }

  /**
   * @param {number} length
   * @param {number} backward
   */
  load(length, backward) {
    this.slider.max = String(length - 1);
    const share = length > 1 ? Math.min(1, (backward - 0.5) / (length - 1)) : 1;
    this.element.style.setProperty("--turn", `${(100 * share).toFixed(2)}%`);
    mark(this.phases, "forward-only", backward >= length);
  }

  /**
   * @param {PlayerState} now
   * @param {Pane[]} panes
   * @param {Frame[]} frames one per pane
   */
  show(now, panes, frames) {
    this.slider.value = String(now.t);
    this.speed.value = now.speed;
    const told = make("span");
    panes.forEach(({ sentences }, at) => {
      if (panes.length > 1) told.append(`${at ? " " : ""}${this.words.pick(sentences.told.title)}: `);
      sentences.step(told, frames[at]);
    });
    if (told.textContent !== this.sentence.textContent) this.sentence.replaceChildren(...told.childNodes);
    this.slider.setAttribute("aria-valuetext", this.sentence.textContent ?? "");
    this.counter.textContent = this.words.say("player.counter", {
      step: now.t + 1,
      steps: Number(this.slider.max) + 1,
    });
  }

  /** @param {boolean} playing */
  showPlaying(playing) {
    const key = playing ? "player.pause" : "player.play";
    if (this.play.getAttribute("data-say-label") === key) return;
    this.words.label(this.play, key);
    this.play.replaceChildren(iconOf(playing ? "pause" : "play"));
  }
}
