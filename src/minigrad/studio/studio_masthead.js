"use strict";
/*
 * The head of the studio: besides colours and language, the examples, the link, the guide and the course.
 */

class StudioMasthead extends Masthead {
  /**
   * @param {{example: (text: string) => void, copy: () => Promise<void>, help: () => void,
   *   speak: (language: string) => void, retry: () => void}} actions
   */
  constructor(actions) {
    super("studio.title", actions);
    const menu = part("examples", HTMLSelectElement);
    menu.addEventListener("change", () => {
      const example = EXAMPLES.find(({ key }) => key === menu.value);
      menu.value = "";
      if (example) actions.example(example.text);
    });
    part("copy").addEventListener("click", () => void this.#copy(actions.copy));
    part("help").addEventListener("click", () => actions.help());
  }

  /** Everything in the language that is spoken now. */
  retell() {
    super.retell();
    fillExamples(part("examples", HTMLSelectElement));
    const learn = part("learn");
    const [page] = (learn.getAttribute("href") ?? "").split("#"); // which is called otherwise on another site
    learn.setAttribute("href", `${page}#${speech.language}/`);
  }

  /** @param {() => Promise<void>} copy */
  async #copy(copy) {
    const button = part("copy");
    try {
      await copy();
      button.textContent = say("studio.copied");
    } catch {
      button.textContent = say("studio.copy.failed"); // the address line has it in any case
    }
    setTimeout(() => (button.textContent = say("studio.copy")), 2000);
  }
}
