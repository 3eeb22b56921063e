// The page as one file: it brings the answers to all questions that it can ask.

const element = document.getElementById("answers");
const answers = element && JSON.parse(element.textContent);

export const isExported = answers !== null;

// Returns the answer that the file brings, or undefined. Questions are named as in `export.py`.
export function broughtAnswer(path, parameters = {}) {
  if (path === "words") return begun(parameters.beginning);
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== "");
  const named = given.map(([name, value]) => [name, String(value)]);
  return answers[JSON.stringify([path, ...named.sort(([a], [b]) => (a < b ? -1 : 1))])];
}

function begun(beginning) {
  const { exported } = broughtAnswer("about");
  const typed = beginning.toLowerCase();
  return exported
    .filter((word) => word.toLowerCase().startsWith(typed))
    .map((word) => ({ word, senses: broughtAnswer("word", { word, n: 10 }).senses.length }));
}
