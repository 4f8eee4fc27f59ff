"use strict";
/*
 * The fault picker: all faults of the catalogue, searchable in both languages, those that show on this
 * graph first.
 */

/**
 * @typedef {object} FaultRow
 * @property {string} slug
 * @property {string} family
 * @property {[string, string]} name
 * @property {[string, string]} story
 * @property {boolean} ordered
 * @property {number} seen
 * @property {"shows" | "hidden" | "idle" | "untried"} applies
 */

const APPLIES = /** @type {const} */ (["shows", "hidden", "untried", "idle"]);

/** Letters without their accents and capitals, as a search compares them. @param {string} text */
function plain(text) {
  return text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
}

/**
 * The faults that have every word of a search somewhere.
 * @param {readonly FaultRow[]} faults
 * @param {string} wanted
 * @param {Record<string, [string, string]>} families
 */
function matching(faults, wanted, families) {
  const words = plain(wanted).split(/\s+/).filter(Boolean);
  if (!words.length) return [...faults];
  return faults.filter((fault) => {
    const family = families[fault.family] ?? [fault.family];
    const all = plain([fault.slug, ...family, ...fault.name, ...fault.story].join(" "));
    return words.every((word) => all.includes(word));
  });
}

class FaultPicker {
  /** @param {(slug: string) => void} picked */
  constructor(picked) {
    this.picked = picked;
    /** @type {FaultRow[]} */
    this.faults = [];
    /** @type {Record<string, [string, string]>} */
    this.families = {};
    const search = "studio.faults.search";
    this.search = textField({ type: "search", class: "field wide", "data-say-placeholder": search, "data-say-label": search });
    this.count = build("p", { class: "note", role: "status" });
    this.list = build("div", { class: "faults", role: "group", "data-say-label": "studio.faults.list" });
    const lead = sentence("p", "studio.faults.lead", { class: "lead" });
    this.element = build("div", { class: "picker" }, lead, this.search, this.count, this.list);
    this.search.addEventListener("input", () => this.render());
    this.element.addEventListener("keydown", (event) => this.#keys(event));
  }

  /** @param {FaultRow[]} faults @param {Record<string, [string, string]>} families */
  show(faults, families) {
    this.faults = faults;
    this.families = families;
    this.render();
  }

  render() {
    const found = matching(this.faults, this.search.value, this.families);
    const shows = found.filter((fault) => fault.applies === "shows").length;
    const key = this.faults.length ? "studio.faults.count" : "studio.faults.wait";
    this.count.textContent = say(key, { found: found.length, shows });
    const top = this.list.scrollTop;
    const held = document.activeElement?.closest(".faults") ? document.activeElement.getAttribute("data-fault") : null;
    this.list.replaceChildren(
      ...APPLIES.flatMap((applies) => {
        const rows = found.filter((fault) => fault.applies === applies);
        return rows.length ? [this.#group(applies, rows)] : [];
      }),
    );
    this.list.scrollTop = top;
    const [, first, ...others] = this.#stops();
    const kept = held === null ? null : (others.find((button) => button.dataset.fault === held) ?? first);
    others.forEach((button) => (button.tabIndex = -1)); // one stop for Tab; arrows do the rest
    if (!kept) return;
    [first.tabIndex, kept.tabIndex] = [-1, 0]; // an answer that comes late must not take the place away
    kept.focus({ preventScroll: true });
  }

  /** Where the arrow keys stop: the search, then every fault. @returns {HTMLElement[]} */
  #stops() {
    return [this.search, .../** @type {NodeListOf<HTMLElement>} */ (this.list.querySelectorAll("button"))];
  }

  /** @param {FaultRow["applies"]} applies @param {FaultRow[]} rows */
  #group(applies, rows) {
    const count = build("span", { class: "tally" }, String(rows.length));
    const title = build("h3", {}, say(`studio.faults.${applies}`), " ", count);
    const list = rows.map((fault) => build("li", {}, this.#row(fault)));
    return build("section", { class: applies }, title, build("ul", {}, ...list));
  }

  /** @param {FaultRow} fault */
  #row(fault) {
    const family = this.families[fault.family];
    const button = build(
      "button",
      { type: "button", class: "fault", "data-fault": fault.slug },
      build("span", { class: "called" }, speech.pick(fault.name)),
      build("span", { class: "story" }, speech.pick(fault.story)),
      build("code", { class: "slug" }, fault.slug),
      build("span", { class: "tag" }, family ? speech.pick(family) : fault.family),
    );
    button.addEventListener("click", () => this.picked(fault.slug));
    return button;
  }

  /** Up and down walk through the list. @param {KeyboardEvent} event */
  #keys(event) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const stops = this.#stops();
    const at = stops.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
    if (at < 0 || !next) return;
    event.preventDefault();
    if (at > 0) stops[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}
