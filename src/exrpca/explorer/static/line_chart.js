// Lines over whole numbers, with axes and a legend, as SVG.

import { decimal, el, svg } from "./dom.js";

const [WIDTH, HEIGHT] = [960, 400];
const ROOM = { left: 60, right: 12, top: 10, bottom: 46 };
const DASHES = ["none", "8 4", "2 4", "8 4 2 4", "14 5"];
const STEPS = [1, 2, 5, 10, 20, 50, 100];
const MOST_TICKS = 6;

// `series` are [name, points], a point being [x, y]; y may be null.
export function lineChart(series, { across, up }) {
  const points = series.flatMap(([, own]) => own).filter(([, y]) => y !== null);
  const most = Math.max(...points.map(([x]) => x), 1);
  const heights = points.map(([, y]) => y);
  const [lowest, highest] = [Math.min(...heights), Math.max(...heights)];
  const apart = STEPS.find((each) => (highest - lowest) / each <= MOST_TICKS) ?? highest - lowest;
  const [low, high] = [Math.floor(lowest / apart) * apart, Math.ceil(highest / apart) * apart];
  const place = ([x, y]) => [
    ROOM.left + (x / most) * (WIDTH - ROOM.left - ROOM.right),
    ROOM.top + ((high - y) / (high - low || 1)) * (HEIGHT - ROOM.top - ROOM.bottom),
  ];
  const ticks = Array.from({ length: Math.round((high - low) / apart) + 1 }, (_, i) => low + i * apart);
  const step = Math.ceil(most / 10);
  const picture = svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}` },
    ticks.map((value) => {
      const y = place([0, value])[1];
      return svg(
        "g",
        {},
        svg("line", { class: "grid", x1: ROOM.left, x2: WIDTH - ROOM.right, y1: y, y2: y }),
        svg("text", { x: ROOM.left - 8, y: y + 4, "text-anchor": "end" }, decimal(value, 0)),
      );
    }),
    Array.from({ length: Math.floor(most / step) + 1 }, (_, i) =>
      svg(
        "text",
        { x: place([i * step, 0])[0], y: HEIGHT - ROOM.bottom + 20, "text-anchor": "middle" },
        String(i * step),
      ),
    ),
    svg("text", { x: WIDTH / 2, y: HEIGHT - 4, "text-anchor": "middle" }, across),
    series.map(([name, own], i) => line(name, own.filter(([, y]) => y !== null), i, place)),
  );
  return [legend(series.map(([name]) => name), up), picture];
}

const look = (i) => ({
  stroke: `var(--sense-${i % 8})`,
  "stroke-dasharray": DASHES[i % DASHES.length],
});

function line(name, points, i, place) {
  const corners = points.map((point) => place(point).map((value) => value.toFixed(1)).join());
  return svg(
    "g",
    { class: "line" },
    svg("polyline", { points: corners.join(" "), ...look(i) }),
    points.map(([x, y]) => {
      const [cx, cy] = place([x, y]);
      const dot = { cx, cy, r: 6, fill: "transparent" }; // says its value
      return svg("circle", dot, svg("title", {}, `${name}: ${decimal(y, 1)} at ${x}`));
    }),
  );
}

function legend(names, title) {
  const sample = (i) =>
    svg("svg", { width: 34, height: 8, "aria-hidden": "true" }, svg("line", { x1: 0, x2: 34, y1: 4, y2: 4, ...look(i) }));
  return el("ul", { class: "lines" }, el("li", {}, title), names.map((name, i) => el("li", {}, sample(i), name)));
}
