// The map of a chart that no event has yet: coloured by price as buyers will see it, or with what is wrong in it.

import { inside } from '../../../web/assets/js/outline.js';
import { Labels } from '../../../web/assets/js/map/labels.js';
import { SeatMap } from '../../../web/assets/js/map/seat-map.js';
import { rankedTiers } from '../../../web/assets/js/map/tiers.js';
import { faultsAmong, rowsIn, sectionOf, signsOf, spotsOf } from './faults.js';

const SIGN_PX = 11;
const EXTENTS_MAX = 60; // of more faults only the chosen one is outlined: nothing else would be seen
const TAP_PX = 22; // half of what a finger needs
const CLOSER = 2.5;
const EIGHTH = Math.PI / 4;

class FaultLabels extends Labels {
  draw(map, ratio) {
    super.draw(map, ratio);
    if (!map.scene || !map.faults.length) return;
    const all = map.faults.reduce((sum, { spans }) => sum + spans.length, 0) <= EXTENTS_MAX;
    const shown = map.faults.filter(({ n }) => all || n === map.chosen);
    for (const fault of shown) for (const span of fault.spans) this.extent(span, fault.n === map.chosen);
    map.signs = signsOf(map.spots, (x, y) => this.camera.toScreen(x, y), 2 * SIGN_PX);
    for (const sign of map.signs) this.sign(sign, sign.all.includes(map.chosen));
  }

  /** Marks what a fault concerns: a section has a broken line around it, a row a line along it, a seat a ring. */
  extent(span, chosen) {
    const { scene } = this.map;
    const whole = sectionOf(scene, span);
    if (whole) this.line([...whole.outline, whole.outline[0]], chosen ? 5 : 3, [8, 5]);
    else if (span[1] - span[0] === 1) this.circle(span[0], chosen);
    else {
      for (const [from, to] of rowsIn(scene, span)) {
        const seats = Array.from({ length: to - from }, (_, i) => [scene.x[from + i], scene.y[from + i]]);
        this.line(seats, chosen ? 6 : 4, []);
      }
    }
  }

  line(points, width, dash) {
    const { pen, colours } = this;
    pen.beginPath();
    points.forEach(([x, y], i) => {
      const at = this.camera.toScreen(x, y);
      if (i) pen.lineTo(at.x, at.y);
      else pen.moveTo(at.x, at.y);
    });
    pen.lineWidth = width + 3;
    pen.strokeStyle = colours.paper;
    pen.stroke();
    pen.setLineDash(dash);
    pen.lineWidth = width;
    pen.strokeStyle = colours.bad;
    pen.stroke();
    pen.setLineDash([]);
  }

  circle(seat, chosen) {
    const { pen, colours, map } = this;
    const at = this.camera.toScreen(map.scene.x[seat], map.scene.y[seat]);
    pen.beginPath();
    pen.arc(at.x, at.y, Math.max(SIGN_PX + 4, map.seatPx * 0.6), 0, 7);
    pen.lineWidth = chosen ? 5 : 3;
    pen.strokeStyle = colours.bad;
    pen.stroke();
  }

  /** An octagon with the number of the fault; where several lie together, with how many. */
  sign({ x, y, all }, chosen) {
    const { pen, colours } = this;
    const text = all.length > 1 ? `${all.length}×` : `${all[0]}`;
    const size = SIGN_PX + (text.length > 2 ? 3 : 0) + (chosen ? 2 : 0);
    pen.beginPath();
    for (let n = 0; n < 8; n++) {
      const turn = (n + 0.5) * EIGHTH;
      pen.lineTo(x + Math.cos(turn) * size, y + Math.sin(turn) * size);
    }
    pen.closePath();
    pen.lineWidth = chosen ? 6 : 3;
    pen.strokeStyle = chosen ? colours.ink : colours.paper;
    pen.stroke();
    pen.fillStyle = colours.bad;
    pen.fill();
    this.write(text, x, y + 0.5, 11, colours.paper, 700);
  }
}

export class ChartMap extends SeatMap {
  /** `on`: as of the buyers' map, and noteOf(place, map), what stands below its name, faults([n]) and signMark([n]). */
  constructor(venue, event, on) {
    super(venue, event, { settled: () => {}, want: () => {}, ...on, Labels: FaultLabels });
    this.faults = [];
    this.spots = [];
    this.signs = [];
    this.chosen = null;
  }

  /** Shows other prices: an event with `tiers` and `currency`; a tier without a price has `whole_minor` null. */
  setPrices(event) {
    this.event = event;
    this.tiers = rankedTiers(event);
    if (this.scene) {
      this.scene.tiers = this.tiers;
      this.scene.paintAll();
    }
    this.statesChanged();
  }

  /** Shows all seats of one tier, and the others in grey; null shows all. */
  setLit(tier) {
    this.filter(new Set(tier === null ? [] : [...this.tiers.keys()].filter((id) => id !== tier)), false);
  }

  /** Marks faults of `faultsOf`; `chosen` is the number of one. */
  setFaults(faults, chosen) {
    Object.assign(this, { faults, chosen });
    this.spots = this.scene ? spotsOf(faults, this.scene) : [];
    this.later();
  }

  /** Goes to what a fault concerns. */
  showFault({ spans, points }) {
    if (!this.scene) return;
    const seats = spans.flatMap(([from, to]) => Array.from({ length: to - from }, (_, i) => from + i));
    if (seats.length) this.showSeats(seats, '');
    else if (points.length) this.fly(this.camera.inside(this.centred(points[0].x, points[0].y)));
  }

  /** Returns the faults of a seat, or of all seats of a place. */
  faultsAt(seat) {
    return faultsAmong(this.faults, seat, seat + 1);
  }

  faultsIn({ section, outline }) {
    const among = section ? faultsAmong(this.faults, section.from, section.to) : [];
    const there = this.faults.filter(({ points }) => points.some(({ x, y }) => inside(outline, x, y)));
    return [...among, ...there];
  }

  /** Returns all tiers of a place, whichever are shown. */
  tiersOf(place) {
    const { tiers } = place.section ? this.venue.sections.find(({ id }) => id === place.id) : place;
    return tiers.map((id) => this.tiers.get(id)).filter(Boolean);
  }

  wordsOf(place) {
    return { name: place.short, price: this.on.noteOf(place, this), none: false };
  }

  enter(id) {
    this.on.place(id);
  }

  signAt(at) {
    const away = (sign) => Math.hypot(sign.x - at.x, sign.y - at.y);
    const [nearest] = [...this.signs].sort((a, b) => away(a) - away(b));
    return nearest && away(nearest) <= TAP_PX ? nearest : null;
  }

  tapped(at, type) {
    const sign = this.signAt(at);
    if (!sign) return super.tapped(at, type);
    const closer = this.camera.zoomed(CLOSER, at);
    if (sign.all.length > 1 && closer.scale > this.camera.scale * 1.01) this.fly(closer);
    this.on.faults(sign.all);
    return true;
  }

  hover(at) {
    const sign = at && !this.gestures.pointers.size ? this.signAt(at) : null;
    if (!sign) return super.hover(at);
    this.front.style.cursor = 'pointer';
    this.on.signMark(sign.all);
    return undefined;
  }
}
