// How the outlier norm, or the probability, is spread over all pairs, and the value that separates the
// verdicts best.

import { ask } from "./api.js";
import { chart, color } from "./charts.js";
import { decimal, el } from "./dom.js";
import { fill, segments } from "./parts.js";

const QUANTITIES = { outlier_norm: "outlier norm", probability: "probability" };

export async function histogram(section, signal) {
  const plot = el("div", { class: "plot", role: "img" });
  const state = { quantity: "outlier_norm", found: null };
  const load = async (onWorking) => {
    const { quantity } = state;
    const found = await ask("inventory/histogram", { quantity }, { signal, onWorking });
    if (quantity === state.quantity) state.found = found;
  };
  let redraw = null;
  const change = async (quantity) => {
    state.quantity = quantity;
    await load();
    await redraw();
  };
  const picker = segments("All pairs by", "quantity", QUANTITIES, state.quantity, change);
  await fill(section, load, () => el("figure", {}, el("div", { class: "toolbar" }, picker), plot));
  // a plot takes its width from the page, so it must be in the page first
  if (plot.isConnected) redraw = await chart(plot, () => picture(state), { signal });
}

function picture({ quantity, found: { edges, real, pseudo, undecided, threshold } }) {
  const middles = edges.slice(1).map((edge, i) => (edge + edges[i]) / 2);
  const series = (name, counts, tint, pattern) => ({
    type: "bar",
    name,
    x: middles,
    y: counts,
    width: edges[1] - edges[0],
    marker: {
      color: color(tint),
      pattern: {
        shape: pattern,
        fillmode: "overlay",
        fgcolor: color("--surface"),
        size: 5,
        solidity: 0.25,
      },
    },
    hovertemplate: `%{y} ${name} pairs<extra></extra>`,
  });
  const vertical = { x0: threshold, x1: threshold, yref: "paper", y0: 0, y1: 1 };
  const right = threshold > edges.at(-1) / 2;
  return {
    data: [
      series("pseudo", pseudo, "--pseudo", ""),
      series("undecided", undecided, "--muted", "."),
      series("real", real, "--real", "/"),
    ].filter(({ y }) => y.some((count) => count > 0)),
    layout: {
      height: 240,
      barmode: "overlay",
      bargap: 0.05,
      margin: { l: 8, r: 8, t: 8, b: 8 },
      shapes:
        threshold === null
          ? []
          : [
              {
                type: "line",
                ...vertical,
                line: { color: color("--ink"), width: 1.5, dash: "dash" },
              },
            ],
      annotations:
        threshold === null
          ? []
          : [
              {
                x: threshold,
                yref: "paper",
                y: 1,
                yanchor: "top",
                xanchor: right ? "right" : "left",
                showarrow: false,
                text: ` threshold ${decimal(threshold)} `,
              },
            ],
      xaxis: { title: { text: QUANTITIES[quantity] }, fixedrange: true },
      yaxis: { title: { text: "pairs (log scale)" }, type: "log", dtick: 1, fixedrange: true },
      legend: { orientation: "h", x: 0.5, xanchor: "center", y: 1.02, yanchor: "bottom" },
    },
  };
}
