// The scores: agreement with people's ratings, before and after cleaning.

import { ask } from "../api.js";
import { chart, colour } from "../charts.js";
import { decimal, el, number, signed } from "../dom.js";
import { fill, heading, problem } from "../parts.js";

const NAMES = { none: "as trained", exrpca: "cleaned", abtt: "all-but-the-top", collapsed: "collapsed" };
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash"];

export const title = () => "Scores";

export function show(root, { signal }) {
  const before = el("section", {}, el("h2", {}, "Before and after"));
  const curve = el("section", {}, el("h2", {}, "For each number of removed directions"));
  root.append(
    heading("The scores", el("p", { class: "lead" }, "Spearman\u2019s \u03c1 \u00d7 100 with people\u2019s ratings of word pairs, with its 95% interval. The baselines stand beside the cleaning, also where they do better.")),
    before, curve);
  fill(before, (onWorking) => ask("scores", {}, { signal, onWorking }), tables);
  fill(curve, (onWorking) => ask("scores/sweep", {}, { signal, onWorking }), (points) => sweep(points, signal));
}

const hundred = (value, digits = 1) => decimal(100 * value, digits);

function tables(scores) {
  return [...new Set(scores.map((score) => score.dataset))].map((dataset) => {
    const rows = scores.filter((score) => score.dataset === dataset);
    const measures = [...new Set(rows.map((row) => row.measure))];
    const best = Object.fromEntries(measures.map((measure) => [measure, Math.max(...rows.filter((row) => row.measure === measure).map((row) => row.rho))]));
    const methods = [...new Map(rows.map((row) => [`${row.method} ${row.rank}`, row])).values()];
    const cell = (method, measure) => {
      const row = rows.find((each) => each.method === method.method && each.rank === method.rank && each.measure === measure);
      if (!row) return el("td", { class: "number" }, "\u2013");
      return el("td", { class: "number", title: `${hundred(row.low)} to ${hundred(row.high)}` },
        el(row.rho === best[measure] ? "strong" : "span", {}, hundred(row.rho)),
        el("small", {}, row.method === "none" ? ` ${hundred(row.low)} to ${hundred(row.high)}` : ` ${signed(100 * row.gain, 1)}`));
    };
    const caption = `${dataset}: ${number(rows[0].used)} of ${number(rows[0].total)} pairs are in the vocabulary`;
    return el("div", {}, el("h3", {}, caption), el("div", { class: "scroll" }, el("table", { class: "wide", "aria-label": caption },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "vectors"), measures.map((measure) => el("th", { scope: "col" }, measure)))),
      el("tbody", {}, methods.map((method) => el("tr", {},
        el("th", { scope: "row" }, NAMES[method.method] ?? method.method, method.rank === null ? "" : `, rank ${method.rank}`),
        measures.map((measure) => cell(method, measure))))))));
  });
}

function sweep(points, signal) {
  const plot = el("div", { class: "plot", role: "img", "aria-label": "Scores against the number of removed directions" });
  requestAnimationFrame(() => chart(plot, () => lines(points), { signal }).catch((error) => plot.replaceChildren(problem(error))));
  return el("figure", {}, plot);
}

function lines(points) {
  const keys = [...new Set(points.map((point) => `${point.dataset} ${point.measure}`))];
  return {
    data: keys.map((key, i) => {
      const own = points.filter((point) => `${point.dataset} ${point.measure}` === key);
      return {
        name: key, mode: "lines", x: own.map((point) => point.removed), y: own.map((point) => point.rho === null ? null : 100 * point.rho),
        line: { color: colour(`--sense-${i % 8}`), width: 2, dash: DASHES[i % DASHES.length] },
        hovertemplate: `${key}: %{y:.1f}, %{x} removed<extra></extra>`,
      };
    }),
    layout: {
      height: 400, hovermode: "closest",
      xaxis: { title: { text: "directions removed" }, rangemode: "tozero" }, yaxis: { title: { text: "\u03c1 \u00d7 100" } },
      legend: { orientation: "h", y: 1.02, yanchor: "bottom" }, margin: { l: 8, r: 8, t: 40, b: 8 },
    },
  };
}
