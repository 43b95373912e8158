// Where one looks: screen = drawing × scale + (x, y). Pure: the tests run it in Node.

const SLACK = 0.85; // how much farther than the whole drawing one may go

const clamp = (value, low, high) => Math.min(Math.max(value, Math.min(low, high)), Math.max(low, high));

/** Returns the box {x0, y0, x1, y1} around points [x, y]. */
export function boxOf(points) {
  const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (const [x, y] of points) {
    if (x < box.x0) box.x0 = x;
    if (x > box.x1) box.x1 = x;
    if (y < box.y0) box.y0 = y;
    if (y > box.y1) box.y1 = y;
  }
  return box;
}

/** Returns the box around boxes. */
export const boxAround = (boxes) =>
  boxOf(
    boxes.flatMap((b) => [
      [b.x0, b.y0],
      [b.x1, b.y1]
    ])
  );

export class Camera {
  constructor() {
    Object.assign(this, { scale: 1, x: 0, y: 0, width: 0, height: 0, scaleMax: 10, margin: 16 });
    this.home = { x0: 0, y0: 0, x1: 1, y1: 1 };
  }

  get view() {
    return { scale: this.scale, x: this.x, y: this.y };
  }

  set view({ scale, x, y }) {
    Object.assign(this, { scale, x, y });
  }

  /** The scale that shows everything. */
  get homeScale() {
    return this.fitted(this.home).scale;
  }

  /** Whether everything is seen. */
  get showsAll() {
    const { x0, y0, x1, y1 } = this.home;
    const [from, to] = [this.toScreen(x0, y0), this.toScreen(x1, y1)];
    return from.x >= -1 && from.y >= -1 && to.x <= this.width + 1 && to.y <= this.height + 1;
  }

  /** Returns the view that shows a box whole, no nearer than `scaleMax`. */
  fitted(box, scaleMax = this.scaleMax) {
    const room = (size) => Math.max(1, size - 2 * this.margin);
    const [wide, high] = [box.x1 - box.x0 || 1, box.y1 - box.y0 || 1];
    const scale = Math.min(room(this.width) / wide, room(this.height) / high, scaleMax);
    return {
      scale,
      x: this.width / 2 - (scale * (box.x0 + box.x1)) / 2,
      y: this.height / 2 - (scale * (box.y0 + box.y1)) / 2
    };
  }

  toDrawing(x, y) {
    return { x: (x - this.x) / this.scale, y: (y - this.y) / this.scale };
  }

  toScreen(x, y) {
    return { x: x * this.scale + this.x, y: y * this.scale + this.y };
  }

  /** Returns the view after zooming by `factor` around a point of the screen, within the bounds. */
  zoomed(factor, at = { x: this.width / 2, y: this.height / 2 }) {
    const scale = clamp(this.scale * factor, this.homeScale * SLACK, this.scaleMax);
    const by = scale / this.scale;
    return this.inside({ scale, x: at.x - (at.x - this.x) * by, y: at.y - (at.y - this.y) * by });
  }

  panned(dx, dy) {
    return this.inside({ scale: this.scale, x: this.x + dx, y: this.y + dy });
  }

  /**
   * Returns the view moved just so far that a point of the drawing lies `margin` px inside of what is seen: `top` and
   * `bottom` px are covered.
   */
  reaching(x, y, margin, { top = 0, bottom = 0 } = {}) {
    const at = this.toScreen(x, y);
    const off = (value, size) => clamp(value, Math.min(margin, size / 2), Math.max(size - margin, size / 2)) - value;
    const down = off(at.y - top, this.height - top - bottom);
    return { scale: this.scale, x: this.x + off(at.x, this.width), y: this.y + down };
  }

  /** Keeps some of the drawing under the middle of the screen. */
  inside({ scale, x, y }) {
    const { x0, y0, x1, y1 } = this.home;
    return {
      scale,
      x: clamp(x, this.width / 2 - scale * x1, this.width / 2 - scale * x0),
      y: clamp(y, this.height / 2 - scale * y1, this.height / 2 - scale * y0)
    };
  }
}

/** Returns the view at `t` of 0 to 1 on the way between two: around the one point that stays where it is. */
export function between(a, b, t) {
  const scale = a.scale * (b.scale / a.scale) ** t;
  const change = a.scale - b.scale;
  if (Math.abs(change) < a.scale * 1e-3) {
    return { scale, x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
  }
  const passed = (a.scale - scale) / change;
  return { scale, x: a.x + (b.x - a.x) * passed, y: a.y + (b.y - a.y) * passed };
}
