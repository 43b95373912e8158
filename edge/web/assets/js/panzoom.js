// Moving and scaling a drawing with one or two fingers, a mouse or a wheel.

const DRAG_PX = 8; // less is a tap

/** Keeps {scale, x, y} within bounds; calls `changed` after moves and `tap(x, y)` in drawing units. */
export class PanZoom {
  constructor(element, { changed, tap }) {
    this.element = element;
    this.changed = changed;
    this.tap = tap;
    this.pointers = new Map();
    this.travel = 0;
    Object.assign(this, { scale: 1, x: 0, y: 0, scaleMin: 0.1, scaleMax: 10 });
    element.addEventListener('pointerdown', (e) => this.down(e));
    element.addEventListener('pointermove', (e) => this.move(e));
    element.addEventListener('pointerup', (e) => this.up(e, true));
    element.addEventListener('pointercancel', (e) => this.up(e, false));
    element.addEventListener(
      'wheel',
      (e) => {
        e.preventDefault();
        this.zoom(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0015)), this.at(e));
      },
      { passive: false }
    );
  }

  at(e) {
    const box = this.element.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  }

  /** Shows a box of drawing units whole; it becomes the farthest view. */
  fit(box, width, height, margin) {
    this.home = { box, width, height, margin };
    const scale = Math.min(
      (width - 2 * margin) / (box.x1 - box.x0 || 1),
      (height - 2 * margin) / (box.y1 - box.y0 || 1)
    );
    this.scaleMin = scale * 0.8;
    this.scale = scale;
    this.x = width / 2 - (scale * (box.x0 + box.x1)) / 2;
    this.y = height / 2 - (scale * (box.y0 + box.y1)) / 2;
    this.changed();
  }

  toDrawing({ x, y }) {
    return { x: (x - this.x) / this.scale, y: (y - this.y) / this.scale };
  }

  zoom(factor, around) {
    const { width, height } = this.home;
    const centre = around || { x: width / 2, y: height / 2 };
    const scale = Math.min(this.scaleMax, Math.max(this.scaleMin, this.scale * factor));
    const by = scale / this.scale;
    this.x = centre.x - (centre.x - this.x) * by;
    this.y = centre.y - (centre.y - this.y) * by;
    this.scale = scale;
    this.keepInside();
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.keepInside();
  }

  keepInside() {
    const { box, width, height } = this.home;
    const clamp = (value, low, high) => Math.min(Math.max(value, Math.min(low, high)), Math.max(low, high));
    this.x = clamp(this.x, width / 2 - this.scale * box.x1, width / 2 - this.scale * box.x0);
    this.y = clamp(this.y, height / 2 - this.scale * box.y1, height / 2 - this.scale * box.y0);
    this.changed();
  }

  down(e) {
    if (e.button) return;
    this.element.setPointerCapture(e.pointerId);
    if (!this.pointers.size) this.travel = 0;
    this.pointers.set(e.pointerId, this.at(e));
  }

  move(e) {
    const before = this.pointers.get(e.pointerId);
    if (!before) return;
    const now = this.at(e);
    if (this.pointers.size === 1) {
      this.travel += Math.hypot(now.x - before.x, now.y - before.y);
      if (this.travel > DRAG_PX) this.pan(now.x - before.x, now.y - before.y);
    } else {
      this.travel = Infinity;
      const other = [...this.pointers].find(([id]) => id !== e.pointerId)[1];
      const apart = (p) => Math.hypot(p.x - other.x, p.y - other.y) || 1;
      this.zoom(apart(now) / apart(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    }
    this.pointers.set(e.pointerId, now);
  }

  up(e, ended) {
    if (!this.pointers.delete(e.pointerId)) return;
    if (ended && !this.pointers.size && this.travel <= DRAG_PX) this.tap(this.toDrawing(this.at(e)));
  }
}
