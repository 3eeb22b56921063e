// An address that names no view.

import { el } from "../dom.js";
import { heading } from "../parts.js";

export const title = () => "Not found";

export function show(root) {
  root.append(
    heading("There is no such view"),
    el(
      "p",
      {},
      "The address may be mistyped. ",
      el("a", { href: "#/" }, "Go to the start page"),
      ".",
    ),
  );
}
