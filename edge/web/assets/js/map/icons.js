// Small pictures of what a seat is, as lines of 16 × 16: beside their words, and on the map.

const SVG = 'http://www.w3.org/2000/svg';
const SIZE = 16;
const LINE = 1.5;

const PATHS = {
  wheelchair: 'M7 5v4h4l2 4M7 6.8h3.5M5.2 7.6a3.6 3.6 0 1 0 4.6 4.6M7 2.4v.2',
  companion: 'M5 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM1.5 13.5c0-3 1.3-4.5 3.5-4.5s3.5 1.5 3.5 4.5M11.5 5v5M9 7.5h5',
  view: 'M1.5 8C4.5 3.3 11.5 3.3 14.5 8c-3 4.7-10 4.7-13 0zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  restricted: 'M1.5 8C4.5 3.3 11.5 3.3 14.5 8c-3 4.7-10 4.7-13 0zM3 13.5L13 2.5',
  away: 'M1.5 8h13M4.5 5l-3 3 3 3M11.5 5l3 3-3 3',
  price: 'M2.5 8.5l3.5 3.5 7.5-8'
};

/** Makes the picture `name`; the words beside it say the same. */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', `0 0 ${SIZE} ${SIZE}`);
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}

/** Draws the picture `name` around a point, `size` px wide; the same on every device, where letters are not. */
export function drawIcon(pen, name, { x, y }, size, colour) {
  pen.save();
  pen.translate(x - size / 2, y - size / 2);
  pen.scale(size / SIZE, size / SIZE);
  pen.lineWidth = LINE;
  pen.lineCap = 'round';
  pen.strokeStyle = colour;
  pen.stroke((drawn[name] ??= new Path2D(PATHS[name])));
  pen.restore();
}

const drawn = {};
