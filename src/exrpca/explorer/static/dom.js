// Elements are made by hand: a word is only ever a text node, never HTML.

export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style")
      for (const [key, v] of Object.entries(value)) element.style.setProperty(key, v);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function svg(tag, properties, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null));
  return element;
}

// The value of a color such as --ink, for those who cannot read it by themselves.
export const color = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const whole = new Intl.NumberFormat("en");
export const number = (value) => whole.format(value);
export const decimal = (value, digits = 2) =>
  (Number(value.toFixed(digits)) || 0).toFixed(digits).replace("-", "\u2212");
export const percent = (value) => {
  if (value > 0 && value < 0.01) return "< 1%";
  if (value < 1 && value > 0.99) return "> 99%";
  return `${Math.round(100 * value)}%`;
};
export const signed = (value, digits) =>
  (Number(value.toFixed(digits)) > 0 ? "+" : "") + decimal(value, digits);
export const counted = (n, one, many) => `${number(n)} ${n === 1 ? one : many}`;

export function later(milliseconds, action) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
}
