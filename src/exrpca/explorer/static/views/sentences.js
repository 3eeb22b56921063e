// A word's sentences by sense: choose some and move them, join senses, name a sense, take it back.

import { apiAddress, ask, tell } from "../api.js";
import { counted, el, number } from "../dom.js";
import { fill, heading, problem, senseBadge, senseColor, wordLink } from "../parts.js";
import { address } from "../routes.js";

const NOISE = -1;
const AT_FIRST = 100; // sentences of a sense, before all are asked for

export const title = ({ word }) => (word ? `Sentences of ${word}` : "Sentences");

export function show(root, context) {
  return context.word ? showWord(root, context) : showWords(root, context);
}

function showWords(root, { signal }) {
  const section = el("section");
  root.append(heading("Sentences", el("p", { class: "lead" }, "Choose a word to correct the senses of its sentences.")), section);
  return fill(
    section,
    (onWorking) => ask("sentences/words", {}, { signal, onWorking }),
    (words) =>
      el(
        "ul",
        { class: "words" },
        Object.entries(words).map(([word, n]) =>
          el("li", {}, el("a", { class: "word", href: address("sentences", word) }, word), el("small", {}, ` ${number(n)}`)),
        ),
      ),
  );
}

async function showWord(root, { word, signal }) {
  const state = { chosen: new Set(), all: new Set(), found: null };
  const status = el("p", { class: "note", role: "status" });
  const actions = el("div", { class: "toolbar moving", role: "group", "aria-label": "Move the chosen sentences" });
  const place = el("div", { class: "senses" });
  root.append(
    heading(
      ["Sentences of ", wordLink(word)],
      el("p", { class: "lead" }, "Choose sentences and move them to the sense that they show. Keys: the number of a sense, N for a new one, X for noise, U to undo."),
    ),
    actions,
    status,
    place,
  );
  const draw = (found) => {
    state.found = found;
    state.chosen.clear();
    const senses = found.senses.filter(({ sense }) => sense !== NOISE);
    place.replaceChildren(...found.senses.map((each) => panel(each, senses, state, { correct, choose, redraw })));
    drawActions();
    status.textContent = kept(found);
  };
  const redraw = () => draw(state.found);
  const send = async (path, what) => {
    try {
      const found = await tell(`sentences/${path}`, what);
      if (!found) return;
      if (found.word === word) draw(found);
      else location.hash = address("sentences", found.word);
    } catch (error) {
      status.replaceChildren(problem(error));
    }
  };
  const correct = (what) => send("correct", { word, ...what });
  const move = (to) => {
    if (state.chosen.size) correct({ action: "move", to, occurrences: [...state.chosen] });
  };
  const choose = (id, isChosen) => {
    if (isChosen) state.chosen.add(id);
    else state.chosen.delete(id);
    for (const button of actions.querySelectorAll("[data-to]")) button.disabled = !state.chosen.size;
  };
  const fresh = () => Math.max(NOISE, ...state.found.senses.map(({ sense }) => sense)) + 1;
  const drawActions = () => {
    const button = (to, ...label) =>
      el("button", { type: "button", "data-to": to, disabled: true, onclick: () => move(to) }, ...label);
    const senses = state.found.senses.filter(({ sense }) => sense !== NOISE);
    actions.replaceChildren(
      el("span", {}, "Move to"),
      ...senses.map(({ sense, name }) => button(sense, senseBadge(sense, name ? [name] : []))),
      button(fresh(), "a new sense ", el("kbd", { "aria-hidden": "true" }, "N")),
      button(NOISE, "noise ", el("kbd", { "aria-hidden": "true" }, "X")),
      el(
        "button",
        { type: "button", disabled: !state.found.steps, onclick: () => send("undo", {}) },
        "Undo ",
        el("kbd", { "aria-hidden": "true" }, "U"),
      ),
      el("a", { class: "button", href: apiAddress("sentences/corrected.csv"), download: "" }, "Corrected table (CSV)"),
    );
  };
  const pressed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input:not([type=checkbox]), textarea, select")) return;
    const key = event.key.toLowerCase();
    const to = /^[0-9]$/.test(key) ? Number(key) : { n: fresh(), x: NOISE }[key];
    if (key === "u") send("undo", {});
    else if (to !== undefined) move(to);
  };
  draw(await ask("sentences", { word }, { signal }));
  addEventListener("keydown", pressed, { signal });
}

function kept({ steps, file }) {
  if (!steps) return "Nothing is corrected yet.";
  const where = file
    ? `kept in ${file}`
    : "lost when the program stops: start it with --corrections FILE to keep them";
  return `${counted(steps, "correction", "corrections")}, ${where}.`;
}

function panel({ sense, name, sentences }, senses, state, { correct, choose, redraw }) {
  const shown = state.all.has(sense) ? sentences : sentences.slice(0, AT_FIRST);
  const label = sense === NOISE ? "Noise" : `Sense ${sense}`;
  return el(
    "section",
    { class: "panel", "aria-label": label, style: { "--color": senseColor(Math.max(0, sense)) } },
    el(
      "header",
      {},
      el("h2", {}, sense === NOISE ? "Noise" : senseBadge(sense), ` ${counted(sentences.length, "sentence", "sentences")}`),
      sense === NOISE ? null : controls(sense, name, senses, correct),
    ),
    el("ul", { class: "sentences" }, shown.map((each) => row(each, choose))),
    shown.length < sentences.length
      ? el(
          "button",
          {
            type: "button",
            onclick: () => {
              state.all.add(sense);
              redraw();
            },
          },
          `Show all ${number(sentences.length)}`,
        )
      : null,
  );
}

function controls(sense, name, senses, correct) {
  const box = el("input", {
    type: "text",
    value: name,
    maxlength: 200,
    placeholder: "Name this sense",
    "aria-label": `Name of sense ${sense}`,
    onchange: () => correct({ action: "name", sense, name: box.value }),
  });
  const others = senses.filter((each) => each.sense !== sense);
  const join = el(
    "select",
    {
      "aria-label": `Join sense ${sense} with`,
      onchange: () => correct({ action: "join", sense, to: Number(join.value) }),
    },
    el("option", { value: "" }, "Join with"),
    others.map((each) => el("option", { value: each.sense }, each.name || `sense ${each.sense}`)),
  );
  return el("div", { class: "naming" }, box, others.length ? join : null);
}

function row({ id, left, target, right, source, corrected }, choose) {
  const box = el("input", { type: "checkbox", onchange: () => choose(id, box.checked) });
  return el(
    "li",
    { class: corrected ? "corrected" : null },
    el(
      "label",
      {},
      box,
      el("span", { class: "word" }, left, el("strong", {}, target), right),
      corrected ? el("em", {}, "corrected") : null,
      source ? el("small", {}, source) : null,
    ),
  );
}
