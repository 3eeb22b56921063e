// Names of senses in tables: they take a moment longer than the rows.

import { ask } from "./api.js";
import { el } from "./dom.js";
import { senseBadge } from "./parts.js";

// The two senses of a pair, one above the other, until they are named.
export const bothSenses = ({ sense_a, sense_b }) =>
  el("span", { class: "both" }, senseBadge(sense_a), senseBadge(sense_b));

// Names the senses in all cells made by `bothSenses`; `pairs` are in the order of the cells.
export async function namePairs(place, pairs, signal) {
  const words = [...new Set(pairs.map(({ word }) => word))];
  if (!words.length) return;
  const names = await ask("names", { word: words }, { signal }).catch(() => ({}));
  for (const [i, cell] of [...place.querySelectorAll(".both")].entries()) {
    const { word, sense_a, sense_b } = pairs[i] ?? {};
    if (!names[word]) continue;
    cell.replaceChildren(
      ...[sense_a, sense_b].map((sense) => senseBadge(sense, names[word][sense])),
    );
  }
}
