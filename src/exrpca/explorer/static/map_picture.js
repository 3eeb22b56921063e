// The picture of a panel of the map: marks, labels and axes for Plotly.

import { color } from "./charts.js";
import { placeLabels } from "./labels.js";
import { senseColor, SHAPES } from "./parts.js";

const LOOKS = {
  sense: { size: 22, font: 13 },
  added: { size: 10, font: 13 },
  neighbor: { size: 8, font: 11.5 },
};

// The marks of one panel, `when` being "before" or "after".
export function picture({ points, bounds }, when, width) {
  const height = Math.max(300, Math.min(width, 520));
  const range = squared(bounds, width / height);
  const pixels = (value, axis, length) =>
    ((value - range[axis][0]) / (range[axis][1] - range[axis][0])) * length;
  // the word's own senses carry their number inside
  const marks = points.map((point) => ({
    x: pixels(point[when][0], "x", width),
    y: pixels(point[when][1], "y", height),
    text: point.kind === "sense" ? "" : nameOf(point),
    ...LOOKS[point.kind],
  }));
  const positions = placeLabels(marks, { width, height });
  const drawn = points.map((point, i) => ({
    point,
    x: point[when][0],
    y: point[when][1],
    position: positions[i],
  }));
  const groups = Map.groupBy(
    drawn,
    ({ point }) => `${point.kind} ${point.kind === "sense" ? point.sense : point.near}`,
  );
  const axis = { showticklabels: false, fixedrange: true, nticks: 7 };
  return {
    // the first drawn lies lowest: the word's own senses come last
    data: [
      threads(drawn.filter(({ point }) => point.kind === "sense")),
      ...[...groups.values()].reverse().map(trace),
    ],
    layout: {
      height,
      showlegend: false,
      hovermode: "closest",
      margin: { l: 0, r: 0, t: 0, b: 0 },
      xaxis: { ...axis, range: range.x },
      yaxis: { ...axis, range: range.y },
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
  return {
    x: along("x"),
    y: along("y"),
    mode: "lines",
    hoverinfo: "skip",
    line: { color: color("--muted"), width: 1, dash: "dot" },
  };
}

const nameOf = (point) =>
  ({ sense: String(point.sense), added: `${point.word} ${point.sense}`, neighbor: point.word })[
    point.kind
  ];

function trace(group) {
  const { kind, sense, near } = group[0].point;
  const owner = kind === "sense" ? sense : near;
  const ink = color(kind === "added" ? "--ink" : senseColor(owner));
  return {
    mode: "markers+text",
    x: group.map(({ x }) => x),
    y: group.map(({ y }) => y),
    text: group.map(({ point, position }) =>
      position || kind === "sense" ? escaped(nameOf(point)) : "",
    ),
    textposition: group.map(({ position }) =>
      kind === "sense" ? "middle center" : (position ?? "top center"),
    ),
    hovertext: group.map(({ point }) => escaped(`${point.word}, sense ${point.sense}`)),
    customdata: group.map(({ point }) => point.word),
    hoverinfo: "text",
    textfont: {
      size: LOOKS[kind].font,
      color: color({ sense: "--surface", added: "--ink", neighbor: "--muted" }[kind]),
      weight: kind === "sense" ? 700 : 400,
    },
    cliponaxis: false,
    marker: {
      symbol:
        kind === "added"
          ? "x-thin-open"
          : SHAPES[owner % SHAPES.length] + (kind === "neighbor" ? "-open" : ""),
      size: LOOKS[kind].size,
      color: ink,
      line: { width: 1.5, color: kind === "sense" ? color("--surface") : ink },
    },
  };
}

// Plotly reads some tags in text, such as <b>: a word is never one.
const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
