// All that is written on the map: names and prices of sections, letters of rows, numbers of seats, what is marked.

import { inside } from '../outline.js';
import { drawIcon } from './icons.js';
import { dir } from '../words.js';
import { ACCESSIBLE, CHOSEN, FREE } from './scene.js';

const ROWS_PX = 13; // a seat's size on the screen from which rows have letters
const NUMBERS_PX = 24; // … and seats numbers
const MARKS_PX = 11; // below it, own seats have a mark of their own
const EDGE_PX = 15; // how near to the edge a row's letter sticks
const SMALL = 11;
const CALLOUT_PX = 140; // smaller shapes have their name beside them, where most of them can

const overlap = (a, b) => a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;

export class Labels {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext('2d');
    this.widths = new Map();
  }

  /** `map`: the SeatMap whose camera, places, scene and marks are drawn. */
  draw(map, ratio) {
    const { pen, canvas } = this;
    Object.assign(this, { map, colours: map.colours.texts, camera: map.camera, family: map.colours.family });
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.textAlign = 'center';
    pen.direction = dir(); // of the words; the map itself is never mirrored
    pen.textBaseline = 'middle';
    this.taken = [];
    const seatPx = map.seatPx;
    this.shapes();
    if (map.scene && seatPx >= ROWS_PX) {
      for (const section of map.sectionsInView()) {
        if (seatPx >= NUMBERS_PX) this.numbers(section);
        this.signs(section, seatPx);
        this.rows(section);
      }
    }
    this.names(seatPx);
    if (map.scene && seatPx < MARKS_PX) this.own();
    for (const i of map.lost) this.cross(i);
    if (map.marked !== null) this.ring(map.marked);
  }

  font(size, weight = 650) {
    this.pen.font = `${weight} ${size}px ${this.family}`;
  }

  width(text, size, weight) {
    const key = `${size} ${weight} ${text}`;
    if (!this.widths.has(key)) {
      this.font(size, weight);
      this.widths.set(key, this.pen.measureText(text).width);
    }
    return this.widths.get(key);
  }

  write(text, x, y, size, color, weight) {
    this.font(size, weight);
    this.pen.fillStyle = color;
    this.pen.fillText(text, x, y);
  }

  // --- shapes, sections and areas

  shapes() {
    for (const { name, middle, outline } of this.map.shapes) {
      if (!name) continue;
      const at = this.camera.toScreen(middle.x, middle.y);
      const size = Math.max(SMALL, Math.min(16, middle.clearance * this.camera.scale * 0.7));
      const half = { w: this.width(name, size, 700) / 2 + 3, h: size / 2 + 2 };
      if (!this.fits(outline, at, half)) continue;
      this.write(name, at.x, at.y, size, this.colours['on-stage'], 700);
      this.keep(at, half);
    }
  }

  /** Whether a box around a point lies on the screen and within an outline. */
  fits(outline, at, { w, h }) {
    const { width, height } = this.camera;
    if (at.x < w || at.y < h || at.x > width - w || at.y > height - h) return false;
    const inOutline = (dx, dy) => {
      const { x, y } = this.camera.toDrawing(at.x + dx * w, at.y + dy * h);
      return inside(outline, x, y);
    };
    return [-1, 0, 1].every((dx) => [-1, 1].every((dy) => inOutline(dx, dy)));
  }

  keep(at, { w, h }) {
    this.taken.push({ x0: at.x - w, x1: at.x + w, y0: at.y - h, y1: at.y + h });
  }

  isFree(at, { w, h }) {
    const box = { x0: at.x - w, x1: at.x + w, y0: at.y - h, y1: at.y + h };
    return !this.taken.some((other) => overlap(box, other));
  }

  names(seatPx) {
    const seen = this.map.places.filter(
      (place) => (seatPx < ROWS_PX || !place.section) && (place.id !== this.map.place || !place.section)
    );
    const boxes = new Map(seen.map((place) => [place, this.screenBox(place.box)]));
    const small = [];
    for (const [place, box] of boxes) {
      if (box.x1 < 0 || box.y1 < 0 || box.x0 > this.camera.width || box.y0 > this.camera.height) continue;
      const inShape = this.inShape(place, this.map.wordsOf(place));
      if (!inShape && Math.max(box.x1 - box.x0, box.y1 - box.y0) < CALLOUT_PX) small.push(place);
    }
    const before = this.taken.length;
    const callouts = small.flatMap((place) => this.callout(place, this.map.wordsOf(place), boxes) || []);
    if (callouts.length * 2 < small.length) this.taken.length = before;
    else for (const { at, half, words } of callouts) this.pill(at, half, words);
  }

  screenBox({ x0, y0, x1, y1 }) {
    const [from, to] = [this.camera.toScreen(x0, y0), this.camera.toScreen(x1, y1)];
    return { x0: from.x, y0: from.y, x1: to.x, y1: to.y };
  }

  /** Writes inside the outline: the name and the price, else the name; returns whether there is space. */
  inShape({ middle, outline, box }, { name, price, none }) {
    const centre = { x: (box.x0 + box.x1) / 2, y: (box.y0 + box.y1) / 2 };
    const spots = [middle, centre].map(({ x, y }) => this.camera.toScreen(x, y));
    const both = { w: Math.max(this.width(name, SMALL, 600), this.width(price, 13, 700)) / 2 + 6, h: 17 };
    const one = { w: this.width(name, SMALL, 700) / 2 + 5, h: 9 };
    for (const [half, shown] of [...(price ? [[both, price]] : []), [one, '']]) {
      const at = spots.find((spot) => this.fits(outline, spot, half) && this.isFree(spot, half));
      if (!at) continue;
      this.keep(at, half);
      this.pill(at, half, { name, price: shown, none });
      return true;
    }
    return false;
  }

  /** Finds where beside a shape that is too small its name can stand, away from all else. */
  callout(place, words, boxes) {
    const { name, price } = words;
    const half = { w: Math.max(this.width(name, SMALL, 700), this.width(price, 13, 700)) / 2 + 7, h: price ? 17 : 9 };
    const { x0, y0, x1, y1 } = boxes.get(place);
    const { width, height } = this.camera;
    const held = (x) => Math.max(half.w + 4, Math.min(width - half.w - 4, x));
    const [across, below, above] = [(y0 + y1) / 2, y1 + half.h + 5, y0 - half.h - 5];
    const columns = [(x0 + x1) / 2, x0, x1].map(held);
    const spots = [
      ...columns.flatMap((x) => [
        { x, y: below },
        { x, y: above }
      ]),
      { x: x1 + half.w + 5, y: across },
      { x: x0 - half.w - 5, y: across }
    ];
    const at = spots.find(({ x, y }) => {
      const spot = { x0: x - half.w, x1: x + half.w, y0: y - half.h, y1: y + half.h };
      if (spot.x0 < 2 || spot.x1 > width - 2 || spot.y0 < 2 || spot.y1 > height - 2) return false;
      if (!this.isFree({ x, y }, half)) return false;
      return [...boxes].every(([other, box]) => other === place || !overlap(spot, box));
    });
    if (!at) return null;
    this.keep(at, half);
    return { at, half, words };
  }

  pill(at, half, { name, price, none }) {
    const { pen, colours } = this;
    pen.beginPath();
    pen.roundRect(at.x - half.w, at.y - half.h, 2 * half.w, 2 * half.h, 5);
    pen.fillStyle = colours.paper;
    pen.fill();
    pen.lineWidth = 0.8;
    pen.strokeStyle = colours.rim;
    pen.stroke();
    const ink = none ? colours.dim : colours.ink;
    if (price) {
      this.write(name, at.x, at.y - 7, SMALL, colours.dim, 600);
      this.write(price, at.x, at.y + 7.5, none ? SMALL : 13, ink, 700);
    } else this.write(name, at.x, at.y + 0.5, SMALL, ink, 700);
  }

  // --- rows and seats

  /** Writes each row's letter beside its first seat, or at the edge where the row comes into view. */
  rows({ rows, pitch }) {
    const { scene } = this.map;
    const { width, height } = this.camera;
    const out = { x0: EDGE_PX, y0: EDGE_PX, x1: width - EDGE_PX, y1: height - EDGE_PX };
    for (const row of rows) {
      const first = this.seatInView(row);
      if (first < 0) continue;
      const turned = scene.cell[3 * first];
      const from = this.camera.toScreen(
        scene.x[first] - Math.cos(turned) * pitch * 0.95,
        scene.y[first] - Math.sin(turned) * pitch * 0.95
      );
      const at = { x: Math.max(out.x0, Math.min(out.x1, from.x)), y: Math.max(out.y0, Math.min(out.y1, from.y)) };
      const half = { w: this.width(row.name, 12, 700) / 2 + 3, h: 8 };
      if (!this.isFree(at, half)) continue;
      if (first !== row.from || this.map.ground.picture) {
        this.pen.fillStyle = this.colours.floor;
        this.pen.beginPath();
        this.pen.roundRect(at.x - half.w - 2, at.y - half.h - 1, 2 * half.w + 4, 2 * half.h + 2, 5);
        this.pen.fill();
      }
      this.write(row.name, at.x, at.y, 12, this.colours.dim, 700);
      this.keep(at, half);
    }
  }

  /** Returns a row's first seat on the screen, or -1. */
  seatInView({ from, to }) {
    const { scene } = this.map;
    const { scale, x, y, width, height } = this.camera;
    for (let i = from; i < to; i++) {
      const [px, py] = [scene.x[i] * scale + x, scene.y[i] * scale + y];
      if (px > 0 && py > 0 && px < width && py < height) return i;
    }
    return -1;
  }

  numbers(section) {
    const { scene } = this.map;
    const names = this.map.numbersOf(section);
    if (!names) return;
    const size = Math.max(SMALL, Math.min(13, this.map.seatPx * 0.42));
    this.font(size, 600);
    for (const i of this.seatsInView(section)) {
      if (scene.looks[4 * i + 1] !== FREE || scene.marks[i] & ACCESSIBLE) continue;
      const name = names[i - section.from];
      if (this.width(name, size, 600) > this.map.seatPx * 0.8) continue;
      const at = this.camera.toScreen(scene.x[i], scene.y[i]);
      this.pen.fillStyle = this.colours.onTiers[scene.looks[4 * i]];
      this.pen.fillText(name, at.x, at.y + 0.5);
    }
  }

  signs(section, seatPx) {
    const { scene } = this.map;
    const size = Math.min(18, seatPx * 0.6);
    for (const i of this.seatsInView(section)) {
      if (!(scene.marks[i] & ACCESSIBLE) || scene.looks[4 * i + 1] !== FREE) continue;
      const at = this.camera.toScreen(scene.x[i], scene.y[i]);
      drawIcon(this.pen, 'wheelchair', at, size, this.colours.onTiers[scene.looks[4 * i]]);
    }
  }

  *seatsInView({ from, to }) {
    const { scene } = this.map;
    const { scale, x, y, width, height } = this.camera;
    for (let i = from; i < to; i++) {
      const [px, py] = [scene.x[i] * scale + x, scene.y[i] * scale + y];
      if (px > -20 && py > -20 && px < width + 20 && py < height + 20) yield i;
    }
  }

  // --- what is the buyer's own, and what is marked

  own() {
    const { pen, colours } = this;
    const drawn = [];
    for (const i of this.map.ownSeats) {
      if (this.map.scene.state[i] < CHOSEN) continue;
      const at = this.camera.toScreen(this.map.scene.x[i], this.map.scene.y[i]);
      if (drawn.some((other) => Math.hypot(other.x - at.x, other.y - at.y) < 14)) continue;
      drawn.push(at);
      pen.beginPath();
      pen.arc(at.x, at.y, 9, 0, 7);
      pen.fillStyle = colours.yours;
      pen.fill();
      pen.lineWidth = 2;
      pen.strokeStyle = colours['on-yours'];
      pen.stroke();
      pen.beginPath();
      pen.moveTo(at.x - 4, at.y);
      pen.lineTo(at.x - 1.2, at.y + 3);
      pen.lineTo(at.x + 4.2, at.y - 3);
      pen.stroke();
    }
  }

  /** Marks a seat that another buyer took. */
  cross(i) {
    const { pen, colours } = this;
    const { scene, seatPx } = this.map;
    const at = this.camera.toScreen(scene.x[i], scene.y[i]);
    const radius = Math.max(8, seatPx * 0.5);
    const arm = radius * 0.45;
    pen.beginPath();
    pen.arc(at.x, at.y, radius, 0, 7);
    pen.fillStyle = colours.paper;
    pen.fill();
    pen.moveTo(at.x - arm, at.y - arm);
    pen.lineTo(at.x + arm, at.y + arm);
    pen.moveTo(at.x + arm, at.y - arm);
    pen.lineTo(at.x - arm, at.y + arm);
    pen.lineWidth = 2.5;
    pen.strokeStyle = colours.bad;
    pen.stroke();
  }

  ring(i) {
    const { pen, colours } = this;
    const { scene, seatPx } = this.map;
    const at = this.camera.toScreen(scene.x[i], scene.y[i]);
    pen.beginPath();
    pen.arc(at.x, at.y, Math.max(8, seatPx * 0.5 + 2), 0, 7);
    pen.lineWidth = 5;
    pen.strokeStyle = colours.paper;
    pen.stroke();
    pen.lineWidth = 2.5;
    pen.strokeStyle = colours.ink;
    pen.stroke();
  }
}
