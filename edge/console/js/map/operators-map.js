// The buyers' map for operators: it shows what each seat is (free, held, sold, blocked) and what is chosen, or a colour
// for each section.

import { drawIcon } from '../../../web/assets/js/map/icons.js';
import { Labels } from '../../../web/assets/js/map/labels.js';
import { ACCESSIBLE, CHOSEN, FREE, Scene, TAKEN } from '../../../web/assets/js/map/scene.js';
import { SeatMap } from '../../../web/assets/js/map/seat-map.js';
import { BLOCKED, SOLD } from './picks.js';

const LEFT = 2; // no band of the operators' map is nearly gone

class StateScene extends Scene {
  paint(i) {
    const code = this.codes?.[i] ?? 0;
    const at = i * 4;
    this.looks[at] = code;
    this.looks[at + 1] = this.chosen?.has(i) ? CHOSEN : code === SOLD ? TAKEN : FREE;
    this.looks[at + 2] = LEFT;
    this.looks[at + 3] = code === BLOCKED ? ACCESSIBLE : 0; // a square
    this.touch(i);
  }

  codeOf(i) {
    return this.codes?.[i] ?? 0;
  }
}

class StateLabels extends Labels {
  draw(map, ratio) {
    super.draw(map, ratio);
    if (!map.box) return;
    const { from, to } = map.box;
    this.pen.lineWidth = 2;
    this.pen.setLineDash([6, 4]);
    this.pen.strokeStyle = this.colours.ink;
    this.pen.strokeRect(from.x, from.y, to.x - from.x, to.y - from.y);
    this.pen.setLineDash([]);
  }

  numbers(section) {
    const { scene, seatPx } = this.map;
    const names = this.map.numbersOf(section);
    const size = Math.max(11, Math.min(13, seatPx * 0.42));
    for (const i of names ? this.seatsInView(section) : []) {
      if (scene.codeOf(i) !== 0 || scene.chosen?.has(i) || scene.marks[i] & ACCESSIBLE) continue;
      const at = this.camera.toScreen(scene.x[i], scene.y[i]);
      this.write(names[i - section.from], at.x, at.y + 0.5, size, this.colours.onTiers[0], 600);
    }
  }

  /** Held seats have a dot, blocked ones a bar: the colour is never all that tells them. */
  signs(section, seatPx) {
    const { scene } = this.map;
    const { pen } = this;
    for (const i of this.seatsInView(section)) {
      const code = scene.codeOf(i);
      if (code === SOLD || scene.chosen?.has(i)) continue;
      const at = this.camera.toScreen(scene.x[i], scene.y[i]);
      pen.fillStyle = this.colours.onTiers[code];
      pen.beginPath();
      if (code === BLOCKED) pen.rect(at.x - seatPx * 0.24, at.y - seatPx * 0.06, seatPx * 0.48, seatPx * 0.12);
      else if (code) pen.arc(at.x, at.y, seatPx * 0.13, 0, 7);
      pen.fill();
      if (!code && scene.marks[i] & ACCESSIBLE)
        drawIcon(pen, 'wheelchair', at, Math.min(18, seatPx * 0.6), this.colours.onTiers[0]);
    }
  }
}

export class OperatorsMap extends SeatMap {
  /**
   * `on`: as of the buyers' map, and stepOf(place), the number of a section's or an area's colour (null: none),
   * noteOf(place), what is written below its name, boxes(), whether a finger draws a box, and boxed(seats).
   */
  constructor(venue, on) {
    const drag = (dx, dy, at) => this.boxTo(dx, dy, at);
    super(venue, { tiers: [], currency: 'EUR' }, { ...on, drag, Scene: StateScene, Labels: StateLabels });
    this.front.addEventListener('pointerdown', (e) => {
      this.shift = e.shiftKey;
      this.box = null;
    });
  }

  /** Shows what each seat is: codes in layout order. */
  setCodes(codes) {
    if (!this.scene || this.scene.codes === codes) return;
    this.scene.codes = codes;
    this.scene.paintAll();
    this.statesChanged();
  }

  /** Marks what is chosen: a Set of seats of the scene. */
  setChosen(chosen) {
    if (!this.scene || this.scene.chosen === chosen) return;
    this.scene.chosen = chosen;
    this.scene.paintAll();
    this.later();
  }

  mainFill(place) {
    const step = this.on.stepOf(place);
    return step === null ? this.colours.texts.floor : this.colours.texts.tiers[step];
  }

  wordsOf(place) {
    return { name: place.short, price: this.on.noteOf(place), none: false };
  }

  boxTo(dx, dy, at) {
    if (!this.scene || !(this.shift || this.on.boxes())) return false;
    this.box = { from: this.box?.from ?? { x: at.x - dx, y: at.y - dy }, to: at };
    this.later();
    return true;
  }

  restSoon() {
    if (this.box) {
      const [a, b] = [this.box.from, this.box.to].map(({ x, y }) => this.camera.toDrawing(x, y));
      const [x0, x1, y0, y1] = [Math.min(a.x, b.x), Math.max(a.x, b.x), Math.min(a.y, b.y), Math.max(a.y, b.y)];
      const { x, y } = this.scene;
      const seats = [];
      this.scene.grid.within({ x0, y0, x1, y1 }, (i) => {
        if (x[i] >= x0 && x[i] <= x1 && y[i] >= y0 && y[i] <= y1) seats.push(i);
      });
      this.box = null;
      if (seats.length) this.on.boxed(seats);
      this.later();
    }
    super.restSoon();
  }
}
