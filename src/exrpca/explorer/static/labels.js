// Where the labels of a picture go: beside their marks, without overlap; those without room are left out.

const LETTER = 6.4;
const HEIGHT = 14;
const GAP = 3;

// `marks` have x and y in pixels (upwards), a size, a text and its font size; those that come first
// choose first. Returns Plotly's text position for each, or null where there is no room.
export function placeLabels(marks, { width, height }) {
  const taken = marks.map(({ x, y, size }) => box(x, y, size, size));
  return marks.map((mark) => {
    for (const [position, label] of Object.entries(candidates(mark))) {
      const inside =
        label.left >= 0 && label.right <= width && label.bottom >= 0 && label.top <= height;
      if (inside && !taken.some((other) => overlap(label, other))) {
        taken.push(label);
        return position;
      }
    }
    return null;
  });
}

function candidates({ x, y, size, text, font }) {
  const scale = font / 12;
  const w = text.length * LETTER * scale;
  const h = HEIGHT * scale;
  const up = (size + h) / 2 + GAP;
  const side = (size + w) / 2 + GAP;
  return {
    "top center": box(x, y + up, w, h),
    "bottom center": box(x, y - up, w, h),
    "middle right": box(x + side, y, w, h),
    "middle left": box(x - side, y, w, h),
  };
}

const box = (x, y, w, h) => ({
  left: x - w / 2,
  right: x + w / 2,
  bottom: y - h / 2,
  top: y + h / 2,
});
const overlap = (a, b) =>
  a.left < b.right && b.left < a.right && a.bottom < b.top && b.bottom < a.top;
