// A card for each sense of a word: how often it is used, and its nearest neighbors.

import { counted, decimal, el, percent } from "./dom.js";
import { exampleList } from "./examples.js";
import { meter, senseBadge, senseColor, wordLink } from "./parts.js";

// `names` are its telling neighbors, `kin` says what it is to the other senses; `sentences` are
// typical of it, and a click hands one to `put`.
export function senseCard(
  { sense, count, share, neighbors },
  { names = [], kin = null, sentences, put } = {},
) {
  const title = names.length ? el("span", { class: "name word" }, names.join(", ")) : null;
  return el(
    "article",
    {
      class: "card",
      "data-sense": sense,
      style: { "--color": senseColor(sense) },
      "aria-label": `Sense ${sense}`,
    },
    el(
      "header",
      {},
      el("h2", {}, senseBadge(sense), title),
      count === null
        ? null
        : el("p", {}, `${percent(share)} \u00b7 ${counted(count, "token", "tokens")}`),
    ),
    share === null ? null : meter(share, senseColor(sense)),
    kin && el("p", { class: "kin" }, kin),
    el("p", { class: "heads" }, el("span", {}, "nearest"), el("span", {}, "cosine")),
    el(
      "ol",
      { class: "neighbors" },
      neighbors.map((near) =>
        el(
          "li",
          { class: near.same_word ? "same" : null },
          wordLink(near.word, near.sense),
          near.same_word ? el("em", {}, "same word") : null,
          el("span", { class: "number" }, decimal(near.cosine)),
        ),
      ),
    ),
    exampleList(sentences, put),
  );
}

export function highlight(cards, sense) {
  for (const card of cards.querySelectorAll(".card"))
    card.classList.toggle("chosen", card.dataset.sense === String(sense));
}
