// One panel of the map of a word: a mark per sense and the labels that have room, as SVG.

import { svg } from "./dom.js";
import { placeLabels } from "./labels.js";
import { senseColor } from "./parts.js";

const LOOKS = {
  sense: { size: 24, font: 13 },
  added: { size: 9, font: 13 },
  neighbor: { size: 9, font: 12 },
};
const GRID = 6; // lines across the narrower side, about

// Shapes of radius 1 for the senses, in the order of the badges.
const SHAPES = [
  "M1 0A1 1 0 1 1-1 0A1 1 0 1 1 1 0Z",
  "M-.85-.85H.85V.85H-.85Z",
  "M0-1.15 1.15 0 0 1.15-1.15 0Z",
  polygon(3),
  "M-.35-1H.35V-.35H1V.35H.35V1H-.35V.35H-1V-.35H-.35Z",
  polygon(10, [1.2, 0.6]),
  polygon(6),
  polygon(5),
];
const CROSS = "M-1-1 1 1M-1 1 1-1";

function polygon(n, radii = [1.1]) {
  const corner = (i) => {
    const [angle, radius] = [(2 * Math.PI * i) / n, radii[i % radii.length]];
    return `${(radius * Math.sin(angle)).toFixed(3)},${(-radius * Math.cos(angle)).toFixed(3)}`;
  };
  return `M${Array.from({ length: n }, (_, i) => corner(i)).join("L")}Z`;
}

// The marks of one panel, `when` being "before" or "after"; a click calls `open(point)`.
export function picture({ points, bounds }, when, width, open) {
  const height = Math.max(300, Math.min(width, 520));
  const range = squared(bounds, width / height);
  const pixels = (value, axis, length) =>
    ((value - range[axis][0]) / (range[axis][1] - range[axis][0])) * length;
  const place = (point) => ({
    x: pixels(point[when][0], "x", width),
    y: height - pixels(point[when][1], "y", height),
  });
  // the word's own senses carry their number inside
  const marks = points.map((point) => ({
    point,
    ...place(point),
    text: point.kind === "sense" ? "" : nameOf(point),
    ...LOOKS[point.kind],
  }));
  const labels = placeLabels(marks, { width, height });
  const own = marks.filter(({ point }) => point.kind === "sense");
  return svg(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}` },
    grid(range, place, when, { width, height }),
    own.flatMap((a, i) =>
      own
        .slice(i + 1)
        .map((b) => svg("line", { class: "thread", x1: a.x, y1: a.y, x2: b.x, y2: b.y })),
    ),
    // the word's own senses lie on top
    svg("g", { class: "points" }, marks.map((mark, i) => drawn(mark, labels[i], open)).reverse()),
  );
}

// The range that holds all points with room for labels, one unit as long in x as in y.
function squared({ x, y }, aspect) {
  const half = 0.62 * Math.max((x[1] - x[0]) / aspect, y[1] - y[0], 1e-3);
  const around = ([low, high], size) => [(low + high) / 2 - size, (low + high) / 2 + size];
  return { x: around(x, half * aspect), y: around(y, half) };
}

// Lines at the same values in both panels: they show that the axes are the same.
function grid(range, place, when, { width, height }) {
  const step = (range.y[1] - range.y[0]) / GRID;
  const values = ([low, high]) => {
    const first = Math.ceil(low / step);
    return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step);
  };
  const across = values(range.x).map((value) => place({ [when]: [value, 0] }).x);
  const up = values(range.y).map((value) => place({ [when]: [0, value] }).y);
  return svg("path", {
    class: "grid",
    d: [...across.map((x) => `M${x} 0V${height}`), ...up.map((y) => `M0 ${y}H${width}`)].join(""),
  });
}

const nameOf = ({ kind, word, sense }) => (kind === "added" ? `${word} ${sense}` : word);

function drawn({ point, x, y, size, font, text }, label, open) {
  const { kind, word, sense, near } = point;
  const owner = kind === "sense" ? sense : near;
  const shape = kind === "added" ? CROSS : SHAPES[owner % SHAPES.length];
  const ink = kind === "added" ? "var(--ink)" : senseColor(owner);
  return svg(
    "g",
    { class: kind, onclick: () => open(point) },
    svg("title", {}, `${word}, sense ${sense}`),
    svg("path", {
      d: shape,
      transform: `translate(${x} ${y}) scale(${size / 2})`,
      fill: kind === "sense" ? ink : "var(--page)",
      stroke: kind === "sense" ? "var(--page)" : ink,
    }),
    kind === "sense" ? svg("text", { x, y, "font-size": font }, String(sense)) : null,
    label && text ? svg("text", { x: label.x, y: label.y, "font-size": font }, text) : null,
  );
}
