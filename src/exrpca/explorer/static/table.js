// Tables: the first cell of a row is its heading.

import { el } from "./dom.js";

// `heads` are texts or <th> elements; a row is a list of cells, each a text, an element or a list of both.
export function table(label, heads, rows, properties = {}) {
  const head = (each) => (each instanceof HTMLElement ? each : el("th", { scope: "col" }, each));
  const row = ([first, ...cells]) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, first),
      cells.map((cell) => el("td", {}, cell)),
    );
  const parts = [el("thead", {}, el("tr", {}, heads.map(head))), el("tbody", {}, rows.map(row))];
  return el("div", { class: "scroll" }, el("table", { "aria-label": label, ...properties }, parts));
}
