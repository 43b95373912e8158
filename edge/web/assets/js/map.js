// One section on a canvas: its seats with pan, zoom and tap; arrow keys walk from seat to seat.

import { placesOf, seatName } from './catalog.js';
import { announce, h } from './dom.js';
import { money } from './format.js';
import { PanZoom } from './panzoom.js';

const SEAT_PX_MAX = 26;
const MARGIN_PX = 26; // space for the letters of the rows and the way to the stage
const TAP_PX = 22; // half of the 44 px that a finger needs
const APART_PX_MIN = 16; // seats nearer to each other than this are looked at closer before one is chosen

const HOW_TO_CHOOSE = 'Arrow keys move from seat to seat, Enter chooses. The list shows the same seats.';

/** Reads a colour of the style sheet. */
const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Measures the typical distance between neighbours in a row. */
function spacingOf(seats) {
  const gaps = [];
  for (let i = 1; i < seats.length && gaps.length < 200; i++) {
    if (seats[i].rowId === seats[i - 1].rowId)
      gaps.push(Math.hypot(seats[i].x - seats[i - 1].x, seats[i].y - seats[i - 1].y));
  }
  gaps.sort((a, b) => a - b);
  return gaps[gaps.length >> 1] || 10;
}

export class SectionMap {
  /** `stateOf(seat)`: free | chosen | mine | gone; `toggle(seat)` when one is tapped. */
  constructor(section, { tiers, currency, focalPoint, stateOf, toggle }) {
    Object.assign(this, { section, tiers, currency, focalPoint, stateOf, toggle });
    this.spacing = spacingOf(section.all);
    this.cursor = null;
    this.tierFilter = '';
    this.canvas = h('canvas', {
      class: 'seats',
      tabindex: 0,
      role: 'application',
      'aria-label': `Seats of ${section.name}. ${HOW_TO_CHOOSE}`,
      onkeydown: (e) => this.key(e),
      onblur: () => {
        this.cursor = null;
        this.later();
      }
    });
    this.view = new PanZoom(this.canvas, { changed: () => this.later(), tap: (at) => this.tapped(at) });
    this.element = h(
      'div',
      {},
      this.canvas,
      h(
        'div',
        { class: 'zoom' },
        h('button', { 'aria-label': 'Zoom in', onclick: () => this.view.zoom(1.5) }, '+'),
        h('button', { 'aria-label': 'Zoom out', onclick: () => this.view.zoom(1 / 1.5) }, '−'),
        h('button', { 'aria-label': 'Show the whole section', onclick: () => this.fit() }, '⤢')
      )
    );
    this.watcher = new ResizeObserver(() => {
      if (this.canvas.clientWidth !== this.widthFitted) this.fit();
    });
    this.watcher.observe(this.canvas);
    this.dark = matchMedia('(prefers-color-scheme: dark)');
    this.dark.addEventListener('change', (this.repaint = () => this.later()));
  }

  close() {
    this.watcher.disconnect();
    this.dark.removeEventListener('change', this.repaint);
  }

  fit() {
    const xs = this.section.all.map((s) => s.x);
    const ys = this.section.all.map((s) => s.y);
    const half = this.spacing / 2;
    const box = {
      x0: Math.min(...xs) - half,
      x1: Math.max(...xs) + half,
      y0: Math.min(...ys) - half,
      y1: Math.max(...ys) + half
    };
    const width = this.canvas.clientWidth;
    if (!width) return;
    this.widthFitted = width;
    // As high as the section needs at this width; the style sheet sets the bounds.
    const inner = ((width - 2 * MARGIN_PX) * (box.y1 - box.y0)) / (box.x1 - box.x0);
    this.canvas.style.height = `${Math.round(inner + 2 * MARGIN_PX)}px`;
    const height = this.canvas.clientHeight;
    const ratio = Math.min(3, devicePixelRatio || 1);
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    this.ratio = ratio;
    this.view.scaleMax = (2 * SEAT_PX_MAX) / this.spacing;
    this.view.fit(box, width, height, MARGIN_PX);
  }

  later() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
  }

  paint() {
    const pen = this.canvas.getContext('2d');
    const { scale, x, y } = this.view;
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.clearRect(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    const radius = Math.min(SEAT_PX_MAX, this.spacing * scale * 0.42);
    const ink = {
      ink: style('--ink'),
      gone: style('--seat-gone'),
      line: style('--line'),
      paper: style('--paper'),
      accent: style('--accent'),
      onAccent: style('--on-accent')
    };
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    for (const seat of this.section.all) this.paintSeat(pen, seat, seat.x * scale + x, seat.y * scale + y, radius, ink);
    if (radius > 5) this.paintRows(pen, radius, style('--dim'));
    this.paintStage(pen, style('--dim'));
  }

  paintSeat(pen, seat, px, py, radius, ink) {
    if (px < -radius || py < -radius || px > this.canvas.clientWidth + radius || py > this.canvas.clientHeight + radius)
      return;
    const state = this.stateOf(seat);
    const own = state === 'chosen' || state === 'mine';
    const faint = this.tierFilter && seat.tier !== this.tierFilter && !own;
    pen.globalAlpha = faint ? 0.18 : 1;
    pen.beginPath();
    pen.arc(px, py, state === 'gone' ? radius * 0.55 : own ? radius * 1.08 : radius, 0, 7);
    pen.fillStyle = state === 'gone' ? ink.gone : own ? ink.accent : this.tiers.get(seat.tier)?.color || ink.ink;
    pen.fill();
    if (own || state === 'free') {
      pen.lineWidth = own ? 2.5 : 1;
      pen.strokeStyle = own ? ink.ink : ink.line;
      pen.stroke();
    }
    if (own) this.sign(pen, '✓', px, py, radius * 1.3, ink.onAccent);
    else if (state === 'free' && seat.kind === 'accessible')
      this.sign(pen, '♿', px, py, radius * 1.2, ink.paper, ink.ink);
    else if (state === 'free' && radius > 8) this.sign(pen, seat.number, px, py, radius * 0.85, '#fff', '#000');
    pen.globalAlpha = 1;
    if (this.cursor === seat) {
      pen.beginPath();
      pen.arc(px, py, radius + 5, 0, 7);
      pen.lineWidth = 3;
      pen.strokeStyle = ink.accent;
      pen.stroke();
    }
  }

  sign(pen, text, x, y, size, color, outline) {
    pen.font = `600 ${size}px system-ui, sans-serif`;
    if (outline) {
      pen.lineWidth = Math.max(1.5, size / 6);
      pen.lineJoin = 'round';
      pen.strokeStyle = outline;
      pen.strokeText(text, x, y);
    }
    pen.fillStyle = color;
    pen.fillText(text, x, y + size * 0.05);
  }

  paintRows(pen, radius, color) {
    const { scale, x, y } = this.view;
    pen.fillStyle = color;
    pen.font = `600 ${Math.max(10, Math.min(14, radius * 1.1))}px system-ui, sans-serif`;
    let last = null;
    this.section.all.forEach((seat, i) => {
      if (seat.rowId === last) return;
      last = seat.rowId;
      const next = this.section.all[i + 1];
      if (!next || next.rowId !== seat.rowId) return;
      const apart = Math.hypot(next.x - seat.x, next.y - seat.y) || 1;
      pen.fillText(
        seat.row,
        (seat.x - ((next.x - seat.x) / apart) * this.spacing) * scale + x,
        (seat.y - ((next.y - seat.y) / apart) * this.spacing) * scale + y
      );
    });
  }

  /** Writes at the edge where the stage is. */
  paintStage(pen, color) {
    if (!this.focalPoint) return;
    const { scale, x, y } = this.view;
    const [fx, fy] = this.focalPoint;
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    const dx = fx * scale + x - width / 2;
    const dy = fy * scale + y - height / 2;
    const away = Math.min((width / 2 - 30) / Math.abs(dx || 1), (height / 2 - 13) / Math.abs(dy || 1));
    if (away >= 1) return;
    const arrow = ['→', '↘', '↓', '↙', '←', '↖', '↑', '↗'][(Math.round(Math.atan2(dy, dx) / (Math.PI / 4)) + 8) % 8];
    const at = { x: width / 2 + dx * away, y: height / 2 + dy * away };
    pen.font = '600 13px system-ui, sans-serif';
    pen.lineWidth = 5;
    pen.lineJoin = 'round';
    pen.strokeStyle = style('--paper');
    pen.strokeText(`stage ${arrow}`, at.x, at.y);
    pen.fillStyle = color;
    pen.fillText(`stage ${arrow}`, at.x, at.y);
  }

  tapped(at) {
    const reach = Math.max(this.spacing * 0.7, TAP_PX / this.view.scale);
    let best = null;
    let near = reach;
    for (const seat of this.section.all) {
      // Of two seats under one finger, the one that can be had is meant.
      const away = Math.hypot(seat.x - at.x, seat.y - at.y) + (this.stateOf(seat) === 'gone' ? this.spacing * 0.3 : 0);
      if (away < near) {
        near = away;
        best = seat;
      }
    }
    if (!best) return;
    if (this.spacing * this.view.scale < APART_PX_MIN) {
      const p = { x: at.x * this.view.scale + this.view.x, y: at.y * this.view.scale + this.view.y };
      this.view.zoom(2.5, p);
      return;
    }
    this.toggle(best);
  }

  key(e) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (steps[e.key]) {
      e.preventDefault();
      this.cursor = this.cursor ? this.nearest(...steps[e.key]) || this.cursor : this.section.all[0];
      this.announceSeat(this.cursor);
      this.later();
    } else if ((e.key === 'Enter' || e.key === ' ') && this.cursor) {
      e.preventDefault();
      this.toggle(this.cursor);
    } else if (e.key === '+' || e.key === '-') this.view.zoom(e.key === '+' ? 1.5 : 1 / 1.5);
  }

  /** Finds the nearest seat in a direction; sideways costs double. */
  nearest(dx, dy) {
    let best = null;
    let least = Infinity;
    for (const seat of this.section.all) {
      const ahead = (seat.x - this.cursor.x) * dx + (seat.y - this.cursor.y) * dy;
      const aside = Math.abs((seat.x - this.cursor.x) * dy + (seat.y - this.cursor.y) * dx);
      if (ahead > this.spacing * 0.1 && ahead >= aside * 0.6 && ahead + 2 * aside < least) {
        least = ahead + 2 * aside;
        best = seat;
      }
    }
    return best;
  }

  announceSeat(seat) {
    const state = { free: 'free', chosen: 'chosen', mine: 'held for you', gone: 'taken' }[this.stateOf(seat)];
    const kind = seat.kind === 'standard' ? '' : seat.kind;
    const tier = this.tiers.get(seat.tier);
    const price = tier && money(tier.whole_minor * placesOf(seat), this.currency);
    announce([seatName(seat), state, kind, price].filter(Boolean).join(', '));
  }
}
