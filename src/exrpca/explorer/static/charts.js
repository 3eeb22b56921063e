// Pictures: Plotly's script is fetched when the first one is drawn, and follows the page's colors.

import { working } from "./parts.js";

let loading = null;

function plotly() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = "plotly.js";
    script.onload = () => resolve(window.Plotly);
    script.onerror = () =>
      reject(
        new Error("Plotly\u2019s script could not be loaded: is the package plotly installed?"),
      );
    document.head.append(script);
  });
  return loading;
}

// The value of a color such as var(--ink), which Plotly cannot read by itself.
export function color(name) {
  const variable = name.replace(/^var\(|\)$/g, "");
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}

function frame(layout, width) {
  const axis = {
    color: color("--muted"),
    gridcolor: color("--line"),
    zeroline: false,
    linecolor: color("--line"),
    automargin: true,
  };
  const { xaxis, yaxis, ...others } = layout;
  return {
    width,
    paper_bgcolor: "transparent",
    plot_bgcolor: "transparent",
    font: { family: "system-ui, sans-serif", size: 13, color: color("--ink") },
    margin: { l: 8, r: 8, t: 8, b: 8 },
    hoverlabel: {
      bgcolor: color("--raised"),
      bordercolor: color("--line"),
      font: { color: color("--ink") },
    },
    xaxis: { ...axis, ...xaxis },
    yaxis: { ...axis, ...yaxis },
    ...others,
  };
}

// Draws `picture()`, which returns {data, layout}, and draws it again when the colors or the
// width change; `onClick` gets the point that was clicked.
export async function chart(element, picture, { onClick, signal } = {}) {
  const waiting = working("Loading the chart");
  if (!window.Plotly) element.replaceChildren(waiting);
  const Plotly = await plotly();
  waiting.remove();
  const draw = async () => {
    const { data, layout } = picture(element);
    await Plotly.react(element, data, frame(layout, element.clientWidth), {
      displayModeBar: false,
      responsive: false,
    });
  };
  await draw();
  if (onClick) element.on("plotly_click", (event) => onClick(event.points[0]));
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", draw, { signal });
  let width = element.clientWidth;
  const observer = new ResizeObserver(() => {
    if (element.clientWidth === width || !element.isConnected) return;
    width = element.clientWidth;
    draw();
  });
  observer.observe(element);
  signal?.addEventListener("abort", () => {
    observer.disconnect();
    Plotly.purge(element);
  });
  return draw;
}
