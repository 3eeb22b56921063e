// The search box with completion, in the header of every view and on the map.

import { ask } from "./api.js";
import { counted, el } from "./dom.js";

// `choose(word)` is called for a completion picked, or for what was typed in full.
export function searchBox(input, list, choose) {
  let active = -1;
  let asked = null;

  const options = () => [...list.children];
  const close = () => {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const pick = (word) => {
    asked?.abort();
    input.value = "";
    close();
    choose(word);
  };
  const mark = (index) => {
    active = index;
    for (const [i, option] of options().entries())
      option.setAttribute("aria-selected", String(i === active));
    const option = options()[active];
    if (option) {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  };
  const complete = async () => {
    asked?.abort();
    const beginning = input.value.trim();
    if (!beginning) return close();
    asked = new AbortController();
    const words = await ask("words", { beginning, limit: 8 }, asked).catch(() => null);
    if (words === null) return;
    // an answer that comes late must not take away what is marked
    const marked = options()[active]?.dataset.word;
    list.replaceChildren(
      ...words.map(({ word, senses }, i) =>
        el(
          "li",
          {
            id: `${list.id}-${i}`,
            role: "option",
            "aria-selected": "false",
            "data-word": word,
            onpointerdown: (event) => {
              event.preventDefault();
              pick(word);
            },
          },
          el("span", { class: "word" }, word),
          el("small", {}, counted(senses, "sense", "senses")),
        ),
      ),
    );
    if (!words.length)
      list.replaceChildren(
        el(
          "li",
          { class: "none", role: "option", "aria-disabled": "true" },
          "No word begins like this",
        ),
      );
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    mark(words.findIndex(({ word }) => word === marked));
  };
  const step = (by) => {
    const n = options().filter((option) => option.dataset.word !== undefined).length;
    if (n) mark((active + by + (active < 0 && by < 0 ? 1 : 0) + n) % n);
  };

  input.addEventListener("input", complete);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) complete();
      else step(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const word = options()[active]?.dataset.word ?? input.value.trim();
      if (word) pick(word);
    } else if (event.key === "Escape") close();
  });
}

// A search box of its own, with a place for its completions.
export function wordField(label, id, choose) {
  const input = el("input", {
    type: "search",
    placeholder: label,
    "aria-label": label,
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": id,
    "aria-autocomplete": "list",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
  });
  const list = el("ul", { id, role: "listbox", "aria-label": "Words", hidden: true });
  searchBox(input, list, choose);
  return el("div", { class: "search small" }, input, list);
}
