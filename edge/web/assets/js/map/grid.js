// Which of many points is nearest: they lie in the cells of a grid.

const IN_CELL = 8; // points, on average

export class Grid {
  /** `xs`, `ys`: coordinates by index. */
  constructor(xs, ys) {
    Object.assign(this, { xs, ys });
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < xs.length; i++) {
      x0 = Math.min(x0, xs[i]);
      x1 = Math.max(x1, xs[i]);
      y0 = Math.min(y0, ys[i]);
      y1 = Math.max(y1, ys[i]);
    }
    const [wide, high] = [x1 - x0 || 1, y1 - y0 || 1];
    this.size = Math.sqrt((wide * high * IN_CELL) / Math.max(1, xs.length)) || 1;
    this.columns = Math.min(4096, Math.floor(wide / this.size) + 1);
    this.lines = Math.min(4096, Math.floor(high / this.size) + 1);
    Object.assign(this, { x0, y0 });
    this.starts = new Uint32Array(this.columns * this.lines + 1);
    for (let i = 0; i < xs.length; i++) this.starts[this.cellOf(xs[i], ys[i]) + 1]++;
    for (let cell = 0; cell < this.starts.length - 1; cell++) this.starts[cell + 1] += this.starts[cell];
    const next = this.starts.slice();
    this.items = new Uint32Array(xs.length);
    for (let i = 0; i < xs.length; i++) this.items[next[this.cellOf(xs[i], ys[i])]++] = i;
  }

  column(x) {
    return Math.max(0, Math.min(this.columns - 1, Math.floor((x - this.x0) / this.size)));
  }

  line(y) {
    return Math.max(0, Math.min(this.lines - 1, Math.floor((y - this.y0) / this.size)));
  }

  cellOf(x, y) {
    return this.line(y) * this.columns + this.column(x);
  }

  /** Calls `see` with the index of each point in the cells that a box touches. */
  within({ x0, y0, x1, y1 }, see) {
    const [from, to] = [this.column(x0), this.column(x1)];
    for (let line = this.line(y0); line <= this.line(y1); line++) {
      const end = this.starts[line * this.columns + to + 1];
      for (let at = this.starts[line * this.columns + from]; at < end; at++) see(this.items[at]);
    }
  }

  /** Returns the index of the point nearest to (x, y) within `reach`, or -1; `more(i)` is added to a distance. */
  nearest(x, y, reach, more = () => 0) {
    let best = -1;
    let least = reach;
    this.within({ x0: x - reach, y0: y - reach, x1: x + reach, y1: y + reach }, (i) => {
      const away = Math.hypot(this.xs[i] - x, this.ys[i] - y);
      if (away <= reach && away + more(i) < least) {
        least = away + more(i);
        best = i;
      }
    });
    return best;
  }
}
