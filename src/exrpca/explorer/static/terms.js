// Terms that the page uses, each explained where it appears: a click opens the explanation.

import { el } from "./dom.js";

const MEANINGS = {
  sense: "One of the vectors that a word has. It may stand for a meaning of its own, or for a part of one.",
  pair: "Two senses of the same word.",
  real: "The two senses are different meanings, such as \u201capple\u201d the fruit and \u201capple\u201d the company. Merging keeps them apart.",
  pseudo: "The two senses are one meaning that was split into two vectors. Merging joins them.",
  undecided: "The vectors do not show whether it is one meaning or two. Merging keeps them apart. You can decide yourself.",
  "two meanings": "The probability that the two senses are different meanings. From 50% on, a pair is real. The least probable pairs are pseudo, but only so many that few real ones are lost. Those in between are undecided.",
  "shared neighbors": "Of the words nearest to each of the two senses, how many are near to both. Senses of one meaning share many, different meanings share few or none.",
  "induced": "These senses were found in sentences. Two of them are kept apart only where the sentences show a clear difference, so each is a meaning of its own.",
  "outlier norm": "The indicator of Shi, Sun and Hu (2018): the length of what Ex-RPCA sets aside from the difference of the two senses. It is shown for comparison and does not decide.",
  tokens: "How often a sense was used in the text that the vectors were trained on.",
  "cleaned at rank": "Senses that are one meaning differ along the same few directions, whatever the word. Cleaning removes these directions from every vector; the rank says how many.",
  merging: "Joins the senses of a word that have one meaning, so that fewer senses are left.",
  "mean cosine": "How well the direction fits the difference of a pair on average: 1 is exactly along it, 0 is at a right angle.",
  "without outliers": "The same, after setting aside the few large elements of a difference (the outliers, S).",
  explains: "The share of the variance of all sense differences that lies along this direction.",
  topics: "Kinds of words in WordNet that are more frequent among the pairs this direction explains best than among all pairs, and how many times.",
  globalSim: "The similarity of two words by their global vectors. Cleaning does not change these.",
  avgSim: "The similarity of two words: the mean over all pairs of their senses.",
  maxSim: "The similarity of two words: that of their two most similar senses.",
  avgSimC: "The similarity of two words in context: the mean over all pairs of their senses, weighted by how probable each is there.",
  localSim: "The similarity of two words in context: that of the most probable sense of each.",
  "all-but-the-top": "A baseline that knows nothing of senses: it removes the leading directions of all vectors.",
  collapsed: "A baseline: the senses of each word are averaged into one vector.",
  "Spearman\u2019s \u03c1": "The rank correlation between the similarity of two words by vectors and by people: 100 means the same order.",
};

let opened = 0;

export const isExplained = (name) => name in MEANINGS;

// The term as a button; `label` is what it reads, if that is not the term itself. Marks before and
// after it stay on its line.
export function term(name, label = name, [before, after] = ["", ""]) {
  const id = `term-${opened++}`;
  const box = el("span", { id, popover: "auto", class: "explanation", role: "note" }, MEANINGS[name]);
  const button = el("button", { type: "button", class: "term", popovertarget: id }, label);
  box.addEventListener("beforetoggle", ({ newState }) => {
    if (newState === "open") place(box, button);
  });
  return el("span", { class: "explained" }, before, button, box, after);
}

// Below the term, inside the window.
function place(box, button) {
  const { left, bottom } = button.getBoundingClientRect();
  const room = document.documentElement.clientWidth - Math.min(352, innerWidth - 32) - 16;
  box.style.left = `${Math.max(16, Math.min(left, room))}px`;
  box.style.top = `${bottom + 6}px`;
}
