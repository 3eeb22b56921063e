// The person's own verdict on a pair, by button or by key.

import { tell } from "./api.js";
import { counted, el, number } from "./dom.js";

export const KEYS = { r: "real", p: "pseudo", u: "undecided" };
const ANSWERS = { real: "two meanings", pseudo: "one meaning", undecided: "cannot tell" };

// Three buttons; the pressed one is the verdict given, and pressing it again takes it back.
// `given(verdict)` is called when the program has kept it.
export function verdictButtons(word, pair, given, { keys = false } = {}) {
  const { sense_a, sense_b, yours } = pair;
  const give = async (verdict) => {
    const kept = verdict === yours ? null : verdict;
    await tell("verdicts/given", { word, sense_a, sense_b, verdict: kept });
    given(kept);
  };
  return el(
    "span",
    { class: "judging", role: "group", "aria-label": `Your verdict on ${sense_a} and ${sense_b}` },
    Object.entries(KEYS).map(([key, verdict]) =>
      el(
        "button",
        {
          type: "button",
          class: verdict,
          "aria-pressed": String(verdict === yours),
          "aria-keyshortcuts": keys ? key : null,
          onclick: () => give(verdict),
        },
        keys ? [`${ANSWERS[verdict]} `, el("small", {}, verdict)] : verdict,
        keys ? el("kbd", { "aria-hidden": "true" }, key.toUpperCase()) : null,
      ),
    ),
  );
}

export function agreementNote({ file, given, agreed, decided }) {
  const parts = [];
  if (decided)
    parts.push(
      `You and the detector both decided ${counted(decided, "pair", "pairs")}, and agree on ${number(agreed)}.`,
    );
  if (given)
    parts.push(
      file
        ? `Your verdicts are kept in ${file}.`
        : "Your verdicts are lost when the program stops: start it with --verdicts FILE to keep them.",
    );
  return parts.join(" ");
}
