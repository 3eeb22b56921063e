// A word: the verdict in a sentence, a card for each sense, each pair with what decided, and the
// sense that a sentence calls for.

import { ask } from "../api.js";
import { senseCard } from "../cards.js";
import { counted, el } from "../dom.js";
import { followExamples } from "../examples.js";
import { isExported } from "../exported.js";
import { fill, heading, problem, segments, wordLink } from "../parts.js";
import { address, rewrite } from "../routes.js";
import { sentenceBox } from "../sentence.js";
import { term } from "../terms.js";
import { kinship, mergingNote, pairTable, paperIndicator, verdictSentence } from "../verdict.js";

export const title = ({ word }) => word;

export async function show(root, context) {
  const { query, about, signal } = context;
  const asked = Math.max(0, Math.trunc(Number(query.get("rank")) || 0));
  const state = { rank: Math.min(asked, about.highest_rank), text: query.get("text") ?? "" };
  let found;
  try {
    found = await ask("word", { word: context.word, n: 10 }, { signal });
  } catch (error) {
    if (error.name === "AbortError") return;
    root.append(heading(el("span", { class: "word" }, context.word)));
    unknown(root, error);
    return;
  }
  const { word, senses } = found; // "Bank" may have been asked for, and "bank" found
  const remember = () =>
    rewrite(address("word", word, { rank: state.rank || null, text: state.text }));
  if (word !== context.word || state.rank !== asked) remember();

  const verdict = el("div");
  const cards = el("section", { class: "cards", "aria-label": "Senses" });
  const pairs = el("section");
  root.append(heading(el("span", { class: "word" }, word), verdict, size(senses, about)));
  const names = []; // filled in when they are known, as are the sentences
  let sentences = [];
  let kin = () => null;
  let box = {};
  const card = (s) =>
    senseCard(s, {
      names: names[s.sense],
      kin: kin(s.sense),
      sentences: sentences[s.sense],
      put: box.put,
    });
  const showCards = async () => {
    if (!state.rank) return cards.replaceChildren(...senses.map(card));
    const { rank } = state;
    const place = el("div", { class: "contents" });
    cards.replaceChildren(place);
    await fill(
      place,
      (onWorking) => ask("word", { word, rank, n: 10 }, { signal, onWorking }),
      (cleaned) => cleaned.senses.map(card),
    );
  };
  const setRank = (rank) => {
    state.rank = Number(rank);
    remember();
    showCards();
  };
  root.append(toolbar(word, state, about, setRank), cards, pairs);
  showCards();
  if (senses.length > 1 && !isExported) {
    box = sentenceBox({
      ...{ word, about, cards, names, signal, text: state.text },
      changed: (text) => {
        state.text = text;
        remember();
      },
    });
    root.append(box.section);
  }
  if (senses.length > 1) pairs.append(el("h2", {}, "Is it one meaning or two?"));
  if (about.examples) {
    const show = (found) => {
      sentences = found;
      showCards().then(() => box.refresh?.());
    };
    followExamples(word, show, signal).catch(() => {}); // the page works without them
  }
  const place = el("div");
  pairs.append(place);
  const judged = (answer) => {
    names.splice(0, names.length, ...answer.names);
    verdict.replaceChildren(verdictSentence(answer));
    if (!answer.pairs.length) return [];
    kin = (sense) => kinship(sense, answer);
    return [
      ...pairTable(answer, isExported ? null : again),
      mergingNote(answer),
      paperIndicator(answer),
    ];
  };
  // the same button keeps the focus after a verdict
  const again = async () => {
    const buttons = () => [...place.querySelectorAll(".judging button")];
    const focused = buttons().indexOf(document.activeElement);
    place.replaceChildren(...judged(await ask("word/pairs", { word }, { signal })));
    buttons()[focused]?.focus();
    await showCards();
    box.refresh?.();
  };
  await fill(place, (onWorking) => ask("word/pairs", { word }, { signal, onWorking }), judged);
  showCards();
  box.refresh?.();
}

function size(senses, about) {
  const counts = senses.map((sense) => sense.count);
  return el(
    "p",
    { class: "lead" },
    counted(senses.length, "sense", "senses"),
    about.counts ? [" in ", term("tokens", counted(counts.reduce((a, b) => a + b), "token", "tokens"))] : "",
  );
}

function unknown(root, error) {
  const close = /close matches: (.+)$/.exec(error.message)?.[1].split(", ") ?? [];
  const advice = close.length
    ? el(
        "p",
        {},
        "Did you mean ",
        close.flatMap((word, i) => [i ? ", " : "", wordLink(word)]),
        "?",
      )
    : el(
        "p",
        {},
        "Only words in the file can be shown. Start typing in the search box to see which ones it has.",
      );
  root.append(
    problem(close.length ? new Error(error.message.split("; close matches")[0]) : error, advice),
  );
}

function toolbar(word, state, about, setRank) {
  if (!about.pairs) return "";
  const shown = state.rank || about.default_rank;
  const options = { 0: "as trained", [shown]: `cleaned at rank ${shown}` };
  return el(
    "div",
    { class: "toolbar" },
    segments("Neighbors", "rank", options, state.rank, setRank),
    term("cleaned at rank", "What is cleaning?"),
    isExported ? null : el("a", { class: "button", href: address("map", word) }, "Open the map"),
    about.sentences ? el("a", { class: "button", href: address("sentences", word) }, "Correct sentences") : null,
  );
}
