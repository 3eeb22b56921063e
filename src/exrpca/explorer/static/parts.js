// Pieces that several views are made of.

import { el, percent } from "./dom.js";
import { address } from "./routes.js";

// Color and shape together tell senses apart, so that color alone never has to.
const GLYPHS = ["\u25cf", "\u25a0", "\u25c6", "\u25b2", "\u271a", "\u2605", "\u2b22", "\u2b1f"];

export const senseColor = (sense) => `var(--sense-${sense % GLYPHS.length})`;

// The number of a sense, with the neighbors that tell it from the others if they are known.
export function senseBadge(sense, names = []) {
  return el(
    "span",
    { class: "badge", style: { "--color": senseColor(sense) } },
    el("span", { "aria-hidden": "true" }, GLYPHS[sense % GLYPHS.length]),
    ` ${sense}`,
    names.length ? el("span", { class: "name word" }, names.join(", ")) : null,
  );
}

export function wordLink(word, sense = null, parameters = {}) {
  const number =
    sense === null
      ? null
      : el("sub", {}, el("span", { class: "unseen" }, " sense "), String(sense));
  return el("a", { class: "word", href: address("word", word, parameters) }, word, number);
}

export function verdictChip(verdict) {
  return el("span", { class: `chip ${verdict}` }, verdict);
}

// The colors of the verdicts; `others` are more kinds with their names.
export function verdictLegend(others = {}) {
  const kinds = { pseudo: "pseudo", undecided: "undecided", real: "real", ...others };
  return el(
    "ul",
    { class: "legend" },
    Object.entries(kinds).map(([kind, name]) => el("li", { class: kind }, name)),
  );
}

// A sentence as it was read: the word, the words that count, those unknown, those too far away.
export const asRead = (tokens) =>
  tokens.flatMap(({ before, text, part, decides }) => [
    before,
    el("span", { class: decides ? `read ${part} decides` : `read ${part}` }, text),
  ]);

// A bar for a share between 0 and 1; the number is beside it for everybody.
export function meter(share, color = "var(--accent)") {
  return el("span", {
    class: "meter",
    "aria-hidden": "true",
    style: { "--share": percentWidth(share), "--color": color },
  });
}

const percentWidth = (share) => `${Math.max(0, Math.min(100, 100 * share))}%`;

export function probability(value) {
  if (value === null) return el("span", { class: "probability" }, "not known");
  return el("span", { class: "probability" }, meter(value), percent(value));
}

// The reason for a verdict: how many of their nearest words two senses share, and some of these.
// Where an encoder has read sentences of both senses, these decided.
export function sharedNeighbors({ shared, examples, judged_by }, neighbors) {
  const named = examples.length
    ? [": ", el("span", { class: "word" }, examples.join(", "))]
    : null;
  return el(
    "span",
    { class: "shared" },
    meter(shared / Math.max(1, neighbors), "var(--pseudo)"),
    el("span", {}, `share ${shared || "none"} of ${neighbors} neighbors`, named),
    judged_by === "sentences" ? el("span", {}, "; sentences decided") : null,
  );
}

// A choice between a few values, of which one is always taken.
export function segments(legend, name, options, current, choose) {
  return el(
    "fieldset",
    { class: "segments" },
    el("legend", {}, legend),
    Object.entries(options).map(([value, label]) =>
      el(
        "label",
        {},
        el("input", {
          type: "radio",
          name,
          checked: value === String(current),
          onchange: () => choose(value),
        }),
        el("span", {}, label),
      ),
    ),
  );
}

export function working(label) {
  return el(
    "p",
    { class: "working", role: "status" },
    el("span", { class: "spinner", "aria-hidden": "true" }),
    `${label} \u2026`,
  );
}

export function problem(error, ...advice) {
  return el(
    "div",
    { class: "problem", role: "alert" },
    el("p", {}, sentence(error.message)),
    ...advice,
  );
}

export function sentence(text) {
  const full = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(full) ? full : `${full}.`;
}

export function heading(title, ...below) {
  return el("header", { class: "title" }, el("h1", { tabindex: "-1" }, title), ...below);
}

// A part of the page that shows what is going on until its content is there.
export async function fill(section, load, render) {
  const place = el("div", { class: "place", "aria-busy": "true" });
  section.append(place);
  try {
    const answer = await load((label) => place.replaceChildren(working(label)));
    place.replaceChildren(...[render(answer)].flat());
    return answer;
  } catch (error) {
    if (error.name !== "AbortError") place.replaceChildren(problem(error));
    return null;
  } finally {
    place.removeAttribute("aria-busy");
  }
}
