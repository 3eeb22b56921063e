// The map: senses in 2-D, before and after cleaning, side by side on the same axes.

import { ask } from "../api.js";
import { chart, colour } from "../charts.js";
import { decimal, el } from "../dom.js";
import { placeLabels } from "../labels.js";
import { heading, problem, senseBadge, senseColour, SHAPES, wordLink, working } from "../parts.js";
import { address, rewrite } from "../routes.js";
import { searchBox } from "../search.js";

const MOST_PAIRS = 6;

export const title = ({ word }) => `Map of ${word}`;

export async function show(root, { word, query, about, signal }) {
  const state = {
    rank: Math.min(Math.max(1, Number(query.get("rank")) || about.default_rank), about.highest_rank),
    added: query.getAll("add"),
    points: [], bounds: { x: [Infinity, -Infinity], y: [Infinity, -Infinity] },
  };
  const status = el("div", { class: "place" });
  const panels = el("div", { class: "panels", hidden: true });
  const similarity = el("div", { "aria-live": "polite" });
  const list = el("section", { class: "points" });
  root.append(heading(["Map of ", wordLink(word)]), controls(), status, panels, similarity, list);

  const before = panel("As trained");
  const after = panel("");
  panels.append(before.figure, after.figure);
  let drawn = null;

  const update = async () => {
    const { rank, added } = state;
    const answer = await ask("map", { word, rank, add: added }, { signal, onWorking: (label) => status.replaceChildren(working(label)) });
    if (rank !== state.rank || added !== state.added) return; // the slider has moved on
    state.points = answer.points;
    widen(state.bounds, answer.points.flatMap(({ before, after }) => [before, after]));
    status.replaceChildren();
    panels.hidden = false;
    after.caption.textContent = `Cleaned at rank ${rank}`;
    similarity.replaceChildren(...nearness(answer));
    list.replaceChildren(...listed(answer.points));
    drawn ??= Promise.all([["before", before], ["after", after]].map(([when, { plot }]) =>
      chart(plot, () => picture(state, when, plot.clientWidth), { signal, onClick: ({ customdata }) => { location.hash = address("word", customdata); } })));
    for (const draw of await drawn) await draw();
  };
  const changed = async () => {
    rewrite(address("map", word, { rank: state.rank, add: state.added }));
    try {
      await update();
    } catch (error) {
      if (error.name !== "AbortError") status.replaceChildren(problem(error));
    }
  };

  function controls() {
    const value = el("output", {}, String(state.rank));
    const slider = el("input", { type: "range", id: "rank", min: 1, max: about.highest_rank, value: state.rank, oninput: () => {
      state.rank = Number(slider.value);
      value.textContent = slider.value;
      changed();
    } });
    const chips = el("ul", { class: "words small" });
    const showChips = () => chips.replaceChildren(...state.added.map((each) => el("li", {},
      el("button", { type: "button", "aria-label": `Remove ${each} from the map`, onclick: () => {
        state.added = state.added.filter((other) => other !== each);
        showChips();
        changed();
      } }, el("span", { class: "word" }, each), " \u00d7"))));
    const input = el("input", { type: "search", placeholder: "Add a word", "aria-label": "Add a word to the map", role: "combobox", "aria-expanded": "false", "aria-controls": "additions", "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false" });
    const options = el("ul", { id: "additions", role: "listbox", "aria-label": "Words", hidden: true });
    searchBox(input, options, (chosen) => {
      if (!state.added.includes(chosen)) state.added = [...state.added, chosen];
      showChips();
      changed();
    });
    showChips();
    return el("div", { class: "toolbar" },
      el("div", { class: "slider" }, el("label", { for: "rank" }, "Directions removed"), slider, value),
      el("div", { class: "search small" }, input, options), chips);
  }

  if (!about.highest_rank) {
    root.querySelector(".toolbar").remove();
    status.replaceChildren(problem(new Error("Every word of this file has one sense only: there are no directions to remove.")));
    return;
  }
  await changed();
}

// The axes stay while the rank moves; they only ever grow to hold what has been shown.
function widen(bounds, places) {
  for (const [i, axis] of ["x", "y"].entries()) {
    const values = places.map((place) => place[i]);
    bounds[axis] = [Math.min(bounds[axis][0], ...values), Math.max(bounds[axis][1], ...values)];
  }
}

function panel(label) {
  const plot = el("div", { class: "plot", role: "img" });
  const caption = el("figcaption", {}, label);
  return { plot, caption, figure: el("figure", {}, caption, plot) };
}

const LOOKS = {
  sense: { size: 22, font: 13 },
  added: { size: 10, font: 13 },
  neighbour: { size: 8, font: 11.5 },
};

function picture({ points, bounds }, when, width) {
  const height = Math.max(300, Math.min(width, 520));
  const range = squared(bounds, width / height);
  const pixels = (value, axis, length) => ((value - range[axis][0]) / (range[axis][1] - range[axis][0])) * length;
  // the word's own senses carry their number inside
  const marks = points.map((point) => ({
    x: pixels(point[when][0], "x", width), y: pixels(point[when][1], "y", height), text: point.kind === "sense" ? "" : nameOf(point), ...LOOKS[point.kind],
  }));
  const positions = placeLabels(marks, { width, height });
  const drawn = points.map((point, i) => ({ point, x: point[when][0], y: point[when][1], position: positions[i] }));
  const groups = Map.groupBy(drawn, ({ point }) => `${point.kind} ${point.kind === "sense" ? point.sense : point.near}`);
  const axis = { showticklabels: false, fixedrange: true, nticks: 7 };
  return {
    // the first drawn lies lowest: the word's own senses come last
    data: [threads(drawn.filter(({ point }) => point.kind === "sense")), ...[...groups.values()].reverse().map(trace)],
    layout: {
      height, showlegend: false, hovermode: "closest", margin: { l: 0, r: 0, t: 0, b: 0 },
      xaxis: { ...axis, range: range.x }, yaxis: { ...axis, range: range.y },
    },
  };
}

// The range that holds all points with room for labels, one unit as long in x as in y.
function squared({ x, y }, aspect) {
  const half = 0.62 * Math.max((x[1] - x[0]) / aspect, y[1] - y[0], 1e-3);
  const around = ([low, high], size) => [(low + high) / 2 - size, (low + high) / 2 + size];
  return { x: around(x, half * aspect), y: around(y, half) };
}

// Thin lines between the word's own senses.
function threads(senses) {
  const pairs = senses.flatMap((a, i) => senses.slice(i + 1).map((b) => [a, b]));
  const along = (axis) => pairs.flatMap(([a, b]) => [a[axis], b[axis], null]);
  return { x: along("x"), y: along("y"), mode: "lines", hoverinfo: "skip", line: { color: colour("--muted"), width: 1, dash: "dot" } };
}

const nameOf = (point) => ({ sense: String(point.sense), added: `${point.word} ${point.sense}`, neighbour: point.word })[point.kind];

function trace(group) {
  const { kind, sense, near } = group[0].point;
  const owner = kind === "sense" ? sense : near;
  const ink = colour(kind === "added" ? "--ink" : senseColour(owner));
  return {
    mode: "markers+text",
    x: group.map(({ x }) => x),
    y: group.map(({ y }) => y),
    text: group.map(({ point, position }) => (position || kind === "sense" ? escaped(nameOf(point)) : "")),
    textposition: group.map(({ position }) => (kind === "sense" ? "middle center" : position ?? "top center")),
    hovertext: group.map(({ point }) => escaped(`${point.word}, sense ${point.sense}`)),
    customdata: group.map(({ point }) => point.word),
    hoverinfo: "text",
    textfont: { size: LOOKS[kind].font, color: colour({ sense: "--surface", added: "--ink", neighbour: "--muted" }[kind]), weight: kind === "sense" ? 700 : 400 },
    cliponaxis: false,
    marker: {
      symbol: kind === "added" ? "x-thin-open" : SHAPES[owner % SHAPES.length] + (kind === "neighbour" ? "-open" : ""),
      size: LOOKS[kind].size, color: ink, line: { width: 1.5, color: kind === "sense" ? colour("--surface") : ink },
    },
  };
}

// Plotly reads some tags in text, such as <b>: a word is never one.
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function nearness({ similarity }) {
  const rows = [];
  for (let a = 0; a < similarity.before.length; a += 1) {
    for (let b = a + 1; b < similarity.before.length; b += 1) rows.push([a, b]);
  }
  if (!rows.length) return [];
  return [el("table", { class: "compact" },
    el("caption", {}, "Cosine of the word\u2019s senses"),
    el("thead", {}, el("tr", {}, ["senses", "as trained", "cleaned"].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, rows.slice(0, MOST_PAIRS).map(([a, b]) => el("tr", {},
      el("th", { scope: "row" }, senseBadge(a), " and ", senseBadge(b)),
      el("td", { class: "number" }, decimal(similarity.before[a][b])),
      el("td", { class: "number" }, decimal(similarity.after[a][b]))))))];
}

// The same points as a list: for the keyboard, and for those who do not see the picture.
function listed(points) {
  const senses = points.filter((point) => point.kind === "sense");
  const group = (label, members) => members.length
    ? el("div", {}, el("h3", {}, label), el("ul", { class: "words small" }, members.map((point) => el("li", {}, wordLink(point.word, point.sense)))))
    : null;
  return [
    el("h2", {}, "On the map"),
    ...senses.map(({ sense }) => group(["Near ", senseBadge(sense)], points.filter((point) => point.near === sense))),
    group("Added", points.filter((point) => point.kind === "added")),
  ].filter(Boolean);
}
