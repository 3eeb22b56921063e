// Drawing around points: `done` gets the corners, in pixels.

import { svg } from "./dom.js";

const STEP = 8; // pixels between two corners

export function lasso(layer, done) {
  let corners = null;
  const line = svg("polygon", { points: "" });
  const picture = svg("svg", { class: "lasso", "aria-hidden": "true" }, line);
  layer.append(picture);
  const draw = () => line.setAttribute("points", (corners ?? []).map((c) => c.join()).join(" "));
  layer.addEventListener("pointerdown", (event) => {
    layer.setPointerCapture(event.pointerId);
    corners = [[event.offsetX, event.offsetY]];
    draw();
  });
  layer.addEventListener("pointermove", (event) => {
    if (!corners) return;
    const [x, y] = corners.at(-1);
    if (Math.hypot(event.offsetX - x, event.offsetY - y) < STEP) return;
    corners.push([event.offsetX, event.offsetY]);
    draw();
  });
  layer.addEventListener("pointerup", () => {
    const drawn = corners ?? [];
    corners = null;
    draw();
    if (drawn.length > 2) done(drawn);
  });
}
