// The inventory: all sense pairs in a table that the server sorts, filters and cuts into pages.

import { apiAddress, ask } from "../api.js";
import { el, later, number } from "../dom.js";
import { histogram } from "../histogram.js";
import {
  heading,
  probability,
  problem,
  sentence,
  sharedNeighbors,
  verdictChip,
  wordLink,
  working,
} from "../parts.js";
import { bothSenses, namePairs } from "../naming.js";
import { address, rewrite } from "../routes.js";
import { table } from "../table.js";
import { term } from "../terms.js";

const ROWS = 50;
const COLUMNS = {
  word: "word",
  sense_a: "senses",
  shared: "shared neighbors",
  probability: "two meanings",
  verdict: "verdict",
};
const FIRST = { sort: "probability", descending: true };

export const title = () => "Inventory";

export async function show(root, { query, signal }) {
  const state = {
    word: query.get("word") ?? "",
    area: query.get("area") ?? "",
    cleaned: query.get("cleaned") ?? "",
    verdict: query.get("verdict") ?? "",
    sort: query.get("sort") ?? FIRST.sort,
    descending: query.get("descending") !== "false",
    page: Math.max(1, Number(query.get("page")) || 1),
  };
  const selection = () => ({
    word: state.word,
    area: state.area,
    cleaned: state.cleaned,
    verdict: state.verdict,
    sort: state.sort,
    descending: state.descending,
  });
  const status = el("div", { class: "place" });
  const place = el("div");
  const pager = el("nav", { class: "pager", "aria-label": "Pages" });
  const download = el("a", { class: "button", download: "sense-pairs.csv" }, "Export as CSV");
  const picture = el("section", {});
  root.append(
    heading(
      "The inventory",
      el(
        "p",
        { class: "lead" },
        "All pairs of senses with their verdicts: two meanings ",
        term("real", "real", ["(", "),"]),
        " one meaning that was split ",
        term("pseudo", "pseudo", ["(", "),"]),
        " or ",
        term("undecided", "undecided", ["", "."]),
      ),
    ),
    picture,
    filters(),
    status,
    place,
    pager,
  );
  histogram(picture, signal);

  const update = async () => {
    rewrite(address("inventory", null, { ...selection(), page: state.page }));
    download.href = apiAddress("inventory.csv", selection());
    const asked = JSON.stringify(state);
    try {
      const answer = await ask(
        "inventory",
        { ...selection(), offset: (state.page - 1) * ROWS, limit: ROWS },
        { signal, onWorking: (label) => status.replaceChildren(working(label)) },
      );
      if (asked !== JSON.stringify(state)) return; // a newer question is under way
      const last = Math.max(1, Math.ceil(answer.total / ROWS));
      if (state.page > last) return change({ page: last });
      status.replaceChildren();
      place.replaceChildren(rowsOrNone(answer));
      namePairs(place, answer.rows, signal);
      pager.replaceChildren(...pages(answer.total));
    } catch (error) {
      if (error.name === "AbortError") return;
      place.replaceChildren();
      pager.replaceChildren();
      status.replaceChildren(
        problem(
          error,
          el("p", {}, el("a", { href: "#/inventory", onclick: reset }, "Show all pairs")),
        ),
      );
    }
  };
  const change = (changes) => {
    Object.assign(state, { page: 1 }, changes);
    return update();
  };
  const reset = (event) => {
    event.preventDefault();
    if (state.area) return (location.hash = "#/inventory"); // the note about the area goes, too
    root.querySelector("input[type=search]").value = "";
    root.querySelector("select").value = "";
    change({ word: "", area: "", verdict: "", ...FIRST });
  };

  function filters() {
    const soon = later(150, () => change({ word: input.value.trim() }));
    const input = el("input", {
      type: "search",
      placeholder: "Part of a word",
      "aria-label": "Show words that contain",
      oninput: soon,
    });
    input.value = state.word;
    const select = el(
      "select",
      { "aria-label": "Verdict", onchange: () => change({ verdict: select.value }) },
      [
        ["", "all verdicts"],
        ["real", "real"],
        ["pseudo", "pseudo"],
        ["undecided", "undecided"],
      ].map(([value, label]) => el("option", { value, selected: value === state.verdict }, label)),
    );
    const inside = state.area
      ? el(
          "span",
          {},
          "Only what you drew around on the map. ",
          el("a", { href: "#/inventory", onclick: (event) => reset(event) }, "Show all pairs"),
        )
      : null;
    return el("div", { class: "toolbar" }, input, select, download, inside);
  }

  function rowsOrNone({ rows, doubt, neighbors }) {
    if (!rows.length) {
      return el(
        "p",
        { class: "note" },
        "No pair fits. ",
        el("a", { href: "#/inventory", onclick: reset }, "Show all pairs"),
        ".",
      );
    }
    const cells = (row) => [
      wordLink(row.word),
      bothSenses(row),
      sharedNeighbors(row, neighbors),
      probability(row.probability),
      verdictChip(row.verdict),
    ];
    const heads = Object.keys(COLUMNS).map(columnHead);
    return el(
      "div",
      {},
      doubt ? el("p", { class: "note" }, sentence(doubt)) : null,
      table("Sense pairs", heads, rows.map(cells), { class: "wide stacked" }),
    );
  }

  function columnHead(column) {
    const current = state.sort === column;
    const order = state.descending ? "descending" : "ascending";
    const sort = async () => {
      await change({ sort: column, descending: current ? !state.descending : column !== "word" });
      place.querySelector(`[data-column=${column}]`)?.focus();
    };
    return el(
      "th",
      { scope: "col", "aria-sort": current ? order : "none" },
      el(
        "button",
        { type: "button", "data-column": column, onclick: sort },
        COLUMNS[column],
        el(
          "span",
          { "aria-hidden": "true" },
          current ? (state.descending ? " \u2193" : " \u2191") : "",
        ),
      ),
    );
  }

  // the focus stays on the button, for the next page, or goes to the other one at the end
  async function turn(page, label) {
    await change({ page });
    const buttons = [...pager.querySelectorAll("button:enabled")];
    const same = buttons.find((button) => button.textContent === label);
    (same ?? buttons[0])?.focus({ preventScroll: true });
    place.scrollIntoView({ block: "start" });
  }

  function pages(total) {
    const last = Math.max(1, Math.ceil(total / ROWS));
    const from = Math.min(total, (state.page - 1) * ROWS + 1);
    const go = (label, page) =>
      el(
        "button",
        {
          type: "button",
          disabled: page < 1 || page > last,
          onclick: () => turn(page, label),
        },
        label,
      );
    return [
      go("Previous", state.page - 1),
      el(
        "p",
        { role: "status" },
        `${number(from)} to ${number(Math.min(total, state.page * ROWS))} of ${number(total)} pairs`,
      ),
      go("Next", state.page + 1),
    ];
  }

  await update();
}
