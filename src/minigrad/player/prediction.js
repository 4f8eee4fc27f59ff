"use strict";
// Predict, then see: before a contribution that matters the player stops, asks how large it will be, and tells.

class Prediction {
  /**
   * @param {Words} words
   * @param {{reveal: (time: number) => void, resume: () => void}} then
   */
  constructor(words, then) {
    this.words = words;
    this.then = then;
    this.on = false;
    /** @type {{time: number, flow: FlowEvent, sentences: StepSentences} | null} */
    this.pending = null;
    /** @type {Set<number>} */
    this.answered = new Set();
    this.right = 0;
    this.question = make("label", { for: "player-answer" });
    this.answer = /** @type {HTMLInputElement} */ (
      make("input", {
        id: "player-answer",
        type: "text",
        inputmode: "text",
        autocomplete: "off",
        spellcheck: "false",
      })
    );
    this.check = words.put(make("button", { type: "submit", class: "primary" }), "player.predict.check");
    this.give = words.put(make("button", { type: "button" }), "player.predict.show");
    this.onward = words.put(make("button", { type: "button", class: "primary" }), "player.predict.on");
    this.verdict = make("p", { class: "verdict", role: "status" });
    this.score = make("p", { class: "score remark" });
    const asking = make("div", { class: "answer" }, this.answer, this.check, this.give, this.onward);
    this.form = make("form", {}, this.question, asking, this.verdict);
    this.element = make("section", { class: "prediction", hidden: true }, this.form, this.score);
    words.label(this.element, "player.predict");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.judge();
    });
    this.give.addEventListener("click", () => this.tell(null));
    this.onward.addEventListener("click", () => this.close(true));
  }

  reset() {
    this.answered.clear();
    this.right = 0;
    this.close(false);
  }

  /**
   * Does the player have to stop before this step?
   * @param {Story} story
   * @param {number} time
   */
  stops(story, time) {
    const flow = flowAt(story, time);
    if (!this.on || !flow || this.answered.has(time)) return false;
    return story.arrivals[flow.target].length > 1 || story.nodes[flow.target].op === "input";
  }

  /**
   * @param {StepSentences} sentences
   * @param {number} time
   */
  ask(sentences, time) {
    const flow = /** @type {FlowEvent} */ (flowAt(sentences.story, time));
    this.pending = { time, flow, sentences };
    this.element.hidden = false;
    this.verdict.replaceChildren();
    this.verdict.className = "verdict";
    this.answer.value = "";
    this.answer.disabled = false;
    this.onward.hidden = true;
    this.check.hidden = this.give.hidden = false;
    this.retell();
    this.answer.focus({ preventScroll: true });
  }

  /** The words of the question, in the language in use. */
  retell() {
    if (!this.pending) return;
    const { flow, sentences } = this.pending;
    const { names, recipes } = sentences.told;
    this.question.replaceChildren();
    this.words.tell(this.question, "player.predict.ask", {
      ...sentences.flowFields(flow),
      source: { kind: "name", text: `${names[flow.source]} = ${recipes[flow.source]}` },
      upstream: { kind: "grad", text: show(flow.upstream) },
    });
    this.showScore();
  }

  showScore() {
    const counter = make(
      "span",
      { class: "counter" },
      this.words.say("player.predict.score", { right: this.right, asked: this.answered.size }),
    );
    this.score.replaceChildren(...(this.answered.size ? [counter] : []));
  }

  judge() {
    const answer = typed(this.answer.value);
    if (!this.pending || this.answer.disabled) return;
    if (answer === null) {
      this.verdict.textContent = this.words.say("player.predict.number");
      return;
    }
    this.tell(answer);
  }

  /** @param {number | null} answer null: it was given up */
  tell(answer) {
    if (!this.pending) return;
    const { time, flow, sentences } = this.pending;
    const right = answer !== null && near(answer, flow.amount);
    this.answered.add(time);
    if (right) this.right += 1;
    this.verdict.replaceChildren();
    this.verdict.classList.toggle("right", right);
    this.verdict.classList.toggle("wrong", !right && answer !== null);
    const key =
      answer === null ? "player.predict.given" : right ? "player.predict.right" : "player.predict.wrong";
    this.words.tell(this.verdict, key, sentences.flowFields(flow));
    this.answer.disabled = true;
    this.check.hidden = this.give.hidden = true;
    this.onward.hidden = false;
    this.showScore();
    this.then.reveal(time);
    this.onward.focus({ preventScroll: true });
  }

  /** @param {boolean} resume */
  close(resume) {
    this.pending = null;
    this.element.hidden = true;
    if (resume) this.then.resume();
  }
}
