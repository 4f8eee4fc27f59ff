"use strict";
// A window on a drawing: nearer, farther, the whole of it, dragged by hand; the active node stays in sight.
//
// Moving about is the browser's own scrolling, so it works with wheels, fingers and keys alike.

const NEAREST = 4;
const LEGIBLE = 0.5; // smaller than this the letters of a drawing cannot be read,
const COMFORTABLE = 0.72; // so it is then drawn this large and moved about
const LARGEST = 1.25; // a small drawing is not blown up further than this

class Viewport {
  /** @param {Words} words */
  constructor(words) {
    /** @type {number | "auto" | "fit"} */
    this.zoom = "auto";
    /** @type {SVGSVGElement | null} */
    this.svg = null;
    this.window = make("div", { class: "window" });
    this.tools = make(
      "div",
      { class: "zoom", role: "group" },
      iconButton(words, "player.zoom.farther", "farther", () => this.by(1 / 1.25)),
      iconButton(words, "player.zoom.closer", "closer", () => this.by(1.25)),
      iconButton(words, "player.zoom.fit", "fit", () => this.set("fit")),
    );
    words.label(this.tools, "player.zoom");
    this.element = make("div", { class: "viewport" }, this.window, this.tools);
    this.window.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.window.addEventListener("pointerdown", (event) => this.drag(event));
    new ResizeObserver(() => this.refresh()).observe(this.window);
  }

  /** @param {SVGSVGElement} svg */
  hold(svg) {
    this.svg = svg;
    this.window.replaceChildren(svg);
    this.refresh();
  }

  /** The size of the drawing in its own units. */
  size() {
    const box = this.svg?.viewBox.baseVal;
    return { width: box?.width || 1, height: box?.height || 1 };
  }

  /** How large the drawing is drawn. */
  scale() {
    const { width, height } = this.size();
    const room = { width: this.window.clientWidth, height: this.window.clientHeight };
    const fit = Math.min(room.width / width, room.height > 120 ? room.height / height : Infinity, LARGEST);
    if (this.zoom === "auto") return fit < LEGIBLE ? COMFORTABLE : fit;
    return this.zoom === "fit" ? fit : this.zoom;
  }

  refresh() {
    if (!this.svg || !this.window.clientWidth) return;
    this.window.style.setProperty("--aspect", (this.size().width / this.size().height).toFixed(3));
    const [{ width, height }, scale] = [this.size(), this.scale()];
    this.svg.setAttribute("width", (width * scale).toFixed(1));
    this.svg.setAttribute("height", (height * scale).toFixed(1));
    const overflowing =
      width * scale > this.window.clientWidth + 1 || height * scale > this.window.clientHeight + 1;
    mark(this.window, "movable", overflowing);
    if (overflowing) this.window.setAttribute("tabindex", "0");
    else this.window.removeAttribute("tabindex");
  }

  /** @param {number | "auto" | "fit"} zoom */
  set(zoom) {
    this.zoom = typeof zoom === "number" ? Math.min(NEAREST, Math.max(0.05, zoom)) : zoom;
    this.refresh();
  }

  /**
   * Nearer or farther, around a point of the window.
   * @param {number} factor
   * @param {{x: number, y: number}} [point]
   */
  by(factor, point) {
    const { window } = this;
    const spot = point ?? { x: window.clientWidth / 2, y: window.clientHeight / 2 };
    const before = this.scale();
    this.set(before * factor);
    const ratio = this.scale() / before;
    window.scrollLeft = (window.scrollLeft + spot.x) * ratio - spot.x;
    window.scrollTop = (window.scrollTop + spot.y) * ratio - spot.y;
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = this.window.getBoundingClientRect();
    this.by(Math.exp(-event.deltaY / 400), { x: event.clientX - box.left, y: event.clientY - box.top });
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    if (event.target instanceof Element && event.target.closest("[role=button]")) return;
    const start = { x: event.clientX + this.window.scrollLeft, y: event.clientY + this.window.scrollTop };
    /** @param {PointerEvent} moved */
    const move = (moved) => {
      this.window.scrollLeft = start.x - moved.clientX;
      this.window.scrollTop = start.y - moved.clientY;
    };
    const drop = () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", drop);
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", drop);
  }

  /**
   * Bring an element into sight, without moving the page.
   * @param {Element | null} element
   */
  follow(element) {
    if (!element || !this.window.classList.contains("movable")) return;
    const [inside, around] = [element.getBoundingClientRect(), this.window.getBoundingClientRect()];
    if (inside.left < around.left || inside.right > around.right) {
      this.window.scrollLeft += (inside.left + inside.right - around.left - around.right) / 2;
    }
    if (inside.top < around.top || inside.bottom > around.bottom) {
      this.window.scrollTop += (inside.top + inside.bottom - around.top - around.bottom) / 2;
    }
  }
}
