// The inventory: all sense pairs in a table that the server sorts, filters and cuts into pages.

import { apiAddress, ask } from "../api.js";
import { chart, colour } from "../charts.js";
import { decimal, el, later, number } from "../dom.js";
import { fill, heading, probability, problem, senseBadge, verdictChip, wordLink, working } from "../parts.js";
import { address, rewrite } from "../routes.js";

const ROWS = 50;
const COLUMNS = { word: "word", sense_a: "senses", noise: "noise", probability: "probability", verdict: "verdict" };

export const title = () => "Inventory";

export async function show(root, { query, signal }) {
  const state = {
    word: query.get("word") ?? "", verdict: query.get("verdict") ?? "",
    sort: query.get("sort") ?? "noise", descending: query.get("descending") !== "false",
    page: Math.max(1, Number(query.get("page")) || 1),
  };
  const selection = () => ({ word: state.word, verdict: state.verdict, sort: state.sort, descending: state.descending });
  const status = el("div", { class: "place" });
  const place = el("div", { class: "scroll" });
  const pager = el("nav", { class: "pager", "aria-label": "Pages" });
  const download = el("a", { class: "button", download: "sense-pairs.csv" }, "Export as CSV");
  const picture = el("section", {});
  root.append(
    heading("The inventory", el("p", { class: "lead" }, "All pairs of senses of one word, with the verdict: two meanings, or one that was split.")),
    picture, filters(), status, place, pager);
  histogram(picture, signal);

  const update = async () => {
    rewrite(address("inventory", null, { ...selection(), page: state.page }));
    download.href = apiAddress("inventory.csv", selection());
    const asked = JSON.stringify(state);
    try {
      const answer = await ask("inventory", { ...selection(), offset: (state.page - 1) * ROWS, limit: ROWS }, { signal, onWorking: (label) => status.replaceChildren(working(label)) });
      if (asked !== JSON.stringify(state)) return; // a newer question is under way
      status.replaceChildren();
      place.replaceChildren(...table(answer.rows));
      pager.replaceChildren(...pages(answer.total));
    } catch (error) {
      if (error.name === "AbortError") return;
      place.replaceChildren();
      pager.replaceChildren();
      status.replaceChildren(problem(error, el("p", {}, el("a", { href: "#/inventory", onclick: reset }, "Show all pairs"))));
    }
  };
  const change = (changes) => {
    Object.assign(state, { page: 1 }, changes);
    return update();
  };
  const reset = (event) => {
    event.preventDefault();
    root.querySelector("input[type=search]").value = "";
    root.querySelector("select").value = "";
    change({ word: "", verdict: "", sort: "noise", descending: true });
  };

  function filters() {
    const soon = later(150, () => change({ word: input.value.trim() }));
    const input = el("input", { type: "search", placeholder: "Part of a word", "aria-label": "Show words that contain", oninput: soon });
    input.value = state.word;
    const select = el("select", { "aria-label": "Verdict", onchange: () => change({ verdict: select.value }) },
      [["", "all verdicts"], ["real", "real"], ["pseudo", "pseudo"]].map(([value, label]) => el("option", { value, selected: value === state.verdict }, label)));
    return el("div", { class: "toolbar" }, input, select, download);
  }

  function table(rows) {
    if (!rows.length) return [el("p", { class: "note" }, "No pair fits. ", el("a", { href: "#/inventory", onclick: reset }, "Show all pairs"), ".")];
    return [el("table", { class: "wide" },
      el("caption", { class: "unseen" }, "Sense pairs"),
      el("thead", {}, el("tr", {}, Object.keys(COLUMNS).map(columnHead))),
      el("tbody", {}, rows.map((row) => el("tr", {},
        el("td", {}, wordLink(row.word)),
        el("td", {}, senseBadge(row.sense_a), "\u2002", senseBadge(row.sense_b)),
        el("td", { class: "number" }, decimal(row.noise)),
        el("td", {}, probability(row.probability)),
        el("td", {}, verdictChip(row.verdict))))))];
  }

  function columnHead(column) {
    const current = state.sort === column;
    const order = state.descending ? "descending" : "ascending";
    const sort = async () => {
      await change({ sort: column, descending: current ? !state.descending : column !== "word" });
      place.querySelector(`[data-column=${column}]`)?.focus();
    };
    return el("th", { scope: "col", "aria-sort": current ? order : "none" },
      el("button", { type: "button", "data-column": column, onclick: sort }, COLUMNS[column],
        el("span", { "aria-hidden": "true" }, current ? (state.descending ? " \u2193" : " \u2191") : "")));
  }

  function pages(total) {
    const last = Math.max(1, Math.ceil(total / ROWS));
    const from = Math.min(total, (state.page - 1) * ROWS + 1);
    const go = (label, page) => el("button", { type: "button", disabled: page < 1 || page > last, onclick: () => change({ page }) }, label);
    return [
      go("Previous", state.page - 1),
      el("p", { role: "status" }, `${number(from)} to ${number(Math.min(total, state.page * ROWS))} of ${number(total)} pairs`),
      go("Next", state.page + 1)];
  }

  await update();
}

function histogram(section, signal) {
  return fill(section, (onWorking) => ask("inventory/histogram", {}, { signal, onWorking }), (found) => {
    const plot = el("div", { class: "plot", role: "img", "aria-label": "How many pairs have how much noise, by verdict" });
    const figure = el("figure", {}, el("figcaption", {}, "Noise of all pairs, by verdict"), plot);
    requestAnimationFrame(() => chart(plot, () => bars(found), { signal }).catch((error) => figure.replaceChildren(problem(error))));
    return figure;
  });
}

function bars({ edges, real, pseudo, threshold }) {
  const middles = edges.slice(1).map((edge, i) => (edge + edges[i]) / 2);
  const width = edges[1] - edges[0];
  const series = (name, counts, tint, pattern) => ({
    type: "bar", name, x: middles, y: counts, width,
    marker: { color: colour(tint), pattern: { shape: pattern, fillmode: "overlay", fgcolor: colour("--surface"), size: 5, solidity: 0.25 } },
    hovertemplate: `%{y} ${name} pairs<extra></extra>`,
  });
  const line = threshold === null ? [] : [{ type: "line", x0: threshold, x1: threshold, yref: "paper", y0: 0, y1: 1, line: { color: colour("--ink"), width: 1.5, dash: "dash" } }];
  const label = threshold === null ? [] : [{ x: threshold, yref: "paper", y: 1, yanchor: "top", xanchor: "left", showarrow: false, text: ` best threshold ${decimal(threshold)}` }];
  return {
    data: [series("pseudo", pseudo, "--pseudo", ""), series("real", real, "--real", "/")],
    layout: {
      height: 220, barmode: "stack", bargap: 0.05, shapes: line, annotations: label,
      xaxis: { title: { text: "noise" }, fixedrange: true }, yaxis: { title: { text: "pairs" }, fixedrange: true },
      legend: { orientation: "h", x: 1, xanchor: "right", y: 1.02, yanchor: "bottom" }, margin: { l: 8, r: 8, t: 30, b: 8 },
    },
  };
}
