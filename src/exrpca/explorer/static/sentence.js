// The sentence box: which sense of a word a sentence calls for, and because of which words.

import { ask } from "./api.js";
import { highlight } from "./cards.js";
import { el, later, percent } from "./dom.js";
import { asRead, meter, problem, senseBadge, senseColor } from "./parts.js";

// `changed(text)` is called a moment after the text has changed.
export function sentenceBox({ word, text, about, cards, names = [], changed, signal }) {
  const section = el(
    "section",
    { class: "sentence" },
    el("h2", { id: "in-a-sentence" }, "Which sense in a sentence?"),
  );
  if (!about.chooses) {
    section.append(
      el(
        "p",
        { class: "note" },
        "These senses were induced: choosing among them needs their encoder. Start the page with \u201cexrpca explore --encoder\u201d.",
      ),
    );
    return { section };
  }
  const result = el("div", { class: "choices", "aria-live": "polite" });
  const box = el("textarea", {
    rows: 2,
    maxlength: 5000,
    "aria-labelledby": "in-a-sentence",
    placeholder: `Type a sentence with \u201c${word}\u201d in it`,
  });
  const choose = async () => {
    const typed = box.value.trim();
    highlight(cards, null);
    if (!typed) return result.replaceChildren();
    try {
      const answer = await ask("word/sense", { word, text: typed }, { signal });
      if (typed === box.value.trim()) result.replaceChildren(...choices(answer, cards, names));
    } catch (error) {
      if (error.name !== "AbortError") result.replaceChildren(problem(error));
    }
  };
  const soon = later(200, () => {
    changed(box.value);
    choose();
  });
  box.addEventListener("input", soon);
  box.value = text;
  section.append(box, result);
  choose();
  const put = (sentence) => {
    box.value = sentence;
    changed(sentence);
    choose();
    box.scrollIntoView({ block: "center", behavior: "smooth" });
  };
  return { section, put, refresh: choose };
}

function choices({ senses, tokens }, cards, names) {
  const seen = el("p", { class: "window word" }, asRead(tokens));
  if (!tokens.some(({ part }) => part === "context"))
    return [
      seen,
      el(
        "p",
        { class: "note" },
        "No other word of this sentence is in the vocabulary: all senses are equally probable.",
      ),
    ];
  const best = senses.reduce((a, b) => (b.probability > a.probability ? b : a));
  highlight(cards, best.sense);
  return [
    el(
      "ul",
      {},
      senses.map((each) =>
        el(
          "li",
          { class: each === best ? "best" : null },
          senseBadge(each.sense, names[each.sense]),
          meter(each.probability, senseColor(each.sense)),
          el("span", { class: "number" }, percent(each.probability)),
        ),
      ),
    ),
    seen,
    explained(tokens),
  ];
}

function explained(tokens) {
  const listed = (wanted) => tokens.filter(wanted).map(({ text }) => text);
  const deciding = listed(({ decides }) => decides);
  const unknown = listed(({ part }) => part === "unknown");
  const far = listed(({ part, text }) => part === "outside" && text).length;
  const says = (label, words) =>
    words.length ? [label, el("span", { class: "word" }, words.join(", ")), ". "] : [];
  return el(
    "p",
    { class: "note" },
    says("Underlined words decided: ", deciding),
    says("Not in the vocabulary: ", unknown),
    far ? "Gray words are too far away to count." : null,
  );
}
