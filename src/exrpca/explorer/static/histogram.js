// How shared neighbors, probability or the paper's indicator are distributed over all pairs: one stacked column per value, drawn as SVG.

import { ask } from "./api.js";
import { decimal, el, number, percent, svg } from "./dom.js";
import { fill, segments, verdictLegend } from "./parts.js";

const QUANTITIES = {
  shared: "shared neighbors",
  probability: "probability",
  outlier_norm: "outlier norm",
};
const VERDICTS = ["pseudo", "undecided", "real"];
const [WIDTH, HEIGHT, FLOOR] = [960, 180, 22];

export async function histogram(section, signal) {
  const picture = el("div");
  const load = (quantity) => (onWorking) =>
    ask("inventory/histogram", { quantity }, { signal, onWorking });
  let shown = "shared";
  const change = async (quantity) => {
    shown = quantity;
    const found = await load(quantity)();
    if (quantity === shown) picture.replaceChildren(columns(found, QUANTITIES[quantity]));
  };
  const picker = segments("All pairs by", "quantity", QUANTITIES, shown, change);
  await fill(section, load(shown), (found) => {
    picture.append(columns(found, QUANTITIES[shown]));
    const top = el("div", { class: "toolbar" }, picker, verdictLegend());
    return el("figure", {}, top, picture, el("figcaption", {}, note(found)));
  });
}

const total = (counts) => counts.reduce((a, b) => a + b, 0);

function note(found) {
  const totals = VERDICTS.map((verdict) => [verdict, total(found[verdict])]);
  const all = Math.max(1, total(totals.map(([, n]) => n)));
  const shares = totals.map(([verdict, n]) => `${percent(n / all)} ${verdict}`);
  return `${shares.join(", ")}. The heights are square roots, so that few pairs can be seen.`;
}

function columns({ edges, ...counts }, quantity) {
  const from = edges[0];
  const unit = WIDTH / (edges.at(-1) - from);
  const totals = edges.slice(1).map((_, i) => VERDICTS.reduce((sum, v) => sum + counts[v][i], 0));
  // the square root lets the few real pairs be seen beside the many others
  const tall = (n) => (Math.sqrt(n) / Math.sqrt(Math.max(...totals, 1))) * (HEIGHT - FLOOR - 20);
  const bars = totals.flatMap((_, i) => {
    let below = 0;
    return VERDICTS.map((verdict) => {
      const [bottom, top] = [tall(below), tall((below += counts[verdict][i]))];
      return top === bottom
        ? null
        : svg("rect", {
            class: verdict,
            x: (edges[i] - from) * unit + 1,
            width: (edges[i + 1] - edges[i]) * unit - 2,
            y: HEIGHT - FLOOR - top,
            height: top - bottom,
          });
    });
  });
  const sums = VERDICTS.map((verdict) => `${number(total(counts[verdict]))} ${verdict}`);
  return svg(
    "svg",
    {
      class: "histogram",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": `All pairs by ${quantity}: ${sums.join(", ")}`,
    },
    bars,
    [0, 0.25, 0.5, 0.75, 1].map((share) =>
      svg(
        "text",
        {
          x: share * WIDTH,
          y: HEIGHT - 4,
          "text-anchor": share === 0 ? "start" : share === 1 ? "end" : "middle",
        },
        decimal(from + (share * WIDTH) / unit, edges.at(-1) > 10 ? 0 : 1),
      ),
    ),
  );
}
