// All seats on a Canvas 2D: for browsers without WebGL2. It looks the same and is slower.

const css = ([r, g, b]) => `rgb(${r * 255} ${g * 255} ${b * 255})`;

export class CanvasRenderer {
  constructor(canvas, scene) {
    Object.assign(this, { canvas, scene });
    this.pen = canvas.getContext('2d');
  }

  draw({ scale, x, y }, { from, to, near, ratio, colours }) {
    const { pen, canvas, scene } = this;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const [wide, high] = [canvas.width / ratio, canvas.height / ratio];
    const paths = new Map(); // look → path
    for (let i = from; i < to; i++) {
      const [px, py] = [scene.x[i] * scale + x, scene.y[i] * scale + y];
      const pitch = scene.cell[3 * i + 1] * scale;
      if (px < -pitch || py < -pitch || px > wide + pitch || py > high + pitch) continue;
      const [colour, state, left, accessible] = scene.looks.subarray(4 * i, 4 * i + 4);
      if (near >= 0.5 && state >= 2) this.own(px, py, pitch * 0.47, colours);
      else {
        const lit = near < 0.5 ? left > 0 : state === 0;
        const key = lit ? colour : -1;
        if (!paths.has(key)) paths.set(key, new Path2D());
        const [path, radius] = [paths.get(key), pitch * (lit ? 0.4 : 0.2)];
        if (near < 0.5) this.band(path, i, px, py, scale);
        else if (accessible && lit) path.roundRect(px - radius, py - radius, 2 * radius, 2 * radius, radius * 0.4);
        else {
          path.moveTo(px + radius, py);
          path.arc(px, py, radius, 0, 7);
        }
      }
    }
    for (const [key, path] of paths) {
      pen.fillStyle = css(key < 0 ? colours.taken : colours.tiers[key]);
      pen.fill(path);
      if (key < 0 || near < 0.5) continue;
      pen.strokeStyle = css(colours.rim);
      pen.lineWidth = 0.8;
      pen.stroke(path);
    }
  }

  band(path, i, px, py, scale) {
    const [angle, along, across] = this.scene.cell.subarray(3 * i, 3 * i + 3);
    const [c, s] = [Math.cos(angle) * along * scale * 0.53, Math.sin(angle) * along * scale * 0.53];
    const [u, v] = [-Math.sin(angle) * across * scale * 0.53, Math.cos(angle) * across * scale * 0.53];
    path.moveTo(px - c - u, py - s - v);
    path.lineTo(px + c - u, py + s - v);
    path.lineTo(px + c + u, py + s + v);
    path.lineTo(px - c + u, py - s + v);
  }

  own(px, py, radius, colours) {
    const { pen } = this;
    const ring = (size, colour) => {
      pen.beginPath();
      pen.arc(px, py, size, 0, 7);
      pen.fillStyle = css(colour);
      pen.fill();
    };
    ring(radius, colours.yours);
    ring(radius * 0.87, colours.onYours);
    ring(radius * 0.74, colours.yours);
    pen.beginPath();
    pen.moveTo(px - radius * 0.36, py + radius * 0.04);
    pen.lineTo(px - radius * 0.1, py + radius * 0.3);
    pen.lineTo(px + radius * 0.38, py - radius * 0.28);
    pen.lineWidth = radius * 0.16;
    pen.strokeStyle = css(colours.onYours);
    pen.stroke();
  }

  close() {}
}
