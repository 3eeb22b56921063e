// Which labels of a picture can be read: those that lie on another are left out.

const LETTER = 6.6;
const HEIGHT = 15;

// Returns for each label whether it is shown; strong ones come first, then in the order given.
export function legible(labels, pixels) {
  const order = labels.map((_, i) => i).sort((a, b) => Number(labels[b].strong) - Number(labels[a].strong));
  const taken = [];
  const shown = labels.map(() => false);
  for (const i of order) {
    const box = boxOf(labels[i], pixels);
    shown[i] = !taken.some((other) => overlap(box, other));
    if (shown[i]) taken.push(box);
  }
  return shown;
}

function boxOf({ x, y, text, strong }, pixels) {
  const half = (text.length * LETTER * (strong ? 1.3 : 1)) / 2;
  const middle = { x: x * pixels.x, y: y * pixels.y + HEIGHT };
  return { left: middle.x - half, right: middle.x + half, bottom: middle.y - HEIGHT / 2, top: middle.y + HEIGHT / 2 };
}

const overlap = (a, b) => a.left < b.right && b.left < a.right && a.bottom < b.top && b.bottom < a.top;
