// The start page: one word worked through, words to begin with, and what is in the file.

import { ask } from "../api.js";
import { senseCard } from "../cards.js";
import { el, number } from "../dom.js";
import { isExported } from "../exported.js";
import { fill, heading, wordLink } from "../parts.js";
import { address } from "../routes.js";
import { sentenceBox } from "../sentence.js";
import { kinship, verdictSentence } from "../verdict.js";

const NEIGHBORS = 5;
const MOST_SENTENCES = 2;

export const title = () => "";

export function show(root, { about, signal }) {
  root.append(
    heading(
      "Which senses are real?",
      el(
        "p",
        { class: "lead" },
        "Models that learn several vectors per word often split one meaning into several \u201csenses\u201d. This page shows which senses are different meanings, and merges the others.",
      ),
    ),
  );
  if (!about.pairs) {
    root.append(
      el(
        "p",
        { class: "note" },
        "Every word in this file has only one sense: you can look at neighbors, but there is nothing to judge or to clean.",
      ),
      facts(about),
    );
    return;
  }
  const worked = el("section", { class: "worked panel", "aria-label": "An example" });
  const begin = el("section");
  root.append(isExported ? "" : steps(), worked, begin, isExported ? included(about) : views(), facts(about));
  const load = async (onWorking) => {
    const found = await ask("suggestions", {}, { signal, onWorking });
    begin.append(
      el(
        "div",
        { class: "columns three" },
        suggested("Two meanings", found.words.real),
        suggested("One meaning, split", found.words.pseudo),
        suggested(
          isExported ? "Undecided" : el("a", { href: address("judge") }, "Undecided: you judge"),
          found.words.undecided,
        ),
      ),
    );
    return found.worked ? example(found.worked, about, signal) : worked.remove();
  };
  fill(worked, load, (parts) => parts ?? []);
}

function steps() {
  const all = [
    ["Look", "at the neighbors of each sense: they say what it means."],
    ["Judge", "whether two senses are one meaning or two."],
    ["Merge", "the senses that are one meaning, and download the result."],
  ];
  return el(
    "ol",
    { class: "steps" },
    all.map(([what, how]) => el("li", {}, el("strong", {}, what), ` ${how}`)),
  );
}

// The senses of a word side by side, the verdict in a sentence, and typical sentences if there are any.
async function example(word, about, signal) {
  const [{ senses }, verdict, typical] = await Promise.all([
    ask("word", { word, n: NEIGHBORS }, { signal }),
    ask("word/pairs", { word }, { signal }),
    ask("word/examples", { word }, { signal }),
  ]);
  const cards = el(
    "div",
    { class: "cards" },
    senses.map((sense) =>
      senseCard(sense, {
        names: verdict.names[sense.sense],
        kin: kinship(sense.sense, verdict),
        sentences: typical.senses[sense.sense]?.slice(0, MOST_SENTENCES),
      }),
    ),
  );
  const title = el("h2", {}, wordLink(word), verdictSentence(verdict));
  if (isExported) return [title, cards];
  const asked = { word, about, cards, signal, text: "", names: verdict.names, changed: () => {} };
  return [title, cards, sentenceBox(asked).section];
}

function suggested(label, words) {
  if (isExported && !words.length) return null;
  const list = words.map(({ word, names }) =>
    el(
      "li",
      {},
      wordLink(word),
      el("small", { class: "word" }, [...new Set(names.flat())].join(" \u00b7 ")),
    ),
  );
  return el(
    "section",
    {},
    el("h2", {}, label),
    list.length
      ? el("ul", { class: "suggested" }, list)
      : el("p", { class: "note" }, "There is no such pair in this file."),
  );
}

// What one file can show: the words that it was made with.
function included({ exported }) {
  const words = exported.map((word) => el("li", {}, wordLink(word)));
  return el("section", {}, el("h2", {}, "Words in this file"), el("ul", { class: "words" }, words));
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
    ["everything", "Map", "All senses in one picture, colored by verdict, before and after cleaning"],
    ["judge", "Judge", "Decide what the vectors leave undecided, and download the result"],
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
