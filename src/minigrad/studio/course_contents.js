"use strict";
/*
 * The contents: the units of the course with what is done of each, and what is due for repetition today.
 */

/** @typedef {{number: number, slug: string, title: Pair, idea: Pair, minutes: number}} UnitRow */
/**
 * @typedef {object} LearnerProgress
 * @property {string} current the unit that was open last
 * @property {boolean} kept whether it could be written
 * @property {string[]} notices
 * @property {Record<string, "new" | "begun" | "done">} states
 * @property {Record<string, number>} places the block that was read last
 * @property {string[]} settled the questions that are answered or revealed
 * @property {number} due how much is to be repeated today
 */

const REVIEW = "review"; // in the place of a unit: what is due
const STATE_SIGNS = { new: "\u25cb", begun: "\u25d0", done: "\u2713" };

/** The address of a unit, or of the repetitions, in the language that is spoken. @param {string} place */
function addressOf(place) {
  return `#${speech.language}/${place}`;
}

/**
 * @param {readonly UnitRow[]} units
 * @param {LearnerProgress} progress
 * @param {string} here what is shown
 */
function contentsOf(units, progress, here) {
  const done = units.filter(({ slug }) => progress.states[slug] === "done").length;
  const total = build("p", { class: "note" }, say("study.done", { done, all: units.length }));
  const meter = build("progress", { max: units.length, value: done, "aria-label": say("study.progress") });
  const rows = units.map((unit) => {
    const state = progress.states[unit.slug] ?? "new";
    const sign = build("span", { class: `sign ${state}`, "aria-hidden": "true" }, STATE_SIGNS[state]);
    const words = build("span", { class: "unseen" }, ` (${say(`study.state.${state}`)})`);
    const title = build("span", {}, build("span", { class: "count" }, `${unit.number}. `), speech.pick(unit.title), words);
    const link = build("a", { href: addressOf(unit.slug), "aria-current": here === unit.slug && "page" }, sign, title);
    return build("li", {}, link);
  });
  const count = progress.due;
  const link = build("a", { href: addressOf(REVIEW), "aria-current": here === REVIEW && "page" }, say("study.due", { count }));
  const none = build("p", { class: "note" }, say("study.due.none"));
  const due = build("div", { class: "due" }, count ? build("p", {}, link) : none);
  return build("div", {}, meter, total, build("ol", { class: "units" }, ...rows), due);
}
