// A sentence as it was read: the word, the words that count, those unknown, those too far away.

import { el } from "./dom.js";

export const asRead = (tokens) =>
  tokens.flatMap(({ before, text, part, decides }) => [
    before,
    el("span", { class: decides ? `read ${part} decides` : `read ${part}` }, text),
  ]);
