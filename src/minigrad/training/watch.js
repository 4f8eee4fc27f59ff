"use strict";
// The page of a run: a slider over its pictures.  While a run trains, the page renews itself as long as its
// reader looks at the newest one; an earlier one is named in the address, and stays.

/**
 * @typedef {{step: number, words: string, x: number, samples: string[], pictures: Record<string, string>}} Shot
 * @typedef {{state: string, words: Record<string, string>, snapshots: Shot[]}} Film
 */

const RENEW = 2000; // milliseconds
const TURN = 220; // from one picture to the next
const STALE = 60_000; // a page that has not changed for so long

class Reel {
  /** @param {Film} film */
  constructor(film) {
    this.film = film;
    this.last = film.snapshots.length - 1;
    this.timer = 0;
    this.section = this.find(".reel", HTMLElement);
    this.slider = this.find(".reel input", HTMLInputElement);
    this.turn = this.find(".reel .turn", HTMLButtonElement);
    this.follow = this.find(".reel .follow", HTMLButtonElement);
    this.output = this.find(".reel output", HTMLElement);
    this.remark = this.find(".reel .remark", HTMLElement);
    this.slider.max = String(this.last);
    const newest = film.snapshots[this.last];
    for (const figure of document.querySelectorAll("[data-picture]")) {
      const name = figure.getAttribute("data-picture") ?? "";
      if (name !== "curve") newest.pictures[name] = figure.innerHTML;
    }
    this.slider.addEventListener("input", () => this.look(Number(this.slider.value)));
    this.turn.addEventListener("click", () => (this.playing ? this.stop() : this.play()));
    this.follow.addEventListener("click", () => this.look(this.last));
    document.addEventListener("keydown", (event) => this.key(event));
    this.section.hidden = false;
    this.turn.disabled = this.last === 0;
    this.playing = false;
    this.show(this.asked());
    this.refocus();
  }

  /**
   * @template {Element} T
   * @param {string} selector
   * @param {new () => T} kind
   * @returns {T}
   */
  find(selector, kind) {
    const found = document.querySelector(selector);
    if (!(found instanceof kind)) throw new Error(selector);
    return found;
  }

  /** The picture that the address names: the last one up to its step; else the newest. */
  asked() {
    const named = /^#step-(\d+)$/.exec(location.hash);
    if (!named) return this.last;
    const step = Number(named[1]);
    return Math.max(0, this.film.snapshots.findLastIndex((shot) => shot.step <= step));
  }

  /** @param {number} at */
  look(at) {
    this.stop();
    this.show(at);
  }

  /** @param {number} at */
  show(at) {
    const { words, state, snapshots } = this.film;
    const shot = snapshots[at];
    this.at = at;
    this.slider.value = String(at);
    this.slider.setAttribute("aria-valuetext", shot.words);
    this.output.textContent = shot.words;
    for (const figure of document.querySelectorAll("[data-picture]")) {
      const markup = shot.pictures[figure.getAttribute("data-picture") ?? ""];
      if (markup !== undefined) figure.innerHTML = markup;
    }
    document.querySelector("[data-cursor]")?.setAttribute("transform", `translate(${shot.x} 0)`);
    const written = document.querySelector("[data-samples]");
    written?.replaceChildren(
      ...shot.samples.map((text) => Object.assign(document.createElement("li"), { textContent: text || "—" })),
    );
    const newest = at === this.last;
    this.follow.disabled = newest;
    const address = newest ? location.pathname + location.search : `#step-${shot.step}`;
    history.replaceState(null, "", address);
    const stale = state === "training" && Date.now() - Date.parse(document.lastModified) > STALE;
    const told = state !== "training" ? "over" : stale ? "stale" : newest ? "following" : "looking";
    this.remark.textContent = words[told];
    this.renew(newest && state === "training");
  }

  /** @param {boolean} wanted */
  renew(wanted) {
    clearTimeout(this.timer);
    if (wanted && !this.playing) this.timer = setTimeout(() => this.reload(), RENEW);
  }

  /** Not while somebody selects text; and who works with the keyboard finds the focus where it was. */
  reload() {
    if (!(getSelection()?.isCollapsed ?? true)) return this.renew(true);
    const focused = this.controls().findIndex((control) => control === document.activeElement);
    sessionStorage.setItem("minigrad-watch-focus", String(focused));
    location.reload();
  }

  refocus() {
    const focused = Number(sessionStorage.getItem("minigrad-watch-focus") ?? -1);
    this.controls()[focused]?.focus({ preventScroll: true });
  }

  controls() {
    return [this.turn, this.slider, this.follow];
  }

  play() {
    this.playing = true;
    this.turn.textContent = this.film.words.pause;
    this.show(this.at === this.last ? 0 : (this.at ?? 0));
    this.motor = setInterval(() => this.tick(), TURN);
  }

  tick() {
    const at = (this.at ?? 0) + 1;
    if (at >= this.last) this.stop();
    this.show(Math.min(at, this.last));
  }

  stop() {
    clearInterval(this.motor);
    this.playing = false;
    this.turn.textContent = this.film.words.play;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (!step || event.target === this.slider || event.ctrlKey || event.altKey || event.metaKey) return;
    this.look(Math.min(this.last, Math.max(0, (this.at ?? 0) + step)));
    event.preventDefault();
  }
}

async function openReel() {
  const packed = document.getElementById("minigrad-watch")?.textContent ?? "";
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  new Reel(JSON.parse(await new Response(stream).text()));
}

openReel();
