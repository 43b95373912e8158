// All seats of a venue as typed arrays, in layout order: where they are, what they cost, what they are now.

import { boxOf } from './camera.js';
import { Grid } from './grid.js';
import { COLOURS } from './tiers.js';

export const FREE = 0;
export const TAKEN = 1;
export const CHOSEN = 2;
export const MINE = 3;
export const ACCESSIBLE = 1;
const COMPANION = 2;
const RESTRICTED = 4;
const WHOLE = 8;
export const KINDS = ACCESSIBLE | COMPANION | WHOLE; // what one seat stands for another in
const MARKS = { accessible: ACCESSIBLE, companion: COMPANION, restricted: RESTRICTED, whole: WHOLE };

const FEW = 0.12; // of a band
const BYTES = 4; // of a look: colour, state, band, accessible
const NONE_LEFT = 0;
const FEW_LEFT = 1;
const SOME_LEFT = 2;

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

export class Scene {
  /**
   * `venue`: venue.json; `pictures`: the sections of seats.json; `tiers`: of `rankedTiers`.
   * Throws TypeError or RangeError where the two files do not belong together.
   */
  constructor(venue, pictures, tiers) {
    this.tiers = tiers;
    this.tierIds = venue.tiers.map((tier) => tier.id);
    const count = venue.sections.reduce((sum, section) => sum + section.seats, 0);
    this.count = count;
    this.x = new Float32Array(count);
    this.y = new Float32Array(count);
    this.cell = new Float32Array(count * 3); // angle, along its row, from row to row
    this.tier = new Uint8Array(count); // the number in venue.json
    this.marks = new Uint8Array(count);
    this.base = new Uint8Array(count); // FREE or TAKEN, as the service says
    this.own = new Map(); // seat → CHOSEN or MINE
    this.state = new Uint8Array(count); // both together
    this.row = new Uint32Array(count);
    this.section = new Uint16Array(count);
    this.looks = new Uint8Array(count * BYTES);
    this.rows = [];
    this.sections = [];
    this.bands = new Map(); // section × 256 + tier → {all, free}
    this.hidden = new Set(); // tier ids that the filter hides
    this.accessibleOnly = false;
    let from = 0;
    venue.sections.forEach((section, number) => {
      from = this.place(section, pictures[number], number, from);
    });
    this.pitch = median(this.sections.map((section) => section.pitch)) || 10;
    this.grid = new Grid(this.x, this.y);
    this.byId = new Map(this.sections.map((section) => [section.id, section]));
    this.dirty = { from: 0, to: count };
    this.countBands();
  }

  place(section, picture, number, from) {
    const to = from + section.seats;
    if (picture.id !== section.id || picture.x.length !== section.seats) throw new RangeError(section.id);
    let [x, y] = [0, 0];
    for (let i = 0; i < section.seats; i++) {
      this.x[from + i] = (x += picture.x[i]) / 100;
      this.y[from + i] = (y += picture.y[i]) / 100;
    }
    this.section.fill(number, from, to);
    let at = from;
    for (let i = 0; i < picture.tiers.length; i += 2) {
      this.tier.fill(picture.tiers[i], at, (at += picture.tiers[i + 1]));
    }
    for (const [mark, seats] of Object.entries(picture.marks || {})) {
      for (const seat of seats) this.marks[from + seat] |= MARKS[mark] || 0;
    }
    const rows = [];
    at = from;
    for (let i = 0; i < picture.rows.length; i += 2) {
      const row = { number: this.rows.length, section: number, name: picture.rows[i], from: at };
      row.to = at += picture.rows[i + 1];
      this.row.fill(row.number, row.from, row.to);
      this.rows.push(row);
      rows.push(row);
    }
    const made = { id: section.id, number, from, to, rows, outline: section.outline, ...this.measure(rows) };
    this.orient(made);
    const seats = Array.from({ length: section.seats }, (_, i) => [this.x[from + i], this.y[from + i]]);
    this.sections.push({ ...made, box: boxOf(seats.length ? seats : section.outline) });
    return to;
  }

  away(i, j) {
    return Math.hypot(this.x[i] - this.x[j], this.y[i] - this.y[j]);
  }

  /** Finds the usual distance between neighbours in a row, and between rows. */
  measure(rows) {
    const gaps = [];
    const depths = [];
    rows.forEach((row, r) => {
      const step = Math.max(1, (row.to - row.from) >> 3);
      for (let i = row.from + 1; i < row.to; i += step) gaps.push(this.away(i, i - 1));
      const next = rows[r + 1];
      if (!next || depths.length > 40) return;
      let least = Infinity;
      for (let j = next.from; j < next.to; j++) {
        least = Math.min(least, this.away((row.from + row.to) >> 1, j));
      }
      depths.push(least);
    });
    const pitch = median(gaps) || median([...depths]) || 20;
    const depth = median(depths) || pitch;
    return { pitch, depth: Math.max(pitch * 0.7, Math.min(depth, pitch * 1.7)) };
  }

  /** Turns each seat as its neighbours in the row stand. */
  orient({ rows, pitch, depth }) {
    for (const row of rows) {
      for (let i = row.from; i < row.to; i++) {
        const [a, b] = [Math.max(row.from, i - 1), Math.min(row.to - 1, i + 1)];
        const turned = a !== b && Math.atan2(this.y[b] - this.y[a], this.x[b] - this.x[a]);
        this.cell[3 * i] = turned || 0;
        this.cell[3 * i + 1] = pitch;
        this.cell[3 * i + 2] = depth;
      }
    }
  }

  // --- what is free

  countBands() {
    this.bands.clear();
    for (let i = 0; i < this.count; i++) {
      const band = this.bandOf(i);
      band.all++;
      if (this.state[i] !== TAKEN) band.free++;
    }
    for (const band of this.bands.values()) band.left = leftOf(band);
    this.paintAll();
  }

  bandOf(i) {
    const key = this.section[i] * 256 + this.tier[i];
    if (!this.bands.has(key)) {
      this.bands.set(key, { section: this.section[i], tier: this.tier[i], all: 0, free: 0 });
    }
    return this.bands.get(key);
  }

  /** Takes over what the service says of a section, [index in it, status code]; returns whether it is news. */
  change(section, changes) {
    const changed = [];
    for (const [index, code] of changes) {
      const i = section.from + index;
      const base = code ? TAKEN : FREE;
      if (i >= section.to || this.base[i] === base) continue;
      this.base[i] = base;
      changed.push(i);
    }
    this.restate(changed);
    return changed.length > 0;
  }

  /** Marks the buyer's own seats: Map of seat → CHOSEN or MINE. */
  setOwn(own) {
    const before = this.own;
    this.own = own;
    this.restate([...before.keys(), ...own.keys()]);
  }

  restate(seats) {
    const touched = new Set();
    for (const i of seats) {
      const state = this.own.get(i) ?? this.base[i];
      if (state === this.state[i]) continue;
      const band = this.bandOf(i);
      band.free += (state !== TAKEN) - (this.state[i] !== TAKEN);
      touched.add(band);
      this.state[i] = state;
      this.paint(i);
    }
    for (const band of touched) {
      const left = leftOf(band);
      if (left === band.left) continue;
      band.left = left;
      const { from, to } = this.sections[band.section];
      for (let i = from; i < to; i++) if (this.tier[i] === band.tier) this.paint(i);
    }
  }

  /** Lists what is free of a section in each tier that the filter shows: [{tier, free, all}], cheapest first. */
  offers(section, all = false) {
    const found = [];
    for (const band of this.bands.values()) {
      const tier = this.tiers.get(this.tierIds[band.tier]);
      if (band.section !== section.number || !tier || (!all && this.hidden.has(tier.id))) continue;
      found.push({ tier, free: band.free, all: band.all });
    }
    return found.sort((a, b) => a.tier.whole_minor - b.tier.whole_minor);
  }

  // --- how they look

  /** Shows only these: `hidden` tier ids turn grey, and all that is not accessible with `accessibleOnly`. */
  filter(hidden, accessibleOnly) {
    Object.assign(this, { hidden, accessibleOnly });
    this.paintAll();
  }

  shows(i) {
    const wheels = this.marks[i] & (ACCESSIBLE | COMPANION);
    return !this.hidden.has(this.tierIds[this.tier[i]]) && (!this.accessibleOnly || wheels !== 0);
  }

  paintAll() {
    for (let i = 0; i < this.count; i++) this.paint(i);
  }

  paint(i) {
    const at = i * BYTES;
    const shown = this.shows(i);
    const own = this.state[i] >= CHOSEN;
    this.looks[at] = this.tiers.get(this.tierIds[this.tier[i]])?.colour ?? COLOURS - 1;
    this.looks[at + 1] = own || shown ? this.state[i] : TAKEN;
    this.looks[at + 2] = shown ? (this.bandOf(i).left ?? SOME_LEFT) : NONE_LEFT;
    this.looks[at + 3] = this.marks[i] & ACCESSIBLE;
    this.touch(i);
  }

  /** Has a seat's looks go to the renderer. */
  touch(i) {
    if (!this.dirty) this.dirty = { from: i, to: i + 1 };
    else {
      if (i < this.dirty.from) this.dirty.from = i;
      if (i >= this.dirty.to) this.dirty.to = i + 1;
    }
  }

  /** Returns the range of seats whose looks changed since the last call, or null. */
  takeDirty() {
    const { dirty } = this;
    this.dirty = null;
    return dirty;
  }
}

function leftOf({ free, all }) {
  if (!free) return NONE_LEFT;
  return free < all * FEW ? FEW_LEFT : SOME_LEFT;
}

/** Unpacks status.bin: for each section the codes of its seats, 2 bits each, from a whole byte. */
export function unpackStatuses(sections, bytes) {
  let at = 0;
  return sections.map((section) => {
    const codes = new Uint8Array(section.to - section.from);
    for (let i = 0; i < codes.length; i++) codes[i] = (bytes[at + (i >> 2)] >> ((i & 3) * 2)) & 3;
    at += Math.ceil(codes.length / 4);
    return codes;
  });
}
