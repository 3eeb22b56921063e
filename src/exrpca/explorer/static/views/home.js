// The start page: what is in the file, and where to begin.

import { ask } from "../api.js";
import { el, number } from "../dom.js";
import { fill, heading, wordLink } from "../parts.js";
import { address } from "../routes.js";

const N_WORDS = 14;

export const title = () => "";

export function show(root, { about, signal }) {
  root.append(
    heading(
      "Which senses are real?",
      el(
        "p",
        { class: "lead" },
        "Vectors with several senses per word split one meaning in two more often than they find two meanings. Search a word to see its senses, or begin with one of these.",
      ),
    ),
    facts(about),
  );
  if (!about.pairs) {
    root.append(
      el(
        "p",
        { class: "note" },
        "Every word in this file has only one sense: you can look at neighbors, but there is nothing to judge or to clean.",
      ),
    );
    return;
  }
  const begin = el("section", { class: "columns" });
  root.append(begin);
  root.append(views());
  suggestions(begin, "Surely two meanings", { verdict: "real", descending: true }, signal);
  suggestions(begin, "Surely one meaning, split", { verdict: "pseudo", descending: false }, signal);
}

function facts(about) {
  const entries = [
    ["words", about.words],
    ["with several senses", about.multi_sense_words],
    ["senses", about.senses],
    ["sense pairs", about.pairs],
    ["dimensions", about.dimensions],
  ];
  return el(
    "dl",
    { class: "facts" },
    entries.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, number(value)))),
  );
}

function views() {
  const entries = [
    ["directions", "Directions", "What the pseudo senses of all words have in common"],
    ["inventory", "Inventory", "The verdict on every pair of senses, to sort, filter and export"],
    ["scores", "Scores", "Agreement with people\u2019s ratings, before and after cleaning"],
  ];
  return el(
    "ul",
    { class: "views" },
    entries.map(([view, name, what]) =>
      el("li", {}, el("a", { href: address(view) }, el("strong", {}, name), what)),
    ),
  );
}

function suggestions(root, label, selection, signal) {
  const section = el("section", {}, el("h2", {}, label));
  root.append(section);
  fill(
    section,
    (onWorking) =>
      ask(
        "inventory",
        { ...selection, sort: "probability", limit: 4 * N_WORDS },
        { signal, onWorking },
      ),
    ({ rows }) => {
      const words = [...new Set(rows.map((row) => row.word))].slice(0, N_WORDS);
      if (!words.length) return el("p", { class: "note" }, "There is no such pair in this file.");
      return el(
        "ul",
        { class: "words" },
        words.map((word) => el("li", {}, wordLink(word))),
      );
    },
  );
}
