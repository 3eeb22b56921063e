// Questions to the server. What is still being computed is asked for again until it is there.

import { broughtAnswer, isExported } from "./exported.js";
import { queryString } from "./routes.js";

const PAUSE = 400;

export class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

export const apiAddress = (path, parameters = {}) => `api/${path}${queryString(parameters)}`;

export async function ask(path, parameters, { signal, onWorking = () => {} } = {}) {
  if (isExported) return brought(path, parameters);
  for (;;) {
    const response = await request(apiAddress(path, parameters), { signal });
    const answer = await answerOf(response);
    if (response.status === 202) {
      onWorking(answer.working);
      await pause(signal);
    } else if (response.ok) {
      return answer;
    } else {
      throw new Problem(response.status, described(response, answer));
    }
  }
}

function brought(path, parameters) {
  const answer = broughtAnswer(path, parameters);
  if (answer === undefined)
    throw new Problem(404, "This page is a single file that does not contain this. The start page lists its words.");
  return answer;
}

// Tells the program something, and returns its answer.
export async function tell(path, what) {
  const response = await request(apiAddress(path), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(what),
  });
  const answer = await answerOf(response);
  if (!response.ok) throw new Problem(response.status, described(response, answer));
  return answer;
}

async function request(address, options) {
  try {
    return await fetch(address, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(
      0,
      "The program has been stopped. Start \u201cexrpca explore\u201d again and reload this page.",
    );
  }
}

async function answerOf(response) {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) return {}; // an error page instead of JSON
    throw error;
  }
}

function described(response, answer) {
  if (typeof answer.detail === "string") return answer.detail;
  // a list of what is wrong with each parameter
  if (Array.isArray(answer.detail))
    return answer.detail.map((each) => `${each.loc.at(-1)}: ${each.msg}`).join("; ");
  return `The program answered ${response.status} ${response.statusText}.`;
}

function pause(signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, PAUSE);
    signal?.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
