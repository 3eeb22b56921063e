// Typical sentences of each sense: the word in its context, the words that decided underlined.

import { ask } from "./api.js";
import { el } from "./dom.js";
import { asRead } from "./parts.js";

const PAUSE = 3000;

// Calls `show(senses)` with the sentences of each sense, and again while a text is being read.
export async function followExamples(word, show, signal) {
  for (;;) {
    const { senses, reading } = await ask("word/examples", { word }, { signal });
    show(senses);
    if (!reading) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (signal.aborted) return;
  }
}

// A sentence that is clicked goes to `put`, if there is a box to put it into.
export function exampleList(sentences, put) {
  if (!sentences?.length) return null;
  const plain = (tokens) => tokens.map(({ before, text }) => before + text).join("");
  return el(
    "ul",
    { class: "examples", "aria-label": "Typical sentences" },
    sentences.map((tokens) =>
      el(
        "li",
        {},
        put
          ? el("button", { type: "button", onclick: () => put(plain(tokens).trim()) }, asRead(tokens))
          : asRead(tokens),
      ),
    ),
  );
}
