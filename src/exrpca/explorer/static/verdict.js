// The verdict on a word: in a sentence, and pair by pair with what decided.

import { counted, decimal, el, number } from "./dom.js";
import { verdictButtons } from "./judging.js";
import { probability, senseBadge, senseColor, sentence, sharedNeighbors, verdictChip } from "./parts.js";
import { table } from "./table.js";
import { term } from "./terms.js";

// "Probably 2 meanings: ibm, pc (0 + 2) · olive, fruit (1)"
export function verdictSentence({ meanings, fewest, pairs, induced }) {
  const most = meanings.length;
  const total = meanings.flatMap(({ senses }) => senses).length;
  if (total === 1)
    return el("p", { class: "verdict" }, "One sense: there is no pair to judge.");
  const yours = pairs.some((pair) => pair.yours !== null);
  const range = `${number(fewest)} ${most === fewest + 1 ? "or" : "to"} ${number(most)} meanings: `;
  const meaningsLeft = counted(most, "meaning", "meanings");
  const says = yours
    ? `By your verdict, ${fewest === most ? `${meaningsLeft}: ` : range}`
    : induced
      ? [term("induced", "Found in sentences"), `: ${meaningsLeft}: `]
      : fewest === most
        ? `Probably ${meaningsLeft}: `
        : `Undecided: ${range}`;
  return el(
    "p",
    { class: "verdict" },
    says,
    meanings.flatMap((meaning, i) => [i ? " \u00b7 " : "", named(meaning)]),
  );
}

function named({ senses, names }) {
  return el(
    "span",
    { class: "meaning", style: { "--color": senseColor(senses[0]) } },
    el("em", { class: "word" }, names.join(", ")),
    ` (${senses.length === 1 ? "sense" : "senses"} ${senses.join(" + ")})`,
  );
}

// What a sense is to the others of its word: the same meaning, perhaps the same, or another.
export function kinship(sense, { meanings, pairs }) {
  const joined = meanings.find(({ senses }) => senses.includes(sense)).senses;
  const others = joined.filter((each) => each !== sense);
  if (others.length) return ["Same meaning as ", ...listed(others)];
  const open = pairs
    .filter((pair) => (pair.yours ?? pair.verdict) === "undecided")
    .flatMap(({ sense_a, sense_b }) =>
      sense_a === sense ? [sense_b] : sense_b === sense ? [sense_a] : [],
    );
  if (open.length) return ["Undecided: same meaning as ", ...listed(open), "?"];
  return ["A meaning of its own"];
}

const listed = (senses) => senses.flatMap((sense, i) => [i ? ", " : "", senseBadge(sense)]);

// `given()` is called after a verdict of the person.
export function pairTable({ word, pairs, names, induced, doubt, neighbors }, given) {
  const badge = (sense) => senseBadge(sense, names[sense]);
  const rows = pairs.map((pair) => [
    el("span", { class: "both" }, badge(pair.sense_a), badge(pair.sense_b)),
    ...(induced ? [] : [sharedNeighbors(pair, neighbors), probability(pair.probability)]),
    verdictChip(pair.verdict),
    ...(given ? [verdictButtons(word, pair, given)] : []),
  ]);
  const heads = [
    "senses",
    ...(induced
      ? [term("induced", "verdict of induce")]
      : [term("shared neighbors"), term("two meanings"), "verdict"]),
    ...(given ? ["your verdict"] : []),
  ];
  const note = doubt ? el("p", { class: "note" }, sentence(doubt)) : null;
  return [note, table("Pairs of senses", heads, rows, { class: "stacked" })].filter(Boolean);
}

export function paperIndicator({ pairs, names }) {
  const badge = (sense) => senseBadge(sense, names[sense]);
  const rows = pairs.map((pair) => [
    el("span", { class: "both" }, badge(pair.sense_a), badge(pair.sense_b)),
    decimal(pair.outlier_norm),
  ]);
  return el(
    "details",
    {},
    el("summary", {}, "The paper\u2019s indicator"),
    table("Outlier norms", ["senses", term("outlier norm")], rows, { class: "stacked" }),
  );
}

export function mergingNote({ meanings, names }) {
  const n = meanings.flatMap(({ senses }) => senses).length;
  const joined = meanings.filter(({ senses }) => senses.length > 1);
  if (!joined.length)
    return el("p", { class: "note" }, term("merging", "Merging"), ` would keep ${n === 2 ? "both" : `all ${n}`} senses.`);
  return el(
    "p",
    { class: "note" },
    term("merging", "Merging"),
    ` would leave ${number(meanings.length)} of ${counted(n, "sense", "senses")}, joining `,
    ...joined.flatMap(({ senses }, i) => [
      i ? "; " : "",
      ...senses.flatMap((sense, j) => [j ? " + " : "", senseBadge(sense, names[sense])]),
    ]),
    ".",
  );
}
