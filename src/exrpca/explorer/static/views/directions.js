// The directions in which pseudo senses differ.

import { ask } from "../api.js";
import { decimal, el } from "../dom.js";
import { bothSenses, namePairs } from "../naming.js";
import { fill, heading, meter, wordLink } from "../parts.js";
import { table } from "../table.js";
import { term } from "../terms.js";

export const title = () => "Directions";

export async function show(root, { signal }) {
  root.append(
    heading(
      "The directions",
      el(
        "p",
        { class: "lead" },
        "Senses that are one meaning differ along the same few directions, whatever the word. Cleaning removes these directions.",
      ),
    ),
  );
  const section = el("section", { class: "directions" });
  root.append(section);
  const found = await fill(
    section,
    (onWorking) => ask("directions", {}, { signal, onWorking }),
    (components) => {
      const most = Math.max(...components.map((each) => each.explained_variance_ratio));
      return components.map((each) => direction(each, most));
    },
  );
  if (found) namePairs(section, found.flatMap(({ pairs }) => pairs), signal);
}

const share = (value) => `${decimal(100 * value, 1)}%`;

function direction(found, most) {
  return el(
    "article",
    { class: "panel", "aria-label": `Direction ${found.component}` },
    el(
      "header",
      {},
      el("h2", {}, `Direction ${found.component}`),
      el(
        "dl",
        { class: "inline" },
        fact("explains", share(found.explained_variance_ratio)),
        fact("mean cosine", decimal(found.mean_cosine)),
        fact("without outliers", decimal(found.mean_cosine_without_outliers)),
      ),
    ),
    meter(found.explained_variance_ratio / most),
    el(
      "div",
      { class: "columns" },
      el("section", {}, el("h3", {}, "Pairs it explains best"), pairTable(found.pairs)),
      el(
        "section",
        {},
        el("h3", {}, "Words at one end"),
        words(found.positive_pole),
        el("h3", {}, "Words at the other end"),
        words(found.negative_pole),
        el("p", { class: "note" }, `Function words among the best explained: ${share(found.function_words)}`),
        found.topics && el("p", { class: "note" }, term("topics", "Topics", ["", ":"]), ` ${found.topics}`),
      ),
    ),
  );
}

function fact(name, value) {
  return el("div", {}, el("dt", {}, term(name)), el("dd", {}, value));
}

function words(list) {
  return el(
    "ul",
    { class: "words small" },
    list.map((word) => el("li", {}, wordLink(word))),
  );
}

function pairTable(pairs) {
  const rows = pairs.map((pair) => [
    wordLink(pair.word),
    bothSenses(pair),
    decimal(pair.cosine),
  ]);
  return table("Pairs it explains best", ["word", "senses", "cosine"], rows, { class: "stacked" });
}
