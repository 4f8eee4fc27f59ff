"use strict";
/*
 * The head of a page: colours, the language, and a banner for what everybody must know.
 */

const THEMES = /** @type {const} */ (["auto", "light", "dark"]);
const THEME_SIGNS = { auto: "\u25d0", light: "\u2600\ufe0e", dark: "\u263e\ufe0e" };
const THEME_KEPT = "minigrad.studio.theme"; // where the browser keeps the choice

const LANGUAGE_KEPT = "minigrad.studio.language"; // of both pages

class Masthead {
  /**
   * @param {string} title the sentence that the page is called by
   * @param {{speak: (language: string) => void, retry: () => void}} actions
   */
  constructor(title, actions) {
    this.title = title;
    this.retry = actions.retry;
    this.languages = [...part("languages").querySelectorAll("button")];
    for (const button of this.languages) button.addEventListener("click", () => actions.speak(button.value));
    this.#themes();
  }

  /** Everything in the language that is spoken now. */
  retell() {
    translate(/** @type {Element} */ (document.querySelector(".masthead")));
    for (const button of this.languages) button.setAttribute("aria-pressed", String(button.value === speech.language));
    document.title = say(this.title);
    keep(LANGUAGE_KEPT, speech.language);
  }

  /** Whether the server is there. @param {Presence} presence */
  tell(presence) {
    const banner = part("banner");
    banner.hidden = presence === "here";
    if (presence === "here") return;
    const again = pressable("studio.again", { class: "quiet" }, () => this.retry());
    banner.replaceChildren(build("span", {}, say(`studio.${presence}`)), " ", again);
  }

  /** Light, dark, or as the system wishes. */
  #themes() {
    const buttons = THEMES.map((theme) => {
      const button = pressable("", { value: theme, title: "", "data-say-label": `studio.theme.${theme}` }, () => {
        keep(THEME_KEPT, theme);
        apply(theme);
      });
      button.textContent = THEME_SIGNS[theme];
      return button;
    });
    /** @param {string} theme */
    const apply = (theme) => {
      if (theme === "auto") document.documentElement.removeAttribute("data-theme");
      else document.documentElement.setAttribute("data-theme", theme);
      for (const button of buttons) button.setAttribute("aria-pressed", String(button.value === theme));
    };
    part("theme").replaceChildren(...buttons);
    const wished = kept(THEME_KEPT);
    apply(THEMES.find((theme) => theme === wished) ?? "auto");
  }
}

/** Keep a text in the browser, if it keeps any. @param {string} name @param {string} text */
function keep(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // a full or forbidden store: it holds until the page is closed
  }
}

/** What was kept. @param {string} name */
function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** The language that was spoken last, on either page. */
function keptLanguage() {
  const language = kept(LANGUAGE_KEPT);
  return language !== null && LANGUAGES.includes(language) ? language : null;
}
