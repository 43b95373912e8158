// The whole venue in a corner, with what is seen of it; hidden while all of it is.

import { h } from '../dom.js';

export class Minimap {
  /** `go(x, y)` is called with the point of the drawing to look at. */
  constructor(go) {
    this.canvas = h('canvas', {});
    this.element = h('figure', { class: 'mini', 'aria-hidden': 'true' }, this.canvas);
    this.element.hidden = true;
    const move = (event) => {
      if (!this.view || !event.buttons) return;
      const box = this.canvas.getBoundingClientRect();
      const { scale, x, y } = this.view;
      go((event.clientX - box.left - x) / scale, (event.clientY - box.top - y) / scale);
    };
    this.element.addEventListener('pointerdown', (event) => {
      this.element.setPointerCapture(event.pointerId);
      move(event);
    });
    this.element.addEventListener('pointermove', move);
  }

  /** Draws the venue again at the next `show`. */
  outdate() {
    this.picture = null;
  }

  /** `draw(pen, view)` draws the venue. */
  show(camera, ratio, colours, draw) {
    this.element.hidden = camera.showsAll;
    if (this.element.hidden) return;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (!width) return;
    const { x0, y0, x1, y1 } = camera.home;
    const scale = Math.min(width / (x1 - x0), height / (y1 - y0));
    this.view = { scale, x: (width - scale * (x0 + x1)) / 2, y: (height - scale * (y0 + y1)) / 2 };
    if (!this.picture || this.canvas.width !== Math.round(width * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.picture = document.createElement('canvas');
      Object.assign(this.picture, { width: this.canvas.width, height: this.canvas.height });
      const { x, y } = this.view;
      draw(this.picture.getContext('2d'), { scale: scale * ratio, x: x * ratio, y: y * ratio });
    }
    const pen = this.canvas.getContext('2d');
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.picture, 0, 0);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const [from, to] = [camera.toDrawing(0, 0), camera.toDrawing(camera.width, camera.height)];
    const at = (value, add) => value * scale + add;
    const [left, top] = [Math.max(1, at(from.x, this.view.x)), Math.max(1, at(from.y, this.view.y))];
    const right = Math.min(width - 1, at(to.x, this.view.x));
    const bottom = Math.min(height - 1, at(to.y, this.view.y));
    pen.lineWidth = 2;
    pen.strokeStyle = colours.ink;
    pen.strokeRect(left, top, Math.max(4, right - left), Math.max(4, bottom - top));
  }
}
