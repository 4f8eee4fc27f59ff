"use strict";
// The timer of playback: one step after the other, at a pace that also brings a long pass to its end.

const SPEEDS = ["slow", "normal", "fast", "fastest"];
const PACES = /** @type {Record<string, number>} */ ({ slow: 2600, normal: 1500, fast: 600, fastest: 150 });
const WHOLE = 60000; // a long pass takes about this many milliseconds at the normal pace
const SHORTEST = 16; // a frame of the screen

class PlayTimer {
  /**
   * @param {(steps: number) => boolean} advance false when there is nothing to go on to
   * @param {(running: boolean) => void} changed
   */
  constructor(advance, changed) {
    this.advance = advance;
    this.changed = changed;
    /** @type {number | null} */
    this.timer = null;
  }

  get running() {
    return this.timer !== null;
  }

  /**
   * @param {string} speed
   * @param {number} length
   */
  start(speed, length) {
    this.stop();
    const { pause, stride } = paceOf(speed, length);
    this.timer = window.setInterval(() => {
      if (!this.advance(stride)) this.stop();
    }, pause);
    this.changed(true);
  }

  stop() {
    if (this.timer === null) return;
    window.clearInterval(this.timer);
    this.timer = null;
    this.changed(false);
  }
}

/**
 * How long a step stays, and how many are taken at once where there are very many.
 * @param {string} speed
 * @param {number} length
 */
function paceOf(speed, length) {
  const wanted = Math.min(PACES[speed], (WHOLE / length) * (PACES[speed] / PACES.normal));
  const pause = Math.max(SHORTEST, wanted);
  return { pause, stride: Math.max(1, Math.round(pause / wanted)) };
}
