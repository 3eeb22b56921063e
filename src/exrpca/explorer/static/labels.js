// Where the labels of a picture go: beside their marks, without overlap; those without room are left out.

const LETTER = 6.4;
const HEIGHT = 14;
const GAP = 3;

// `marks` have x and y in pixels, a size, a text and its font size; those that come first choose
// first. Returns the side of each mark that its label is on, with the label's middle, or null where
// there is no room.
export function placeLabels(marks, { width, height }) {
  const taken = marks.map(({ x, y, size }) => box(x, y, size, size));
  return marks.map((mark) => {
    for (const [side, x, y] of sides(mark)) {
      const label = box(x, y, ...extent(mark));
      const inside =
        label.left >= 0 && label.right <= width && label.top >= 0 && label.bottom <= height;
      if (inside && !taken.some((other) => overlap(label, other))) {
        taken.push(label);
        return { side, x, y };
      }
    }
    return null;
  });
}

const extent = ({ text, font }) => [(text.length * LETTER * font) / 12, (HEIGHT * font) / 12];

function sides({ x, y, size, ...label }) {
  const [w, h] = extent(label);
  const up = (size + h) / 2 + GAP;
  const side = (size + w) / 2 + GAP;
  return [
    ["above", x, y - up],
    ["below", x, y + up],
    ["right", x + side, y],
    ["left", x - side, y],
  ];
}

const box = (x, y, w, h) => ({
  left: x - w / 2,
  right: x + w / 2,
  top: y - h / 2,
  bottom: y + h / 2,
});
const overlap = (a, b) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
