// The map: senses in 2-D, before and after cleaning, side by side on the same axes.

import { ask } from "../api.js";
import { chart, colour } from "../charts.js";
import { decimal, el } from "../dom.js";
import { legible } from "../labels.js";
import { fill, heading, problem, senseBadge, senseColour, SHAPES, wordLink, working } from "../parts.js";
import { address, rewrite } from "../routes.js";
import { searchBox } from "../search.js";

const MOST_PAIRS = 6;

export const title = ({ word }) => `Map of ${word}`;

export async function show(root, { word, query, about, signal }) {
  const state = {
    rank: Math.min(Math.max(1, Number(query.get("rank")) || about.default_rank), about.highest_rank),
    added: query.getAll("add"),
    points: [], reach: 0,
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
    state.reach = Math.max(state.reach, ...answer.points.flatMap((p) => [...p.before, ...p.after]).map(Math.abs));
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

function panel(label) {
  const plot = el("div", { class: "plot", role: "img" });
  const caption = el("figcaption", {}, label);
  return { plot, caption, figure: el("figure", {}, caption, plot) };
}

function picture(state, when, width) {
  const limit = 1.12 * state.reach || 1;
  const height = Math.max(300, Math.min(width, 520));
  const place = (point) => ({ x: point[when][0], y: point[when][1] });
  const pixels = { x: width / (2 * limit), y: height / (2 * limit) };
  const labelled = legible(state.points.map((point) => ({ ...place(point), text: nameOf(point), strong: point.kind === "sense" })), pixels);
  const groups = [...new Set(state.points.map(groupOf))];
  const senses = state.points.filter((point) => point.kind === "sense").map(place);
  const axis = { range: [-limit, limit], showticklabels: false, fixedrange: true, nticks: 6 };
  return {
    data: [
      { x: loop(senses, "x"), y: loop(senses, "y"), mode: "lines", hoverinfo: "skip", showlegend: false, line: { color: colour("--muted"), width: 1, dash: "dot" } },
      ...groups.map((group) => trace(state.points.map((point, i) => ({ point, label: labelled[i] })).filter(({ point }) => groupOf(point) === group), place)),
    ],
    layout: { height, showlegend: false, hovermode: "closest", xaxis: axis, yaxis: axis, margin: { l: 1, r: 1, t: 1, b: 1 } },
  };
}

const nameOf = (point) => (point.kind === "neighbour" ? point.word : `${point.word} ${point.sense}`);
const groupOf = (point) => `${point.kind} ${point.kind === "sense" ? point.sense : point.near ?? point.word}`;
const loop = (points, axis) => points.flatMap((a, i) => points.slice(i + 1).flatMap((b) => [a[axis], b[axis], null]));

function trace(group, place) {
  const { kind, sense, near } = group[0].point;
  const owner = kind === "sense" ? sense : near;
  const ink = colour(kind === "added" ? "--ink" : senseColour(owner));
  return {
    mode: "markers+text",
    x: group.map(({ point }) => place(point).x),
    y: group.map(({ point }) => place(point).y),
    text: group.map(({ point, label }) => (label ? escaped(nameOf(point)) : "")),
    hovertext: group.map(({ point }) => escaped(`${point.word}, sense ${point.sense}`)),
    customdata: group.map(({ point }) => point.word),
    hoverinfo: "text",
    textposition: "top center",
    textfont: { size: kind === "neighbour" ? 11.5 : 14, color: kind === "neighbour" ? colour("--muted") : ink, weight: kind === "sense" ? 700 : 400 },
    marker: {
      symbol: kind === "added" ? "x-thin-open" : SHAPES[owner % SHAPES.length] + (kind === "neighbour" ? "-open" : ""),
      size: kind === "sense" ? 15 : 8, color: ink, line: { width: kind === "sense" ? 0 : 1.5, color: ink },
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
