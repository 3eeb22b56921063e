// The queue of undecided pairs, one at a time, and what merging by all verdicts gives.

import { apiAddress, ask } from "../api.js";
import { senseCard } from "../cards.js";
import { counted, el, number } from "../dom.js";
import { agreementNote, KEYS, verdictButtons } from "../judging.js";
import { fill, heading, probability, sharedNeighbors, wordLink } from "../parts.js";
import { term } from "../terms.js";

const NEIGHBORS = 8;

export const title = () => "Judge";

export async function show(root, { signal }) {
  const progress = el("p", { class: "lead", role: "status" });
  const place = el("section", { class: "judge", "aria-label": "The pair to judge" });
  const note = el("p", { class: "note" });
  root.append(
    heading(
      "One meaning or two?",
      el("p", { class: "lead" }, "Pairs of senses that the vectors leave ", term("undecided", "undecided", ["", ","]), " the most frequent first."),
      progress,
    ),
    place,
    note,
    downloads(),
  );
  let skipped = 0;
  const next = async () => {
    const state = await ask("verdicts", {}, { signal });
    progress.textContent = `${counted(state.waiting, "pair", "pairs")} to judge, ${number(state.given)} judged so far.`;
    note.textContent = agreementNote(state);
    const [pair] = await ask("verdicts/queue", { offset: skipped }, { signal });
    place.replaceChildren(...(pair ? await question(pair, signal, next, skip) : [done(skipped)]));
    place.inert = false;
  };
  const skip = () => {
    skipped += 1;
    return next();
  };
  addEventListener("keydown", (event) => pressed(event, place), { signal });
  await fill(
    place,
    (onWorking) => ask("verdicts", {}, { signal, onWorking }),
    () => [],
  );
  await next(); // `show` reports what goes wrong
}

// R, P, U and N press the button that shows the letter.
function pressed(event, place) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input, textarea, select")) return;
  // until the next pair is there, a key would judge the old one again
  if (place.inert || !(event.key.toLowerCase() in { ...KEYS, n: "skip" })) return;
  const button = place.querySelector(`[aria-keyshortcuts=${event.key.toLowerCase()}]`);
  place.inert = button !== null;
  button?.click();
}

async function question({ word, sense_a, sense_b }, signal, next, skip) {
  const [{ senses }, verdict, examples] = await Promise.all([
    ask("word", { word, n: NEIGHBORS }, { signal }),
    ask("word/pairs", { word }, { signal }),
    ask("word/examples", { word }, { signal }),
  ]);
  const pair = verdict.pairs.find((each) => each.sense_a === sense_a && each.sense_b === sense_b);
  return [
    el("h2", { class: "asked" }, wordLink(word)),
    el(
      "div",
      { class: "cards" },
      [sense_a, sense_b].map((sense) =>
        senseCard(senses[sense], {
          names: verdict.names[sense],
          sentences: examples.senses[sense],
        }),
      ),
    ),
    el(
      "p",
      { class: "evidence" },
      sharedNeighbors(pair, verdict.neighbors),
      term("two meanings"),
      probability(pair.probability),
    ),
    el(
      "div",
      { class: "toolbar" },
      verdictButtons(word, pair, next, { keys: true }),
      el(
        "button",
        { type: "button", "aria-keyshortcuts": "n", onclick: skip },
        "skip to the next",
        el("kbd", { "aria-hidden": "true" }, "N"),
      ),
    ),
  ];
}

const done = (skipped) =>
  el(
    "p",
    { class: "note" },
    skipped
      ? "That was the last one. Reload the page to see those you skipped."
      : "No pair is undecided.",
  );

function downloads() {
  const link = (path, label) =>
    el("a", { class: "button", href: apiAddress(path), download: "" }, label);
  return el(
    "section",
    {},
    el("h2", {}, "Take the result with you"),
    el(
      "p",
      { class: "note" },
      "The outcome of ",
      term("merging", "merging", ["", ":"]),
      " your verdicts count first, the detector\u2019s where you gave none.",
    ),
    el(
      "div",
      { class: "toolbar" },
      link("merged/map.csv", "Which sense became which (CSV)"),
      link("merged/vectors.parquet", "Merged vectors (Parquet)"),
    ),
  );
}
