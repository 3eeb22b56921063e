// Tables: the first cell of a row is its heading.

import { el } from "./dom.js";

// `heads` are texts or elements (a <th> is taken as it is); a row is a list of cells, each a text, an
// element or a list of both. With the class "stacked", narrow windows show each row as a block, in
// which every cell has its heading beside it.
export function table(label, heads, rows, properties = {}) {
  const isHead = (each) => each instanceof HTMLElement && each.tagName === "TH";
  const head = (each) => (isHead(each) ? each : el("th", { scope: "col" }, each));
  const columns = heads.map(head);
  // the button of a term or of sorting, without its explanation
  const titles = columns.map((each) => (each.querySelector("button") ?? each).firstChild.textContent);
  const row = ([first, ...cells]) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, first),
      cells.map((cell, i) => el("td", { "data-label": titles[i + 1] }, cell)),
    );
  const parts = [el("thead", {}, el("tr", {}, columns)), el("tbody", {}, rows.map(row))];
  return el("div", { class: "scroll" }, el("table", { "aria-label": label, ...properties }, parts));
}
