// A word: a card for each sense, the verdict on each pair, and the sense that a sentence calls for.

import { ask } from "../api.js";
import { counted, decimal, el, later, number, percent } from "../dom.js";
import {
  fill,
  heading,
  meter,
  problem,
  probability,
  segments,
  senseBadge,
  senseColor,
  verdictChip,
  wordLink,
} from "../parts.js";
import { address, rewrite } from "../routes.js";
import { table } from "../table.js";

export const title = ({ word }) => word;

export async function show(root, context) {
  const { word, query, about, signal } = context;
  const state = { rank: Number(query.get("rank") ?? 0), text: query.get("text") ?? "" };
  const remember = () =>
    rewrite(address("word", word, { rank: state.rank || null, text: state.text }));

  const cards = el("section", { class: "cards", "aria-label": "Senses" });
  const subtitle = el("p", { class: "lead" });
  root.append(heading(el("span", { class: "word" }, word ?? ""), subtitle));
  let first;
  try {
    first = await ask("word", { word, n: 10 }, { signal });
  } catch (error) {
    if (error.name !== "AbortError") unknown(root, error);
    return;
  }
  const several = first.senses.length > 1;
  const counts = first.senses.map((sense) => sense.count);
  subtitle.textContent =
    counted(first.senses.length, "sense", "senses") +
    (about.counts
      ? ` in ${counted(
          counts.reduce((a, b) => a + b),
          "token",
          "tokens",
        )}`
      : "");
  root.append(
    toolbar(word, state, about, (rank) => {
      state.rank = rank;
      remember();
      showCards(cards, word, rank, signal);
    }),
    cards,
  );
  if (state.rank) showCards(cards, word, state.rank, signal);
  else cards.replaceChildren(...first.senses.map(card));
  if (several) {
    root.append(pairs(word, signal), sentence(word, state, about, cards, remember, signal));
  } else {
    root.append(
      el(
        "p",
        { class: "note" },
        "This word has one sense: there is no pair to judge and nothing to choose.",
      ),
    );
  }
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
        "Only words of the file can be shown. Type a beginning into the search box to see which there are.",
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
    segments("Neighbors", "rank", options, state.rank, (rank) => setRank(Number(rank))),
    el("a", { class: "button", href: address("map", word) }, "Open the map"),
  );
}

function showCards(cards, word, rank, signal) {
  cards.setAttribute("aria-busy", "true");
  const load = (onWorking) => ask("word", { word, rank, n: 10 }, { signal, onWorking });
  const parts = el("div", { class: "contents" });
  cards.replaceChildren(parts);
  fill(parts, load, ({ senses }) => senses.map(card)).then(() =>
    cards.removeAttribute("aria-busy"),
  );
}

function card({ sense, count, share, neighbors }) {
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
      el("h2", {}, senseBadge(sense)),
      count === null
        ? null
        : el("p", {}, `${percent(share)} \u00b7 ${counted(count, "token", "tokens")}`),
    ),
    share === null ? null : meter(share, senseColor(sense)),
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
  );
}

function pairs(word, signal) {
  const section = el("section", {}, el("h2", {}, "Is it one meaning or two?"));
  const load = (onWorking) => ask("word/pairs", { word }, { signal, onWorking });
  fill(section, load, ({ pairs: found, merged }) => {
    const most = Math.max(...found.map((pair) => pair.outlier_norm), 1e-9);
    const rows = found.map((pair) => [
      [senseBadge(pair.sense_a), " and ", senseBadge(pair.sense_b)],
      [meter(pair.outlier_norm / most, "var(--muted)"), decimal(pair.outlier_norm)],
      probability(pair.probability),
      verdictChip(pair.verdict),
    ]);
    return [
      table("Pairs of senses", ["senses", "outlier norm", "two meanings", "verdict"], rows),
      merging(merged),
    ];
  });
  return section;
}

function merging(groups) {
  const joined = groups.filter((group) => group.length > 1);
  const n = groups.flat().length;
  if (!joined.length) return el("p", { class: "note" }, `Merging would keep all ${n} senses.`);
  const list = joined.flatMap((group, i) => [
    i ? "; " : "",
    ...group.flatMap((sense, j) => [j ? " + " : "", senseBadge(sense)]),
  ]);
  return el(
    "p",
    { class: "note" },
    `Merging would leave ${counted(groups.length, "sense", "senses")} of ${number(n)}, joining `,
    ...list,
    ".",
  );
}

function sentence(word, state, about, cards, remember, signal) {
  const section = el(
    "section",
    { class: "sentence" },
    el("h2", { id: "in-a-sentence" }, "Which sense in a sentence?"),
  );
  if (!about.centers || !about.globals) {
    const lacking = [!about.centers && "centers", !about.globals && "global vectors"]
      .filter(Boolean)
      .join(" and ");
    section.append(
      el("p", { class: "note" }, `This file has no ${lacking}, which choosing a sense needs.`),
    );
    return section;
  }
  const result = el("div", { class: "choices", "aria-live": "polite" });
  const choose = async () => {
    const text = state.text.trim();
    highlight(cards, null);
    if (!text) return result.replaceChildren();
    try {
      const answer = await ask("word/sense", { word, text }, { signal });
      if (text === state.text.trim()) result.replaceChildren(...choices(answer, cards));
    } catch (error) {
      if (error.name !== "AbortError") result.replaceChildren(problem(error));
    }
  };
  const soon = later(200, () => {
    remember();
    choose();
  });
  const box = el("textarea", {
    rows: 2,
    maxlength: 5000,
    "aria-labelledby": "in-a-sentence",
    placeholder: `Type a sentence with \u201c${word}\u201d in it`,
    oninput: () => {
      state.text = box.value;
      soon();
    },
  });
  box.value = state.text;
  section.append(box, result);
  choose();
  return section;
}

function choices({ senses, context }, cards) {
  if (!context.length)
    return [
      el(
        "p",
        { class: "note" },
        "No other word of this sentence is in the vocabulary: every sense is as probable.",
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
          senseBadge(each.sense),
          meter(each.probability, senseColor(each.sense)),
          el("span", { class: "number" }, percent(each.probability)),
        ),
      ),
    ),
    el("p", { class: "note" }, "Judged by ", el("span", { class: "word" }, context.join(" "))),
  ];
}

function highlight(cards, sense) {
  for (const card of cards.querySelectorAll(".card"))
    card.classList.toggle("chosen", card.dataset.sense === String(sense));
}
