// The scores: agreement with people's ratings, before and after cleaning.

import { ask } from "../api.js";
import { decimal, el, number, signed } from "../dom.js";
import { lineChart } from "../line_chart.js";
import { fill, heading } from "../parts.js";
import { table } from "../table.js";
import { isExplained, term } from "../terms.js";

const NAMES = {
  none: "as trained",
  exrpca: "cleaned",
  abtt: "all-but-the-top",
  collapsed: "collapsed",
};

export const title = () => "Scores";

export function show(root, { signal }) {
  const before = el("section", {}, el("h2", {}, "Before and after"));
  const curve = el("section", {}, el("h2", {}, "For each number of removed directions"));
  root.append(
    heading(
      "The scores",
      el(
        "p",
        { class: "lead" },
        term("Spearman\u2019s \u03c1"),
        " \u00d7 100 between the vectors and people who rated the similarity of words, and what each method gains, both with 95% intervals. Baselines are shown even where they do better.",
      ),
    ),
    before,
    curve,
  );
  fill(before, (onWorking) => ask("scores", {}, { signal, onWorking }), tables);
  fill(curve, (onWorking) => ask("scores/sweep", {}, { signal, onWorking }), sweep);
}

const hundred = (value, digits = 1) => decimal(100 * value, digits);

function tables(scores) {
  return [...Map.groupBy(scores, (score) => score.dataset)].map(([dataset, found]) => {
    const measures = [...new Set(found.map((score) => score.measure))];
    const best = (measure) =>
      Math.max(...found.filter((score) => score.measure === measure).map((score) => score.rho));
    const highest = new Map(measures.map((measure) => [measure, best(measure)]));
    const rows = [...Map.groupBy(found, nameOf)].map(([, own]) => [
      named(own[0]),
      ...measures.map((measure) =>
        cell(
          own.find((score) => score.measure === measure),
          highest.get(measure),
        ),
      ),
    ]);
    const { used, total } = found[0];
    const label = `${dataset}: ${number(used)} of ${number(total)} pairs are in the vocabulary`;
    return el(
      "div",
      {},
      el("h3", {}, label),
      table(label, ["vectors", ...measures.map(explained)], rows, { class: "wide stacked" }),
    );
  });
}

const explained = (name) => (isExplained(name) ? term(name) : name);

const ranked = ({ rank }) => (rank === null ? "" : `, rank ${rank}`);

const nameOf = (score) => (NAMES[score.method] ?? score.method) + ranked(score);

const named = (score) => [explained(NAMES[score.method] ?? score.method), ranked(score)];

function cell(score, highest) {
  if (!score) return "\u2013";
  const range = (low, high) => `${low} to ${high}`;
  const beside =
    score.method === "none"
      ? range(hundred(score.low), hundred(score.high))
      : `${signed(100 * score.gain, 1)} (${range(signed(100 * score.gain_low, 1), signed(100 * score.gain_high, 1))})`;
  return [
    el(score.rho === highest ? "strong" : "span", {}, hundred(score.rho)),
    " ",
    el("small", {}, beside),
  ];
}

function sweep(points) {
  const series = Map.groupBy(points, ({ dataset, measure }) => `${dataset} ${measure}`);
  const lines = [...series].map(([name, own]) => [
    name,
    own.map(({ removed, rho }) => [removed, rho === null ? null : 100 * rho]),
  ]);
  const label = "Scores against the number of removed directions";
  const plot = el("div", { class: "plot", role: "img", "aria-label": label });
  plot.append(...lineChart(lines, { across: "directions removed", up: "\u03c1 \u00d7 100" }));
  return el("figure", {}, plot);
}
