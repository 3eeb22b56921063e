// The map: senses in 2-D, before and after cleaning, side by side on the same axes.

import { ask } from "../api.js";
import { decimal, el } from "../dom.js";
import { picture } from "../map_picture.js";
import { heading, problem, senseBadge, wordLink, working } from "../parts.js";
import { address, rewrite } from "../routes.js";
import { wordField } from "../search.js";
import { table } from "../table.js";

const MOST_PAIRS = 6;

export const title = ({ word }) => `Map of ${word}`;

export async function show(root, { word, query, about, signal }) {
  const state = {
    rank: Math.min(
      Math.max(1, Number(query.get("rank")) || about.default_rank),
      about.highest_rank,
    ),
    added: query.getAll("add"),
    points: [],
    bounds: { x: [Infinity, -Infinity], y: [Infinity, -Infinity] },
  };
  const status = el("div", { class: "place" });
  const panels = el("div", { class: "panels", hidden: true });
  const similarity = el("div", { "aria-live": "polite" });
  const list = el("section", { class: "points" });
  root.append(heading(["Map of ", wordLink(word)]));
  if (!about.highest_rank) {
    root.append(
      problem(new Error("Every word has only one sense: there are no directions to remove")),
    );
    return;
  }
  const controls = el(
    "div",
    { class: "toolbar" },
    rankSlider(state, about, () => changed()),
    addedWords(state, () => changed()),
  );
  const touched = el("p", { class: "touched", role: "status" });
  root.append(controls, status, panels, touched, similarity, list);

  const before = panel("As trained");
  const after = panel("");
  panels.append(before.figure, after.figure);
  const open = (point) => {
    // a finger does not hover: it is told the name first
    if (matchMedia("(hover: none)").matches) touched.replaceChildren(...toOpen(point));
    else location.hash = address("word", point.word);
  };
  const draw = () => {
    for (const [when, { plot }] of [
      ["before", before],
      ["after", after],
    ])
      plot.replaceChildren(picture(state, when, plot.clientWidth, open));
  };
  const resized = new ResizeObserver(() => state.points.length && draw());
  resized.observe(before.plot);
  signal.addEventListener("abort", () => resized.disconnect());
  const named = ask("names", { word }, { signal }).then(
    (found) => found[word] ?? [],
    () => [], // the map works without them
  );

  const update = async () => {
    const { rank, added } = state;
    const [answer, names] = await Promise.all([
      ask(
        "map",
        { word, rank, add: added },
        { signal, onWorking: (label) => status.replaceChildren(working(label)) },
      ),
      named,
    ]);
    if (rank !== state.rank || added !== state.added) return; // the slider has moved on
    state.points = answer.points;
    widen(
      state.bounds,
      answer.points.flatMap(({ before, after }) => [before, after]),
    );
    status.replaceChildren(...notKnown(answer.unknown));
    panels.hidden = false;
    after.caption.textContent = `Cleaned at rank ${rank}`;
    similarity.replaceChildren(...nearness(answer, names));
    list.replaceChildren(...listed(answer.points, names));
    draw();
  };
  const changed = async () => {
    rewrite(address("map", word, { rank: state.rank, add: state.added }));
    try {
      await update();
    } catch (error) {
      if (error.name !== "AbortError") status.replaceChildren(problem(error));
    }
  };

  await changed();
}

const toOpen = ({ word, sense }) => [
  `${word}, sense ${sense} \u00b7 `,
  el("a", { href: address("word", word) }, "open"),
];

const notKnown = (words) =>
  words.length
    ? [el("p", { class: "note" }, `Not in the vocabulary, and not shown: ${words.join(", ")}.`)]
    : [];

function rankSlider(state, about, changed) {
  const value = el("output", { for: "rank" }, String(state.rank));
  const slide = () => {
    state.rank = Number(slider.value);
    value.textContent = slider.value;
    changed();
  };
  const slider = el("input", {
    type: "range",
    id: "rank",
    min: 1,
    max: about.highest_rank,
    value: state.rank,
    oninput: slide,
  });
  return el(
    "div",
    { class: "slider" },
    el("label", { for: "rank" }, "Directions removed"),
    slider,
    value,
  );
}

// A box to add words to the map, and a button for each to take it away again.
function addedWords(state, changed) {
  const chips = el("ul", { class: "words small" });
  const set = (added) => {
    state.added = added;
    chips.replaceChildren(
      ...added.map((word) =>
        el(
          "li",
          {},
          remover(word, () => {
            set(state.added.filter((other) => other !== word));
            changed();
          }),
        ),
      ),
    );
  };
  const box = wordField("Add a word", "additions", (word) => {
    set([...new Set([...state.added, word])]);
    changed();
  });
  set(state.added);
  return el("div", { class: "added" }, box, chips);
}

function remover(word, remove) {
  const label = `Remove ${word} from the map`;
  return el(
    "button",
    { type: "button", "aria-label": label, onclick: remove },
    el("span", { class: "word" }, word),
    " \u00d7",
  );
}

// The axes stay while the rank moves; they only ever grow to hold what has been shown.
function widen(bounds, places) {
  for (const [i, axis] of ["x", "y"].entries()) {
    const values = places.map((place) => place[i]);
    bounds[axis] = [Math.min(bounds[axis][0], ...values), Math.max(bounds[axis][1], ...values)];
  }
}

function panel(label) {
  const plot = el("div", {
    class: "plot",
    role: "img",
    "aria-label": "Map; the list below has its words",
  });
  const caption = el("figcaption", {}, label);
  return { plot, caption, figure: el("figure", {}, caption, plot) };
}

function nearness({ similarity: { before, after } }, names) {
  const badge = (sense) => senseBadge(sense, names[sense]);
  const pairs = before.flatMap((_, a) => before.slice(a + 1).map((_, i) => [a, a + 1 + i]));
  if (!pairs.length) return [];
  const rows = pairs
    .slice(0, MOST_PAIRS)
    .map(([a, b]) => [
      el("span", { class: "both" }, badge(a), badge(b)),
      decimal(before[a][b]),
      decimal(after[a][b]),
    ]);
  const label = "Cosine of the word\u2019s senses";
  const heads = ["senses", "as trained", "cleaned"];
  return [el("h2", {}, label), table(label, heads, rows, { class: "stacked" })];
}

// The same points as a list: for the keyboard, and for those who do not see the picture.
function listed(points, names) {
  const senses = points.filter((point) => point.kind === "sense");
  const group = (label, members) =>
    members.length
      ? el(
          "div",
          {},
          el("h3", {}, label),
          el(
            "ul",
            { class: "words small" },
            members.map((point) => el("li", {}, wordLink(point.word, point.sense))),
          ),
        )
      : null;
  return [
    el("h2", {}, "On the map"),
    ...senses.map(({ sense }) =>
      group(
        ["Near ", senseBadge(sense, names[sense])],
        points.filter((point) => point.near === sense),
      ),
    ),
    group(
      "Added",
      points.filter((point) => point.kind === "added"),
    ),
  ].filter(Boolean);
}
