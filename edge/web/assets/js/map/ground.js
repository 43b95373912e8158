// What lies under the seats: the chart's picture, the stage, the floors of sections, and areas without seats.

const DIM = 0.5; // how much of a picture is seen on a dark page: it was drawn for white paper

export class Ground {
  /** `places`: sections and areas; `shapes`: what is drawn and never sold. */
  constructor(canvas, places, shapes) {
    this.pen = canvas.getContext('2d');
    this.canvas = canvas;
    this.picture = null; // {image, x, y, width, height, opacity}
    this.shapes = shapes.map((shape) => ({ ...shape, path: pathOf(shape.outline) }));
    this.places = places.map((place) => ({ place, path: pathOf(place.outline) }));
  }

  /** `fillOf(place)`: the colour of an area, or of a section whose seats are not there yet. */
  draw({ scale, x, y }, ratio, colours, fillOf) {
    const { pen, canvas } = this;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = colours.map;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    this.drawOn(pen, { scale: scale * ratio, x: x * ratio, y: y * ratio }, colours, fillOf);
  }

  /** Draws everything on another canvas; its view, and how bold edges are, count in that canvas's own pixels. */
  drawOn(pen, { scale, x, y }, colours, fillOf, boldPx = 0) {
    pen.setTransform(scale, 0, 0, scale, x, y);
    if (this.picture) this.drawPicture(pen, colours);
    pen.lineWidth = Math.max(1, boldPx) / scale;
    for (const { kind, path } of this.shapes) {
      pen.fillStyle = kind === 'stage' ? colours['map-stage'] : colours.floor;
      pen.fill(path);
      if (kind === 'stage') continue;
      pen.strokeStyle = colours.line;
      pen.stroke(path);
    }
    for (const { place, path } of this.places) {
      const fill = fillOf(place);
      pen.fillStyle = fill || colours.floor;
      pen.fill(path);
      pen.strokeStyle = boldPx ? fill : fill ? colours.rim : colours.line;
      pen.stroke(path);
    }
  }

  drawPicture(pen, { dark }) {
    const { image, x, y, width, height, opacity } = this.picture;
    pen.globalAlpha = opacity * (dark ? DIM : 1);
    pen.drawImage(image, x, y, width, height);
    pen.globalAlpha = 1;
  }
}

function pathOf(outline) {
  const path = new Path2D();
  outline.forEach(([x, y], i) => (i ? path.lineTo(x, y) : path.moveTo(x, y)));
  path.closePath();
  return path;
}
