// Going back shows a view where it was left: the place is kept with the entry of the history.

import { later } from "./dom.js";

const PATIENCE = 30000;

history.scrollRestoration = "manual";

const note = () => history.replaceState({ ...history.state, scroll: scrollY }, "");

// Emptying a page scrolls it as well. Whoever has gone on or back since then is at another entry,
// whose place must not be lost.
const noteSoon = later(100, (scrolled) => {
  if (location.href === scrolled) note();
});
addEventListener("scroll", () => noteSoon(location.href));
// a link that is followed right after scrolling does not wait for that
addEventListener("click", note, { capture: true });

// Scrolls to where a view was left, again with each part that arrives: it moves what is below it.
export function restoreScroll(place, signal) {
  scrollTo(0, place);
  if (!place) return;
  const observer = new ResizeObserver(() => scrollTo(0, place));
  observer.observe(document.body);
  const stop = () => observer.disconnect();
  setTimeout(stop, PATIENCE);
  signal.addEventListener("abort", stop);
  // whoever does something in the meantime may want to be elsewhere
  for (const own of ["wheel", "touchmove", "keydown", "pointerdown"])
    addEventListener(own, stop, { once: true, signal });
}
