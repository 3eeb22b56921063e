// Opens the view that the address names.

import { ask } from "./api.js";
import { counted } from "./dom.js";
import { isExported } from "./exported.js";
import { problem } from "./parts.js";
import { address, parse, rewrite } from "./routes.js";
import { restoreScroll } from "./scroll.js";
import { searchBox } from "./search.js";
import * as directions from "./views/directions.js";
import * as everything from "./views/everything.js";
import * as home from "./views/home.js";
import * as inventory from "./views/inventory.js";
import * as judge from "./views/judge.js";
import * as map from "./views/map.js";
import * as missing from "./views/missing.js";
import * as scores from "./views/scores.js";
import * as sentences from "./views/sentences.js";
import * as word from "./views/word.js";

const VIEWS = { home, word, sentences, map, everything, judge, directions, inventory, scores };
const PROGRESS_EVERY = 1500;

const root = document.getElementById("view");
const search = document.getElementById("search");
let open = new AbortController();
let about = null;

async function show() {
  open.abort();
  open = new AbortController();
  const { signal } = open;
  const route = parse(location.hash);
  if (route.word === "") {
    // "#/word/" names no word: the start page offers some
    rewrite(address(""));
    return show();
  }
  const view = VIEWS[route.view] ?? missing;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === route.view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = [view.title(route), about.name, "exrpca"].filter(Boolean).join(" \u00b7 ");
  // a place of its own: what a view left behind still adds to it is seen by nobody
  const place = document.createElement("div");
  const left = history.state?.scroll ?? 0; // emptying the page scrolls it
  root.replaceChildren(place);
  restoreScroll(left, signal);
  try {
    await view.show(place, { ...route, about, signal });
  } catch (error) {
    if (!signal.aborted) place.append(problem(error));
  }
  // for those who hear the page, unless they are typing
  if (!signal.aborted && document.activeElement === document.body)
    place.querySelector("h1")?.focus({ preventScroll: true });
}

async function showProgress() {
  const { working } = await ask("about").catch(() => ({ working: [] }));
  const others = working.length > 1 ? ` and ${working.length - 1} more` : "";
  document.getElementById("working").textContent = working.length
    ? `${working[0]}${others} \u2026`
    : "";
  if (working.length) setTimeout(showProgress, PROGRESS_EVERY);
}

searchBox(search, document.getElementById("completions"), (chosen) => {
  search.blur();
  location.hash = address("word", chosen);
});
// its address must not take the place of the view's
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  root.focus();
});
// inside a notebook, "#" alone would lead to the notebook
document.addEventListener("click", (event) => {
  const hash = event.target.closest?.("a[href^='#/']")?.getAttribute("href");
  if (!hash || location.protocol !== "about:") return;
  event.preventDefault();
  location.hash = hash;
});
document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, textarea, select");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    search.focus();
  }
});

try {
  about = await ask("about");
  document.querySelector("nav [data-view=sentences]").hidden = !about.sentences;
  if (isExported)
    for (const link of document.querySelectorAll(".bar nav a"))
      link.hidden = link.dataset.view !== "everything" || !about.with_map;
  document.getElementById("file").textContent =
    `${about.name}: ${counted(about.words, "word", "words")}, ${counted(about.senses, "sense", "senses")}, ${about.dimensions} dimensions`;
  window.addEventListener("hashchange", show);
  await show();
  showProgress();
} catch (error) {
  root.replaceChildren(problem(error));
}
