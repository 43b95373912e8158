// Fingers, mouse and wheel on the map, as the movements that they mean.

const DRAG_PX = 8; // less is a tap
const DOUBLE_MS = 300;
const DOUBLE_PX = 30;
const LINE_PX = 16; // of wheels that count in lines

/**
 * Listens on `element` and calls `on`: pan(dx, dy, where one finger is), zoom(factor, at), tap(at, type), twice(at),
 * hover(at or null), rest() after each movement, and takesWheel(event). `tap` returns whether it did something, so that
 * a second one is not a double tap.
 */
export class Gestures {
  constructor(element, on) {
    Object.assign(this, { element, on, pointers: new Map(), travel: 0, lastTap: null });
    element.addEventListener('pointerdown', (e) => this.down(e));
    element.addEventListener('pointermove', (e) => this.move(e));
    element.addEventListener('pointerup', (e) => this.up(e, true));
    element.addEventListener('pointercancel', (e) => this.up(e, false));
    element.addEventListener('pointerleave', () => on.hover(null));
    element.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
  }

  at(e) {
    const box = this.element.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  }

  wheel(e) {
    if (!this.on.takesWheel(e)) return;
    e.preventDefault();
    const lines = e.deltaMode ? LINE_PX : 1;
    const speed = e.ctrlKey ? 0.01 : 0.0018; // a trackpad's pinch comes as a wheel with Ctrl
    const delta = Math.max(-240, Math.min(240, e.deltaY * lines));
    this.on.zoom(Math.exp(-delta * speed), this.at(e));
    this.on.rest();
  }

  down(e) {
    if (e.button) return;
    this.element.setPointerCapture(e.pointerId);
    if (!this.pointers.size) this.travel = 0;
    this.pointers.set(e.pointerId, this.at(e));
  }

  move(e) {
    const before = this.pointers.get(e.pointerId);
    const now = this.at(e);
    if (!before) {
      if (e.pointerType === 'mouse') this.on.hover(now);
      return;
    }
    if (this.pointers.size === 1) {
      this.travel += Math.hypot(now.x - before.x, now.y - before.y);
      if (this.travel > DRAG_PX) this.on.pan(now.x - before.x, now.y - before.y, now);
    } else {
      this.travel = Infinity;
      const other = [...this.pointers].find(([id]) => id !== e.pointerId)[1];
      const apart = (p) => Math.hypot(p.x - other.x, p.y - other.y) || 1;
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      this.on.zoom(apart(now) / apart(before), middle);
      this.on.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    }
    this.pointers.set(e.pointerId, now);
  }

  up(e, ended) {
    if (!this.pointers.delete(e.pointerId) || this.pointers.size) return;
    if (!ended || this.travel > DRAG_PX) this.on.rest();
    else this.tapped(this.at(e), e.pointerType);
  }

  tapped(at, type) {
    const last = this.lastTap;
    const now = performance.now();
    const near = last && Math.hypot(last.at.x - at.x, last.at.y - at.y) < DOUBLE_PX;
    if (near && now - last.when < DOUBLE_MS && !last.done) {
      this.lastTap = null;
      this.on.twice(at);
    } else this.lastTap = { at, when: now, done: this.on.tap(at, type) };
    this.on.rest();
  }
}
