// The score of a pair as a bar that starts at what is usual, with the threshold drawn.

import { decimal, el, signed } from "./dom.js";
import { term } from "./terms.js";

export function scoreBar(score, { low, high, usual, pseudo_below, real_above }) {
  // the ends must hold the thresholds, or they would not be seen
  const marks = [low, high, pseudo_below, real_above].filter((each) => each !== null);
  const [from, to] = [Math.min(...marks), Math.max(...marks)];
  const place = (value) => 100 * Math.max(0, Math.min(1, (value - from) / (to - from || 1)));
  const [start, end] = [place(usual), place(score)].sort((a, b) => a - b);
  const line = (kind, value) =>
    value === null ? null : el("i", { class: kind, style: { left: `${place(value)}%` } });
  const kind =
    real_above !== null && score >= real_above
      ? "real"
      : pseudo_below !== null && score <= pseudo_below
        ? "pseudo"
        : "between";
  const bar = el(
    "span",
    {
      class: "scale",
      role: "img",
      "aria-label": `${decimal(score, 1)}; usual ${decimal(usual, 1)}${
        real_above === null ? "" : `, real from ${decimal(real_above, 1)}`
      }`,
    },
    el("b", { class: kind, style: { left: `${start}%`, width: `${Math.max(end - start, 1)}%` } }),
    el("u", { class: kind, style: { left: `${place(score)}%` } }),
    line("usual", usual),
    line("threshold", real_above),
  );
  return el("span", { class: "measured" }, bar, el("span", { class: "number" }, signed(score, 1)));
}

// How to read the bars.
export function scoreLegend({ real_above }) {
  const mark = (kind, label) => el("li", {}, el("i", { class: kind, "aria-hidden": "true" }), label);
  return el(
    "ul",
    { class: "reading" },
    el("li", {}, term("what decides", "How to read the bars")),
    mark("usual", "usual for such counts"),
    real_above === null ? null : mark("threshold", "from here on, real"),
    el("li", {}, "\u2190 more alike, less alike \u2192"),
  );
}
