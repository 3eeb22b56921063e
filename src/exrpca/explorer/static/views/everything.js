// The map of all senses: colored by verdict, labels by zoom, before and after cleaning.

import { ask } from "../api.js";
import { color, el, later } from "../dom.js";
import { placeLabels } from "../labels.js";
import { lasso } from "../lasso.js";
import { isExported } from "../exported.js";
import { fill, heading, senseBadge, verdictLegend, wordLink } from "../parts.js";
import { address, rewrite } from "../routes.js";
import { wordField } from "../search.js";
import { term } from "../terms.js";

const SIZE = 65535;
const KINDS = ["single", "real", "undecided", "pseudo"];
const MOST_LABELS = 70;
const RESTING = 150; // milliseconds without movement, after which names are shown
const MOST_CORNERS = 60;
const ROOMY = 17; // the font size for which labels get room: more than theirs, so that gaps are left

export const title = () => "Map of all senses";

export async function show(root, { query, about, signal }) {
  const section = el("section");
  root.append(
    heading(
      "All senses",
      el(
        "p",
        { class: "lead" },
        "Each point is a sense, close to those with a similar meaning. Its color says whether it is a meaning of its own ",
        term("real", "real", ["(", "),"]),
        " one meaning with another sense of its word ",
        term("pseudo", "pseudo", ["(", "),"]),
        " or ",
        term("undecided", "undecided", ["", "."]),
      ),
    ),
    section,
  );
  const found = await fill(
    section,
    (onWorking) => ask("senses", {}, { signal, onWorking }),
    () => [],
  );
  if (found) await draw(section, senseMap(found, about.exported), query.get("word"), signal);
}

async function draw(section, map, wanted, signal) {
  const { PointCloud } = await import("../point_cloud.js");
  const status = el("p", { class: "touched", role: "status" });
  const place = el("div", { class: "cloud" });
  const labels = el("div", { class: "labels", "aria-hidden": "true" });
  const net = el("div", { class: "net", hidden: true });
  const frame = el(
    "div",
    { class: "everything", role: "img", "aria-label": "Map of all senses; search for a word to go to it" },
    place,
    labels,
    net,
  );
  const cloud = { positions: new Float32Array(3 * map.n), colors: new Uint8Array(4 * map.n) };
  let cleaned = 0; // how far the slider is
  const move = (share) => {
    cleaned = share;
    for (let i = 0; i < map.n; i++)
      for (const axis of [0, 1]) {
        const at = 2 * i + axis;
        cloud.positions[3 * i + axis] = map.before[at] + share * (map.after[at] - map.before[at]);
      }
  };
  const paint = () => {
    const tints = KINDS.map((kind) => rgb(color(`--${kind}`)));
    for (let i = 0; i < map.n; i++) cloud.colors.set(tints[map.kinds[i]], 4 * i);
  };
  move(0);
  paint();
  let points = null;
  const refresh = () => points.redraw(cloud);
  let told = null;
  const tell = (i) => {
    told = i;
    status.replaceChildren(...map.described(i));
    if (!isExported) nameSoon(i);
  };
  // the neighbors that name a sense are asked for when the pointer rests on it
  const nameSoon = later(RESTING, async (i) => {
    const word = map.name(i);
    const names = await ask("names", { word }, { signal }).catch(() => ({}));
    if (told === i) status.replaceChildren(...map.described(i, names[word]));
  });
  const go = (word) => {
    const i = map.first(word);
    if (i === undefined) return status.replaceChildren(`\u201c${word}\u201d is not in the vocabulary.`);
    map.mark(i);
    points.flyTo(map.marked.map((j) => [cloud.positions[3 * j], cloud.positions[3 * j + 1]]));
    tell(i);
    rewrite(address("everything", null, { word: map.name(i) }));
  };
  const slide = (share) => (move(share), refresh());
  section.append(controls({ go, slide, net, hasSingles: map.kinds.includes(0) }), frame, status);
  const nameSenses = later(RESTING, () => {
    const viewport = points.viewport();
    if (viewport) showLabels(labels, map, cloud.positions, viewport);
  });
  points = new PointCloud(place, cloud, {
    size: SIZE,
    onMove: () => {
      labels.replaceChildren(); // they would lag behind
      nameSenses();
    },
    onClick: tell,
    onHover: (i) => i >= 0 && tell(i),
  });
  lasso(net, (corners) => {
    const viewport = points.viewport();
    const every = Math.ceil(corners.length / MOST_CORNERS);
    const inside = corners
      .filter((_, i) => i % every === 0)
      .map((corner) => viewport.unproject(corner).map((v) => Math.round(clamped(v))));
    const area = inside.map(([x, y]) => `${x},${y}`).join(";");
    const after = cleaned > 0.5 ? "true" : null;
    location.hash = address("inventory", null, { area, cleaned: after });
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener(
    "change",
    () => (paint(), refresh()),
    { signal },
  );
  signal.addEventListener("abort", () => points.close());
  if (wanted) go(wanted);
}

// Numbers that come as base64 text.
const decoded = (text, Type) =>
  new Type(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);

const clamped = (value) => Math.max(0, Math.min(SIZE, value));

// `linked` are the words that can be opened; all, if it is not given.
function senseMap({ words, n_senses, before, after, kinds, weights }, linked) {
  const firsts = new Map();
  const wordOf = [];
  for (const [i, word] of words.entries()) {
    firsts.set(word, wordOf.length);
    for (let sense = 0; sense < n_senses[i]; sense++) wordOf.push(i);
  }
  const weight = decoded(weights, Uint32Array);
  const kind = decoded(kinds, Uint8Array);
  const byFrequency = firstOfEach(
    [...weight.keys()].sort((a, b) => weight[b] - weight[a]),
    (i) => wordOf[i],
  );
  return {
    n: wordOf.length,
    before: decoded(before, Uint16Array),
    after: decoded(after, Uint16Array),
    kinds: kind,
    marked: [],
    // the senses that are named where there is room, the marked ones in any case
    *named() {
      yield* this.marked;
      for (const i of byFrequency) if (!this.marked.includes(i)) yield i;
    },
    name: (i) => words[wordOf[i]],
    number: (i) => i - firsts.get(words[wordOf[i]]),
    // marks all senses of the word whose first sense this is
    mark(first) {
      this.marked = [];
      for (let i = first; wordOf[i] === wordOf[first]; i++) this.marked.push(i);
    },
    first: (word) => firsts.get(word) ?? firsts.get(word.toLowerCase()),
    described(i, names = []) {
      const word = words[wordOf[i]];
      const says = KINDS[kind[i]] === "single" ? "its only sense" : KINDS[kind[i]];
      const opens = !linked || linked.includes(word);
      return [
        opens ? wordLink(word) : el("span", { class: "word" }, word),
        " ",
        senseBadge(this.number(i), names[this.number(i)]),
        ` \u00b7 ${says}`,
      ];
    },
  };
}

// Keeps the first of all that have the same key.
function firstOfEach(values, key) {
  const seen = new Set();
  return values.filter((value) => !seen.has(key(value)) && seen.add(key(value)));
}

function controls({ go, slide, net, hasSingles }) {
  const slider = el("input", {
    type: "range",
    id: "cleaning",
    min: 0,
    max: 100,
    value: 0,
    oninput: () => slide(slider.value / 100),
  });
  const draw = el(
    "button",
    {
      type: "button",
      "aria-pressed": "false",
      onclick: () => {
        net.hidden = !net.hidden;
        draw.setAttribute("aria-pressed", String(!net.hidden));
      },
    },
    "Draw around senses",
  );
  return el(
    "div",
    { class: "toolbar" },
    wordField("Go to a word", "places", go),
    el(
      "div",
      { class: "slider" },
      el("label", { for: "cleaning" }, "as trained"),
      slider,
      el("span", {}, "cleaned"),
    ),
    isExported ? null : draw,
    verdictLegend(hasSingles ? { single: "only sense of its word" } : {}),
  );
}

// The marked senses, and the most frequent ones in view, as many as there is room for.
function showLabels(place, map, positions, viewport) {
  const { width, height } = viewport;
  const [left, low, right, high] = viewport.getBounds();
  const marks = [];
  for (const i of map.named()) {
    const [across, up] = [positions[3 * i], positions[3 * i + 1]];
    if (across < left || across > right || up < low || up > high) continue;
    const [x, y] = viewport.project([across, up]);
    const marked = map.marked.includes(i);
    const text = marked ? `${map.name(i)} ${map.number(i)}` : map.name(i);
    marks.push({ x, y, size: 4, font: ROOMY, text, marked });
    if (marks.length === 2 * MOST_LABELS) break;
  }
  const at = placeLabels(marks, { width, height });
  const chosen = marks.filter(({ marked }, i) => marked || at[i]?.side === "above");
  place.replaceChildren(
    ...chosen.slice(0, MOST_LABELS).map(({ x, y, text, marked }) =>
      el(
        "span",
        {
          class: marked ? "word marked" : "word",
          style: { left: `${x}px`, top: `${y}px` },
        },
        text,
      ),
    ),
  );
}

function rgb(hex) {
  const whole = Number.parseInt(hex.slice(1), 16);
  return [whole >> 16, (whole >> 8) & 255, whole & 255, 210];
}
