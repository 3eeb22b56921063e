// Terms that the page uses, each explained where it appears: a click opens the explanation.

import { el } from "./dom.js";

const MEANINGS = {
  sense: "One of the vectors that a word has. It may stand for a meaning of its own, or for a part of one.",
  pair: "Two senses of the same word.",
  real: "The two senses are different meanings, as \u201capple\u201d the fruit and \u201capple\u201d the company. Merging keeps them apart.",
  pseudo: "The two senses are one meaning that was split into two vectors. Merging joins them.",
  undecided: "The vectors do not show whether it is one meaning or two. Merging keeps them apart. You can judge.",
  "two meanings": "The probability that the two senses are different meanings. From one half on, a pair is real. The least probable pairs are pseudo, only so many that few real ones are lost. Those between are undecided.",
  "what decides": "How unlike the two senses are. The bar starts at what is usual for pairs of senses in this file and ends at this pair. To the right the senses are more unlike than usual, to the left less. The dashed line is the threshold: beyond it a pair is called real.",
  "outlier norm": "The indicator of Shi, Sun and Hu (2018): the length of what Ex-RPCA sets aside from the difference of the two senses. It is shown for comparison and does not decide.",
  tokens: "How often a sense was used in the text that the vectors were trained on.",
  "cleaned at rank": "Pseudo senses of all words differ along the same few directions. Cleaning removes so many of them from every vector.",
  directions: "Directions in which the pseudo senses of all words differ; cleaning removes them. The first one explains most.",
  merging: "Joins the senses of a word that are one meaning, so that fewer senses are left.",
  "mean cosine": "How well the direction fits the difference of a pair on average: 1 is exactly along it, 0 is at a right angle.",
  "without outliers": "The same, after setting aside the few large elements of a difference (the outliers, S).",
  explains: "The share of the variance of all sense differences that lies along this direction.",
  "Spearman\u2019s \u03c1": "The rank correlation between the similarity of two words by vectors and by people: 100 means the same order.",
};

let opened = 0;

// The term as a button; `label` is what it reads, if that is not the term itself.
export function term(name, label = name) {
  const id = `term-${opened++}`;
  const box = el("span", { id, popover: "auto", class: "explanation", role: "note" }, MEANINGS[name]);
  const button = el("button", { type: "button", class: "term", popovertarget: id }, label);
  box.addEventListener("beforetoggle", ({ newState }) => {
    if (newState === "open") place(box, button);
  });
  return el("span", {}, button, box);
}

// Below the term, inside the window.
function place(box, button) {
  const { left, bottom } = button.getBoundingClientRect();
  const room = document.documentElement.clientWidth - Math.min(352, innerWidth - 32) - 16;
  box.style.left = `${Math.max(16, Math.min(left, room))}px`;
  box.style.top = `${bottom + 6}px`;
}
